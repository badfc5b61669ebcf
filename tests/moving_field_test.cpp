// A rigid body that turns and moves in a field of forces: an off-centre spring, central gravity on three masses, weight and
// buoyancy in a fluid. Orders against another integrator on plain coordinates, closed forms, and what is kept.
#include "polhode/model/wrench_fields.hpp"

#include "moving_support.hpp"
#include "polhode/core/lie_methods.hpp"
#include "polhode/core/lie_taylor.hpp"
#include "polhode/core/series.hpp"
#include "polhode/model/ellipsoid_in_fluid.hpp"

namespace polhode::moving_field_test {
namespace {

using moving::Coordinates;
using moving::eps;
using moving::Real;
using moving::Three;

const MovingState<Real> start{
    {exp(Vec3<Real>{0.3L, -0.5L, 0.8L}), {1.4L, -1, 0.25L}}, {{1.1L, -0.7L, 1.6L}, {0.8L, 1.3L, -0.9L}}, 0};

using Fourth = ComposedMoving<ScrewSplitting, lie::Suzuki<2>>;

// A body on a spring that is tied to one of its corners, and to the origin.
const Vec3<Real> moments{0.9L, 1.1L, 1.7L};
const Spring<Real> spring{4, {0.5L, -0.3L, 0.8L}, {}, 0};
const MovingSystem<Real, Spring<Real>> tied{MovingBody<Real>(moments, Real(1.3L)), spring};

Coordinates tied_by_fehlberg(Real end, int steps) {
  const auto pull = [](const auto& at, const auto& apply) {
    const Three a = moving::three(spring.point_B), x = at(a);
    apply(a, Three{-4 * x[0], -4 * x[1], -4 * x[2]});
  };
  const auto K = moving::inertia_matrix(diagonal(moments), {}, diagonal(Vec3<Real>{1.3L, 1.3L, 1.3L}));
  return moving::by_fehlberg(moving::inverted(K), pull, moving::coordinates(start), end, steps);
}

// Three masses held together by light bars, about their centre of mass, in the gravity of a fourth.
using Gravity = CentralGravity<Real, 3>;
const Gravity gravity{
    6, {{{0.5L, {0.6L, 0.2L, -0.1L}}, {0.25L, {-0.4L, 0.5L, 0.3L}}, {0.8L, {-0.25L, -0.28125L, -0.03125L}}}}};
Mat3<Real> moments_of_masses() {
  Mat3<Real> J{};
  for (const auto& [mass, a] : gravity.masses) {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) J[i][j] += mass * ((i == j ? squared_norm(a) : 0) - a[i] * a[j]);
  }
  return J;
}
const Vec3<Real> mass_of_all{1.55L, 1.55L, 1.55L};
const MovingSystem<Real, Gravity> orbiter{MovingBody<Real>(moments_of_masses(), {}, diagonal(mass_of_all)), gravity};
const MovingState<Real> on_orbit{{start.y_SB.rotation, {3, -1, 0.5L}},
                                 {{0.1L, -0.2L, 0.3L}, inverse(start.y_SB.rotation) * Vec3<Real>{0.5L, 1.9L, 0.3L}},
                                 0};

Coordinates orbiter_by_fehlberg(Real end, int steps) {
  const auto attract = [](const auto& at, const auto& apply) {
    for (const auto& m : gravity.masses) {
      const Three a = moving::three(m.place_B), x = at(a);
      const Real r = std::hypot(x[0], x[1], x[2]), f = -6 * m.mass / (r * r * r);
      apply(a, Three{f * x[0], f * x[1], f * x[2]});
    }
  };
  const auto K = moving::inertia_matrix(moments_of_masses(), {}, diagonal(mass_of_all));
  return moving::by_fehlberg(moving::inverted(K), attract, moving::coordinates(on_orbit), end, steps);
}

// A spheroid that sinks, heavy at one end.
const MovingSystem<Real, WeightAndBuoyancy<Real>> sinking{
    ellipsoid_in_fluid(Vec3<Real>{0.8L, 0.5L, 0.5L}, Real(1.2L), Real(1)), {9.81L, 8, {0.2L, 0, 0.05L}, {}, {0, 0, 1}}};

template <class Field>
void expect_wrench_is_derivative(const Field& field) {
  using S = Series<Real, 1>;
  const auto wrench = field.wrench(start.y_SB, Real(0));
  for (std::size_t i = 0; i < 6; ++i) {
    Twist<S> along{};
    along[i] = S::variable(0);
    const S V = field.potential(cast<S>(start.y_SB) * exp(along));
    EXPECT_NEAR(static_cast<double>(V.c[1] + wrench[i]), 0, 128 * eps) << "direction " << i;
    EXPECT_NE(wrench[i], 0);
  }
}
TEST(WrenchFields, AreDerivativesOfTheirPotentials) {
  expect_wrench_is_derivative(spring);
  expect_wrench_is_derivative(Spring<Real>{3, {0.5L, -0.3L, 0.8L}, {0.2L, 2, -1}, 0.75L});
  expect_wrench_is_derivative(gravity);
  expect_wrench_is_derivative(WeightAndBuoyancy<Real>{9, 8, {0.2L, 0, 0.05L}, {-0.1L, 0.3L, 0}, {0.6L, 0, 0.8L}});
  // A spring as long as it is by itself pulls at nothing.
  const Spring<Real> slack{3, {1, 0, 0}, {1, 2, 0}, 2};
  EXPECT_EQ(slack.wrench(RigidMotion<Real>{}, Real(0)), Cotwist<Real>{});
}

TEST(BodyOnASpring, OrdersAgainstFehlbergOnPlainCoordinates) {
  const Real end = 1.5L;
  const Coordinates exact = tied_by_fehlberg(end, 400);
  ASSERT_LT(moving::distance(exact, tied_by_fehlberg(end, 300)), 2e-17);
  moving::expect_order<ScrewSplitting>(tied, start, end, exact);
  moving::expect_order<Fourth>(tied, start, end, exact);
  moving::expect_order<ComposedMoving<ScrewSplitting, lie::KahanLi8>>(tied, start, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<4>>>(tied, start, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<8>>>(tied, start, end, exact);
  moving::expect_order<OnPoses<lie::CommutatorFree4>>(tied, start, end, exact);
  moving::expect_order<OnPoses<lie::Midpoint>>(tied, start, end, exact);
  moving::expect_order<OnPoses<lie::Taylor<6>>>(tied, start, end, exact);
}
TEST(BodyInCentralGravity, OrdersAgainstFehlbergOnPlainCoordinates) {
  const Real end = 2;
  const Coordinates exact = orbiter_by_fehlberg(end, 400);
  ASSERT_LT(moving::distance(exact, orbiter_by_fehlberg(end, 300)), 2e-17);
  moving::expect_order<ScrewSplitting>(orbiter, on_orbit, end, exact);
  moving::expect_order<Fourth>(orbiter, on_orbit, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<4>>>(orbiter, on_orbit, end, exact);
}

// What the forces leave alone is kept to rounding by every method: here the angular momentum about the origin, to which
// all forces point; the linear one is not.
template <class Method, class System>
void expect_angular_momentum(const System& sys, const MovingState<Real>& begin) {
  const auto end = moving::run<Method>(sys, begin, 10, 100);
  const Cotwist<Real> before = spatial_momentum(begin), after = spatial_momentum(end);
  EXPECT_LE(static_cast<double>(norm(after.angular - before.angular)), 100 * 64 * eps);
  EXPECT_GE(static_cast<double>(norm(after.linear - before.linear)), 0.1);
  EXPECT_GE(std::abs(static_cast<double>(energy(sys, end) - energy(sys, begin))), 1e-9);
}
TEST(CentralForces, KeepTheAngularMomentumAboutTheirCentre) {
  expect_angular_momentum<ScrewSplitting>(tied, start);
  expect_angular_momentum<OnPoses<lie::MuntheKaas<4>>>(tied, start);
  expect_angular_momentum<OnPoses<lie::Midpoint>>(tied, start);
  expect_angular_momentum<ScrewSplitting>(orbiter, on_orbit);
  expect_angular_momentum<OnPoses<lie::MuntheKaas<4>>>(orbiter, on_orbit);
}

// Along the vertical there is a force, and about the vertical no torque.
TEST(SinkingBody, KeepsWhatIsHorizontalAndTheVerticalMoment) {
  const auto end = moving::run<ScrewSplitting>(sinking, start, 4, 100);
  const Cotwist<Real> before = spatial_momentum(start), after = spatial_momentum(end);
  const double rounding = 100 * 64 * eps;
  EXPECT_NEAR(static_cast<double>(after.linear.x - before.linear.x), 0, rounding);
  EXPECT_NEAR(static_cast<double>(after.linear.y - before.linear.y), 0, rounding);
  EXPECT_NEAR(static_cast<double>(after.linear.z - before.linear.z), -4 * 1.81, 100 * 64 * eps);
  EXPECT_NEAR(static_cast<double>(after.angular.z - before.angular.z), 0, 10 * rounding);
  EXPECT_GE(static_cast<double>(norm(after.angular - before.angular)), 1.0);
}

TEST(BodyOnASpring, EnergyIsBoundedByTheSplitting) {
  const auto split = moving::energy_errors<ScrewSplitting>(tied, start, 0.05L, 4000);
  EXPECT_GE(split[0], 1e-4);
  EXPECT_NEAR(split[1] / split[0], 1, 0.1);
  const auto drifting = moving::energy_errors<OnPoses<lie::MuntheKaas<4>>>(tied, start, 0.05L, 4000);
  EXPECT_GE(drifting[1] / drifting[0], 1.8);
}

TEST(BodyOnASpring, SymmetricAndSymplecticWhereItSaysSo) {
  EXPECT_LE(moving::not_returned<ScrewSplitting>(tied, start, 1), 20 * 64 * eps);
  EXPECT_LE(moving::not_returned<OnPoses<lie::Midpoint>>(tied, start, 1), 20 * 256 * eps);
  EXPECT_GE(moving::not_returned<OnPoses<lie::MuntheKaas<4>>>(tied, start, 1), 1e-7);
  EXPECT_LE(moving::symplectic_defect<ScrewSplitting>(tied, start, 0.1L), 1e-10);
  EXPECT_GE(moving::symplectic_defect<OnPoses<lie::MuntheKaas<4>>>(tied, start, 0.1L), 1e-8);
}

// Tied at the centre of mass a body of revolution swings like a point and turns like a free top, both in closed form.
TEST(BodyOnASpring, SwingsAndTurnsIndependentlyWhenTiedAtItsCentre) {
  const Real m = 1.3L, J1 = 0.9L, J3 = 1.7L, k = 4, n = std::sqrt(k / m), end = 3;
  const MovingSystem<Real, Spring<Real>> sys{MovingBody<Real>(Vec3<Real>{J1, J1, J3}, m), {k, {}, {}, 0}};
  const Cotwist<Real> mu = start.mu_B;
  const Rotation<Real> R = start.y_SB.rotation;
  const Vec3<Real> l_S = R * mu.angular, v_S = R * mu.linear / m, r_S = start.y_SB.shift;
  const Rotation<Real> turned =
      exp(end / J1 * l_S) * R * exp(end * (1 / J3 - 1 / J1) * mu.angular.z * Vec3<Real>{0, 0, 1});
  const Vec3<Real> place = std::cos(n * end) * r_S + std::sin(n * end) / n * v_S;
  const auto s = moving::run<OnPoses<lie::MuntheKaas<8>>>(sys, start, end, 500);
  EXPECT_LE(static_cast<double>(chordal_distance(s.y_SB.rotation, turned)), 1e-16);
  EXPECT_LE(static_cast<double>(norm(s.y_SB.shift - place)), 1e-16);
}

}  // namespace
}  // namespace polhode::moving_field_test
