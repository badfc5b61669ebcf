// What a field of torque may offer, and how methods ask for it.
//
// The least is a torque. On top of it a field may have a potential, may depend on the angular velocity, and may be
// written for any scalar, so that it can be run on truncated power series. Each is a concept: a method that needs what
// a field does not have refuses at compile time, or by name at run time, and never computes a wrong number.
#pragma once

#include <array>
#include <concepts>
#include <tuple>

#include "polhode/core/inlined.hpp"
#include "polhode/core/series.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

// tau_B = field.torque(R_SB, t): torque on the body, in body axes [N m].
template <class F, class T>
concept AttitudeTorqueField = requires(const F field, const Rotation<T>& R_SB, const T& t) {
  { field.torque(R_SB, t) } -> std::same_as<Vec3<T>>;
};

// tau_B = field.torque(R_SB, w_B, t): drag, control, eddy currents.
template <class F, class T>
concept VelocityTorqueField = requires(const F field, const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) {
  { field.torque(R_SB, w_B, t) } -> std::same_as<Vec3<T>>;
};

template <class F, class T>
concept TorqueField = AttitudeTorqueField<F, T> || VelocityTorqueField<F, T>;

// V(R) [J] with torque = -dV(R exp(hat(d)))/dd at d = 0. A potential that depends on time takes t as well; energy is
// then not conserved, but is still defined.
template <class F, class T>
concept Conservative = AttitudeTorqueField<F, T> && requires(const F field, const Rotation<T>& R_SB) {
  { field.potential(R_SB) } -> std::same_as<T>;
};
template <class F, class T>
concept TimeDependentPotential = AttitudeTorqueField<F, T> && requires(const F field, const Rotation<T>& R_SB, T t) {
  { field.potential(R_SB, t) } -> std::same_as<T>;
};

// The field can be run on truncated power series of T.
template <class F, class T>
concept SeriesField = TorqueField<F, Series<T, 1>>;

// No torque at all. Kernels drop every trace of the field at compile time.
struct Free {
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>&, const S&) const {
    return {};
  }
  template <class S>
  constexpr S potential(const Rotation<S>&) const {
    return S(0);
  }
};

template <class F>
inline constexpr bool is_free = std::same_as<F, Free>;

// A sum put together at run time, with terms() and empty(): what its type does not say, it must be asked (any_field.hpp).
template <class F>
inline constexpr bool is_sum_at_run_time = false;
template <class F>
concept SumAtRunTime = is_sum_at_run_time<F>;

// Whether the torque depends on the angular velocity: known from the type, or asked of a field put together at run
// time.
template <class T, class F>
constexpr bool depends_on_velocity(const F& field) {
  if constexpr (requires { field.depends_on_velocity(); }) {
    return field.depends_on_velocity();
  } else {
    return !AttitudeTorqueField<F, T>;
  }
}

template <class S, class F>
POLHODE_INLINED constexpr Vec3<S> torque_of(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) {
  if constexpr (AttitudeTorqueField<F, S>) {
    return field.torque(R_SB, t);
  } else {
    return field.torque(R_SB, w_B, t);
  }
}

// The torque at several attitudes side by side, of a field that knows single ones only.
template <class T, class S, class F>
constexpr Vec3<S> torque_lane_by_lane(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) {
  Vec3<S> all;
  for (std::size_t i = 0; i < S::size; ++i) {
    const Vec3<T> one = torque_of(field, Rotation<T>{R_SB.w[i], {R_SB.v.x[i], R_SB.v.y[i], R_SB.v.z[i]}},
                                  Vec3<T>{w_B.x[i], w_B.y[i], w_B.z[i]}, T(t[i]));
    all.x.set(i, one.x);
    all.y.set(i, one.y);
    all.z.set(i, one.z);
  }
  return all;
}

// Whether kinetic plus potential energy is a constant of the exact motion.
template <class T, class F>
constexpr bool conserves_energy(const F& field) {
  if constexpr (requires { field.conserves_energy(); }) {
    return field.conserves_energy();
  } else {
    return Conservative<F, T>;
  }
}

// The energy of a state is kinetic plus whatever potential the field has; of a sum, plus that of the terms that have
// one.
template <class T, class F>
constexpr T potential_energy(const F& field, const Rotation<T>& R_SB, const T& t) {
  if constexpr (requires { field.potential(R_SB, t); }) {
    return field.potential(R_SB, t);
  } else if constexpr (requires { field.potential(R_SB); }) {
    return field.potential(R_SB);
  } else if constexpr (requires { std::tuple_size<decltype(field.terms)>::value; }) {
    return std::apply([&](const auto&... term) { return (potential_energy(term, R_SB, t) + ...); }, field.terms);
  } else {
    return T(0);
  }
}

