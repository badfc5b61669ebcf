// Derivatives of runs against differences of the same runs in quad, made independently of how derivatives are computed:
// every method that has them, every kind of number that a situation can be differentiated by, across cuts and switches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "kind_support.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/run/simulation.hpp"
#include "run/tangent.hpp"

namespace polhode::test::sensitivities_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using V = Vec3<double>;
using Situation = polhode::Setup;  // gtest has a Setup of its own
using Change = std::function<void(Situation&, double)>;

Situation tilted_top() {
  Situation s;
  s.inertia = V{0.9144, 1.098, 1.66};
  const Rotation<double> q = exp(V{0.3, -0.2, 0.5});
  s.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  s.motion.value = {0.45549, 0.82623, 0.53476};
  HeavyTop<double> top;
  top.weight_times_arm = 0.5;
  top.axis_body = {1, 2, 2};
  s.torques = {top};
  return s;
}
const Mat3<double> tensor{{{1.31, 0.12, -0.175}, {0.12, 1.7, 0.21}, {-0.175, 0.21, 2.1}}};

// The start turned about a body axis.
Change turn(std::size_t axis) {
  return [axis](Situation& s, double by) {
    const auto& a = s.attitude.values;
    V d{};
    d[axis] = by;
    const Rotation<double> q = Rotation<double>{a[0], {a[1], a[2], a[3]}} * exp(d);
    s.attitude.values = {q.w, q.v.x, q.v.y, q.v.z};
  };
}
Change motion(std::size_t axis) {
  return [axis](Situation& s, double by) { s.motion.value[axis] += by; };
}
Change moment(std::size_t axis) {
  return [axis](Situation& s, double by) { std::get<V>(s.inertia)[axis] += by; };
}
Change tensor_entry(std::size_t i, std::size_t k) {
  return [=](Situation& s, double by) {
    auto& m = std::get<Mat3<double>>(s.inertia);
    m[i][k] += by;
    if (i != k) m[k][i] += by;
  };
}
template <class Field>
Change torque(const std::function<double&(Field&)>& number) {
  return [number](Situation& s, double by) { number(std::get<Field>(s.torques[0])) += by; };
}

struct Run {
  std::string method;
  double duration;
  int steps;
};

struct Derivatives {
  V theta_B, w_B, L_S;
};

// Of the run in quad, by four of them: wrong by the fourth power of the change.
Derivatives differences(const Situation& setup, const Run& run, const Change& change) {
  constexpr double delta = 0x1p-13;
  struct Seen {
    Rotation<quad> R;
    Vec3<quad> w, L;
  };
  const auto at = [&](double by) {
    Situation changed = setup;
    change(changed, by);
    const auto prepared = prepare<quad>(changed);
    const State<quad> s = integrated<quad>(changed, run.method, run.duration, run.steps);
    const Body<quad> body = prepared.body_in_user_units();
    const Rotation<quad>& R_UB = body.principal_axes;
    return Seen{s.R_SB, R_UB * body.velocity(inverse(R_UB) * s.pi_B, s.t), spatial_momentum(s)};
  };
  const Rotation<quad> R = at(0).R;
  const auto turned = [&](const Seen& seen) {
    Rotation<quad> q = inverse(R) * seen.R;
    return (q.w < quad(0) ? quad(-2) : quad(2)) * q.v;
  };
  const Seen far = at(2 * delta), near = at(delta), back = at(-delta), far_back = at(-2 * delta);
  const auto slope = [&](const Vec3<quad>& a, const Vec3<quad>& b, const Vec3<quad>& c, const Vec3<quad>& d) {
    return cast<double>((quad(8) * (b - c) - (a - d)) / quad(12 * delta));
  };
  return {slope(turned(far), turned(near), turned(back), turned(far_back)), slope(far.w, near.w, back.w, far_back.w),
          slope(far.L, near.L, back.L, far_back.L)};
}

std::vector<Sensitivity> sensitivities(const Situation& setup, const Run& run, std::vector<std::string> by) {
  RunOptions options;
  options.step = run.duration / run.steps;
  options.steps = run.steps;
  options.sensitivities = std::move(by);
  return Simulation(setup, run.method, options).run().sensitivities->numbers;
}

double gap(const std::array<double, 3>& a, const V& b) {
  return std::max({std::abs(a[0] - b.x), std::abs(a[1] - b.y), std::abs(a[2] - b.z)});
}

