// What the names and operators of a text mean, and the programs that come of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "core/expression_grammar.hpp"
#include "core/expression_graph.hpp"
#include "polhode/core/hints.hpp"

namespace polhode {

namespace {

using ParsedOp = ExpressionOp;

struct FunctionEntry {
  std::string_view name;
  std::size_t arguments;
  ParsedOp op;
};

// abs, min, max and if are choices, and have no operation of their own.
constexpr FunctionEntry known_functions[] = {
    {"sin", 1, ParsedOp::sin},    {"cos", 1, ParsedOp::cos},    {"tan", 1, ParsedOp::tan},
    {"asin", 1, ParsedOp::asin},  {"acos", 1, ParsedOp::acos},  {"atan", 1, ParsedOp::atan},
    {"exp", 1, ParsedOp::exp},    {"log", 1, ParsedOp::log},    {"sqrt", 1, ParsedOp::sqrt},
    {"tanh", 1, ParsedOp::tanh},  {"abs", 1, ParsedOp::choose}, {"atan2", 2, ParsedOp::atan2},
    {"min", 2, ParsedOp::choose}, {"max", 2, ParsedOp::choose}, {"if", 3, ParsedOp::choose}};

const quad& pi_as_quad() {
  static const quad pi("3.14159265358979323846264338327950288419716939937510582");
  return pi;
}

bool is_word(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

class ExpressionReader {
  using Graph = ExpressionGraph;
  struct Value {
    Graph::Node node;
    bool is_condition;
    std::size_t at;
  };

 public:
  explicit ExpressionReader(const ExpressionNames& names) : names_(names) {
    if (const std::string wrong = objection(names); !wrong.empty()) throw ExpressionError(1, 1, "", wrong);
  }

  Graph::Node number(std::string_view text) { return read(text, "", false); }
  // 1 where the condition holds and 0 where not.
  Graph::Node condition(std::string_view text) {
    const Graph::Node holds = read(text, "", true);
    return graph_.make(ParsedOp::choose, holds, graph_.constant(1), graph_.constant(0));
  }
  Graph::Node quantity(const std::string& name) {
    if (const auto known = quantities_.find(name); known != quantities_.end()) return known->second;
    const Graph::Node made = read(names_.quantities.at(name), name, false);
    return quantities_[name] = made;
  }
  ExpressionProgram finish(const std::vector<Graph::Node>& outputs) const {
    ExpressionProgram program = graph_.finish(outputs, names_.inputs.size(), names_.functions.size());
    if (program.switches.size() > ExpressionLimits::switches)
      throw ExpressionError(1, 1, "",
                            fmt::format("it has {} switches (if, abs, min, max and comparisons), more than {}",
                                        program.switches.size(), ExpressionLimits::switches));
    return program;
  }

 private:
  Graph::Node read(std::string_view text, const std::string& quantity, bool wants_condition) {
    const std::string outer = std::exchange(quantity_, quantity);
    const std::string_view outer_text = std::exchange(text_, text);
    if (!quantity.empty()) open_.push_back(quantity);
    Graph::Node made = 0;
    try {
      made = compile(expression_in_postfix(text), wants_condition);
    } catch (const ExpressionMistake& mistake) {
      fail(mistake.at, mistake.sentence);
    }
    if (!quantity.empty()) open_.pop_back();
    quantity_ = outer;
    text_ = outer_text;
    return made;
  }

  [[noreturn]] void fail(std::size_t at, const std::string& sentence) const {
    const std::string_view before = text_.substr(0, std::min(at, text_.size()));
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t begin = before.rfind('\n');
    throw ExpressionError(line, begin == before.npos ? before.size() + 1 : before.size() - begin, quantity_, sentence);
  }

  Graph::Node compile(const std::vector<ExpressionToken>& tokens, bool wants_condition) {
    using Kind = ExpressionToken::Kind;
    std::vector<Value> stack;
    const auto pop = [&] {
      const Value value = stack.back();
      stack.pop_back();
      return value;
    };
    for (const ExpressionToken& token : tokens) {
      if (graph_.size() > ExpressionLimits::operations)
        fail(token.at, fmt::format("there are more than {} operations, those of quantities counted",
                                   ExpressionLimits::operations));
      switch (token.kind) {
        case Kind::number:
          if (literals_.insert(token.number).second && literals_.size() > ExpressionLimits::constants)
            fail(token.at, fmt::format("there are more than {} different numbers", ExpressionLimits::constants));
          stack.push_back({graph_.constant(token.number), false, token.at});
          break;
        case Kind::name: stack.push_back({named(token), false, token.at}); break;
        case Kind::power: {
          const Value exponent = pop(), base = pop();
          stack.push_back({graph_.power(need_number(base), need_number(exponent)), false, base.at});
          break;
        }
        case Kind::comparison: {
          const Value right = pop(), left = pop();
          stack.push_back({graph_.compare(token.op, need_number(left), need_number(right)), true, left.at});
          break;
        }
        case Kind::operation: apply(token, stack); break;
        case Kind::call: {
          std::vector<Value> arguments(stack.end() - static_cast<std::ptrdiff_t>(token.arguments), stack.end());
          stack.resize(stack.size() - token.arguments);
          stack.push_back({called(token, arguments), false, token.at});
          break;
        }
      }
    }
    const Value whole = pop();
    return wants_condition ? need_condition(whole) : need_number(whole);
  }

  Graph::Node need_number(const Value& value) const {
    if (value.is_condition)
      fail(value.at, "a condition stands where a number is needed; if(condition, 1, 0) makes one of it");
    return value.node;
  }
  Graph::Node need_condition(const Value& value) const {
    if (!value.is_condition) fail(value.at, "a number stands where a condition such as wz > 0.5 is needed");
    return value.node;
  }

  void apply(const ExpressionToken& token, std::vector<Value>& stack) {
    const Value last = stack.back();
    stack.pop_back();
    if (token.op == ParsedOp::negate) {
      stack.push_back({graph_.make(token.op, need_number(last)), false, last.at});
    } else if (token.op == ParsedOp::opposite) {
      stack.push_back({graph_.make(token.op, need_condition(last)), true, last.at});
    } else {
      const Value first = stack.back();
      stack.pop_back();
      const bool joins = token.op == ParsedOp::both || token.op == ParsedOp::either;
      const auto a = joins ? need_condition(first) : need_number(first);
      const auto b = joins ? need_condition(last) : need_number(last);
      stack.push_back({graph_.make(token.op, a, b), joins, first.at});
    }
  }

  Graph::Node named(const ExpressionToken& token) {
    const std::string name(token.text);
    if (name == "pi") return graph_.constant(pi_as_quad());
    const auto input = std::find(names_.inputs.begin(), names_.inputs.end(), name);
    if (input != names_.inputs.end()) return graph_.input(static_cast<std::size_t>(input - names_.inputs.begin()));
    if (const auto constant = names_.constants.find(name); constant != names_.constants.end())
      return graph_.constant(constant->second);
    if (names_.quantities.contains(name)) {
      if (const auto again = std::find(open_.begin(), open_.end(), name); again != open_.end())
        fail(token.at, fmt::format("quantities need each other in a circle: {} -> {}",
                                   fmt::join(std::vector<std::string>(again, open_.end()), " -> "), name));
      return quantity(name);
    }
    if (is_function(name)) fail(token.at, fmt::format("'{}' is a function: write {}(...)", name, name));
    std::vector<std::string> known = names_.inputs;
    for (const auto& [constant, value] : names_.constants) known.push_back(constant);
    for (const auto& [quantity, text] : names_.quantities) known.push_back(quantity);
    known.push_back("pi");
    fail(token.at, fmt::format("there is no '{}'; {}", name, hint(near_names(name, known), known_list(known))));
  }

  Graph::Node called(const ExpressionToken& token, const std::vector<Value>& arguments) {
    const std::string name(token.text);
    const auto count = [&](std::size_t wanted) {
      if (arguments.size() != wanted)
        fail(token.at, fmt::format("{} takes {} argument{}, and is given {}", name, wanted, wanted == 1 ? "" : "s",
                                   arguments.size()));
    };
    const auto own = std::find(names_.functions.begin(), names_.functions.end(), name);
    if (own != names_.functions.end()) {
      count(1);
      return graph_.call(static_cast<std::size_t>(own - names_.functions.begin()), 0, need_number(arguments[0]));
    }
    for (const FunctionEntry& function : known_functions) {
      if (function.name != name) continue;
      count(function.arguments);
      if (name == "if") {
        const auto holds = need_condition(arguments[0]);
        return graph_.make(ParsedOp::choose, holds, need_number(arguments[1]), need_number(arguments[2]));
      }
      const auto a = need_number(arguments[0]), b = arguments.size() > 1 ? need_number(arguments[1]) : a;
      if (name == "abs")
        return graph_.make(ParsedOp::choose, graph_.make(ParsedOp::below, a), graph_.make(ParsedOp::negate, a), a);
      if (name == "min") return graph_.make(ParsedOp::choose, graph_.compare(ParsedOp::below, b, a), b, a);
      if (name == "max") return graph_.make(ParsedOp::choose, graph_.compare(ParsedOp::below, a, b), b, a);
      return graph_.make(function.op, a, b);
    }
    std::vector<std::string> known(names_.functions);
    for (const FunctionEntry& function : known_functions) known.emplace_back(function.name);
    if (std::find(names_.inputs.begin(), names_.inputs.end(), name) != names_.inputs.end() ||
        names_.constants.contains(name) || names_.quantities.contains(name) || name == "pi")
      fail(token.at, fmt::format("'{}' is no function; for a product write {}*(...)", name, name));
    fail(token.at,
         fmt::format("there is no function '{}'; {}", name, hint(near_names(name, known), known_list(known))));
  }

  bool is_function(const std::string& name) const {
    return std::find(names_.functions.begin(), names_.functions.end(), name) != names_.functions.end() ||
           std::any_of(std::begin(known_functions), std::end(known_functions),
                       [&](const FunctionEntry& f) { return f.name == name; });
  }
  static std::string known_list(const std::vector<std::string>& known) {
    return fmt::format("known: {}", fmt::join(known, ", "));
  }

  const ExpressionNames& names_;
  ExpressionGraph graph_;
  std::map<std::string, Graph::Node> quantities_;
  std::vector<std::string> open_;  // quantities that are being read
  std::set<double> literals_;
  std::string quantity_;
  std::string_view text_;
};

std::string place_in_words(std::size_t line, std::size_t column, const std::string& quantity) {
  return fmt::format("{}{}column {}", quantity.empty() ? "" : fmt::format("quantity {}, ", quantity),
                     line > 1 ? fmt::format("line {}, ", line) : "", column);
}

}  // namespace

ExpressionError::ExpressionError(std::size_t line_, std::size_t column_, std::string quantity_, std::string sentence_)
    : Error(ErrorKind::bad_request, place_in_words(line_, column_, quantity_) + ": " + sentence_),
      line(line_),
      column(column_),
      quantity(std::move(quantity_)),
      sentence(std::move(sentence_)) {}

const std::vector<std::string>& reserved_expression_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"and", "or", "not", "pi"};
    for (const FunctionEntry& function : known_functions) all.emplace_back(function.name);
    return all;
  }();
  return names;
}

