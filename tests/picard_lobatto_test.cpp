// Picard sweeps on Lobatto collocation: tables, order, momentum, and that lanes and instruction sets change nothing.
#include "polhode/methods/picard_lobatto.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "kernel_measures.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode::test::picard_lobatto_test {
namespace {

using Eight = PicardLobatto<4, 5>;
using Sixteen = PicardLobatto<8, 10>;

// Torques of any scalar in one type, and torques of values in another: each type of field compiles every kernel anew, for
// all instruction sets.
struct Torque {
  enum class Kind { top, of_time, with_drag, comes_and_goes } kind;

  template <class S>
  Vec3<S> operator()(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    switch (kind) {
      case Kind::top: return cross(Vec3<S>{S(0.1), S(0.2), S(0.4)}, inverse(R_SB) * Vec3<S>{S(0), S(0), S(-1)});
      case Kind::of_time: return inverse(R_SB) * Vec3<S>{sin(S(2) * t), S(0.5) * cos(S(3) * t), S(0.25)};
      case Kind::with_drag:
        return inverse(R_SB) * Vec3<S>{S(0), S(0), S(1)} -
               Vec3<S>{S(0.3) * w_B.x, S(0.2) * w_B.y * w_B.y, S(0.4) * w_B.z};
      case Kind::comes_and_goes: break;
    }
    const S from_peak = S(4) * (t - S(10));
    return inverse(R_SB) * (S(2) * exp(-from_peak * from_peak) * Vec3<S>{S(1), S(1), S(0)});
  }
};
auto field_of(Torque::Kind kind) { return field_from(Torque{kind}); }
auto field_of_values(std::function<Vec3<double>(const Rotation<double>&, const double&)> torque) {
  return values_only<double>(std::move(torque));
}

// Five nodes: 0, 1/2 -+ sqrt(21)/14, 1/2, 1 with weights 1/20, 49/180, 16/45, 49/180, 1/20.
TEST(Lobatto, NodesAndWeightsOfFivePoints) {
  const Lobatto<long double, 4> table;
  const long double off = std::sqrt(21.0L) / 14;
  const std::array<long double, 5> nodes{0, 0.5L - off, 0.5L, 0.5L + off, 1};
  const std::array<long double, 5> weights{1 / 20.0L, 49 / 180.0L, 16 / 45.0L, 49 / 180.0L, 1 / 20.0L};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LT(std::abs(table.node[i] - nodes[i]), 2e-19L);
    EXPECT_LT(std::abs(table.integral[4][i] - weights[i]), 2e-19L);
  }
}

// Collocation integrates polynomials up to its number of nodes, to every node; the quadrature at the end twice as far.
template <std::size_t N>
void expect_exact_integrals() {
  const Lobatto<long double, N> table;
  for (std::size_t degree = 0; degree <= 2 * N - 1; ++degree) {
    for (std::size_t i = degree <= N ? 1 : N; i <= N; ++i) {
      long double sum = 0;
      for (std::size_t j = 0; j <= N; ++j)
        sum += table.integral[i][j] * std::pow(table.node[j], static_cast<long double>(degree));
      const long double exact = std::pow(table.node[i], static_cast<long double>(degree + 1)) / (degree + 1.0L);
      EXPECT_LT(std::abs(sum - exact), 1e-18L) << N << " " << degree << " " << i;
    }
  }
}

TEST(Lobatto, IntegratesPolynomials) {
  expect_exact_integrals<4>();
  expect_exact_integrals<8>();
}

template <class M, class T>
State<T> end_on_top(const T& h, int steps) {
  Work work;
  return integrate<M>(tilted_top<T>(), start_state<T>(), h, steps, work);
}

// A torque of values only is asked lane by lane; the numbers are the same up to rounding.
TEST(PicardLobatto, AValueIsAValueInOneLaneOrInFour) {
  const auto top = tilted_top();
  const System values{top.body, field_of_values([&](const Rotation<double>& R_SB, const double& t) {
                        return top.field.torque(R_SB, t);
                      })};
  static_assert(!TorqueField<decltype(values.field), Lanes<double, 4>>);
  Work work;
  const auto one = integrate<Eight>(values, start_state(), 0.25, 40, work);
  EXPECT_LT(distance(one, end_on_top<Eight>(0.25, 40)), 1e-13);
}