// `by`: names of single numbers, and how to change them.
void expect_differences(const Situation& setup, const Run& run, const std::vector<std::pair<std::string, Change>>& by,
                        double tolerance = 1e-10) {
  std::vector<std::string> names;
  for (const auto& [name, change] : by) names.push_back(name);
  const std::vector<Sensitivity> found = sensitivities(setup, run, names);
  ASSERT_EQ(found.size(), by.size());
  for (std::size_t i = 0; i < by.size(); ++i) {
    const Derivatives expected = differences(setup, run, by[i].second);
    const double scale = 1 + norm(expected.theta_B) + norm(expected.w_B) + norm(expected.L_S);
    EXPECT_EQ(found[i].by.name, by[i].first);
    EXPECT_GT(scale, 1.001) << by[i].first << " has no effect, which shows nothing";
    EXPECT_LT(gap(found[i].theta_B, expected.theta_B), tolerance * scale) << run.method << ", theta by " << names[i];
    EXPECT_LT(gap(found[i].w_B, expected.w_B), tolerance * scale) << run.method << ", w by " << names[i];
    EXPECT_LT(gap(found[i].L_S, expected.L_S), tolerance * scale) << run.method << ", L by " << names[i];
  }
}

std::vector<std::pair<std::string, Change>> of_start(const std::string& key) {
  return {{"start.attitude.x", turn(0)},      {"start.attitude.y", turn(1)},      {"start.attitude.z", turn(2)},
          {"start." + key + ".x", motion(0)}, {"start." + key + ".y", motion(1)}, {"start." + key + ".z", motion(2)}};
}

TEST(Sensitivities, OfEveryMethodAreThoseOfItsOwnSteps) {
  const Situation top = tilted_top();
  std::vector<std::pair<std::string, Change>> by = of_start("angular_velocity_body");
  by.emplace_back("inertia.x", moment(0));
  by.emplace_back("inertia.z", moment(2));
  by.emplace_back("torque.weight_times_arm",
                  torque<HeavyTop<double>>([](auto& f) -> double& { return f.weight_times_arm; }));
  std::size_t count = 0;
  for (const std::string_view method : methods_with_tangents()) {
    expect_differences(top, {std::string(method), 1.2, 12}, by);
    ++count;
  }
  EXPECT_GE(count, 30U);
  for (const char* method : {"mclachlan-reich-231@kahan-li-8", "lie-verlet@suzuki", "rkmk-4+energy"})
    expect_differences(top, {method, 1.2, 12}, by);
}

// Few numbers are carried side by side with few others.
TEST(Sensitivities, DoNotDependOnHowManyThereAre) {
  const std::vector<std::string> by{"start.attitude.x",
                                    "start.attitude.y",
                                    "start.attitude.z",
                                    "start.angular_velocity_body.x",
                                    "start.angular_velocity_body.y",
                                    "start.angular_velocity_body.z",
                                    "inertia.x",
                                    "inertia.y",
                                    "inertia.z",
                                    "torque.weight_times_arm",
                                    "torque.axis_body.x",
                                    "torque.up_spatial.x"};
  for (const std::string_view method : methods_with_tangents()) {
    const auto of = [&](const std::vector<std::string>& names) {
      return sensitivities(tilted_top(), {std::string(method), 1.2, 12}, names);
    };
    const std::vector<Sensitivity> all = of(by);
    for (std::size_t count = 1; count < by.size(); ++count) {
      const std::vector<Sensitivity> few = of({by.end() - count, by.end()});
      ASSERT_EQ(few.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        const Sensitivity &one = few[i], &same = all[by.size() - count + i];
        EXPECT_EQ(one.by.name, same.by.name);
        EXPECT_EQ(one.theta_B, same.theta_B) << method << ", " << count << " numbers, by " << one.by.name;
        EXPECT_EQ(one.w_B, same.w_B) << method << ", " << count << " numbers, by " << one.by.name;
        EXPECT_EQ(one.L_S, same.L_S) << method << ", " << count << " numbers, by " << one.by.name;
      }
    }
  }
}

