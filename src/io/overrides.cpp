// Values that take the place of the scenario's, as a flag's do.
#include <fmt/format.h>

#include <charconv>
#include <functional>

#include "core/list_text.hpp"
#include "core/number_text.hpp"
#include "io/scenario_checks.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {
namespace {

constexpr std::string_view listed_times_wanted = "times in seconds with commas between them, such as 0.5,1,2.5";

double to_number(const std::string& text, std::string_view wanted) {
  double value = 0;
  if (read_number(text, value)) return value;
  throw std::invalid_argument(fmt::format("'{}' is not a number; give {}", text, wanted));
}

long long to_count(const std::string& text, std::string_view wanted) {
  const double value = to_number(text, wanted);
  if (is_count(value)) return static_cast<long long>(value);
  throw std::invalid_argument(fmt::format("{} {}; give {}", text, why_no_count(value), wanted));
}

unsigned long long to_seed(const std::string& text) {
  unsigned long long seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error == std::errc() && end == text.data() + text.size()) return seed;
  throw std::invalid_argument(fmt::format("'{}' is no seed; give {}", text, seed_wanted));
}

EnsembleSettings& ensemble_of(Scenario& scenario) {
  return scenario.ensemble ? *scenario.ensemble : scenario.ensemble.emplace();
}

std::vector<std::string> split(std::string_view text) {
  const std::vector<std::string_view> parts = comma_separated(text);
  return {parts.begin(), parts.end()};
}

std::string some(const std::string& text, std::string_view what) {
  if (text.empty()) throw std::invalid_argument(fmt::format("is empty; give {}", what));
  return text;
}

std::vector<double> to_times(const std::string& text) {
  std::vector<double> times;
  for (const std::string& time : split(text)) times.push_back(to_number(time, listed_times_wanted));
  return times;
}

using Setter = std::function<void(Scenario&, const std::string&)>;

const std::map<std::string, Setter, std::less<>>& setters() {
  static const std::map<std::string, Setter, std::less<>> all{
      {"run.method",
       [](Scenario& s, const std::string& v) {
         s.run.method = some(v, "the name of a method");
         s.run.parameters.clear();  // they are those of the method that is replaced
       }},
      {"run.step",
       [](Scenario& s, const std::string& v) {
         s.run.step = to_number(v, step_wanted);
         s.run.step_file.clear();
       }},
      {"run.step_file",
       [](Scenario& s, const std::string& v) {
         s.run.step_file = some(v, "the name of a file");
         s.run.steps.reset();
         s.run.duration.reset();
       }},
      {"run.steps",
       [](Scenario& s, const std::string& v) {
         s.run.steps = to_count(v, steps_wanted);
         s.run.duration.reset();
       }},
      {"run.duration",
       [](Scenario& s, const std::string& v) {
         s.run.duration = to_number(v, duration_wanted);
         s.run.steps.reset();
       }},
      {"run.scalar", [](Scenario& s, const std::string& v) { s.run.scalar = parse_scalar(v); }},
      {"run.on_failure", [](Scenario& s, const std::string& v) { s.run.on_failure = parse_on_failure(v); }},
      {"run.tolerance", [](Scenario& s, const std::string& v) { s.run.tolerance = to_number(v, tolerance_wanted); }},
      {"run.goal", [](Scenario& s, const std::string& v) { s.run.goal = parse_goal(v); }},
      {"run.step_scale", [](Scenario& s, const std::string& v) { s.run.step_scale = some(v, step_scale_wanted); }},
      {"run.stop_when", [](Scenario& s, const std::string& v) { s.run.stop_when = some(v, stop_when_wanted); }},
      {"run.max_steps", [](Scenario& s, const std::string& v) { s.run.max_steps = to_count(v, max_steps_wanted); }},
      {"run.max_time", [](Scenario& s, const std::string& v) { s.run.max_time = to_number(v, max_time_wanted); }},
      {"run.sensitivities",
       [](Scenario& s, const std::string& v) { s.run.sensitivities = split(some(v, sensitivities_wanted)); }},
      {"run.monodromy", [](Scenario& s, const std::string& v) { s.run.monodromy = v == "true"; }},
      {"run.lyapunov", [](Scenario& s, const std::string& v) { s.run.lyapunov = v == "true"; }},
      {"run.reference", [](Scenario& s, const std::string&) { s.run.reference = true; }},
      {"ensemble.bodies",
       [](Scenario& s, const std::string& v) { ensemble_of(s).bodies = to_count(v, bodies_wanted); }},
      {"ensemble.seed", [](Scenario& s, const std::string& v) { ensemble_of(s).seed = to_seed(v); }},
      {"ensemble.snapshots", [](Scenario& s, const std::string& v) { ensemble_of(s).snapshots = to_times(v); }},
      {"output.file", [](Scenario& s, const std::string& v) { s.output.file = some(v, "the name of a .csv file"); }},
      {"output.every",
       [](Scenario& s, const std::string& v) {
         s.output.every = to_count(v, every_wanted);
         s.output.times.clear();
         s.output.times_file.clear();
       }},
      {"output.times",
       [](Scenario& s, const std::string& v) {
         s.output.times = to_times(v);
         s.output.times_file.clear();
       }},
      {"output.times_file",
       [](Scenario& s, const std::string& v) {
         s.output.times_file = some(v, "the name of a file with one time per line");
         s.output.times.clear();
       }},
      {"output.columns", [](Scenario& s, const std::string& v) {
         ChosenColumns chosen = parse_columns(split(v), names_of(s.quantities));
         choose(s.output, s.quantities, std::move(chosen));
       }}};
  return all;
}

}  // namespace

void override_key(Scenario& scenario, std::string_view key, std::string_view given_as, const std::string& value) {
  scenario.origins[std::string(key)] = Origin{0, std::string(given_as)};
  try {
    setters().find(key)->second(scenario, value);
    check_settings(scenario);
  } catch (const SetupError& error) {
    throw located(scenario, error);
  } catch (const std::invalid_argument& error) {
    throw located(scenario, SetupError(std::string(key), error.what()));
  }
  // The file on disk no longer says what is run. Where rows go does not change them, and neither does a reference.
  if (key != "output.file" && key != "run.reference") scenario.text = to_toml(scenario);
}

}  // namespace polhode
