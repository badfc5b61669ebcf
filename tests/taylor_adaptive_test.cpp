// Taylor series with order and step from a tolerance: what a step and a run err by against what was asked for, how steps
// are chosen, and that nothing is allocated.
#include "polhode/methods/taylor_adaptive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "count_allocations.hpp"
#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode::test::taylor_adaptive_test {
namespace {

// The problems: a body without torque, a heavy top by the recursion of its own, and fields on growing series, one of time
// and one with a wall, past which neighbours part.
const auto no_torque = [](auto) { return Free{}; };
const auto gravity = []<class T>(T) { return tilted_gravity<T>(0.5); };
const auto gradient = []<class T>(T) {
  GravityGradient<T> field;
  field.mean_motion = T(0.5);
  field.acts_on(three_moments<T>());
  return field;
};
const auto wall = []<class T>(T) { return Coulomb<T>{}; };

template <class Check>
void on_every_problem(Check check) {
  check("free", no_torque, 20.0);
  check("heavy top", gravity, 20.0);
  check("gravity gradient", gradient, 20.0);
  check("wall", wall, 5.0);
}

struct Motion {
  State<double> end;
  Work work;
  double momentum_change = 0;  // along e_3
};

template <class F>
Motion run(const System<double, F>& system, const State<double>& from, double tolerance, double duration,
           int calls = 1) {
  Motion made{from, {}};
  auto memory = start<TaylorAdaptive>(system, from, duration, made.work);
  memory.tolerance = tolerance;
  const double along = memory.momentum_S.z, h = duration / calls;
  for (int n = 0; n < calls; ++n) {
    made.end = advance<TaylorAdaptive>(system, made.end, memory, h, made.work);
    made.momentum_change = worse(made.momentum_change, std::abs(memory.momentum_S.z - along));
  }
  EXPECT_TRUE(made.work.converged);
  return made;
}

// By another method: the Lie series of fixed order in a wider scalar.
template <class Make>
State<long double> reference(const Make& make, const State<double>& from, double duration, int steps) {
  using Real = long double;
  Work work;
  const System system{three_moments<Real>(), make(Real(0))};
  return integrate<Taylor<12>>(system, cast<Real>(from), Real(duration) / steps, steps, work);
}

double off(const State<double>& s, const State<long double>& exact) {
  return static_cast<double>(attitude_error(cast<long double>(s), exact));
}

State<double> random_state(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto next = [&] { return normal(random); };
  const double w = next(), x = next(), y = next(), z = next(), a = next(), b = next(), c = next();
  return {normalised(Rotation<double>{w, {x, y, z}}), three_moments().momentum({a, b, c}), 0};
}

// The longest step that is taken at once, found by halving, errs by no more than the tolerance; nor is it far too short.
TEST(TaylorAdaptive, EveryOwnStepIsWithinTheTolerance) {
  on_every_problem([](const char* name, const auto& make, double) {
    const System system{three_moments(), make(0.0)};
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      std::mt19937 random(1);
      double largest = 0;
      for (int i = 0; i < 20; ++i) {
        const State<double> from = random_state(random);
        double once = 1e-8, twice = 50;
        while (twice > 1.001 * once) {
          const double h = std::sqrt(once * twice);
          (run(system, from, tolerance, h).work.own_steps == 1 ? once : twice) = h;
        }
        const double error = off(run(system, from, tolerance, once).end, reference(make, from, once, 24));
        EXPECT_LT(error, tolerance) << name << ", step " << once;
        largest = larger(largest, error);
      }
      EXPECT_GT(largest, tolerance / 100) << name;
    }
  });
}

