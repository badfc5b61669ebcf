// The motion within a step: at its ends it is the step's, in between that of references and of shorter steps, and on both
// sides of a blow it is what the blow leaves and makes.
#include "polhode/run/dense_output.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/step_polynomial.hpp"

namespace polhode::test::dense_output_test {
namespace {

const polhode::Setup& top() { return find_problem("asymmetric-top-tilted")->setup; }

// A run that has come to the end of a step.
template <class T>
struct Followed {
  Followed(const polhode::Setup& setup, const std::string& name, double h, int steps, bool may_keep = true)
      : method(parse_method(name)),
        prepared(prepare<T>(setup)),
        stepper(make_stepper(method, prepared.body, prepared.field)),
        times(prepared.start.t, prepared.time_in(h), steps) {
    stepper->start(prepared.start, times.size());
    dense.emplace(method, prepared.field, *stepper, may_keep);
    drive(*stepper, times, *dense);
  }

  MethodSpec method;
  Prepared<T> prepared;
  std::unique_ptr<Stepper<T>> stepper;
  EqualTimes<T> times;
  std::optional<DenseOutput<T>> dense;
};

template <class T>
double distance(const State<T>& a, const State<T>& b) {
  return static_cast<double>(T(attitude_error(a, b) + momentum_error(a, b)));
}

std::vector<std::string> names_for(const polhode::Setup& setup) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods()) {
    if (method.space != space_of(setup)) continue;
    if (method.claims.needs == Needs::no_torque && !setup.torques.empty()) continue;
    for (const char* suffix : {"", "@suzuki", "+energy/3"}) {
      try {
        names.push_back(parse_method(std::string(method.name) + suffix).name);
      } catch (const MethodError&) {
      }
    }
  }
  return names;
}

TEST(DenseOutput, PassesThroughTheEndsOfEveryStep) {
  for (const char* problem : {"asymmetric-top-tilted", "free-mclachlan-zanna", "dumbbell"}) {
    const polhode::Setup& setup = find_problem(problem)->setup;
    for (const std::string& name : names_for(setup)) {
      SCOPED_TRACE(std::string(problem) + " " + name);
      for (const double h : {0.02, -0.02}) {
        Followed<double> last(setup, name, h, 7);
        DenseOutput<double>& dense = *last.dense;
        const auto before = dense.at(dense.begin().t), after = dense.at(dense.end().t);
        EXPECT_EQ(before.R_SB, dense.begin().R_SB);
        EXPECT_EQ(before.pi_B, dense.begin().pi_B);
        EXPECT_EQ(after.R_SB, last.stepper->state.R_SB);
        EXPECT_EQ(after.pi_B, last.stepper->state.pi_B);
        EXPECT_EQ(dense.passed(dense.end().t).momentum_S, last.stepper->momentum_S());
        ASSERT_EQ(dense.stretches(), 1U);
        EXPECT_EQ(dense.stretch(0).begin, dense.begin().t);
        EXPECT_EQ(dense.stretch(0).end, dense.end().t);
        // And comes close to them from within: 1e-9 of a step away the motion is as far away, and rounding.
        const double reach = 1e-9 * std::abs(h) * 50 + 1e-13;
        EXPECT_LT(distance(dense.after_share(1e-9, 0).state, before), reach * 10);
        EXPECT_LT(distance(dense.after_share(1 - 1e-9, 0).state, after), reach * 10);
      }
    }
  }
}

TEST(DenseOutput, LooksWithoutMoving) {
  for (const std::string& name : names_for(top())) {
    Followed<double> looked(top(), name, 0.05, 5), alone(top(), name, 0.05, 5);
    for (const double share : {0.1, 0.7, 0.4}) looked.dense->after_share(share, 0);
    looked.stepper->step(0.05);
    alone.stepper->step(0.05);
    EXPECT_EQ(looked.stepper->state.R_SB, alone.stepper->state.R_SB) << name;
    EXPECT_EQ(looked.stepper->state.pi_B, alone.stepper->state.pi_B) << name;
  }
}

