// Steps that adapt and stay reversible: symmetry to rounding for every method that takes them, order, energy over long runs
// beside those of an ordinary controller, and what a variable that divides the step must follow.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "method_names.hpp"
#include "polhode/measure/drift.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::reversible_steps_test {
namespace {

using ::testing::HasSubstr;
using Situation = Setup;  // GTest has a Setup of its own

// Three different moments, the centre of mass off all principal axes; the velocity varies by a half.
const Prepared<double>& tilted_top() {
  static const auto prepared = prepare<double>(find_problem("asymmetric-top-tilted")->setup);
  return prepared;
}
const Prepared<double>& dumbbell() {
  static const auto prepared = prepare<double>(find_problem("dumbbell")->setup);
  return prepared;
}

std::unique_ptr<Stepper<double>> started(const std::string& method, const Prepared<double>& problem, double h) {
  auto stepper = make_stepper(parse_method(method), problem.body, problem.field);
  stepper->start(problem.start, h);
  return stepper;
}

// The steps it took.
std::vector<double> go(Stepper<double>& stepper, int steps) {
  std::vector<double> sizes;
  for (int n = 0; n < steps; ++n) {
    sizes.push_back(stepper.own_step(0));
    stepper.step(sizes.back());
  }
  return sizes;
}

// Every method of the catalogue that takes the suffix, at several parameters, and some that are composed.
std::vector<std::string> methods_with(const std::string& suffix) {
  std::vector<std::string> names;
  std::vector<std::string> bases{"lie-verlet@suzuki", "mclachlan-reich-231@triple-jump@suzuki", "newmark@kahan-li-8"};
  for (const MethodInfo& method : methods()) {
    const std::vector<std::string> these = with_parameters(method);
    bases.insert(bases.end(), these.begin(), these.end());
  }
  for (const std::string& base : bases) {
    const Claims claims = parse_method(base).claims;
    const bool takes =
        claims.symmetric && claims.variable_steps && claims.composes && claims.order_attitude != exact_order;
    if (takes) {
      names.push_back(base + suffix);
    } else {
      EXPECT_THROW(parse_method(base + suffix), MethodError) << base;
    }
  }
  return names;
}

// There and back, from rounding to rounding.
double gap_there_and_back(const std::string& method, double h, double* variation = nullptr) {
  const Prepared<double>& problem = parse_method(method).space == Space::sphere ? dumbbell() : tilted_top();
  const auto stepper = started(method, problem, h);
  const State<double> begin = stepper->state;
  const std::vector<double> there = go(*stepper, 30);
  stepper->reverse();
  const std::vector<double> back = go(*stepper, 30);
  EXPECT_TRUE(stepper->work.converged) << method;
  const auto [least, largest] = std::minmax_element(there.begin(), there.end());
  if (variation != nullptr) *variation = std::max(*largest / *least, *least / *largest);
  double gap = std::max(angle_between(stepper->state.R_SB, begin.R_SB), norm(stepper->state.pi_B - begin.pi_B));
  for (std::size_t n = 0; n < there.size(); ++n)
    gap = std::max(gap, std::abs(there[n] + back[back.size() - 1 - n]) / std::abs(there[n]));
  return std::isfinite(gap) ? gap : 1;
}

TEST(ReversibleSteps, GoBackTheWayTheyCame) {
  for (const char* suffix : {"~adaptive", "~holder"}) {
    const std::vector<std::string> names = methods_with(suffix);
    EXPECT_GT(names.size(), 50U);
    for (const std::string& name : names) {
      for (const double h : {0.2, -0.2}) {
        double variation = 0;
        EXPECT_LT(gap_there_and_back(name, h, &variation), 1e-12) << name;
        EXPECT_GT(variation, 1.1) << name;
        EXPECT_TRUE(parse_method(name).claims.symmetric);
      }
    }
  }
}

TEST(ReversibleSteps, OrdinaryOnesDoNot) {
  for (const char* name : {"lie-verlet~ordinary", "mclachlan-reich-231@suzuki~ordinary", "rotor-verlet~ordinary"}) {
    EXPECT_GT(gap_there_and_back(name, 0.2), 1e-6) << name;
    EXPECT_FALSE(parse_method(name).claims.symmetric);
  }
}

TEST(ReversibleSteps, KeepOrderAndMomentumAndGiveUpSymplecticity) {
  for (const char* suffix : {"~adaptive", "~holder", "~ordinary"}) {
    const Claims base = parse_method("rotor-srkn14a").claims,
                 all = parse_method(std::string("rotor-srkn14a") + suffix).claims;
    EXPECT_EQ(orders_of(all, false), orders_of(base, false));
    EXPECT_EQ(orders_of(all, true), orders_of(base, true));
    EXPECT_EQ(all.momentum_along_field, Keeps::exact);
    EXPECT_FALSE(all.symplectic);
    EXPECT_EQ(all.energy, Keeps::no);
    EXPECT_TRUE(all.chooses_steps);
  }
  EXPECT_EQ(parse_method("lie-verlet~adaptive").claims.energy_free, Keeps::bounded);
  EXPECT_EQ(parse_method("lie-verlet~ordinary").claims.energy_free, Keeps::no);
  EXPECT_EQ(parse_method("energy-momentum~ordinary").claims.energy_free, Keeps::exact);
}

RunRequest request(const char* problem, const std::string& method, double step, double duration) {
  RunRequest wanted;
  wanted.problem = find_problem(problem);
  wanted.setup = wanted.problem->setup;
  wanted.run.method = method;
  wanted.run.step = step;
  wanted.run.duration = duration;
  return wanted;
}

TEST(ReversibleSteps, HaveTheOrderOfTheMethod) {
  struct Case {
    const char* method;
    double coarsest;
    int order;
    double slack = 0.8;  // of the slope before the last
  };
  for (const Case& c : {Case{"lie-verlet", 0.1, 2},
                        {"newmark", 0.1, 2},
                        {"mclachlan-reich-231@suzuki", 0.2, 4},
                        {"rotor-srkn14a", 1.6, 6, 1.5}}) {
    for (const char* suffix : {"~adaptive", "~holder", "~ordinary"}) {
      std::vector<double> steps, errors;
      for (double h = c.coarsest; steps.size() < 4; h /= 2) {
        const Result result = run(plan(request("asymmetric-top-tilted", std::string(c.method) + suffix, h, 10)));
        steps.push_back(h);
        errors.push_back(result.attitude_error->value);
        EXPECT_EQ(result.end.time.value, 10);
      }
      const double last = std::log2(errors[2] / errors[3]), before = std::log2(errors[1] / errors[2]);
      EXPECT_NEAR(last, c.order, 0.1 * c.order) << c.method << suffix << ' ' << errors[3];
      EXPECT_NEAR(before, c.order, c.slack) << c.method << suffix << ' ' << errors[2];
    }
  }
}

// Energies along so many steps of its own.
DriftFit energies(const std::string& method, const Prepared<double>& problem, double h, int steps) {
  const auto stepper = started(method, problem, h);
  const auto energy_here = [&] { return energy(problem.body, problem.field, stepper->state); };
  const double first = energy_here();
  DriftFit fit;
  double t = problem.start.t;
  for (int n = 0; n < steps; ++n) {
    const double size = stepper->own_step(0);
    stepper->step(size);
    t += size;
    if (n % 13 == 0) fit.add(t, energy_here() - first);
  }
  EXPECT_TRUE(stepper->work.converged);
  return fit;
}

TEST(ReversibleSteps, HaveNoDriftOfEnergyWhereOrdinaryOnesHave) {
  const auto problem = prepare<double>(find_problem("coulomb-printed")->setup);
  for (const char* base : {"lie-verlet", "mclachlan-reich-231", "newmark"}) {
    const DriftFit ordinary = energies(std::string(base) + "~ordinary", problem, 0.05, 40000);
    ASSERT_TRUE(ordinary.fit());
    EXPECT_GT(std::abs(ordinary.fit()->rate), 10 * ordinary.fit()->uncertainty) << base;
    for (const char* suffix : {"~adaptive", "~holder"}) {
      const DriftFit reversible = energies(std::string(base) + suffix, problem, 0.05, 40000);
      ASSERT_TRUE(reversible.fit());
      EXPECT_LT(std::abs(reversible.fit()->rate), 3 * reversible.fit()->uncertainty) << base << suffix;
      EXPECT_LT(reversible.largest(), 0.2 * ordinary.largest()) << base << suffix;
    }
  }
}

// A free body's motion is its own mirror image: what is bounded stays so, and what is exact.
TEST(ReversibleSteps, KeepTheEnergyOfAFreeBodyAsTheyClaim) {
  Situation setup = find_problem("asymmetric-top-tilted")->setup;
  setup.torques.clear();
  const auto free = prepare<double>(setup);
  const double scale = free.body.kinetic_energy(free.start.pi_B);
  for (const std::string& name : methods_with("~adaptive")) {
    const MethodSpec spec = parse_method(name);
    if (spec.space == Space::sphere) continue;
    const DriftFit fit = energies(name, free, 0.2, 4000);
    ASSERT_TRUE(fit.fit()) << name;
    if (spec.claims.energy_free == Keeps::exact) {
      EXPECT_LT(fit.largest(), 1e-12 * scale) << name;
    } else {
      EXPECT_EQ(spec.claims.energy_free, Keeps::bounded) << name;
      if (spec.claims.order_attitude == 2) {
        EXPECT_GT(fit.largest(), 1e-9 * scale) << name << " keeps more than claimed";
      }
      EXPECT_LT(std::abs(fit.fit()->rate), std::max(4 * fit.fit()->uncertainty, 1e-15 * scale)) << name;
    }
  }
  const DriftFit ordinary = energies("lie-verlet~ordinary", free, 0.2, 16000);
  EXPECT_GT(std::abs(ordinary.fit()->rate), 10 * ordinary.fit()->uncertainty);
}

TEST(ReversibleSteps, KeepAnEnergyThatIsExact) {
  for (const char* name :
       {"dumbbell-conserving~adaptive", "dumbbell-conserving~holder", "dumbbell-conserving~ordinary"}) {
    EXPECT_LT(energies(name, dumbbell(), 0.05, 4000).largest(), 1e-11) << name;
    EXPECT_EQ(parse_method(name).claims.energy, Keeps::exact);
  }
}

// A motion that is not its own mirror image in time. Its image has the opposite drift: symmetry asks for no more.
TEST(ReversibleSteps, DriftOnTheStressTestAndTheOtherWayInItsMirror) {
  Situation setup = find_problem("stress-test")->setup;
  const Drift drift = *energies("lie-verlet~adaptive", prepare<double>(setup), 0.1, 40000).fit();
  setup.motion.value = -1.0 * setup.motion.value;
  const Drift mirrored = *energies("lie-verlet~adaptive", prepare<double>(setup), 0.1, 40000).fit();
  EXPECT_GT(drift.rate, 10 * drift.uncertainty);
  EXPECT_LT(mirrored.rate, -10 * mirrored.uncertainty);
  EXPECT_NEAR(mirrored.rate / drift.rate, -1, 0.2);
}

// Q^4 = |w|^4 + |dw/dt|^2, from the equations of motion.
double rate_of_motion(const Prepared<double>& problem, const State<double>& s) {
  const Vec3<double> w = problem.body.velocity(s.pi_B);
  const Vec3<double> a = problem.body.velocity(cross(s.pi_B, w) + problem.field.torque(s.R_SB, w, s.t));
  return std::pow(std::pow(norm(w), 4) + std::pow(norm(a), 2), 0.25);
}

// How far the product of step and rate is from that of the start, at most.
double farthest(const std::string& method, double h) {
  const auto problem = prepare<double>(find_problem("coulomb-described")->setup);
  const auto stepper = started(method, problem, h);
  const double first = h * rate_of_motion(problem, stepper->state);
  double far = 0;
  for (double t = 0; t < 20;) {
    const double before = rate_of_motion(problem, stepper->state), size = stepper->own_step(0);
    stepper->step(size);
    t += size;
    const double middle = std::sqrt(before * rate_of_motion(problem, stepper->state));
    far = std::max(far, std::abs(std::log(size * middle / first)));
  }
  return far;
}

TEST(ReversibleSteps, FollowTheRateOfTheMotion) {
  for (const char* method : {"lie-verlet~adaptive", "lie-verlet~holder"}) {
    const double coarse = farthest(method, 0.01), fine = farthest(method, 0.0025);
    EXPECT_LT(coarse, 0.1) << method;
    EXPECT_NEAR(std::log2(coarse / fine) / 2, 2, 0.4) << method << ": to second order";
  }
}

TEST(ReversibleSteps, FollowAScaleThatIsGiven) {
  RunRequest wanted = request("coulomb-described", "lie-verlet~adaptive", 0.02, 20);
  wanted.run.step_scale = "1/(1 + 4*speed)";
  wanted.quantities = {{"speed", "wx^2 + wy^2 + wz^2"}, {"wanted", "0.02/(1 + 4*speed)"}};
  wanted.shown_quantities = {"wanted"};
  for (const char* method : {"lie-verlet~adaptive", "lie-verlet~holder", "lie-verlet~ordinary"}) {
    wanted.run.method = method;
    Table table;
    const Result result = run(plan(wanted), &table);
    double least = 1, largest = 0;
    for (std::size_t row = 1; row + 1 < table.rows.size(); ++row) {
      const double size = table.rows[row][0].value - table.rows[row - 1][0].value;
      const double mean = std::sqrt(table.rows[row].back().value * table.rows[row - 1].back().value);
      EXPECT_NEAR(size / mean, 1, 0.1) << method;
      least = std::min(least, size);
      largest = std::max(largest, size);
    }
    ASSERT_TRUE(result.step_range);
    EXPECT_NEAR((*result.step_range)[0], least, 1e-12);
    EXPECT_NEAR((*result.step_range)[1], largest, 1e-12);
    EXPECT_GT(largest / least, 4);
  }
}

// A scale that is constant leaves equal steps, and the method as it is, to the bit.
TEST(ReversibleSteps, OfAConstantScaleAreEqual) {
  RunRequest wanted = request("coulomb-printed", "lie-verlet", 0.125, 10);
  const Result equal = run(plan(wanted));
  wanted.run.step_scale = "1";
  for (const char* method : {"lie-verlet~adaptive", "lie-verlet~holder", "lie-verlet~ordinary"}) {
    wanted.run.method = method;
    const Result chosen = run(plan(wanted));
    EXPECT_EQ(chosen.steps, equal.steps);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(chosen.end.attitude_wxyz[i].value, equal.end.attitude_wxyz[i].value);
  }
}

TEST(ReversibleSteps, OfABodyAtRestAreThoseThatAreGiven) {
  Situation setup;
  setup.inertia = Vec3<double>{1, 2, 2.5};
  Simulation simulation(setup, "lie-verlet~adaptive", {.step = 0.5});
  simulation.advance_to(2);
  EXPECT_EQ(simulation.time(), 2);
}

}  // namespace
}  // namespace polhode::test::reversible_steps_test
