// Kirchhoff's body in an ideal fluid: inertia of the fluid, orders against another integrator on plain coordinates, closed
// forms, and what each method keeps and does not keep.
#include "polhode/model/moving_body.hpp"

#include <boost/math/special_functions/ellint_rd.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "count_allocations.hpp"
#include "moving_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/lie_methods.hpp"
#include "polhode/core/lie_taylor.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/model/ellipsoid_in_fluid.hpp"

namespace polhode::moving_body_test {
namespace {

using moving::Coordinates;
using moving::eps;
using moving::Real;

// No symmetry, and a coupling between turning and moving as a propeller has it.
const Mat3<Real> J{{{1.4L, 0.1L, -0.2L}, {0.1L, 1.9L, 0.15L}, {-0.2L, 0.15L, 2.3L}}};
const Mat3<Real> D{{{0.3L, -0.1L, 0.05L}, {0.2L, 0.25L, 0}, {-0.15L, 0.1L, -0.35L}}};
const Mat3<Real> M{{{1.6L, -0.05L, 0.1L}, {-0.05L, 2.2L, 0.2L}, {0.1L, 0.2L, 1.2L}}};

const MovingSystem<Real> propeller{MovingBody<Real>(J, D, M)};
const MovingState<Real> start{
    {exp(Vec3<Real>{0.3L, -0.5L, 0.8L}), {0.4L, -1, 0.25L}}, {{1.1L, -0.7L, 1.6L}, {0.8L, 1.3L, -0.9L}}, 0};

using Fourth = ComposedMoving<ScrewSplitting, lie::Suzuki<2>>;
using Sixth = ComposedMoving<ScrewSplitting, lie::KahanLi6>;

TEST(MovingBody, VelocityIsTheInverseOfMomentum) {
  const auto inverse = moving::inverted(moving::inertia_matrix(J, D, M));
  const Cotwist<Real>& m = start.mu_B;
  const Twist<Real> x = propeller.body.velocity(m);
  const Cotwist<Real> back = propeller.body.momentum(x);
  Real twice_energy = 0, squares = dot(m.linear, propeller.body.glide(m.linear));
  for (const Twist<Real>& a : propeller.body.screws()) squares += pairing(m, a) * pairing(m, a);
  for (std::size_t i = 0; i < 6; ++i) {
    Real expected = 0;
    for (std::size_t j = 0; j < 6; ++j) expected += inverse(i, j) * m[j];
    twice_energy += expected * m[i];
    EXPECT_NEAR(static_cast<double>(x[i] - expected), 0, 32 * eps);
    EXPECT_NEAR(static_cast<double>(back[i] - m[i]), 0, 32 * eps);
  }
  EXPECT_NEAR(static_cast<double>(2 * propeller.body.kinetic_energy(m) - twice_energy), 0, 64 * eps);
  EXPECT_NEAR(static_cast<double>(squares - twice_energy), 0, 64 * eps);
}

TEST(MovingBody, RefusesAnEnergyThatIsNotPositive) {
  const Mat3<double> one = diagonal(Vec3<double>{1, 1, 1}), large = diagonal(Vec3<double>{0.5, 1.0, 0.5});
  EXPECT_NO_THROW(MovingBody<double>(one, diagonal(Vec3<double>{0.5, 0.99, 0.5}), one));
  EXPECT_THROW(MovingBody<double>(one, large, one), Error);
  EXPECT_THROW(MovingBody<double>(Vec3<double>{1, -1, 1}, 1.0), Error);
  EXPECT_THROW(MovingBody<double>(Vec3<double>{1, 1, 1}, std::nan("")), Error);
}

// Known from Lamb's book: half the displaced mass for a sphere, 8/3 rho a^3 and 16/45 rho a^5 for a disk, logarithms for
// a spheroid; for three different axes Carlson's integral of another library.
TEST(FluidAroundEllipsoid, IsWhatTheBooksSay) {
  const Real pi = 3.14159265358979323846264338L;
  const auto sphere = fluid_around_ellipsoid(Vec3<Real>{2, 2, 2}, Real(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(static_cast<double>(sphere.masses[i] / (16 * pi)), 1, 8 * eps);
    EXPECT_EQ(sphere.moments[i], 0);
  }
  const auto disk = fluid_around_ellipsoid(Vec3<Real>{2, 2, 1e-9L}, Real(3));
  EXPECT_NEAR(static_cast<double>(disk.masses.z / 64), 1, 1e-8);
  EXPECT_NEAR(static_cast<double>(disk.masses.x), 0, 1e-7);
  EXPECT_NEAR(static_cast<double>(disk.moments.x / (16 * 32 * 3 / Real(45))), 1, 1e-8);
  EXPECT_EQ(disk.moments.z, 0);

  const Real e = 0.8L, b = std::sqrt(1 - e * e);  // prolate, half axes 1, b, b
  const auto spheroid = fluid_around_ellipsoid(Vec3<Real>{1, b, b}, Real(1));
  const Real fluid = 4 * pi / 3 * b * b, logarithm = std::log((1 + e) / (1 - e)) / 2;
  const Real along = 2 * (1 - e * e) / (e * e * e) * (logarithm - e);
  const Real across = 1 / (e * e) - (1 - e * e) / (e * e * e) * logarithm;
  EXPECT_NEAR(static_cast<double>(spheroid.masses.x / (fluid * along / (2 - along))), 1, 64 * eps);
  EXPECT_NEAR(static_cast<double>(spheroid.masses.y / (fluid * across / (2 - across))), 1, 64 * eps);
  const Real e2 = e * e;
  const Real turning = e2 * e2 * (across - along) / ((2 - e2) * (2 * e2 - (2 - e2) * (across - along)));
  const Real whole = fluid / 5 * (2 - e2);  // Lamb's k' times the moment of the displaced fluid
  EXPECT_NEAR(static_cast<double>(spheroid.moments.z / (turning * whole)), 1, 64 * eps);
  EXPECT_EQ(spheroid.moments.x, 0);

  for (const Vec3<Real>& axes : {Vec3<Real>{1.5L, 0.7L, 1.1L}, Vec3<Real>{40, 0.2L, 3}, Vec3<Real>{1, 25, 20}}) {
    const auto general = fluid_around_ellipsoid(axes, Real(1));
    const Real volume = axes.x * axes.y * axes.z;
    Vec3<Real> alpha;
    const auto square = [&](std::size_t k) { return axes[k % 3] * axes[k % 3]; };
    for (std::size_t i = 0; i < 3; ++i)
      alpha[i] = 2 * volume / 3 * boost::math::ellint_rd(square(i + 1), square(i + 2), square(i));
    EXPECT_NEAR(static_cast<double>(alpha.x + alpha.y + alpha.z), 2, 32 * eps);
    for (std::size_t i = 0; i < 3; ++i) {
      // 2 - alpha_i is the sum of the others, of which nothing cancels.
      const Real others = alpha[(i + 1) % 3] + alpha[(i + 2) % 3];
      EXPECT_NEAR(static_cast<double>(general.masses[i] / (4 * pi / 3 * volume * alpha[i] / others)), 1, 64 * eps);
    }
  }
  // Between neighbouring shapes the moments change as little as the axes do.
  const auto near = fluid_around_ellipsoid(Vec3<Real>{1, b, b + 1e-6L}, Real(1));
  EXPECT_NEAR(static_cast<double>(near.moments.z / spheroid.moments.z), 1, 1e-5);
  EXPECT_LE(near.moments.x, 1e-11L);
  EXPECT_GT(near.moments.x, 0);
}

TEST(KirchhoffsBody, OrdersAgainstFehlbergOnPlainCoordinates) {
  const auto inverse = moving::inverted(moving::inertia_matrix(J, D, M));
  const auto nothing = [](const auto&, const auto&) {};
  const Real end = 2;
  const Coordinates exact = moving::by_fehlberg(inverse, nothing, moving::coordinates(start), end, 400);
  ASSERT_LT(moving::distance(exact, moving::by_fehlberg(inverse, nothing, moving::coordinates(start), end, 300)),
            2e-17);
  const auto& sys = propeller;
  moving::expect_order<ScrewSplitting>(sys, start, end, exact);
  moving::expect_order<Fourth>(sys, start, end, exact);
  moving::expect_order<Sixth>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::Euler>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<4>>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<6>>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::MuntheKaas<8>>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::CommutatorFree4>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::Midpoint>>(sys, start, end, exact);
  moving::expect_order<OnPoses<lie::Taylor<6>>>(sys, start, end, exact);
}

struct Invariants {
  Real p_squared, p_dot_l, energy;
  Cotwist<Real> momentum_S;
};
Invariants invariants(const MovingState<Real>& s) {
  return {squared_norm(s.mu_B.linear), dot(s.mu_B.linear, s.mu_B.angular), energy(propeller, s), spatial_momentum(s)};
}

// At steps of a third of a radian: momenta to rounding by all, the energy by none.
template <class Method>
void expect_momenta() {
  const Invariants before = invariants(start), after = invariants(moving::run<Method>(propeller, start, 20, 100));
  const double rounding = 100 * 64 * eps;
  EXPECT_NEAR(static_cast<double>(after.p_squared - before.p_squared), 0, rounding);
  EXPECT_NEAR(static_cast<double>(after.p_dot_l - before.p_dot_l), 0, rounding);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(static_cast<double>(after.momentum_S[i] - before.momentum_S[i]), 0, 20 * rounding);  // |r| up to 20
  EXPECT_GE(std::abs(static_cast<double>(after.energy - before.energy)), 1e-9);
}
TEST(KirchhoffsBody, MomentaAreKeptToRounding) {
  expect_momenta<ScrewSplitting>();
  expect_momenta<Fourth>();
  expect_momenta<OnPoses<lie::Euler>>();
  expect_momenta<OnPoses<lie::MuntheKaas<4>>>();
  expect_momenta<OnPoses<lie::CommutatorFree4>>();
  expect_momenta<OnPoses<lie::Midpoint>>();
}

TEST(KirchhoffsBody, EnergyIsBoundedByTheSplitting) {
  const auto split = moving::energy_errors<ScrewSplitting>(propeller, start, 0.1L, 4000);
  EXPECT_GE(split[0], 1e-4);
  EXPECT_NEAR(split[1] / split[0], 1, 0.1);
  const auto drifting = moving::energy_errors<OnPoses<lie::MuntheKaas<4>>>(propeller, start, 0.1L, 4000);
  EXPECT_GE(drifting[1] / drifting[0], 1.8);
}

TEST(KirchhoffsBody, LeadsBackWhereItSaysSo) {
  EXPECT_TRUE(ScrewSplitting::symmetric && Fourth::symmetric && OnPoses<lie::Midpoint>::symmetric);
  EXPECT_LE(moving::not_returned<ScrewSplitting>(propeller, start, 2), 20 * 64 * eps);
  EXPECT_LE(moving::not_returned<Fourth>(propeller, start, 2), 20 * 256 * eps);
  EXPECT_LE(moving::not_returned<OnPoses<lie::Midpoint>>(propeller, start, 2), 20 * 64 * eps);
  EXPECT_FALSE(OnPoses<lie::MuntheKaas<4>>::symmetric);
  EXPECT_GE(moving::not_returned<OnPoses<lie::MuntheKaas<4>>>(propeller, start, 2), 1e-7);
}

TEST(KirchhoffsBody, SplittingsAreSymplectic) {
  const auto defect = []<class Method>(const Method&) {
    return moving::symplectic_defect<Method>(propeller, start, 0.3L);
  };
  EXPECT_TRUE(ScrewSplitting::symplectic && Fourth::symplectic);
  EXPECT_LE(defect(ScrewSplitting{}), 1e-10);
  EXPECT_LE(defect(Fourth{}), 1e-10);
  EXPECT_FALSE(OnPoses<lie::MuntheKaas<4>>::symplectic || OnPoses<lie::Midpoint>::symplectic);
  EXPECT_GE(defect(OnPoses<lie::MuntheKaas<4>>{}), 1e-6);
  EXPECT_GE(defect(OnPoses<lie::CommutatorFree4>{}), 1e-6);
  EXPECT_GE(defect(OnPoses<lie::Midpoint>{}), 1e-6);
}

// A steady helix: with w = k p the momenta stay where they are in the body if, along every axis on which p has a
// component, (1 - k D_i)^2/M_i - k^2 J_i is the same number. The motion is then one screw, y = y(0) exp(t x).
TEST(KirchhoffsBody, SteadyHelicalMotions) {
  const Real J1 = 1, J3 = 2.5L, M1 = 3, M3 = 1.25L, D1 = 0.2L, D3 = -0.3L;
  const MovingSystem<Real> sys{MovingBody<Real>(diagonal(Vec3<Real>{J1, J1, J3}), diagonal(Vec3<Real>{D1, D1, D3}),
                                                diagonal(Vec3<Real>{M1, M1, M3}))};
  const Real a = D1 * D1 / M1 - J1 - D3 * D3 / M3 + J3, b = -2 * (D1 / M1 - D3 / M3), c = 1 / M1 - 1 / M3;
  const Real k = (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
  const Vec3<Real> p{0.6L, 0, 0.9L}, w = k * p, v{(1 - k * D1) / M1 * p.x, 0, (1 - k * D3) / M3 * p.z};
  const Twist<Real> x{w, v};
  const MovingState<Real> begin{start.y_SB, sys.body.momentum(x), 0};
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(begin.mu_B.linear[i] - p[i]), 0, 8 * eps);
  const Real end = 12;
  const Coordinates exact = moving::coordinates({start.y_SB * exp(end * x), begin.mu_B, end});
  const auto missed = [&]<class Method>(const Method&, int steps) {
    return moving::distance(moving::coordinates(moving::run<Method>(sys, begin, end, steps)), exact);
  };
  EXPECT_LE(missed(OnPoses<lie::Euler>{}, 10), 10 * 64 * eps);
  EXPECT_LE(missed(OnPoses<lie::MuntheKaas<4>>{}, 10), 10 * 64 * eps);
  EXPECT_LE(missed(OnPoses<lie::Taylor<4>>{}, 10), 10 * 64 * eps);
  EXPECT_GE(missed(ScrewSplitting{}, 100), 1e-5);
  EXPECT_NEAR(missed(ScrewSplitting{}, 200) / missed(ScrewSplitting{}, 400), 4, 0.1);
}

// A body of revolution that tumbles in a plane: with l along e_2 and p in the plane of e_1 and e_3, the angle f from e_3 to
// p is a pendulum's, J f'' = -P^2 (1/M_1 - 1/M_3) sin f cos f, so that sin f = k sn(n t, k) for a swing of amplitude
// asin k about the axis of the smaller mobility [L32, Ch. VI].
TEST(KirchhoffsBody, TumblesLikeAPendulum) {
  const auto body = ellipsoid_in_fluid(Vec3<Real>{1, 1, 0.4L}, Real(1.5L), Real(1));
  const MovingSystem<Real> sys{body};
  const auto mobility = [&](std::size_t i) {
    Vec3<Real> unit{};
    unit[i] = 1;
    return body.glide(unit)[i];
  };
  const Real P = 2, k = 0.8L, J2 = body.momentum(Twist<Real>{{0, 1, 0}, {}}).angular.y;
  // Broadside on, along the axis, this body is heaviest: p swings about e_3.
  ASSERT_LT(mobility(2), mobility(0));
  const Real rate = P * std::sqrt((mobility(0) - mobility(2)) / J2);
  // p = P (sin f, 0, cos f) with f' = -w_2 in body axes; at t = 0, f = 0 and sin f = k sn has f' = k n.
  const MovingState<Real> begin{{}, {{0, -J2 * k * rate, 0}, {0, 0, P}}, 0};
  const Real end = 7;
  const auto s = moving::run<OnPoses<lie::MuntheKaas<8>>>(sys, begin, end, 400);
  const Real sine = k * boost::math::jacobi_sn(k, rate * end);
  EXPECT_NEAR(static_cast<double>(s.mu_B.linear.x / P - sine), 0, 1e-15);
  EXPECT_NEAR(static_cast<double>(s.mu_B.linear.y), 0, 1e-15);
  const auto coarse = moving::run<ScrewSplitting>(sys, begin, end, 400);
  EXPECT_NEAR(static_cast<double>(coarse.mu_B.linear.x / P - sine), 0, 1e-3);
}

// Without translation and in principal axes the screws are turns: the catalogue's splitting by axes.
TEST(ScrewSplittings, TurnAboutPrincipalAxes) {
  const Vec3<double> moments{0.9, 1.1, 1.7};
  const MovingSystem<double> sys{MovingBody<double>(moments, 2.0)};
  const System<double, Free> free{Body<double>(moments), {}};
  const Vec3<double> pi_B{0.7, -1.4, 1.9};
  MovingState<double> s{{}, {pi_B, {}}, 0};
  State<double> r{{}, pi_B, 0};
  using Catalogue = AxisSplitting<1, 2, 3>;
  Work work;
  auto memory = polhode::start<Catalogue>(free, r, 0.1, work);
  for (int n = 0; n < 20; ++n) {
    s = ScrewSplitting::step(sys, s, 0.1);
    r = advance<Catalogue>(free, r, memory, 0.1, work);
  }
  const double rounding = 20 * 8 * std::numeric_limits<double>::epsilon();
  EXPECT_LE(chordal_distance(s.y_SB.rotation, r.R_SB), rounding);
  EXPECT_LE(norm(s.mu_B.angular - r.pi_B), rounding);
}

TEST(MovingMethods, AllocateNothing) {
  const long long before = allocations;
  moving::run<Fourth>(propeller, start, 1, 2);
  moving::run<OnPoses<lie::MuntheKaas<8>>>(propeller, start, 1, 2);
  moving::run<OnPoses<lie::Taylor<6>>>(propeller, start, 1, 2);
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace polhode::moving_body_test
