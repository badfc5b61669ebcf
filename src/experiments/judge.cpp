#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "experiments/outcome.hpp"
#include "polhode/core/error.hpp"

namespace polhode::experiments {
namespace {

struct Printed {
  double value = 0;
  int decimals = 0;
  bool is_number = false, is_plain = false;  // plain: without an exponent

  // A number rounded to the digits printed, in the way they are printed.
  double rounded(double measured) const {
    double result = 0;
    const std::string text =
        is_plain ? fmt::format("{:.{}f}", measured, decimals) : fmt::format("{:.{}e}", measured, decimals);
    read_number(text, result);
    return result;
  }
};

Printed printed(const std::string& text) {
  Printed number;
  number.is_number = read_number(text, number.value);
  number.is_plain = number.is_number && text.find_first_of("eE") == std::string::npos;
  const std::size_t point = text.find('.');
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  if (point < exponent) number.decimals = static_cast<int>(exponent - point - 1);
  return number;
}

bool within(const Comparison& comparison, double measured, double published) {
  const double off = std::abs(measured - published);
  if (comparison.relative && !(off <= *comparison.relative * std::abs(published))) return false;
  if (comparison.absolute && !(off <= *comparison.absolute)) return false;
  if (comparison.low && !(measured >= *comparison.low)) return false;
  if (comparison.high && !(measured <= *comparison.high)) return false;
  return true;
}

std::string words(const Comparison& comparison) {
  std::vector<std::string> parts;
  if (comparison.relative) parts.push_back(fmt::format("{} %", 100 * *comparison.relative));
  if (comparison.absolute) parts.push_back(fmt::format("{}", *comparison.absolute));
  if (comparison.low) parts.push_back(fmt::format("at least {}", *comparison.low));
  if (comparison.high) parts.push_back(fmt::format("at most {}", *comparison.high));
  return fmt::format("{}: {}", fmt::join(parts, ", "), comparison.reason);
}

const Comparison* comparison_named(const Experiment& experiment, const std::string& name) {
  const auto found = experiment.comparisons.find(name.empty() ? "default" : name);
  if (found != experiment.comparisons.end()) return &found->second;
  if (name.empty()) return nullptr;
  throw Error(ErrorKind::bad_file, fmt::format("{}/published.csv: compare = '{}', but experiment.toml has no "
                                               "[[compare]] of that name",
                                               experiment.folder, name));
}

}  // namespace

std::string readable(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  return fmt::format("{:.6g}", value);
}

void judge(ItemOutcome& item, double measured, const Experiment& experiment, const std::string& comparison) {
  const Printed number = printed(item.published);
  item.value = measured;
  const bool to_the_digit = comparison.empty();
  // As many decimals as printed and three more, so that a last digit that is off can be seen to be near or far.
  item.measured = number.is_plain && std::isfinite(measured) && to_the_digit
                      ? fmt::format("{:.{}f}", measured, number.decimals > 0 ? number.decimals + 3 : 0)
                      : readable(measured);
  if (item.published.empty()) {
    item.verdict = "measured";
    return;
  }
  if (item.published == "failed") {
    item.tolerance = "none up to the limit of the search";
    if (std::isnan(measured)) {
      item.verdict = "reproduced";
      item.measured = "failed";
      return;
    }
  } else if (!number.is_number) {
    throw Error(ErrorKind::bad_file, fmt::format("{}/published.csv: item '{}': '{}' is neither a number nor 'failed'",
                                                 experiment.folder, item.item, item.published));
  } else if (std::isnan(measured)) {
    item.measured = "failed";
  } else {
    const Comparison* wider = comparison_named(experiment, comparison);
    if (to_the_digit) {
      item.tolerance = "the digits printed";
      if (number.rounded(measured) == number.value) {
        item.verdict = "reproduced";
        return;
      }
    }
    if (wider != nullptr) {
      item.tolerance = words(*wider);
      if (within(*wider, measured, number.value)) {
        item.verdict = "within tolerance";
        return;
      }
    }
  }
  const auto explained = experiment.explanations.find(item.item);
  item.verdict = explained == experiment.explanations.end() ? "not reproduced" : explained->second.verdict;
  if (explained != experiment.explanations.end()) item.reason = explained->second.reason;
}

}  // namespace polhode::experiments
