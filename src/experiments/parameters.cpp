#include "experiments/parameters.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "polhode/core/error.hpp"

namespace polhode::experiments {
namespace {

std::optional<double> number_in(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error no_number(std::string_view key, const std::string& text) {
  return Error(ErrorKind::bad_file, fmt::format("{} = '{}' is not a number; write one like 0.25", key, text));
}

}  // namespace

const std::string& Parameters::text(std::string_view key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  throw Error(ErrorKind::bad_file,
              fmt::format("{} is missing; the quantity '{}' needs it", key, text_or("quantity", "(none)")));
}

double Parameters::number(std::string_view key) const {
  const std::optional<double> value = number_in(text(key));
  if (!value) throw no_number(key, text(key));
  return *value;
}

long long Parameters::count(std::string_view key) const {
  const double value = number(key);
  if (value < 0 || value != std::floor(value) || value > 9e15) {
    throw Error(ErrorKind::bad_file, fmt::format("{} = {} is not a count; write a whole number", key, text(key)));
  }
  return static_cast<long long>(value);
}

std::vector<double> Parameters::numbers(std::string_view key) const {
  std::vector<double> list;
  std::string_view rest = text(key);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::optional<double> value = number_in(rest.substr(0, comma));
    if (!value) throw no_number(key, text(key));
    list.push_back(*value);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
  }
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
