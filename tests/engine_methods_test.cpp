// The steps of physics engines beside programs that keep what engines keep, and what is said of them.
#include <gtest/gtest.h>

#include "generators.hpp"
#include "matrix_programs.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/engine_steps.hpp"
#include "polhode/methods/implicit_midpoint.hpp"
#include "polhode/methods/lie_midpoint.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/methods/textbook.hpp"

namespace polhode::test::engine_methods_test {
namespace {

using V = Vec3<double>;
using random::real;

// As engines do it: the velocity in space, changed by the torque at the old attitude and by `gyroscopic`, which returns
// the velocity in body axes; then a turn from the left.
struct EngineProgram {
  MatrixTop top;
  Vector w_S = Vector::Zero();

  void start(const State<double>& s) {
    top.set(s);
    w_S = top.R * top.W;
  }
  template <class Gyroscopic, class Turn>
  void step_by(double h, const Gyroscopic& gyroscopic, const Turn& turn) {
    const Matrix& R = top.R;
    const Vector torque_S = MatrixTop::torque_S(R);
    w_S = R * gyroscopic(Vector(R.transpose() * w_S)) + h * (R * top.I.inverse() * R.transpose()) * torque_S;
    top.R = Eigen::Quaterniond(turn(Vector(h * w_S)) * R).normalized().toRotationMatrix();
  }
  State<double> state() {
    top.W = top.R.transpose() * w_S;
    return top.state();
  }
};
struct SemiImplicitProgram : EngineProgram {
  void step(double h) {
    step_by(
        h, [](const Vector& w) { return w; }, cayley_matrix);
  }
};
struct ImplicitProgram : EngineProgram {
  void step(double h) {
    const auto newton = [&](const Vector& w) -> Vector {
      const Vector f = h * w.cross(top.I * w);
      const Matrix jacobian = top.I + h * (hat(w) * top.I - hat(top.I * w));
      return w - jacobian.partialPivLu().solve(f);
    };
    step_by(h, newton, exponential);
  }
};
struct ClampProgram : EngineProgram {
  void step(double h) {
    const auto clamped = [&](const Vector& w) -> Vector {
      const Vector L = top.I * w, moved = L - h * w.cross(L);
      return top.I.inverse() * moved.normalized() * L.norm();
    };
    step_by(h, clamped, exponential);
  }
};

TEST(EngineSteps, AreThoseOfEnginesThatKeepTheVelocityInSpace) {
  EXPECT_LT(distance_to<EngineSemiImplicitEuler>(SemiImplicitProgram()), rounding);
  EXPECT_LT(distance_to<EngineImplicitGyroscopic>(ImplicitProgram()), rounding);
  EXPECT_LT(distance_to<EngineMomentumClamp>(ClampProgram()), rounding);
}

template <class M>
State<double> free_end(const Body<double>& body, const State<double>& s, double h, int steps) {
  Work work;
  return integrate<M>(System{body, Free{}}, s, h, steps, work);
}

// ---- without the gyroscopic term

// The limit of small steps is a turn about a fixed axis at a constant rate, and it is reached at second order; the motion
// of the body is another one.
TEST(SemiImplicitEuler, ConvergesToATurnAboutAFixedAxis) {
  const Body<double> body = three_moments();
  const State<double> s = start_state(2);
  const Rotation<double> limit = s.R_SB * exp(4.0 * body.velocity(s.pi_B));
  EXPECT_GT(norm(limit * s.pi_B - spatial_momentum(s)), 0.05 * norm(s.pi_B));
  std::vector<ErrorAtStep> errors;
  for (int steps = 40; steps <= 640; steps *= 2) {
    const State<double> end = free_end<EngineSemiImplicitEuler>(body, s, 4.0 / steps, steps);
    EXPECT_EQ(end.pi_B, s.pi_B);
    errors.push_back({4.0 / steps, angle_between(end.R_SB, limit)});
  }
  const auto fit = observed_order(errors, 1e-13, 0.1);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 2, 0.05);
}

// A ball has no gyroscopic term, and a spin about a principal axis none to lose.
TEST(SemiImplicitEuler, IsRightForABallAndForASpinAboutAPrincipalAxis) {
  const State<double> generic{exp(V{0.3, -0.5, 0.8}), {0.7, -0.4, 1.1}, 0};
  const auto momentum_error = [](const Body<double>& body, const State<double>& s) {
    return norm(spatial_momentum(free_end<EngineSemiImplicitEuler>(body, s, 0.1, 100)) - spatial_momentum(s));
  };
  EXPECT_LT(momentum_error(Body<double>({1.3, 1.3, 1.3}), generic), 1e-14);
  for (const V& axis : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}})
    EXPECT_LT(momentum_error(three_moments(), {generic.R_SB, axis, 0}), 1e-14);
  EXPECT_GT(momentum_error(three_moments(), generic), 0.1);
}

