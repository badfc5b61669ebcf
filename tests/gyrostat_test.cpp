// Wheels inside a body: closed forms about an axis of symmetry, the equations of body and wheels written down here once
// more, what is conserved, and every method by what it claims, in both directions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "polhode/core/quad.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"
#include "symplectic_defect.hpp"

namespace polhode::test::gyrostat_test {
namespace {

using ::testing::HasSubstr;

using Situation = polhode::Setup;  // gtest has a Setup of its own

template <class T>
State<T> integrated(const Situation& situation, const std::string& method, double duration, int steps) {
  const Prepared<T> prepared = prepare<T>(situation);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(duration) / T(steps);
  stepper->start(prepared.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + T(n) * h;
    stepper->step(h);
  }
  EXPECT_TRUE(stepper->work.converged) << method;
  return prepared.in_user_units(stepper->state);
}

Vec3<double> velocity_at_start(const Situation& situation) {
  const Prepared<double> prepared = prepare<double>(situation);
  const Body<double> body = prepared.body_in_user_units();
  const State<double> start = prepared.in_user_units(prepared.start);
  return body.principal_axes * body.velocity(inverse(body.principal_axes) * start.pi_B, start.t);
}

std::vector<std::string> methods_with_wheels() {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods())
    if (method.claims.wheels) names.emplace_back(method.name);
  return names;
}

// A = I_1 = I_2, C = I_3 and a wheel about the third axis.
struct Symmetric {
  static constexpr double A = 1.3, C = 0.9, J = 0.2, Omega = 7;
  static constexpr Vec3<double> w{0.4, -0.7, 1.1};

  static Situation situation(std::optional<double> torque) {
    Situation s;
    s.inertia = Vec3<double>{A, A, C};
    s.wheels = {{{0, 0, 1}, J, Omega, torque}};
    s.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.5, 0.8}};
    s.motion = {MotionData::Kind::angular_velocity_body, w};
    s.time = 2.5;
    return s;
  }

  // With pi_3 and l_S constant, w_B = pi_B/A + (w_3 - pi_3/A) e_3, and R hat(pi_B) = hat(l_S) R: the body turns about l_S at
  // |l_S|/A and about its own axis by minus the integral of pi_3/A - w_3.
  static State<quad> after(const quad& t, const quad& torque_over_moment) {
    const Rotation<quad> R_0 = exp(Vec3<quad>{quad(0.3), quad(-0.5), quad(0.8)});
    const quad pi_3 = quad(C) * quad(w.z) + quad(J) * quad(Omega);
    const Vec3<quad> pi_B{quad(A) * quad(w.x), quad(A) * quad(w.y), pi_3}, l_S = R_0 * pi_B;
    const quad phase = (pi_3 / quad(A) - quad(w.z)) * t + torque_over_moment * t * t / 2;
    const Rotation<quad> R = exp(quad(t / quad(A)) * l_S) * R_0 * exp(Vec3<quad>{quad(0), quad(0), -phase});
    return {R, inverse(R) * l_S, quad(2.5) + t};
  }
};

constexpr double far_enough = 6;

// A constant speed; and a motor, under which w_3 falls linearly, by torque/(C - J).
TEST(SymmetricGyrostat, MovesAsItsClosedForm) {
  for (const std::optional<double> torque : {std::optional<double>{}, std::optional(0.35), std::optional(0.0)}) {
    SCOPED_TRACE(torque ? "torque " + std::to_string(*torque) : "constant speed");
    const Situation s = Symmetric::situation(torque);
    const quad slope = quad(torque.value_or(0)) / (quad(Symmetric::C) - quad(Symmetric::J));
    const State<quad> exact = Symmetric::after(quad(far_enough), slope);
    const State<quad> reference = propagated<quad>(s, quad(2.5) + quad(far_enough));
    EXPECT_LT(attitude_error(reference, exact), quad(1e-30));
    EXPECT_LT(momentum_error(reference, exact), quad(1e-30));
    for (const std::string& method : methods_with_wheels()) {
      const Orders orders = orders_of(parse_method(method).claims, false);
      // Half the step leaves 2^-p of the error, or rounding: the limit is this motion and no other.
      const int steps = orders.attitude == 1 ? 8000 : orders.attitude == 2 ? 1000 : 300;
      const auto coarse = cast<quad>(integrated<long double>(s, method, far_enough, steps));
      const auto fine = cast<quad>(integrated<long double>(s, method, far_enough, 2 * steps));
      const auto expect = [&](const quad& before, const quad& after, int order) {
        const double share = 1.2 * std::pow(0.5, std::min(order, 12));
        EXPECT_LT(static_cast<double>(after), std::max(share * static_cast<double>(before), 1e-15)) << method;
        EXPECT_LT(static_cast<double>(after), 1e-2) << method;
      };
      expect(attitude_error(coarse, exact), attitude_error(fine, exact), orders.attitude);
      expect(momentum_error(coarse, exact), momentum_error(fine, exact), orders.momentum);
    }
  }
}

