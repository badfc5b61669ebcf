// The closed form of the free body against integrations in quad that know nothing of elliptic functions, in every
// regime, across the boundaries between them, and over ten decades of time.
#include "polhode/model/free_rotor.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/taylor.hpp"

namespace polhode::test::free_rotor_test {
namespace {

using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using V = Vec3<double>;

struct Case {
  std::string name;
  V inertia, pi_B;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"around the axis of the smallest moment", {0.9, 1.1, 1.7}, {1.3, 0.4, -0.5}},
      {"around it backwards", {0.9, 1.1, 1.7}, {-1.3, 0.4, 0.5}},
      {"around the axis of the largest moment", {0.9, 1.1, 1.7}, {0.2, -0.6, 1.4}},
      {"around it backwards", {0.9, 1.1, 1.7}, {0.2, 0.6, -1.4}},
      {"largest moment first", {2.1, 0.8, 1.5}, {0.3, 0.9, 0.7}},
      {"smallest moment in the middle", {1.5, 0.8, 2.1}, {-0.7, 0.2, 0.6}},
      {"on the separatrix", {2, 3, 6}, {0.75, -0.5, 0.75}},
      {"on it, the other branch", {6, 3, 2}, {0.75, 0.5, -0.75}},
      {"inside the separatrix by 1e-15", {2, 3, 6}, {0.75 * (1 + 5e-16), -0.5, 0.75}},
      {"outside the separatrix by 1e-15", {2, 3, 6}, {0.75, -0.5, 0.75 * (1 + 5e-16)}},
      {"inside the separatrix by 1e-6", {2, 3, 6}, {0.75 * (1 + 5e-7), 0.3, 0.75}},
      {"oblate", {1.1, 1.1, 1.9}, {0.4, 0.7, 0.9}},
      {"prolate", {1.1, 1.1, 0.3}, {0.4, -0.7, 0.9}},
      {"oblate, about the first axis", {1.9, 1.1, 1.1}, {0.4, -0.7, 0.9}},
      {"oblate, in its equator", {1.1, 1.1, 1.9}, {0.4, 0.7, 0.0}},
      {"oblate, a hair off its equator", {1.1, 1.1, 1.9}, {0.4, 0.7, 1e-13}},
      {"nearly symmetric", {1.1, 1.1 * (1 + 4e-16), 1.9}, {0.4, 0.7, 0.9}},
      {"nearly symmetric, near its equator", {1.1, 1.1 * (1 + 4e-16), 1.9}, {0.4, 0.7, 1e-9}},
      {"sphere", {1.3, 1.3, 1.3}, {0.4, 0.7, -0.9}},
      {"nearly a sphere", {1.3, 1.3 * (1 + 1e-13), 1.3 * (1 - 1e-13)}, {0.4, 0.7, -0.9}},
      {"about the smallest axis", {0.9, 1.1, 1.7}, {1.2, 0, 0}},
      {"about the middle axis", {0.9, 1.1, 1.7}, {0, -1.2, 0}},
      {"about the largest axis", {0.9, 1.1, 1.7}, {0, 0, 1.2}},
      {"a hair off the smallest axis", {0.9, 1.1, 1.7}, {1.2, 1e-11, 2e-12}},
      {"a hair off the middle axis", {0.9, 1.1, 1.7}, {1e-11, 1.2, -2e-12}},
      {"a hair off the largest axis", {0.9, 1.1, 1.7}, {1e-11, 1e-200, 1.2}},
      {"at rest", {0.9, 1.1, 1.7}, {0, 0, 0}},
      {"thin rod", {1, 1.002, 0.001}, {0.7, 0.5, 0.01}},
      {"plate", {0.4, 0.6, 1.0}, {0.7, 0.5, 0.9}},
      {"not a body at all", {9, 4, 1}, {27, 0, 12}}};
  return list;
}

struct Start {
  Body<quad> body;
  State<quad> state;
};
Start start_of(const Case& c, double unit_of_inertia = 1, double unit_of_momentum = 1) {
  return {Body<quad>(cast<quad>(unit_of_inertia * c.inertia)), {{}, cast<quad>(unit_of_momentum * c.pi_B), quad(0)}};
}

State<quad> integrate(const Start& start, const quad& t) {
  const System<quad, Free> system{start.body, {}};
  // The turning of the body, and that of the momentum in it.
  const Vec3<quad>& I = start.body.inertia;
  const quad middle = I.x + I.y + I.z - max(I.x, max(I.y, I.z)) - min(I.x, min(I.y, I.z));
  const quad rate = norm(start.body.velocity(start.state.pi_B)) + norm(start.state.pi_B) / middle;
  const int steps = 10 + static_cast<int>(abs(t) * rate / quad(0.05));
  const quad h = t / steps;
  Work work;
  State<quad> s = start.state;
  auto memory = polhode::start<Taylor<20>>(system, s, h, work);
  for (int n = 0; n < steps; ++n) s = advance<Taylor<20>>(system, s, memory, h, work);
  s.t = t;
  return s;
}