// Whether the field can be run on power series: by its type, or as it was put together at run time.
template <class T, class F>
constexpr bool offers_series(const F& field) {
  if constexpr (requires { field.offers_series(); }) {
    return field.offers_series();
  } else {
    return SeriesField<F, T>;
  }
}

// Work done while integrating; every call of the field counts, on values or on series.
struct Work {
  long long torque_evaluations = 0;
  long long solver_iterations = 0;
  long long projections_given_up = 0;
  long long own_steps = 0;  // that a method took by itself to keep a tolerance
  bool converged = true;
  double residual = 0;       // of the equation that was not solved, relative to its terms
  double share_reached = 1;  // of the step, up to which its root could be followed
  // Of a method that chooses its steps, which cannot go on where one of these is not positive or not finite.
  double step_variable = 1, step_scale = 1;
};

// What is counted; the rest of Work says how the last failure came about.
inline constexpr std::array work_counters{&Work::torque_evaluations, &Work::solver_iterations,
                                          &Work::projections_given_up, &Work::own_steps};

// Adds what was counted from `before` to `after`.
constexpr void add_counts(Work& to, const Work& after, const Work& before = {}) {
  for (const auto counter : work_counters) to.*counter += after.*counter - before.*counter;
}

// First one, then the other: of two failures the first is reported.
constexpr Work operator+(const Work& first, const Work& then) {
  Work sum = first.converged ? then : first;
  for (const auto counter : work_counters) sum.*counter = first.*counter + then.*counter;
  return sum;
}

// Whether a kernel has wheels to look at. Where the field is known by its type it has not: there the question would cost.
template <class T, class F>
POLHODE_INLINED constexpr bool carries_wheels(const System<T, F>& sys) {
  return SumAtRunTime<F> && sys.body.carries_wheels;
}

// Calls, and by value: what is rare must not be worked out on the way, nor send what is common through memory.
template <class T>
[[gnu::noinline, gnu::cold]] constexpr Vec3<T> without_wheels(const Body<T>& body, Vec3<T> pi_B, T t) {
  return pi_B - body.wheels.at(t);
}

// I w_B = pi_B - k_B(t), and w_B.
template <class T, class F>
POLHODE_INLINED constexpr Vec3<T> carried_momentum(const System<T, F>& sys, const Vec3<T>& pi_B, const T& t) {
  if constexpr (SumAtRunTime<F>) {
    if (sys.body.carries_wheels) [[unlikely]]
      return without_wheels(sys.body, pi_B, t);
  }
  return pi_B;
}
template <class T, class F>
POLHODE_INLINED constexpr Vec3<T> velocity_at(const System<T, F>& sys, const Vec3<T>& pi_B, const T& t) {
  return sys.body.velocity(carried_momentum(sys, pi_B, t));
}

// In body axes, for whoever has the velocity already: with wheels it is not asked for twice.
template <class T, class F>
POLHODE_INLINED constexpr Vec3<T> torque_at_velocity(const System<T, F>& sys, const Rotation<T>& R_SB,
                                                     const Vec3<T>& w_B, const T& t, Work& work) {
  if constexpr (is_free<F>) {
    return {};
  } else {
    ++work.torque_evaluations;
    return torque_of(sys.field, R_SB, w_B, t);
  }
}
template <class T, class F>
POLHODE_INLINED constexpr Vec3<T> spatial_torque_at_velocity(const System<T, F>& sys, const Rotation<T>& R_SB,
                                                             const Vec3<T>& w_B, const T& t, Work& work) {
  if constexpr (is_free<F>) {
    return {};
  } else {
    return R_SB * torque_at_velocity(sys, R_SB, w_B, t, work);
  }
}

template <class T, class F>
constexpr Vec3<T> torque_body(const System<T, F>& sys, const Rotation<T>& R_SB, const Vec3<T>& pi_B, const T& t,
                              Work& work) {
  if constexpr (is_free<F>) {
    return {};
  } else {
    return torque_at_velocity(sys, R_SB, velocity_at(sys, pi_B, t), t, work);
  }
}

template <class T, class F>
constexpr Vec3<T> torque_spatial(const System<T, F>& sys, const Rotation<T>& R_SB, const Vec3<T>& pi_B, const T& t,
                                 Work& work) {
  if constexpr (is_free<F>) {
    return {};
  } else {
    return R_SB * torque_body(sys, R_SB, pi_B, t, work);
  }
}

}  // namespace polhode
