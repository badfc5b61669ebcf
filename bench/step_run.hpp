// One integration under way, of a method or of Boost.odeint's runge_kutta4: what step_cost times, step by step.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>

#include "polhode/methods/method.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::bench {
namespace {  // included once; with linkage of its own the compiler inlines more of it

constexpr double step_size = 0.1;

// The free body of McLachlan and Zanna. In the field gravity works on an arm of half its weight along axis 3.
const Body<double> body({0.9144, 1.098, 1.66});
const State<double> initial{{}, body.momentum({0.45549, 0.82623, 0.03476}), 0};
const HeavyTop<double> gravity{.weight_times_arm = 0.5};

// The same value, of which the compiler knows nothing: no number is folded into a step that a user's program would have
// to compute there. What is returned has no address outside, and may live in registers.
template <class V>
V opaque(V value) {
  benchmark::DoNotOptimize(&value);
  return value;
}

// One integration under way, of a method or of runge_kutta4.
template <class M, class F>
struct Run {
  System<double, F> sys;
  State<double> s = opaque(initial);
  double h = opaque(step_size);
  Work work{};
  MemoryOf<M, double> memory;

  explicit Run(const F& field) : sys{opaque(body), opaque(field)}, memory(start<M>(sys, s, h, work)) {}
  void step() { s = advance<M>(sys, s, memory, h, work); }
  bool finite() const { return all_finite(s); }
};

// The classical method on x = (q, w_B) in R^7: dq/dt = q (0, w_B) / 2, dw_B/dt = I^-1 (tau_B - w_B x I w_B), with the
// quotients of moments computed once.
template <class F>
class QuaternionSystem {
 public:
  using Vector = std::array<double, 7>;

  explicit QuaternionSystem(const System<double, F>& sys) : sys_(sys) {
    const Vec3<double>&I = sys.body.inertia, &J = sys.body.inverse_inertia;
    gyration_ = {(I.y - I.z) * J.x, (I.z - I.x) * J.y, (I.x - I.y) * J.z};
  }

  void operator()(const Vector& x, Vector& rate, double t) const {
    const double a = 0.5 * x[4], b = 0.5 * x[5], c = 0.5 * x[6];
    rate[0] = -x[1] * a - x[2] * b - x[3] * c;
    rate[1] = x[0] * a + x[2] * c - x[3] * b;
    rate[2] = x[0] * b + x[3] * a - x[1] * c;
    rate[3] = x[0] * c + x[1] * b - x[2] * a;
    rate[4] = gyration_.x * x[5] * x[6];
    rate[5] = gyration_.y * x[6] * x[4];
    rate[6] = gyration_.z * x[4] * x[5];
    if constexpr (!is_free<F>) {
      const Vec3<double> torque = sys_.field.torque(Rotation<double>{x[0], {x[1], x[2], x[3]}}, t);
      const Vec3<double> push = times(sys_.body.inverse_inertia, torque);
      rate[4] += push.x;
      rate[5] += push.y;
      rate[6] += push.z;
    }
  }

 private:
  System<double, F> sys_;
  Vec3<double> gyration_;
};

struct Classical {};

template <class F>
struct Run<Classical, F> {
  using Vector = typename QuaternionSystem<F>::Vector;

  QuaternionSystem<F> sys;
  Vector x;
  double h = opaque(step_size), t = 0;
  boost::numeric::odeint::runge_kutta4<Vector> stepper{};

  explicit Run(const F& field) : sys(System<double, F>{opaque(body), opaque(field)}), x(in_seven(opaque(initial))) {}
  static Vector in_seven(const State<double>& s) {
    const Vec3<double> w_B = body.velocity(s.pi_B);
    return {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z, w_B.x, w_B.y, w_B.z};
  }
  void step() {
    stepper.do_step(sys, x, t, h);
    t += h;
  }
  bool finite() const {
    return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
  }
};

}  // namespace
}  // namespace polhode::bench
