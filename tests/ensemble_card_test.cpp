// Bodies on a graphics card: those of the processor, to the bit where products and sums are not fused, and else to
// rounding. Where no card can be used, that is what is tested.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "ensemble/card.hpp"
#include "ensemble_bodies.hpp"
#include "polhode/core/error.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode::ensemble_card_test {
namespace {

using namespace ensemble_bodies;
using polhode_packs::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double eps = std::numeric_limits<double>::epsilon();

std::string why_no_card() {
  try {
    find_card();
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::unavailable);
    return error.what();
  }
}

class OnACard : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_card(); !why.empty()) GTEST_SKIP() << why;
  }
};

GravityGradient<double> orbit() {
  GravityGradient<double> field;
  field.mean_motion = 0.6;
  field.orbit_normal_spatial = {0.1, -0.3, 0.9};
  field.radius_spatial = {0.9, 0.3, 0};
  return field;
}

EnsembleRequest on_the_card(EnsembleRequest request) {
  request.device = Device::cuda;
  return request;
}

bool has_kernel(std::string_view method, Field field) {
  for (std::size_t i = 0; i < methods().size(); ++i)
    if (methods()[i].name == method) return card_kernel(static_cast<int>(i), field, false) != nullptr;
  return false;
}

std::vector<std::string> methods_on_cards() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (method.plugin.empty() && has_kernel(method.name, Field::free) && method.name != "free-exact")
      names.emplace_back(method.name);
  return names;
}

// A rounding of a step is eps; n of them add up to no more than n eps in the momentum, and that turns the body by n^2 eps w h,
// in motions that are not chaotic. A step has tens of operations: the factor.
double largest_difference(double steps, double turn_of_a_step) {
  return 64 * eps * steps * (1 + steps * turn_of_a_step);
}