TEST(Sensitivities, OfOtherMethodsAreRefusedByName) {
  std::size_t refused = 0, index = 0;
  for (const MethodInfo& method : methods()) {
    if (has_tangent_kernel(index++)) continue;
    try {
      sensitivities(tilted_top(), {std::string(method.name), 0.1, 1}, {"start"});
      ADD_FAILURE() << method.name;
    } catch (const SetupError& error) {
      EXPECT_THAT(error.what(), HasSubstr(method.name));
      ++refused;
    }
  }
  EXPECT_GT(refused, 10U);
}

TEST(Sensitivities, AreByWhatWasGiven) {
  Situation top = tilted_top();
  top.motion.kind = MotionData::Kind::angular_momentum_body;
  std::vector<std::pair<std::string, Change>> by = of_start("angular_momentum_body");
  by.emplace_back("inertia.y", moment(1));
  expect_differences(top, {"rkmk-4", 2, 20}, by);

  // At the same motion, the inertia changes the velocity in one case and the momentum in the other.
  Situation by_velocity = tilted_top();
  Situation by_momentum = by_velocity;
  const V I = std::get<V>(by_velocity.inertia), w = by_velocity.motion.value;
  by_momentum.motion = {MotionData::Kind::angular_momentum_body, {I.x * w.x, I.y * w.y, I.z * w.z}};
  const auto first = sensitivities(by_velocity, {"rkmk-4", 2, 20}, {"inertia.y"}),
             second = sensitivities(by_momentum, {"rkmk-4", 2, 20}, {"inertia.y"});
  EXPECT_GT(gap(first[0].theta_B, {second[0].theta_B[0], second[0].theta_B[1], second[0].theta_B[2]}), 0.1);

  top.motion.kind = MotionData::Kind::angular_velocity_spatial;
  expect_differences(top, {"rkmk-4", 2, 20}, of_start("angular_velocity_spatial"));
  top.motion.kind = MotionData::Kind::angular_momentum_spatial;
  expect_differences(top, {"mclachlan-reich-231", 2, 20}, of_start("angular_momentum_spatial"));
}

TEST(Sensitivities, OfATensorInOtherAxesTurnItsPrincipalAxes) {
  Situation top = tilted_top();
  top.inertia = tensor;
  std::vector<std::pair<std::string, Change>> by = of_start("angular_velocity_body");
  by.emplace_back("inertia.xx", tensor_entry(0, 0));
  by.emplace_back("inertia.zz", tensor_entry(2, 2));
  by.emplace_back("inertia.xy", tensor_entry(0, 1));
  by.emplace_back("inertia.xz", tensor_entry(0, 2));
  by.emplace_back("inertia.yz", tensor_entry(1, 2));
  by.emplace_back("torque.axis_body.x", torque<HeavyTop<double>>([](auto& f) -> double& { return f.axis_body.x; }));
  expect_differences(top, {"rkmk-4", 2, 20}, by);
  top.motion.kind = MotionData::Kind::angular_momentum_body;
  expect_differences(top, {"mclachlan-reich-231", 2, 20}, {{"inertia.xy", tensor_entry(0, 1)}});

  // A diagonal one has entries beside its diagonal, too; two equal moments have no axes.
  top.inertia = Mat3<double>{{{1.2, 0, 0}, {0, 1.5, 0}, {0, 0, 2}}};
  expect_differences(top, {"rkmk-4", 2, 20}, {{"inertia.xz", tensor_entry(0, 2)}});
  top.inertia = Mat3<double>{{{1.5, 0, 0}, {0, 1.5, 0}, {0, 0, 2}}};
  EXPECT_THROW(sensitivities(top, {"rkmk-4", 2, 20}, {"inertia.xy"}), SetupError);
}

