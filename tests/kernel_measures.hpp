// For tests of kernels: a body with three different moments, its centre of mass off all principal axes, its attitude
// generic; and measures of what a method does with it. What every method claims is tested by name, in claims_*_test.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "polhode/core/dual.hpp"
#include "polhode/measure/claims.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/taylor.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::test {

template <class T = double>
Body<T> three_moments() {
  return Body<T>(Vec3<T>{T(0.9144), T(1.098), T(1.66)});
}

template <class T = double>
HeavyTop<T> tilted_gravity(double weight_times_arm) {
  return {T(weight_times_arm), {T(1) / T(3), T(2) / T(3), T(2) / T(3)}};
}

// The problem asymmetric-top-tilted. Spun twice as fast, with a quarter of the weight, it is the same four times as
// fast in other units: the motion is then regular, and a drift of energy shows as one.
template <class T = double>
System<T, HeavyTop<T>> tilted_top() {
  return {three_moments<T>(), tilted_gravity<T>(0.5)};
}
inline System<double, HeavyTop<double>> spun_top() { return {three_moments(), tilted_gravity(0.125)}; }
template <class T = double>
System<T, Free> free_body() {
  return {three_moments<T>(), {}};
}

template <class T = double>
State<T> start_state(double speed = 1) {
  const Vec3<T> w_B = T(speed) * Vec3<T>{T(0.45549), T(0.82623), T(0.03476)};
  return {exp(Vec3<T>{T(0.3), T(0), T(0)}), three_moments<T>().momentum(w_B), T(0)};
}

template <class T>
double distance(const State<T>& a, const State<T>& b) {
  return state_distance(a, b);
}

// Visits the state after every step.
template <class M, class T, class F, class Visit>
State<T> integrate(const System<T, F>& system, State<T> s, const T& h, int steps, Work& work, Visit visit) {
  const T t0 = s.t;
  auto memory = start<M>(system, s, h, work);
  for (int n = 0; n < steps; ++n) {
    s.t = t0 + T(n) * h;
    s = advance<M>(system, s, memory, h, work);
    visit(s);
  }
  return s;
}
template <class M, class T, class F>
State<T> integrate(const System<T, F>& system, const State<T>& s, const T& h, int steps, Work& work) {
  return integrate<M>(system, s, h, steps, work, [](const State<T>&) {});
}

struct MeasuredOrders {
  double attitude, momentum;
};

// Slopes over the errors between `floor` and `ceiling`, against a reference at the end of `duration`.
template <class M, class T, class F>
std::optional<MeasuredOrders> orders(const System<T, F>& system, const State<T>& s, const State<T>& reference,
                                     double duration, int fewest_steps, double floor, double ceiling) {
  std::vector<ErrorAtStep> attitude, momentum;
  for (double number = fewest_steps; number < 60 * fewest_steps; number *= std::sqrt(2.0)) {
    const int steps = static_cast<int>(number);
    Work work;
    const State<T> end = integrate<M>(system, s, T(duration) / T(steps), steps, work);
    attitude.push_back({duration / steps, static_cast<double>(attitude_error(end, reference))});
    momentum.push_back({duration / steps, static_cast<double>(momentum_error(end, reference))});
  }
  const auto a = observed_order(attitude, floor, ceiling), m = observed_order(momentum, floor, ceiling);
  if (!a || !m) return std::nullopt;
  return MeasuredOrders{a->order, m->order};
}

// On the tilted top in long double, against order 12.
template <class M>
std::optional<MeasuredOrders> orders_on_top() {
  using Real = long double;
  static const State<Real> reference = [] {
    Work work;
    return integrate<Taylor<12>>(tilted_top<Real>(), start_state<Real>(), Real(4) / 1200, 1200, work);
  }();
  return orders<M>(tilted_top<Real>(), start_state<Real>(), reference, 4, 32, 2e-15, 2e-2);
}

// There and back again.
template <class M, class F>
double symmetry_gap(const System<double, F>& system, const State<double>& at_start, double h, int steps) {
  Work work;
  auto memory = start<M>(system, at_start, h, work);
  State<double> s = at_start;
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, h, work);
  memory = memory.reversed();
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, -h, work);
  return work.converged ? distance(s, at_start) : std::numeric_limits<double>::infinity();
}

// The energy error in a long run: the largest, and the means over eight windows. The oscillation that every method
// shows cancels in a mean, but for the one period out of fifty or more that a window cuts; a drift does not.
struct EnergyError {
  double largest = 0;
  std::array<double, 8> mean{};

  double drift() const { return std::abs(mean[7] - mean[0]); }
  bool stays() const { return std::isfinite(largest) && drift() < 0.01 * largest; }
  bool drifts() const { return drift() > 0.1 * largest; }
};

template <class M, class F>
EnergyError energy_error(const System<double, F>& system, const State<double>& s, double h, int steps) {
  const double at_start = energy(system.body, system.field, s);
  EnergyError result;
  int n = 0;
  Work work;
  integrate<M>(system, s, h, steps, work, [&](const State<double>& at) {
    const double error = energy(system.body, system.field, at) - at_start;
    result.largest = worse(result.largest, std::abs(error));
    result.mean[static_cast<std::size_t>(8LL * n++ / steps)] += error / (steps / 8.0);
  });
  if (!work.converged) result.largest = std::numeric_limits<double>::infinity();
  return result;
}

// The counterexample of [BOS09, Sec. 3].
inline System<double, StressTest<double>> stress_test() {
  return {Body<double>({2, 2, 4}), {0.3, {2.5 / std::sqrt(2.0), 0, 2.5 / std::sqrt(2.0)}}};
}
inline State<double> stress_test_start() {
  return {exp(Vec3<double>{0, 0.7227, 0}), stress_test().body.momentum({0, 0, 0.625}), 0};
}

// The Jacobian of an equation against that of its value on dual numbers: the largest difference over the largest entry.
template <class EquationOf>
double jacobian_error(const EquationOf& equation, const Vec3<double>& x) {
  using D = Dual<double, 3>;
  const auto dual = equation(Vec3<D>{D::variable(x.x, 0), D::variable(x.y, 1), D::variable(x.z, 2)});
  const auto plain = equation(x);
  double largest = 0, error = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      largest = larger(largest, std::abs(dual.value[i].d[k]));
      error = worse(error, std::abs(plain.jacobian[i][k] - dual.value[i].d[k]));
    }
  }
  return error / largest;
}

}  // namespace polhode::test
