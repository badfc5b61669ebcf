// The orders that methods which ask a torque for power series claim in one that depends on the angular velocity. There is
// no such field among those that a scenario names: it is handed to the methods themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/registry.hpp"
#include "velocity_torque.hpp"

namespace polhode::test::claims_velocity_series_test {
namespace {

using Field = decltype(field_from(velocity_torque));
static_assert(SeriesField<Field, double> && !AttitudeTorqueField<Field, double>);

template <class M, class T>
State<T> end_of(int steps, Work& work) {
  const System<T, Field> system{body_under_velocity_torque<T>(), field_from(velocity_torque)};
  State<T> s = start_under_velocity_torque<T>();
  const T h = T(duration_under_velocity_torque) / T(steps);
  auto memory = start<M>(system, s, h, work);
  for (int n = 0; n < steps; ++n) {
    s.t = T(n) * h;
    s = advance<M>(system, s, memory, h, work);
  }
  return s;
}

constexpr double uncertainty = 1e-28;  // of the reference

const State<quad>& reference() {
  static const State<quad> state = [] {
    Work work;
    return end_of<Taylor<12>, quad>(900, work);
  }();
  return state;
}

TEST(ReferenceWithVelocity, TwoUnrelatedMethodsAgree) {
  Callback<quad> callback;
  callback.torque_B = [](const Rotation<quad>& R_SB, const Vec3<quad>& w_B, const quad& t) -> Vec3<quad> {
    return velocity_torque(R_SB, w_B, t);
  };
  const auto stepper =
      make_stepper(parse_method("picard-lobatto-16"), body_under_velocity_torque<quad>(), FieldSum<quad>({callback}));
  const quad h = quad(duration_under_velocity_torque) / quad(160);
  stepper->start(start_under_velocity_torque<quad>(), h);
  for (int n = 0; n < 160; ++n) stepper->step(h);
  EXPECT_LT(attitude_error(stepper->state, reference()), quad(uncertainty));
  EXPECT_LT(momentum_error(stepper->state, reference()), quad(uncertainty));
}

template <class M, class T>
void expect_order(std::string_view name, int expected, int fewest, double floor) {
  ASSERT_GE(floor, 100 * uncertainty);
  const State<T> exact = cast<T>(reference());
  std::vector<ErrorAtStep> attitude, momentum;
  for (const double times : {1.0, 1.19, 1.41, 1.68, 2.0}) {
    const int steps = static_cast<int>(times * fewest);
    Work work;
    const State<T> s = end_of<M, T>(steps, work);
    ASSERT_TRUE(work.converged) << name;
    attitude.push_back({1.0 / steps, static_cast<double>(attitude_error(s, exact))});
    momentum.push_back({1.0 / steps, static_cast<double>(momentum_error(s, exact))});
  }
  const auto a = observed_order(attitude, floor, 0.1), m = observed_order(momentum, floor, 0.1);
  ASSERT_TRUE(a && m) << name;
  EXPECT_NEAR(a->order, expected, 0.3) << name;
  EXPECT_NEAR(m->order, expected, 0.3) << name;
}

TEST(SeriesWithVelocity, OrdersAreThoseClaimed) {
  Catalogue::for_each([](auto entry) {
    using M = typename decltype(entry)::Method;
    if constexpr (M::claims.needs == Needs::series) {
      constexpr Claims claims = claims_in<M, double, Field>();
      static_assert(claims.order_attitude == orders_with_velocity(M::claims).attitude && !claims.symplectic);
      if constexpr (claims.order_attitude == exact_order) {
        Work work;
        const State<long double> s = end_of<M, long double>(7, work);
        ASSERT_TRUE(work.converged);
        EXPECT_LT(attitude_error(s, cast<long double>(reference())), 1e-18L * work.own_steps) << entry.name;
        EXPECT_LT(momentum_error(s, cast<long double>(reference())), 1e-18L * work.own_steps) << entry.name;
      } else if constexpr (claims.order_attitude <= 6) {
        expect_order<M, long double>(entry.name, claims.order_attitude, claims.order_attitude <= 4 ? 320 : 160, 2e-17);
      } else {
        expect_order<M, quad>(entry.name, claims.order_attitude, 160, 100 * uncertainty);
      }
    }
  });
}

}  // namespace
}  // namespace polhode::test::claims_velocity_series_test
