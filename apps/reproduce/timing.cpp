#include "timing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "polhode/methods/registry.hpp"

namespace polhode::experiments {
namespace {

constexpr int repetitions = 9;
constexpr int steps_per_sample = 20000;

class Timed {
 public:
  Timed(const Scenario& scenario, const std::string& method)
      : prepared_(prepare<double>(scenario.setup)),
        stepper_(make_stepper<double>(parse_method(method), prepared_.body, prepared_.field)),
        h_(prepared_.time_in(scenario.run.step)) {}

  void take_sample() {
    stepper_->start(prepared_.start, h_);
    const auto begin = std::chrono::steady_clock::now();
    for (int n = 1; n <= steps_per_sample; ++n) {
      stepper_->step(h_);
      stepper_->state.t = prepared_.start.t + n * h_;
    }
    const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - begin;
    samples_.push_back(passed.count() / steps_per_sample);
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
    one.take_sample();
    other.take_sample();
  }
  return one.median() / other.median();
}

}  // namespace polhode::experiments
