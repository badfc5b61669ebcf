// What methods claim, measured: order, time symmetry, symplecticity, invariants. The tests of the catalogue and
// `polhode diagnose` measure by these functions, and so can anyone, on a stepper
//
//   make_stepper<T>(parse_method("rkmk-4@..."), body, field)     of a method by name, with suffixes, or from a plug-in,
//   stepper_of<MyMethod>(System{body, field})                    or of a type that meets concept Method.
//
// Each measurement starts the stepper itself. In double a defect below 1e-12 cannot be told from rounding; in quad, which
// every listed method has, none is. Drift and the energy of long runs are in measure/energy_record.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "polhode/core/sphere.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// A method that takes as many steps as rounding asks for keeps everything, to rounding. What it does not keep by itself
// shows at a tolerance like this [rad]; zero for others, which is none.
constexpr double coarse_tolerance(const Claims& claims) {
  return claims.takes_tolerance && claims.order_attitude == exact_order ? 1e-2 : 0;
}

// std::max(x, NaN) is x: a diagnostic must notice. What is not finite is infinite.
inline double worse(double a, double b) {
  return std::isfinite(b) ? std::max(a, b) : std::numeric_limits<double>::infinity();
}

// Between two states: the angle [rad], or the difference of the momenta if that is larger; on the sphere those of the
// direction.
template <class T>
double state_distance(const State<T>& a, const State<T>& b, Space space = Space::rotations) {
  if (space == Space::sphere)
    return worse(static_cast<double>(direction_error(a, b)),
                 static_cast<double>(norm(spatial_momentum(a) - spatial_momentum(b))));
  return worse(static_cast<double>(attitude_error(a, b)), static_cast<double>(momentum_error(a, b)));
}

// n steps from the start on, which cover `duration`; fewer when `stop` is set.
template <class T>
const State<T>& after_steps(Stepper<T>& stepper, const State<T>& start, const T& duration, int steps,
                            const std::atomic<bool>* stop = nullptr) {
  const T h = duration / T(steps);
  stepper.start(start, h);
  for (int n = 0; n < steps && (stop == nullptr || !*stop); ++n) {
    stepper.state.t = start.t + T(n) * h;
    stepper.step(h);
  }
  return stepper.state;
}

// Errors after `duration` against a reference, at several numbers of steps; `in_its_units(state)` is in those of the
// reference. Infinite where a step could not be solved.
struct StepErrors {
  std::vector<ErrorAtStep> attitude, momentum;
};
template <class T, class Conversion>
void add_error(StepErrors& errors, Stepper<T>& stepper, const State<T>& start, const T& duration, int steps,
               const State<T>& reference, Conversion&& in_its_units, Space space = Space::rotations,
               const std::atomic<bool>* stop = nullptr) {
  const State<T> end = in_its_units(after_steps(stepper, start, duration, steps, stop));
  const double h = static_cast<double>(duration) / steps;
  const bool solved = stepper.work.converged;
  const auto add = [&](std::vector<ErrorAtStep>& list, const T& error) {
    list.push_back({h, solved ? worse(0, static_cast<double>(error)) : std::numeric_limits<double>::infinity()});
  };
  add(errors.attitude, space == Space::sphere ? direction_error(end, reference) : attitude_error(end, reference));
  // Of a direction's motion the frame that it is seen in is no part.
  add(errors.momentum, space == Space::sphere ? norm(spatial_momentum(end) - spatial_momentum(reference))
                                              : momentum_error(end, reference));
}

// There and back: how far n steps back end from where n steps began. It is taken from after the first step, which a
// start-up may be part of, and the memory is reversed with time. Infinite where a step could not be solved.
template <class T>
double symmetry_defect(Stepper<T>& stepper, const State<T>& start, const T& h, int steps,
                       Space space = Space::rotations) {
  stepper.start(start, h);
  stepper.step(h);
  const State<T> begin = stepper.state;
  for (int n = 0; n < steps; ++n) stepper.step(h);
  stepper.reverse();
  for (int n = 0; n < steps; ++n) stepper.step(T(-h));
  return stepper.work.converged ? state_distance(stepper.state, begin, space) : std::numeric_limits<double>::infinity();
}

// Steps are symplectic if and only if A^T J(pi) A stays what it is, A the Jacobian of n steps and J the canonical two-form
// of T*SO(3) in body coordinates. A comes from differences of fourth order at a width of eps^(1/4): their error is then the
// rounding unit times fifth derivatives, which are large at large steps, and what rounding leaves is eps^(3/4), 2e-12 in
// double and 5e-26 in quad, times first ones.
template <class T>
double difference_width() {
  return std::pow(static_cast<double>(epsilon<T>()), 0.25);
}
template <class T>
double symplectic_rounding() {
  return 1e3 * std::pow(static_cast<double>(epsilon<T>()), 0.8);
}