// The order is measured in wide scalars (dense_order_test.cpp); a step kept as a polynomial there is in double alone. The
// difference between it and a shorter step is one of two errors of order N + 1.
TEST(DenseOutput, AKeptStepDiffersFromShorterOnesByTheErrorOfAStep) {
  int keeping = 0;
  for (const char* problem : {"asymmetric-top-tilted", "free-mclachlan-zanna"}) {
    const polhode::Setup& setup = find_problem(problem)->setup;
    for (const MethodInfo& info : methods()) {
      const std::string name(info.name);
      if (info.space != Space::rotations || (info.claims.needs == Needs::no_torque && !setup.torques.empty())) continue;
      if (!Followed<double>(setup, name, 0.1, 1).stepper->keep_steps()) continue;
      ++keeping;
      const auto apart = [&](double h) {
        Followed<double> kept(setup, name, h, 2), stepped(setup, name, h, 2, false);
        double largest = 0;
        for (const double share : {0.2, 0.5, 0.8}) {
          const PassedState<double> a = kept.dense->after_share(share, 0), b = stepped.dense->after_share(share, 0);
          largest = std::max(largest, distance(a.state, b.state));
          EXPECT_LT(attitude_error(a.state, b.state), 1e-14) << name;
          EXPECT_LT(norm(a.momentum_S - spatial_momentum(a.state)), 1e-13) << name;
        }
        return largest;
      };
      // From the longest step at which the leading term rules down to where rounding begins.
      double h = 0.2;
      while (apart(h) > 1e-3 && h > 1e-3) h /= 2;
      const double coarse = apart(h), fine = apart(h / 2);
      if (fine < 1e-13) continue;
      EXPECT_GT(std::log2(coarse / fine), info.claims.order_attitude + 1 - 0.5) << problem << ' ' << name;
    }
  }
  EXPECT_GE(keeping, 2 * 17) << "taylor-1 to taylor-12 with their variants, and the quaternion's series";
}

template <class T>
void expect_reference(const std::string& name, double h, double bound) {
  Followed<T> last(top(), name, h, 20);
  for (const double share : {0.3, 0.62}) {
    const State<T> s = last.prepared.in_user_units(last.dense->after_share(T(share), 0).state);
    const State<quad> there = propagated<quad>(top(), quad(s.t));
    EXPECT_LT(distance(cast<quad>(s), there), bound) << name << " h = " << h << " share " << share;
  }
}

// Methods whose own error is below rounding at these steps, forwards and backwards.
TEST(DenseOutput, HasTheDigitsOfItsScalar) {
  for (const double h : {0.02, -0.02}) {
    for (const char* name : {"taylor-12", "rotor-adams-10", "picard-lobatto-16", "taylor-adaptive"}) {
      expect_reference<float>(name, h, 3e-5);
      expect_reference<double>(name, h, 1e-12);
      expect_reference<long double>(name, h, 1e-14);
    }
    expect_reference<quad>("taylor-adaptive", h, 1e-28);
  }
}

// A body under a torque that begins within a step and ends within another with a blow.
constexpr double from = 0.23, until = 0.37, h_pulse = 0.1;
polhode::Setup pulsed() {
  polhode::Setup setup = top();
  setup.torques.emplace_back(Pulse<double>{{0.3, 0.4, -0.2}, from, until, {-0.12, 0.2, 0.15}});
  return setup;
}