TEST(SymmetricGyrostat, AMotorSpeedsTheWheelUpAndTheBodyDown) {
  const double torque = 0.35, moment = Symmetric::C - Symmetric::J;
  const Situation s = Symmetric::situation(torque);
  Simulation simulation(s, "taylor-8", {.step = 0.05, .duration = far_enough});
  for (const double t : {1.0, 3.0, far_enough}) {
    simulation.advance_to(2.5 + t);
    const State<double> state = simulation.state();
    const Prepared<double> prepared = prepare<double>(s);
    const Vec3<double> w_B = prepared.body_in_user_units().velocity(state.pi_B, state.t);
    EXPECT_NEAR(w_B.z, Symmetric::w.z - torque / moment * t, 1e-12);
    // The wheel's axial momentum is what the rest of the body has not got.
    const double axial = state.pi_B.z - moment * w_B.z;
    const double at_start = Symmetric::J * (Symmetric::Omega + Symmetric::w.z);
    EXPECT_NEAR(axial - at_start, torque * t, 1e-12);
  }
}

// Three moments, a tensor, two wheels in skew directions, one of them with a motor, in gravity, not from time 0.
Situation generic() {
  Situation s;
  s.inertia = Mat3<double>{{{0.9144, 0.05, -0.02}, {0.05, 1.098, 0.07}, {-0.02, 0.07, 1.66}}};
  s.wheels = {{{1, 2, 2}, 0.05, 20, {}}, {{-2, 1, 0.5}, 0.08, -6, 0.15}};
  s.attitude = {AttitudeData::Kind::rotation_vector, {0.3, 0.1, -0.2}};
  s.motion = {MotionData::Kind::angular_velocity_body, {0.45549, 0.82623, 0.03476}};
  s.time = 1.5;
  s.torques = {HeavyTop<double>{0.5, {1, 0, 2}}};
  return s;
}

// Body and wheels in the axes of the tensor, each wheel with its own speed Omega:
//   I w' + sum J Omega' a = (I w + sum J Omega a) x w + tau,   J (Omega' + a . w') = torque where there is a motor,
// and Omega' = 0 where there is none. By the classical Runge-Kutta method on all of it.
struct BodyAndWheels {
  using Real = long double;
  struct Numbers {
    Rotation<Real> q;
    Vec3<Real> w;
    std::array<Real, 2> Omega;
  };

  explicit BodyAndWheels(const Situation& s) : situation(s) {}

