// Fast packs, which fuse products and sums and merge the joints of splittings: the motion of the default ones to rounding,
// and no other bits whatever the threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ensemble_bodies.hpp"

namespace polhode::ensemble_fast_test {
namespace {

using namespace ensemble_bodies;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double eps = std::numeric_limits<double>::epsilon(), eps_float = std::numeric_limits<float>::epsilon();

std::vector<InstructionSet> sets_that_fuse() {
  std::vector<InstructionSet> all;
  for (const InstructionSet set : {InstructionSet::avx2, InstructionSet::avx512})
    if (set <= instruction_set()) all.push_back(set);
  return all;
}

const std::vector<std::string> methods_in_packs{"mclachlan-reich-231", "lie-verlet", "no-squish", "rkmk-4"};

constexpr long long steps = 400;

// A step rounds some fifty times, fused or not. What one step leaves the motion carries on and stretches, by less than
// the number of steps times the rate of a regular motion [rad].
double bound(double unit) { return 50 * unit * (1 + static_cast<double>(steps)); }

EnsembleRequest request_in(std::vector<FieldData<double>> torques, const std::string& method, long long bodies = 45) {
  return request_of(typical(std::move(torques)), method, drawn(bodies), {.step = 0.05, .steps = steps});
}

// The angles between the attitudes of each body [rad].
std::vector<double> angles(const Kept::Numbers& a, const Kept::Numbers& b, const std::string& when) {
  const std::vector<double>&p = a.at(when + " attitude"), &q = b.at(when + " attitude");
  std::vector<double> all;
  for (std::size_t i = 0; i < p.size(); i += 4) {
    double minus = 0, plus = 0;  // q and -q are one attitude
    for (std::size_t k = i; k < i + 4; ++k) {
      minus += (p[k] - q[k]) * (p[k] - q[k]);
      plus += (p[k] + q[k]) * (p[k] + q[k]);
    }
    const double chord = std::sqrt(std::min(minus, plus));
    all.push_back(chord <= 2 ? 4 * std::asin(chord / 2) : INFINITY);
  }
  return all;
}
double largest_angle(const Kept::Numbers& a, const Kept::Numbers& b, const std::string& when = "end") {
  const std::vector<double> all = angles(a, b, when);
  return *std::max_element(all.begin(), all.end());
}
double typical_angle(const Kept::Numbers& a, const Kept::Numbers& b) {
  double sum = 0;
  const std::vector<double> all = angles(a, b, "end");
  for (const double angle : all) sum += angle * angle;
  return std::sqrt(sum / static_cast<double>(all.size()));
}

double largest_difference(const Kept::Numbers& a, const Kept::Numbers& b, const std::string& name) {
  const std::vector<double>&x = a.at(name), &y = b.at(name);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = std::abs(x[i] - y[i]);
    largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
  }
  return largest;
}

void expect_equal_but_for_rounding(const Kept::Numbers& all, const Kept::Numbers& other, double unit,
                                   const std::string& note) {
  EXPECT_LE(largest_angle(all, other), bound(unit)) << note;
  EXPECT_LE(largest_difference(all, other, "energy error"), bound(unit)) << note;
  EXPECT_LE(largest_difference(all, other, "momentum error"), bound(unit)) << note;
  if (all.contains("attitude error")) {  // against the closed form: equal in size
    EXPECT_LE(largest_difference(all, other, "attitude error"), bound(unit)) << note;
  }
  EXPECT_THAT(differences(all, other), Not(IsEmpty())) << note << ": not a bit is other, and nothing was fused";
}

void expect_default_motion(EnsembleRequest request, ScalarKind scalar, double unit, const std::string& note) {
  const Kept::Numbers usual = followed(request);
  request.fast = true;
  request.run.run.scalar = scalar;
  for (const InstructionSet set : sets_that_fuse()) {
    request.set = set;
    const EnsembleAbout about = Ensemble(request).about();
    EXPECT_TRUE(about.fused) << note << ": " << about.why_no_packs;
    EXPECT_EQ(about.instruction_set, instruction_set_name(set)) << note;
    expect_equal_but_for_rounding(usual, followed(request), unit, note + " by " + about.instruction_set);
  }
}

TEST(EnsembleFast, IsTheMotionOfTheDefaultToRounding) {
  for (const std::string& method : methods_in_packs) {
    expect_default_motion(request_in({}, method), ScalarKind::double_, eps, method + ", free");
    expect_default_motion(request_in({heavy_top()}, method), ScalarKind::double_, eps, method + ", heavy top");
  }
}

TEST(EnsembleFast, HasPlainFloats) {
  for (const std::string& method : methods_in_packs) {
    expect_default_motion(request_in({}, method), ScalarKind::float_, eps_float, method + ", free");
    expect_default_motion(request_in({heavy_top()}, method), ScalarKind::float_, eps_float, method + ", heavy top");
  }
}

// Without --fast, sums in float are compensated: after 20,000 steps of a twentieth of a radian at least ten times nearer to
// the motion in double. In runs of single bodies as well, which have the same bits (ensemble_packs_test).
TEST(EnsembleFast, LosesTenTimesMoreInFloatThanTheDefault) {
  EnsembleSettings settings = drawn(48);
  settings.drawn[1].distribution = {Distribution::Kind::normal, {0, 0, 0}, {0.29, 0.29, 0.29}};
  for (const std::string method : {"mclachlan-reich-231", "no-squish"}) {  // others: compensated_test
    EnsembleRequest request = request_of(typical(), method, settings, {.step = 0.1, .steps = 20000});
    const Kept::Numbers exact = followed(request);
    request.run.run.scalar = ScalarKind::float_;
    const Kept::Numbers compensated = followed(request);
    request.fast = true;
    if (!Ensemble(request).about().fused) GTEST_SKIP() << "this processor does not fuse";
    const double plain = typical_angle(followed(request), exact);
    EXPECT_LE(typical_angle(compensated, exact), plain / 10) << method << ": " << plain << " rad in plain float";
  }
}

// A merged turn that is left out or taken twice at a snapshot or before a shorter step would be off by 1e-2 rad.
TEST(EnsembleFast, WithSnapshotsAShorterLastStepAndBackwards) {
  for (const std::string method : {"mclachlan-reich-231", "no-squish"}) {
    for (const double duration : {1.83, -1.83, 2.0}) {
      EnsembleRequest request =
          request_of(typical({heavy_top()}), method, drawn(20), {.step = 0.1, .duration = duration});
      request.ensemble.snapshots = {duration < 0 ? -0.3 : 0.3, duration < 0 ? -1.2 : 1.2};
      const Kept::Numbers usual = followed(request);
      request.fast = true;
      const Kept::Numbers fast = followed(request);
      for (const std::string when : {"start", "at 0", "at 1", "end"})
        EXPECT_LE(largest_angle(usual, fast, when), bound(eps)) << method << ", " << duration << ", " << when;
    }
  }
}

TEST(EnsembleFast, HasTheSameBitsOnAnyThreads) {
  for (const ScalarKind scalar : {ScalarKind::double_, ScalarKind::float_}) {
    EnsembleRequest request = request_in({heavy_top()}, "mclachlan-reich-231", 101);
    request.fast = true;
    request.run.run.scalar = scalar;
    const Kept::Numbers once = followed(request);
    for (const int threads : {1, 3}) {
      for (const std::size_t chunk : {1UL, 40UL}) {
        request.threads = threads;
        request.chunk = chunk;
        EXPECT_THAT(differences(once, followed(request)), IsEmpty()) << threads << " threads, chunks of " << chunk;
      }
    }
  }
}

// What has no fused kernels is followed as ever, and says so.
TEST(EnsembleFast, ChangesNothingElse) {
  const auto expect_the_default = [](EnsembleRequest request, const std::string& note) {
    const Kept::Numbers usual = followed(request);
    request.fast = true;
    EXPECT_FALSE(Ensemble(request).about().fused) << note;
    EXPECT_THAT(differences(usual, followed(request)), IsEmpty()) << note;
  };
  EnsembleRequest old_processor = request_in({}, "rkmk-4");
  old_processor.set = InstructionSet::baseline;
  expect_the_default(old_processor, "SSE2 cannot fuse");
  Damping<double> damping;
  damping.linear = Mat3<double>{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.05}}};
  expect_the_default(request_in({damping}, "rkmk-4"), "a field that the library evaluates");
  expect_the_default(request_in({}, "newmark-beta", 5), "no packs");
  EnsembleRequest wide = request_in({}, "rkmk-4", 5);
  wide.run.run.scalar = ScalarKind::long_double_;
  expect_the_default(wide, "long double");
  wide.fast = true;
  EXPECT_THAT(Ensemble(wide).about().why_no_packs, HasSubstr("long-double"));
}

}  // namespace
}  // namespace polhode::ensemble_fast_test