template <class T>
State<quad> closed_form(const Start& start, const T& t) {
  const FreeRotor<T> rotor(cast<T>(start.body.inertia), cast<T>(start.state));
  State<quad> s = cast<quad>(rotor.after(t));
  s.R_SB = normalised(s.R_SB);
  return s;
}

double rate_of(const Start& start) { return static_cast<double>(norm(start.body.velocity(start.state.pi_B))); }

struct Gap {
  double attitude, momentum;  // momentum relative to its length
};
Gap gap(const State<quad>& a, const State<quad>& b) {
  const quad length = norm(b.pi_B);
  return {static_cast<double>(angle_between(a.R_SB, b.R_SB)),
          static_cast<double>(norm(a.pi_B - b.pi_B) / (length > 0 ? length : quad(1)))};
}

// The promise in double is 2e-15 + 1e-15 |w| t rad for |w| t <= 1000, and 4e-16 (1 + |w| t) beyond. In other scalars it is
// the latter throughout, and as much smaller in long double as its rounding is.
template <class T>
double promise(double turned) {
  if (std::is_same_v<T, double> && turned <= 1000) return 2e-15 + 1e-15 * turned;
  return 4e-16 * (1 + turned) * (static_cast<double>(std::numeric_limits<T>::epsilon()) / 2.220446049250313e-16);
}

template <class T>
void expect_promise(const Start& start, double t, const State<quad>& expected) {
  const double bound = promise<T>(rate_of(start) * std::abs(t));
  const Gap seen = gap(closed_form<T>(start, T(t)), expected);
  EXPECT_LE(seen.attitude, bound) << "t = " << t;
  EXPECT_LE(seen.momentum, bound) << "t = " << t;
}

TEST(FreeRotor, AgreesWithAnIntegrationInEveryRegime) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Start start = start_of(c);
    const double unit = rate_of(start) > 0 ? 1 / rate_of(start) : 1;
    for (const double turns : {1e-7, -0.7, 6.0}) {
      const double t = turns * unit;
      const State<quad> expected = integrate(start, quad(t));
      const Gap in_quad = gap(closed_form<quad>(start, quad(t)), expected);
      EXPECT_LE(in_quad.attitude, 2e-30) << "t = " << t;
      EXPECT_LE(in_quad.momentum, 2e-30) << "t = " << t;
      expect_promise<double>(start, t, expected);
      expect_promise<long double>(start, t, expected);
      if (turns > 1) {
        // In single precision the data are others: those rounded.
        Start rounded = start;
        rounded.body = Body<quad>(cast<quad>(cast<float>(start.body.inertia)));
        rounded.state.pi_B = cast<quad>(cast<float>(start.state.pi_B));
        const float narrow = static_cast<float>(t);
        expect_promise<float>(rounded, static_cast<double>(narrow), integrate(rounded, quad(narrow)));
      }
    }
  }
}

TEST(FreeRotor, AnyScaleOfInertiaAndSpin) {
  // Powers of two change no digit, so that one integration serves all scales.
  const State<quad> expected = integrate(start_of(cases()[0]), quad(3));
  for (const int inertia : {-500, -90, 130, 500}) {
    for (const int momentum : {-470, -10, 400}) {
      const Start start = start_of(cases()[0], std::ldexp(1.0, inertia), std::ldexp(1.0, momentum));
      const double t = std::ldexp(3.0, inertia - momentum);
      expect_promise<double>(start, t, {expected.R_SB, ldexp(quad(1), momentum) * expected.pi_B, quad(t)});
    }
  }
}

TEST(FreeRotor, FiftyDigits) {
  for (const std::size_t i : {0U, 2U, 6U, 11U}) {
    const Case& c = cases()[i];
    const FreeMotion<Big> motion(cast<Big>(c.inertia), cast<Big>(c.pi_B));
    const auto there = motion.after(Big("2.5"));
    const FreeMotion<Big> onwards(cast<Big>(c.inertia), there.pi_B);
    const auto back = onwards.after(Big("-2.5"));
    EXPECT_LT(angle_between(there.turn * back.turn, Rotation<Big>{}), Big(1e-46)) << c.name;
    EXPECT_LT(norm(back.pi_B - cast<Big>(c.pi_B)), Big(1e-46)) << c.name;
    const State<quad> expected = integrate(start_of(c), quad(2.5));
    EXPECT_LT(angle_between(cast<quad>(there.turn), expected.R_SB), quad(2e-30)) << c.name;
  }
}