TEST(DenseOutput, ShowsBothSidesOfABlow) {
  for (const double way : {1.0, -1.0}) {
    polhode::Setup setup = pulsed();
    if (way < 0) setup.time = 0.6;
    for (const char* name : {"rkmk-4", "taylor-4", "taylor-adaptive", "abm4-quaternion-rate", "rotor-adams-6",
                             "hulbert-staggered", "simo-wong-ab2", "rkmk-4+energy/2"}) {
      SCOPED_TRACE(std::string(name) + (way < 0 ? " backwards" : ""));
      const int steps = way > 0 ? 4 : 3;  // 0.3 to 0.4, either way
      Followed<double> last(setup, name, way * h_pulse, steps);
      DenseOutput<double>& dense = *last.dense;
      ASSERT_EQ(dense.stretches(), 2U);
      const double cut = last.prepared.time_in(until);
      EXPECT_NEAR(dense.stretch(0).end, cut, 1e-14);
      EXPECT_EQ(dense.stretch(0).end, dense.stretch(1).begin);
      const State<double> before = dense.at(dense.stretch(0).end, 0), after = dense.at(dense.stretch(1).begin, 1);
      EXPECT_LT(attitude_error(before, after), 1e-15);
      const Vec3<double> blow_S = last.prepared.field.terms().size() == 2
                                      ? std::get<Pulse<double>>(last.prepared.field.terms()[1]).impulse_S
                                      : Vec3<double>{};
      ASSERT_GT(norm(blow_S), 0);
      EXPECT_LT(norm(spatial_momentum(after) - spatial_momentum(before) - way * blow_S), 1e-14);
      // At its time it is over, in the direction of time and not of the run.
      EXPECT_LT(norm(dense.at(cut).pi_B - (way > 0 ? after : before).pi_B), 1e-14);
      // What follows the blow leads to the end of the step.
      EXPECT_LT(distance(dense.after_share(1, 1).state, dense.end()), 1e-14);
    }
  }
}

// Before the blow and after it, in the same step where steps are long. The parts next to the cuts are now longer, now
// shorter beside a step, so that the order shows over several halvings.
TEST(DenseOutput, KeepsItsOrderBetweenCuts) {
  const polhode::Setup setup = pulsed();
  for (const auto& [name, order] : {std::pair{"rkmk-4", 4.0},
                                    {"taylor-4", 4.0},
                                    {"abm4-quaternion-rate", 4.0},
                                    {"hulbert-staggered", 2.0},
                                    {"rotor-adams-6", 6.0},
                                    {"lie-verlet", 2.0}}) {
    for (const double t : {0.36, 0.38}) {
      const auto error = [&, method = name](int steps) {
        const double h = 0.1 / steps;
        Followed<quad> last(setup, method, h, static_cast<int>(std::ceil(t / h - 1e-9)));
        const State<quad> s = last.prepared.in_user_units(last.dense->at(last.prepared.time_in(t)));
        return distance(s, propagated<quad>(setup, quad(t)));
      };
      EXPECT_GT(std::log2(error(6) / error(48)) / 3, order - 0.3) << name << " at " << t;
    }
  }
}

TEST(DenseOutput, AStepThatEndsAtABlowShowsBoth) {
  polhode::Setup setup = top();
  setup.torques.emplace_back(Pulse<double>{{}, 0.3, 0.3, {-0.12, 0.2, 0.15}});
  for (const char* name : {"rkmk-4", "abm4", "rotor-adams-6"}) {
    Followed<double> last(setup, name, 0.1, 3);
    DenseOutput<double>& dense = *last.dense;
    ASSERT_EQ(dense.stretches(), 1U);
    EXPECT_EQ(dense.at(dense.end().t).pi_B, dense.end().pi_B) << name;
    const Vec3<double> jump = spatial_momentum(dense.end()) - spatial_momentum(dense.after_share(1, 0).state);
    EXPECT_LT(norm(jump - std::get<Pulse<double>>(last.prepared.field.terms()[1]).impulse_S), 1e-14) << name;
  }
}