// ---- the implicit gyroscopic step

// The equation I (g - w) + h g x I g = 0, linearised at w by dual numbers.
RC_GTEST_PROP(ImplicitGyroscopic, SolvesTheLinearisedEquation, ()) {
  using D = Dual<double, 3>;
  const Body<double> body({*real(0.5, 2.0), *real(0.5, 2.0), *real(0.5, 2.0)});
  const V w = *random::vector();
  const double h = *real(0.001, 0.3);
  const V change = body.velocity(EngineImplicitGyroscopic::apply_gyroscopic(body, body.momentum(w), h)) - w;
  const Vec3<D> g{D::variable(w.x, 0), D::variable(w.y, 1), D::variable(w.z, 2)};
  const Vec3<D> I_g{D(body.inertia.x) * g.x, D(body.inertia.y) * g.y, D(body.inertia.z) * g.z};
  const Vec3<D> f = I_g - cast<D>(body.momentum(w)) + D(h) * cross(g, I_g);
  const auto row = [&](const D& component) {
    return component.value + component.d[0] * change.x + component.d[1] * change.y + component.d[2] * change.z;
  };
  const V left{row(f.x), row(f.y), row(f.z)};
  RC_ASSERT(norm(left) <= 64 * random::eps * norm(body.momentum(w)));
}

// Energy and momentum go until the body spins about the axis of its smallest or of its largest moment, on whichever side
// of the separatrix it was.
TEST(ImplicitGyroscopic, LosesMomentumUntilTheBodySpins) {
  const Body<double> body = three_moments();
  for (const auto& [pi_B, axis] : {std::pair(V{0.9, 1.9, 0.6}, V{1, 0, 0}), std::pair(V{0.6, 1.9, 0.9}, V{0, 0, 1})}) {
    const State<double> s{exp(V{0.3, -0.5, 0.8}), pi_B, 0};
    const bool fast = 2 * body.kinetic_energy(pi_B) * body.inertia.y > squared_norm(pi_B);
    ASSERT_EQ(fast, axis.x == 1);
    double momentum = norm(pi_B), energy = body.kinetic_energy(pi_B);
    State<double> at = s;
    for (int n = 0; n < 40; ++n) {
      at = free_end<EngineImplicitGyroscopic>(body, at, 0.1, 100);
      EXPECT_LT(norm(at.pi_B), momentum);
      EXPECT_LT(body.kinetic_energy(at.pi_B), energy);
      momentum = norm(at.pi_B);
      energy = body.kinetic_energy(at.pi_B);
    }
    at = free_end<EngineImplicitGyroscopic>(body, at, 0.1, 40000);
    EXPECT_LT(norm(at.pi_B), 0.7 * norm(pi_B));
    EXPECT_GT(std::abs(dot(at.pi_B, axis)), (1 - 1e-6) * norm(at.pi_B));
  }
}

// Next to a spin about the middle axis a small deviation grows in a step by 1/(1 - h s) along the direction that grows, s
// being the rate at which it does in truth: without bound where h s comes to one, and with the wrong sign beyond.
TEST(ImplicitGyroscopic, HasAPoleAtLargeStepsAboutTheMiddleAxis) {
  const Body<double> body = three_moments();
  const V c = gyration(body);
  const double size = 1e-9, slope = std::sqrt(c.x * c.z);  // s over the momentum; both constants are negative
  // pi_x' = c_x pi_y pi_z and pi_z' = c_z pi_x pi_y: the direction (c_x, s) grows with pi_y > 0.
  const V growing{c.x, 0, slope};
  for (const double hs : {0.2, 0.5, 0.9, 0.99, 1.01, 2.0}) {
    const V pi = EngineImplicitGyroscopic::apply_gyroscopic(body, V{size * growing.x, 1, size * growing.z}, hs / slope);
    EXPECT_NEAR(pi.x / (size * growing.x), 1 / (1 - hs), 1e-6 / (1 - hs) / (1 - hs)) << hs;
    EXPECT_NEAR(pi.z / (size * growing.z), 1 / (1 - hs), 1e-6 / (1 - hs) / (1 - hs)) << hs;
  }
  EXPECT_LT(slope, body.inverse_inertia.y) << "a radian a step at least";
}