TEST(Sensitivities, OfEveryNumberOfEveryKindOfTorque) {
  const auto check = [](const FieldData<double>& torque) {
    Situation s = tilted_top();
    s.torques = {torque};
    std::vector<std::pair<std::string, Change>> by;
    const std::vector<SeedPlace> places = seed_places(s);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!places[i].number.name.starts_with("torque.") || places[i].is_cut_time) continue;
      by.emplace_back(places[i].number.name, [i](Situation& changed, double change) {
        *const_cast<double*>(seed_places(changed)[i].places.front()) += change;
      });
    }
    ASSERT_FALSE(by.empty());
    const std::vector<Sensitivity> found = sensitivities(s, {"rkmk-4", 1, 10}, {"torque"});
    for (std::size_t i = 0; i < by.size(); ++i) {
      Derivatives expected;
      try {
        expected = differences(s, {"rkmk-4", 1, 10}, by[i].second);
      } catch (const SetupError&) {
        // Directions of an orbit are at right angles: one of them alone cannot be changed by much.
        EXPECT_THAT(by[i].first, HasSubstr("_spatial."));
        continue;
      }
      const double scale = 1 + norm(expected.theta_B) + norm(expected.w_B);
      const auto one =
          std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.by.name == by[i].first; });
      ASSERT_NE(one, found.end()) << by[i].first;
      EXPECT_LT(gap(one->theta_B, expected.theta_B), 1e-9 * scale) << by[i].first;
      EXPECT_LT(gap(one->w_B, expected.w_B), 1e-9 * scale) << by[i].first;
    }
  };
  ConstantBody<double> body_fixed;
  body_fixed.torque_B = {0.1, -0.2, 0.3};
  check(body_fixed);
  check(tilted_top().torques[0]);
  GravityGradient<double> gradient;
  gradient.mean_motion = 0.7;
  check(gradient);
  UniformField<double> uniform;
  uniform.field = {0.2, 0.3, -0.4};
  uniform.oscillation = {0.1, -0.2, 0.15};
  uniform.angular_frequency = 1.3;
  check(uniform);
  Damping<double> damping;
  damping.linear = Mat3<double>{{{0.2, 0.01, 0}, {0.01, 0.3, 0.02}, {0, 0.02, 0.25}}};
  check(damping);
  check(StressTest<double>{});
}

// A pulse that begins and ends within steps, and one that does so at their ends: both times, and the blow.
TEST(Sensitivities, AcrossAPulseFollowItsTimes) {
  for (const double until : {0.87, 0.9}) {
    Situation s = tilted_top();
    Pulse<double> pulse;
    pulse.torque_S = {0.3, -0.8, 0.5};
    pulse.from = until == 0.9 ? 0.4 : 0.33;
    pulse.until = until;
    pulse.impulse_S = {0.1, 0.2, -0.15};
    s.torques = {pulse};
    using P = Pulse<double>;
    std::vector<std::pair<std::string, Change>> by = of_start("angular_velocity_body");
    by.emplace_back("torque.from", torque<P>([](P& p) -> double& { return p.from; }));
    by.emplace_back("torque.until", torque<P>([](P& p) -> double& { return p.until; }));
    by.emplace_back("torque.impulse.y", torque<P>([](P& p) -> double& { return p.impulse_S.y; }));
    by.emplace_back("torque.torque.z", torque<P>([](P& p) -> double& { return p.torque_S.z; }));
    // The differences step across the cut at other places of the grid: good to the order of the method, which is small.
    expect_differences(s, {"rkmk-4", 1.5, 15}, by, until == 0.9 ? 2e-5 : 1e-10);
    if (until == 0.9) expect_differences(s, {"rkmk-4", 1.5, 240}, by, 1e-8);
  }
}

TEST(Sensitivities, AcrossASwitchThatTheMotionDecidesFollowIt) {
  Situation s = tilted_top();
  ExpressionTorque<double> thruster;
  thruster.x = "if(wz > 0.62, -0.4, 0.3)";
  thruster.y = "0.2*abs(Rxz)";
  thruster.z = "0.1*wx";
  s.torques = {thruster};
  std::vector<std::pair<std::string, Change>> by = of_start("angular_velocity_body");
  by.emplace_back("inertia.x", moment(0));
  for (const char* method : {"rkmk-4", "mclachlan-reich-231"}) expect_differences(s, {method, 3, 30}, by, 1e-9);
}