// A correction of the energy after every third step makes up for three: within the step it comes little by little.
TEST(DenseOutput, CorrectionsOfTheEnergyDoNotJump) {
  Followed<double> last(top(), "taylor-2+energy/3", 0.05, 6);
  const auto energy = [&](const State<double>& s) {
    return last.prepared.body.kinetic_energy(s.pi_B) + last.prepared.field.potential(s.R_SB);
  };
  const double begin = energy(last.dense->begin()), end = energy(last.dense->end());
  ASSERT_GT(std::abs(end - begin), 1e-6) << "there is something to correct";
  for (const double share : {1e-6, 0.25, 0.5, 0.75, 1 - 1e-6})
    EXPECT_NEAR(energy(last.dense->after_share(share, 0).state), begin + share * (end - begin),
                1e-9 * std::abs(begin) + 1e-3 * std::abs(end - begin))
        << share;
}

TEST(StepPolynomial, IsTheDenseOutputToRounding) {
  for (const char* name : {"rkmk-4", "taylor-8", "abm4", "rotor-adams-8", "picard-lobatto-8", "lie-verlet",
                           "implicit-midpoint", "mclachlan-reich-231@suzuki", "taylor-2+energy"}) {
    Followed<double> last(top(), name, 0.05, 8);
    const auto polynomials = step_polynomials(*last.dense, 0);
    ASSERT_EQ(polynomials.size(), 1U) << name;
    const StepPolynomial<double>& p = polynomials[0];
    EXPECT_EQ(p.begin(), last.dense->begin().t);
    EXPECT_EQ(p.end(), last.dense->end().t);
    for (double s = 0; s <= 1; s += 1.0 / 64) {
      State<double> seen;
      p.evaluate(s, seen.R_SB, seen.pi_B);
      EXPECT_LT(distance(seen, last.dense->after_share(s, 0).state), 1e-12) << name << " at " << s;
    }
  }
}

// Run on a series it gives derivatives: those of the equations of motion.
TEST(StepPolynomial, HasTheDerivativesOfTheMotion) {
  Followed<double> last(top(), "taylor-12", 0.05, 8);
  const StepPolynomial<double> p = step_polynomials(*last.dense, 0)[0];
  const double h = p.end() - p.begin();
  for (const double s : {0.0, 0.3, 1.0}) {
    using S = Series<double, 1>;
    Rotation<S> R;
    Vec3<S> pi;
    p.evaluate(S::variable(s), R, pi);
    const Vec3<double> pi_B{pi.x.c[0], pi.y.c[0], pi.z.c[0]}, rate{pi.x.c[1] / h, pi.y.c[1] / h, pi.z.c[1] / h};
    const Rotation<double> R_SB{R.w.c[0], {R.v.x.c[0], R.v.y.c[0], R.v.z.c[0]}};
    const Body<double>& body = last.prepared.body;
    const Vec3<double> w_B = body.velocity(pi_B);
    const Vec3<double> tau_B = torque_of(last.prepared.field, R_SB, w_B, 0.0);
    EXPECT_LT(norm(rate - (cross(pi_B, w_B) + tau_B)), 1e-9);
    const Rotation<double> q_rate = inlined::rate(R_SB, Vec3<double>(0.5 * w_B));
    EXPECT_NEAR(R.w.c[1] / h, q_rate.w, 1e-9);
    EXPECT_NEAR(R.v.x.c[1] / h, q_rate.v.x, 1e-9);
  }
}

// A step of many turns, by a method to which its length is nothing, takes several polynomials.
TEST(StepPolynomial, FollowsLongStepsInParts) {
  const polhode::Setup& free_body = find_problem("free-mclachlan-zanna")->setup;
  Followed<double> last(free_body, "free-exact", 40, 1);
  const auto polynomials = step_polynomials(*last.dense, 0);
  EXPECT_GT(polynomials.size(), 4U);
  double end = last.dense->begin().t;
  for (const auto& p : polynomials) {
    EXPECT_NEAR(p.begin(), end, 1e-13 * 40);
    end = p.end();
    State<double> seen;
    p.evaluate(0.37, seen.R_SB, seen.pi_B);
    EXPECT_LT(distance(seen, last.dense->at(p.time(0.37))), 1e-11);
  }
  EXPECT_EQ(end, last.dense->end().t);
}

}  // namespace
}  // namespace polhode::test::dense_output_test