// Far from the start no integration reaches, but a whole period does no more than turn the body about its momentum.
// Both come from an integration over one period: the turn, and the proof that the momentum is back.
TEST(FreeRotor, TenDecadesOfTime) {
  for (const std::size_t i : {0U, 2U, 4U, 12U, 28U}) {
    SCOPED_TRACE(cases()[i].name);
    const Start start = start_of(cases()[i]);
    const quad period = FreeRotor<quad>(start.body.inertia, start.state).period();
    const State<quad> once = integrate(start, period);
    ASSERT_LT(gap({{}, once.pi_B, period}, {{}, start.state.pi_B, period}).momentum, 1e-30);
    const Vec3<quad> axis = start.state.pi_B / norm(start.state.pi_B);
    const quad half_turn = atan2(dot(once.R_SB.v, axis), once.R_SB.w);
    ASSERT_LT(norm(cross(once.R_SB.v, axis)), quad(1e-30));
    for (double decade = 1; decade <= 1e10; decade *= 100) {
      const double t = (decade == 100 || decade == 1e8 ? -1 : 1) * decade / rate_of(start);
      const quad periods = floor(quad(t) / period), rest = quad(t) - periods * period;
      const State<quad> within = integrate(start, rest);
      const quad angle = periods * half_turn;
      const State<quad> expected{Rotation<quad>{cos(angle), sin(angle) * axis} * within.R_SB, within.pi_B, quad(t)};
      expect_promise<double>(start, t, expected);
      expect_promise<long double>(start, t, expected);
    }
  }
}

// Near the separatrix e_b cancels, and the time spent near the middle axis depends on its logarithm: rounding one number
// of the data would do more harm than is promised for the result.
TEST(FreeRotor, NextToTheSeparatrixAsElsewhere) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> from_0_to_1(0, 1), from_minus_1(-1, 1);
  for (int n = 0; n < 40; ++n) {
    V inertia{0.6 + 0.3 * from_0_to_1(random), 1.0 + 0.2 * from_0_to_1(random), 1.3 + 0.5 * from_0_to_1(random)};
    V pi{from_minus_1(random), from_minus_1(random), 0};
    const double off = std::copysign(std::pow(10, -16 * from_0_to_1(random)), from_minus_1(random));
    pi.z = pi.x * (1 + off) * std::sqrt((inertia.y - inertia.x) * inertia.z / ((inertia.z - inertia.y) * inertia.x));
    const Start start = start_of({"", inertia, pi});
    const double t = std::pow(10, -1 + 3 * from_0_to_1(random));
    SCOPED_TRACE(testing::Message() << "off by " << off << ", t = " << t);
    expect_promise<double>(start, t, closed_form<quad>(start, quad(t)));
  }
}

// Two inputs as close as quad allows, on two sides of a boundary or one on it: the solutions are as close.
TEST(FreeRotor, ContinuousAcrossEveryBoundary) {
  const quad delta("1e-27");
  struct Boundary {
    const char* name;
    V inertia, pi_B;
    std::size_t varied;  // 0-2: a moment, 3-5: a component of the momentum
  };
  const std::vector<Boundary> boundaries{{"separatrix", {2, 3, 6}, {0.75, -0.5, 0.75}, 3},
                                         {"separatrix, by the moment", {2, 3, 6}, {0.75, -0.5, 0.75}, 1},
                                         {"oblate", {1.1, 1.1, 1.9}, {0.4, 0.7, 0.9}, 0},
                                         {"prolate", {1.1, 1.1, 0.4}, {0.4, 0.7, 0.9}, 1},
                                         {"sphere", {1.3, 1.3, 1.3}, {0.4, 0.7, 0.9}, 2},
                                         {"equator", {1.1, 1.1, 1.9}, {0.4, 0.7, 0}, 5},
                                         {"smallest axis", {0.9, 1.1, 1.7}, {1.2, 0, 0}, 4},
                                         {"middle axis", {0.9, 1.1, 1.7}, {0, 1.2, 0}, 3},
                                         {"largest axis", {0.9, 1.1, 1.7}, {0, 0, 1.2}, 3},
                                         {"at rest", {0.9, 1.1, 1.7}, {0, 0, 0}, 4},
                                         {"sign of the middle component", {0.9, 1.1, 1.7}, {1.2, 0, 0.3}, 4},
                                         {"sign of the small component", {0.9, 1.1, 1.7}, {1.2, 0.3, 0}, 5}};
  for (const Boundary& boundary : boundaries) {
    const auto solution = [&](const quad& offset, const quad& t) {
      Vec3<quad> inertia = cast<quad>(boundary.inertia), pi = cast<quad>(boundary.pi_B);
      quad& varied = boundary.varied < 3 ? inertia[boundary.varied] : pi[boundary.varied - 3];
      varied = varied + offset;
      return closed_form<quad>({Body<quad>(inertia), {{}, pi, quad(0)}}, t);
    };
    for (const double t : {0.4, 5.0, -7.0}) {
      const State<quad> on = solution(quad(0), quad(t));
      for (const int side : {-1, 1}) {
        const State<quad> off = solution(side * delta, quad(t));
        // The exact solution changes by at most exp(|w| t) times as much as its data.
        EXPECT_LT(angle_between(on.R_SB, off.R_SB), delta * 3000) << boundary.name << " " << side << " " << t;
        EXPECT_LT(norm(on.pi_B - off.pi_B), delta * 3000) << boundary.name << " " << side << " " << t;
      }
    }
  }
}