// The kernel for any scalar is the one for registers: long double goes through arrays and no special instructions.
TEST(PicardLobatto, RegistersComputeWhatArraysDo) {
  const auto in_arrays = end_on_top<Eight>(0.25L, 40);
  const auto in_registers = end_on_top<Eight>(0.25, 40);
  EXPECT_LT(distance(cast<long double>(in_registers), in_arrays), 1e-13);
  EXPECT_LT(distance(cast<long double>(end_on_top<Sixteen>(0.5, 20)), end_on_top<Sixteen>(0.5L, 20)), 1e-13);
}

TEST(PicardLobatto, MomentumAlongTheFieldIsKeptWhateverTheStep) {
  const auto top = tilted_top();
  const double along = spatial_momentum(start_state()).z;
  for (const double h : {0.05, 0.5, 1.0}) {
    Work work;
    double off = 0;
    integrate<Eight>(top, start_state(), h, 2000, work,
                     [&](const State<double>& s) { off = worse(off, std::abs(spatial_momentum(s).z - along)); });
    EXPECT_LT(off, 1e-13) << h;
  }
}

// In a torque that depends on time, and with drag: the stages know both.
void expect_order_8(Torque::Kind torque) {
  using Real = long double;
  const System system{three_moments<Real>(), field_of(torque)};
  Work work;
  const State<Real> reference = integrate<Sixteen>(system, start_state<Real>(), Real(2) / 64, 64, work);
  const auto measured = orders<Eight>(system, start_state<Real>(), reference, 2, 10, 2e-16, 1e-10);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->attitude, 8, 0.25);
  EXPECT_NEAR(measured->momentum, 8, 0.25);
}

TEST(PicardLobatto, KeepsItsOrderInATorqueOfTimeAndWithDrag) {
  expect_order_8(Torque::Kind::of_time);
  expect_order_8(Torque::Kind::with_drag);
}

// The prediction takes the ratio of two steps into account: without it one change of step would cost several orders.
TEST(PicardLobatto, AChangeOfStepCostsNothing) {
  const auto top = tilted_top();
  Work work;
  const State<double> exact = integrate<Sixteen>(top, start_state(), 0.1, 60, work);
  const auto with_steps = [&](double a, double b) {
    State<double> s = start_state();
    auto memory = start<Eight>(top, s, a, work);
    for (int n = 0; n < 20; ++n) {
      s = advance<Eight>(top, s, memory, a, work);
      s = advance<Eight>(top, s, memory, b, work);
    }
    return distance(s, exact);
  };
  const double equal = with_steps(0.15, 0.15), unequal = with_steps(0.18, 0.12);
  EXPECT_LT(unequal, 20 * equal);
}

// In the long run twenty-five calls at four nodes and five sweeps, and what the start takes.
TEST(PicardLobatto, TorqueEvaluationsAreCounted) {
  Work work;
  integrate<Eight>(tilted_top(), start_state(), 0.1, 1000, work);
  EXPECT_NEAR(static_cast<double>(work.torque_evaluations) / 1000, Eight::claims.torque_evaluations, 0.03);
}

// What a tolerance leads to: the distance from the exact end, in long double by order 16, and the work.
struct Reached {
  double off = 0;
  Work work;
};
template <class M, class F>
Reached reached(const System<double, F>& system, const State<double>& begin, double duration, int calls,
                double tolerance) {
  Reached made;
  State<double> s = begin;
  auto memory = start<M>(system, s, duration / calls, made.work);
  memory.tolerance = tolerance;
  for (int n = 0; n < calls; ++n) s = advance<M>(system, s, memory, duration / calls, made.work);
  const System<long double, F> wide{Body<long double>(cast<long double>(system.body.inertia)), system.field};
  Work work;
  const auto exact = integrate<Sixteen>(wide, cast<long double>(begin), duration / 400.0L, 400, work);
  made.off = static_cast<double>(attitude_error(cast<long double>(s), exact));
  return made;
}

