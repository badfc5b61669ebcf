#include "experiments/experiment.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>

namespace polhode::experiments {

std::string_view set_name(Set set) {
  switch (set) {
    case Set::quick: return "quick";
    case Set::standard: return "default";
    case Set::long_: break;
  }
  return "long";
}

namespace {

std::string as_variable(std::string name) {
  for (char& c : name) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fits) c = '_';
  }
  return name;
}

// Each instance once for every value; the variable's name gains the value, or its number.
std::vector<Instance> spread(const std::vector<Instance>& over, const std::string& key,
                             const std::vector<std::string>& values, bool numbered) {
  if (values.empty()) return over;
  std::vector<Instance> more;
  for (const Instance& instance : over) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      more.push_back(instance);
      more.back().variable += '_' + (numbered ? std::to_string(i) : as_variable(values[i]));
      more.back().parameters.set(key, values[i]);
    }
  }
  return more;
}

}  // namespace

std::vector<Instance> instances(const Measure& measure) {
  std::vector<Instance> all{{measure.name, measure.parameters}};
  all = spread(all, "method", measure.methods, false);
  all = spread(all, "step", measure.step_sizes, true);
  return spread(all, "duration", measure.durations, true);
}

std::vector<std::string> row_names(const Experiment& experiment) {
  std::vector<std::string> names;
  if (experiment.published) {
    for (std::size_t row = 0; row < experiment.published->rows.size(); ++row) {
      names.push_back(experiment.published->cell(row, "item"));
    }
  }
  for (const Claim& claim : experiment.claims) names.push_back(claim.id);
  return names;
}

bool names_row(const std::string& pattern, const std::string& row, const std::string& number) {
  const auto fits = [&](const std::string& name) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; };
  return fits(row) || (!number.empty() && fits(row + '.' + number));
}

Tolerance tolerance_of(const Experiment& experiment, const std::string& row, const std::string& number) {
  for (const RowTolerance& stated : experiment.tolerances) {
    const auto names = [&](const std::string& pattern) { return names_row(pattern, row, number); };
    if (std::ranges::any_of(stated.rows, names)) return stated.tolerance;
  }
  return {};
}

std::vector<std::string> experiment_names(const std::string& root) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
    if (std::filesystem::exists(entry.path() / "experiment.toml", error)) names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace polhode::experiments
