// The equations of the implicit methods: Jacobians against dual numbers, roots that are roots, failures that say so.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"
#include "polhode/methods/energy_momentum.hpp"
#include "polhode/methods/implicit_midpoint.hpp"
#include "polhode/methods/newmark.hpp"
#include "polhode/methods/newmark_beta.hpp"
#include "polhode/model/callable.hpp"

namespace polhode::test::implicit_equations_test {
namespace {

using D = Dual<double, 3>;

Vec3<D> variables(const Vec3<double>& x) {
  Vec3<D> v;
  for (std::size_t k = 0; k < 3; ++k) v[k] = D::variable(x[k], k);
  return v;
}

// The Jacobian that the equation states and the derivatives of its value. Terms of order 1 to 10.
void expect_consistent(const Equation<D>& at) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(at.jacobian[i][k].value, at.value[i].d[k], 1e-13) << i << k;
}

const Vec3<double> point{1.3, -2.1, 0.8};

TEST(Jacobian, OfTheGyroscopicEquation) {
  const D a(0.4), share(0.7);
  const GyroscopicEquation<D> equation{a * gyration(three_moments<D>()), {D(1.0), D(-2.0), D(0.5)}};
  expect_consistent(equation(variables(point), share));
}

TEST(Jacobian, InLineIsTheSolversOwn) {
  const GyroscopicEquation<double> equation{0.4 * gyration(three_moments()), {1.0, -2.0, 0.5}};
  const Equation<double> at = equation(point, 1.0);
  EXPECT_LT(norm(equation.newton_change(point) - solve_linear(at.jacobian, at.value)), 1e-15);
}

// With torque of the velocity as well, at angles on both sides of the switches of the series.
template <template <class, class> class MethodEquation>
void expect_consistent_with_torque() {
  const auto torque = [](const auto& R_SB, const auto& w_B, const auto& t) {
    const auto up = inverse(R_SB) * Vec3<double>{0.36, 0.48, 0.8};
    return Vec3<std::decay_t<decltype(t)>>{3.0 * up.y - 0.3 * w_B.x * w_B.y, up.x * up.z - 0.1 * w_B.y,
                                           up.x - 0.4 * w_B.z};
  };
  const System system{three_moments<D>(), field_from(torque)};
  const State<D> s{cast<D>(exp(Vec3<double>{0.3, -0.5, 0.8})), {D(1.0), D(-2.0), D(1.5)}, D(0.25)};
  for (const double h : {1e-3, 0.1, 0.5, 1.5, 4.0}) {
    Work work;
    const MethodEquation<D, decltype(system.field)> equation{system, s, D(h), work};
    expect_consistent(equation(variables(point), D(0.7)));
  }
}

template <class T, class F>
using CayleyMidpoint = MidpointEquation<Increment::cayley, T, std::remove_const_t<F>>;
template <class T, class F>
using ExponentialMidpoint = MidpointEquation<Increment::exponential, T, std::remove_const_t<F>>;
template <class T, class F>
using Conserving = EnergyMomentumEquation<T, std::remove_const_t<F>>;

TEST(Jacobian, OfTheMidpointRule) {
  expect_consistent_with_torque<CayleyMidpoint>();
  expect_consistent_with_torque<ExponentialMidpoint>();
}

TEST(Jacobian, OfTheConservingMethod) { expect_consistent_with_torque<Conserving>(); }

// Of the acceleration, with a torque of the attitude, the velocity and the time.
TEST(Jacobian, OfNewmarkWithBeta) {
  const auto torque = [](const auto& R_SB, const auto& w_B, const auto& t) {
    const auto up = inverse(R_SB) * Vec3<double>{0.36, 0.48, 0.8};
    return Vec3<std::decay_t<decltype(t)>>{3.0 * up.y - 0.3 * w_B.x * w_B.y, up.x * up.z - 0.1 * w_B.y,
                                           up.x - 0.4 * w_B.z};
  };
  const System system{three_moments<D>(), field_from(torque)};
  const State<D> s{cast<D>(exp(Vec3<double>{0.3, -0.5, 0.8})), {D(1.0), D(-2.0), D(1.5)}, D(0.25)};
  using Field = std::remove_const_t<decltype(system.field)>;
  for (const auto& [beta, gamma] : {std::pair(0.25, 0.5), std::pair(0.4, 0.8), std::pair(0.0, 0.6)}) {
    for (const double h : {1e-3, 0.1, 0.5, 1.5}) {
      Work work;
      const newmark::BetaEquation<D, Field> equation{system, s,   {D(0.7), D(-0.2), D(1.1)}, D(beta), D(gamma),
                                                     D(h),   work};
      expect_consistent(equation(variables(point), D(0.7)));
    }
  }
}

template <Increment map>
void expect_half(const Vec3<double>& x) {
  const HalfIncrement<map, double> half(x);
  EXPECT_LT(angle_between(half.turn() * half.turn(), turn_by<map>(x)), 1e-15);
  EXPECT_GT((half.turn()).w, 0) << "the shorter way";
  // turn(x + dx) = turn(x) exp(rate(dx)): the vector part of q^-1 dq is half the rate.
  const Rotation<D> turned = HalfIncrement<map, D>(variables(x)).turn();
  const Rotation<D> relative = inverse(cast<D>(half.turn())) * turned;
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3<double> e_k{};
    e_k[k] = 1;
    const Vec3<double> rate = half.rate(e_k);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rate[i], 2 * relative.v[i].d[k], 1e-15);
  }
}

