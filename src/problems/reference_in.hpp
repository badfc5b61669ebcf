// Reference solutions in one scalar, to which the translation unit adds how it reads a decimal.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "polhode/model/free_rotor.hpp"
#include "polhode/problems/exact.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/problems/reference_file.hpp"
#include "problems/propagate.hpp"

namespace polhode {

namespace detail {

template <class T>
T decimal(const std::string& digits);

template <class T>
State<T> state_at(const ReferenceNode& node) {
  const auto& q = node.attitude_wxyz;
  const auto& p = node.angular_momentum_body;
  return {{decimal<T>(q[0]), {decimal<T>(q[1]), decimal<T>(q[2]), decimal<T>(q[3])}},
          {decimal<T>(p[0]), decimal<T>(p[1]), decimal<T>(p[2])},
          decimal<T>(node.time)};
}

template <class T>
const ReferenceNode& nearest_node(const ReferenceFile& file, const T& t) {
  const T first = decimal<T>(file.nodes.front().time), last = decimal<T>(file.nodes.back().time);
  const auto intervals = static_cast<double>(file.nodes.size() - 1);
  const double at = std::round(static_cast<double>(T((t - first) / (last - first))) * intervals);
  return file.nodes[static_cast<std::size_t>(std::clamp(at, 0.0, intervals))];
}

// No component of the angular velocity of a free body is ever larger: all momentum about the lightest axis.
inline double fastest_rate(const Setup& setup) {
  const Prepared<double> prepared = prepare<double>(setup);
  const Vec3<double> moments = prepared.body_in_user_units().inertia;
  return norm(prepared.in_user_units(prepared.start).pi_B) / std::min({moments.x, moments.y, moments.z});
}

// Of the way from the nearest node in T: a few rounding units for each of a few radians.
template <class T>
double rounding() {
  return 64 * static_cast<double>(epsilon<T>());
}

}  // namespace detail

template <class T>
State<T> propagated(const Setup& setup, const std::type_identity_t<T>& t) {
  const Prepared<T> prepared = prepare<T>(setup);
  return detail::propagate<reference_order<T>>(prepared, prepared.start, t);
}

template <class T>
State<T> propagated(const Setup& setup, const State<T>& from, const std::type_identity_t<T>& t) {
  const Prepared<T> prepared = prepare<T>(setup);
  return detail::propagate<reference_order<T>>(prepared, detail::in_internal_units(prepared, from), t);
}

template <class T>
std::optional<Reference<T>> cached_reference_at(const Problem& problem, const T& t) {
  const T elapsed = abs(T(t - T(problem.setup.time)));
  // A run in float ends within its own rounding of the duration.
  if (!(elapsed <= T(problem.reference_duration * (1 + 1e-6)))) return std::nullopt;
  const ReferenceFile* file = find_reference(problem);
  if (file == nullptr) return std::nullopt;
  // The runs of a study end at the same time.
  static std::mutex mutex;
  static std::map<const ReferenceFile*, Reference<T>> last;
  const std::lock_guard lock(mutex);
  if (const auto known = last.find(file); known != last.end() && known->second.state.t == t) return known->second;
  const State<T> state = propagated<T>(problem.setup, detail::state_at<T>(detail::nearest_node(*file, t)), t);
  const double rounding = detail::rounding<T>();
  return last[file] = {state, std::max(file->attitude_disagreement, rounding),
                       std::max(file->momentum_disagreement, rounding * static_cast<double>(norm(state.pi_B))),
                       ReferenceSource::built_in};
}

template <class T>
std::optional<Reference<T>> closed_form_at(const Setup& setup, const std::type_identity_t<T>& t) {
  if (!moves_freely(setup) || !isfinite(t)) return std::nullopt;
  const Prepared<T> prepared = prepare<T>(setup);
  const FreeRotor<T> rotor(prepared.body.inertia, prepared.start);
  const T elapsed = detail::internal_time(prepared, t) - prepared.start.t;
  const State<T> exact = prepared.in_user_units(rotor.after(elapsed));
  // Rounding the data to T is all that is left, and it grows with the angle turned.
  const double turned = std::abs(static_cast<double>(T(t - T(setup.time)))) * detail::fastest_rate(setup);
  const double rounding = static_cast<double>(epsilon<T>()) * (2 + turned);
  return Reference<T>{exact, rounding, rounding * static_cast<double>(norm(exact.pi_B)), ReferenceSource::closed_form};
}

template <class T>
std::optional<State<T>> exact_at(const Problem& problem, const T& t) {
  const std::optional<Reference<T>> exact = closed_form_at<T>(problem.setup, t);
  return exact ? std::optional(exact->state) : std::nullopt;
}

template <class T>
std::optional<Reference<T>> reference_at(const Problem& problem, const std::type_identity_t<T>& t) {
  if (const auto exact = closed_form_at<T>(problem.setup, t)) return exact;
  return cached_reference_at<T>(problem, t);
}

}  // namespace polhode
