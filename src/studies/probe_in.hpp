// probe() for one scalar. Included by one translation unit per scalar.
#pragma once

#include <cmath>
#include <numbers>

#include "polhode/measure/claims.hpp"
#include "polhode/measure/energy.hpp"
#include "run/error_bounds.hpp"
#include "studies/probe.hpp"

namespace polhode {

namespace detail {

constexpr int fewest_steps = 6, most_steps = 20000, confirming = 8;
constexpr int invariant_steps = 200;

inline bool settled(const AsymptoticOrder& order) {
  return order.fit && order.fit->points >= 5 && order.fit->uncertainty < 0.03;
}

// Steps until both orders have settled, and an error at many more steps lies on the line: a term of lower order that is
// small would be seen there.
template <class T>
class OrderProbe {
 public:
  OrderProbe(const Situation& situation, const MethodSpec& method, const ReferenceEnd& reference,
             const std::atomic<bool>* stop)
      : situation_(situation),
        prepared_(prepare<T>(situation.setup)),
        stepper_(make_stepper<T>(method, prepared_.body, prepared_.field)),
        space_(method.space),
        reference_(reference),
        exact_(cast<T>(reference.state)),
        duration_(situation.time_for(order_angle)),
        stop_(stop) {}

  void measure(ProbedOrder& attitude, ProbedOrder& momentum) {
    const double size = static_cast<double>(norm(exact_.pi_B));
    attitude.rounding = 1e5 * eps;
    momentum.rounding = 1e5 * eps * size;
    for (double x = fewest_steps; x <= most_steps; x *= std::numbers::sqrt2) {
      if (stop_ != nullptr && *stop_) return;
      add(attitude, momentum, static_cast<int>(std::lround(x)));
      fit(attitude, momentum, size);
      if (attitude.points.size() >= 6 && attitude.exact && momentum.exact) return;
      if (at_rounding(attitude) && at_rounding(momentum)) return;
      if (!settled(attitude.order) || !settled(momentum.order)) continue;
      const int further = confirming * static_cast<int>(std::lround(x));
      if (further > most_steps) return;
      add(attitude, momentum, further);
      fit(attitude, momentum, size);
      if (on_the_line(attitude) && on_the_line(momentum)) return;
      x = further;
    }
  }

 private:
  static constexpr double eps = static_cast<double>(std::numeric_limits<T>::epsilon());

  void add(ProbedOrder& attitude, ProbedOrder& momentum, int steps) {
    StepErrors errors;
    const auto in_units = [&](const State<T>& s) { return prepared_.in_user_units(s); };
    add_error(errors, *stepper_, prepared_.start, prepared_.time_in(duration_), steps, exact_, in_units, space_, stop_);
    const double floor = 4 * eps * (1 + order_angle) * std::sqrt(steps);
    const double size = static_cast<double>(norm(exact_.pi_B));
    const double h = duration_ / steps;
    attitude.points.push_back({h, errors.attitude[0].error, floor + 10 * reference_.attitude_uncertainty});
    momentum.points.push_back({h, errors.momentum[0].error, floor * size + 10 * reference_.momentum_uncertainty});
  }
  void fit(ProbedOrder& attitude, ProbedOrder& momentum, double size) const {
    attitude.order = asymptotic_order(attitude.points, saturated_angle);
    momentum.order = asymptotic_order(momentum.points, saturated_angle * size);
    for (ProbedOrder* probed : {&attitude, &momentum}) {
      probed->exact = true;
      for (const BoundedError& point : probed->points)
        probed->exact = probed->exact && point.error < worse(probed->rounding, point.floor);
    }
  }
  static bool at_rounding(const ProbedOrder& probed) {
    const auto& points = probed.points;
    return points.size() > 2 && points.back().error < 10 * points.back().floor &&
           points[points.size() - 2].error < 10 * points[points.size() - 2].floor;
  }
  static bool on_the_line(const ProbedOrder& probed) {
    const auto& points = probed.points;
    if (points.back().error < 10 * points.back().floor) return true;
    return probed.order.fit &&
           std::abs(local_slope(points[points.size() - 2], points.back()) - probed.order.fit->order) < 0.1;
  }

  const Situation& situation_;
  Prepared<T> prepared_;
  std::unique_ptr<Stepper<T>> stepper_;
  Space space_;
  const ReferenceEnd& reference_;
  State<T> exact_;
  double duration_;
  const std::atomic<bool>* stop_;
};

// At steps of this angle, or half of it and so on where an implicit method cannot solve them.
template <class Measure>
double at_solvable_step(double angle, const Measure& measure) {
  double value = measure(angle);
  for (int n = 0; n < 5 && !std::isfinite(value); ++n) value = measure(angle /= 2);
  return value;
}

}  // namespace detail

template <class T>
Probed probe(const Situation& situation, const MethodSpec& method, const ReferenceEnd& reference,
             const std::atomic<bool>* stop) {
  Probed probed;
  detail::OrderProbe<T>(situation, method, reference, stop).measure(probed.attitude, probed.momentum);
  if (stop != nullptr && *stop) return probed;

  const Prepared<T> prepared = prepare<T>(situation.setup);
  const auto stepper = make_stepper<T>(method, prepared.body, prepared.field);
  stepper->set_tolerance(T(coarse_tolerance(method.claims)));
  const auto step_of = [&](double angle) { return prepared.time_in(situation.time_for(angle)); };
  const State<T>& start = prepared.start;
  const double eps = static_cast<double>(epsilon<T>());

  probed.symmetry = detail::at_solvable_step(
      1, [&](double angle) { return symmetry_defect<T>(*stepper, start, step_of(angle), 10, method.space); });
  probed.symmetry_zero = 1e5 * eps * std::max(1.0, situation.momentum);
  probed.symplectic = detail::at_solvable_step(
      1.5, [&](double angle) { return symplectic_defect<T>(*stepper, start, step_of(angle), 7, method.space); });
  probed.symplectic_zero = 10 * symplectic_rounding<T>();

  using detail::invariant_steps;
  probed.invariant_zero = 40 * rounding_of_invariant<T>(invariant_steps, method.claims.torque_evaluations);
  const auto change = [&](const auto& quantity, double size) {
    return detail::at_solvable_step(0.5, [&](double angle) {
      return largest_change<T>(*stepper, start, step_of(angle), invariant_steps, quantity, 1e3) / size;
    });
  };
  if (situation.is_free) {
    probed.momentum_change = change([](const Stepper<T>& at) { return at.momentum_S(); }, situation.momentum);
  } else if (situation.torque_free_axis_S) {
    const Vec3<T> axis = cast<T>(*situation.torque_free_axis_S);
    probed.momentum_change =
        change([&](const Stepper<T>& at) { return dot(axis, at.momentum_S()); }, situation.momentum);
  }
  if (situation.energy_is_kept)
    probed.energy_change = change([&](const Stepper<T>& at) { return energy(prepared.body, prepared.field, at.state); },
                                  situation.kinetic_energy);
  return probed;
}

}  // namespace polhode