// The same motion, whatever the sign of the quaternion.
double farthest(const Kept::Numbers& a, const Kept::Numbers& b, const std::string& name) {
  const std::vector<double>&x = a.at(name), &y = b.at(name);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

void expect_same(const Kept::Numbers& card, const Kept::Numbers& processor, bool to_rounding, const RunOptions& options,
                 const std::string& what) {
  if (!to_rounding) {
    EXPECT_THAT(differences(card, processor), IsEmpty()) << what;
    return;
  }
  constexpr double fastest = 4;  // rad/s, of normal draws with deviation 0.8
  const auto steps = static_cast<double>(*options.steps);
  for (const char* name : {"end attitude", "end velocity", "end momentum"}) {
    const double difference = farthest(card, processor, name);
    EXPECT_LE(difference, 4 * largest_difference(steps, fastest * options.step)) << what << ", " << name;
  }
}

struct Torque {
  Field field;
  std::vector<FieldData<double>> torques;
};

std::vector<Torque> torques() {
  return {{Field::free, {}}, {Field::heavy_top, {heavy_top()}}, {Field::gravity_gradient, {orbit()}}};
}

TEST_F(OnACard, IsTheProcessorsMotionInEveryFieldOfEveryMethod) {
  const bool fused = find_card().fused;
  int compared = 0;
  for (const std::string& method : methods_on_cards()) {
    for (const Torque& torque : torques()) {
      if (!has_kernel(method, torque.field)) continue;
      for (const double sign : {1.0, -1.0}) {
        for (const double rest : {0.0, 0.02}) {  // the last step is whole, or shorter
          EnsembleSettings settings = drawn(300);
          settings.snapshots = {sign * 0.5, sign * 1.2};
          RunOptions options{.step = 0.05, .duration = sign * (1.85 + rest)};
          const EnsembleRequest request = request_of(typical(torque.torques), method, settings, options);
          options.steps = 38;
          expect_same(followed(on_the_card(request)), followed(request), fused, options,
                      method + (sign < 0 ? ", backwards" : "") + (rest > 0 ? ", a shorter last step" : "") +
                          ", field " + std::to_string(static_cast<int>(torque.field)));
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 12 * 5);
}

TEST_F(OnACard, DoesNotDependOnThreadsAndChunks) {
  const EnsembleRequest request = on_the_card(request_of(typical({heavy_top()}), "lie-verlet", drawn(1000)));
  const Kept::Numbers expected = followed(request);
  for (const int threads : {1, 3})
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{128}, std::size_t{999}}) {
      if (chunk == 1 && threads == 3) continue;
      EnsembleRequest other = request;
      other.threads = threads;
      other.chunk = chunk;
      EXPECT_THAT(differences(followed(other), expected), IsEmpty()) << threads << " threads, chunks of " << chunk;
    }
}

// More bodies than are on the card at once, and more steps than are queued at once.
TEST_F(OnACard, FollowsMoreThanItHoldsAtOnce) {
  const EnsembleRequest request =
      request_of(typical(), "mclachlan-reich-231", drawn(150000), {.step = 0.01, .steps = 2100});
  const Kept::Numbers card = followed(on_the_card(request));
  EnsembleRequest part = request;
  part.part = 150;
  part.parts = 150;  // the last thousand
  const Kept::Numbers processor = followed(part);
  const std::vector<double>&all = card.at("end attitude"), &last = processor.at("end attitude");
  ASSERT_EQ(last.size(), 4000U);
  double most = 0;
  for (std::size_t i = 0; i < last.size(); ++i)
    most = std::max(most, std::abs(last[i] - all[all.size() - last.size() + i]));
  EXPECT_LE(most, find_card().fused ? largest_difference(2100, 0.04) : 0);
  for (const double x : all) ASSERT_TRUE(std::isfinite(x));
}

// Bodies whose motion overflows: the same ones as on the processor.
TEST_F(OnACard, ListsBodiesThatFail) {
  EnsembleSettings settings;
  settings.bodies = 500;
  std::vector<double> rows;
  for (int i = 0; i < 500; ++i) rows.insert(rows.end(), {0.01 * i, 0.3, i % 13 == 4 ? 1e160 : 0.5});
  settings.drawn.push_back({"start.angular_velocity_body", {Distribution::Kind::table}});
  settings.drawn.back().distribution.rows = std::make_shared<std::vector<double>>(rows);
  settings.drawn.back().distribution.width = 3;
  const EnsembleRequest request = request_of(typical(), "rkmk-4", settings);
  const auto listed = [](const EnsembleRequest& one) {
    const EnsembleResult result = Ensemble(one).follow();
    std::vector<std::uint64_t> bodies;
    for (const BodyFailure& failure : result.failures) bodies.push_back(failure.body);
    return std::pair{result.failed, bodies};
  };
  const auto card = listed(on_the_card(request)), processor = listed(request);
  EXPECT_EQ(processor.first, 39U);
  EXPECT_EQ(card, processor);
}

// Rates are in double on a card, so that the phase is wrong by some eps of itself.
TEST_F(OnACard, HasTheClosedFormAtAnyTime) {
  if (!has_kernel("free-exact", Field::free)) GTEST_SKIP() << "this build has no free-exact for a card";
  for (const double time : {0.7, 30.0, 1e4}) {
    const EnsembleRequest request = request_of(typical(), "free-exact", drawn(1000), {.step = time, .steps = 1});
    const Kept::Numbers card = followed(on_the_card(request)), processor = followed(request);
    constexpr double fastest = 4;
    EXPECT_LE(farthest(card, processor, "end attitude"), 2e-15 + 16 * eps * (1 + fastest * time)) << time;
  }
}

TEST_F(OnACard, RefusesWhatItCannotFollow) {
  const auto sentence = [](EnsembleRequest request) -> std::string {
    try {
      const Ensemble ensemble(on_the_card(std::move(request)));
      return "no refusal";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_request);
      return error.what();
    }
  };
  EXPECT_THAT(sentence(request_of(typical({heavy_top(), orbit()}), "lie-verlet", drawn(3))), HasSubstr("of torques"));
  EXPECT_THAT(sentence(request_of(typical(), "lie-verlet@suzuki", drawn(3))), HasSubstr("suffix"));
  EXPECT_THAT(sentence(request_of(typical(), "picard-lobatto-8", drawn(3))), HasSubstr("picard-lobatto-8"));
}

TEST(WithoutACard, SaysWhatIsMissingAndWhatToDo) {
  const std::string why = why_no_card();
  if (why.empty()) GTEST_SKIP() << "there is one";
  EXPECT_THAT(why, HasSubstr("device cpu"));
  EXPECT_THROW(Ensemble(on_the_card(request_of(typical(), "lie-verlet", drawn(3)))), Error);
}

}  // namespace
}  // namespace polhode::ensemble_card_test
