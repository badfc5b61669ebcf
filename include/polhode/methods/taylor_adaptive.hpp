// Taylor series of the motion, with order and step from a tolerance [JZ05].
//
// The last two coefficients of the attitude's series, of orders p - 1 and p, tell its radius of convergence rho. After a
// step h = x rho the terms left out are about x^(p+1) + x^(p+2) + ..., and x^(p+1) = tol/8 keeps them within the tolerance:
// half of it would do for the sum, and the rest is for coefficients that do not fall evenly, near the wall of a potential.
// The coefficients are known before the step is chosen, so that no step is ever taken back. [JZ05] are more careful, with
// x = 1/e^2, which takes twice the steps for errors a thousand times smaller than was asked for.
//
// The order 1 - ln(tol)/2 is the cheapest where all the cost of a step is in the products of its series, which grow like
// p^2 [JZ05]. A step has costs besides, and the best order is higher by about two. Rounding sets the highest.
//
// The series is that of the quaternion itself, made a unit one at the end of a step. A Lie series of the rotation vector
// would cost more, O(N^3) in place of O(N^2), would not be more accurate once both are within the tolerance, and would
// converge less far: it has a singularity where the body has turned by 2 pi, the quaternion none but those of the
// velocity.
//
// In space the momentum is carried: it moves by the integral of the spatial torque and by nothing else. Without torque it
// is constant to the bit; along the axis of a heavy top's field it is kept to rounding, whatever the tolerance.
//
// A field of any kind is run on growing series (field_series.hpp). A body without torque and a heavy top have recursions of
// their own (rotor_series.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "polhode/core/instruction_set.hpp"
#include "polhode/methods/carried_momentum.hpp"
#include "polhode/methods/field_series.hpp"
#include "polhode/methods/rotor_series.hpp"

namespace polhode {

struct TaylorAdaptive {
  static constexpr std::string_view family = "taylor";
  static constexpr std::string_view cite = "JZ05; B01, Sec. 3";
  static constexpr std::string_view about = "Taylor series with order and step from a tolerance, down to rounding";
  static constexpr std::string_view good_for =
      "a known accuracy in any smooth field without choosing a step, and references to compare with";
  static constexpr std::string_view not_for = "torques known by their values only, and torques that jump";
  static constexpr Claims claims{.order_attitude = exact_order,
                                 .order_momentum = exact_order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .needs = Needs::series,
                                 .torque_evaluations = static_cast<double>(longest_series<double>),
                                 .takes_tolerance = true,
                                 .wheels = true};

  template <class T>
  struct Memory : CarriedMomentum<T> {
    T tolerance{epsilon<T>()};

    Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    Memory<T> memory;
    memory.momentum_S = spatial_momentum(s);
    return memory;
  }

  // The order for a tolerance [rad].
  template <class T>
  static std::size_t order_for(const T& tolerance) {
    return order_from(logarithm_of(tolerance), longest_series<T>);
  }

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    if constexpr (may_be_rotor<T, F>) {
      if (!carries_wheels(sys)) {
        if (has_no_torque(sys.field)) return step_of_rotor(sys.body, Free{}, s, memory, h, work);
        if (const auto weight = lone_weight<T>(sys.field)) return step_of_rotor(sys.body, *weight, s, memory, h, work);
      }
    }
    if constexpr (!is_free<F> && !WeightOnAxis<F, T>) {
      if constexpr (TorqueField<F, GrowingSeries<T>>) {
        if (offers_series<T>(sys.field)) {
          FieldSeries<T, F> series(sys.body, sys.field);
          return steps(series, s, memory, h, work);
        }
      } else {
        static_assert(SumAtRunTime<F>, "this method needs a field that can be run on power series");
      }
    }
    return given_up(s, work);
  }

 private:
  static constexpr double orders_besides = 2;

