// The time loop: who is asked, in which order, and how it ends.
#include "polhode/run/drive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "polhode/problems/problem.hpp"

namespace polhode::drive_test {
namespace {

using ::testing::ElementsAre;

using Calls = std::vector<std::string>;

class Recorder : public Observer<double> {
 public:
  Recorder(std::string name, Calls& calls) : name_(std::move(name)), calls_(calls) {}

  bool before_step(const Stepper<double>&, const double&) { return note("<", refuse_before); }
  bool after_step(Stepper<double>&, const double&) { return note(">", refuse_after); }

  int refuse_before = 0, refuse_after = 0;  // at the n-th call

 private:
  bool note(const char* when, int& refusal) {
    calls_.push_back(name_ + when);
    return --refusal != 0;
  }
  std::string name_;
  Calls& calls_;
};

class Drive : public ::testing::Test {
 protected:
  Drive() { stepper_->start(prepared_.start, h_); }

  Prepared<double> prepared_ = prepare<double>(find_problem("free-mclachlan-zanna")->setup);
  double h_ = prepared_.time_in(0.1);
  std::unique_ptr<Stepper<double>> stepper_ =
      make_stepper<double>(parse_method("lie-verlet"), prepared_.body, prepared_.field);
  Calls calls_;
};

TEST_F(Drive, AsksEveryObserverBeforeAndAfterEveryStep) {
  Recorder a("a", calls_), b("b", calls_);
  EqualTimes<double> times(prepared_.start.t, h_, 2);
  EXPECT_TRUE(drive(*stepper_, times, a, b));
  EXPECT_THAT(calls_, ElementsAre("a<", "b<", "a>", "b>", "a<", "b<", "a>", "b>"));
  EXPECT_EQ(times.taken(), 2);
  EXPECT_EQ(stepper_->state.t, prepared_.start.t + 2 * h_);
}

TEST_F(Drive, EndsWhereSomebodySaysSo) {
  Recorder a("a", calls_), b("b", calls_);
  a.refuse_before = 2;
  EqualTimes<double> times(prepared_.start.t, h_, 5);
  EXPECT_FALSE(drive(*stepper_, times, a, b));
  EXPECT_THAT(calls_, ElementsAre("a<", "b<", "a>", "b>", "a<"));
  EXPECT_EQ(times.taken(), 1) << "the step was not taken";
  calls_.clear();
  a.refuse_after = 1;
  EXPECT_FALSE(drive(*stepper_, times, a, b));
  EXPECT_THAT(calls_, ElementsAre("a<", "b<", "a>"));
  EXPECT_EQ(times.taken(), 2) << "it was, and those behind hear nothing of it";
}

TEST_F(Drive, GoesOnWhereItEnded) {
  EqualTimes<double> all(prepared_.start.t, h_, 7), parts = all;
  drive(*stepper_, all);
  const State<double> at_once = stepper_->state;
  stepper_->start(prepared_.start, h_);
  EXPECT_TRUE(drive_to(3, *stepper_, parts));
  EXPECT_EQ(parts.taken(), 3);
  EXPECT_TRUE(drive_to(3, *stepper_, parts)) << "nothing to do";
  EXPECT_TRUE(drive(*stepper_, parts));
  EXPECT_EQ(stepper_->state.pi_B, at_once.pi_B);
  EXPECT_EQ(stepper_->state.t, at_once.t);
}

// Steps that do not add up to their sum in double: the sum of a million steps of 0.1 s is off by 1e-6 s.
TEST_F(Drive, TimesAreCountedAndNotAdded) {
  Steps steps;
  steps.count = 1000000;
  steps.size = 0.1;
  StepTimes<double> times(steps, prepared_);
  while (times.taken() < times.count()) times.advance();
  EXPECT_EQ(times.time(), prepared_.start.t + 1e6 * h_);
}

}  // namespace
}  // namespace polhode::drive_test
