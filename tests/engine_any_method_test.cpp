// Every method of the library behind the engine's state: a step from a torque known for this step only. Checked against closed forms and against
// the laws of momentum and energy, which name no method.
#include "polhode/engine_methods.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "count_allocations.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/multistep.hpp"

namespace polhode::engine_any_method_test {
namespace {

using V = Vec3<double>;
using engine::Recommended;

const Body<double> box(V{0.9, 1.1, 1.7});
const Spin<double> tumbling{normalised(Rotation<double>{0.8, {0.1, -0.5, 0.3}}), {0.4, 1.2, -0.3}};

static_assert(noexcept(step<Recommended>(std::declval<Spin<double>&>(), box, V{}, 0.1)));
static_assert(noexcept(step_keeping_energy<Recommended>(std::declval<Spin<double>&>(), box, V{}, 0.1)));
static_assert(engine::is_one_step<MuntheKaas4> && !engine::is_one_step<AdamsBashforthMoulton4<>>);
static_assert(!engine::is_one_step<SimoWongExplicit<false>>, "unequal steps alone do not make one");
static_assert(std::is_trivially_copyable_v<Spin<float>>);

// One method of each kind; c_api_test goes through the whole catalogue.
using Kinds = testing::Types<Taylor<1>, Recommended, Taylor<2, Rule::augmented>, Taylor<4>, AxisSplitting<1, 2, 3>,
                             AxisSplitting<3, 1, 2, CayleyMap>, TripleJump<AxisSplitting<2, 3, 1>>,
                             RungeKutta4<MeanOnSphere>, MuntheKaas4>;
template <class Method>
struct EngineStep : testing::Test {};
TYPED_TEST_SUITE(EngineStep, Kinds);

TYPED_TEST(EngineStep, MomentumChangesByTheTorqueAlone) {
  using Method = TypeParam;
  Spin<double> state = tumbling;
  const V torque_B{0.3, -0.2, 0.7};
  step<Method>(state, box, torque_B, 0.05);
  EXPECT_EQ(state.L, tumbling.L + 0.05 * (tumbling.R_SB * torque_B));
  EXPECT_NE(state.R_SB, tumbling.R_SB);
}

// The method's own momentum, had it been kept, would have been the same: nothing is imposed on it.
TYPED_TEST(EngineStep, AgreesWithTheMethodInAFieldFixedInSpace) {
  using Method = TypeParam;
  const V torque_B{0.3, -0.2, 0.7};
  const System system{box, ConstantSpatial<double>{tumbling.R_SB * torque_B}};
  const State<double> before{tumbling.R_SB, inverse(tumbling.R_SB) * tumbling.L, 0};
  Work work;
  auto memory = start<Method>(system, before, 0.05, work);
  const State<double> after = advance<Method>(system, before, memory, 0.05, work);
  Spin<double> state = tumbling;
  step<Method>(state, box, torque_B, 0.05);
  EXPECT_LE(angle_between(state.R_SB, after.R_SB), 1e-15);
  EXPECT_LE(norm(state.L - spatial_momentum(after)), 4e-15);
}

TEST(Engine, FreeMomentumIsConstantToTheBitOverManySteps) {
  Spin<double> taylor = tumbling, splitting = tumbling;
  for (int n = 0; n < 100000; ++n) {
    step<Recommended>(taylor, box, {}, 0.01);
    step<engine::Symplectic>(splitting, box, {}, 0.01);
  }
  EXPECT_EQ(taylor.L, tumbling.L);
  EXPECT_EQ(splitting.L, tumbling.L);
  EXPECT_NEAR(squared_norm(taylor.R_SB), 1, 1e-15);
  EXPECT_NEAR(squared_norm(splitting.R_SB), 1, 1e-15);
}

TEST(Engine, AnImpulseIsAnAddition) {
  Spin<double> state = tumbling;
  const V impulse{0.5, 0, -1};
  state.L += impulse;
  step<Recommended>(state, box, {}, 0.01);
  EXPECT_EQ(state.L, tumbling.L + impulse);
}

TEST(Engine, EnergyOfAFreeBodyStaysBounded) {
  Spin<double> state = tumbling;
  const double energy = kinetic_energy(state, box);
  std::array<double, 2> worst{};
  for (int half = 0; half < 2; ++half)
    for (int n = 0; n < 50000; ++n) {
      step<engine::Symplectic>(state, box, {}, 0.1);
      worst[half] = larger(worst[half], std::abs(kinetic_energy(state, box) / energy - 1));
    }
  EXPECT_LT(worst[0], 2e-3);
  EXPECT_LT(worst[1], 1.05 * worst[0]);
  EXPECT_GT(worst[0], 1e-6);
}

TYPED_TEST(EngineStep, KeepsTheEnergyOfAFreeBody) {
  using Method = TypeParam;
  Spin<double> state = tumbling;
  for (int n = 0; n < 1000; ++n) step_keeping_energy<Method>(state, box, {}, 0.05);
  EXPECT_NEAR(kinetic_energy(state, box) / kinetic_energy(tumbling, box), 1, 1e-12);
  EXPECT_EQ(state.L, tumbling.L);
}

// A symmetric body, I1 = I2: the exact motion is R(t) = exp(t L/I1) R(0) exp(t (1/I3 - 1/I1) pi3 e3), a precession
// about the momentum at the rate |L|/I1 and a spin about the body's own axis.
Rotation<double> precessed(const Body<double>& body, const Spin<double>& s, double t) {
  const double pi3 = (inverse(s.R_SB) * s.L).z;
  const double spin = (1 / body.inertia.z - 1 / body.inertia.x) * pi3;
  return exp((t / body.inertia.x) * s.L) * s.R_SB * exp(V{0, 0, t * spin});
}

template <class Method>
double error_after(double time, int steps) {
  const Body<double> disc(V{1, 1, 1.8});
  Spin<double> state = tumbling;
  for (int n = 0; n < steps; ++n) step<Method>(state, disc, {}, time / steps);
  return angle_between(state.R_SB, precessed(disc, tumbling, time));
}

TEST(Engine, SymmetricBodyPrecessesAtSecondOrder) {
  const auto order = []<class Method>() {
    return std::log2(error_after<Method>(4, 400) / error_after<Method>(4, 800));
  };
  EXPECT_NEAR((order.operator()<Taylor<2, Rule::augmented>>()), 2, 0.1);
  EXPECT_NEAR(order.operator()<Taylor<2>>(), 2, 0.1);
  EXPECT_LT((error_after<Taylor<2, Rule::augmented>>(4, 800)), 1e-4);
  EXPECT_NEAR((order.operator()<AxisSplitting<1, 2, 3>>()), 2, 0.1);
}

// A torque about a principal axis from rest: the angle is tau t^2 / (2 I).
TYPED_TEST(EngineStep, ConstantTorqueAboutAPrincipalAxis) {
  using Method = TypeParam;
  const double torque = 0.25, time = 3, angle = torque * time * time / (2 * box.inertia.y);
  const bool first_order = Method::claims.order_attitude == 1;
  const int steps = first_order ? 30000 : 300;
  Spin<double> state;
  for (int n = 0; n < steps; ++n) step<Method>(state, box, V{0, torque, 0}, time / steps);
  EXPECT_LE(angle_between(state.R_SB, exp(V{0, angle, 0})), first_order ? 5e-5 : 1e-5);
  EXPECT_NEAR(angular_velocity_spatial(state, box).y, torque * time / box.inertia.y, 1e-11);
}

TEST(Engine, StepsMayDifferAndGoBack) {
  const Body<double> disc(V{1, 1, 1.8});
  Spin<double> state = tumbling;
  double time = 0;
  for (int n = 0; n < 3000; ++n) {
    const double h = 0.001 * (1 + n % 4);
    step<Recommended>(state, disc, {}, h);
    time += h;
  }
  EXPECT_LE(angle_between(state.R_SB, precessed(disc, tumbling, time)), 2e-4);
  Spin<double> back = tumbling;
  for (const double h : {0.1, 0.02, -0.02, -0.1}) step<engine::Symplectic>(back, box, {}, h);
  EXPECT_LE(angle_between(back.R_SB, tumbling.R_SB), 1e-15);
}

TYPED_TEST(EngineStep, FloatFollowsDouble) {
  using Method = TypeParam;
  const Body<float> body = cast<float>(box);
  Spin<double> wide = tumbling;
  Spin<float> narrow{cast<float>(tumbling.R_SB), cast<float>(tumbling.L)};
  for (int n = 0; n < 200; ++n) {
    step<Method>(wide, box, V{0.01, 0, 0.02}, 0.01);
    step<Method>(narrow, body, {0.01f, 0, 0.02f}, 0.01f);
  }
  EXPECT_LE(angle_between(cast<double>(narrow.R_SB), wide.R_SB), 2e-5);
  EXPECT_LE(norm(cast<double>(narrow.L) - wide.L), 1e-5);
}

// With a torque the energy is balanced with its work; about a principal axis E = L^2 / (2 I) is exact.
TEST(Engine, WorkOfTheTorqueEntersTheEnergy) {
  Spin<double> state;
  for (int n = 0; n < 100; ++n) step_keeping_energy<Recommended>(state, box, V{0, 0, 0.5}, 0.01);
  EXPECT_NEAR(kinetic_energy(state, box), 0.5 * 0.5 * 0.5 / 1.7, 1e-12);
  Spin<double> plain = tumbling, kept = tumbling;
  for (int n = 0; n < 1000; ++n) {
    step<engine::Accurate>(plain, box, V{0.1, 0.2, -0.1}, 0.001);
    step_keeping_energy<engine::Accurate>(kept, box, V{0.1, 0.2, -0.1}, 0.001);
  }
  EXPECT_NEAR(kinetic_energy(kept, box) / kinetic_energy(plain, box), 1, 1e-6);
  EXPECT_LE(angle_between(kept.R_SB, plain.R_SB), 1e-5);
}

TEST(Engine, VelocityAndEnergyAreThoseOfTheMomentum) {
  const V w_S{0.3, -2, 0.7};
  const Spin<double> state = spin_from_velocity(box, tumbling.R_SB, w_S);
  EXPECT_LE(norm(angular_velocity_spatial(state, box) - w_S), 4e-15);
  EXPECT_LE(norm(state.R_SB * angular_velocity_body(state, box) - w_S), 4e-15);
  EXPECT_NEAR(kinetic_energy(state, box), 0.5 * dot(state.L, w_S), 4e-15);
}

TYPED_TEST(EngineStep, AllocatesNothing) {
  using Method = TypeParam;
  Spin<double> state = tumbling;
  Spin<float> small{cast<float>(tumbling.R_SB), cast<float>(tumbling.L)};
  const Body<float> body = cast<float>(box);
  const long long before = allocations;
  for (int n = 0; n < 3; ++n) {
    step<Method>(state, box, V{0.01 * n, 0, 0}, 0.01);
    step<Method>(small, body, {}, 0.01f);
    step_keeping_energy<Method>(state, box, V{0, 0.01, 0}, 0.01);
  }
  const long long during = allocations - before;
  EXPECT_EQ(during, 0);
}

}  // namespace
}  // namespace polhode::engine_any_method_test
