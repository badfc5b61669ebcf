// The dumbbell: a direction d = R e3 with a potential V(d), with one moment I about all axes across d [R08, Sec. 5, 6,
// App. B]. The variational method takes any V; the others are for a uniform field g(t), V = -d . g.
//
// It is a body with I_1 = I_2 = I that does not spin about e3. Its body rate W = pi/I and the increments x of a step,
// R <- R exp(x) or R <- R cay(x), stay across e3: they are free of twist. R is never found from d again, because around
// a loop twist-free increments add up to a twist. In body axes the torque is -e3 x R^T dV/dd; in a uniform field it is
// e3 x g_B, g_B = R^T g. The third component of the momentum is taken as zero, and any third moment works.
#pragma once

#include <string_view>

#include "polhode/core/sphere.hpp"
#include "polhode/methods/kick.hpp"
#include "polhode/methods/solver.hpp"
#include "polhode/model/fields/uniform_field.hpp"

namespace polhode {

// What the three methods share.
struct OnSphere {
  static constexpr std::string_view family = "dumbbell";

 protected:
  // g at time t in body axes.
  template <class T, class F>
  static constexpr Vec3<T> field_body(const System<T, F>& sys, const Rotation<T>& R_SB, const T& t, Work& work) {
    static_assert(
        UniformVectorField<F, T>,
        "the dumbbell's methods take a field g(t) that is uniform in space: UniformField, UniformFieldFrom, or Free");
    if constexpr (is_free<F>) {
      return {};
    } else {
      ++work.torque_evaluations;
      return inverse(R_SB) * sys.field.field_at(t);
    }
  }

  // The torque of a potential of d, which has no component along e3.
  template <class T, class F>
  static constexpr Vec3<T> torque(const System<T, F>& sys, const State<T>& s, Work& work) {
    static_assert(AttitudeTorqueField<F, T> || SumAtRunTime<F>,
                  "the dumbbell's methods take a potential of the direction, and no torque of the angular velocity");
    return across(torque_body(sys, s.R_SB, s.pi_B, s.t, work));
  }

  // e3 x a, and a without its third component.
  template <class T>
  static constexpr Vec3<T> turned(const Vec3<T>& a) {
    return {-a.y, a.x, T(0)};
  }
  template <class T>
  static constexpr Vec3<T> across(const Vec3<T>& a) {
    return {a.x, a.y, T(0)};
  }
};

// Kick, great circle, kick: the variational method of the discrete Lagrangian (40), with the trapezoidal rule for V.
//
// The paper writes it with the rates between the times, W_+ = W_- + (h_- + h)/(2 I) e3 x g_B, and begins with
// W_- = W_0 - h/(2 I) e3 x g_B. A great circle leaves W as it is, so that half of each kick may be counted to either
// side: with the rate at t_n, which is W_0 at the start, no start-up is needed, and unequal steps are the paper's.
struct DumbbellVariational : OnSphere, KeepsTorque {
  static constexpr std::string_view cite = "R08, Sec. 6, eq. (40), (42), (50)";
  static constexpr std::string_view about = "the dumbbell's explicit variational method: symplectic on the sphere";
  static constexpr std::string_view good_for = "rods, dumbbells and pendulums in long runs: explicit, cheap, no drift";
  static constexpr std::string_view not_for =
      "bodies that spin about their axis, and torques other than those of a potential of the direction";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .energy = Keeps::bounded,
                                 .needs = Needs::direction_potential,
                                 .space = Space::sphere};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h, Work& work) {
    const T half = T(0.5) * h;
    if (!memory.torque_known) memory.torque_B = torque(sys, s, work);
    s.pi_B = across(s.pi_B) + half * memory.torque_B;
    s.R_SB = renormalised(s.R_SB * exp(T(h * sys.body.inverse_inertia.x) * s.pi_B));
    s.t = s.t + h;
    memory.torque_B = torque(sys, s, work);
    memory.torque_known = true;
    s.pi_B += half * memory.torque_B;
    return s;
  }
};

// An increment x across e3 turns by an angle f = 2 u, and the torque of the step acts on the mean direction
// k (d + d_1)/2. What an equation needs to know of both:
//   a = k,   b = k sin^2 u/|x|^2,   c = k sin u cos u/|x|,   and their derivatives by |x|^2.
template <class T>
struct MeanDirection {
  T a, b, c, da, db, dc;
};

// |x| = 2 tan u, k = 1 [R08, App. B.1].
struct CayleyIncrement {
  template <class T>
  static constexpr Rotation<T> rotation(const Vec3<T>& x) {
    return cayley(x);
  }
  template <class T>
  static constexpr MeanDirection<T> mean(const T& y) {
    const T cosine_squared = T(1) / (T(1) + T(0.25) * y);
    const T slope = T(-0.25) * cosine_squared * cosine_squared;
    return {T(1), T(0.25) * cosine_squared, T(0.5) * cosine_squared, T(0), T(0.25) * slope, T(0.5) * slope};
  }
};

