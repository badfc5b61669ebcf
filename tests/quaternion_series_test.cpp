// Power series of the quaternion: its coefficients by another route, and its orders. packs_test.cpp has packs of bodies.
#include "polhode/methods/quaternion_series.hpp"

#include <gtest/gtest.h>

#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"

namespace polhode::test::quaternion_series_test {
namespace {

// The largest difference of the coefficients of q to those of growing series, which run the field's own torque, times h^n.
template <std::size_t N, class Velocity, class F>
double largest_difference(Velocity velocity, const System<quad, F>& system, const State<quad>& s, const quad& h) {
  const quaternion_series::Attitude<quad, N> attitude(velocity, s);
  FieldSeries<quad, F> other(system.body, system.field);
  other.expand(s, N);
  double largest = 0;
  quad power(1);
  for (std::size_t n = 0; n <= N; ++n) {
    const Rotation<quad> q = other.attitude(n);
    const auto& c = attitude.q[n];
    for (const quad& difference : {c.w - power * q.w, c.x - power * q.v.x, c.y - power * q.v.y, c.z - power * q.v.z})
      largest = worse(largest, std::abs(static_cast<double>(difference)));
    power = power * h;
  }
  return largest;
}

// The coefficients are below 1, sums of up to 13 products of three terms each.
constexpr double rounding = 1e-32;

TEST(QuaternionSeries, HasTheCoefficientsOfGrowingSeries) {
  const quad h(0.5);
  const State<quad> s = start_state<quad>();
  const auto top = tilted_top<quad>();
  const AxisWeight<quad> weight{top.field.weight_times_arm, top.field.axis_body, top.field.up_spatial};
  EXPECT_LT(largest_difference<12>(quaternion_series::TopVelocity<quad, 12>(top.body, weight, s, h), top, s, h),
            rounding);
  // A weight of nothing is a free body.
  System<quad, HeavyTop<quad>> weightless = top;
  weightless.field.weight_times_arm = quad(0);
  EXPECT_LT(largest_difference<12>(quaternion_series::FreeVelocity<quad, 12>(top.body, s, h), weightless, s, h),
            rounding);
}

// In a field that has no recursion of its own, on a heavy top that does not say that it is one.
struct AnyTorque : HeavyTop<quad> {
  static constexpr bool weighs_on_axis = false;
};

template <std::size_t N>
void expect_the_same_in_any_field() {
  const auto top = tilted_top<quad>();
  const System<quad, AnyTorque> other{top.body, {top.field}};
  const quad h(0.1);
  Work work;
  EXPECT_LT(distance(integrate<QuaternionSeries<N>>(top, start_state<quad>(), h, 10, work),
                     integrate<QuaternionSeries<N>>(other, start_state<quad>(), h, 10, work)),
            1e-31);
  // Impulse and work of one step.
  auto memory = start<QuaternionSeries<N>>(top, start_state<quad>(), h, work), memory_of_other = memory;
  advance<QuaternionSeries<N>>(top, start_state<quad>(), memory, h, work);
  advance<QuaternionSeries<N>>(other, start_state<quad>(), memory_of_other, h, work);
  EXPECT_TRUE(memory.work_known && memory_of_other.work_known);
  EXPECT_LT(static_cast<double>(norm(memory.momentum_S - memory_of_other.momentum_S)), 1e-32);
  // The one is what the potential has lost, the other the integral of the power: both to order N.
  EXPECT_LT(std::abs(static_cast<double>(memory.work_of_torque - memory_of_other.work_of_torque)),
            std::pow(static_cast<double>(h), static_cast<double>(N + 1)));
}
TEST(QuaternionSeries, GoesTheSameWayThroughAnyField) {
  expect_the_same_in_any_field<8>();
  expect_the_same_in_any_field<12>();
}

// In quad, against steps thirty times as fine of a method that turns by rotation vectors.
template <std::size_t N, class F>
void expect_order(const System<quad, F>& system) {
  Work work;
  const State<quad> s = start_state<quad>();
  const State<quad> reference = integrate<Taylor<12>>(system, s, quad(2) / quad(600), 600, work);
  const auto measured = orders<QuaternionSeries<N>>(system, s, reference, 2, 10, N == 8 ? 1e-22 : 1e-27, 1e-12);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->attitude, static_cast<double>(N), 0.2);
  EXPECT_NEAR(measured->momentum, static_cast<double>(N), 0.2);
}
TEST(QuaternionSeries, HasItsOrderOfAFreeBody) {
  expect_order<8>(free_body<quad>());
  expect_order<12>(free_body<quad>());
}
TEST(QuaternionSeries, HasItsOrderOfAHeavyTop) {
  expect_order<8>(tilted_top<quad>());
  expect_order<12>(tilted_top<quad>());
}

TEST(QuaternionSeries, StaysWhereItIsInNoTime) {
  const State<double> s = start_state<double>();
  Work work;
  EXPECT_LT(distance(integrate<QuaternionSeries<12>>(tilted_top<double>(), s, 0.0, 1, work), s), 1e-15);
}

}  // namespace
}  // namespace polhode::test::quaternion_series_test