// What a small error at the start has grown to at the end: in attitude, and in velocity.
struct Amplification {
  double of_attitude = 1, of_velocity = 1;
};
template <class F>
Amplification amplification(const System<double, F>& system, const State<double>& from, double duration) {
  const double small = 1e-7;
  const Motion plain_run = run(system, from, 1e-15, duration);
  Amplification found;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3<double> change{};
    change[i] = small;
    const auto growth = [&](const State<double>& near) {
      return angle_between(run(system, near, 1e-15, duration).end.R_SB, plain_run.end.R_SB) / small;
    };
    State<double> turned = from, pushed = from;
    turned.R_SB = from.R_SB * exp(change);
    pushed.pi_B += system.body.momentum(change);
    found.of_attitude = larger(found.of_attitude, growth(turned));
    found.of_velocity = larger(found.of_velocity, growth(pushed));
  }
  return found;
}

// Own steps times tolerance, times what the motion makes of it. The velocity at the end of a step of length h is off by as
// much as the slope of the last term, (p + 1)/h times the attitude's share.
TEST(TaylorAdaptive, ARunErrsByItsStepsTimesTheTolerance) {
  on_every_problem([](const char* name, const auto& make, double duration) {
    const System system{three_moments(), make(0.0)};
    const State<double> from = start_state();
    const State<long double> exact = reference(make, from, duration, 4000);
    const auto [of_attitude, of_velocity] = amplification(system, from, duration);
    std::vector<double> errors;
    long long last_orders = 0;
    for (double tolerance = 1e-4; tolerance > 5e-16; tolerance /= 10) {
      const Motion one = run(system, from, tolerance, duration);
      const auto steps = static_cast<double>(one.work.own_steps);
      const auto order = TaylorAdaptive::order_for(tolerance);
      const double factor = of_attitude + of_velocity * static_cast<double>(order + 1) / (duration / steps);
      errors.push_back(off(one.end, exact));
      // Rounding: a few of the last digit in every step.
      EXPECT_LT(errors.back(), steps * factor * (tolerance + 4 * epsilon<double>())) << name << ", " << tolerance;
      // A smaller tolerance takes more work: more orders, or more steps of the same.
      const long long orders = one.work.own_steps * static_cast<long long>(order);
      EXPECT_GT(orders, last_orders) << name << ", " << tolerance;
      last_orders = orders;
    }
    // From 1e-4 to 1e-12, by seven powers of ten of eight at least.
    EXPECT_LT(errors[8], 1e-7 * errors[0]) << name;
  });
}

// With another reference yet: 50 digits, from the cache.
TEST(TaylorAdaptive, KnowsWhereTheProblemsGo) {
  for (const char* name : {"free-mclachlan-zanna", "asymmetric-top-tilted", "coulomb-described", "stress-test"}) {
    const Problem& problem = *find_problem(name);
    const double duration = std::min(problem.reference_duration, 10.0);
    const auto prepared = prepare<double>(problem.setup);
    const auto expected = reference_at(problem, duration);
    ASSERT_TRUE(expected);
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      const auto stepper = make_stepper(parse_method("taylor-adaptive"), prepared.body, prepared.field);
      stepper->set_tolerance(tolerance);
      stepper->start(prepared.start, prepared.time_in(duration));
      stepper->step(prepared.time_in(duration));
      ASSERT_TRUE(stepper->work.converged);
      const double error = off(prepared.in_user_units(stepper->state), expected->state);
      // The wall takes an error up by three powers of ten; the others by much less.
      EXPECT_LT(error, 1e3 * tolerance * static_cast<double>(stepper->work.own_steps)) << name << ", " << tolerance;
    }
  }
}

TEST(TaylorAdaptive, OrderFollowsFromTheTolerance) {
  EXPECT_EQ(TaylorAdaptive::order_for(1e-4), 8U);
  EXPECT_EQ(TaylorAdaptive::order_for(1e-8), 13U);
  EXPECT_EQ(TaylorAdaptive::order_for(1e-15), 20U);
  EXPECT_EQ(TaylorAdaptive::order_for(0.0), 20U) << "no less than rounding";
  EXPECT_EQ(TaylorAdaptive::order_for(10.0), 3U);
  const System top = tilted_top();
  const Motion one = run(top, start_state(), 1e-8, 20);
  EXPECT_EQ(one.work.torque_evaluations, 13 * one.work.own_steps);
}

