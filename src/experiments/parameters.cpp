#include "experiments/parameters.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/list_text.hpp"
#include "core/number_text.hpp"
#include "polhode/core/error.hpp"

namespace polhode::experiments {
namespace {

double number_in(std::string_view item, std::string_view key, const std::string& text) {
  double value = 0;
  if (read_number(trimmed(item), value)) return value;
  throw Error(ErrorKind::bad_file, fmt::format("{} = '{}' is not a number; write one like 0.25", key, text));
}

}  // namespace

const std::string& Parameters::text(std::string_view key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  throw Error(ErrorKind::bad_file,
              fmt::format("{} is missing; the quantity '{}' needs it", key, text_or("quantity", "(none)")));
}

double Parameters::number(std::string_view key) const { return number_in(text(key), key, text(key)); }

long long Parameters::count(std::string_view key) const {
  const double value = number(key);
  if (value < 0 || value != std::floor(value) || value > 9e15) {
    throw Error(ErrorKind::bad_file, fmt::format("{} = {} is not a count; write a whole number", key, text(key)));
  }
  return static_cast<long long>(value);
}

std::vector<double> Parameters::numbers(std::string_view key) const {
  std::vector<double> list;
  if (text(key).empty()) return list;
  for (const std::string_view item : comma_separated(text(key))) list.push_back(number_in(item, key, text(key)));
  return list;
}

std::string Parameters::text_or(std::string_view key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

double Parameters::number_or(std::string_view key, double otherwise) const {
  return has(key) ? number(key) : otherwise;
}

std::string Parameters::key(const std::vector<std::string_view>& of) const {
  std::string joined;
  for (const std::string_view name : of) {
    if (has(name)) joined += fmt::format("{}={};", name, text(name));
  }
  return joined;
}

const std::vector<std::string>& parameter_names() {
  static const std::vector<std::string> names{"quantity", "problem", "scenario",  "method",   "step",   "steps",
                                              "duration", "scalar",  "every",     "against",  "column", "against_step",
                                              "accuracy", "limit",   "statistic", "from_row", "value",  "step_sizes"};
  return names;
}

}  // namespace polhode::experiments
