// What every method claims to keep, in both directions: time symmetry, momentum, energy, and the work it says it does.
// The problems cannot flatter: three different moments, the centre of mass off all principal axes, a generic attitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "method_names.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/energy_record.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test::claims_structure_test {
namespace {

// Spun four times as fast as the problem says: gravity is then a strong perturbation, but the motion is not chaotic,
// and a drift of energy shows as one.
Setup spun_top() {
  Setup setup = find_problem("asymmetric-top-tilted")->setup;
  setup.motion.value = 4.0 * setup.motion.value;
  return setup;
}
const Prepared<double>& tilted_top() {
  static const auto prepared = prepare<double>(spun_top());
  return prepared;
}
const Prepared<double>& free_body() {
  static const auto prepared = [] {
    Setup setup = spun_top();
    setup.torques.clear();
    return prepare<double>(setup);
  }();
  return prepared;
}

const Prepared<double>& stress_test() {
  static const auto prepared = prepare<double>(find_problem("stress-test")->setup);
  return prepared;
}

std::unique_ptr<Stepper<double>> stepper_for(const std::string& method, const Prepared<double>& problem) {
  const MethodSpec spec = parse_method(method);
  auto stepper = make_stepper(spec, problem.body, problem.field);
  stepper->set_tolerance(coarse_tolerance(spec.claims));
  return stepper;
}

class Claim : public testing::TestWithParam<std::string> {
 protected:
  Claims claims = parse_method(GetParam()).claims;
  const Prepared<double>& hardest_problem() const { return takes_torque(claims) ? tilted_top() : free_body(); }
};

double gap_there_and_back(const std::string& method, const Prepared<double>& problem, double h) {
  return symmetry_defect(*stepper_for(method, problem), problem.start, h, 20);
}

TEST_P(Claim, TimeSymmetry) {
  // Steps of more than a radian, so that the asymmetry of order 12 stands clear of rounding, or as large as an implicit
  // method can take.
  double gap = HUGE_VAL;
  for (double h = 0.7; !std::isfinite(gap) && h > 0.02; h /= 2)
    gap = gap_there_and_back(GetParam(), hardest_problem(), h);
  ASSERT_TRUE(std::isfinite(gap));
  if (claims.symmetric) {
    EXPECT_LT(gap, 1e-12);
  } else {
    // A high order, or one that makes no error of the free motion, shows it at larger ones.
    for (double h = 1; gap < 1e-9 && h < 3; h *= 1.4) gap = gap_there_and_back(GetParam(), hardest_problem(), h);
    ASSERT_TRUE(std::isfinite(gap));
    EXPECT_GT(gap, 1e-9);
  }
}

// Rounding walks at random: a few units of the last place per stage, times the square root of the number of stages. A
// method that leaks by its formula is above this by many powers of ten.
void check_momentum(double change, Keeps claimed, int steps, const Claims& claims) {
  if (claimed == Keeps::exact) {
    EXPECT_LT(change, 5e-15 * std::sqrt(steps * std::max(1.0, claims.torque_evaluations)));
  } else {
    EXPECT_GT(change, 1e-9) << "keeps more than claimed";
  }
}

// Where it is not kept, steps of a radian and a half let even order 8 show it. A method that is unstable at such steps
// has shown it long before its numbers end.
double step_to_show(Keeps claimed) { return claimed == Keeps::exact ? 0.1 : 0.5; }
double enough_to_show(Keeps claimed) { return claimed == Keeps::exact ? HUGE_VAL : 3; }

TEST_P(Claim, MomentumOfAFreeBody) {
  const double h = step_to_show(claims.momentum_free), size = norm(free_body().start.pi_B);
  const auto stepper = stepper_for(GetParam(), free_body());
  double inconsistency = 0;
  const auto momentum = [&](const Stepper<double>& at) {
    inconsistency = worse(inconsistency, norm(spatial_momentum(at.state) - at.momentum_S()));
    return at.momentum_S();
  };
  const double change =
      largest_change(*stepper, free_body().start, h, 20000, momentum, size * enough_to_show(claims.momentum_free));
  ASSERT_TRUE(std::isfinite(change));
  EXPECT_LT(inconsistency, 1e-14);
  EXPECT_EQ(norm(stepper->momentum_S()) > 2 * size, claims.gains_momentum);
  check_momentum(change / size, claims.momentum_free, 20000, claims);
}

TEST_P(Claim, MomentumAlongTheField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.momentum_along_field, Keeps::no);
    return;
  }
  const double change = largest_change(
      *stepper_for(GetParam(), tilted_top()), tilted_top().start, step_to_show(claims.momentum_along_field), 20000,
      [](const Stepper<double>& at) { return at.momentum_S().z; }, enough_to_show(claims.momentum_along_field));
  ASSERT_TRUE(std::isfinite(change));
  check_momentum(change, claims.momentum_along_field, 20000, claims);
}

EnergyOf energy_in(const Prepared<double>& problem) {
  return [&problem](const State<double>& s) { return energy(problem.body, problem.field, s); };
}
EnergyRecord record_of(const std::string& method, const Prepared<double>& problem, double h, int steps) {
  return energy_record(*stepper_for(method, problem), problem.start, h, steps, energy_in(problem));
}

struct RunOf {
  const Prepared<double>& problem;
  LongRun run;