  Mat3<Real> inertia() const {
    Mat3<Real> I{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) I[i][j] = std::get<Mat3<double>>(situation.inertia)[i][j];
    return I;
  }
  Vec3<Real> axis(std::size_t i) const {
    const Vec3<Real> a = cast<Real>(situation.wheels[i].axis);
    return a / norm(a);
  }
  Vec3<Real> momentum(const Numbers& x) const {
    Vec3<Real> pi = inertia() * x.w;
    for (std::size_t i = 0; i < 2; ++i) pi += Real(situation.wheels[i].inertia) * x.Omega[i] * axis(i);
    return pi;
  }
  Vec3<Real> torque(const Numbers& x) const {
    const auto& top = std::get<HeavyTop<double>>(situation.torques.front());
    const Vec3<Real> up_B = inverse(normalised(x.q)) * Vec3<Real>{0, 0, 1};
    const Vec3<Real> arm = cast<Real>(top.axis_body) / norm(cast<Real>(top.axis_body));
    return Real(top.weight_times_arm) * cross(up_B, arm);
  }
  // The five linear equations for w' and the two Omega', by elimination.
  Numbers rate(const Numbers& x) const {
    std::array<std::array<Real, 6>, 5> m{};
    const Mat3<Real> I = inertia();
    const Vec3<Real> right = cross(momentum(x), x.w) + torque(x);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) m[i][j] = I[i][j];
      for (std::size_t k = 0; k < 2; ++k) m[i][3 + k] = Real(situation.wheels[k].inertia) * axis(k)[i];
      m[i][5] = right[i];
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const WheelData& wheel = situation.wheels[k];
      m[3 + k][3 + k] = wheel.inertia;
      if (!wheel.torque) continue;
      for (std::size_t j = 0; j < 3; ++j) m[3 + k][j] = Real(wheel.inertia) * axis(k)[j];
      m[3 + k][5] = *wheel.torque;
    }
    for (std::size_t p = 0; p < 5; ++p) {
      for (std::size_t i = 0; i < 5; ++i) {
        if (i == p) continue;
        const Real factor = m[i][p] / m[p][p];
        for (std::size_t j = 0; j < 6; ++j) m[i][j] -= factor * m[p][j];
      }
    }
    const auto solved = [&](std::size_t i) { return m[i][5] / m[i][i]; };
    const Rotation<Real> turn = x.q * Rotation<Real>{0, Real(0.5) * x.w};
    return {turn, {solved(0), solved(1), solved(2)}, {solved(3), solved(4)}};
  }
  static Numbers moved(const Numbers& x, Real h, const Numbers& rate) {
    return {{x.q.w + h * rate.q.w, x.q.v + h * rate.q.v},
            x.w + h * rate.w,
            {x.Omega[0] + h * rate.Omega[0], x.Omega[1] + h * rate.Omega[1]}};
  }
  Numbers after(Real duration, int steps) const {
    const auto& turn = situation.attitude.values;
    Numbers x{exp(Vec3<Real>{turn[0], turn[1], turn[2]}),
              cast<Real>(situation.motion.value),
              {Real(situation.wheels[0].speed), Real(situation.wheels[1].speed)}};
    const Real h = duration / steps;
    for (int n = 0; n < steps; ++n) {
      const Numbers k1 = rate(x), k2 = rate(moved(x, h / 2, k1)), k3 = rate(moved(x, h / 2, k2)),
                    k4 = rate(moved(x, h, k3));
      x = moved(moved(moved(moved(x, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
    return x;
  }

  const Situation& situation;
};

TEST(Gyrostat, MovesAsBodyAndWheelsWrittenOut) {
  const Situation s = generic();
  const BodyAndWheels equations(s);
  const long double duration = 4;
  const auto coarse = equations.after(duration, 2000), fine = equations.after(duration, 4000);
  const State<long double> expected{normalised(fine.q), equations.momentum(fine), 1.5L + duration};
  const long double own_error = norm(equations.momentum(fine) - equations.momentum(coarse));
  ASSERT_LT(own_error, 1e-10L);
  const State<long double> found = propagated<long double>(s, 1.5L + duration);
  EXPECT_LT(attitude_error(found, expected), 2 * own_error + 1e-14L);
  EXPECT_LT(momentum_error(found, expected), 2 * own_error + 1e-14L);
}

// The whole momentum given in place of the velocity is the same motion, in either frame.
TEST(Gyrostat, StartsFromAVelocityOrAMomentum) {
  const Situation by_velocity = generic();
  const Prepared<double> prepared = prepare<double>(by_velocity);
  const State<double> start = prepared.in_user_units(prepared.start);
  Vec3<double> whole = std::get<Mat3<double>>(by_velocity.inertia) * by_velocity.motion.value;
  for (const WheelData& wheel : by_velocity.wheels)
    whole += wheel.inertia * wheel.speed / norm(wheel.axis) * wheel.axis;
  EXPECT_LT(norm(start.pi_B - whole), 8 * std::numeric_limits<double>::epsilon() * norm(whole));
  for (const auto& [kind, value] : {std::pair{MotionData::Kind::angular_momentum_body, whole},
                                    std::pair{MotionData::Kind::angular_momentum_spatial, spatial_momentum(start)}}) {
    Situation by_momentum = by_velocity;
    by_momentum.motion = {kind, value};
    EXPECT_LT(norm(velocity_at_start(by_momentum) - by_velocity.motion.value), 2e-15);
    const auto end = propagated<long double>(by_momentum, 4.0L), other = propagated<long double>(by_velocity, 4.0L);
    EXPECT_LT(attitude_error(end, other), 1e-13L);
  }
}

// The same in other body axes, another space and other units: inertia by 2^7, time by 2^-3.
TEST(Gyrostat, KnowsNoAxesAndNoUnits) {
  const Situation s = generic();
  const Rotation<double> turn = normalised(exp(Vec3<double>{-1.1, 0.7, 0.5}));
  Situation turned = s;
  const Mat3<double> U = matrix(turn), I = std::get<Mat3<double>>(s.inertia);
  Mat3<double> moved{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t l = 0; l < 3; ++l) moved[i][j] += U[i][k] * I[k][l] * U[j][l];
  turned.inertia = moved;
  for (WheelData& wheel : turned.wheels) wheel.axis = 3.7 * (turn * wheel.axis);
  turned.motion.value = turn * s.motion.value;
  auto& top = std::get<HeavyTop<double>>(turned.torques.front());
  top.axis_body = turn * top.axis_body;
  const Rotation<double> R = normalised(exp(Vec3<double>{0.3, 0.1, -0.2}) * inverse(turn));
  turned.attitude = {AttitudeData::Kind::wxyz, {R.w, R.v.x, R.v.y, R.v.z}};

  Situation scaled = s;
  for (auto& row : std::get<Mat3<double>>(scaled.inertia))
    for (double& x : row) x = std::ldexp(x, 7);
  for (WheelData& wheel : scaled.wheels) {
    wheel.inertia = std::ldexp(wheel.inertia, 7);
    wheel.speed = std::ldexp(wheel.speed, 3);
    if (wheel.torque) wheel.torque = std::ldexp(*wheel.torque, 7 + 6);
  }
  scaled.motion.value = 8.0 * s.motion.value;
  scaled.time = s.time / 8;
  std::get<HeavyTop<double>>(scaled.torques.front()).weight_times_arm *= std::ldexp(1.0, 7 + 6);

  for (const std::string& method : methods_with_wheels()) {
    const State<double> here = integrated<double>(s, method, 2, 64), there = integrated<double>(turned, method, 2, 64);
    // A splitting by axes and Taylor's series about them are the same in any axes, since principal axes are found first.
    State<double> back = there;
    back.R_SB = there.R_SB * turn;
    back.pi_B = inverse(turn) * there.pi_B;
    const bool of_the_axes = method.find("mclachlan-reich") == 0;  // which of equal rank is first may differ
    if (!of_the_axes) {
      EXPECT_LT(attitude_error(here, back), 1e-12) << method;
      EXPECT_LT(momentum_error(here, back), 1e-12) << method;
    }
    if (method.find("buss") != std::string::npos) continue;  // depends on the unit of time, as printed
    const State<double> in_units = integrated<double>(scaled, method, 0.25, 64);
    EXPECT_EQ(here.R_SB, in_units.R_SB) << method;
    EXPECT_EQ(std::ldexp(here.pi_B.x, 10), in_units.pi_B.x) << method;
  }
}

// A wheel that stands still is part of the body, to the bit and for every method.
TEST(Gyrostat, WithoutSpeedIsTheBody) {
  Situation body = generic(), with_wheel = body;
  body.wheels.clear();
  with_wheel.wheels = {{{1, 2, 2}, 0.05, 0, {}}};
  for (const MethodInfo& method : methods()) {
    if (method.space == Space::sphere || method.claims.needs == Needs::no_torque) continue;
    const std::string name(method.name);
    const State<double> one = integrated<double>(body, name, 1, 20),
                        other = integrated<double>(with_wheel, name, 1, 20);
    EXPECT_TRUE(one.R_SB == other.R_SB && one.pi_B == other.pi_B) << name;
  }
}

// What a free body with wheels of constant speed keeps.
class Kept : public testing::TestWithParam<std::string> {};

TEST_P(Kept, AsTheMethodClaims) {
  const Claims claims = parse_method(GetParam()).claims;
  const Problem& problem = *find_problem("gyrostat");
  const Prepared<double> prepared = prepare<double>(problem.setup);
  const auto stepper = make_stepper(parse_method(GetParam()), prepared.body, prepared.field);
  stepper->set_tolerance(coarse_tolerance(claims));
  const double h = prepared.time_in(claims.order_attitude > 6 ? 0.4 : 0.1);  // errors of high order must show
  stepper->start(prepared.start, h);
  const Vec3<double> l_S = spatial_momentum(prepared.start);
  const double energy_0 = energy(prepared.body, prepared.field, prepared.start);
  double momentum = 0, kinetic = 0;
  for (int n = 0; n < 2000; ++n) {
    stepper->state.t = prepared.start.t + n * h;
    stepper->step(h);
    momentum = larger(momentum, norm(spatial_momentum(stepper->state) - l_S) / norm(l_S));
    kinetic = larger(kinetic, std::abs(energy(prepared.body, prepared.field, stepper->state) / energy_0 - 1));
  }
  constexpr double rounding = 2e-13;
  EXPECT_EQ(momentum < rounding, claims.momentum_free == Keeps::exact) << momentum;
  EXPECT_EQ(kinetic < rounding, claims.energy_free == Keeps::exact) << kinetic;
}

std::vector<std::string> kept_names() {
  std::vector<std::string> names = methods_with_wheels();
  for (const char* name : {"taylor-2+energy", "rkmk-4+energy", "mclachlan-reich-123@suzuki"}) names.emplace_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, Kept, testing::ValuesIn(kept_names()), test_name);

// In gravity, with a motor: the whole Hamiltonian depends on time, and symplectic steps stay what they are.
TEST(Gyrostat, SymplecticMethodsStaySymplectic) {
  Body<quad> body = body_in_quad();
  body.carries_wheels = true;
  body.wheels = {{0.3, 0.8, -0.5}, {0.1, -0.2, 0.15}, 0};
  for (const char* method :
       {"mclachlan-reich-123", "mclachlan-reich-cayley-312", "mclachlan-reich-4-231", "lie-verlet"})
    EXPECT_LT(symplectic_defect(method, 0.2, 20, body), symplectic_rounding) << method;
  for (const char* method : {"rkmk-4", "implicit-midpoint", "taylor-4"})
    EXPECT_GT(symplectic_defect(method, 0.2, 20, body), 1e-9) << method;
}

TEST(Gyrostat, SymmetricStepsAreUndoneByTheirOpposites) {
  for (const std::string& method : methods_with_wheels()) {
    const Claims claims = parse_method(method).claims;
    if (claims.multistep || claims.takes_tolerance) continue;
    const Prepared<double> prepared = prepare<double>(generic());
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(0.2);
    stepper->start(prepared.start, h);
    for (int n = 0; n < 20; ++n) stepper->step(h);
    stepper->reverse();
    for (int n = 0; n < 20; ++n) stepper->step(-h);
    const double gap = attitude_error(stepper->state, prepared.start);
    if (!claims.symmetric && claims.order_attitude > 8) continue;  // what is left is near rounding
    EXPECT_EQ(gap < 1e-12, claims.symmetric) << method << " " << gap;
  }
}

// Every claim of an order, with wheels at constant speed and with a motor in gravity; the others refuse.
class WithWheels : public testing::TestWithParam<std::string> {};

template <class Real>
void expect_order(const Situation& s, const std::string& method, int fewest, const Orders& expected, double floor,
                  double top) {
  constexpr double duration = 4;
  const State<Real> exact = cast<Real>(propagated<quad>(s, quad(s.time) + quad(duration)));
  std::vector<ErrorAtStep> attitude, momentum;
  for (double steps = fewest; steps < 1500; steps *= std::sqrt(2)) {
    const int n = static_cast<int>(steps);
    const State<Real> end = integrated<Real>(s, method, duration, n);
    attitude.push_back({duration / n, static_cast<double>(attitude_error(end, exact))});
    momentum.push_back({duration / n, static_cast<double>(momentum_error(end, exact))});
    if (attitude.back().error < floor && momentum.back().error < floor) break;
  }
  const auto fit = [&](const std::vector<ErrorAtStep>& errors, int order, const char* what) {
    const auto fitted = observed_order(errors, floor, top);
    ASSERT_TRUE(fitted) << method << ", " << what;
    EXPECT_NEAR(fitted->order, order, order > 8 ? 0.4 : 0.2) << method << ", " << what;
  };
  fit(attitude, expected.attitude, "attitude");
  fit(momentum, expected.momentum, "momentum");
}

TEST_P(WithWheels, HasTheOrderItClaims) {
  const MethodSpec spec = parse_method(GetParam());
  for (const bool motors : {false, true}) {
    SCOPED_TRACE(motors ? "motor and gravity" : "constant speed, free");
    const Situation s = motors ? generic() : find_problem("gyrostat")->setup;
    const Orders orders = orders_of(spec.claims, !motors);
    if (orders.attitude == exact_order) {
      const State<quad> exact = propagated<quad>(s, quad(s.time) + 4);
      const auto end = cast<quad>(integrated<long double>(s, GetParam(), 4, 5));
      EXPECT_LT(attitude_error(end, exact), quad(1e-16));
      EXPECT_LT(momentum_error(end, exact), quad(1e-16));
    } else if (orders.attitude > 6) {
      expect_order<quad>(s, GetParam(), orders.attitude > 8 ? 40 : 80, orders, 1e-26, 1e-12);
    } else {
      expect_order<long double>(s, GetParam(), 40, orders, 2e-15, orders.attitude <= 2 ? 2e-2 : 1e-5);
    }
  }
}

std::vector<std::string> ordered_names() {
  std::vector<std::string> names = methods_with_wheels();
  for (const char* name : {"mclachlan-reich-213@suzuki", "lie-verlet@suzuki", "mclachlan-reich-cayley-123@kahan-li-6",
                           "implicit-midpoint@suzuki"})
    names.emplace_back(name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, WithWheels, testing::ValuesIn(ordered_names()), test_name);

TEST(Gyrostat, OtherMethodsRefuseByName) {
  const Prepared<double> prepared = prepare<double>(find_problem("gyrostat")->setup);
  int refused = 0;
  for (const MethodInfo& method : methods()) {
    if (method.claims.wheels) continue;
    ++refused;
    try {
      make_stepper(parse_method(method.name), prepared.body, prepared.field);
      ADD_FAILURE() << method.name << " takes wheels";
    } catch (const MethodError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(method.name) + " cannot take a body with wheels"));
    }
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(methods_with_wheels().size(), 40U);
}

TEST(Gyrostat, EnergyIsRestoredWhereItIsKept) {
  const Prepared<double> kept = prepare<double>(find_problem("gyrostat")->setup), motor = prepare<double>(generic());
  EXPECT_NO_THROW(make_stepper(parse_method("taylor-4+energy"), kept.body, kept.field));
  EXPECT_THROW(make_stepper(parse_method("taylor-4+energy"), motor.body, motor.field), MethodError);
  const FieldSum<double> push({ConstantBody<double>{{0.1, 0, 0}}});
  EXPECT_THROW(make_stepper(parse_method("taylor-4+energy"), kept.body, push), MethodError);
  EXPECT_TRUE(kept.conserves_energy());
  EXPECT_FALSE(motor.conserves_energy());
}

// The work of the motor on the body is -torque a . w, and nothing else changes the energy.
TEST(Gyrostat, EnergyChangesByTheMotorsWork) {
  Situation s = generic();
  const auto power_and_energy = [&](long double t) {
    const Prepared<long double> prepared = prepare<long double>(s);
    const Body<long double> body = prepared.body_in_user_units();
    const State<long double> at = propagated<long double>(s, t);
    const Rotation<long double>& R_UB = body.principal_axes;
    const Vec3<long double> pi = inverse(R_UB) * at.pi_B, w = body.velocity(pi, at.t);
    const auto& top = std::get<HeavyTop<double>>(s.torques.front());
    const Vec3<long double> arm = cast<long double>(top.axis_body) / norm(cast<long double>(top.axis_body));
    const long double potential = top.weight_times_arm * dot(at.R_SB * arm, Vec3<long double>{0, 0, 1});
    const Vec3<long double> a = cast<long double>(s.wheels[1].axis) / norm(cast<long double>(s.wheels[1].axis));
    return std::pair{-*s.wheels[1].torque * dot(a, R_UB * w), body.kinetic_energy(pi, at.t) + potential};
  };
  // Simpson's rule over a short time.
  const long double h = 1e-2L;
  const auto [p0, e0] = power_and_energy(2);
  const auto [p1, e1] = power_and_energy(2 + h / 2);
  const auto [p2, e2] = power_and_energy(2 + h);
  EXPECT_NEAR(static_cast<double>(e2 - e0), static_cast<double>(h / 6 * (p0 + 4 * p1 + p2)), 1e-12);
  EXPECT_GT(std::abs(static_cast<double>(e2 - e0)), 1e-5);
  (void)e1;
}

}  // namespace
}  // namespace polhode::test::gyrostat_test
