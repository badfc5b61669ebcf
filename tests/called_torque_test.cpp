// Torques that the program around computes: the same motion as by a listed kind, and what cannot be had of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "polhode/core/error.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/methods/plugin.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::called_torque_test {
namespace {

using testing::HasSubstr;

constexpr double weight = 0.7;

// A body in general axes under a weight on its third axis there, as a listed kind and as a function.
Setup tilted() {
  Setup setup;
  setup.inertia = Mat3<double>{{{1.2, 0.1, -0.05}, {0.1, 0.9, 0.08}, {-0.05, 0.08, 1.5}}};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.4, -0.2, 0.1}};
  setup.motion.value = {0.3, -0.8, 1.1};
  return setup;
}
Setup listed() {
  Setup setup = tilted();
  setup.torques = {HeavyTop<double>{weight}};
  return setup;
}
CalledTorque pull(bool takes_many = false, int* calls = nullptr) {
  CalledTorque torque;
  torque.name = "pull";
  torque.depends_on_velocity = false;
  torque.takes_many = takes_many;
  torque.torques = [calls](std::span<const CalledTorque::Motion> at, std::span<Vec3<double>> torques_U) {
    if (calls != nullptr) ++*calls;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Vec3<double> up_U = inverse(at[i].R_SU) * Vec3<double>{0, 0, 1};
      torques_U[i] = weight * cross(up_U, Vec3<double>{0, 0, 1});  // of V = weight up . axis
    }
  };
  return torque;
}
Setup called(bool takes_many = false, int* calls = nullptr) {
  Setup setup = tilted();
  setup.called_torques = {pull(takes_many, calls)};
  return setup;
}

State<double> after(const Setup& setup, const std::string& method, double time = 3,
                    RunOptions options = {.step = 0.01}) {
  Simulation simulation(setup, method, options);
  simulation.advance_to(time);
  return simulation.state();
}

TEST(CalledTorque, MovesABodyAsTheSameTorqueOfAListedKind) {
  for (const char* method :
       {"mclachlan-reich-231", "rkmk-4", "newmark", "rotor-adams-8", "implicit-midpoint", "picard-lobatto-8"}) {
    const State<double> by_kind = after(listed(), method), by_function = after(called(), method);
    EXPECT_LT(angle_between(by_kind.R_SB, by_function.R_SB), 1e-12) << method;
    EXPECT_LT(norm(by_kind.pi_B - by_function.pi_B), 1e-12) << method;
  }
}

TEST(CalledTorque, SeesTimeAndVelocityInSecondsAndTheUsersAxes) {
  // A drag by a general matrix in the user's axes, growing with time, against the expression that says the same.
  polhode::Setup by_function = tilted(), by_expression = tilted();
  CalledTorque drag;
  drag.torques = [](std::span<const CalledTorque::Motion> at, std::span<Vec3<double>> torques_U) {
    for (std::size_t i = 0; i < at.size(); ++i)
      torques_U[i] = {-0.2 * at[i].w_U.y, -0.3 * at[i].w_U.x * at[i].t, 0.1 * at[i].w_U.z};
  };
  by_function.called_torques = {drag};
  const Scenario text = parse_scenario(
      "[body]\ninertia = [1,1,1]\n[start]\nangular_velocity_body = [0,0,0]\n[torque]\nkind = \"expression\"\n"
      "x = \"-0.2*wy\"\ny = \"-0.3*wx*t\"\nz = \"0.1*wz\"\n",
      "text");
  by_expression.torques = text.setup.torques;
  for (const double scale : {1.0, 1e-7, 1e9}) {  // other units of inertia change what the kernels see
    polhode::Setup one = by_function, other = by_expression;
    for (polhode::Setup* setup : {&one, &other})
      for (auto& row : std::get<Mat3<double>>(setup->inertia))
        for (double& x : row) x *= std::max(scale, 0.5);
    const State<double> a = after(one, "rkmk-4"), b = after(other, "rkmk-4");
    EXPECT_LT(angle_between(a.R_SB, b.R_SB), 1e-12) << scale;
  }
}

TEST(CalledTorque, TakesTheNodesOfAStepInOneCall) {
  int alone = 0, together = 0;
  const State<double> one = after(called(false, &alone), "picard-lobatto-8", 3, {.step = 0.1});
  const State<double> many = after(called(true, &together), "picard-lobatto-8", 3, {.step = 0.1});
  EXPECT_LT(angle_between(one.R_SB, many.R_SB), 1e-13);
  EXPECT_GT(alone, 3 * together);
}

