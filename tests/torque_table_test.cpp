// Torques by their values at some times: closed forms, the order of methods across knots whether steps fit them or not,
// both directions of time, the range of the times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "count_allocations.hpp"
#include "io_support.hpp"
#include "kind_support.hpp"
#include "model/cuts.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::torque_table_test {
namespace {

using testing::HasSubstr;
using V = Vec3<double>;
using R = Rotation<double>;

constexpr Interpolation every_way[] = {Interpolation::linear, Interpolation::cubic_hermite,
                                       Interpolation::natural_spline};

DataTable some_data() {
  return {{{"t", {-0.5, 0.3, 0.7, 1.0, 1.8, 2.6}},
           {"x", {0.2, -0.4, 0.5, 0.1, 0.6, -0.2}},
           {"y", {-0.3, 0.2, 0.1, -0.5, 0.3, 0.4}},
           {"z", {0.1, 0.3, -0.6, 0.2, -0.1, 0.5}}}};
}

polhode::Setup body_in(const TorqueTable<double>& table) {
  polhode::Setup s;
  s.inertia = V{0.9, 1.6, 2.1};
  const R q = exp(V{0.5, -0.9, 0.4});
  s.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  s.motion.value = {0.7, -0.5, 0.9};
  s.torques = {table, HeavyTop<double>{0.45, {0.3, -0.5, 0.8}, {0.2, 0.6, 0.7}}};
  return s;
}

// A sphere about one axis: momentum and angle are integrals of the torque. The straight lines by hand.
struct Spin {
  std::vector<double> t{0, 1, 3, 3.5}, torque{0, 2, -1, 0.5};
  static constexpr long double inertia = 2, first = 0.25;  // angular velocity at t = 0

  State<long double> at(long double end) const {
    long double momentum = inertia * first, angle = 0;
    for (std::size_t i = 0; i + 1 < t.size() && t[i] < end; ++i) {
      const long double u = std::min<long double>(end, t[i + 1]) - t[i];
      const long double slope = (torque[i + 1] - torque[i]) / (t[i + 1] - t[i]);
      angle += (momentum * u + torque[i] * u * u / 2 + slope * u * u * u / 6) / inertia;
      momentum += torque[i] * u + slope * u * u / 2;
    }
    return {exp(Vec3<long double>{0, 0, angle}), {0, 0, momentum}, end};
  }
  polhode::Setup setup(TorqueFrame frame) const {
    const std::vector<double> none(t.size(), 0);
    polhode::Setup s;
    s.inertia = V{2, 2, 2};
    s.motion.value = {0, 0, 0.25};
    s.torques = {TorqueTable<double>{DataTable{{{"t", t}, {"x", none}, {"y", none}, {"z", torque}}}, frame,
                                     Interpolation::linear}};
    return s;
  }
};

TEST(TorqueTable, OfStraightLinesIsIntegratedExactly) {
  const Spin spin;
  for (const TorqueFrame frame : {TorqueFrame::body, TorqueFrame::spatial}) {
    const polhode::Setup s = spin.setup(frame);
    for (const double end : {0.5, 1.0, 2.2, 3.5}) {
      const auto reference = propagated<long double>(s, end);
      EXPECT_LT(attitude_error(reference, spin.at(end)), 1e-17L) << end;
      EXPECT_LT(momentum_error(reference, spin.at(end)), 1e-17L) << end;
      for (const char* method : {"taylor-4", "rkmk-4", "taylor-6"})
        for (const int steps : {7, 70}) {
          const auto s_end = integrated<double>(s, method, end, steps);
          EXPECT_LT(attitude_error(cast<long double>(s_end), spin.at(end)), 1e-13L) << method << end;
          EXPECT_LT(momentum_error(cast<long double>(s_end), spin.at(end)), 1e-13L) << method << end;
        }
    }
    // Kicks are the trapezoidal rule, exact for straight lines.
    const auto kicked = integrated<double>(s, "lie-verlet", 3.4, 37);
    EXPECT_LT(momentum_error(cast<long double>(kicked), spin.at(3.4L)), 1e-14L);
  }
}

// Without the library's cuts: values alone, by a method of Runge and Kutta whose steps fit the knots.
State<double> by_values(const polhode::Setup& setup, double from_time, double until) {
  auto prepared = prepare<double>(setup);
  const double unit = prepared.time_in(1);
  std::vector<FieldSum<double>::Term> terms;
  for (const auto& term : prepared.field.terms()) {
    std::visit(
        [&](const auto& field) {
          Callback<double> callback;
          callback.torque_B = [field](const R& q, const double& t) -> V { return torque_of<double>(field, q, V{}, t); };
          terms.emplace_back(callback);
        },
        term);
  }
  const FieldSum<double> field(terms);
  const auto stepper = make_stepper(parse_method("rkmk-4"), prepared.body, field);
  const int steps = static_cast<int>(std::lround((until - from_time) * 2000));  // knots are at tenths
  stepper->start(prepared.start, unit / 2000);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + n * unit / 2000;
    stepper->step(unit / 2000);
  }
  return prepared.in_user_units(stepper->state);
}