// ---- the clamp

RC_GTEST_PROP(MomentumClamp, KeepsTheLengthAndChangesTheEnergyAsDerived, ()) {
  const Body<double> body({*real(0.5, 2.0), *real(0.5, 2.0), *real(0.5, 2.0)});
  const V pi = *random::vector();
  const double h = *real(0.001, 1.0), size = squared_norm(pi), energy = body.kinetic_energy(pi);
  const V g = EngineMomentumClamp::apply_gyroscopic(body, pi, h);
  const V d = h * cross(pi, body.velocity(pi));
  const double share = size > 0 ? squared_norm(d) / size : 0;
  const double gain = (dot(d, body.velocity(d)) - 2 * energy * share) / (2 * (1 + share));
  RC_ASSERT(std::abs(norm(g) - norm(pi)) <= 4 * random::eps * norm(pi));
  RC_ASSERT(std::abs(body.kinetic_energy(g) - energy - gain) <= 32 * random::eps * (energy + std::abs(gain)));
}

// As the description of [Avian993] has it: from either side the energy goes to |L|^2/(2 I_2).
TEST(MomentumClamp, DrivesAFreeBodyToItsMiddleAxis) {
  const Body<double> body = three_moments();
  for (const V& pi_B : {V{1.8, 0.2, 0.2}, V{0.2, 0.2, 1.8}, V{0.9, 1.9, 0.6}, V{0.6, 1.9, 0.9}}) {
    const double middle = squared_norm(pi_B) / (2 * body.inertia.y);
    State<double> s{exp(V{0.3, -0.5, 0.8}), pi_B, 0};
    double away = std::abs(body.kinetic_energy(pi_B) - middle);
    EXPECT_GT(away, 0.005 * middle);
    for (int n = 0; n < 4; ++n) {
      s = free_end<EngineMomentumClamp>(body, s, 0.1, 500);
      EXPECT_LT(std::abs(body.kinetic_energy(s.pi_B) - middle), away);
      away = std::abs(body.kinetic_energy(s.pi_B) - middle);
    }
    s = free_end<EngineMomentumClamp>(body, s, 0.1, 10000);
    EXPECT_LT(std::abs(body.kinetic_energy(s.pi_B) - middle), 1e-9 * middle);
    EXPECT_NEAR(norm(s.pi_B), norm(pi_B), 1e-11);
  }
}

// The other way about than the implicit step, and neither is what the body does.
TEST(MomentumClamp, GoesTheOtherWayThanTheImplicitStep) {
  const Body<double> body = three_moments();
  const State<double> s{{}, {0.9, 1.9, 0.6}, 0};
  const auto over_middle = [&](const State<double>& at) {
    return 2 * body.kinetic_energy(at.pi_B) * body.inertia.y / squared_norm(at.pi_B) - 1;
  };
  const double before = over_middle(s);
  EXPECT_LT(over_middle(free_end<EngineMomentumClamp>(body, s, 0.05, 2000)), 0.7 * before);
  EXPECT_GT(over_middle(free_end<EngineImplicitGyroscopic>(body, s, 0.05, 2000)), 1.4 * before);
  EXPECT_NEAR(over_middle(free_end<LieMidpoint<1>>(body, s, 0.05, 2000)), before, 0.1 * before);
}

TEST(MomentumClamp, LeavesABodyAtRestAlone) {
  const State<double> end = free_end<EngineMomentumClamp>(three_moments(), {exp(V{0.3, -0.5, 0.8}), {}, 0}, 0.1, 3);
  EXPECT_EQ(end.pi_B, V{});
  EXPECT_LT(angle_between(end.R_SB, exp(V{0.3, -0.5, 0.8})), 1e-15);
}