TEST(CalledTorque, IsChosenAMethodForByAuto) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    RunRequest request;
    request.setup = called();
    request.run = {.method = "auto", .duration = 20.0, .tolerance = tolerance};
    request.says_where_rows_are = false;
    const Plan chosen = plan(request);
    ASSERT_TRUE(chosen.selection);
    EXPECT_TRUE(chosen.selection->reaches);
    const Result result = run(chosen);
    const State<double> exact = after(listed(), "taylor-12", 20);
    const auto& q = result.end.attitude_wxyz;
    const Rotation<double> end{q[0].value, {q[1].value, q[2].value, q[3].value}};
    EXPECT_LT(angle_between(end, exact.R_SB), tolerance);
  }
}

TEST(CalledTorque, EndsTheTrialsOfAutoWhenAsked) {
  const std::atomic<bool> stop{true};
  RunRequest request;
  request.run = {.method = "auto", .duration = 20.0};
  for (const polhode::Setup& setup : {called(), listed()}) {
    request.setup = setup;
    try {
      plan(request, &stop);
      ADD_FAILURE() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::interrupted);
    }
  }
}

TEST(CalledTorque, IsRefusedWhereMoreThanValuesIsNeeded) {
  const auto sentence = [](const auto& attempt) {
    try {
      attempt();
    } catch (const SetupError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(sentence([] { after(called(), "taylor-4"); }), HasSubstr("taylor-4"));
  EXPECT_THAT(sentence([] { after(called(), "rkmk-4", 1, {.sensitivities = {"start"}}); }), HasSubstr("derivatives"));
  RunRequest request;
  request.setup = called();
  request.run = {.method = "auto", .duration = 1.0, .goal = Goal::energy};
  EXPECT_THAT(sentence([&] { plan(request); }), HasSubstr("energy"));
  request.run = {.method = "rkmk-4", .duration = 1.0, .reference = true};
  const Result result = run(plan(request));
  EXPECT_THAT(result.no_reference, HasSubstr("values only"));
  EXPECT_FALSE(result.attitude_error);
}

TEST(CalledTorque, StandsInRecordsAndCannotBeReadBack) {
  EXPECT_THAT(to_json(called()), HasSubstr("{\"kind\":\"program\",\"name\":\"pull\"}"));
  EXPECT_THROW(setup_from_json(to_json(called()), "a result"), Error);
  Scenario scenario = parse_scenario(
      "[body]\ninertia = [1,2,3]\n[start]\nangular_velocity_body = [1,2,3]\n[run]\nmethod = \"rkmk-4\"\n", "text");
  scenario.setup.called_torques = {pull()};
  try {
    parse_scenario(to_toml(scenario), "again");
    ADD_FAILURE() << "read back";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("which alone can repeat it"));
  }
}

TEST(CalledTorque, IsNotConservedAndNoFreeBody) {
  EXPECT_FALSE(moves_freely(called()));
  RunRequest request;
  request.setup = called();
  request.run = {.method = "rkmk-4", .duration = 1.0};
  const Result result = run(plan(request));
  EXPECT_FALSE(result.about.energy_conserved);
  EXPECT_FALSE(result.attitude_error) << "the closed form is that of a body without torque";
}

// What a recording answers has the bits of rows at the same times.
TEST(Recording, AnswersWithTheBitsOfRows) {
  for (const char* method : {"mclachlan-reich-231", "taylor-4", "rotor-adams-8", "lie-verlet~adaptive"}) {
    for (const double duration : {3.1, -3.1}) {
      if (std::string(method) == "rotor-adams-8" && duration < 0) continue;
      RunRequest request;
      request.setup = listed();
      request.run = {.method = method, .step = 0.0125, .duration = duration};
      if (std::string(method) == "rotor-adams-8") request.run.step = 3.1 / 256;
      std::vector<double> times;
      for (int i = 1; i < 40; ++i) times.push_back(duration * i / 40.0 * (1 - 1e-3));
      request.times = times;
      const Plan planned = plan(request);
      Table rows;
      RunControl control;
      control.record = true;
      const Result result = Simulation(planned).run(&rows, control);
      ASSERT_TRUE(result.recording);
      // Asked in another order.
      std::vector<double> asked(times.rbegin(), times.rend());
      const auto moments = result.recording->at(asked);
      for (std::size_t i = 0; i < times.size(); ++i) {
        const auto& cells = rows.rows[i + 1];
        const Recording::Moment& moment = moments[times.size() - 1 - i];
        EXPECT_EQ(moment.state.R_SB.w, cells[1].value) << method << " at " << times[i];
        EXPECT_EQ(moment.w_B.x, cells[5].value) << method;
      }
      EXPECT_THROW(result.recording->at(std::vector{duration * 1.01}), SetupError);
      EXPECT_THROW(result.recording->at(std::vector{-0.01 * duration}), SetupError);
      const double nan = std::nan("");
      EXPECT_THROW(result.recording->at(std::vector{nan}), SetupError);
    }
  }
}

// More steps than marks, so that marks are thinned out.
TEST(Recording, KeepsTheBitsOfALongRun) {
  RunRequest request;
  request.setup = listed();
  request.run = {.method = "mclachlan-reich-231", .step = 0.01, .steps = 10001};
  request.times = {0.005, 12.345, 99.999};
  Table rows;
  RunControl control;
  control.record = true;
  const Result result = Simulation(plan(request)).run(&rows, control);
  const auto moments = result.recording->at(request.times);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(moments[i].state.R_SB.v.x, rows.rows[i + 1][2].value);
  const auto ends = result.recording->at(std::vector{0.0, 100.01});
  EXPECT_EQ(ends[0].w_B.x, result.start.angular_velocity_body[0].value);
  EXPECT_EQ(ends[1].w_B.x, result.end.angular_velocity_body[0].value);
}

// A run that an event ends within a step, and one that fails.
TEST(Recording, EndsWhereTheRunEnded) {
  RunRequest request;
  request.setup = listed();
  request.run = {.method = "rkmk-4", .step = 0.1, .duration = 10.0, .stop_when = "t > 1.234"};
  RunControl control;
  control.record = true;
  const Result result = Simulation(plan(request)).run(nullptr, control);
  ASSERT_EQ(result.status, RunStatus::event);
  const double end = result.end.time.value;
  EXPECT_EQ(result.recording->at(std::vector{end})[0].w_B.x, result.end.angular_velocity_body[0].value);
  EXPECT_THROW(result.recording->at(std::vector{1.3}), SetupError);
}

// A method that the program brings itself: a copy of explicit Lie-Euler steps by hand.
class ByHand final : public Stepper<double> {
 public:
  ByHand(const Body<double>& body, const FieldSum<double>& field) : body_(body), field_(field) {}
  void start(const State<double>& s, const double&) override {
    state = s;
    work = {};
  }
  void step(const double& h) override {
    const Vec3<double> w_B = body_.velocity(state.pi_B);
    const Vec3<double> tau_B = field_.torque(state.R_SB, w_B, state.t);
    const Vec3<double> pi_B = state.pi_B + h * (cross(state.pi_B, w_B) + tau_B);
    state.R_SB = normalised(state.R_SB * exp(Vec3<double>(h * w_B)));
    state.pi_B = pi_B;
    state.t += h;
    ++work.torque_evaluations;
  }
  void reverse() override {}
  void turn(const Rotation<double>& C) override {
    state.R_SB = state.R_SB * C;
    state.pi_B = inverse(C) * state.pi_B;
  }
  Vec3<double> momentum_S() const override { return spatial_momentum(state); }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<ByHand>(*this); }
  void copy_from(const Stepper<double>& other) override {
    state = other.state;
    work = other.work;
  }
  MotionRates<double> rates() const override { return {}; }

 private:
  Body<double> body_;
  FieldSum<double> field_;
};