// Errors add up over the steps, and this motion spreads them by less than a hundred; a tolerance that would be far too
// careful is as wrong as one that is not kept.
template <class M>
void expect_tolerance_kept(std::initializer_list<double> tolerances) {
  const System system{three_moments<double>(), field_of(Torque::Kind::top)};
  long long steps_before = 0;
  for (const double tolerance : tolerances) {
    const Reached end = reached<M>(system, start_state(), 20, 1, tolerance);
    ASSERT_TRUE(end.work.converged);
    EXPECT_LT(end.off, 100 * tolerance * static_cast<double>(end.work.own_steps)) << tolerance;
    EXPECT_GT(end.off, 1e-3 * tolerance * static_cast<double>(end.work.own_steps)) << tolerance;
    EXPECT_GT(end.work.own_steps, steps_before) << tolerance;
    steps_before = end.work.own_steps;
  }
}
TEST(PicardLobatto, KeepsATolerance) {
  expect_tolerance_kept<Eight>({1e-4, 1e-6, 1e-8, 1e-10});
  expect_tolerance_kept<Sixteen>({1e-7, 1e-9, 1e-11, 1e-13});
}

// Where steps end is up to the caller: one call or fifty, forwards or backwards, the tolerance is kept.
TEST(PicardLobatto, ATolerancesStepsEndWhereTheyAreAskedTo) {
  const System system{three_moments<double>(), field_of(Torque::Kind::top)};
  for (const int calls : {1, 7, 50}) {
    EXPECT_LT(reached<Eight>(system, start_state(), 20, calls, 1e-8).off, 1e-4) << calls;
    EXPECT_LT(reached<Sixteen>(system, start_state(), -20, calls, 1e-10).off, 1e-6) << calls;
  }
  const Reached many = reached<Eight>(system, start_state(), 20, 400, 1e-8);
  EXPECT_EQ(many.work.own_steps, 400);
}

// A torque that comes and goes: around its peak there are more than twice as many steps a second as before.
TEST(PicardLobatto, StepsFollowATorqueThatComesAndGoes) {
  const System system{three_moments<double>(), field_of(Torque::Kind::comes_and_goes)};
  const auto steps_to = [&](double end) {
    Work work;
    State<double> s = start_state();
    s.pi_B = 0.2 * s.pi_B;
    auto memory = start<Eight>(system, s, end, work);
    memory.tolerance = 1e-9;
    for (int n = 0; n < 4; ++n) s = advance<Eight>(system, s, memory, end / 4, work);
    return work.own_steps;
  };
  EXPECT_GT(static_cast<double>(steps_to(12) - steps_to(8)) / 4, 2 * static_cast<double>(steps_to(8)) / 8);
}

TEST(PicardLobatto, GivesUpWhereTheTorqueIsNoNumber) {
  const System system{three_moments<double>(), field_of_values([](const Rotation<double>&, const double& t) {
                        return Vec3<double>{t > 1 ? std::numeric_limits<double>::quiet_NaN() : 0.1, 0.0, 0.0};
                      })};
  Work work;
  State<double> s = start_state();
  auto memory = start<Eight>(system, s, 5.0, work);
  memory.tolerance = 1e-6;
  s = advance<Eight>(system, s, memory, 5.0, work);
  EXPECT_FALSE(work.converged);
  EXPECT_TRUE(all_finite(s));
}

// What rounding takes from a step is given back in the next: over hundreds of steps the error stays near that of a start
// rounded to double, which this motion makes 5e-14.
TEST(PicardLobatto, RoundingDoesNotAddUp) {
  const Problem& problem = *find_problem("asymmetric-top");
  const Prepared<double> top = prepare<double>(problem.setup);
  const auto exact = reference_at<long double>(problem, 50.0L)->state;
  double squares = 0;
  int runs = 0;
  for (int steps = 100; steps <= 900; steps += 25, ++runs) {
    Work work;
    const System<double, FieldSum<double>> system{top.body, top.field};
    const State<double> end = integrate<Sixteen>(system, top.start, top.time_in(50.0) / steps, steps, work);
    const double off = static_cast<double>(attitude_error(cast<long double>(top.in_user_units(end)), exact));
    squares += off * off;
  }
  EXPECT_LT(std::sqrt(squares / runs), 5e-13);
}

}  // namespace
}  // namespace polhode::test::picard_lobatto_test