// What the projects say of the explicit step, which both of these replace: it explodes.
TEST(EngineSteps, DoNotExplodeWhereTheExplicitOneDoes) {
  const Body<double> body({0.2, 1.0, 1.1});
  const State<double> s{{}, {4, 20, 4}, 0};
  const double h = 1.0 / 60;
  EXPECT_FALSE(norm(free_end<TextbookEuler>(body, s, h, 600).pi_B) < 10 * norm(s.pi_B));
  EXPECT_LT(norm(free_end<EngineImplicitGyroscopic>(body, s, h, 600).pi_B), norm(s.pi_B));
  EXPECT_LT(norm(free_end<EngineMomentumClamp>(body, s, h, 600).pi_B), (1 + 1e-12) * norm(s.pi_B));
}

// ---- the implicit midpoint rule in exponential coordinates [M20]

// A turn from R_0 to R_0 exp(x): x' = w + x/2 x w + (1 - |x|/2 cot(|x|/2))/|x|^2 x x (x x w), w in body axes.
V coordinate_rate(const V& x, const V& w) {
  const double half = 0.5 * norm(x);
  return w + 0.5 * cross(x, w) + (1 - half / std::tan(half)) / squared_norm(x) * cross(x, cross(x, w));
}
// The midpoint rule for x, and for pi where it is an unknown too, from x = 0, by repetition.
template <class Momentum>
V midpoint_turn(const Body<double>& body, double h, const V& guess, const Momentum& midway) {
  V x = guess;
  for (int i = 0; i < 200; ++i) x = h * coordinate_rate(0.5 * x, body.velocity(midway(0.5 * x)));
  return x;
}

// With the momentum fixed in space, as it is without torque, three unknowns are left. This is the midpoint rule on the
// rotation group: the coordinate's rate is along the coordinate, so that dexpinv does nothing.
TEST(MidpointInExponentialCoordinates, WithTheMomentumFixedInSpaceIsLieMidpoint) {
  const Body<double> body = three_moments();
  const State<double> s{{}, {0.9, 1.9, 0.6}, 0};
  for (const double h : {0.02, 0.1, 0.5}) {
    const V x = midpoint_turn(body, h, h * body.velocity(s.pi_B), [&](const V& half) { return exp(-half) * s.pi_B; });
    const State<double> end = free_end<LieMidpoint<1>>(body, s, h, 1);
    EXPECT_LT(angle_between(end.R_SB, exp(x)), 2e-15) << h;
    EXPECT_LT(norm(end.pi_B - exp(-x) * s.pi_B), 2e-15) << h;
  }
  EXPECT_EQ(parse_method("engine-midpoint").name, "lie-midpoint");
}

// With the momentum in body axes as three more unknowns it is implicit-midpoint-exp.
TEST(MidpointInExponentialCoordinates, WithTheMomentumInBodyAxesIsImplicitMidpointExp) {
  const Body<double> body = three_moments();
  const State<double> s{{}, {0.9, 1.9, 0.6}, 0};
  for (const double h : {0.02, 0.1, 0.5}) {
    V pi_m = s.pi_B;
    for (int i = 0; i < 200; ++i) pi_m = s.pi_B + 0.5 * h * cross(pi_m, body.velocity(pi_m));
    const V x = midpoint_turn(body, h, h * body.velocity(s.pi_B), [&](const V&) { return pi_m; });
    const State<double> end = free_end<ImplicitMidpoint<Increment::exponential>>(body, s, h, 1);
    EXPECT_LT(angle_between(end.R_SB, exp(x)), 2e-15) << h;
    EXPECT_LT(norm(end.pi_B - (2.0 * pi_m - s.pi_B)), 2e-15) << h;
  }
}

// The two differ by third order in a step: one keeps the momentum, the other the energy.
TEST(MidpointInExponentialCoordinates, TheTwoReadingsDiffer) {
  const Body<double> body = three_moments();
  const State<double> s{{}, {0.9, 1.9, 0.6}, 0};
  std::vector<ErrorAtStep> differences;
  for (const double h : {0.2, 0.1, 0.05, 0.025}) {
    const V one = free_end<LieMidpoint<1>>(body, s, h, 1).pi_B;
    differences.push_back({h, norm(one - free_end<ImplicitMidpoint<Increment::exponential>>(body, s, h, 1).pi_B)});
  }
  const auto fit = observed_order(differences, 1e-13, 1);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 3, 0.05);
}

}  // namespace
}  // namespace polhode::test::engine_methods_test
