// Convergence studies: the orders of the catalogue are found again through the door that users take, what does not fit
// is refused, and what is written says what was found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "io_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/study_text.hpp"

namespace polhode::converge_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ConvergenceRequest request(const char* problem, std::vector<std::string> methods, std::vector<double> steps,
                           double duration, ScalarKind scalar = ScalarKind::double_) {
  return {find_problem(problem), std::move(methods), std::move(steps), duration, scalar};
}

std::vector<double> halvings(double first, int count) {
  std::vector<double> steps;
  for (; count > 0; --count, first /= 2) steps.push_back(first);
  return steps;
}

std::string refusal(const ConvergenceRequest& wrong) {
  try {
    converge(wrong);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "not refused";
}

struct Case {
  ScalarKind scalar;
  std::vector<std::string> methods;
  double first;  // step [s]
  int count;
};

class Orders : public testing::TestWithParam<Case> {};

// The body has three moments, its centre of mass off all axes: nothing flatters. Claims are tested on their own, so
// that here they are what is to be found.
TEST_P(Orders, AreThoseOfTheCatalogue) {
  const Case& c = GetParam();
  const Convergence study =
      converge(request("asymmetric-top-tilted", c.methods, halvings(c.first, c.count), 4, c.scalar));
  ASSERT_EQ(study.orders.size(), c.methods.size());
  ASSERT_EQ(study.rows.size(), c.methods.size() * static_cast<std::size_t>(c.count));
  for (const MethodOrders& orders : study.orders) {
    SCOPED_TRACE(orders.method);
    ASSERT_TRUE(orders.attitude.fit && orders.momentum.fit) << reason(orders);
    EXPECT_NEAR(orders.attitude.fit->order, orders.claimed.attitude, 0.2);
    EXPECT_NEAR(orders.momentum.fit->order, orders.claimed.momentum, 0.2);
    EXPECT_EQ(reason(orders), "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scalars, Orders,
    testing::Values(Case{ScalarKind::float_, {"taylor-1", "mclachlan-reich-231", "taylor-3"}, 0.4, 6},
                    Case{ScalarKind::double_,
                         {"taylor-1", "simo-wong-ab2", "mclachlan-reich-cayley-123", "taylor-3", "rkmk-4",
                          "mclachlan-reich-4-231", "mclachlan-reich-312@suzuki+energy"},
                         0.1,
                         6},
                    Case{ScalarKind::long_double_, {"mclachlan-reich-123@kahan-li-6", "taylor-5", "taylor-6"}, 0.1, 6},
                    Case{ScalarKind::quad_, {"mclachlan-reich-231", "mclachlan-reich-4-231"}, 0.1, 4}),
    [](const auto& of) {
      std::string name(scalar_name(of.param.scalar));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(Converge, AnExactlySolvedProblemShowsNoOrder) {
  // A sphere turns at a constant rate about a fixed axis, which these get right with any step.
  Problem sphere = *find_problem("free-mclachlan-zanna");
  sphere.name = "sphere";
  sphere.setup.inertia = Vec3<double>{2, 2, 2};
  const ConvergenceRequest asked{
      &sphere, {"taylor-1", "taylor-4", "rkmk-4"}, halvings(0.5, 5), 10, ScalarKind::double_};
  const Convergence study = converge(asked);
  ASSERT_EQ(study.orders.size(), 3U);
  for (const MethodOrders& orders : study.orders) {
    EXPECT_EQ(orders.attitude.why_none, NoOrder::all_rounding) << orders.method;
    EXPECT_EQ(orders.momentum.why_none, NoOrder::all_rounding) << orders.method;
    EXPECT_THAT(reason(orders), HasSubstr("solved exactly")) << orders.method;
  }
}

TEST(Converge, ANameAndItsAliasAreOneMethod) {
  const Convergence study =
      converge(request("free-mclachlan-zanna", {"mclachlan-reich", "mclachlan-reich-123"}, {0.1, 0.2, 0.1}, 1));
  ASSERT_EQ(study.orders.size(), 1U);
  EXPECT_EQ(study.orders[0].method, "mclachlan-reich-123");
  ASSERT_EQ(study.rows.size(), 2U) << "a step given twice is one step";
  EXPECT_EQ(study.rows[0].step, 0.2);
  EXPECT_EQ(study.rows[1].steps, 10);
}

TEST(Converge, BackwardsGivesErrorsOfTheSameSize) {
  const auto error = [](double duration) {
    return converge(request("free-mclachlan-zanna", {"rkmk-4"}, {0.1}, duration)).rows.at(0).attitude_error->value;
  };
  const double there = error(5), back = error(-5);
  EXPECT_GT(there, 1e-9);
  EXPECT_LT(std::abs(std::log(there / back)), std::log(10.0));
}

TEST(Converge, LastsAsLongAsTheReferenceOfItsOwn) {
  ConvergenceRequest asked = request("stress-test", {"rkmk-4"}, {0.25}, 0);
  asked.duration.reset();
  ASSERT_LT(asked.problem->reference_duration, asked.problem->duration);
  EXPECT_EQ(converge(asked).duration, asked.problem->reference_duration);
}

// The last error within what is built in, and the first beyond it, are errors of the same motion.
TEST(Converge, GoesBeyondTheReferenceThatIsBuiltIn) {
  const auto study = [](double duration) { return converge(request("fast-top", {"rkmk-4"}, {0.01, 0.005}, duration)); };
  const Convergence within = study(10), beyond = study(10.5);
  EXPECT_EQ(within.against->source, ReferenceSource::built_in);
  EXPECT_EQ(beyond.against->source, ReferenceSource::computed);
  EXPECT_LT(beyond.against->attitude_uncertainty, 1e-15);
  for (std::size_t i = 0; i < 2; ++i) {
    const double ratio = beyond.rows[i].attitude_error->value / within.rows[i].attitude_error->value;
    EXPECT_GT(ratio, 0.5);
    EXPECT_LT(ratio, 2);
  }
}

// The same motion as a problem and as a situation that nobody knows: one reference is a file of two other integrators.
TEST(Converge, OfAnySituationHasTheErrorsOfTheProblemThatItIs) {
  const std::vector<std::string> methods{"rkmk-4", "mclachlan-reich-231"};
  const Convergence problem = converge(request("asymmetric-top-tilted", methods, {0.1, 0.05, 0.025}, 2));
  ConvergenceRequest asked;
  asked.situation = {"some top", find_problem("asymmetric-top-tilted")->setup, 2};
  asked.methods = methods;
  asked.steps = {0.1, 0.05, 0.025};
  const Convergence situation = converge(asked);
  EXPECT_EQ(situation.problem, "some top");
  EXPECT_EQ(situation.against->source, ReferenceSource::computed);
  ASSERT_EQ(situation.rows.size(), problem.rows.size());
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    EXPECT_NEAR(situation.rows[i].attitude_error->value, problem.rows[i].attitude_error->value, 1e-16);
    EXPECT_NEAR(situation.rows[i].momentum_error->value, problem.rows[i].momentum_error->value, 1e-16);
  }
  EXPECT_NEAR(situation.rotation, problem.rotation, 0.01 * problem.rotation);
  EXPECT_NEAR(situation.orders[0].attitude.fit->order, 4, 0.3);
}

TEST(Converge, RefusesWhatDoesNotFit) {
  const auto refused = [](std::vector<std::string> methods, std::vector<double> steps, double duration) {
    return refusal(request("fast-top", std::move(methods), std::move(steps), duration));
  };
  EXPECT_EQ(refused({"tailor-4"}, {0.1}, 1), "run.method: no method named 'tailor-4'; nearest: taylor-4");
  EXPECT_THAT(refused({"taylor-4@suzuki"}, {0.1}, 1), HasSubstr("run.method: "));
  EXPECT_THAT(refused({"taylor-4"}, {0.1, -0.1}, 1), HasSubstr("run.step: -0.1 is not positive"));
  EXPECT_THAT(refused({"taylor-4"}, {std::nan("")}, 1), HasSubstr("run.step: nan is not finite"));
  EXPECT_THAT(refused({"abm4"}, {0.1, 0.03}, 1), HasSubstr("abm4 cannot shorten its last step"));
  EXPECT_THAT(refused({"taylor-4"}, {0.1}, 0), HasSubstr("run.duration: 0 is no time at all"));
}

TEST(Converge, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  const Convergence study =
      converge(request("free-mclachlan-zanna", {"rkmk-4"}, {0.1, 0.05, 0.025}, 1), {nullptr, &stop});
  EXPECT_TRUE(study.interrupted);
  EXPECT_TRUE(study.rows.empty());
  EXPECT_TRUE(study.orders.empty());
  EXPECT_EQ(json::parse(to_json(study))["interrupted"], true);
}

TEST(Converge, ReportsHowFarItIs) {
  std::vector<double> done;
  const ConvergenceControl control{[&](const ConvergenceProgress& at) { done.push_back(at.done); }, nullptr};
  converge(request("free-mclachlan-zanna", {"rkmk-4", "taylor-4"}, {0.1, 0.05}, 1), control);
  ASSERT_GE(done.size(), 4U);
  EXPECT_EQ(done.front(), 0);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), 1);
}

TEST(StepSizes, AreListsAndHalvings) {
  EXPECT_THAT(parse_step_sizes("0.1"), ElementsAre(0.1));
  EXPECT_THAT(parse_step_sizes("0.1, 5e-2,+0.02"), ElementsAre(0.1, 0.05, 0.02));
  EXPECT_THAT(parse_step_sizes("0.1:0.0125"), ElementsAre(0.1, 0.05, 0.025, 0.0125));
  EXPECT_THAT(parse_step_sizes("0.1:0.04,0.03"), ElementsAre(0.1, 0.05, 0.03));
  EXPECT_THAT(parse_step_sizes("0.1:0.1"), ElementsAre(0.1));
  EXPECT_EQ(parse_step_sizes("0.1:0.003125").size(), 6U);
  const auto refused = [](const char* text) -> std::string {
    try {
      parse_step_sizes(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_THAT(refused(""), HasSubstr("a step is missing"));
  EXPECT_THAT(refused("0.1,,0.2"), HasSubstr("a step is missing"));
  EXPECT_THAT(refused("0.1:"), HasSubstr("a step is missing"));
  EXPECT_THAT(refused("0.1;0.2"), HasSubstr("'0.1;0.2' is not a number"));
  EXPECT_THAT(refused("0"), HasSubstr("0 is not positive"));
  EXPECT_THAT(refused("1e999"), HasSubstr("1e999 is not finite"));
  EXPECT_THAT(refused("0.1:0"), HasSubstr("0 is not positive"));
  EXPECT_THAT(refused("0.1:0.2"), HasSubstr("down to 0.2, which is larger"));
}

TEST(StepSizes, OfTheirOwnDivideTheDuration) {
  for (const double duration : {1.0, 4.0, 7.3, -30.0, 100.0, 3.14159265, 1e-5, 86400.0}) {
    for (const double part : {0.2, 0.033, 0.01, 7e-4, 1e-5}) {
      const std::vector<double> steps = customary_steps(duration, std::abs(duration) * part);
      ASSERT_EQ(steps.size(), 6U);
      EXPECT_LE(steps[0], std::abs(duration) * part * (1 + 1e-12));
      EXPECT_GE(steps[0], std::abs(duration) * part / 4) << duration << " " << part;
      const double count = std::abs(duration) / steps[0];
      EXPECT_NEAR(count, std::nearbyint(count), 1e-9 * count);
      for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_EQ(steps[i], steps[i - 1] / 2);
    }
  }
  EXPECT_EQ(customary_steps(100, 0.3)[0], 0.25);
  EXPECT_EQ(customary_steps(30, 0.77)[0], 0.5);
}

// One method that converges, one whose runs fail in part.
Convergence made_up() {
  Convergence study;
  study.version = "0";
  study.problem = "made-up";
  study.reference = "known";
  study.duration = 8;
  const auto row = [&](const char* method, double step, double error, const char* failure = "") {
    ConvergenceRow made;
    made.method = method;
    made.step = step;
    made.steps = static_cast<long long>(8 / step);
    made.failure = failure;
    if (made.failure.empty()) made.attitude_error = made.momentum_error = to_number(error);
    study.rows.push_back(made);
  };
  for (const double step : {0.5, 0.25, 0.125}) row("good", step, step * step);
  row("bad", 0.5, 0, "bad did not converge in step 3, which begins at t = 1 s; try a \"smaller\" step");
  row("bad", 0.25, 0.1);
  row("bad", 0.125, 0.01);
  for (std::size_t first : {0U, 3U}) {
    MethodOrders orders;
    orders.method = study.rows[first].method;
    orders.claimed = {2, 2};
    orders.first_row = first;
    std::vector<BoundedError> data;
    for (std::size_t i = first; i < first + 3; ++i) {
      const auto& error = study.rows[i].attitude_error;
      data.push_back({study.rows[i].step, error ? error->value : HUGE_VAL, 1e-12});
    }
    orders.attitude = orders.momentum = asymptotic_order(data, 0.5);
    study.orders.push_back(orders);
  }
  return study;
}

TEST(ConvergeOutput, JsonHasTheContractsKeysAndNullsForWhatIsNotThere) {
  const json study = json::parse(to_json(made_up()));
  for (const char* key : {"schema_version", "problem", "scalar", "reference", "rows", "orders"}) {
    EXPECT_TRUE(study.contains(key)) << key;
  }
  ASSERT_EQ(study["rows"].size(), 6U);
  for (const json& row : study["rows"]) {
    for (const char* key :
         {"method", "step", "steps", "attitude_error", "momentum_error", "torque_evaluations", "converged"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
  }
  EXPECT_EQ(study["rows"][0]["attitude_error"], 0.25);
  EXPECT_EQ(study["rows"][0]["attitude_standing"], "fitted");
  EXPECT_EQ(study["rows"][3]["attitude_error"], nullptr);
  EXPECT_EQ(study["rows"][3]["converged"], false);
  EXPECT_EQ(study["rows"][3]["attitude_standing"], "failed");
  EXPECT_THAT(study["rows"][3]["failure"].get<std::string>(), HasSubstr("try a \"smaller\" step"));
  const json& good = study["orders"][0];
  EXPECT_NEAR(good["attitude"], 2, 1e-12);
  EXPECT_NEAR(good["momentum"], 2, 1e-12);
  EXPECT_EQ(good["from_step"], 0.5);
  EXPECT_EQ(good["to_step"], 0.125);
  EXPECT_EQ(good["reason"], nullptr);
  const json& bad = study["orders"][1];
  for (const char* key : {"attitude", "momentum", "from_step", "to_step", "attitude_uncertainty"}) {
    EXPECT_EQ(bad[key], nullptr) << key;
  }
  EXPECT_THAT(bad["reason"].get<std::string>(), HasSubstr("a slope needs three"));
}

TEST(ConvergeOutput, CsvHasUnitsAndTheOrdersAbove) {
  const std::string csv = to_csv(made_up());
  const std::vector<std::string> rows = table_of(csv);
  ASSERT_EQ(rows.size(), 7U);
  EXPECT_EQ(rows[0], "method,step[s],steps,attitude_error[rad],momentum_error[kg m^2/s],torque_evaluations,converged");
  EXPECT_EQ(rows[1], "good,0.5,16,0.25,0.25,0,true");
  EXPECT_EQ(rows[4], "bad,0.5,16,nan,nan,0,false");
  EXPECT_THAT(csv, HasSubstr("# order of attitude of good: 2.0000 +- 0.0000, steps 0.5 to 0.125\n"));
  EXPECT_THAT(csv, HasSubstr("# order of momentum of bad: none, "));
}

}  // namespace
}  // namespace polhode::converge_test
