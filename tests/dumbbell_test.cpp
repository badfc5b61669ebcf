// The dumbbell's methods, by themselves: order, symmetry, symplecticity and invariants on a field that is off all axes,
// and the pendulum in closed form. How they are had by name is tested in sphere_test.cpp.
#include "polhode/methods/dumbbell.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "polhode/core/dual.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/taylor.hpp"

namespace polhode::dumbbell_test {
namespace {

// A moment of 2 about all axes across the dumbbell; the third is nobody's business.
template <class T>
Body<T> dumbbell() {
  return Body<T>({T(2), T(2), T(0.7)});
}
template <class T>
UniformField<T> oblique_field() {
  return {{T(0.4), T(-1.1), T(2.5)}};
}
template <class T>
State<T> generic_start() {
  return {exp(Vec3<T>{T(0.3), T(-0.5), T(0.8)}), {T(3.2), T(-2.1), T(0)}, T(0.25)};
}

// A field that grows, shrinks and turns: nothing is conserved in it but what a method makes up.
const auto restless = [](const auto& t) {
  return Vec3<std::decay_t<decltype(t)>>{0.4 + sin(2.0 * t), cos(3.0 * t) - 1.1, 2.5 - 0.5 * t};
};

template <class M, class T, class F>
State<T> integrate(const System<T, F>& sys, State<T> s, const T& duration, int steps, Work& work) {
  const T t0 = s.t, h = duration / T(steps);
  auto memory = start<M>(sys, s, h, work);
  for (int n = 0; n < steps; ++n) {
    s.t = t0 + T(n) * h;
    s = advance<M>(sys, s, memory, h, work);
  }
  return s;
}

template <class M>
class DumbbellMethod : public testing::Test {};
using Methods = testing::Types<DumbbellVariational, DumbbellMidpoint, DumbbellConserving>;
TYPED_TEST_SUITE(DumbbellMethod, Methods);

// The reference is a method for bodies, which knows nothing of the sphere.
template <class M, class F>
void expect_order_two(const F& field) {
  using T = long double;
  const System system{dumbbell<T>(), field};
  Work work;
  const State<T> exact = integrate<Taylor<12>>(system, generic_start<T>(), T(4), 1000, work);
  std::vector<ErrorAtStep> direction, attitude, momentum;
  for (int steps = 40; steps <= 1280; steps *= 2) {
    const State<T> s = integrate<M>(system, generic_start<T>(), T(4), steps, work);
    direction.push_back({4.0 / steps, static_cast<double>(direction_error(s, exact))});
    attitude.push_back({4.0 / steps, static_cast<double>(attitude_error(s, exact))});
    momentum.push_back({4.0 / steps, static_cast<double>(momentum_error(s, exact))});
  }
  for (const auto* errors : {&direction, &attitude, &momentum}) {
    const auto fit = observed_order(*errors, 1e-15, 2e-2);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->order, 2, 0.1);
  }
  EXPECT_TRUE(work.converged);
}

TYPED_TEST(DumbbellMethod, IsOfOrderTwo) { expect_order_two<TypeParam>(oblique_field<long double>()); }
TYPED_TEST(DumbbellMethod, IsOfOrderTwoInAFieldThatChanges) { expect_order_two<TypeParam>(UniformFieldFrom{restless}); }

template <class M, class F>
double gap_after_return(const F& field) {
  const System system{dumbbell<double>(), field};
  const double h = 0.4;
  State<double> s = generic_start<double>();
  Work work;
  auto memory = start<M>(system, s, h, work);
  for (int n = 0; n < 20; ++n) s = advance<M>(system, s, memory, h, work);
  memory = memory.reversed();
  for (int n = 0; n < 20; ++n) s = advance<M>(system, s, memory, -h, work);
  return angle_between(s.R_SB, generic_start<double>().R_SB) + norm(s.pi_B - generic_start<double>().pi_B);
}

TYPED_TEST(DumbbellMethod, IsSymmetricInTime) {
  EXPECT_LT(gap_after_return<TypeParam>(oblique_field<double>()), 1e-12);
  EXPECT_LT(gap_after_return<TypeParam>(UniformFieldFrom{restless}), 1e-12);
}

// On T*S^2 as a part of R^6: the direction d and p = I d' = l x d, with the two-form dp . dd. Its value on the tangent
// vectors, which dual numbers carry through the steps, must stay what it was at the start.
template <class M>
double symplectic_defect(double h, int steps) {
  using Number = Dual<double, 4>;
  const System system{dumbbell<Number>(), oblique_field<Number>()};
  State<Number> s = generic_start<Number>();
  // Along the sphere by two turns across e3, and along the fibre by the momentum across it. A turn of the frame turns
  // the momentum with it: that is motion along the fibre too, and the start has its own value of the form.
  s.R_SB = s.R_SB * exp(Vec3<Number>{Number::variable(0, 0), Number::variable(0, 1), Number(0)});
  s.pi_B.x = Number::variable(s.pi_B.x.value, 2);
  s.pi_B.y = Number::variable(s.pi_B.y.value, 3);

  const auto form = [](const State<Number>& at) {
    const Vec3<Number> d = third_axis(at.R_SB), p = cross(spatial_momentum(at), d);
    std::array<std::array<double, 4>, 4> value{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 3; ++k) value[i][j] += p[k].d[i] * d[k].d[j] - p[k].d[j] * d[k].d[i];
    return value;
  };
  const auto before = form(s);
  Work work;
  auto memory = start<M>(system, s, Number(h), work);
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, Number(h), work);
  const auto after = form(s);
  double defect = 0, largest = 1;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double difference = std::abs(after[i][j] - before[i][j]);
      defect = std::isfinite(difference) ? std::max(defect, difference) : HUGE_VAL;
    }
    const Vec3<Number> d = third_axis(s.R_SB);
    for (std::size_t k = 0; k < 3; ++k) largest = std::max({largest, std::abs(s.pi_B[k].d[i]), std::abs(d[k].d[i])});
  }
  return defect / (largest * largest);
}

