// Both sides of every line that is drawn between what is accepted and what is not: half a per cent within and half a per
// cent beyond.
#include <gtest/gtest.h>

#include <cmath>

#include "descriptions.hpp"
#include "polhode/run/choose.hpp"
#include "polhode/studies/converge.hpp"

namespace polhode::test {
namespace {

constexpr double within = 0.995, beyond = 1.005;

bool accepted(const Situation& s) {
  try {
    check(s);
  } catch (const SetupError&) {
    return false;
  }
  return true;
}

// accept(size) is whether something of that size passes; the line is at `line`.
template <class Accept>
void expect_line_at(double line, const Accept& accept) {
  EXPECT_TRUE(accept(within * line)) << within * line;
  EXPECT_FALSE(accept(beyond * line)) << beyond * line;
}

TEST(Threshold, QuaternionsAreOfUnitLengthToAMillionth) {
  for (const auto kind : {AttitudeData::Kind::wxyz, AttitudeData::Kind::xyzw}) {
    for (const double sign : {1.0, -1.0}) {
      expect_line_at(1e-6, [&](double off) {
        Situation s = body_under({});
        s.attitude.kind = kind;
        for (double& x : s.attitude.values) x *= 1 + sign * off;
        return accepted(s);
      });
    }
  }
}

TEST(Threshold, MatricesAreOrthogonalToAMillionth) {
  const Mat3<double> m = matrix(exp(V{0.5, -0.9, 0.4}));
  for (const double sign : {1.0, -1.0}) {
    expect_line_at(1e-6, [&](double off) {
      Situation s = body_under({});
      s.attitude = {AttitudeData::Kind::matrix, {}};
      for (const auto& row : m)
        for (const double x : row) s.attitude.values.push_back(x * std::sqrt(1 + sign * off));  // R^T R = 1 + off
      return accepted(s);
    });
    expect_line_at(1e-6, [&](double off) {
      Situation s = body_under({});
      s.attitude = {AttitudeData::Kind::matrix,
                    {1, sign * off, 0, 0, 1, 0, 0, 0, 1}};  // two columns are not at right angles
      return accepted(s);
    });
  }
}

TEST(Threshold, TheTriangleInequalityHoldsToRounding) {
  for (const double size : {1e-200, 1.0, 1e200}) {
    expect_line_at(1e-12, [&](double excess) {
      Situation s = body_under({});
      s.inertia = size * V{1.25, 3 / (1 - excess), 1.75};  // 3 (1 + excess) with the excess relative to all of it
      return accepted(s);
    });
  }
  // A tensor has rounding of its own in its moments, a thousandth of that.
  for (const double excess : {0.9e-12, 1.1e-12}) {
    Situation s = body_under({});
    s.inertia = tensor_in(exp(V{0.4, -0.9, 0.6}), V{1.25, 1.75, 3 / (1 - excess)});
    EXPECT_EQ(accepted(s), excess < 1e-12);
    s.unphysical = true;
    EXPECT_TRUE(accepted(s));
  }
}

TEST(Threshold, ABodyHasInertiaAboutEveryAxis) {
  const auto smallest = [](double moment) {
    Situation s = body_under({});
    s.inertia = V{1, 1, moment};
    return accepted(s);
  };
  EXPECT_TRUE(smallest(beyond * 1e-14));
  EXPECT_FALSE(smallest(within * 1e-14));
}

TEST(Threshold, TensorsAreSymmetricToRounding) {
  expect_line_at(1e-12, [&](double off) {
    Situation s = body_under({});
    s.inertia = Mat3<double>{{{2, 0.1 + 2.5 * off, 0}, {0.1, 2.2, 0}, {0, 0, 2.5}}};
    return accepted(s);
  });
}

TEST(Threshold, TheRadiusIsInThePlaneOfTheOrbitToAMillionth) {
  for (const double sign : {1.0, -1.0}) {
    for (const double length : {1e-200, 1.0, 1e200}) {
      expect_line_at(1e-6, [&](double cosine) {
        GravityGradient<double> field;
        field.mean_motion = 0.1;
        field.orbit_normal_spatial = {0, 0, 3};
        field.radius_spatial = length * V{std::sqrt(1 - cosine * cosine), 0, sign * cosine};
        return accepted(body_under({field}));
      });
    }
  }
}

// A radius that is forgiven is put into the plane: the motion is the one it would be with a right angle.
TEST(Threshold, ARadiusThatIsForgivenIsMadeRight) {
  GravityGradient<double> exact, forgiven;
  exact.mean_motion = forgiven.mean_motion = 0.6;
  forgiven.radius_spatial = {1, 0, 9e-7};
  const Motion a = motion_of(body_under({exact}), by("taylor-4", 0.05, 1));
  const Motion b = motion_of(body_under({forgiven}), by("taylor-4", 0.05, 1));
  EXPECT_LT(distance(a, b, [](const Row& row) { return row; }), rounding("taylor-4", 20));
}

TEST(Threshold, ADirectionIsNotOppositeToTheThirdAxis) {
  const auto tilted = [](double tilt) {
    Situation s = body_under({});
    s.attitude = {AttitudeData::Kind::direction, {0, 5 * tilt, -5}};
    return accepted(s);
  };
  EXPECT_TRUE(tilted(beyond * 1e-12));
  EXPECT_FALSE(tilted(within * 1e-12));
  EXPECT_FALSE(tilted(-within * 1e-12));
}

// ---- a whole number of steps

// Of 40 steps and a part `off` of 40: whether they count as 40.
bool is_whole(double off, double way, const std::string& method = "taylor-2") {
  const double step = 0.0625;
  const Scenario scenario = scenario_of(body_under({}), by(method, step, way * 40 * step * (1 + off)));
  const Steps steps = plan(scenario).steps;
  if (!steps.length) {
    EXPECT_EQ(steps.count, 40);
  } else {
    EXPECT_EQ(steps.count, off > 0 ? 41 : 40);
    EXPECT_EQ(*steps.length, *scenario.run.duration);
  }
  return !steps.length;
}

TEST(Threshold, ADurationIsAWholeNumberOfStepsToABillionth) {
  for (const double way : {1.0, -1.0}) {
    for (const double sign : {1.0, -1.0}) expect_line_at(1e-9, [&](double off) { return is_whole(sign * off, way); });
    expect_line_at(1e-9, [&](double off) {
      try {
        return is_whole(off, way, "abm4");  // cannot shorten its last step
      } catch (const Error&) {
        return false;
      }
    });
  }
}

// What is left over is run, and what is missing is left out.
TEST(Threshold, ARunEndsAtItsDurationWhereThatIsNoWholeNumberOfSteps) {
  const Situation s = body_under({});
  const Motion shortened = motion_of(s, by("taylor-2", 0.0625, 2.5 * (1 + 2e-9)));
  EXPECT_EQ(shortened.rows.size(), 42U);
  EXPECT_EQ(shortened.end().t, 0.25 + 2.5 * (1 + 2e-9));
  EXPECT_EQ(motion_of(s, by("taylor-2", 0.0625, 2.5 * (1 + 5e-10))).end().t, 0.25 + 2.5);
}

// ---- studies

double unit_of(ScalarKind scalar) {
  return scalar == ScalarKind::float_ ? 0x1p-23 : scalar == ScalarKind::double_ ? 0x1p-52 : 0x1p-63;
}

// 4 eps (1 + rotation) sqrt(steps), and that times the largest momentum.
TEST(Threshold, TheFloorOfAConvergenceStudyIsThatOfItsDocumentation) {
  for (const ScalarKind scalar : {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_}) {
    ConvergenceRequest request;
    request.problem = find_problem("asymmetric-top");
    request.methods = {"taylor-2"};
    request.steps = {0.1, 0.025};
    request.duration = 5;
    request.scalar = scalar;
    const Convergence study = converge(request);
    EXPECT_GT(study.rotation, 0.1);
    ASSERT_EQ(study.rows.size(), 2U);
    for (const ConvergenceRow& row : study.rows) {
      const double floor = 4 * unit_of(scalar) * (1 + study.rotation) * std::sqrt(5 / row.step);
      EXPECT_NEAR(row.attitude_floor, floor, 1e-12 * floor);
      EXPECT_NEAR(row.momentum_floor, floor * study.momentum, 1e-12 * floor * study.momentum);
    }
  }
}

// Six errors of second order; the finest is so many times its floor.
AsymptoticOrder with_finest_at(double floors) {
  std::vector<BoundedError> data;
  for (double h = 1; h > 0.02; h /= 2) data.push_back({h, 0.1 * h * h, 0});
  data.back().floor = data.back().error / floors;
  return asymptotic_order(data, 0.5);
}

TEST(Threshold, AnErrorAtItsFloorIsRounding) {
  for (const double floors : {within, 1.0}) {
    const AsymptoticOrder found = with_finest_at(floors);
    EXPECT_EQ(found.standing.back(), Standing::rounding);
    EXPECT_EQ(found.fit->points, 5);
  }
  // Above it, but less than ten times: left out while three others are clear of it.
  for (const double floors : {beyond, 10 * within}) {
    EXPECT_EQ(with_finest_at(floors).standing.back(), Standing::rounding) << floors;
    EXPECT_EQ(with_finest_at(floors).fit->points, 5) << floors;
  }
  EXPECT_EQ(with_finest_at(10 * beyond).standing.back(), Standing::fitted);
  EXPECT_EQ(with_finest_at(10 * beyond).fit->points, 6);
}

// Of three errors, the finest between one and ten floors is needed, and taken; at its floor it is not.
TEST(Threshold, AnErrorNearItsFloorCountsWhereThreeAreNeeded) {
  const auto three = [](double floors) {
    std::vector<BoundedError> data{{1, 0.1, 0}, {0.5, 0.025, 0}, {0.25, 0.00625, 0.00625 / floors}};
    return asymptotic_order(data, 0.5);
  };
  EXPECT_TRUE(three(beyond).fit);
  EXPECT_FALSE(three(1).fit);
  EXPECT_FALSE(three(within).fit);
  EXPECT_EQ(three(within).why_none, NoOrder::too_few);
}

TEST(Threshold, AnErrorAtTheCeilingIsSaturated) {
  const auto coarsest = [](double error) {
    std::vector<BoundedError> data{{1, error, 0}};
    for (double h = 0.5; h > 0.02; h /= 2) data.push_back({h, 0.5 * h * h, 0});
    return asymptotic_order(data, 0.5).standing.front();
  };
  EXPECT_EQ(coarsest(0.5 * within), Standing::fitted);
  EXPECT_EQ(coarsest(0.5), Standing::saturated);
  EXPECT_EQ(coarsest(0.5 * beyond), Standing::saturated);
}

// ---- auto

// An error of half the tolerance is aimed at: never more, as measured in the trials. Steps come in whole numbers, so that
// it is mostly less; but as the tolerance falls by a sixth at a time, it is just reached now and then. Counting torque
// evaluations, the choice is the same every time.
TEST(Threshold, AutoAimsAtHalfTheTolerance) {
  double most = 0;
  for (double tolerance = 1e-4; tolerance > 1e-7; tolerance /= 1.2) {
    SelectionRequest request;
    request.setup = find_problem("asymmetric-top-tilted")->setup;
    request.duration = 10;
    request.tolerance = tolerance;
    request.goal = Goal::torque_evaluations;
    const Selection selection = choose_method(request);
    EXPECT_TRUE(selection.reaches);
    EXPECT_FALSE(selection.extrapolated);
    EXPECT_LE(selection.predicted_error, tolerance / 2) << selection.method.name << " for " << tolerance;
    most = std::max(most, selection.predicted_error / tolerance);
  }
  EXPECT_GT(most, 0.5 / 1.2);
}

}  // namespace
}  // namespace polhode::test
