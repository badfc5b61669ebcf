#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>

#include "polhode/core/version.hpp"
#include "polhode/engine_methods.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/polhode.h"

namespace polhode {
namespace {

// Why a method is refused here.
template <class Method>
constexpr int refusal() {
  if (!engine::is_one_step<Method>) return POLHODE_METHOD_HAS_MEMORY;
  if (!engine::takes_torque<Method>) return POLHODE_METHOD_TAKES_NO_TORQUE;
  return POLHODE_OK;
}

using StepFunction = detail::Tried (*)(Spin<double>&, const Body<double>&, const Vec3<double>&, const double&) noexcept;

// One entry per line of the catalogue, in its order; null where a method needs a history or takes no torque.
StepFunction step_function(std::size_t id) noexcept {
  static const auto table = [] {
    std::array<StepFunction, Catalogue::size> functions{};
    std::size_t i = 0;
    Catalogue::for_each([&](auto entry) {
      using Method = typename decltype(entry)::Method;
      if constexpr (refusal<Method>() == POLHODE_OK) functions[i] = &detail::try_step<Method, double>;
      ++i;
    });
    return functions;
  }();
  return table[id];
}

int refusal_of(int id) noexcept {
  int found = POLHODE_UNKNOWN_METHOD, i = 0;
  Catalogue::for_each([&](auto entry) {
    if (i++ == id) found = refusal<typename decltype(entry)::Method>();
  });
  return found;
}

bool listed(int id) noexcept { return id >= 0 && static_cast<std::size_t>(id) < Catalogue::size; }

// |q|^2 may be off one by this much. Four products and three sums round to a few units; more is an input that was
// rounded elsewhere and is normalised; beyond the tolerance it is a mistake.
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
template <class T>
constexpr double tolerance = std::numeric_limits<T>::digits > 24 ? 2e-6 : 2e-4;

// A float is stepped in double, which takes no longer, and rounded once.
template <class T, class CState>
int checked_step(int id, CState* c_state, const T* inertia, const T* torque_body, T h) noexcept {
  if (!listed(id)) return POLHODE_UNKNOWN_METHOD;
  const StepFunction step_by = step_function(static_cast<std::size_t>(id));
  if (step_by == nullptr) return refusal_of(id);
  if (c_state == nullptr || inertia == nullptr || torque_body == nullptr) return POLHODE_NULL_POINTER;

  const Vec3<double> moments{inertia[0], inertia[1], inertia[2]};
  const Vec3<double> torque_B{torque_body[0], torque_body[1], torque_body[2]};
  if (!(all_finite(moments) && moments.x > 0 && moments.y > 0 && moments.z > 0)) return POLHODE_BAD_INERTIA;

  const auto& [q, l] = *c_state;
  Spin<double> state{{q[0], {q[1], q[2], q[3]}}, {l[0], l[1], l[2]}};
  const double defect = abs(squared_norm(state.R_SB) - 1);
  if (!(defect <= tolerance<T>)) return POLHODE_BAD_ATTITUDE;
  if (defect > rounding) state.R_SB = normalised(state.R_SB);
  if (!(all_finite(state.L) && all_finite(torque_B) && isfinite(h))) return POLHODE_NOT_FINITE;

  const detail::Tried tried = step_by(state, Body<double>(moments), torque_B, h);
  if (tried != detail::Tried::stepped)
    return tried == detail::Tried::unsolved ? POLHODE_NO_SOLUTION : POLHODE_NOT_FINITE;
  const Rotation<double>& R = state.R_SB;
  const Vec3<double>& L = state.L;
  const CState stepped{{T(R.w), T(R.v.x), T(R.v.y), T(R.v.z)}, {T(L.x), T(L.y), T(L.z)}};
  const auto finite = [](const auto& numbers) {
    return std::all_of(std::begin(numbers), std::end(numbers), [](T x) { return isfinite(x); });
  };
  if (!(finite(stepped.attitude_wxyz) && finite(stepped.momentum_S))) return POLHODE_NOT_FINITE;
  *c_state = stepped;
  return POLHODE_OK;
}

template <class T, class CState>
int checked_step(const char* name, CState* state, const T* inertia, const T* torque_body, T h) noexcept {
  const int id = polhode_method_id(name);
  return id < 0 ? id : checked_step(id, state, inertia, torque_body, h);
}

}  // namespace
}  // namespace polhode

int polhode_method_id(const char* name) {
  using namespace polhode;
  if (name == nullptr) return POLHODE_NULL_POINTER;
  const std::string_view wanted = name;
  int found = POLHODE_UNKNOWN_METHOD, id = 0;
  Catalogue::for_each([&](auto entry) {
    using Entry = decltype(entry);
    bool matches = Entry::name == wanted;
    for (const std::string_view alias : Entry::aliases) matches = matches || alias == wanted;
    constexpr int refused = refusal<typename Entry::Method>();
    if (matches) found = refused == POLHODE_OK ? id : refused;
    ++id;
  });
  return found;
}

const char* polhode_method_name(int id) {
  const char* found = nullptr;
  int i = 0;
  // FixedString keeps the terminating zero of a name.
  polhode::Catalogue::for_each([&](auto entry) {
    if (i++ == id) found = decltype(entry)::name.data();
  });
  return found;
}

int polhode_step_by_id(int method_id, polhode_state* state, const double inertia[3], const double torque_body[3],
                       double h) {
  return polhode::checked_step(method_id, state, inertia, torque_body, h);
}
int polhode_step_by_id_f(int method_id, polhode_state_f* state, const float inertia[3], const float torque_body[3],
                         float h) {
  return polhode::checked_step(method_id, state, inertia, torque_body, h);
}
int polhode_step(const char* method, polhode_state* state, const double inertia[3], const double torque_body[3],
                 double h) {
  return polhode::checked_step(method, state, inertia, torque_body, h);
}
int polhode_step_f(const char* method, polhode_state_f* state, const float inertia[3], const float torque_body[3],
                   float h) {
  return polhode::checked_step(method, state, inertia, torque_body, h);
}

const char* polhode_error_text(int status) {
  switch (status) {
    case POLHODE_OK: return "no error";
    case POLHODE_UNKNOWN_METHOD: return "no method of this name or id; 'polhode methods' lists them all";
    case POLHODE_METHOD_HAS_MEMORY:
      return "this method needs a past, of equal steps or of its own; choose a one-step method";
    case POLHODE_BAD_INERTIA: return "the principal moments of inertia must be positive and finite";
    case POLHODE_BAD_ATTITUDE: return "the attitude quaternion must be of unit length: divide it by its length";
    case POLHODE_NOT_FINITE: return "momentum, torque and step must be finite, and so must the result";
    case POLHODE_METHOD_TAKES_NO_TORQUE:
      return "this method is for a free body or for a dumbbell; choose one that takes a torque";
    case POLHODE_NULL_POINTER: return "a pointer is null";
    case POLHODE_NO_SOLUTION: return "the equation of this implicit method has no solution; take a smaller step";
    default: return "no such status";
  }
}

const char* polhode_version(void) { return polhode::version(); }