TEST(TorqueTable, ReferencesCrossKnotsAsValuesDo) {
  for (const Interpolation way : every_way) {
    for (const TorqueFrame frame : {TorqueFrame::body, TorqueFrame::spatial}) {
      const polhode::Setup s = body_in({some_data(), frame, way});
      const auto reference = reached(s, 2.5), plain = by_values(s, 0, 2.5);
      EXPECT_LT(angle_between(reference.R_SB, plain.R_SB), 1e-11);
      EXPECT_LT(norm(reference.pi_B - plain.pi_B), 1e-11);
      const auto wide = propagated<quad>(s, quad(2.5));
      EXPECT_LT(attitude_error(cast<quad>(reference), wide), 1e-14);
    }
  }
}

// 2.5/50 fits all knots, 2.5/62 none.
TEST(TorqueTable, MethodsKeepTheirOrderAcrossKnots) {
  const std::tuple<const char*, int, double> methods[] = {
      {"taylor-2", 100, 2},   {"taylor-4", 100, 4},
      {"taylor-6", 50, 6},    {"rkmk-4", 100, 4},
      {"lie-verlet", 100, 2}, {"mclachlan-reich-231", 100, 2},
      {"abm4", 200, 2},       {"mclachlan-reich-231@suzuki", 50, 4}};
  for (const Interpolation way : every_way) {
    const polhode::Setup s =
        body_in({some_data(), way == Interpolation::linear ? TorqueFrame::spatial : TorqueFrame::body, way});
    const auto reference = propagated<long double>(s, 2.5L);
    for (const auto& [method, fewest, order] : methods) {
      expect_order(s, method, 2.5, fewest, reference, order);
      if (std::string_view(method) != "abm4") expect_order(s, method, 2.5, fewest * 31 / 25, reference, order);
    }
  }
}

TEST(TorqueTable, TimeGoesBothWays) {
  for (const Interpolation way : every_way) {
    polhode::Setup s = body_in({some_data(), TorqueFrame::body, way});
    const auto there = propagated<long double>(s, 2.5L);
    const auto back = propagated<long double>(s, there, 0.0L);
    EXPECT_LT(angle_between(back.R_SB, cast<long double>(exp(V{0.5, -0.9, 0.4}))), 1e-16L);
    for (const int steps : {25, 31}) {
      const auto prepared = prepare<double>(s);
      const auto stepper = make_stepper(parse_method("mclachlan-reich-231"), prepared.body, prepared.field);
      const double h = prepared.time_in(2.5) / steps;
      stepper->start(prepared.start, h);
      for (int n = 0; n < steps; ++n) stepper->step(h);
      stepper->reverse();
      for (int n = 0; n < steps; ++n) stepper->step(-h);
      EXPECT_LT(angle_between(stepper->state.R_SB, prepared.start.R_SB), 1e-13) << steps;
      EXPECT_LT(norm(stepper->state.pi_B - prepared.start.pi_B), 1e-13) << steps;
    }
    // A run that begins at the end of the table.
    polhode::Setup last = s;
    last.time = 2.5;
    last.attitude.values = {double(there.R_SB.w), double(there.R_SB.v.x), double(there.R_SB.v.y),
                            double(there.R_SB.v.z)};
    last.motion = {MotionData::Kind::angular_momentum_body, cast<double>(there.pi_B)};
    const auto first = integrated<double>(last, "taylor-12", -2.5, 40);
    EXPECT_LT(angle_between(first.R_SB, exp(V{0.5, -0.9, 0.4})), 1e-13);
  }
}