std::string objection(const ExpressionNames& names) {
  if (names.constants.size() > ExpressionLimits::constants)
    return fmt::format("there are {} constants, more than {}", names.constants.size(), ExpressionLimits::constants);
  std::set<std::string> taken(reserved_expression_names().begin(), reserved_expression_names().end());
  std::string wrong;
  const auto look = [&](const std::string& name) {
    if (!wrong.empty()) return;
    if (!is_word(name)) {
      wrong = fmt::format("'{}' is no name: a letter, then letters, digits and _", name);
    } else if (!taken.insert(name).second) {
      wrong = fmt::format("the name '{}' is taken; choose another", name);
    }
  };
  for (const std::string& name : names.inputs) look(name);
  for (const auto& [name, value] : names.constants) look(name);
  for (const std::string& name : names.functions) look(name);
  for (const auto& [name, text] : names.quantities) look(name);
  return wrong;
}

ExpressionProgram parse_expression(std::string_view text, const ExpressionNames& names) {
  ExpressionReader reader(names);
  return reader.finish({reader.number(text)});
}

ExpressionProgram parse_expressions(std::span<const std::string> texts, const ExpressionNames& names) {
  ExpressionReader reader(names);
  std::vector<std::uint16_t> outputs;
  for (const std::string& text : texts) outputs.push_back(reader.number(text));
  return reader.finish(outputs);
}

ExpressionProgram parse_condition(std::string_view text, const ExpressionNames& names) {
  ExpressionReader reader(names);
  return reader.finish({reader.condition(text)});
}

ExpressionProgram parse_quantities(const ExpressionNames& names) {
  ExpressionReader reader(names);
  std::vector<std::uint16_t> outputs;
  for (const auto& [name, text] : names.quantities) outputs.push_back(reader.quantity(name));
  return reader.finish(outputs);
}

}  // namespace polhode
