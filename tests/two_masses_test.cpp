// The dumbbell from its masses and the length of its bar, in potentials V(d) that are not linear in the direction: torque,
// reduction to the uniform field of the paper's example, and what the variational method makes of it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/dumbbell.hpp"

namespace polhode::test::two_masses_test {
namespace {

using V = Vec3<double>;

// Two unequal masses, pushed by two forces and attracted by a point that is off all axes and comes close.
template <class T>
TwoMasses<T> attracted() {
  return {T(1.5),
          T(0.75),
          T(2),
          {T(0), T(0), T(1)},
          {T(0.2), T(-0.3), T(0.5)},
          {T(-0.1), T(0.4), T(0.3)},
          T(2),
          {T(0.9), T(-1.1), T(1.3)}};
}
// m1 m2 b^2/(m1 + m2) = 1.5 0.75 4/2.25 = 2.
template <class T>
System<T, TwoMasses<T>> system() {
  return {Body<T>({T(2), T(2), T(0.7)}), attracted<T>()};
}
template <class T>
State<T> generic_start() {
  return {exp(Vec3<T>{T(0.3), T(-0.5), T(0.8)}), {T(1.7), T(-1.2), T(0)}, T(0.25)};
}

TEST(TwoMassesField, HasTheMomentOfTwoPoints) {
  EXPECT_DOUBLE_EQ(attracted<double>().moment(), 2);
  const TwoMasses<double> f{3, 0.5, 1.3};
  // About the centre of mass, each mass by the square of its distance.
  const double first = 1.3 * 0.5 / 3.5, second = 1.3 * 3 / 3.5;
  EXPECT_NEAR(f.moment(), 3 * first * first + 0.5 * second * second, 1e-15);
}

// The masses where they are, each with its forces, and the sum of x_i x F_i.
RC_GTEST_PROP(TwoMassesField, TorqueIsThatOfTheForcesOnTheMasses, ()) {
  TwoMasses<double> f{*random::real(0.2, 2), *random::real(0.2, 2), *random::real(0.2, 2), *random::direction(),
                      *random::vector(2.0),  *random::vector(2.0),  *random::real(0, 2),   *random::vector(2.0)};
  const Rotation<double> q = *random::rotation();
  const V d = q * f.axis_body, x_2 = -(f.length * f.mass_1 / (f.mass_1 + f.mass_2)) * d, x_1 = x_2 + f.length * d;
  const double r_1 = norm(x_1 - f.centre), r_2 = norm(x_2 - f.centre);
  RC_PRE(r_1 > 0.1 && r_2 > 0.1);
  const V gravity_1 = (f.attraction * f.mass_1 / (r_1 * r_1 * r_1)) * (f.centre - x_1);
  const V gravity_2 = (f.attraction * f.mass_2 / (r_2 * r_2 * r_2)) * (f.centre - x_2);
  const V torque_S = cross(x_1, f.force_1 + gravity_1) + cross(x_2, f.force_2 + gravity_2);
  const double size =
      norm(f.force_1) + norm(f.force_2) + norm(gravity_1) * (1 + 3 / r_1) + norm(gravity_2) * (1 + 3 / r_2);
  RC_ASSERT(norm(q * f.torque(q, 0.0) - torque_S) <= 1e-14 * (1 + f.length) * size);
}

// Central differences of V over turns of 1e-4 rad: h^2/6 of the third derivative, and the rounding of V over h.
TEST(TwoMassesField, TorqueIsMinusTheDifferencesOfThePotential) {
  const TwoMasses<double> f = attracted<double>();
  const Rotation<double> q = generic_start<double>().R_SB;
  const V torque = f.torque(q, 0.0);
  for (std::size_t k = 0; k < 3; ++k) {
    V e{};
    e[k] = 1e-4;
    EXPECT_NEAR(-(f.potential(q * exp(e)) - f.potential(q * exp(-e))) / 2e-4, torque[k], 1e-7) << k;
  }
  EXPECT_GT(norm(torque), 0.1);
}

// [R08, Sec. 7.2]: moment 2 and V = -d . g with g = 3 e3, as two masses of 1 kg at a distance of 2 m.
TEST(TwoMassesField, WithForcesAloneIsThePapersUniformField) {
  const V g{0.4, -1.1, 3};
  const UniformField<double> uniform{g};
  TwoMasses<double> one_sided{1, 1, 2};
  one_sided.force_1 = g;
  TwoMasses<double> two_sided{3, 1.5, 2};  // g = b (m2 f_1 - m1 f_2)/(m1 + m2)
  two_sided.force_1 = g;
  two_sided.force_2 = -0.25 * g;
  EXPECT_DOUBLE_EQ(one_sided.moment(), 2);
  EXPECT_DOUBLE_EQ(two_sided.length * (1.5 + 3 * 0.25) / 4.5, 1);
  for (const double angle : {0.3, 1.7, 2.9}) {
    const Rotation<double> q = exp(angle * V{0.48, -0.6, 0.64});
    for (const TwoMasses<double>& f : {one_sided, two_sided}) {
      EXPECT_LT(norm(f.torque(q, 0.0) - uniform.torque(q, 0.0)), 4e-15);
      EXPECT_NEAR(f.potential(q), uniform.potential(q, 0.0), 4e-15);
    }
  }
  Work work;
  const Body<double> body({2, 2, 2});
  const auto a = integrate<DumbbellVariational>(System{body, one_sided}, generic_start<double>(), 0.05, 100, work);
  const auto b = integrate<DumbbellVariational>(System{body, uniform}, generic_start<double>(), 0.05, 100, work);
  EXPECT_LT(distance(a, b), 1e-13);
}

// Gravity that is the same everywhere pulls masses in proportion, and turns nothing.
TEST(TwoMassesField, UniformGravityTurnsNothing) {
  TwoMasses<double> f{1.5, 0.75, 2};
  f.force_1 = {0, 0, -9.81 * 1.5};
  f.force_2 = {0, 0, -9.81 * 0.75};
  EXPECT_LT(norm(f.torque(generic_start<double>().R_SB, 0.0)), 1e-14);
}

// Any V(d) as a callable; here the dumbbell's own, written down again.
const auto same_potential = [](const auto& d) {
  const Vec3<double> c{0.9, -1.1, 1.3},
      pull{0.2 * 2 / 3 + 0.1 * 4 / 3, -0.3 * 2 / 3 - 0.4 * 4 / 3, 0.5 * 2 / 3 - 0.3 * 4 / 3};
  const auto away = [&](double a) { return sqrt(squared_norm(a * d - cast<std::decay_t<decltype(d.x)>>(c))); };
  return -(pull.x * d.x + pull.y * d.y + pull.z * d.z) - 3.0 / away(2.0 / 3) - 1.5 / away(-4.0 / 3);
};

TEST(DirectionPotential, FindsTheTorqueByItself) {
  const DirectionPotential any{same_potential};
  const TwoMasses<double> f = attracted<double>();
  for (const double angle : {0.3, 1.7, 2.9}) {
    const Rotation<double> q = exp(angle * V{0.48, -0.6, 0.64});
    EXPECT_LT(norm(any.torque(q, 0.0) - f.torque(q, 0.0)), 1e-14) << angle;
    EXPECT_NEAR(any.potential(q), f.potential(q), 1e-14) << angle;
  }
  Work work;
  const auto a =
      integrate<DumbbellVariational>(System{Body<double>({2, 2, 2}), any}, generic_start<double>(), 0.05, 100, work);
  const auto b = integrate<DumbbellVariational>(system<double>(), generic_start<double>(), 0.05, 100, work);
  EXPECT_LT(distance(a, b), 1e-12);
}

TEST(DumbbellVariational, IsOfOrderTwoInAnyPotential) {
  using Real = long double;
  Work work;
  const auto exact = integrate<Taylor<12>>(system<Real>(), generic_start<Real>(), Real(4) / 4000, 4000, work);
  const auto measured = orders<DumbbellVariational>(system<Real>(), generic_start<Real>(), exact, 4, 64, 2e-15, 2e-2);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->attitude, 2, 0.1);
  EXPECT_NEAR(measured->momentum, 2, 0.1);
}

// Forwards and back, and for 20000 steps without a drift: by the method on the sphere, and by one for bodies.
TEST(DumbbellVariational, IsSymmetricAndKeepsTheEnergyInAnyPotential) {
  EXPECT_LT(symmetry_gap<DumbbellVariational>(system<double>(), generic_start<double>(), 0.1, 20), 1e-12);
  const double scale = std::abs(energy(system<double>().body, attracted<double>(), generic_start<double>()));
  for (const EnergyError& error :
       {energy_error<DumbbellVariational>(system<double>(), generic_start<double>(), 0.02, 80000),
        energy_error<AxisSplitting<1, 2, 3>>(system<double>(), generic_start<double>(), 0.02, 80000)}) {
    EXPECT_TRUE(error.stays()) << testing::PrintToString(error.mean) << ", " << error.largest;
    EXPECT_GT(error.largest, 1e-6 * scale);
    EXPECT_LT(error.largest, 0.05 * scale);
  }
}

}  // namespace
}  // namespace polhode::test::two_masses_test
