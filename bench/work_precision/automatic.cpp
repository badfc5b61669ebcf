#include "automatic.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "polhode/problems/reference.hpp"
#include "polhode/run/choose.hpp"

namespace polhode::bench {
namespace {

// Errors in the last quarter of a case, from the problem's own start: at its end alone, a method may be lucky.
class LastQuarter {
 public:
  explicit LastQuarter(const Case& subject) : subject_(subject) { subject_.starts.resize(1); }

  const Case& subject() const { return subject_; }

  double error(const std::string& method, double steps) {
    double worst = 0;
    for (int sixteenth = 12; sixteenth <= 16; ++sixteenth) {
      const double taken = std::round(steps * sixteenth / 16);
      Case part = subject_;
      part.duration = subject_.duration * taken / steps;
      const auto integrator = own_by_name(part, method);
      integrator->choose(0, taken);
      integrator->integrate();
      const Outcome outcome = integrator->outcome();
      const auto off = angle_between(cast<long double>(outcome.attitude), attitude_at(part.duration));
      if (!outcome.finished || !(off < 1)) return HUGE_VAL;
      worst = std::max(worst, static_cast<double>(off));
    }
    return worst;
  }

 private:
  const Rotation<long double>& attitude_at(double time) {
    const auto known = attitudes_.find(time);
    if (known != attitudes_.end()) return known->second;
    const bool at_end = time == subject_.duration;
    return attitudes_.emplace(time, at_end ? subject_.ends[0] : propagated<long double>(subject_.setup, time).R_SB)
        .first->second;
  }

  Case subject_;
  std::map<double, Rotation<long double>> attitudes_;
};

// The fewest steps, of those about a factor 1.2 apart, with which a method comes to an error; none if that takes twice as long
// as it may.
std::optional<double> steps_for(LastQuarter& last_quarter, const std::string& method, double error, double seconds) {
  const auto integrator = own_by_name(last_quarter.subject(), method);
  for (double steps = 4;; steps = steps < 64 ? 4 * std::ceil(1.2 * steps / 4) : 16 * std::ceil(1.2 * steps / 16)) {
    if (steps > 1e7) return std::nullopt;
    integrator->choose(0, steps);
    if (std::min(seconds_of(*integrator, 1), seconds_of(*integrator, 1)) > 2 * seconds) return std::nullopt;
    if (last_quarter.error(method, steps) <= error) return steps;
  }
}

struct Runner {
  std::string name;
  std::unique_ptr<Integrator> integrator;
  double steps;
  long runs = 1;
  std::vector<double> times{};
};

// In turn; the median of each.
void time(std::vector<Runner>& runners) {
  constexpr double least_timing = 1e-3;  // [s]
  constexpr int repetitions = 9;
  for (Runner& runner : runners) {
    runner.integrator->choose(0, runner.steps);
    double once = seconds_of(*runner.integrator, 1);
    while (once * static_cast<double>(runner.runs) < least_timing) {
      runner.runs = std::max(runner.runs + 1, static_cast<long>(1.2 * least_timing / once));
      once = seconds_of(*runner.integrator, runner.runs) / static_cast<double>(runner.runs);
    }
  }
  for (int i = 0; i < repetitions; ++i) {
    for (Runner& runner : runners)
      runner.times.push_back(seconds_of(*runner.integrator, runner.runs) / static_cast<double>(runner.runs));
  }
}

Automatic choice(LastQuarter& last_quarter, const std::vector<Front>& fronts, double tolerance) {
  const Case& subject = last_quarter.subject();
  SelectionRequest request;
  request.setup = subject.setup;
  request.duration = subject.duration;
  request.tolerance = tolerance;
  const Selection selection = choose_method(request);
  Automatic made;
  made.tolerance = tolerance;
  made.method = selection.method.name;
  const double steps = std::round(subject.duration / selection.step);
  made.error = last_quarter.error(made.method, steps);
  std::vector<Runner> runners;
  runners.push_back({made.method, own_by_name(subject, made.method), steps});
  runners[0].integrator->choose(0, steps);
  const double once = std::min(seconds_of(*runners[0].integrator, 1), seconds_of(*runners[0].integrator, 1));
  for (const Front& front : fronts) {
    // Of methods that adapt, the tables tell; here are steps to be found.
    if (front.side != Side::registry || front.freedom == Freedom::tolerance) continue;
    const bool exact = front.freedom == Freedom::none;
    if (const auto needed = exact ? std::optional(1.0) : steps_for(last_quarter, front.name, made.error, once))
      runners.push_back({front.name, own_by_name(subject, front.name), *needed});
  }
  if (runners.size() == 1) return made;
  time(runners);
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

std::vector<Automatic> choices(const Case& subject, const std::vector<Front>& fronts) {
  LastQuarter last_quarter(subject);
  std::vector<Automatic> list;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) list.push_back(choice(last_quarter, fronts, tolerance));
  return list;
}

}  // namespace polhode::bench