TYPED_TEST(DumbbellMethod, IsSymplecticAsClaimed) {
  EXPECT_LT(symplectic_defect<Taylor<12>>(0.01, 6), 1e-13);  // the exact flow: the form and its sign are right
  const double defect = symplectic_defect<TypeParam>(0.3, 6);
  if (TypeParam::claims.symplectic) {
    EXPECT_LT(defect, 1e-13);
  } else {
    EXPECT_GT(defect, 1e-9);
  }
}

double worse(double a, double b) { return std::isfinite(b) ? std::max(a, b) : HUGE_VAL; }

// Rounding walks at random, a few units of the last place a step.
constexpr int many_steps = 20000;
const double walk = 5e-15 * std::sqrt(many_steps);

TYPED_TEST(DumbbellMethod, KeepsMomentumAndEnergyAsClaimed) {
  const UniformField<double> field = oblique_field<double>();
  const Vec3<double> axis = field.field / norm(field.field);
  const System system{dumbbell<double>(), field};
  State<double> s = generic_start<double>();
  const double momentum = dot(spatial_momentum(s), axis), first = energy(system.body, field, s);
  Work work;
  auto memory = start<TypeParam>(system, s, 0.1, work);
  double momentum_change = 0, spin = 0;
  std::vector<double> windows(8, 0.0);
  for (int n = 0; n < many_steps; ++n) {
    s = advance<TypeParam>(system, s, memory, 0.1, work);
    momentum_change = worse(momentum_change, std::abs(dot(spatial_momentum(s), axis) - momentum));
    spin = worse(spin, std::abs(s.pi_B.z));
    double& window = windows[static_cast<std::size_t>(8 * n / many_steps)];
    window = worse(window, std::abs(energy(system.body, field, s) - first));
  }
  EXPECT_LT(momentum_change, walk);
  EXPECT_EQ(spin, 0);
  EXPECT_TRUE(work.converged);
  const double largest = *std::max_element(windows.begin(), windows.end());
  if (TypeParam::claims.energy == Keeps::exact) {
    EXPECT_LT(largest, walk);
  } else {
    EXPECT_GT(largest, 1e-6);
    EXPECT_LT(std::max(windows[6], windows[7]), 1.1 * std::max(windows[0], windows[1]));
  }
}

