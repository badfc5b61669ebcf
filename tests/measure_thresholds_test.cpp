// The numbers in the rules of measure/, on both sides of each: what is left out of a fit, what counts as agreement, and
// where a curve of error against cost meets an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "polhode/measure/asymptotic_order.hpp"
#include "polhode/measure/work_precision.hpp"
#include "polhode/studies/compare.hpp"

namespace polhode {
namespace {

using ::testing::ElementsAre;

constexpr Standing fitted = Standing::fitted, saturated = Standing::saturated, unsettled = Standing::unsettled,
                   levelled = Standing::levelled, rounding = Standing::rounding;
constexpr double ceiling = 0.5;

// Errors at halved steps with these local slopes, coarse to fine.
std::vector<BoundedError> with_slopes(const std::vector<double>& slopes, double first = 0.25) {
  std::vector<BoundedError> data{{1, first, 0}};
  for (const double slope : slopes) data.push_back({data.back().step / 2, data.back().error / std::exp2(slope), 0});
  return data;
}

AsymptoticOrder order_of(const std::vector<BoundedError>& data) { return asymptotic_order(data, ceiling); }

TEST(OrderThresholds, AnErrorAtTheCeilingIsSaturated) {
  EXPECT_THAT(order_of(with_slopes({2, 2, 2}, ceiling)).standing, ElementsAre(saturated, fitted, fitted, fitted));
  EXPECT_THAT(order_of(with_slopes({2, 2, 2}, ceiling * (1 - 1e-12))).standing,
              ElementsAre(fitted, fitted, fitted, fitted));
}

// Three steps have none to spare: the last is taken if it is above its floor at all.
TEST(OrderThresholds, AnErrorAtItsFloorIsRounding) {
  std::vector<BoundedError> data = with_slopes({2, 2});
  data[2].floor = data[2].error;
  EXPECT_THAT(order_of(data).standing, ElementsAre(unsettled, unsettled, rounding));
  EXPECT_EQ(order_of(data).why_none, NoOrder::too_few);
  data[2].floor *= 1 - 1e-12;
  EXPECT_THAT(order_of(data).standing, ElementsAre(fitted, fitted, fitted));
}

// Where there are enough without it, ten times the floor are asked for.
TEST(OrderThresholds, AFitKeepsClearOfTheFloorByTen) {
  std::vector<BoundedError> data = with_slopes({2, 2, 2});
  data[3].floor = 0.1001 * data[3].error;
  EXPECT_THAT(order_of(data).standing, ElementsAre(fitted, fitted, fitted, rounding));
  EXPECT_EQ(order_of(data).fit->to_step, 0.25);
  data[3].floor = 0.0999 * data[3].error;
  EXPECT_THAT(order_of(data).standing, ElementsAre(fitted, fitted, fitted, fitted));
  EXPECT_EQ(order_of(data).fit->to_step, 0.125);
  EXPECT_EQ(order_of(data).fit->from_step, 1);
}

TEST(OrderThresholds, ASlopeBelowAHalfIsALevel) {
  EXPECT_THAT(order_of(with_slopes({4, 4, 4, 0.499})).standing,
              ElementsAre(fitted, fitted, fitted, levelled, levelled));
  EXPECT_THAT(order_of(with_slopes({4, 4, 4, 0.501})).standing,
              ElementsAre(unsettled, unsettled, unsettled, unsettled, unsettled));
}

// log2(10) = 3.32: a step that lies by a little less above the level is left out, by a little more it is not.
TEST(OrderThresholds, ErrorsUpToTenTimesALevelAreLeftOut) {
  EXPECT_THAT(order_of(with_slopes({3.31, 3.31, 3.31, 0})).standing,
              ElementsAre(unsettled, unsettled, levelled, levelled, levelled));
  EXPECT_THAT(order_of(with_slopes({3.33, 3.33, 3.33, 0})).standing,
              ElementsAre(fitted, fitted, fitted, levelled, levelled));
}

TEST(OrderThresholds, ThreeStepsAgreeToAQuarterAndMoreToLess) {
  EXPECT_TRUE(order_of(with_slopes({2.249, 2})).fit);
  EXPECT_FALSE(order_of(with_slopes({2.251, 2})).fit);
  EXPECT_THAT(order_of(with_slopes({2.149, 2, 2})).standing, ElementsAre(fitted, fitted, fitted, fitted));
  EXPECT_THAT(order_of(with_slopes({2.151, 2, 2})).standing, ElementsAre(unsettled, fitted, fitted, fitted));
}

TEST(OrderThresholds, SlopesThatChangeAsMuchAsBeforeHaveNotSettled) {
  EXPECT_TRUE(order_of(with_slopes({2.100, 2.0499, 2})).fit) << "the last change is below 0.05";
  EXPECT_FALSE(order_of(with_slopes({2.102, 2.0501, 2})).fit);
  EXPECT_TRUE(order_of(with_slopes({2.148, 2.0679, 2})).fit) << "the last change is below 0.85 of the one before";
  EXPECT_FALSE(order_of(with_slopes({2.148, 2.0681, 2})).fit);
  EXPECT_TRUE(order_of(with_slopes({2.00, 2.07, 2})).fit) << "slopes go to and fro";
}

TEST(OrderThresholds, TheUncertaintyIsTheLargerOfScatterAndTrend) {
  // Slopes 2 + d, 2: the line has the slope 2 + d/2, and local ones tend to 2 - d.
  const AsymptoticOrder trend = order_of(with_slopes({2.1, 2}));
  EXPECT_NEAR(trend.fit->order, 2.05, 1e-12);
  EXPECT_NEAR(trend.fit->uncertainty, 2.05 - 1.9, 1e-12);
  // One error off a power law by b halvings: over x = 2, 1, 0, -1, -2 the line's slope is off by b/10, and the residuals
  // are (-4, 7, -2, -1, 0) b/10, whose squares add up to 0.7 b^2; the last slopes tend to 2.
  const double b = 0.05;
  const AsymptoticOrder scatter = order_of(with_slopes({2 - b, 2 + b, 2, 2}));
  EXPECT_NEAR(scatter.fit->order, 2 + b / 10, 1e-12);
  EXPECT_NEAR(scatter.fit->uncertainty, b * std::sqrt(0.7 / (3 * 10)), 1e-12);
}

TEST(CostThresholds, AnErrorIsMetByThePointThatHasIt) {
  const std::vector<WorkPoint> curve{{1e-2, 1}, {1e-4, 10}, {1e-6, 1000}};
  const auto cost = [&](double error) { return cost_at(curve, error).value_or(NAN); };
  EXPECT_TRUE(std::isnan(cost(1e-2))) << "the largest step is there already: how much less would do is not known";
  EXPECT_NEAR(cost(1e-2 * (1 - 1e-12)), 1, 1e-9);
  EXPECT_EQ(cost(1e-4), 10);
  EXPECT_NEAR(cost(1e-4 * (1 - 1e-12)), 10, 1e-9) << "the curve has no jump";
  EXPECT_EQ(cost(1e-6), 1000);
  EXPECT_TRUE(std::isnan(cost(1e-6 * (1 - 1e-12))));
  EXPECT_NEAR(cost(1e-3), std::sqrt(10.0), 1e-12) << "half way in logarithms";
  EXPECT_NEAR(cost(1e-5), 100, 1e-10);
  EXPECT_EQ(bracket(curve, 1e-4), 0U);
  EXPECT_EQ(bracket(curve, 1e-4 * (1 - 1e-12)), 1U);
}

ComparisonRow row(const char* method, double error, double seconds) {
  ComparisonRow made;
  made.method = method;
  made.attitude_error = Number{error, "0"};
  made.timings = {seconds};
  return made;
}

TEST(CostThresholds, RankingsNameWhoIsBetterAndWhoIsNotThere) {
  const std::vector<CostsAtError> all =
      costs_at_errors({row("slow", 1e-2, 8), row("slow", 1e-3, 32), row("quick", 1e-1, 1), row("quick", 1e-4, 64),
                       row("near", 1e-2, 1), row("near", 1.001e-3, 2), row("better", 1e-3, 1)});
  ASSERT_EQ(all.size(), 1U) << "of 1e-6 and 1e-9 there is nothing to say";
  ASSERT_EQ(all[0].costs.size(), 2U);
  EXPECT_EQ(all[0].costs[0].method, "quick");
  EXPECT_NEAR(all[0].costs[0].seconds, 16, 1e-12) << "two thirds of the way from 1 to 64, in logarithms";
  EXPECT_EQ(all[0].costs[0].ratio, 1);
  EXPECT_EQ(all[0].costs[1].method, "slow");
  EXPECT_EQ(all[0].costs[1].seconds, 32);
  EXPECT_NEAR(all[0].costs[1].ratio, 2, 1e-12);
  EXPECT_THAT(all[0].less_accurate, ElementsAre("near"));
  EXPECT_THAT(all[0].more_accurate, ElementsAre("better"));
}

TEST(CommonRangeThresholds, HalfOfTheMethodsIsEnoughAndLessIsNot) {
  // Of five, three or four reach 1e-5 to 1e-3, and two what lies beside it.
  const std::vector<ErrorRange> five{{1e-4, 1e-1}, {1e-6, 1e-3}, {1e-6, 1e-3}, {1e-5, 1e-2}, {1e-9, 1e-8}};
  const std::optional<ErrorRange> common = common_range(five);
  ASSERT_TRUE(common);
  EXPECT_EQ(common->low, 1e-5);
  EXPECT_EQ(common->high, 1e-3);
  EXPECT_NEAR(common->middle(), 1e-4, 1e-16) << "geometric";
  // Two of four are half.
  const std::optional<ErrorRange> four = common_range({five.begin(), five.begin() + 4});
  ASSERT_TRUE(four);
  EXPECT_EQ(four->low, 1e-6);
  EXPECT_EQ(four->high, 1e-2);
}

}  // namespace
}  // namespace polhode
