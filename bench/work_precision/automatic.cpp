#include "automatic.hpp"

#include <algorithm>
#include <cmath>

#include "polhode/io/choose.hpp"

namespace polhode::bench {
namespace {

constexpr double rivals_within = 1.5;  // of the least cost, as it was measured: these are timed again, beside auto

// Steps with which a method reaches an error, between those that were tried.
std::optional<double> steps_for(const Front& front, double error) {
  std::vector<WorkPoint> points;
  for (const Rung& rung : front.rungs) points.push_back({rung.error, rung.setting});
  if (!points.empty() && points.front().error <= error) return points.front().cost;
  const std::optional<double> steps = cost_at(points, error);
  return steps ? std::optional(std::ceil(*steps)) : std::nullopt;
}

struct Runner {
  std::string name;
  std::unique_ptr<Integrator> integrator;
  double steps;
  long runs = 1;
  std::vector<double> times{};
};

// In turn; the median of each.
void time(std::vector<Runner>& runners, const Effort& effort) {
  for (Runner& runner : runners) {
    runner.integrator->choose(0, runner.steps);
    double once = seconds_of(*runner.integrator, 1);
    while (once * static_cast<double>(runner.runs) < effort.least_timing) {
      runner.runs = std::max(runner.runs + 1, static_cast<long>(1.2 * effort.least_timing / once));
      once = seconds_of(*runner.integrator, runner.runs) / static_cast<double>(runner.runs);
    }
  }
  for (int i = 0; i < effort.repetitions; ++i) {
    for (Runner& runner : runners)
      runner.times.push_back(seconds_of(*runner.integrator, runner.runs) / static_cast<double>(runner.runs));
  }
}

Automatic choice(const Case& subject, const std::vector<Front>& fronts, const Effort& effort, double tolerance) {
  SelectionRequest request;
  request.setup = subject.setup;
  request.duration = subject.duration;
  request.tolerance = tolerance;
  const Selection selection = choose_method(request);
  Automatic made;
  made.tolerance = tolerance;
  made.method = selection.method.name;
  std::vector<Runner> runners;
  runners.push_back({made.method, own_by_name(subject, made.method), std::round(subject.duration / selection.step)});
  runners[0].integrator->choose(0, runners[0].steps);
  runners[0].integrator->integrate();
  const Outcome outcome = runners[0].integrator->outcome();
  made.error = static_cast<double>(angle_between(cast<long double>(outcome.attitude), subject.ends[0]));

  const auto cost = [&](const Front& front) {
    const bool listed = front.side == Side::registry;
    return listed ? front.cost(made.error, Look::nominal, Currency::units).value_or(HUGE_VAL) : HUGE_VAL;
  };
  double least = HUGE_VAL;
  for (const Front& front : fronts) least = std::min(least, cost(front));
  for (const Front& front : fronts) {
    if (!(cost(front) < rivals_within * least)) continue;
    if (const std::optional<double> steps = steps_for(front, made.error))
      runners.push_back({front.name, own_by_name(subject, front.name), *steps});
  }
  if (runners.size() == 1) return made;
  time(runners, effort);
  const double ours = quartiles(runners[0].times).median;
  for (std::size_t i = 1; i < runners.size(); ++i) {
    const double ratio = ours / quartiles(runners[i].times).median;
    if (ratio <= made.ratio) continue;
    made.ratio = ratio;
    made.best = runners[i].name;
  }
  return made;
}

}  // namespace

std::vector<Automatic> choices(const Case& subject, const std::vector<Front>& fronts, const Effort& effort) {
  std::vector<Automatic> list;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) list.push_back(choice(subject, fronts, effort, tolerance));
  return list;
}

}  // namespace polhode::bench
