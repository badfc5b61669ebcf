// The door for game engines: the recommended step, against the closed form, the laws of momentum and the same motion in other
// axes; and an answer to every mistake that leaves the state as it was. Long runs are in engine_energy_test.cpp.
#include "polhode/engine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <vector>

#include "count_allocations.hpp"
#include "engine_bodies.hpp"
#include "polhode/model/free_rotor.hpp"

namespace polhode::engine_test {
namespace {

using V = Vec3<double>;
using F = Vec3<float>;

const Inertia<double> box(V{0.9, 1.1, 1.7});
const Spin<double> tumbling{normalised(Rotation<double>{0.8, {0.1, -0.5, 0.3}}), {0.4, 1.2, -0.3}};

static_assert(noexcept(step(std::declval<Spin<double>&>(), box, V{}, 0.1)));
static_assert(std::is_trivially_copyable_v<Spin<float>> && sizeof(Spin<float>) == 64);
static_assert(std::is_trivially_copyable_v<Inertia<float>>);

template <class T>
bool same_bits(const Spin<T>& a, const Spin<T>& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

// The body's attitude after a time by the closed form.
Rotation<double> exact(const Spin<double>& s, const V& moments, double t) {
  return FreeRotor<double>(moments, State<double>{s.R_SB, inverse(s.R_SB) * s.L, 0}).after(t).R_SB;
}

TEST(EngineStep, FollowsTheClosedFormAtFourthOrder) {
  const V orders[] = {{0.9, 1.1, 1.7}, {1.1, 0.9, 1.7}, {1.7, 0.9, 1.1},
                      {0.9, 1.7, 1.1}, {1.1, 1.7, 0.9}, {1.7, 1.1, 0.9}};
  for (const V& moments : orders) {
    const auto error = [&](int steps) {
      Spin<double> state = tumbling;
      for (int n = 0; n < steps; ++n) step(state, Inertia<double>(moments), {}, 8.0 / steps);
      return angle_between(state.R_SB, exact(tumbling, moments, 8));
    };
    EXPECT_NEAR(std::log2(error(40) / error(80)), 4, 0.3) << moments.x << moments.y;
    EXPECT_LT(error(160), 1e-5);
  }
}

TEST(EngineStep, GoesBackTheWayItCame) {
  for (const double h : {0.01, 0.3, 2.0, 50.0}) {
    Spin<double> state = tumbling;
    for (int n = 0; n < 20; ++n) step(state, box, {}, h);
    for (int n = 0; n < 20; ++n) step(state, box, {}, -h);
    EXPECT_LE(angle_between(state.R_SB, tumbling.R_SB), 1e-12) << h;
    EXPECT_EQ(state.L, tumbling.L);
  }
}

// A body that spins about its middle axis, but for a thousandth, turns over at once after a long while, again and again. In
// float at 0.2 radians a step, with the times between the closed form's own crossings of zero as the measure.
TEST(EngineStep, TurnsOverTheMiddleAxisWhenItShould) {
  const auto period = [](const auto& middle_at) {
    std::vector<double> times;
    double last = 1;
    for (int n = 1; n < 4000 && times.size() < 15; ++n) {
      const double now = middle_at(n);
      if (now * last < 0) times.push_back(n - 1 + last / (last - now));
      last = now;
    }
    return times.size() < 15 ? 0 : (times.back() - times.front()) / 14;
  };
  for (const float off : {0.1f, 0.01f, 0.001f}) {
    const Inertia<float> body(F{1, 2, 3});
    Spin<float> state = spin_from_velocity(body, {}, F{off, 1, off});
    const FreeRotor<double> rotor({1, 2, 3}, State<double>{{}, {off, 2, 3.0 * off}, 0}, 1000);
    const double ours = period([&](int) {
      step(state, body, {}, 0.2f);
      return static_cast<double>(angular_velocity_body(state, body).y);
    });
    const double true_one = period([&](int n) { return rotor.after(0.2 * n).pi_B.y; });
    ASSERT_GT(true_one, 10);
    EXPECT_NEAR(ours / true_one, 1, 0.05) << off;
  }
}

TEST(EngineStep, MomentumChangesByTheTorqueToTheBit) {
  const V torque{0.3, -0.2, 0.7};
  Spin<double> state = tumbling;
  EXPECT_EQ(step(state, box, torque, 0.05), StepStatus::ok);
  EXPECT_EQ(state.L, tumbling.L + 0.05 * torque);
  Spin<double> in_body = tumbling;
  EXPECT_EQ(step_with_body_torque(in_body, box, torque, 0.05), StepStatus::ok);
  EXPECT_EQ(in_body.L, tumbling.L + 0.05 * (tumbling.R_SB * torque));
  Spin<double> held = tumbling;
  EXPECT_EQ(step_held(held, box, torque, 0.05), StepStatus::ok);
  EXPECT_LE(norm(held.L - state.L), 3e-16);
  EXPECT_GT(squared_norm(state.R_SB), 1 - 1e-15);
}

// A constant torque about a principal axis from rest, angle tau t^2/(2 I): behind by half a step with the impulse first, and
// exact with half of it before and half after.
TEST(EngineStep, OfAConstantTorqueIsOfFirstOrderAndHeldOfSecond) {
  const double torque = 0.25, time = 3, angle = torque * time * time / (2 * 1.1);
  const auto errors = [&](int steps) {
    Spin<double> first, held;
    for (int n = 0; n < steps; ++n) {
      step(first, box, V{0, torque, 0}, time / steps);
      step_held(held, box, V{0, torque, 0}, time / steps);
    }
    return std::pair(angle_between(first.R_SB, exp(V{0, angle, 0})), angle_between(held.R_SB, exp(V{0, angle, 0})));
  };
  EXPECT_NEAR(errors(100).first / errors(200).first, 2, 0.02);
  EXPECT_LE(errors(100).second, 1e-13);
  // In general position the second order shows: a torque fixed in space, against small steps of the other kind.
  Spin<double> fine = tumbling;
  const auto after = [&](int steps) {
    Spin<double> state = tumbling;
    for (int n = 0; n < steps; ++n) step_held(state, box, V{0.3, -0.2, 0.7}, 4.0 / steps);
    return state;
  };
  fine = after(40000);
  EXPECT_NEAR(std::log2(angle_between(after(100).R_SB, fine.R_SB) / angle_between(after(200).R_SB, fine.R_SB)), 2, 0.1);
}

// Evaluated once a frame, at its beginning: bounded for a million frames. Held for the step, the same spring gains energy.
TEST(EngineStep, ATorsionSpringStaysBounded) {
  const Inertia<float> body(F{1, 1.5f, 2.2f});
  const float stiffness = 3, h = 0.1f;
  const auto spring = [&](const Spin<float>& s) {
    return F{-2 * stiffness * s.R_SB.v.x * s.R_SB.w, -2 * stiffness * s.R_SB.v.y * s.R_SB.w,
             -2 * stiffness * s.R_SB.v.z * s.R_SB.w};
  };
  const auto energy = [&](const Spin<float>& s) {
    return energy_of(s, body) + 2 * stiffness * static_cast<double>(squared_norm(s.R_SB.v));
  };
  Spin<float> state{exp(F{0.4f, -0.3f, 0.2f}), {}}, held = state;
  const double start = energy(state);
  double least = start, most = start;
  for (int n = 0; n < 1000000; ++n) {
    ASSERT_EQ(step(state, body, spring(state), h), StepStatus::ok);
    if (n % 10 == 0) least = std::min(least, energy(state)), most = std::max(most, energy(state));
  }
  EXPECT_GT(least, 0.7 * start);
  EXPECT_LT(most, 1.4 * start);
  for (int n = 0; n < 2000; ++n) step_held(held, body, spring(held), h);
  EXPECT_GT(energy(held), 2 * start);
}

// What is remembered of the energy is dropped with whatever it belonged to: the step is that of a state without a memory.
TEST(EngineStep, ForgetsTheEnergyOfAStateThatWasChanged) {
  const auto fresh = [](const Spin<double>& s) { return Spin<double>{s.R_SB, s.L}; };
  Spin<double> state = tumbling;
  for (int n = 0; n < 10; ++n) step(state, box, {}, 0.1);
  const auto as_without = [&](Spin<double> changed, const Inertia<double>& body) {
    Spin<double> other = fresh(changed);
    step(changed, body, {}, 0.1);
    step(other, body, {}, 0.1);
    return same_bits(changed, other);
  };
  Spin<double> pushed = state, turned = state;
  pushed.L += V{1e-9, 0, 0};
  turned.R_SB = turned.R_SB * exp(V{0, 1e-9, 0});
  EXPECT_TRUE(as_without(pushed, box));
  EXPECT_TRUE(as_without(turned, box));
  EXPECT_TRUE(as_without(state, Inertia<double>(V{0.9, 1.1 + 1e-9, 1.7})));
  EXPECT_TRUE(as_without(state, Inertia<double>(V{1.1, 0.9, 1.7}))) << "the same moments, exchanged";
  EXPECT_TRUE(as_without(state, Inertia<double>(V{0.9, 1.1, 1.7}, exp(V{0.3, 0, 0.4})))) << "about other axes";
  // And one that was not has its energy set right, where rounding or anything else has moved it.
  Spin<double> kept = state;
  kept.memory.rate *= 1 + 1e-7;
  const double wanted = 0.5 * kept.memory.rate * squared_norm(kept.L);
  for (int n = 0; n < 30; ++n) step(kept, box, {}, 0.1);
  EXPECT_NEAR(energy_of(kept, box) / wanted, 1, 1e-14);
}

// The same body told by moments in another order, by moments about turned axes, and by a tensor.
TEST(EngineInertia, IsTheSameBodyHoweverItIsTold) {
  const Rotation<double> R_UB = normalised(Rotation<double>{0.3, {0.5, -0.7, 0.2}});
  const V moments{0.9, 1.1, 1.7}, torque{0.3, -0.2, 0.7};
  const Inertia<double> by_axes(moments, R_UB),
      by_tensor = Inertia<double>::from_tensor(detail::turned_diagonal(R_UB, moments));
  const Inertia<double> inverse_told = Inertia<double>::from_inverse({1 / 0.9, 1 / 1.1, 1 / 1.7}, R_UB);
  Spin<double> principal = tumbling;
  Spin<double> told[] = {{tumbling.R_SB * inverse(R_UB), tumbling.L},
                         {tumbling.R_SB * inverse(R_UB), tumbling.L},
                         {tumbling.R_SB * inverse(R_UB), tumbling.L}};
  const Inertia<double>* bodies[] = {&by_axes, &by_tensor, &inverse_told};
  for (int n = 0; n < 100; ++n) {
    step(principal, box, torque, 0.1);
    for (std::size_t i = 0; i < 3; ++i) step(told[i], *bodies[i], torque, 0.1);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LE(angle_between(told[i].R_SB * R_UB, principal.R_SB), 1e-11) << i;
    EXPECT_EQ(told[i].L, principal.L);
    EXPECT_LE(norm(angular_velocity_spatial(told[i], *bodies[i]) - angular_velocity_spatial(principal, box)), 1e-11);
    EXPECT_NEAR(kinetic_energy(told[i], *bodies[i]), kinetic_energy(principal, box), 1e-11);
  }
  // Renamed axes: a cyclic exchange and one that is not, which mirrors nothing but names.
  const Rotation<double> quarter = exp(V{0, 0, std::numbers::pi / 2});
  Spin<double> exchanged{tumbling.R_SB * quarter, tumbling.L}, plain = tumbling;
  for (int n = 0; n < 100; ++n) {
    step(exchanged, Inertia<double>(V{1.1, 0.9, 1.7}), {}, 0.1);
    step(plain, box, {}, 0.1);
  }
  EXPECT_LE(angle_between(exchanged.R_SB * inverse(quarter), plain.R_SB), 1e-11);
}

TEST(EngineInertia, OfTheWorldIsThatOfTheTurnedBody) {
  const V w_S{0.3, -2, 0.7};
  const Inertia<double> body(V{0.9, 1.1, 1.7}, normalised(Rotation<double>{0.3, {0.5, -0.7, 0.2}}));
  const Spin<double> state = spin_from_velocity(body, tumbling.R_SB, w_S);
  EXPECT_LE(norm(inertia_spatial(state, body) * w_S - state.L), 1e-14);
  EXPECT_LE(norm(inverse_inertia_spatial(state, body) * state.L - w_S), 1e-14);
  EXPECT_LE(norm(angular_velocity_spatial(state, body) - w_S), 1e-14);
  EXPECT_NEAR(kinetic_energy(state, body), 0.5 * dot(state.L, w_S), 1e-14);
}

TEST(EngineInertia, OfATensorIsFoundForEqualMomentsToo) {
  const Rotation<double> R = normalised(Rotation<double>{0.3, {0.5, -0.7, 0.2}});
  for (const V& moments :
       {V{1, 2, 2.5}, V{2, 2, 3}, V{2, 3, 3}, V{4, 4, 4}, V{1e-6, 1, 1}, V{1, 1 + 1e-12, 2}, V{0.2, 1e3, 1e3}}) {
    const Mat3<double> tensor = detail::turned_diagonal(R, moments);
    const PrincipalAxes<double> found = principal_axes(tensor);
    const Mat3<double> again = detail::turned_diagonal(found.axes, found.moments);
    const double size = std::max({moments.x, moments.y, moments.z});
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(again[i][j], tensor[i][j], 4e-15 * size);
    EXPECT_NEAR(found.moments.x + found.moments.y + found.moments.z, moments.x + moments.y + moments.z, 4e-15 * size);
    EXPECT_NEAR(squared_norm(found.axes), 1, 1e-15);
  }
  const PrincipalAxes<double> diagonal = principal_axes(Mat3<double>{{{3, 0, 0}, {0, 1, 0}, {0, 0, 2}}});
  EXPECT_EQ(diagonal.axes, Rotation<double>{});
  EXPECT_EQ(diagonal.moments, (V{3, 1, 2}));
}

// Solids by their integrals: of x^2 over a box a^2/12, an ellipsoid a^2/5, a cylinder r^2/4 across and h^2/12 along.
TEST(EngineInertia, OfSolids) {
  const auto moments = [](const Inertia<double>& body) { return inertia_spatial(Spin<double>{}, body); };
  const Mat3<double> of_box = moments(box_inertia(12.0, {1, 2, 3})),
                     of_ball = moments(ellipsoid_inertia(5.0, {1, 2, 3}));
  const Mat3<double> of_can = moments(cylinder_inertia(12.0, 2.0, 3.0));
  const double expected_box[3] = {13, 10, 5}, expected_can[3] = {21, 21, 24};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(of_box[k][k], expected_box[k], 1e-14 * 13);
    EXPECT_NEAR(of_ball[k][k], expected_box[k], 1e-14 * 13);
    EXPECT_NEAR(of_can[k][k], expected_can[k], 1e-13);
  }
}

TEST(EngineInertia, OfASolidWithNegativeLengthsIsNone) {
  EXPECT_FALSE(box_inertia(12.0, {1, -2, 3}).valid());
  EXPECT_FALSE(ellipsoid_inertia(12.0, {1, 2, -3}).valid());
  EXPECT_FALSE(cylinder_inertia(12.0, -2.0, 3.0).valid());
  EXPECT_FALSE(box_inertia(-12.0, {1, 2, 3}).valid());
  EXPECT_TRUE(box_inertia(12.0, {1, 2, 0}).valid()) << "a plate";
  Spin<double> state = tumbling;
  EXPECT_EQ(change_inertia_at_fixed_velocity(state, box, box_inertia(-12.0, {1, 2, 3})), StepStatus::bad_inertia);
  EXPECT_TRUE(same_bits(state, tumbling));
}

TEST(EngineInertia, OfAnImmovableBodyIsNotTurnedByAnything) {
  Spin<double> state = tumbling;
  for (int n = 0; n < 10; ++n) EXPECT_EQ(step(state, Inertia<double>::immovable(), V{5, 0, 1}, 0.1), StepStatus::ok);
  EXPECT_LE(angle_between(state.R_SB, tumbling.R_SB), 1e-15);
  // About one axis only.
  Spin<double> hinge{{}, {1, 1, 1}};
  for (int n = 0; n < 10; ++n) step(hinge, Inertia<double>::from_inverse({0, 1, 0}), {}, 0.1);
  EXPECT_GT(angle_between(hinge.R_SB, Rotation<double>{}), 0.5);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(EngineStep, LeavesTheStateAsItWasAndSaysWhatIsWrong) {
  Spin<double> usual = tumbling;
  step(usual, box, {}, 0.1);
  const auto refused = [](const Spin<double>& state, const Inertia<double>& body, const V& torque, double h) {
    Spin<double> s = state;
    const StepStatus status = step(s, body, torque, h);
    EXPECT_TRUE(same_bits(s, state)) << text_of(status);
    Spin<double> held = state;
    EXPECT_EQ(step_held(held, body, torque, h), status);
    EXPECT_TRUE(same_bits(held, state));
    std::vector<Spin<double>> many(5, state);
    const std::vector<Inertia<double>> bodies(5, body);
    EXPECT_EQ(step_all<double>(many, bodies, std::vector<V>(5, torque), h), 5u);
    for (const Spin<double>& one : many) EXPECT_TRUE(same_bits(one, state));
    return status;
  };
  for (const double bad : {nan, infinity, -infinity, -1.0, 0.0})
    for (std::size_t k = 0; k < 3; ++k) {
      V moments{1, 2, 3};
      moments[k] = bad;
      EXPECT_EQ(refused(usual, Inertia<double>(moments), {}, 0.1), StepStatus::bad_inertia) << bad;
      EXPECT_FALSE(Inertia<double>(moments).valid());
    }
  EXPECT_EQ(refused(usual, Inertia<double>::from_inverse({1, -1, 1}), {}, 0.1), StepStatus::bad_inertia);
  EXPECT_EQ(refused(usual, Inertia<double>::from_tensor({{{1, nan, 0}, {0, 2, 0}, {0, 0, 3}}}), {}, 0.1),
            StepStatus::bad_inertia);
  EXPECT_EQ(refused(usual, Inertia<double>::from_tensor({{{1, 4, 0}, {4, 1, 0}, {0, 0, 3}}}), {}, 0.1),
            StepStatus::bad_inertia);
  for (const double bad : {nan, infinity, -infinity})
    for (std::size_t k = 0; k < 3; ++k) {
      V v{0.1, 0.2, 0.3};
      v[k] = bad;
      EXPECT_EQ(refused(usual, box, v, 0.1), StepStatus::bad_torque);
      EXPECT_EQ(refused({usual.R_SB, v}, box, {}, 0.1), StepStatus::bad_momentum);
      Rotation<double> q = usual.R_SB;
      q.v[k] = bad;
      EXPECT_EQ(refused({q, usual.L}, box, {}, 0.1), StepStatus::bad_attitude);
    }
  EXPECT_EQ(refused({{0, {}}, usual.L}, box, {}, 0.1), StepStatus::bad_attitude);
  for (const double h : {nan, infinity, 1e200}) EXPECT_EQ(refused(usual, box, {}, h), StepStatus::bad_step) << h;
  EXPECT_EQ(refused({usual.R_SB, {1e200, 0, 0}}, box, {}, 0.1), StepStatus::bad_momentum);
}

// What failed once: a rod at 1e5 radians a step, a quaternion of length 2.5, moments whose axes were not looked at.
TEST(EngineStep, HasNoStepTooLongAndTakesAnyLengthOfQuaternion) {
  for (const double turn : {1e5, 1e7, 1e12})
    for (unsigned i = 0; i < 50; ++i) {
      EngineBody<float> body = engine_body<float>(i, turn);
      const double energy = energy_of(body.spin, body.inertia);
      for (int n = 0; n < 100; ++n) ASSERT_EQ(step(body.spin, body.inertia, {}, 1.0f), StepStatus::ok);
      EXPECT_NEAR(energy_of(body.spin, body.inertia) / energy, 1, 2e-5);
      EXPECT_NEAR(squared_norm(body.spin.R_SB), 1, 1e-6);
    }
  Spin<double> unit = tumbling, longer{{2.5 * tumbling.R_SB.w, 2.5 * tumbling.R_SB.v}, tumbling.L};
  step(unit, box, {}, 0.1);
  EXPECT_EQ(step(longer, box, {}, 0.1), StepStatus::ok);
  EXPECT_LE(angle_between(unit.R_SB, longer.R_SB), 1e-15);
  longer = {{2.5 * tumbling.R_SB.w, 2.5 * tumbling.R_SB.v}, tumbling.L};
  EXPECT_EQ(step_with_body_torque(longer, box, V{1, 2, 3}, 0.1), StepStatus::ok);
  EXPECT_LE(norm(longer.L - (tumbling.L + 0.1 * (tumbling.R_SB * V{1, 2, 3}))), 1e-15);
}

TEST(EngineStep, ABodyAtRestStaysThere) {
  Spin<double> state{tumbling.R_SB, {}};
  EXPECT_EQ(step(state, box, {}, 0.1), StepStatus::ok);
  EXPECT_LE(angle_between(state.R_SB, tumbling.R_SB), 1e-15);
  for (const double small : {1e-300, 1e-160, 1e-90, 1e-20}) {
    state = {tumbling.R_SB, {small, small, 0}};
    EXPECT_EQ(step(state, box, {}, 0.1), StepStatus::ok);
    EXPECT_LE(angle_between(state.R_SB, tumbling.R_SB), 1e-15) << small;
  }
}

TEST(EngineOptions, AreSubstepsDampingSpeedAndLocks) {
  const V torque{0.3, -0.2, 0.7};
  Spin<double> in_parts = tumbling, one_by_one = tumbling;
  step(in_parts, box, torque, 0.4, {.substeps = 4});
  for (int n = 0; n < 4; ++n) step(one_by_one, box, torque, 0.1);
  EXPECT_TRUE(same_bits(in_parts, one_by_one));

  Spin<double> damped = tumbling;
  for (int n = 0; n < 100; ++n) step(damped, box, {}, 0.01, {.damping = 0.5});
  EXPECT_NEAR(norm(damped.L) / norm(tumbling.L), std::exp(-0.5), 2e-3);
  EXPECT_LE(norm(cross(damped.L, tumbling.L)), 1e-15);

  Spin<double> fast{{}, {30, 40, 20}};
  step(fast, box, {}, 0.01, {.largest_speed = 5});
  EXPECT_NEAR(norm(angular_velocity_body(fast, box)), 5, 1e-13);
  Spin<double> slow = tumbling, unlimited = tumbling;
  step(slow, box, {}, 0.01, {.largest_speed = 5});
  step(unlimited, box, {}, 0.01);
  EXPECT_TRUE(same_bits(slow, unlimited));

  Spin<double> locked = tumbling;
  for (int n = 0; n < 10; ++n) step(locked, box, torque, 0.1, {.lock_x = true, .lock_z = true});
  EXPECT_EQ(locked.L, (V{0, locked.L.y, 0}));
  EXPECT_NEAR(locked.L.y, 1.2 - 0.2, 1e-15);

  Spin<double> same = tumbling;
  for (const StepOptions<double>& bad : {StepOptions<double>{.substeps = 0},
                                         {.damping = -1},
                                         {.damping = nan},
                                         {.largest_speed = -1},
                                         {.largest_speed = nan}})
    EXPECT_EQ(step(same, box, torque, 0.1, bad), StepStatus::bad_options);
  EXPECT_EQ(step(same, box, V{nan, 0, 0}, 0.1, {.substeps = 3}), StepStatus::bad_torque);
  EXPECT_TRUE(same_bits(same, tumbling));
}

TEST(EngineInertia, ChangesAtFixedMomentumOrAtFixedVelocity) {
  const Inertia<double> drawn_in(V{0.5, 0.6, 0.9});
  Spin<double> skater = tumbling;
  step(skater, drawn_in, {}, 0.1);
  EXPECT_EQ(skater.L, tumbling.L);
  Spin<double> motor = tumbling;
  EXPECT_EQ(change_inertia_at_fixed_velocity(motor, box, drawn_in), StepStatus::ok);
  EXPECT_LE(norm(angular_velocity_spatial(motor, drawn_in) - angular_velocity_spatial(tumbling, box)), 1e-15);
}

template <class T>
class EnginePacks : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(EnginePacks, Precisions);

// Beside bodies of every kind and speed, at rest, immovable and refused ones, at every number of bodies that fills packs and
// leaves a rest.
TYPED_TEST(EnginePacks, HaveTheBitsOfSingleBodies) {
  using T = TypeParam;
  for (const std::size_t count : {0, 1, 3, 4, 7, 8, 9, 16, 37}) {
    std::vector<Spin<T>> together, alone;
    std::vector<Inertia<T>> bodies;
    std::vector<Vec3<T>> torques;
    for (unsigned i = 0; i < count; ++i) {
      const EngineBody<T> body = engine_body<T>(i, std::pow(10.0, static_cast<double>(i % 9) - 4));
      together.push_back(i % 11 == 3 ? Spin<T>{body.spin.R_SB, {}} : body.spin);
      bodies.push_back(i % 7 == 5 ? Inertia<T>::immovable() : i == 6 ? Inertia<T>(Vec3<T>{1, -1, 1}) : body.inertia);
      torques.push_back(Vec3<T>{T(0.1) * T(i), T(-0.2), T(0.05)});
    }
    alone = together;
    const std::size_t wrong = count > 6 ? 1 : 0;
    for (int n = 0; n < 60; ++n) {
      const bool push = n % 3 == 0;
      EXPECT_EQ(
          step_all<T>(together, bodies, push ? std::span<const Vec3<T>>(torques) : std::span<const Vec3<T>>{}, T(0.7)),
          wrong);
      for (std::size_t i = 0; i < count; ++i) step(alone[i], bodies[i], push ? torques[i] : Vec3<T>{}, T(0.7));
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_TRUE(same_bits(together[i], alone[i])) << n << ' ' << i << " of " << count;
    }
  }
}

TYPED_TEST(EnginePacks, StepThoseThatAreAwake) {
  using T = TypeParam;
  std::vector<Spin<T>> spins;
  std::vector<Inertia<T>> bodies;
  std::vector<std::uint32_t> awake;
  for (unsigned i = 0; i < 40; ++i) {
    const EngineBody<T> body = engine_body<T>(i, 0.3);
    spins.push_back(body.spin);
    bodies.push_back(body.inertia);
    if (i % 3 != 0) awake.push_back(39 - i);
  }
  const std::vector<Spin<T>> before = spins;
  std::vector<Spin<T>> alone = spins;
  EXPECT_EQ(step_all<T>(spins, bodies, {}, T(1), awake), 0u);
  for (const std::uint32_t i : awake) step(alone[i], bodies[i], {}, T(1));
  int moved = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_TRUE(same_bits(spins[i], alone[i]));
    moved += same_bits(spins[i], before[i]) ? 0 : 1;
  }
  EXPECT_EQ(moved, static_cast<int>(awake.size()));
}

TEST(EngineStep, AllocatesNothing) {
  std::vector<Spin<float>> spins(20, Spin<float>{{}, {0.4f, 1.2f, -0.3f}});
  const std::vector<Inertia<float>> bodies(20, Inertia<float>(F{1, 2, 3}));
  const long long before = allocations;
  for (int n = 0; n < 3; ++n) {
    step(spins[0], bodies[0], F{0.1f, 0, 0}, 0.1f);
    step(spins[0], bodies[0], F{0.1f, 0, 0}, 0.1f, {.substeps = 3, .damping = 0.1f});
    step_held(spins[0], bodies[0], F{0.1f, 0, 0}, 0.1f);
    step_all<float>(spins, bodies, {}, 0.1f);
    static_cast<void>(Inertia<float>::from_tensor({{{1, 0.1f, 0}, {0.1f, 2, 0}, {0, 0, 3}}}));
  }
  const long long during = allocations - before;
  EXPECT_EQ(during, 0);
}

}  // namespace
}  // namespace polhode::engine_test