  template <class T>
  static double logarithm_of(const T& tolerance) {
    return std::log(std::max(as_double(tolerance), static_cast<double>(epsilon<T>())));
  }
  static std::size_t order_from(double ln_tolerance, std::size_t longest) {
    const double order = std::ceil(1 - std::min(0.0, ln_tolerance) / 2) + orders_besides;
    return std::min(static_cast<std::size_t>(order), longest);
  }

  template <class T, class Field>
  static State<T> step_of_rotor(const Body<T>& body, const Field& field, const State<T>& s, Memory<T>& memory,
                                const T& h, Work& work) {
    if constexpr (std::is_same_v<T, double>) {
      if (instruction_set() != InstructionSet::baseline) return step_avx2(body, field, s, memory, h, work);
    }
    RotorSeries<T, plain_width<T>, Field> series(body, field);
    return steps(series, s, memory, h, work);
  }
  // Four doubles are a register of AVX2: wider ones would gain nothing.
  template <class Field>
  POLHODE_AVX2 POLHODE_FUSED static State<double> step_avx2(const Body<double>& body, const Field& field,
                                                            const State<double>& s, Memory<double>& memory,
                                                            const double& h, Work& work) {
    RotorSeries<double, 4, Field> series(body, field);
    return steps(series, s, memory, h, work);
  }

  // The longest step within the tolerance.
  template <class Expansion>
  [[gnu::always_inline]] static double longest_step(const Expansion& series, std::size_t order, double ln_tolerance) {
    constexpr double ln_8 = 2.0794415416798357;
    const auto p = static_cast<double>(order);
    const double ln_share = (ln_tolerance - ln_8) / (p + 1);  // ln x
    const auto ln_size = [&series](std::size_t n) { return std::log(angle_of(series.attitude(n))); };
    return std::exp(ln_share - std::max(ln_size(order) / p, ln_size(order - 1) / (p - 1)));
  }

  template <class T, class Expansion>
  [[gnu::always_inline]] static State<T> steps(Expansion& series, const State<T>& s, Memory<T>& memory, const T& h,
                                               Work& work) {
    const double ln_tolerance = logarithm_of(memory.tolerance);
    const std::size_t order = order_from(ln_tolerance, longest_series<T>);
    const double shortest = as_length(h) * static_cast<double>(epsilon<T>());
    State<T> now = s;
    Vec3<T> momentum_S = memory.momentum_S;
    for (T left = h; plain(left) != 0;) {
      ++work.own_steps;
      work.torque_evaluations += Expansion::asks_field ? static_cast<long long>(order) : 0;
      series.expand(now, order);
      const double longest = longest_step(series, order, ln_tolerance);
      if (!(longest > shortest)) return given_up(s, work);
      // The last two are equal.
      const double ahead = as_length(left);
      T step = left;
      if (longest < ahead) step = 2 * longest > ahead ? T(T(0.5) * left) : copysign(T(longest), left);
      const Rotation<T> R_SB = normalised(series.attitude_after(step, momentum_S));
      left = left - step;
      now = {R_SB, inlined::product(inverse(R_SB), momentum_S), s.t + (h - left)};
      if (!(all_finite(R_SB) && all_finite(momentum_S))) return given_up(s, work);
    }
    memory.momentum_S = momentum_S;
    now.t = s.t + h;
    return now;
  }

  template <class T>
  static double as_double(const T& x) {
    return static_cast<double>(plain(x));
  }
  // An upper bound of the angle of a small change of the quaternion.
  template <class T>
  [[gnu::always_inline]] static double angle_of(const Rotation<T>& q) {
    return 2 * (as_length(q.w) + as_length(q.v.x) + as_length(q.v.y) + as_length(q.v.z));
  }
  template <class T>
  static double as_length(const T& h) {
    return std::abs(as_double(h));
  }
  template <class T>
  static State<T> given_up(const State<T>& s, Work& work) {
    work.converged = false;
    return s;
  }
};

}  // namespace polhode