// The body axes turn with the direction; only the momentum in space stands still.
TYPED_TEST(DumbbellMethod, WithoutFieldGoesAlongAGreatCircle) {
  const System system{dumbbell<double>(), Free{}};
  State<double> s = generic_start<double>();
  const Vec3<double> momentum = spatial_momentum(s);
  const double first = system.body.kinetic_energy(s.pi_B);
  Work work;
  auto memory = start<TypeParam>(system, s, 0.1, work);
  double change = 0, energy_change = 0, off = 0;
  for (int n = 0; n < many_steps; ++n) {
    s = advance<TypeParam>(system, s, memory, 0.1, work);
    change = worse(change, norm(spatial_momentum(s) - momentum));
    energy_change = worse(energy_change, std::abs(system.body.kinetic_energy(s.pi_B) - first));
    off = worse(off, std::abs(dot(third_axis(s.R_SB), momentum)));
  }
  EXPECT_LT(change, walk);
  EXPECT_LT(energy_change, walk);
  EXPECT_LT(off, walk);
  EXPECT_EQ(work.torque_evaluations, 0);
}

// In a plane it is a pendulum, I theta'' = -g sin theta. From the bottom with theta' = 2 k w, w = sqrt(g/I):
// sin(theta/2) = k sn(w t, k) for k < 1, when it swings with period 4 K(k)/w; sn(k w t, 1/k) for k > 1, when it goes
// over.
Vec3<long double> pendulum(long double k, long double w, long double t) {
  const bool swings = k < 1;
  const long double u = swings ? w * t : k * w * t, modulus = swings ? k : 1 / k;
  long double cn = 0, dn = 0;
  const long double sn = boost::math::jacobi_elliptic(modulus, u, &cn, &dn);
  const long double sine = swings ? k * sn : sn, cosine = swings ? dn : cn;  // of half the angle
  return {2 * sine * cosine, 0, 1 - 2 * sine * sine};
}

template <class M>
std::vector<ErrorAtStep> pendulum_errors(long double k, long double duration, int fewest) {
  using T = long double;
  const T g = 3, w = std::sqrt(g / 2);
  const System system{dumbbell<T>(), UniformField<T>{{0, 0, g}}};
  const State<T> bottom{{}, {0, 2 * 2 * k * w, 0}, 0};
  std::vector<ErrorAtStep> errors;
  for (int steps = fewest; steps <= 16 * fewest; steps *= 2) {
    Work work;
    const State<T> s = integrate<M>(system, bottom, duration, steps, work);
    errors.push_back({static_cast<double>(duration) / steps,
                      static_cast<double>(angle_between(third_axis(s.R_SB), pendulum(k, w, duration)))});
  }
  return errors;
}

TYPED_TEST(DumbbellMethod, ConvergesToThePendulum) {
  for (const long double k : {0.2L, 0.9L, 1.3L}) {
    const auto fit = observed_order(pendulum_errors<TypeParam>(k, 7, 100), 1e-15, 2e-2);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->order, 2, 0.1) << static_cast<double>(k);
  }
}

// The closed form is right, and so is the field: order 12 with 4000 steps of 0.006 rad leaves only rounding.
TEST(Pendulum, IsWhereTheTaylorMethodPutsIt) {
  for (const long double k : {0.2L, 0.9L, 1.3L}) {
    const ErrorAtStep finest = pendulum_errors<Taylor<12>>(k, 7, 250).back();
    EXPECT_LT(finest.error, 1e-16) << static_cast<double>(k);
  }
}

TEST(Pendulum, ReturnsAfterAPeriod) {
  using T = long double;
  const T k = 0.9L, w = std::sqrt(T(3) / 2), period = 4 * boost::math::ellint_1(k) / w;
  const System system{dumbbell<T>(), UniformField<T>{{0, 0, 3}}};
  const State<T> bottom{{}, {0, 4 * k * w, 0}, 0};
  Work work;
  const State<T> s = integrate<DumbbellConserving>(system, bottom, period, 4000, work);
  EXPECT_LT(direction_error(s, bottom), 1e-5L);
  // Within a tenth of a period it was elsewhere.
  const State<T> early = integrate<DumbbellConserving>(system, bottom, T(0.9L * period), 3600, work);
  EXPECT_GT(direction_error(early, bottom), 0.5L);
}