TEST(HalfIncrement, IsHalfOfTheTurnAndKnowsItsDerivative) {
  for (const double length : {0.0, 1e-6, 0.3, 1.0, 2.9}) {
    const Vec3<double> x = length * Vec3<double>{2.0 / 3, -1.0 / 3, 2.0 / 3};
    expect_half<Increment::exponential>(x);
    expect_half<Increment::cayley>(x);
  }
}

rc::Gen<Vec3<double>> moments() {
  return rc::gen::map(
      rc::gen::tuple(random::magnitude(1e-2, 1e2), random::magnitude(1e-2, 1e2), random::real(0.01, 0.99)),
      [](const auto& t) {
        // The third moment between the difference and the sum of the others, as a body's is.
        const auto [a, b, share] = t;
        return Vec3<double>{a, b, std::abs(a - b) + share * (a + b - std::abs(a - b))};
      });
}

// Whatever the body and the step, up to a thousand radians: a root that is reported is one.
RC_GTEST_PROP(GyroscopicEquation, HasARootAtEveryStep, ()) {
  const Body<double> body(*moments());
  const Vec3<double> b = *random::magnitude(1e-3, 1e3) * *random::direction();
  const double a = *random::magnitude(1e-3, 1e3) / norm(body.velocity(b));
  const GyroscopicEquation<double> equation{a * gyration(body), b};
  Work work;
  const Vec3<double> pi = solve_near(equation, b, work);
  if (!work.converged) {
    RC_TAG("not converged");
    RC_ASSERT(work.share_reached < 1.0);
    return;
  }
  RC_TAG(a * norm(body.velocity(b)) < 1 ? "below a radian" : "above");
  // Rounding of the terms, a |c| |pi|^2 and |b|.
  const double terms = norm(b) + norm(equation.ac) * squared_norm(pi);
  RC_ASSERT(norm(equation(pi, 1.0).value) <= 1e-14 * terms);
  RC_ASSERT(norm(pi) <= norm(b) * (1 + 1e-10));
}

// Below the bound of uniqueness it is always found.
RC_GTEST_PROP(GyroscopicEquation, IsSolvedWhereverTheRootIsUnique, ()) {
  const Body<double> body(*moments());
  const Vec3<double>& I = body.inertia;
  const double largest = std::max({I.x, I.y, I.z}), smallest = std::min({I.x, I.y, I.z});
  const Vec3<double> b = *random::magnitude(1e-3, 1e3) * *random::direction();
  RC_PRE(largest > smallest);
  const double a = *random::real(-1, 1) * 2 * smallest * smallest / (norm(b) * (largest - smallest));
  Work work;
  solve_near(GyroscopicEquation<double>{a * gyration(body), b}, b, work);
  RC_ASSERT(work.converged);
}

// At absurd steps a method either satisfies its equation or says that it failed.
template <class M, class MakeEquation>
int failures(const System<double, HeavyTop<double>>& system, MakeEquation make_equation) {
  int failed = 0;
  for (const double h : {1.0, 3.0, 10.0, 30.0, 100.0, 1000.0}) {
    for (const double tilt : {0.1, 0.8, 1.7, 2.9}) {
      State<double> s = start_state(2);
      s.R_SB = exp(Vec3<double>{tilt, 0.3, -0.2});
      Work work;
      const State<double> end = integrate<M>(system, s, h, 1, work);
      if (work.converged) {
        Work unused;
        const Vec3<double> pi_m = 0.5 * (s.pi_B + end.pi_B);
        const Equation<double> at = make_equation(s, h, unused)(pi_m, 1.0);
        // The torque turns with the angle of the step, whose rounding grows with it.
        const double terms = 1 + h * norm(system.body.velocity(pi_m));
        EXPECT_LT(norm(at.value), 1e-13 * terms * terms * at.size) << h << ' ' << tilt;
      } else {
        ++failed;
        EXPECT_LT(work.share_reached, 1);
        EXPECT_GT(work.residual, 0);
      }
    }
  }
  return failed;
}

TEST(AbsurdSteps, AreSolvedOrReported) {
  const System<double, HeavyTop<double>> system{three_moments(), tilted_gravity(50)};
  using Field = HeavyTop<double>;
  const int midpoint = failures<ImplicitMidpoint<>>(system, [&](const State<double>& s, double h, Work& work) {
    return MidpointEquation<Increment::cayley, double, Field>{system, s, h, work};
  });
  const int conserving = failures<EnergyMomentum>(system, [&](const State<double>& s, double h, Work& work) {
    return EnergyMomentumEquation<double, Field>{system, s, h, work};
  });
  EXPECT_GT(midpoint + conserving, 0) << "no step was absurd enough";
}

// A NaN is no root, in whichever component it stands and however small the others are.
TEST(Solver, ANumberThatIsNoneIsNoRoot) {
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3<double> v{};
    v[i] = std::nan("");
    EXPECT_TRUE(std::isnan(detail::size_of(v))) << i;
    v[(i + 1) % 3] = 2;
    EXPECT_TRUE(std::isnan(detail::size_of(v))) << i;
    const auto equation = [i](const Vec3<double>& x, double share) {
      Equation<double> at{x, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, 1};
      if (share > 0) at.value[i] = std::nan("");
      return at;
    };
    Work work;
    solve(equation, Vec3<double>{}, Vec3<double>{}, work);
    EXPECT_FALSE(work.converged) << i;
  }
  EXPECT_EQ(detail::size_of(Vec3<double>{-3, 2, 1}), 3);
  EXPECT_EQ(detail::size_of(Vec3<double>{0, INFINITY, 1}), INFINITY);
}

}  // namespace
}  // namespace polhode::test::implicit_equations_test
