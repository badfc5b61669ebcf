// The demonstration: a body set spinning about its intermediate axis turns over again and again. Four methods of very
// different quality integrate it side by side; a table, result files and a figure show what each makes of it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "../polhode/figure.hpp"
#include "polhode/io/csv.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/drive.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode {
namespace {

struct Contestant {
  const char* method;
  const char* remark;
};

constexpr std::array<Contestant, 4> contestants{{
    {"textbook-euler", "velocity, then the quaternion by its rate: what many courses begin with"},
    {"rk4-average", "Runge-Kutta with one rotation by the mean velocity"},
    {"mclachlan-reich-123", "symplectic splitting: energy wavers but does not drift"},
    {"taylor-8", "Lie-Taylor series of order 8"},
}};

// Medians of interleaved rounds, so that a busy machine slows all methods alike.
std::array<double, contestants.size()> nanoseconds_per_step(const Scenario& scenario) {
  constexpr int rounds = 7, steps = 20000;
  const auto prepared = prepare<double>(scenario.setup);
  const double h = prepared.time_in(scenario.run.step);
  std::array<std::vector<double>, contestants.size()> samples;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const auto stepper = make_stepper(parse_method(contestants[i].method), prepared.body, prepared.field);
      stepper->start(prepared.start, h);
      EqualTimes<double> times(prepared.start.t, h, steps);
      const auto before = std::chrono::steady_clock::now();
      drive(*stepper, times);
      const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - before;
      samples[i].push_back(spent.count() / steps);
    }
  }
  std::array<double, contestants.size()> medians{};
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    std::sort(samples[i].begin(), samples[i].end());
    medians[i] = samples[i][rounds / 2];
  }
  return medians;
}

// Passes the rows on to a file, and watches how far the momentum strays on the way.
class Watch : public ResultWriter {
 public:
  explicit Watch(ResultWriter& next) : next_(next) {}

  void begin(const Provenance& about) override { next_.begin(about); }
  void row(std::span<const Number> cells) override {
    next_.row(cells);
    const std::array<double, 3> now{cells[8].value, cells[9].value, cells[10].value};  // L
    if (first_) start_ = now;
    first_ = false;
    momentum_ = larger(momentum_, std::hypot(now[0] - start_[0], now[1] - start_[1], now[2] - start_[2]));
  }
  void end(const Result& result) override { next_.end(result); }
  double momentum() const { return momentum_ / std::hypot(start_[0], start_[1], start_[2]); }

 private:
  ResultWriter& next_;
  std::array<double, 3> start_{};
  bool first_ = true;
  double momentum_ = 0;
};

struct Outcome {
  Result result;
  double momentum_error;  // largest on the way, relative to the momentum
};

Outcome run_to_file(const Scenario& scenario, const std::string& path) {
  CsvFile file(path);
  Watch watch(file);
  const Result result = run(plan(scenario), &watch);
  return {result, watch.momentum()};
}

// The slope of the energy in time with its standard error, both relative to the energy at the start, per second.
std::string drift_text(const Result& result) {
  if (!result.energy_drift) return "-";
  const double scale = result.start.energy.value;
  return fmt::format("{:+.1e} ± {:.0e}", result.energy_drift->rate / scale, result.energy_drift->uncertainty / scale);
}

State<double> end_state(const Result& result) {
  const auto& q = result.end.attitude_wxyz;
  const auto& p = result.end.angular_momentum_body;
  return {
      {q[0].value, {q[1].value, q[2].value, q[3].value}}, {p[0].value, p[1].value, p[2].value}, result.end.time.value};
}

int demonstrate(const std::string& folder) {
  Scenario scenario = read_scenario(POLHODE_SOURCE_DIR "/scenarios/intermediate-axis.toml");
  std::filesystem::create_directories(folder);
  const double duration = *scenario.run.duration;

  const auto exact = cast<double>(propagated<long double>(scenario.setup, scenario.setup.time + duration));
  const auto cost = nanoseconds_per_step(scenario);

  fmt::print(
      "A body with moments 1 : 2 : 3 spins about its intermediate axis and turns over, again and again.\n"
      "{} s in steps of {} s; energy E and momentum L should not change at all.\n\n",
      duration, scenario.run.step);
  fmt::print("{:<21}{:>18}{:>14}{:>16}{:>16}{:>12}   {}\n", "method", "energy drift", "energy error", "momentum error",
             "attitude error", "cost/step", "what it is");
  fmt::print("{:<21}{:>18}{:>14}{:>16}{:>16}\n", "", "of E0 a second", "largest/E0", "largest/|L0|", "at the end");
  std::vector<std::string> files, labels;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    scenario.run.method = contestants[i].method;
    files.push_back(fmt::format("{}/{}.csv", folder, contestants[i].method));
    labels.emplace_back(contestants[i].method);
    const Outcome outcome = run_to_file(scenario, files.back());
    fmt::print("{:<21}{:>18}{:>14.1e}{:>16.1e}{:>12.1e} rad{:>9.0f} ns   {}\n", contestants[i].method,
               drift_text(outcome.result), outcome.result.energy_error_max.value() / outcome.result.start.energy.value,
               outcome.momentum_error, attitude_error(end_state(outcome.result), exact), cost[i],
               contestants[i].remark);
  }

  // The same rows in time from a run that is exact for the eye.
  scenario.run.method = "taylor-12";
  scenario.run.step /= 4;
  scenario.output.every *= 4;
  const std::string exact_file = folder + "/reference.csv";
  run_to_file(scenario, exact_file);

  fmt::print("\nResults: {}/*.csv\n", folder);
  std::fflush(stdout);
  const std::string figure = folder + "/intermediate-axis.png";
  std::vector<std::string> words{"compare"};
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(),
               {"--reference", exact_file, "--title", "A body turning over its intermediate axis", "--labels"});
  words.insert(words.end(), labels.begin(), labels.end());
  words.insert(words.end(), {"-o", figure});
  try {
    check_figure(figure);
    draw(words, figure);
    fmt::print("Figure:  {}\n", figure);
  } catch (const Error& error) {
    fmt::print(stderr, "no figure: {}\n", error.what());
  }
  return 0;
}

}  // namespace
}  // namespace polhode

int main(int argc, char** argv) {
  try {
    return polhode::demonstrate(argc > 1 ? argv[1] : "out/demo");
  } catch (const polhode::Error& error) {
    fmt::print(stderr, "polhode-demo: {}\n", error.what());
    return static_cast<int>(exit_code(error.kind));
  } catch (const std::exception& error) {
    fmt::print(stderr, "polhode-demo: {}\n", error.what());
    return 1;
  }
}