TEST(TorqueTable, InEveryScalar) {
  const polhode::Setup s = body_in({some_data(), TorqueFrame::spatial, Interpolation::natural_spline});
  const auto reference = propagated<long double>(s, 2.5L);
  EXPECT_LT(attitude_error(cast<long double>(integrated<float>(s, "taylor-6", 2.5, 40)), reference), 1e-5L);
  EXPECT_LT(attitude_error(cast<long double>(integrated<double>(s, "taylor-12", 2.5, 40)), reference), 1e-14L);
  EXPECT_LT(attitude_error(cast<long double>(integrated<quad>(s, "taylor-12", 2.5, 160)), reference), 1e-17L);
  // Float does not tell the times of this one apart, where they are a millionth of a second from row to row.
  DataTable close{{{"t", {100, 100.000001, 100.000002, 101}}, {"x", {1, 2, 1, 1}}, {"y", {}}, {"z", {}}}};
  close.columns[2].values = close.columns[3].values = std::vector<double>(4, 0.0);
  for (const Interpolation way : every_way) {
    polhode::Setup short_rows = body_in({close, TorqueFrame::body, way});
    short_rows.time = 100;
    EXPECT_TRUE(all_finite(integrated<float>(short_rows, "taylor-4", 1, 10).pi_B));
  }
}

// Many times more knots than steps.
TEST(TorqueTable, MayHaveAHundredThousandKnots) {
  constexpr int knots = 100001;
  DataTable data{{{"t", {}}, {"x", std::vector<double>(knots, 0)}, {"y", std::vector<double>(knots, 0)}, {"z", {}}}};
  for (int i = 0; i < knots; ++i) {
    data.columns[0].values.push_back(i / 1024.0);
    data.columns[3].values.push_back(i % 2 == 0 ? 3 : -1);
  }
  polhode::Setup s;
  s.inertia = V{2, 2, 2};
  s.torques = {TorqueTable<double>{data}};
  const double end = 100000 / 1024.0;
  EXPECT_EQ(Pieces<double>(prepare<double>(s).field).size(), std::size_t{knots} + 1);
  const auto s_end = integrated<double>(s, "rkmk-4", end, 500);
  EXPECT_NEAR(s_end.pi_B.z, end, 1e-9);  // the mean torque is 1
}

// With the other torques as they are; a kernel that asks for a time outside gets the torque of the nearer end.
TEST(TorqueTable, IsCutAtItsKnots) {
  const auto table = TorqueTable<double>::of(some_data());
  EXPECT_EQ(table.cuts().size(), 6U);
  EXPECT_EQ(table.torque(R{}, 0.3), (V{-0.4, 0.2, 0.3}));
  EXPECT_EQ(table.torque(R{}, -10.0), (V{0.2, -0.3, 0.1}));
  EXPECT_EQ(table.torque(R{}, 10.0), (V{-0.2, 0.4, 0.5}));
  EXPECT_EQ(norm(table.torque(R{}, 0.5) - V{0.05, 0.15, -0.15}) < 1e-15, true);
  Pulse<double> pulse;
  pulse.torque_S = {1, 0, 0};
  pulse.from = 0.5;
  pulse.until = 1.0;
  pulse.impulse_S = {0, 2, 0};
  const Pieces<double> pieces(FieldSum<double>({HeavyTop<double>{}, table, pulse}));
  ASSERT_EQ(pieces.size(), 8U);  // 1.0 is a cut of both
  EXPECT_EQ(pieces.at(0.4), 2U);
  EXPECT_EQ(pieces.at(0.5), 3U);
  EXPECT_EQ(pieces.field(2).terms().size(), 2U);
  EXPECT_EQ(pieces.field(3).terms().size(), 3U);
  EXPECT_EQ(pieces.impulse_S(pieces.at(1.0)), (V{0, 2, 0}));
  EXPECT_EQ(pieces.impulse_S(pieces.at(0.5)), V{});
  // The polynomial goes on beyond its piece.
  const FieldSum<double> before = pieces.field(pieces.at(0.9)), heavy({HeavyTop<double>{}});
  const V beyond = before.torque(R{}, V{}, 1.3) - heavy.torque(R{}, V{}, 1.3) - V{1, 0, 0};
  EXPECT_LT(norm(beyond - V{-0.3, -1.1, 1.0}), 1e-14);
}

TEST(TorqueTable, StepsAllocateNothingBetweenKnots) {
  const polhode::Setup s = body_in({some_data(), TorqueFrame::spatial, Interpolation::natural_spline});
  const auto prepared = prepare<double>(s);
  EXPECT_TRUE(prepared.field.offers_series());
  EXPECT_FALSE(prepared.field.conserves_energy());
  EXPECT_FALSE(prepared.field.depends_on_velocity());
  for (const char* method : {"taylor-4", "taylor-12", "rkmk-4", "abm4", "lie-verlet"}) {
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(0.01);
    stepper->start(prepared.start, h);
    const long long before = allocations;
    for (int n = 0; n < 25; ++n) stepper->step(h);  // the next knot is at 0.3
    EXPECT_EQ(allocations, before) << method;
  }
}

