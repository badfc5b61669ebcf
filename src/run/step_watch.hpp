// Looks out for steps that are too long for the motion or too short for the clock. Either gives numbers that look right.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "polhode/run/drive.hpp"
#include "run/observers.hpp"

namespace polhode {

inline constexpr double longest_turn_of_a_step = 1;        // [rad]
inline constexpr double largest_rounding_of_times = 0.01;  // in steps

// Whether steps of any length are as good: the method is exact here, takes steps of its own to a tolerance, or was
// chosen with its step by trials that measured its error.
inline bool any_step_will_do(const Plan& plan, bool free_body) {
  if (plan.selection) return true;
  if (plan.method.claims.takes_tolerance) return plan.tolerance.has_value();
  return orders_of(plan.method.claims, free_body) == Orders{exact_order, exact_order};
}

// The largest number of one digit that is not above x > 0.
inline double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)));
  return std::floor(x / unit * (1 + 1e-12)) * unit;
}

template <class T>
class StepWatch : public Observer<T> {
 public:
  StepWatch(const Prepared<T>& prepared, const Plan& plan, const StepTimes<T>& times, Warnings& warn)
      : prepared_(prepared),
        plan_(plan),
        times_(times),
        warn_(warn),
        watching_(!any_step_will_do(plan, prepared.field.empty())) {}

  bool before_step(const Stepper<T>& stepper, const T& h) {
    if (watching_ && turns_far(stepper.state, h)) [[unlikely]]
      warn_(turn(stepper.state, h));
    return true;
  }

  void look_at_times() { warn_(times()); }

 private:
  [[gnu::always_inline]] bool turns_far(const State<T>& state, const T& h) const {
    const Vec3<T> turn_B = h * prepared_.body.velocity(state.pi_B, state.t);
    return dot(turn_B, turn_B) > T(longest_turn_of_a_step * longest_turn_of_a_step);
  }
  // A warning about a step h of `state`; once.
  [[gnu::noinline]] std::string turn(const State<T>& state, const T& h) {
    const Vec3<T> turn_B = h * prepared_.body.velocity(state.pi_B, state.t);
    watching_ = false;
    // Without a torque the body turns no faster than about its axis of the least moment.
    const Vec3<T>& I = prepared_.body.inertia;
    const double wheels = length(state.pi_B - prepared_.body.carried_momentum(state.pi_B, state.t));
    const double fastest = (length(state.pi_B) + wheels) / static_cast<double>(std::min({I.x, I.y, I.z}));
    const double enough = longest_turn_of_a_step / fastest;  // in internal units
    return fmt::format(
        "step {} of {:.6g} s, which begins at t = {:.9g} s, turns the body by {:.6g} rad; beyond {} rad a step the "
        "result of {} may be far off: take steps of {:.6g} s or less",
        times_.taken() + 1, std::abs(seconds(h)), seconds(state.t), length(turn_B), longest_turn_of_a_step,
        plan_.method.name, rounded_down(std::ldexp(enough, prepared_.units.time_exponent)));
  }

  // A warning about the times t0 + n h of the whole run, which are numbers of the scalar like all others.
  std::optional<std::string> times() const {
    const Steps& steps = plan_.steps;
    const double h = steps.listed.empty() ? steps.size : *std::min_element(steps.listed.begin(), steps.listed.end());
    const double begin = seconds(prepared_.start.t);
    const double far = std::max(std::abs(begin), std::abs(begin + duration()));
    const double apart = static_cast<double>(epsilon<T>()) * far;
    if (!(apart > largest_rounding_of_times * h)) return std::nullopt;
    const T there = prepared_.time_in(far);
    const bool stands_still = T(there + prepared_.time_in(h)) == there;
    return fmt::format(
        "near t = {:.6g} s times in {} are {:.1g} s apart, and {} by a step of {:.6g} s; begin nearer to t = 0, take "
        "steps of {:.6g} s or more, or choose a wider scalar",
        far, scalar_name(scalar_kind_of<T>), apart, stands_still ? "do not advance" : "advance unevenly", h,
        rounded_up(apart / largest_rounding_of_times));
  }

  static double rounded_up(double x) {
    const double unit = std::pow(10, std::floor(std::log10(x)));
    return std::ceil(x / unit) * unit;
  }

  // Also where its square would overflow.
  static double length(const Vec3<T>& v) {
    return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
  }

  double seconds(const T& time) const {
    using std::ldexp;
    return static_cast<double>(T(ldexp(time, prepared_.units.time_exponent)));
  }

  // [s], negative backwards.
  double duration() const {
    const Steps& steps = plan_.steps;
    double sum = static_cast<double>(steps.count) * steps.size;
    if (!steps.listed.empty()) {
      sum = 0;
      for (long long n = 0; n < steps.count; ++n) sum += steps.listed[static_cast<std::size_t>(n)];
    }
    return steps.backwards ? -sum : sum;
  }

  const Prepared<T>& prepared_;
  const Plan& plan_;
  const StepTimes<T>& times_;
  Warnings& warn_;
  bool watching_;
};

}  // namespace polhode