// |x| = f, and k = tan u/u, which makes the energy exact [R08, App. B.2, where the formulas are lost: docs/errata.md].
struct ExponentialIncrement {
  template <class T>
  static constexpr Rotation<T> rotation(const Vec3<T>& x) {
    return exp(x);
  }
  template <class T>
  static constexpr MeanDirection<T> mean(const T& y) {
    const T u2 = T(0.25) * y;
    const CosSinc<T> f = cos_sinc_sqrt(u2);
    const T a = f.sinc / f.cosine, square = f.sinc * f.sinc;
    const T dsinc = T(-0.125) * sinc2_sqrt(u2), dcosine = T(-0.125) * f.sinc;
    const T da = (dsinc - a * dcosine) / f.cosine, dsquare = T(2) * f.sinc * dsinc;
    return {a, T(0.25) * a * square, T(0.5) * square, da, T(0.25) * (da * square + a * dsquare), T(0.5) * dsquare};
  }
};

// R_1 = R F(x), x = (h/2)(W + W_1), and I (R_1 W_1 - R W) = h mean x g at the middle of the step in time.
//
// The momentum changes at right angles to g and by what the energy needs: W + W_1 is along the axis of the increment,
// and so I/2 (|W_1|^2 - |W|^2) = (I/h)(W_1 - W) . x = (d_1 - d) . g. The equation has no component along the mean
// direction; turned back by half the increment, what is left of it is
//   I (W_1 - W) = h p(x),   p = a e3 x g_B + (b (e3 x x) . g_B - c g_B3) x.
template <class Increment>
struct DumbbellImplicit : OnSphere {
  static constexpr bool is_cayley = std::is_same_v<Increment, CayleyIncrement>;
  static constexpr std::string_view cite = is_cayley ? "R08, App. B.1" : "R08, App. B.2; SW91";
  static constexpr std::string_view about =
      is_cayley ? "the dumbbell's midpoint rule in conservation form, through the Cayley map"
                : "the dumbbell's energy-momentum method, through the exponential map";
  static constexpr std::string_view good_for =
      is_cayley ? "a dumbbell's energy to rounding, in the field too, without trigonometric functions"
                : "a dumbbell's energy to rounding, in the field too, with the better direction of the two";
  static constexpr std::string_view not_for =
      "bodies that spin about their axis, and torques other than a uniform field's; it solves an equation a step";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .energy = Keeps::exact,
                                 .needs = Needs::uniform_field,
                                 .space = Space::sphere};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    const Vec3<T> g_B = field_body(sys, s.R_SB, T(s.t + T(0.5) * h), work);
    const Vec3<T> pi = across(s.pi_B);
    const T per_moment = sys.body.inverse_inertia.x;
    const auto equation = [&](const Vec3<T>& x, const T& share) {
      return misfit(x, g_B, pi, T(share * h), per_moment);
    };
    const Vec3<T> guess = T(h * per_moment) * (pi + T(T(0.5) * h) * turned(g_B));
    const Vec3<T> x = across(solve(equation, guess, Vec3<T>{}, work));
    return {renormalised(s.R_SB * Increment::rotation(x)),
            pi + h * impulse_rate(x, g_B, Increment::mean(squared_norm(x))), s.t + h};
  }

  // x - h/I (pi + h/2 p(x)); the third component keeps x across e3.
  template <class T>
  static constexpr Equation<T> misfit(const Vec3<T>& x, const Vec3<T>& g_B, const Vec3<T>& pi, const T& h,
                                      const T& per_moment) {
    const T k = T(0.5) * h * h * per_moment;
    const MeanDirection<T> m = Increment::mean(T(x.x * x.x + x.y * x.y));
    const Vec3<T> straight = T(h * per_moment) * pi, bend = k * impulse_rate(x, g_B, m), axis = turned(g_B);
    const T side = dot(turned(x), g_B), along = m.b * side - m.c * g_B.z;
    const Vec3<T> d_side = -axis;  // of (e3 x x) . g_B by x
    Equation<T> e{x - straight - bend, {}, detail::size_of(x) + detail::size_of(straight) + detail::size_of(bend)};
    const T d_along = m.db * side - m.dc * g_B.z;
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        const T by_length = T(2) * x[j] * (m.da * axis[i] + d_along * x[i]);
        e.jacobian[i][j] = T(i == j ? T(1) - k * along : T(0)) - k * (by_length + m.b * d_side[j] * x[i]);
      }
    }
    e.jacobian[2][2] = T(1);
    return e;
  }

 private:
  // p(x)
  template <class T>
  static constexpr Vec3<T> impulse_rate(const Vec3<T>& x, const Vec3<T>& g_B, const MeanDirection<T>& m) {
    return m.a * turned(g_B) + T(m.b * dot(turned(x), g_B) - m.c * g_B.z) * across(x);
  }
};

using DumbbellMidpoint = DumbbellImplicit<CayleyIncrement>;
using DumbbellConserving = DumbbellImplicit<ExponentialIncrement>;

}  // namespace polhode