  EnergyRecord by(const std::string& method, double scale) const {
    return with_room_to_grow(*stepper_for(method, problem), problem.start, run, scale, energy_in(problem));
  }
  RunOf for_longer(int times) const { return {problem, {run.largest_step, times * run.steps, run.largest_error}}; }
};

// In the first run, or in one of the others if the first shows nothing; in soft means of a longer one at last.
void check_energy(const std::string& method, const std::vector<RunOf>& runs, Keeps claimed, const Claims& claims) {
  const Prepared<double>& first = runs[0].problem;
  const double scale = std::abs(energy(first.body, first.field, first.start));
  if (claimed == Keeps::exact) {
    // Rounding walks at random, as in check_momentum: 1e-13 in 40000 steps of one stage.
    const double walk = 5e-16 * std::sqrt(runs[0].run.steps * std::max(1.0, claims.torque_evaluations));
    EXPECT_LT(record_of(method, first, 0.1, runs[0].run.steps).overall(), walk * scale);
    return;
  }
  bool drifts = false;
  for (const RunOf& run : runs) {
    EnergyRecord record = run.by(method, scale);
    // A chaotic motion finds its way around the room that it has in a long time: what neither stays nor drifts is followed
    // for longer, and must then stay.
    if (claimed == Keeps::bounded && !record.stays() && !record.drifts()) record = run.for_longer(16).by(method, scale);
    drifts = drifts || record.drifts();
    if (claimed == Keeps::bounded) {
      if (&run == &runs[0]) {
        EXPECT_GT(record.overall(), 1e-9 * scale) << "keeps more than claimed; h = " << record.step;
      }
      EXPECT_TRUE(record.stays()) << "h = " << record.step << ", means " << testing::PrintToString(record.mean)
                                  << ", largest " << testing::PrintToString(record.largest);
    } else if (drifts) {
      return;
    }
  }
  if (claimed == Keeps::no) drifts = RunOf{first, {runs[0].run.largest_step, 400000}}.by(method, scale).creeps(scale);
  EXPECT_EQ(drifts, claimed == Keeps::no) << "keeps more than claimed";
}

// Without torque there is no chaos at large steps, and even the errors of order 8 stand clear of rounding there.
TEST_P(Claim, EnergyOfAFreeBody) {
  const bool composed = GetParam().find('@') != std::string::npos;
  check_energy(GetParam(), {{free_body(), {composed ? 1.0 : 0.5, 40000}}}, claims.energy_free, claims);
}

// Symmetric methods that are not symplectic drift, some of them in the field that was made to show it [BOS09] only.
TEST_P(Claim, EnergyInAField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.energy, Keeps::no);
    return;
  }
  std::vector<RunOf> runs{{tilted_top(), {0.5, 40000}}, {stress_test(), {0.125, 120000}}};
  // The drift of a high-order method shows at large errors, where others would be chaotic.
  if (claims.energy == Keeps::no) runs.push_back({tilted_top(), {0.5, 40000, 0.05}});
  check_energy(GetParam(), runs, claims.energy, claims);
}

// The steps of the discrete rigid body with moments of order 8 and 10 are symplectic up to h^9 and h^11, but as accurate
// as h^2 only: their creep is a millionth of the oscillation, on which the body with its own moments, symplectic
// altogether, does nothing else.
TEST(SoftMeans, TellACreepFromAnOscillation) {
  const double scale = std::abs(energy(tilted_top().body, tilted_top().field, tilted_top().start));
  for (const auto& [method, creeps] : {std::pair("moser-veselov", false), std::pair("moser-veselov-full-8", true),
                                       std::pair("moser-veselov-full-10", true)}) {
    const EnergyRecord record = record_of(method, tilted_top(), 0.25, 400000);
    EXPECT_EQ(record.creeps(scale), creeps) << method << testing::PrintToString(record.soft) << trend(record.soft);
    EXPECT_TRUE(record.stays()) << method << " does not show it in plain means";
    EXPECT_GT(record.overall(), 1e-4 * scale);
  }
}

TEST_P(Claim, TorqueEvaluationsPerStep) {
  const Prepared<double>& problem = hardest_problem();
  const auto stepper = make_stepper(parse_method(GetParam()), problem.body, problem.field);
  stepper->start(problem.start, 0.05);
  for (int n = 0; n < 10; ++n) stepper->step(0.05);
  const long long before = stepper->work.torque_evaluations;
  for (int n = 0; n < 100; ++n) stepper->step(0.05);
  const long long counted = stepper->work.torque_evaluations - before;
  const bool projects = GetParam().find("+energy") != std::string::npos;
  if (projects) {
    // Newton's method for the projection comes on top, with a torque for each of its few iterations, and one more
    // where the method keeps the last torque.
    EXPECT_GE(counted, std::llround(100 * claims.torque_evaluations));
    EXPECT_LE(counted, std::llround(100 * (claims.torque_evaluations + (claims.implicit_torque ? 5 : 4))));
  } else if (claims.implicit_torque) {
    EXPECT_GE(counted, std::llround(100 * claims.torque_evaluations * 2 / 3));
    EXPECT_LE(counted, std::llround(100 * claims.torque_evaluations * 4 / 3));
  } else {
    EXPECT_EQ(counted, std::llround(100 * claims.torque_evaluations));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Claim, testing::ValuesIn(tested_names()), test_name);

}  // namespace
}  // namespace polhode::test::claims_structure_test
