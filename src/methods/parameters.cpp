#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "polhode/core/hints.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

namespace {

std::string range(const ParameterInfo& parameter) {
  return fmt::format("from {} to {}", parameter.lowest, parameter.highest);
}
std::string example(std::string_view method, const ParameterInfo& parameter) {
  return fmt::format("{}:{}={}", method, parameter.name, parameter.standard);
}

std::string names_of(std::span<const ParameterInfo> list) {
  std::string names;
  for (const ParameterInfo& parameter : list) names += fmt::format("{}{}", names.empty() ? "" : ", ", parameter.name);
  return names;
}

[[noreturn]] void refuse_all(std::string_view method, std::string_view name) {
  std::string others;
  for (const MethodInfo& info : methods())
    if (!info.parameters.empty())
      others += fmt::format("{}{} ({})", others.empty() ? "" : ", ", info.name, names_of(info.parameters));
  throw MethodError(fmt::format("{} has no parameters, and '{}' is given; leave it out. Methods with parameters: {}",
                                method, name, others));
}

std::size_t find_parameter(std::string_view method, std::span<const ParameterInfo> list, std::string_view name) {
  if (list.empty()) refuse_all(method, name);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
    names.emplace_back(list[i].name);
  }
  const std::string near = nearest_name(name, names);
  throw MethodError(fmt::format("{} has no parameter '{}'; {}", method, name,
                                near.empty() ? "it has " + names_of(list) : "nearest: " + near));
}

bool within_bounds(const ParameterInfo& parameter, double value) {
  return parameter.lowest <= value && value <= parameter.highest;
}
[[noreturn]] void refuse_value(std::string_view method, const ParameterInfo& parameter, std::string_view value) {
  throw MethodError(fmt::format("{}: {} = {} is out of bounds; it must be {} ({})", method, parameter.name, value,
                                range(parameter), parameter.meaning));
}

// The number that the text begins with; what follows is left. A sign of an exponent is no mark of a suffix.
double read_value(std::string_view method, const ParameterInfo& parameter, std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc::invalid_argument || (!rest.empty() && name_marks.find(rest[0]) == std::string_view::npos))
    throw MethodError(fmt::format("{}: {} = '{}' is not a number; give one {}, e.g. {}", method, parameter.name,
                                  text.substr(0, text.find_first_of(name_marks)), range(parameter),
                                  example(method, parameter)));
  if (error != std::errc{} || !within_bounds(parameter, value))
    refuse_value(method, parameter, text.substr(0, text.size() - rest.size()));
  text = rest;
  return value;
}

}  // namespace

std::vector<double> read_parameters(std::string_view method, std::span<const ParameterInfo> list,
                                    std::string_view& text) {
  std::vector<double> values;
  for (const ParameterInfo& parameter : list) values.push_back(parameter.standard);
  std::vector<bool> given(list.size());
  while (text.starts_with(':')) {
    text.remove_prefix(1);
    const std::string_view name = text.substr(0, std::min(text.find('='), text.find_first_of(name_marks)));
    const std::size_t i = find_parameter(method, list, name);
    text.remove_prefix(name.size());
    if (!text.starts_with('='))
      throw MethodError(fmt::format("{}: {} needs a value, e.g. {}", method, name, example(method, list[i])));
    text.remove_prefix(1);
    if (given[i]) throw MethodError(fmt::format("{}: {} is given twice; give it once", method, name));
    given[i] = true;
    values[i] = read_value(method, list[i], text);
  }
  return values;
}

void check_parameter(const MethodInfo& method, std::string_view parameter, double value) {
  const ParameterInfo& info = method.parameters[find_parameter(method.name, method.parameters, parameter)];
  if (!within_bounds(info, value)) refuse_value(method.name, info, fmt::format("{}", value));
}

std::string written(std::span<const ParameterInfo> list, std::span<const double> values) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (values[i] != list[i].standard) text += fmt::format(":{}={}", list[i].name, values[i]);
  return text;
}

std::string bounds_text(const ParameterInfo& parameter) {
  return fmt::format("{} where it is not given, {}", parameter.standard, range(parameter));
}

}  // namespace polhode
