// What every method claims to keep, in both directions: time symmetry, momentum, energy, and the work it says it does.
// The problems cannot flatter: three different moments, the centre of mass off all principal axes, a generic attitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "method_names.hpp"
#include "polhode/measure/energy.hpp"
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

std::unique_ptr<Stepper<double>> started(const std::string& method, const Prepared<double>& problem, double h) {
  const MethodSpec spec = parse_method(method);
  auto stepper = make_stepper(spec, problem.body, problem.field);
  stepper->set_tolerance(coarse_tolerance(spec.claims));
  stepper->start(problem.start, h);
  return stepper;
}

// std::max(x, NaN) is x: a diagnostic must notice.
constexpr double infinity = std::numeric_limits<double>::infinity();
double worse(double a, double b) { return std::isfinite(b) ? std::max(a, b) : infinity; }

class Claim : public testing::TestWithParam<std::string> {
 protected:
  Claims claims = parse_method(GetParam()).claims;
  const Prepared<double>& hardest_problem() const { return takes_torque(claims) ? tilted_top() : free_body(); }
};

// The state after the first step, which a start-up may not be part of, to where it comes back; nothing where a step
// could not be solved.
std::optional<double> gap_there_and_back(const std::string& method, const Prepared<double>& problem, double h) {
  const int steps = 20;
  const auto stepper = started(method, problem, h);
  stepper->step(h);
  const State<double> begin = stepper->state;
  for (int n = 0; n < steps; ++n) stepper->step(h);
  stepper->reverse();
  for (int n = 0; n < steps; ++n) stepper->step(-h);
  if (!stepper->work.converged) return std::nullopt;
  return worse(angle_between(stepper->state.R_SB, begin.R_SB), norm(stepper->state.pi_B - begin.pi_B));
}

TEST_P(Claim, TimeSymmetry) {
  // Steps of more than a radian, so that the asymmetry of order 12 stands clear of rounding, or as large as an implicit
  // method can take.
  std::optional<double> gap;
  for (double h = 0.7; !gap && h > 0.02; h /= 2) gap = gap_there_and_back(GetParam(), hardest_problem(), h);
  ASSERT_TRUE(gap);
  if (claims.symmetric) {
    EXPECT_LT(*gap, 1e-12);
  } else {
    // A high order, or one that makes no error of the free motion, shows it at larger ones.
    if (*gap < 1e-9) gap = gap_there_and_back(GetParam(), hardest_problem(), 2.8);
    ASSERT_TRUE(gap);
    EXPECT_GT(*gap, 1e-9);
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
bool has_shown(double change, Keeps claimed) { return claimed != Keeps::exact && change > 3; }

TEST_P(Claim, MomentumOfAFreeBody) {
  const double h = step_to_show(claims.momentum_free);
  const auto stepper = started(GetParam(), free_body(), h);
  stepper->step(h);
  const Vec3<double> at_start = stepper->momentum_S();
  double change = 0, inconsistency = 0;
  for (int n = 0; n < 20000 && !has_shown(change, claims.momentum_free); ++n) {
    stepper->step(h);
    change = worse(change, norm(stepper->momentum_S() - at_start) / norm(at_start));
    inconsistency = worse(inconsistency, norm(spatial_momentum(stepper->state) - stepper->momentum_S()));
  }
  ASSERT_TRUE(stepper->work.converged && std::isfinite(change));
  EXPECT_LT(inconsistency, 1e-14);
  EXPECT_EQ(norm(stepper->momentum_S()) > 2 * norm(at_start), claims.gains_momentum);
  check_momentum(change, claims.momentum_free, 20000, claims);
}

TEST_P(Claim, MomentumAlongTheField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.momentum_along_field, Keeps::no);
    return;
  }
  const double h = step_to_show(claims.momentum_along_field);
  const auto stepper = started(GetParam(), tilted_top(), h);
  stepper->step(h);
  const double at_start = stepper->momentum_S().z;
  double change = 0;
  for (int n = 0; n < 20000 && !has_shown(change, claims.momentum_along_field); ++n) {
    stepper->step(h);
    change = worse(change, std::abs(stepper->momentum_S().z - at_start));
  }
  ASSERT_TRUE(stepper->work.converged && std::isfinite(change));
  check_momentum(change, claims.momentum_along_field, 20000, claims);
}

using Windows = std::array<double, 8>;

// The slope of a straight line through eight means, in units of its own uncertainty (Student's t). A bounded error moves
// the means by chance; one that grows, however slowly, moves them on.
double trend(const Windows& mean) {
  double slope = 0, average = 0, scatter = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    slope += (static_cast<double>(i) - 3.5) * mean[i] / 42;  // 42 = sum (i - 3.5)^2
    average += mean[i] / 8;
  }
  for (std::size_t i = 0; i < 8; ++i)
    scatter += std::pow(mean[i] - average - slope * (static_cast<double>(i) - 3.5), 2) / 6;
  return std::abs(slope) * std::sqrt(42 / scatter);
}

// How much a moment of a window counts in a soft mean, 0 < x < 1. Where a window begins and ends softly, next to nothing
// is left of an oscillation: a regular motion has its mean to rounding, and a creep of a billionth of its size shows.
double softness(double x) { return std::exp(-1 / (x * (1 - x))); }

// The energy error in eight windows of a long run: its largest size, its mean and its soft mean.
struct EnergyRecord {
  Windows largest{}, mean{}, soft{};

