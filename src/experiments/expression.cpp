#include "experiments/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/core/error.hpp"
#include "polhode/core/names.hpp"

namespace polhode::experiments {
namespace {

// muParser's own drop a NaN: what failed would then pass for the rest.
template <class Fold>
double folded(const double* values, int count, const Fold& fold) {
  double result = values[0];
  for (int i = 0; i < count; ++i) {
    if (std::isnan(values[i])) return values[i];
    result = fold(result, values[i]);
  }
  return result;
}

double smallest(const double* values, int count) {
  return folded(values, count, [](double a, double b) { return std::min(a, b); });
}

double largest(const double* values, int count) {
  return folded(values, count, [](double a, double b) { return std::max(a, b); });
}

// How the comparisons of a condition take two sides that are close: as they are, as if it failed there, as if it were met.
enum class Margin { none, demanded, granted };

template <Margin margin>
double margin_of(double a, double b) {
  constexpr double twentieth = 0.05;
  if (margin == Margin::none || (a == std::rint(a) && b == std::rint(b))) return 0;
  return (margin == Margin::demanded ? twentieth : -twentieth) * std::min(std::abs(a), std::abs(b));
}

// muParser does not let single operators of its own be replaced, so all that claims use are given here.
template <Margin margin>
void define_operators(mu::Parser& parser) {
  parser.EnableBuiltInOprt(false);
  const auto define = [&](const char* name, mu::fun_type2 value, unsigned precedence) {
    parser.DefineOprt(name, value, precedence);
  };
  define("||", [](double a, double b) { return a != 0 || b != 0 ? 1.0 : 0.0; }, mu::prLOR);
  define("&&", [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }, mu::prLAND);
  define("<", [](double a, double b) { return a + margin_of<margin>(a, b) < b ? 1.0 : 0.0; }, mu::prCMP);
  define(">", [](double a, double b) { return a - margin_of<margin>(a, b) > b ? 1.0 : 0.0; }, mu::prCMP);
  define("<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }, mu::prCMP);
  define(">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }, mu::prCMP);
  define("==", [](double a, double b) { return a == b ? 1.0 : 0.0; }, mu::prCMP);
  define("!=", [](double a, double b) { return a != b ? 1.0 : 0.0; }, mu::prCMP);
  define("+", [](double a, double b) { return a + b; }, mu::prADD_SUB);
  define("-", [](double a, double b) { return a - b; }, mu::prADD_SUB);
  define("*", [](double a, double b) { return a * b; }, mu::prMUL_DIV);
  define("/", [](double a, double b) { return a / b; }, mu::prMUL_DIV);
  parser.DefineOprt("^", [](double a, double b) { return std::pow(a, b); }, mu::prPOW, mu::oaRIGHT);
}

mu::Parser parser_of(const std::string& expression, Margin margin = Margin::none) {
  mu::Parser parser;
  if (margin == Margin::demanded) define_operators<Margin::demanded>(parser);
  if (margin == Margin::granted) define_operators<Margin::granted>(parser);
  parser.DefineFun("isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; });
  parser.DefineFun("min", smallest);
  parser.DefineFun("max", largest);
  parser.DefineConst("nan", std::numeric_limits<double>::quiet_NaN());
  parser.SetExpr(expression);
  return parser;
}

Error complaint(const std::string& expression, const std::string& what) {
  return Error(ErrorKind::bad_file, fmt::format("'{}': {}", expression, what));
}

}  // namespace

std::vector<std::string> names_in_expression(const std::string& expression) {
  try {
    mu::Parser parser = parser_of(expression);
    std::vector<std::string> names;
    for (const auto& [name, unused] : parser.GetUsedVar()) names.push_back(name);
    return names;
  } catch (const mu::Parser::exception_type& error) {
    throw complaint(expression, error.GetMsg());
  }
}

namespace {

double evaluate(const std::string& expression, const Variables& variables, Margin margin) {
  Variables used;
  for (const std::string& name : names_in_expression(expression)) {
    const auto found = variables.find(name);
    if (found == variables.end()) {
      std::vector<std::string> known;
      for (const auto& [variable, unused] : variables) known.push_back(variable);
      const std::string nearest = nearest_name(name, known);
      throw complaint(expression, fmt::format("no measure gives '{}'{}", name,
                                              nearest.empty() ? "" : fmt::format("; nearest: {}", nearest)));
    }
    used[name] = found->second;
  }
  try {
    mu::Parser parser = parser_of(expression, margin);
    for (auto& [name, value] : used) parser.DefineVar(name, &value);
    return parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw complaint(expression, error.GetMsg());
  }
}

}  // namespace

double evaluate(const std::string& expression, const Variables& variables) {
  return evaluate(expression, variables, Margin::none);
}

Answer decide(const std::string& condition, const Variables& variables) {
  if (evaluate(condition, variables, Margin::demanded) != 0) return Answer::yes;
  return evaluate(condition, variables, Margin::granted) != 0 ? Answer::undecided : Answer::no;
}

}  // namespace polhode::experiments
