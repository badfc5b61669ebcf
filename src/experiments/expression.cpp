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

mu::Parser parser_of(const std::string& expression) {
  mu::Parser parser;
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

double evaluate(const std::string& expression, const Variables& variables) {
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
    mu::Parser parser = parser_of(expression);
    for (auto& [name, value] : used) parser.DefineVar(name, &value);
    return parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw complaint(expression, error.GetMsg());
  }
}

}  // namespace polhode::experiments