  double overall() const { return *std::max_element(largest.begin(), largest.end()); }

  // How far the mean moves, compared with the largest error; and how much that grows.
  double moved() const { return std::abs(mean[7] - mean[0]) / overall(); }
  double growth() const { return std::max(largest[6], largest[7]) / std::max(largest[0], largest[1]); }

  // A slow modulation moves the means a little with a clear trend, or further without one.
  bool stays() const { return growth() < 1.5 && (moved() < 0.01 || trend(mean) < 20); }
  bool drifts() const { return growth() > 2 || (moved() > 0.015 && trend(mean) > 60); }
  // Far above rounding, if far below the oscillation.
  bool creeps(double scale) const { return std::abs(soft[7] - soft[0]) > 1e-11 * scale && trend(soft) > 60; }
};

EnergyRecord energy_record(const std::string& method, const Prepared<double>& problem, double h, int steps) {
  const auto stepper = started(method, problem, h);
  const double at_start = energy(problem.body, problem.field, problem.start);
  EnergyRecord record;
  Windows weights{};
  const int length = steps / 8;
  for (int n = 0; n < 8 * length; ++n) {
    stepper->step(h);
    const auto window = static_cast<std::size_t>(n / length);
    const double error = energy(problem.body, problem.field, stepper->state) - at_start;
    record.largest[window] = worse(record.largest[window], stepper->work.converged ? std::abs(error) : infinity);
    if (!std::isfinite(record.largest[window])) break;
    record.mean[window] += error / length;
    const double weight = softness((n % length + 0.5) / length);
    record.soft[window] += weight * error;
    weights[window] += weight;
  }
  for (std::size_t i = 0; i < 8; ++i) record.soft[i] /= weights[i];
  return record;
}

struct LongRun {
  const Prepared<double>& problem;
  double largest_step;
  int steps;
  double largest_error = 0.01;  // relative to the energy
};

// At the largest step at which the error stays small compared with what energy can do: growth has room to show.
EnergyRecord with_room_to_grow(const std::string& method, const LongRun& run, double scale, double& h) {
  EnergyRecord record = energy_record(method, run.problem, h = run.largest_step, run.steps);
  // Where there is next to none and it does not grow, at a larger step.
  if (record.overall() < 1e-8 * scale && !record.drifts())
    record = energy_record(method, run.problem, h *= 2, run.steps);
  while (!(record.overall() < run.largest_error * scale) && h > 1e-4)
    record = energy_record(method, run.problem, h /= 2, run.steps);
  return record;
}

// In the first run, or in one of the others if the first shows nothing; in soft means of a longer one at last.
void check_energy(const std::string& method, const std::vector<LongRun>& runs, Keeps claimed) {
  const Prepared<double>& first = runs[0].problem;
  const double scale = std::abs(energy(first.body, first.field, first.start));
  if (claimed == Keeps::exact) {
    EXPECT_LT(energy_record(method, first, 0.1, runs[0].steps).overall(), 1e-13 * scale);
    return;
  }
  bool drifts = false;
  for (const LongRun& run : runs) {
    double h = 0;
    const EnergyRecord record = with_room_to_grow(method, run, scale, h);
    drifts = drifts || record.drifts();
    if (claimed == Keeps::bounded) {
      if (&run == &runs[0]) {
        EXPECT_GT(record.overall(), 1e-9 * scale) << "keeps more than claimed; h = " << h;
      }
      EXPECT_TRUE(record.stays()) << "h = " << h << ", means " << testing::PrintToString(record.mean) << ", largest "
                                  << testing::PrintToString(record.largest);
    } else if (drifts) {
      return;
    }
  }
  if (claimed == Keeps::no) {
    double h = 0;
    drifts = with_room_to_grow(method, {first, runs[0].largest_step, 400000}, scale, h).creeps(scale);
  }
  EXPECT_EQ(drifts, claimed == Keeps::no) << "keeps more than claimed";
}

// Without torque there is no chaos at large steps, and even the errors of order 8 stand clear of rounding there.
TEST_P(Claim, EnergyOfAFreeBody) {
  const bool composed = GetParam().find('@') != std::string::npos;
  check_energy(GetParam(), {{free_body(), composed ? 1.0 : 0.5, 40000}}, claims.energy_free);
}

// Symmetric methods that are not symplectic drift, some of them in the field that was made to show it [BOS09] only.
TEST_P(Claim, EnergyInAField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.energy, Keeps::no);
    return;
  }
  std::vector<LongRun> runs{{tilted_top(), 0.5, 40000}, {stress_test(), 0.125, 120000}};
  // The drift of a high-order method shows at large errors, where others would be chaotic.
  if (claims.energy == Keeps::no) runs.push_back({tilted_top(), 0.5, 40000, 0.05});
  check_energy(GetParam(), runs, claims.energy);
}

// The steps of the discrete rigid body with moments of order 8 and 10 are symplectic up to h^9 and h^11, but as accurate
// as h^2 only: their creep is a millionth of the oscillation, on which the body with its own moments, symplectic
// altogether, does nothing else.
TEST(SoftMeans, TellACreepFromAnOscillation) {
  const double scale = std::abs(energy(tilted_top().body, tilted_top().field, tilted_top().start));
  for (const auto& [method, creeps] : {std::pair("moser-veselov", false), std::pair("moser-veselov-full-8", true),
                                       std::pair("moser-veselov-full-10", true)}) {
    const EnergyRecord record = energy_record(method, tilted_top(), 0.25, 400000);
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