TEST(TorqueTable, ASavedSimulationGoesOnWithTheSameBits) {
  const polhode::Setup s = body_in({some_data(), TorqueFrame::body, Interpolation::cubic_hermite});
  for (const char* method : {"abm4", "taylor-4", "rkmk-4+energy/3"}) {
    Simulation one(s, method, {.step = 0.03, .duration = 2.4}), two(s, method, {.step = 0.03, .duration = 2.4});
    one.advance_to(0.9);
    two.restore(one.save());
    one.advance_to(2.1);
    two.advance_to(2.1);
    EXPECT_TRUE(one.state().R_SB == two.state().R_SB && one.state().pi_B == two.state().pi_B) << method;
  }
}

TEST(TorqueTable, ARunThatLeavesItsRangeIsRefused) {
  const polhode::Setup s = body_in({some_data()});
  const auto said = [](polhode::Setup setup, RunOptions run) -> std::string {
    try {
      RunRequest request;
      request.setup = std::move(setup);
      request.run = std::move(run);
      plan(request);
    } catch (const SetupError& error) {
      return error.key + ": " + error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(said(s, {.method = "taylor-4", .step = 0.1, .duration = 2.6}), "accepted");
  EXPECT_EQ(said(s, {.method = "taylor-4", .step = 0.1, .duration = -0.5}), "accepted");
  EXPECT_EQ(said(s, {.method = "taylor-4", .step = 0.1, .duration = 2.7}),
            "torque[0]: the torque of kind table is given from -0.5 s to 2.6 s, and the run goes from 0 s to 2.7 s; "
            "shorten the run, or give the torque for all of it");
  EXPECT_THAT(said(s, {.method = "taylor-4", .step = 0.1, .duration = -0.6}), HasSubstr("from 0 s to -0.6 s"));
  EXPECT_THAT(said(s, {.method = "taylor-4", .step = 0.1, .steps = 27}), HasSubstr("to 2.7"));
  EXPECT_THAT(said(s, {.method = "auto", .duration = 3}), HasSubstr("from 0 s to 3 s"));
  EXPECT_THAT(said(s, {.method = "taylor-4", .step_file = "s", .listed_steps = {1, 1, 1}}), HasSubstr("to 3 s"));
  EXPECT_EQ(said(s, {.method = "taylor-4", .step_file = "s", .listed_steps = {1, 1, 0.5}}), "accepted");
  polhode::Setup late = s;
  late.time = -0.6;
  EXPECT_THAT(said(late, {.method = "taylor-4", .step = 0.1, .duration = 1}), HasSubstr("from -0.6 s to 0.4 s"));
  // The flag is at fault that made it too long.
  Scenario scenario;
  scenario.setup = s;
  scenario.run = {.method = "taylor-4", .step = 0.1, .duration = 1};
  override_key(scenario, "run.duration", "--duration", "30");
  try {
    plan(scenario);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--duration: the torque of kind table is given from -0.5 s to 2.6 s"));
  }
}

TEST(TorqueTable, AddsUpWithEveryOtherKind) {
  polhode::Setup s = body_in({some_data(), TorqueFrame::body, Interpolation::natural_spline});
  Pulse<double> pulse;
  pulse.torque_S = {0.2, 0.1, -0.3};
  pulse.from = 0.45;
  pulse.until = 1.8;
  pulse.impulse_S = {0.1, 0, 0.2};
  Magnetic<double> magnet;
  magnet.dipole_body = {0.1, 0.2, 0.3};
  magnet.field_spatial = V{1, -0.5, 0.2};
  Damping<double> damping;
  damping.quadratic = Mat3<double>{{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.15}}};
  s.torques.insert(s.torques.end(), {pulse, magnet, damping, TorqueTable<double>{some_data()}});
  const auto reference = propagated<long double>(s, 2.5L);
  for (const auto& [method, fewest, order] :
       {std::tuple{"taylor-4", 100, 4.0}, {"rkmk-4", 124, 4.0}, {"taylor-6", 50, 6.0}})
    expect_order(s, method, 2.5, fewest, reference, order);
}

}  // namespace
}  // namespace polhode::test::torque_table_test