// Steps of the same order are longer for a larger tolerance, and their number falls.
TEST(TaylorAdaptive, StepsOfOneOrderGrowWithTheTolerance) {
  on_every_problem([](const char* name, const auto& make, double duration) {
    const System system{three_moments(), make(0.0)};
    const auto steps = [&](double tolerance) {
      EXPECT_EQ(TaylorAdaptive::order_for(tolerance), 20U);
      return run(system, start_state(), tolerance, 4 * duration).work.own_steps;
    };
    EXPECT_LT(steps(1e-14), steps(1e-15)) << name;
    EXPECT_LE(steps(1e-15), steps(3e-16)) << name;
  });
}

// Records when it is asked: where the own steps begin.
struct Recording {
  HeavyTop<double> top = tilted_gravity(0.5);
  std::vector<double>* times;

  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    if constexpr (requires { t.coefficient(0); }) {
      if (times->empty() || times->back() != t.coefficient(0)) times->push_back(t.coefficient(0));
    }
    return top.torque(R_SB, t);
  }
};

TEST(TaylorAdaptive, CoversTheStepWithoutATinyRest) {
  for (const double sign : {1.0, -1.0}) {
    for (double duration = 1; duration < 10; duration *= 1.07) {
      std::vector<double> times;
      const System system{three_moments(), Recording{.times = &times}};
      const Motion one = run(system, start_state(), 1e-9, sign * duration);
      EXPECT_EQ(one.end.t, sign * duration);
      times.push_back(one.end.t);
      ASSERT_EQ(static_cast<long long>(times.size()), one.work.own_steps + 1);
      double shortest = duration, longest = 0;
      for (std::size_t i = 1; i < times.size(); ++i) {
        const double h = sign * (times[i] - times[i - 1]);
        shortest = smaller(shortest, h);
        longest = larger(longest, h);
      }
      // The last is half of what a step could be at least, and along this motion that varies by less than two.
      EXPECT_GT(shortest, longest / 4) << duration;
    }
  }
}

TEST(TaylorAdaptive, GoesBackTheWayItCame) {
  on_every_problem([](const char* name, const auto& make, double duration) {
    const System system{three_moments(), make(0.0)};
    const State<double> from = start_state();
    const Motion there = run(system, from, 1e-15, duration), back = run(system, there.end, 1e-15, -duration);
    const auto [of_attitude, of_velocity] = amplification(system, from, duration);
    const auto steps = static_cast<double>(there.work.own_steps);
    EXPECT_LT(angle_between(back.end.R_SB, from.R_SB),
              2 * steps * (of_attitude + of_velocity * 21 / (duration / steps)) * 2e-15)
        << name;
    EXPECT_NEAR(back.end.t, 0, 1e-14) << name;
  });
}

TEST(TaylorAdaptive, OneLongCallIsManyShortOnes) {
  on_every_problem([](const char* name, const auto& make, double duration) {
    const System system{three_moments(), make(0.0)};
    const State<double> from = start_state();
    const auto [of_attitude, of_velocity] = amplification(system, from, duration);
    for (const double tolerance : {1e-6, 1e-12}) {
      const Motion one = run(system, from, tolerance, duration), many = run(system, from, tolerance, duration, 300);
      const auto steps = static_cast<double>(many.work.own_steps);
      EXPECT_GE(steps, 300) << name;
      const double factor = of_attitude + of_velocity * 21 / (duration / steps);
      EXPECT_LT(angle_between(one.end.R_SB, many.end.R_SB), steps * factor * (tolerance + 1e-15)) << name;
    }
  });
}

