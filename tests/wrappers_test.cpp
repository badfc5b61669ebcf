// What a method says of its work reaches the driver through every wrapper: compositions, energy projection, pulses and
// halving. All counters and all flags, of which Work is the list.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "methods/make_stepper.hpp"
#include "polhode/methods/halving.hpp"

namespace polhode::wrappers_test {
namespace {

// Fails to compile when Work gets a member, so that it is looked for here as well.
struct Members {
  std::vector<long long> counts;
  bool converged;
  double residual, share_reached, step_variable, step_scale;

  explicit Members(const Work& work) {
    const auto& [torque_evaluations, solver_iterations, projections_given_up, own_steps, done, left, share, variable,
                 scale] = work;
    counts = {torque_evaluations, solver_iterations, projections_given_up, own_steps};
    converged = done;
    residual = left;
    share_reached = share;
    step_variable = variable;
    step_scale = scale;
  }
  friend bool operator==(const Members&, const Members&) = default;
};
static_assert(sizeof(Work) == 4 * sizeof(long long) + 4 * sizeof(double) + 8, "four counters, a flag, four numbers");

void count(Work& work, long long times) {
  work.torque_evaluations += 2 * times;
  work.solver_iterations += 3 * times;
  work.projections_given_up += 5 * times;
  work.own_steps += 7 * times;
}

// Turns a free body as it pleases, counts everything, and fails when told to.
struct Diary {
  long long starts = 0, steps = 0;
  std::function<bool(double)> fails = [](double) { return false; };  // of a step of this length
};
class Busy final : public Stepper<double> {
 public:
  explicit Busy(Diary& diary) : diary_(diary) {}

  void start(const State<double>& s, const double&) override {
    state = s;
    work = {};
    count(work, 10);
    ++diary_.starts;
  }
  void step(const double& h) override {
    count(work, 1);
    ++diary_.steps;
    state.t += h;
    if (!diary_.fails(h)) return;
    work.converged = false;
    work.residual = 0.5;
    work.share_reached = 0.25;
    work.step_variable = -0.5;
    work.step_scale = 2;
  }
  void reverse() override {}
  void turn(const Rotation<double>& C) override { state.R_SB = state.R_SB * C; }
  MotionRates<double> rates() const override { return {}; }
  Vec3<double> momentum_S() const override { return spatial_momentum(state); }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<Busy>(*this); }
  void copy_from(const Stepper<double>& other) override {
    state = other.state;
    work = other.work;
  }

 private:
  Diary& diary_;
};

State<double> begin() { return {exp(Vec3<double>{0.1, 0.2, 0.3}), {1, 2, 3}, 0}; }

Work counted(const Diary& diary) {
  Work work;
  count(work, 10 * diary.starts + diary.steps);
  return work;
}
Work failed_work(Work work) {
  work.converged = false;
  work.residual = 0.5;
  work.share_reached = 0.25;
  work.step_variable = -0.5;
  work.step_scale = 2;
  return work;
}

using Make = std::function<std::unique_ptr<Stepper<double>>(Diary&)>;

std::vector<std::pair<const char*, Make>> wrappers() {
  const Body<double> body(Vec3<double>{1, 2, 2.5});
  Pulse<double> pulse;
  pulse.from = 1.25;
  pulse.until = 2.75;
  pulse.torque_S = {0.1, 0, 0};
  const FieldSum<double> pulses({pulse});
  return {
      {"composition",
       [](Diary& diary) {
         return std::make_unique<ComposedStepper<double>>(std::make_unique<Busy>(diary),
                                                          std::vector<double>{0.5, -0.25, 0.75});
       }},
      {"energy projection",
       [body](Diary& diary) {
         return std::make_unique<EnergyStepper<double>>(std::make_unique<Busy>(diary),
                                                        System<double, FieldSum<double>>{body, {}}, 2);
       }},
      {"both",
       [body](Diary& diary) {
         return std::make_unique<EnergyStepper<double>>(
             std::make_unique<ComposedStepper<double>>(std::make_unique<Busy>(diary), std::vector<double>{0.5, 0.5}),
             System<double, FieldSum<double>>{body, {}}, 1);
       }},
      {"pulses", [pulses](Diary& diary) {
         return std::make_unique<PulsedStepper<double>>(
             [&diary](const FieldSum<double>&) { return std::make_unique<Busy>(diary); }, pulses);
       }}};
}

TEST(Wrappers, PassOnEverythingThatIsCounted) {
  for (const auto& [name, make] : wrappers()) {
    Diary diary;
    const auto stepper = make(diary);
    stepper->start(begin(), 0.5);
    for (int n = 0; n < 8; ++n) {
      stepper->step(0.5);
      EXPECT_EQ(Members(stepper->work), Members(counted(diary))) << name << ", step " << n + 1;
    }
    EXPECT_GE(diary.steps, 8);
  }
}

// Also where the method is started again after it failed: the first failure is the one that is told.
TEST(Wrappers, PassOnHowAStepFailed) {
  for (const auto& [name, make] : wrappers()) {
    Diary diary;
    const auto stepper = make(diary);
    stepper->start(begin(), 0.5);
    stepper->step(0.5);
    diary.fails = [&](double) { return true; };
    stepper->step(0.5);
    diary.fails = [](double) { return false; };
    for (int n = 0; n < 6; ++n) {
      EXPECT_EQ(Members(stepper->work), Members(failed_work(counted(diary)))) << name << ", " << n << " steps after";
      stepper->step(0.5);
    }
    EXPECT_TRUE(failed(*stepper));
  }
}

// Of halves both those that were taken and those that were given up.
TEST(Wrappers, HalvingCountsWhatItGaveUp) {
  Diary diary;
  diary.fails = [](double h) { return h > 0.3; };
  Busy busy(diary);
  busy.start(begin(), 1);
  Halving<double> halving(busy);
  for (int n = 0; n < 3; ++n) {
    halving.remember();
    busy.step(1);
    ASSERT_TRUE(halving.retry(1));
    EXPECT_EQ(Members(halving.work()), Members(counted(diary)));
  }
  EXPECT_EQ(diary.steps, 3 * (1 + 2 + 4)) << "a whole, two halves and four quarters";
  diary.fails = [](double) { return true; };
  halving.remember();
  busy.step(1);
  EXPECT_FALSE(halving.retry(1));
  EXPECT_EQ(Members(halving.work()), Members(failed_work(counted(diary))));
}

}  // namespace
}  // namespace polhode::wrappers_test