OwnMethod by_hand(const std::string& name, int order) {
  OwnMethod method{name, "Euler steps", {}, {}};
  method.claims.order_attitude = method.claims.order_momentum = order;
  method.make = [](const Body<double>& body, const FieldSum<double>& field) {
    return std::make_unique<ByHand>(body, field);
  };
  return method;
}

TEST(OwnMethods, StandBesideTheOthers) {
  list_own_method(by_hand("euler-by-hand", 1));
  EXPECT_EQ(parse_method("euler-by-hand").claims.order_attitude, 1);
  const auto error = [](double h) {
    return angle_between(after(listed(), "euler-by-hand", 1, {.step = h}).R_SB, after(listed(), "taylor-12", 1).R_SB);
  };
  EXPECT_NEAR(std::log2(error(0.002) / error(0.001)), 1, 0.1);
  // Again under the same name: the later one.
  list_own_method(by_hand("euler-by-hand", 2));
  EXPECT_EQ(parse_method("euler-by-hand").claims.order_attitude, 2);
  const auto count = std::count_if(methods().begin(), methods().end(),
                                   [](const MethodInfo& method) { return method.name == "euler-by-hand"; });
  EXPECT_EQ(count, 1);
}

TEST(OwnMethods, AreRefusedForNamesAndClaimsThatCannotBe) {
  const auto sentence = [](OwnMethod method) {
    try {
      list_own_method(std::move(method));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("listed");
  };
  EXPECT_THAT(sentence(by_hand("rkmk-4", 1)), HasSubstr("method that is there"));
  EXPECT_THAT(sentence(by_hand("Euler", 1)), HasSubstr("small letters"));
  EXPECT_THAT(sentence(by_hand("auto", 1)), HasSubstr("not auto"));
  EXPECT_THAT(sentence(by_hand("zeroth", 0)), HasSubstr("order of 0"));
  list_own_method(by_hand("only-in-double", 1));
  EXPECT_THROW(after(listed(), "only-in-double", 1, {.scalar = ScalarKind::quad_}), SetupError);
}

}  // namespace
}  // namespace polhode::called_torque_test
