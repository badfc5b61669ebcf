#include "experiments/timing.hpp"

#include <algorithm>
#include <ctime>
#include <vector>

#include "polhode/methods/registry.hpp"

namespace polhode::experiments {
namespace {

constexpr int repetitions = 25;
constexpr int steps_per_sample = 5000;

// Of this thread alone, so that other work on the machine counts for less. [ns]
double processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

class Timed {
 public:
  Timed(const Scenario& scenario, const std::string& method)
      : prepared_(prepare<double>(scenario.setup)),
        stepper_(make_stepper<double>(parse_method(method), prepared_.body, prepared_.field)),
        h_(prepared_.time_in(scenario.run.step)) {}

  void take_sample() {
    stepper_->start(prepared_.start, h_);
    const double begin = processor_time();
    for (int n = 1; n <= steps_per_sample; ++n) {
      stepper_->step(h_);
      stepper_->state.t = prepared_.start.t + n * h_;
    }
    samples_.push_back((processor_time() - begin) / steps_per_sample);
  }

  double median() {
    std::ranges::nth_element(samples_, samples_.begin() + repetitions / 2);
    return samples_[repetitions / 2];
  }

 private:
  Prepared<double> prepared_;
  std::unique_ptr<Stepper<double>> stepper_;
  double h_;
  std::vector<double> samples_;
};

}  // namespace

double time_per_step(const Parameters& parameters, const Runs& runs) {
  Timed timed(runs.scenario(parameters), parameters.text("method"));
  for (int i = 0; i < repetitions; ++i) timed.take_sample();
  return timed.median();
}

double relative_cost(const Parameters& parameters, const Runs& runs) {
  const Scenario scenario = runs.scenario(parameters);
  Timed one(scenario, parameters.text("method")), other(scenario, parameters.text("against"));
  for (int i = 0; i < repetitions; ++i) {
    Timed& first = i % 2 == 0 ? one : other;  // in turns, or what comes in a rhythm would always hit the same one
    first.take_sample();
    (&first == &one ? other : one).take_sample();
  }
  return one.median() / other.median();
}

}  // namespace polhode::experiments