namespace detail {

template <class T>
using Tangent = std::array<T, 6>;

// A tangent vector is (a, b): the attitude turns by exp(a) in body axes, the body momentum changes by b. From
// theta = pi . a one has -d theta((a, b), (a', b')) = b' . a - b . a' + pi . (a x a').
template <class T>
T canonical_form(const Vec3<T>& pi, const Tangent<T>& x, const Tangent<T>& y) {
  const Vec3<T> a{x[0], x[1], x[2]}, b{x[3], x[4], x[5]}, a2{y[0], y[1], y[2]}, b2{y[3], y[4], y[5]};
  return dot(b2, a) - dot(b, a2) + dot(pi, cross(a, a2));
}

template <class T>
State<T> moved(const State<T>& s, std::size_t direction, const T& by) {
  Tangent<T> moves{};
  moves[direction] = by;
  State<T> to = s;
  to.R_SB = s.R_SB * exp(Vec3<T>{moves[0], moves[1], moves[2]});
  to.pi_B += Vec3<T>{moves[3], moves[4], moves[5]};
  return to;
}

// From one state to another: the vector of a small turn, 2 asin |v| along v up to the third order, which differences of
// fourth order do not forgive; and the change of momentum.
template <class T>
Tangent<T> difference(const State<T>& from, const State<T>& to) {
  const Rotation<T> turn = inverse(from.R_SB) * to.R_SB;
  const T twice(turn.w < T(0) ? -2 : 2);
  const Vec3<T> a = T(twice * (T(1) + squared_norm(turn.v) / T(6))) * turn.v, b = to.pi_B - from.pi_B;
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}

}  // namespace detail

// How far the two-form changes from the first step to the last, over the size of the terms that cancel; infinite where a
// step could not be solved. It is taken from the first step on: the start-up of a method with a memory of its own is no
// step. On the sphere the body has no spin, and is moved in the four directions that give it none.
template <class T>
double symplectic_defect(Stepper<T>& stepper, const State<T>& start, const T& h, int steps,
                         Space space = Space::rotations) {
  using detail::Tangent;
  bool solved = true;
  struct Ends {
    State<T> first, last;
  };
  const auto ends = [&](const State<T>& from) {
    stepper.start(from, h);
    stepper.step(h);
    const State<T> first = stepper.state;
    for (int n = 1; n < steps; ++n) stepper.step(h);
    solved = solved && stepper.work.converged && all_finite(stepper.state);
    return Ends{first, stepper.state};
  };
  const Ends middle = ends(start);
  const T width(difference_width<T>());
  std::vector<Tangent<T>> first, last;  // columns of the two Jacobians
  double largest = 1;
  for (const std::size_t direction :
       space == Space::sphere ? std::vector<std::size_t>{0, 1, 3, 4} : std::vector<std::size_t>{0, 1, 2, 3, 4, 5}) {
    Tangent<T> at_first{}, at_last{};
    for (const auto& [place, weight] : {std::pair(-2, 1), std::pair(-1, -8), std::pair(1, 8), std::pair(2, -1)}) {
      const Ends there = ends(detail::moved(start, direction, T(T(place) * width)));
      const auto to_first = detail::difference(middle.first, there.first),
                 to_last = detail::difference(middle.last, there.last);
      for (std::size_t i = 0; i < 6; ++i) {
        at_first[i] = at_first[i] + T(weight) * to_first[i] / (T(12) * width);
        at_last[i] = at_last[i] + T(weight) * to_last[i] / (T(12) * width);
      }
    }
    first.push_back(at_first);
    last.push_back(at_last);
    for (const T& entry : at_last) largest = worse(largest, std::abs(static_cast<double>(entry)));
  }
  double defect = solved ? 0 : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const T change = detail::canonical_form(middle.last.pi_B, last[i], last[k]) -
                       detail::canonical_form(middle.first.pi_B, first[i], first[k]);
      defect = worse(defect, std::abs(static_cast<double>(change)));
    }
  }
  return defect / (largest * largest);
}

// What becomes of a quantity that the exact motion keeps, from the first step on: `quantity(stepper)` is a vector or a
// number. Stops where the change is `enough`, for methods that are unstable at steps at which others show anything.
template <class T, class Quantity>
double largest_change(Stepper<T>& stepper, const State<T>& start, const T& h, int steps, Quantity&& quantity,
                      double enough = std::numeric_limits<double>::infinity()) {
  stepper.start(start, h);
  stepper.step(h);
  const auto size = [](const auto& x) {
    if constexpr (requires { x.x; }) {
      return static_cast<double>(norm(x));
    } else {
      return std::abs(static_cast<double>(x));
    }
  };
  const auto at_first = quantity(stepper);
  double change = 0;
  for (int n = 0; n < steps && change < enough; ++n) {
    stepper.step(h);
    change = worse(
        change, stepper.work.converged ? size(quantity(stepper) - at_first) : std::numeric_limits<double>::infinity());
  }
  return change;
}

// What rounding alone does to a momentum or an energy of size one that a step keeps by its formula: it walks at random, a
// few units of the last place per stage.
template <class T>
double rounding_of_invariant(int steps, double torque_evaluations) {
  return 25 * static_cast<double>(epsilon<T>()) * std::sqrt(steps * std::max(1.0, torque_evaluations));
}

}  // namespace polhode