// Equation (50) as the paper has it, with the rates between the times, the start-up and unequal steps, on matrices.
TEST(DumbbellVariational, IsThePapersWithUnequalSteps) {
  const UniformField<double> field = oblique_field<double>();
  const Body<double> body = dumbbell<double>();
  const Vec3<double> e3{0, 0, 1};
  State<double> s = generic_start<double>();
  Mat3<double> R = matrix(s.R_SB);
  const auto torque = [&](const Mat3<double>& at) {
    const Vec3<double> g = field.field;
    return cross(e3, Vec3<double>{at[0][0] * g.x + at[1][0] * g.y + at[2][0] * g.z,
                                  at[0][1] * g.x + at[1][1] * g.y + at[2][1] * g.z,
                                  at[0][2] * g.x + at[1][2] * g.y + at[2][2] * g.z});
  };
  const auto step_size = [](int n) { return 0.05 + 0.03 * std::sin(1.7 * n); };
  const double I = body.inertia.x;
  double before = step_size(0);
  Vec3<double> rate = body.velocity(s.pi_B) - (before / (2 * I)) * torque(R);
  Work work;
  auto memory = start<DumbbellVariational>(System{body, field}, s, before, work);
  for (int n = 0; n < 200; ++n) {
    const double h = step_size(n);
    rate += ((before + h) / (2 * I)) * torque(R);
    const Mat3<double> turn = matrix(exp(h * rate));
    Mat3<double> next{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) next[i][j] += R[i][k] * turn[k][j];
    const State<double> last = s;
    s = advance<DumbbellVariational>(System{body, field}, s, memory, h, work);
    R = next;
    before = h;
    const Vec3<double> d{R[0][2], R[1][2], R[2][2]};
    ASSERT_LT(norm(third_axis(s.R_SB) - d), 1e-12) << n;
    ASSERT_LT(norm(log(inverse(last.R_SB) * s.R_SB) / h - rate), 1e-11) << n;
  }
  EXPECT_EQ(work.torque_evaluations, 201);
}

// [R08, Sec. 6.1], whatever the method claims of itself.
TEST(DumbbellVariational, IsSymplectic) { EXPECT_LT(symplectic_defect<DumbbellVariational>(0.3, 6), 1e-13); }

// Momenta (44) and (48) of the paper, I (R_n + R_(n+1))/2 w and I R_(n+1/2) w with w the rate of the step, are one and
// the same, because the step turns about w; along the field both are constant.
TEST(DumbbellVariational, BothMomentaOfThePaperAreConserved) {
  const UniformField<double> field = oblique_field<double>();
  const Vec3<double> axis = field.field / norm(field.field);
  const System system{dumbbell<double>(), field};
  State<double> s = generic_start<double>();
  Work work;
  auto memory = start<DumbbellVariational>(system, s, 0.05, work);
  double first = 0;
  for (int n = 0; n < 100; ++n) {
    const State<double> last = s;
    s = advance<DumbbellVariational>(system, s, memory, 0.05, work);
    const Vec3<double> x = log(inverse(last.R_SB) * s.R_SB), rate = x / 0.05;
    const Vec3<double> averaged = 2.0 * (0.5 * (last.R_SB * rate + s.R_SB * rate));
    const Vec3<double> halfway = 2.0 * (last.R_SB * exp(0.5 * x) * rate);
    EXPECT_LT(norm(averaged - halfway), 1e-13);
    if (n == 0) first = dot(halfway, axis);
    EXPECT_NEAR(dot(averaged, axis), first, 1e-13);
    EXPECT_NEAR(dot(halfway, axis), first, 1e-13);
  }
}

// Increments are free of twist; the attitude is not, once the direction has gone around a loop.
TYPED_TEST(DumbbellMethod, OnlyIncrementsAreWithoutDrill) {
  const System system{dumbbell<double>(), oblique_field<double>()};
  State<double> s = generic_start<double>();
  s.R_SB = drill_free(third_axis(s.R_SB));
  Work work;
  auto memory = start<TypeParam>(system, s, 0.05, work);
  double drill = 0;
  for (int n = 0; n < 200; ++n) {
    const State<double> last = s;
    s = advance<TypeParam>(system, s, memory, 0.05, work);
    EXPECT_LT(std::abs(log(inverse(last.R_SB) * s.R_SB).z), 1e-15);
    drill = larger(drill, angle_between(drill_free(third_axis(s.R_SB)), s.R_SB));
  }
  EXPECT_GT(drill, 0.1);
}

