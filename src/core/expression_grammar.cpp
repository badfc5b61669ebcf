// The grammar of expressions in Boost.Spirit X3, in a file of its own for the time that it takes to compile.
//
// Actions write tokens in postfix order. No alternative is tried after an action has run, so that nothing is ever taken
// back, and only parentheses nest: chains of signs, of powers and of "not" are loops.
#include "core/expression_grammar.hpp"

#include <fmt/format.h>

#include <boost/spirit/home/x3.hpp>
#include <charconv>
#include <cmath>

namespace polhode {

namespace {

namespace x3 = boost::spirit::x3;
using Token = ExpressionToken;

struct TokenWriter {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Token> waiting;            // operators and calls whose operands are still being read
  std::vector<std::size_t> minuses;      // how many signs stand before an operand that is being read
  std::vector<std::size_t> power_bases;  // how many minuses there were where a chain of powers began

  template <class Range>
  std::string_view view(const Range& range) const {
    return text.substr(static_cast<std::size_t>(range.begin() - text.data()),
                       static_cast<std::size_t>(range.end() - range.begin()));
  }
  std::size_t place(std::string_view part) const { return static_cast<std::size_t>(part.data() - text.data()); }

  void number(std::string_view part) {
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{})
      throw ExpressionMistake{place(part), fmt::format("the number {} is beyond what a double holds", part)};
    tokens.push_back({Token::Kind::number, place(part), part, {}, value});
  }
  void name(std::string_view part) { waiting.push_back({Token::Kind::name, place(part), part}); }
  void emit_name() { emit(); }
  void begin_call() { waiting.back().kind = Token::Kind::call; }
  void argument() { ++waiting.back().arguments; }
  void await(Token::Kind kind, std::string_view part, ExpressionOp op) {
    waiting.push_back({kind, place(part), part, op});
  }
  void emit() {
    tokens.push_back(waiting.back());
    waiting.pop_back();
  }
  void signs(std::string_view part) {
    minuses.push_back(static_cast<std::size_t>(std::count(part.begin(), part.end(), '-')));
  }
  void apply_signs() {
    if (minuses.back() % 2 != 0)
      tokens.push_back({Token::Kind::operation, tokens.back().at, "-", ExpressionOp::negate});
    minuses.pop_back();
  }
  void begin_powers() { power_bases.push_back(minuses.size()); }
  // 2^-3^2 is 2^(-(3^2)): from the right, signs before the power.
  void apply_powers() {
    for (; minuses.size() > power_bases.back();) {
      apply_signs();
      tokens.push_back({Token::Kind::power, tokens.back().at, "^"});
    }
    power_bases.pop_back();
  }
};

struct WriterTag;

// An action on what was matched, and one on nothing.
template <class Action>
auto on_match(Action action) {
  return [action](auto& context) {
    TokenWriter& writer = x3::get<WriterTag>(context).get();
    action(writer, writer.view(x3::_attr(context)));
  };
}
template <class Action>
auto then(Action action) {
  return x3::eps[([action](auto& context) { action(x3::get<WriterTag>(context).get()); })];
}
auto operator_of(Token::Kind kind, ExpressionOp op) {
  return on_match([kind, op](TokenWriter& w, std::string_view part) { w.await(kind, part, op); });
}

constexpr const char *condition_name = "a number, a name or a parenthesis", *operand_name = condition_name;

const x3::rule<class Disjunction> disjunction = condition_name;
const x3::rule<class Conjunction> conjunction = condition_name;
const x3::rule<class Negation> negation = condition_name;
const x3::rule<class Comparison> comparison = condition_name;
const x3::rule<class SumOfTerms> sum = operand_name;
const x3::rule<class ProductOfFactors> product = operand_name;
const x3::rule<class Signed> signed_power = operand_name;
const x3::rule<class Powers> powers = operand_name;
const x3::rule<class Primary> primary = operand_name;
const x3::rule<class Parenthesis> closing = "an operator or )";
const x3::rule<class ArgumentsEnd> arguments_end = "an operator, a comma or )";

const auto letter = x3::ascii::alpha | x3::char_('_');
const auto word_end = !(x3::ascii::alnum | x3::char_('_'));
const auto word = [](const char* text) { return x3::lexeme[x3::lit(text) >> word_end]; };
const auto keyword = word("and") | word("or") | word("not");
const auto digits = +x3::ascii::digit;
const auto number_text = x3::lexeme[((digits >> -(x3::char_('.') >> *x3::ascii::digit)) | (x3::char_('.') >> digits)) >>
                                    -(x3::char_("eE") >> -x3::char_("+-") >> digits)];
const auto name_text = x3::lexeme[letter >> *(x3::ascii::alnum | x3::char_('_'))];

const auto emit = then([](TokenWriter& w) { w.emit(); });
const auto signs = x3::raw[*x3::char_("+-")][on_match([](TokenWriter& w, std::string_view part) { w.signs(part); })];
const auto operation = [](auto what, ExpressionOp op) {
  return x3::raw[what][operator_of(Token::Kind::operation, op)];
};
const auto compares = [](const char* text, ExpressionOp op) {
  return x3::raw[x3::lit(text)][operator_of(Token::Kind::comparison, op)];
};

const auto disjunction_def = conjunction >>
                             *(operation(word("or") | x3::lit("||"), ExpressionOp::either) > conjunction > emit);
const auto conjunction_def = negation >>
                             *(operation(word("and") | x3::lit("&&"), ExpressionOp::both) > negation > emit);
// Every "not" waits, and as many are applied as there were: two of them are none.
const auto negation_def =
    x3::raw[*(word("not") | (x3::lit('!') >> !x3::lit('=')))][on_match([](TokenWriter& w, std::string_view part) {
      const auto count = std::count(part.begin(), part.end(), 't') + std::count(part.begin(), part.end(), '!');
      w.waiting.push_back(
          {Token::Kind::operation, w.place(part), "not", count % 2 != 0 ? ExpressionOp::opposite : ExpressionOp::yes});
    })] > comparison > then([](TokenWriter& w) {
      if (w.waiting.back().op == ExpressionOp::opposite) return w.emit();
      w.waiting.pop_back();
    });
const auto comparison_def = sum >> -((compares("<=", ExpressionOp::at_most) | compares("<", ExpressionOp::below) |
                                      compares(">=", ExpressionOp::at_least) | compares(">", ExpressionOp::above) |
                                      compares("==", ExpressionOp::equal) | compares("!=", ExpressionOp::unequal)) >
                                     sum > emit);
const auto sum_def = product >> *((operation(x3::lit('+'), ExpressionOp::add) |
                                   operation(x3::lit('-'), ExpressionOp::subtract)) > product > emit);
const auto product_def = signed_power >> *((operation(x3::lit('*'), ExpressionOp::multiply) |
                                            operation(x3::lit('/'), ExpressionOp::divide)) > signed_power > emit);
const auto signed_power_def = signs > powers > then([](TokenWriter& w) { w.apply_signs(); });
const auto powers_def = then([](TokenWriter& w) { w.begin_powers(); }) >> primary >>
                        *((x3::lit('^') > signs) > primary) >> then([](TokenWriter& w) { w.apply_powers(); });
const auto closing_def = x3::lit(')');
const auto arguments_end_def = x3::lit(')');
const auto argument = disjunction > then([](TokenWriter& w) { w.argument(); });
const auto primary_def =
    x3::raw[number_text][on_match([](TokenWriter& w, std::string_view part) { w.number(part); })] |
    (!keyword >> x3::raw[name_text][on_match([](TokenWriter& w, std::string_view part) { w.name(part); })] >>
     (((x3::lit('(') >> then([](TokenWriter& w) { w.begin_call(); })) > argument > *(x3::lit(',') > argument) >
       arguments_end > emit) |
      emit)) |
    (x3::lit('(') > disjunction > closing);

BOOST_SPIRIT_DEFINE(disjunction, conjunction, negation, comparison, sum, product, signed_power, powers, primary,
                    closing, arguments_end)

// What stands at a place of the text, for a sentence.
std::string found_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "the text ends";
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t end = at + 1;
  while (is_word(text[at]) && end < text.size() && is_word(text[end])) ++end;
  const std::string_view part = text.substr(at, std::min<std::size_t>(end - at, 40));
  const bool shows = std::all_of(part.begin(), part.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return shows ? fmt::format("found '{}'", part) : "found a character that no expression has";
}

void check_bounds(std::string_view text) {
  if (text.size() > ExpressionLimits::characters)
    throw ExpressionMistake{ExpressionLimits::characters,
                            fmt::format("the text is longer than {} characters; divide it among [quantities]",
                                        ExpressionLimits::characters)};
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' && ++depth > ExpressionLimits::nesting)
      throw ExpressionMistake{i, fmt::format("parentheses are nested deeper than {}", ExpressionLimits::nesting)};
    if (text[i] == ')' && depth > 0) --depth;
  }
}

}  // namespace

std::vector<ExpressionToken> expression_in_postfix(std::string_view text) {
  check_bounds(text);
  TokenWriter writer;
  writer.text = text;
  const char *at = text.data(), *const end = at + text.size();
  const auto place = [&](const char* where) {
    while (where != end && std::isspace(static_cast<unsigned char>(*where)) != 0) ++where;
    return static_cast<std::size_t>(where - text.data());
  };
  try {
    const auto grammar = x3::with<WriterTag>(std::ref(writer))[disjunction];
    x3::phrase_parse(at, end, grammar, x3::ascii::space);
  } catch (const x3::expectation_failure<const char*>& failure) {
    const std::size_t where = place(failure.where());
    throw ExpressionMistake{where, fmt::format("{}, where {} is expected", found_at(text, where), failure.which())};
  }
  if (place(at) < text.size()) {
    const std::size_t where = place(at);
    const bool chained = text[where] == '<' || text[where] == '>';
    throw ExpressionMistake{where, fmt::format("{}, where an operator or the end is expected{}", found_at(text, where),
                                               chained ? "; join comparisons with and" : "")};
  }
  return std::move(writer.tokens);
}

}  // namespace polhode