// Along the axis of the field, in space, whatever the tolerance: for the recursion of its own and on growing series. A
// free body's momentum does not change in the last bit.
TEST(TaylorAdaptive, MomentumIsKeptAtAnyTolerance) {
  for (const double tolerance : {1e-2, 1e-6, 1e-15}) {
    const auto change = [&](const auto& make) {
      return run(System{three_moments(), make(0.0)}, start_state(), tolerance, 100, 1000).momentum_change;
    };
    EXPECT_EQ(change(no_torque), 0) << tolerance;
    EXPECT_LT(change(gravity), 1e-13) << tolerance;
    EXPECT_LT(change([]<class T>(T) {
                return field_from(
                    [](const auto& R_SB, const auto& t) { return tilted_gravity<double>(0.5).torque(R_SB, t); });
              }),
              1e-13)
        << tolerance;
  }
}

// The recursion for a heavy top is that of growing series, up to rounding; in every scalar.
template <class T>
void expect_same_motion(const T& bound) {
  const System own = tilted_top<T>();
  const System grown{
      own.body, field_from([field = own.field](const auto& R_SB, const auto& t) { return field.torque(R_SB, t); })};
  Work work;
  const auto one = integrate<TaylorAdaptive>(own, start_state<T>(), T(5), 1, work);
  const auto other = integrate<TaylorAdaptive>(grown, start_state<T>(), T(5), 1, work);
  EXPECT_TRUE(work.converged);
  EXPECT_LT(attitude_error(one, other), bound);
  EXPECT_LT(momentum_error(one, other), bound);
}

TEST(TaylorAdaptive, AHeavyTopIsAFieldLikeOthers) {
  expect_same_motion<float>(1e-4F);
  expect_same_motion<double>(1e-13);
  expect_same_motion<long double>(1e-16L);
  expect_same_motion<quad>(quad(1e-30));
}

// The same of the Taylor methods with a fixed order, wherever the field points; and of the work of the weight. `unit` is
// the rounding of a step, all numbers being of order one.
template <std::size_t N, class T>
void expect_same_steps(double unit) {
  for (const Vec3<double>& up : {Vec3<double>{0.36, 0.48, 0.8}, {0.48, -0.8, 0.36}, {-0.8, 0.36, 0.48}}) {
    const HeavyTop<T> field{T(0.7), {T(0.6), T(0), T(0.8)}, cast<T>(up)};
    const System own{three_moments<T>(), field};
    const System other{own.body,
                       field_from([field](const auto& R_SB, const auto& t) { return field.torque(R_SB, t); })};
    Work work, work_of_other;
    State<T> s = start_state<T>(), s_of_other = s;
    const T h(0.25);
    auto memory = start<Taylor<N>>(own, s, h, work);
    auto memory_of_other = start<Taylor<N>>(other, s, h, work_of_other);
    for (int n = 0; n < 20; ++n) {
      s = advance<Taylor<N>>(own, s, memory, h, work);
      s_of_other = advance<Taylor<N>>(other, s_of_other, memory_of_other, h, work_of_other);
      EXPECT_LT(attitude_error(s, s_of_other), T(100 * unit)) << N;
      EXPECT_LT(momentum_error(s, s_of_other), T(100 * unit)) << N;
      EXPECT_LT(abs(T(memory.work_of_torque - memory_of_other.work_of_torque)), T(10 * unit)) << N;
    }
    EXPECT_EQ(work.torque_evaluations, work_of_other.torque_evaluations);
  }
}
template <std::size_t N>
void expect_same_steps() {
  expect_same_steps<N, float>(1e-6);
  expect_same_steps<N, double>(1e-15);
  expect_same_steps<N, long double>(1e-18);
}

TEST(Taylor, AHeavyTopIsAFieldLikeOthers) {
  expect_same_steps<5>();
  expect_same_steps<8>();
  expect_same_steps<9>();
  expect_same_steps<12>();
}

