#include "torque_time.hpp"

#include <cmath>

#include "polhode/measure/work_precision.hpp"

namespace polhode::bench {
namespace {

Idling now;

double seconds_of_rounds(int count) {
  const double begin = processor_seconds();
  delayed(1, count);
  return processor_seconds() - begin;
}

// The median of many trials of some microseconds, of which an interrupted one is no more than one; in pairs, whose
// difference is free of what reading the clock takes.
double seconds_of_a_round() {
  constexpr int few = 1'000, many = 11'000, trials = 401;
  std::vector<double> each;
  for (int i = 0; i < trials; ++i) {
    const double of_few = seconds_of_rounds(few);
    each.push_back((seconds_of_rounds(many) - of_few) / (many - few));
  }
  return quartiles(each).median;
}

}  // namespace

void let_idle(double seconds) {
  static const double each = seconds_of_a_round();
  now.rounds = static_cast<int>(std::lround(seconds / each));
}

const Idling& idling() { return now; }

std::vector<TorqueCall> torque_calls(const Case& subject, const AnyEquations& equations, double seconds) {
  constexpr int repetitions = 5;
  constexpr double share = 1.0 / 64;
  Case brief = subject;
  brief.duration *= share;
  brief.turned *= share;
  brief.starts.resize(1);
  const Candidates candidates = candidates_for(brief, equations);
  std::vector<std::vector<double>> watched(candidates.size());
  std::vector<long long> counted(candidates.size());
  let_idle(seconds);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Integrator& integrator = *candidates[i].integrator;
      integrator.choose(0, candidates[i].freedom == Freedom::tolerance ? 1e-6 : 8);
      now.watched = &watched[i];
      integrator.integrate();
      now.watched = nullptr;
      counted[i] += integrator.outcome().evaluations;
    }
  }
  let_idle(0);
  std::vector<TorqueCall> calls;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto idled = static_cast<long long>(watched[i].size());
    calls.push_back({candidates[i].name, idled > 0 ? quartiles(watched[i]).median : 0, counted[i] - idled});
  }
  return calls;
}

}  // namespace polhode::bench