// To 2e-15 however long: rates have no part in it. Energy changes by w . d pi.
TEST(FreeRotor, KeepsMomentumAndEnergy) {
  for (const Case& c : cases()) {
    const Body<double> body(c.inertia);
    const State<double> start{exp(V{0.3, -1.2, 0.8}), c.pi_B, 2.0};
    const FreeRotor<double> rotor(c.inertia, start);
    for (double t = -3; t < 1e4; t = t < 0 ? 0.1 : 3 * t) {
      const State<double> s = rotor.after(t);
      const double length = norm(c.pi_B);
      EXPECT_LE(norm(spatial_momentum(s) - spatial_momentum(start)), 2e-15 * length) << c.name << " " << t;
      const double energy = body.kinetic_energy(start.pi_B);
      EXPECT_LE(std::abs(body.kinetic_energy(s.pi_B) - energy), 2e-15 * length * norm(body.velocity(s.pi_B)))
          << c.name << " " << t;
      EXPECT_NEAR(squared_norm(s.R_SB), 1, 5e-16);
      EXPECT_EQ(s.t, 2.0 + t);
    }
  }
}

// d turn / dt = turn hat(w_B), by a dual number in place of t: signs and frames, with no reference at all.
TEST(FreeRotor, TurnsAtTheAngularVelocity) {
  using Number = Dual<quad, 1>;
  for (const Case& c : cases()) {
    const FreeMotion<Number> motion(cast<Number>(cast<quad>(c.inertia)), cast<Number>(cast<quad>(c.pi_B)));
    const auto at = motion.after(Number::variable(quad(1.7), 0));
    const Rotation<quad> q{at.turn.w.value, {at.turn.v.x.value, at.turn.v.y.value, at.turn.v.z.value}};
    const Rotation<quad> dq{at.turn.w.d[0], {at.turn.v.x.d[0], at.turn.v.y.d[0], at.turn.v.z.d[0]}};
    const Vec3<quad> pi{at.pi_B.x.value, at.pi_B.y.value, at.pi_B.z.value};
    const Vec3<quad> dpi{at.pi_B.x.d[0], at.pi_B.y.d[0], at.pi_B.z.d[0]};
    const Vec3<quad> w = over(pi, cast<quad>(c.inertia));
    EXPECT_LT(norm(quad(2) * (inverse(q) * dq).v - w), quad(1e-29)) << c.name;
    EXPECT_LT(norm(dpi - cross(pi, w)), quad(1e-29)) << c.name;
  }
}

TEST(FreeRotor, Period) {
  const FreeRotor<double> symmetric({1.1, 1.1, 1.9}, {{}, {0.4, 0.7, 0.9}, 0});
  EXPECT_NEAR(symmetric.period(), 2 * std::numbers::pi / ((1 / 1.1 - 1 / 1.9) * 0.9), 1e-14);
  EXPECT_EQ(FreeRotor<double>({2, 3, 6}, {{}, {0.75, -0.5, 0.75}, 0}).period(), HUGE_VAL);
  EXPECT_EQ(FreeRotor<double>({1, 2, 3}, {{}, {0, 1, 0}, 0}).period(), 0);
}

TEST(FreeRotor, OnTheSeparatrixForEver) {
  const V inertia{2, 3, 6};
  const FreeRotor<double> rotor(inertia, {{}, {0.75, -0.5, 0.75}, 0});
  const double length = norm(V{0.75, -0.5, 0.75});
  for (const double t : {-1e9, -300.0, 300.0, 1e5, 1e9}) {
    const State<double> s = rotor.after(t);
    EXPECT_NEAR(std::abs(s.pi_B.y), length, 1e-15);
    EXPECT_NEAR(norm(spatial_momentum(s) - V{0.75, -0.5, 0.75}), 0, 1e-15);
    // Then it turns about the middle axis at |pi|/I_2, from one time to another as from any other.
    const Rotation<double> turned = inverse(s.R_SB) * rotor.after(t + 0.125).R_SB;
    EXPECT_LT(angle_between(turned, exp(V{0, std::copysign(0.125 * length / 3, s.pi_B.y), 0})),
              4e-16 * (1 + std::abs(t)))
        << t;
  }
}

}  // namespace
}  // namespace polhode::test::free_rotor_test