TEST(Sensitivities, AtTheTimesOfRowsAreThoseOfRunsToThere) {
  Situation s = tilted_top();
  Pulse<double> pulse;
  pulse.torque_S = {0.3, -0.8, 0.5};
  pulse.from = 0.33;
  pulse.until = 0.95;
  s.torques.push_back(pulse);
  RunRequest request;
  request.setup = s;
  request.run.method = "rkmk-4";
  request.run.step = 0.1;
  request.run.steps = 15;
  request.run.sensitivities = {"start.attitude.x", "torque[1].from"};
  request.times = {0.25, 0.355, 1.0, 1.22};
  Table rows;
  const Result result = run(plan(request), &rows);
  ASSERT_EQ(rows.rows.size(), 6U);
  ASSERT_EQ(rows.headers.size(), 12U + 18U);
  EXPECT_EQ(rows.headers[12], "dthetax_B_by_start.attitude.x[rad/rad]");
  EXPECT_EQ(rows.headers[12 + 9 + 3], "dwx_B_by_torque_1.from[(rad/s)/s]");
  // At the start the body is turned and nothing else.
  EXPECT_NEAR(rows.rows[0][12].value, 1, 1e-15);
  EXPECT_NEAR(rows.rows[0][12 + 9].value, 0, 1e-15);
  // A thousand times as many steps know no grid; a torque that begins later by dt is missed for dt.
  for (const std::size_t i : {1U, 2U, 3U, 4U}) {
    const double t = rows.rows[i][0].value;
    const auto to_there = sensitivities(s, {"rkmk-4", t, 400}, {"start.attitude.x", "torque[1].from"});
    for (std::size_t number = 0; number < 2; ++number) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(rows.rows[i][12 + 9 * number + k].value, to_there[number].theta_B[k], 1e-5) << t;
        EXPECT_NEAR(rows.rows[i][12 + 9 * number + 3 + k].value, to_there[number].w_B[k], 1e-5) << t;
      }
    }
  }
  EXPECT_EQ(rows.rows[1][12 + 9 + 3].value, 0);  // before the pulse
  EXPECT_GT(std::abs(rows.rows[2][12 + 9 + 3].value), 0.01);
  EXPECT_EQ(result.sensitivities->numbers.size(), 2U);
}

TEST(Sensitivities, OfASimulationGoAlongWithIt) {
  RunOptions options;
  options.step = 0.1;
  options.sensitivities = {"start", "inertia"};
  Simulation simulation(tilted_top(), "rkmk-4", options);
  simulation.advance_to(1.2);
  const auto so_far = simulation.sensitivities().numbers;
  ASSERT_EQ(so_far.size(), 9U);
  const auto expected = sensitivities(tilted_top(), {"rkmk-4", 1.2, 12}, {"start", "inertia"});
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(so_far[i].by.name, expected[i].by.name);
    EXPECT_LT(gap(so_far[i].w_B, {expected[i].w_B[0], expected[i].w_B[1], expected[i].w_B[2]}), 1e-14);
  }
  // The motion is that of a run without them.
  Simulation plain(tilted_top(), "rkmk-4", {.step = 0.1});
  plain.advance_to(1.2);
  EXPECT_LT(norm(plain.state().pi_B - simulation.state().pi_B), 1e-14);
  EXPECT_TRUE(plain.sensitivities().numbers.empty());
}

TEST(Sensitivities, OfWhatIsNotThereAreRefused) {
  const auto refusal = [](const Situation& setup, const std::string& name) -> std::string {
    try {
      sensitivities(setup, {"rkmk-4", 1, 10}, {name});
    } catch (const SetupError& error) {
      return error.key + ": " + error.what();
    }
    return "accepted";
  };
  Situation s = tilted_top();
  EXPECT_THAT(refusal(s, "torque.weigth_times_arm"), HasSubstr("did you mean 'torque.weight_times_arm'"));
  EXPECT_THAT(refusal(s, "inertia.xy"), HasSubstr("did you mean 'inertia.x'"));
  EXPECT_THAT(refusal(s, "start.time"), HasSubstr("has no derivative"));
  s.torques.push_back(s.torques[0]);
  EXPECT_THAT(refusal(s, "torque.weight_times_arm"),
              AllOf(HasSubstr("torques 0 and 1"), HasSubstr("torque[0].weight")));
  EXPECT_EQ(refusal(s, "torque[1].weight_times_arm"), "accepted");
  ExpressionTorque<double> expression;
  expression.x = expression.y = expression.z = "k*wx";
  expression.constants = {{"k", 0.1}};
  s.torques = {expression};
  EXPECT_THAT(refusal(s, "torque.constants.k"), HasSubstr("constants are part of the formula"));
  EXPECT_THAT(refusal(s, "torque.x"), HasSubstr("no number"));
  Pulse<double> pulse;
  pulse.torque_S = {1, 0, 0};
  pulse.until = 1;
  s.torques = {pulse};
  EXPECT_THAT(refusal(s, "torque.until"), HasSubstr("one side only"));
}

}  // namespace
}  // namespace polhode::test::sensitivities_test