// The Jacobian that Newton's method is given, against that which dual numbers find.
template <class Increment>
void expect_jacobian(const Vec3<double>& at) {
  using D = Dual<double, 3>;
  using M = DumbbellImplicit<Increment>;
  const Vec3<double> g{0.4, -1.1, 2.5}, pi{3.2, -2.1, 0};
  const double h = 0.7, per_moment = 0.5;
  const Equation<double> e = M::misfit(at, g, pi, h, per_moment);
  const Vec3<D> x{D::variable(at.x, 0), D::variable(at.y, 1), D::variable(at.z, 2)};
  const Equation<D> dual = M::misfit(x, cast<D>(g), cast<D>(pi), D(h), D(per_moment));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(e.jacobian[i][j], dual.value[i].d[j], 1e-14) << i << j;
}

TEST(DumbbellEquation, HasTheJacobianItSays) {
  // From nothing, across the switch from polynomials to closed forms at |x| = 2 sqrt(0.6175), and beyond.
  for (const double size : {0.0, 1e-9, 0.3, 1.5715, 1.5717, 2.5}) {
    expect_jacobian<CayleyIncrement>({0.6 * size, -0.8 * size, 0});
    expect_jacobian<ExponentialIncrement>({0.6 * size, -0.8 * size, 0});
  }
}

template <class M>
double iterations_per_step(double h) {
  const System system{dumbbell<double>(), oblique_field<double>()};
  Work work;
  const int steps = 200;
  integrate<M>(system, generic_start<double>(), steps * h, steps, work);
  EXPECT_TRUE(work.converged) << h;
  return static_cast<double>(work.solver_iterations) / steps;
}

TEST(DumbbellEquation, TakesFewIterations) {
  // The rate is below 2.5 rad/s: steps of up to 0.3 rad.
  for (const double h : {0.12, 0.01, 0.001}) {
    EXPECT_LE(iterations_per_step<DumbbellMidpoint>(h), 2.5) << h;
    EXPECT_LE(iterations_per_step<DumbbellConserving>(h), 2.5) << h;
  }
}

// However long the step: either the equation is solved, and then the energy is kept, or the work says that it is not.
template <class M>
int failures_in_long_steps() {
  std::mt19937 generator(1);
  std::uniform_real_distribution<> spread(-1, 1);
  const auto draw = [&](double size) { return size * spread(generator); };
  int failures = 0;
  for (int n = 0; n < 2000; ++n) {
    const System system{dumbbell<double>(), UniformField<double>{{draw(3), draw(3), draw(3)}}};
    const State<double> s{exp(Vec3<double>{draw(3), draw(3), draw(3)}), {draw(6), draw(6), 0}, 0};
    const double h = 5 * std::exp(draw(3));
    Work work;
    const State<double> next = M::step(system, s, h, work);
    EXPECT_TRUE(all_finite(next)) << n;
    if (!work.converged) {
      ++failures;
      EXPECT_LT(work.share_reached, 1) << n;
      EXPECT_GT(work.residual, 0) << n;
      continue;
    }
    // Rounding of the increment, times the slope of the torque: with the exponential map that is the slope of a
    // tangent.
    const double tangent = std::tan(angle_between(s.R_SB, next.R_SB) / 2);
    EXPECT_NEAR(energy(system.body, system.field, next), energy(system.body, system.field, s),
                1e-14 * (1 + h * h) * (1 + tangent * tangent))
        << n;
  }
  return failures;
}

TEST(DumbbellEquation, FailsOnlyWithNotice) {
  EXPECT_GT(failures_in_long_steps<DumbbellMidpoint>(), 0);
  EXPECT_GT(failures_in_long_steps<DumbbellConserving>(), 0);
}

}  // namespace
}  // namespace polhode::dumbbell_test