TEST(TaylorAdaptive, QuadAgreesWithTheLieSeriesInQuad) {
  Work work;
  const auto one = integrate<TaylorAdaptive>(tilted_top<quad>(), start_state<quad>(), quad(2), 1, work);
  const auto other = integrate<Taylor<12>>(tilted_top<quad>(), start_state<quad>(), quad(2) / 1000, 1000, work);
  EXPECT_LT(attitude_error(one, other), quad(1e-29));
  EXPECT_LT(momentum_error(one, other), quad(1e-29));
}

// Values-only fields and orders without end are not for it: it says so and leaves the state as it is.
TEST(TaylorAdaptive, GivesUpWhereThereIsNoSeries) {
  const auto expect_given_up = [](const auto& field, const State<double>& from) {
    const System system{three_moments(), field};
    Work work;
    auto memory = start<TaylorAdaptive>(system, from, 1.0, work);
    const Vec3<double> momentum_S = memory.momentum_S;
    const State<double> end = advance<TaylorAdaptive>(system, from, memory, 1.0, work);
    EXPECT_FALSE(work.converged);
    EXPECT_EQ(end.R_SB, from.R_SB);
    EXPECT_EQ(memory.momentum_S, momentum_S);
  };
  // At the tip of a cone there is no torque.
  State<double> at_tip = start_state();
  at_tip.R_SB = {};
  expect_given_up(StressTest<double>{0.3, {1, 0, 1}}, at_tip);
}

// A torque of more operations than the tape has rows is a torque like others: here 1024 equal terms, and their sum.
template <class Method>
void expect_any_length() {
  static_assert(SeriesTape<double>::size < 1024);
  const auto by_terms = field_from([](const auto& R_SB, const auto& t) {
    auto sum = R_SB.v.x;
    for (int i = 0; i < 1024; ++i) sum = sum + 0x1p-10 * R_SB.v.y;
    return Vec3<std::decay_t<decltype(t)>>{sum, sum, sum};
  });
  const auto at_once = field_from([](const auto& R_SB, const auto& t) {
    const auto sum = R_SB.v.x + R_SB.v.y;
    return Vec3<std::decay_t<decltype(t)>>{sum, sum, sum};
  });
  Work work;
  const auto one = integrate<Method>(System{three_moments(), by_terms}, start_state(), 0.3, 3, work);
  const auto other = integrate<Method>(System{three_moments(), at_once}, start_state(), 0.3, 3, work);
  EXPECT_TRUE(work.converged);
  EXPECT_LT(attitude_error(one, other), 1e-13);
  EXPECT_LT(momentum_error(one, other), 1e-13);
}

TEST(TaylorAdaptive, TakesTorquesOfAnyLength) {
  expect_any_length<TaylorAdaptive>();
  expect_any_length<Taylor<12>>();
}

TEST(TaylorAdaptive, AllocatesNothing) {
  on_every_problem([](const char* name, const auto& make, double duration) {
    const System system{three_moments(), make(0.0)};
    run(system, start_state(), 1e-12, duration);
    const long long before = allocations;
    run(system, start_state(), 1e-12, duration, 10);
    EXPECT_EQ(allocations, before) << name;
  });
}

TEST(TaylorAdaptive, TakesAToleranceByName) {
  const auto prepared = prepare<double>(find_problem("asymmetric-top-tilted")->setup);
  const auto own_steps = [&](double tolerance) {
    const auto stepper = make_stepper(parse_method("taylor-adaptive"), prepared.body, prepared.field);
    stepper->set_tolerance(tolerance);
    stepper->start(prepared.start, 40.0);
    stepper->step(40.0);
    EXPECT_TRUE(stepper->work.converged);
    return stepper->work.own_steps;
  };
  EXPECT_LT(own_steps(1e-4), own_steps(1e-15));
  EXPECT_EQ(own_steps(0), own_steps(epsilon<double>())) << "rounding, where none is given";
}

}  // namespace
}  // namespace polhode::test::taylor_adaptive_test
