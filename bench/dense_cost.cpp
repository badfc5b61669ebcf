// What dense output adds to a run: one state within every step, beside the same steps alone.
//
// Runs with and without take turns, so that a machine that slows down slows both, and a ratio is that of two medians. Before
// anything is timed the states within steps are compared with those of shorter steps.
//
//   dense_cost             the table
//   dense_cost --summary   exit code 1 if a method with an interpolant of its own adds more than 15 %
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "machine.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/dense_output.hpp"

namespace {

using namespace polhode;

constexpr int repetitions = 15;
constexpr double most_added = 0.15, step = 0.02, least_seconds = 0.01;

// A state within every step, and the sum of them that no compiler can leave out.
class OneWithin : public Observer<double> {
 public:
  explicit OneWithin(DenseOutput<double>& dense) : dense_(dense) {}

  bool before_step(const Stepper<double>& stepper, const double& h) { return dense_.before_step(stepper, h); }
  bool after_step(Stepper<double>& stepper, const double& h) {
    const PassedState<double> seen = dense_.passed(stepper.state.t - 0.4 * h);
    sum_ += seen.state.R_SB.w + seen.state.pi_B.x + seen.momentum_S.y;
    return true;
  }
  double sum() const { return sum_; }

 private:
  DenseOutput<double>& dense_;
  double sum_ = 0;
};

struct Case {
  MethodSpec method;
  Prepared<double> prepared;
  bool keeps = false;
  long long steps = 64;

  std::unique_ptr<Stepper<double>> started() const {
    auto stepper = make_stepper(method, prepared.body, prepared.field);
    stepper->start(prepared.start, h());
    return stepper;
  }
  double h() const { return prepared.time_in(step); }
};

template <class Function>
double seconds(const Function& function) {
  const auto begin = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double sink = 0;

double time_alone(const Case& of) {
  const auto stepper = of.started();
  EqualTimes<double> times(of.prepared.start.t, of.h(), of.steps);
  const double time = seconds([&] { drive(*stepper, times); });
  sink += stepper->state.pi_B.x;
  return time / static_cast<double>(of.steps);
}
double time_with(const Case& of) {
  const auto stepper = of.started();
  EqualTimes<double> times(of.prepared.start.t, of.h(), of.steps);
  DenseOutput<double> dense(of.method, of.prepared.field, *stepper);
  OneWithin within(dense);
  const double time = seconds([&] { drive(*stepper, times, within); });
  sink += within.sum();
  return time / static_cast<double>(of.steps);
}

// The largest distance between what is kept and what shorter steps give, over twenty steps.
double premise(const Case& of) {
  const auto kept_stepper = of.started(), stepper = of.started();
  DenseOutput<double> kept(of.method, of.prepared.field, *kept_stepper);
  DenseOutput<double> stepped(of.method, of.prepared.field, *stepper, false);
  EqualTimes<double> times(of.prepared.start.t, of.h(), 20), same = times;
  double largest = 0;
  for (int n = 1; n <= 20; ++n) {
    drive_to(n, *kept_stepper, times, kept);
    drive_to(n, *stepper, same, stepped);
    const State<double> a = kept.after_share(0.6, 0).state, b = stepped.after_share(0.6, 0).state;
    largest = std::max({largest, angle_between(a.R_SB, b.R_SB), norm(a.pi_B - b.pi_B) / norm(b.pi_B)});
  }
  return largest;
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  return times[repetitions / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool summary = argc > 1 && std::string(argv[1]) == "--summary";
  fmt::print("ns per step of {} s, alone and with one state within each; {}\n\n", step, bench::machine_name());
  fmt::print("{:<22} {:<22} {:>8} {:>8} {:>7}  {}\n", "", "", "alone", "with", "adds %", "");
  bool kept_promise = true;
  for (const char* problem : {"free-mclachlan-zanna", "asymmetric-top-tilted"}) {
    for (const MethodInfo& info : methods()) {
      const Setup& setup = find_problem(problem)->setup;
      if (info.space != Space::rotations || (info.claims.needs == Needs::no_torque && !setup.torques.empty())) continue;
      Case of{parse_method(info.name), prepare<double>(setup)};
      of.keeps = of.started()->keep_steps();
      if (summary && !of.keeps) continue;
      if (const double apart = premise(of); !(apart < 1e-2)) {
        fmt::print(stderr, "{}: {} away from shorter steps\n", info.name, apart);
        return 1;
      }
      while (time_alone(of) * static_cast<double>(of.steps) < least_seconds) of.steps *= 2;
      std::vector<double> alone, with;
      for (int i = 0; i < repetitions; ++i) {
        alone.push_back(time_alone(of));
        with.push_back(time_with(of));
      }
      const double added = median(with) / median(alone) - 1;
      const bool missed = of.keeps && added > most_added;
      kept_promise = kept_promise && !missed;
      fmt::print("{:<22} {:<22} {:>8.1f} {:>8.1f} {:>7.1f}  {}{}\n", problem, info.name, 1e9 * median(alone),
                 1e9 * median(with), 100 * added, of.keeps ? "its own interpolant" : "", missed ? ", above 15 %" : "");
    }
  }
  return summary && !kept_promise ? 1 : sink == 0.123 ? 2 : 0;
}
