// What the units of the C interface for engines share: the plain structs as what they are in C++, and their checks.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <type_traits>

#include "polhode/engine.h"
#include "polhode/engine.hpp"

namespace polhode::c_engine {

static_assert(sizeof(polhode_spin) == sizeof(Spin<double>) && sizeof(polhode_spin_f) == sizeof(Spin<float>));
static_assert(alignof(polhode_spin) == alignof(Spin<double>) && alignof(polhode_spin_f) == alignof(Spin<float>));
static_assert(offsetof(polhode_spin, momentum_S) == offsetof(Spin<double>, L));
static_assert(offsetof(polhode_spin_f, memory) == offsetof(Spin<float>, memory));
static_assert(sizeof(polhode_inertia) == sizeof(Inertia<double>) &&
              sizeof(polhode_inertia_f) == sizeof(Inertia<float>));
static_assert(std::is_trivially_copyable_v<Spin<float>> && std::is_trivially_copyable_v<Inertia<float>>);
static_assert(alignof(polhode_inertia) == alignof(Inertia<double>));
static_assert(sizeof(Vec3<double>) == 3 * sizeof(double) && sizeof(Vec3<float>) == 3 * sizeof(float));

// The structs of C are names for foreign languages: all of their numbers are read and written as these.
inline Spin<double>* in_cpp(polhode_spin* s) { return reinterpret_cast<Spin<double>*>(s); }
inline Spin<float>* in_cpp(polhode_spin_f* s) { return reinterpret_cast<Spin<float>*>(s); }
inline const Spin<double>* in_cpp(const polhode_spin* s) { return reinterpret_cast<const Spin<double>*>(s); }
inline const Spin<float>* in_cpp(const polhode_spin_f* s) { return reinterpret_cast<const Spin<float>*>(s); }
inline Inertia<double>* in_cpp(polhode_inertia* i) { return reinterpret_cast<Inertia<double>*>(i); }
inline Inertia<float>* in_cpp(polhode_inertia_f* i) { return reinterpret_cast<Inertia<float>*>(i); }
inline const Inertia<double>* in_cpp(const polhode_inertia* i) { return reinterpret_cast<const Inertia<double>*>(i); }
inline const Inertia<float>* in_cpp(const polhode_inertia_f* i) { return reinterpret_cast<const Inertia<float>*>(i); }

constexpr int status_of(StepStatus status) { return -static_cast<int>(status); }
static_assert(status_of(StepStatus::bad_inertia) == POLHODE_ENGINE_BAD_INERTIA);
static_assert(status_of(StepStatus::bad_attitude) == POLHODE_ENGINE_BAD_ATTITUDE);
static_assert(status_of(StepStatus::bad_momentum) == POLHODE_ENGINE_BAD_MOMENTUM);
static_assert(status_of(StepStatus::bad_torque) == POLHODE_ENGINE_BAD_TORQUE);
static_assert(status_of(StepStatus::bad_options) == POLHODE_ENGINE_BAD_OPTIONS);
static_assert(status_of(StepStatus::bad_step) == POLHODE_ENGINE_BAD_STEP);

// The arguments of a function from its first; what may be null, or is no pointer, is left out by `given`.
inline constexpr const void* given = "";
inline int null_among(std::initializer_list<const void*> arguments) {
  int i = 0;
  for (const void* argument : arguments) {
    ++i;
    if (argument == nullptr) return POLHODE_ENGINE_NULL_POINTER - i;
  }
  return POLHODE_ENGINE_OK;
}

template <class T>
Vec3<T> vector_at(const T* numbers) {
  return numbers == nullptr ? Vec3<T>{} : Vec3<T>{numbers[0], numbers[1], numbers[2]};
}
template <class T>
void write(T* to, const Vec3<T>& v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

template <class T>
bool sound(const Inertia<T>& body) {
  const Vec3<T>& m = body.inverse_moments();
  return m.x >= T(0) && m.y >= T(0) && m.z >= T(0) && all_finite(m);
}
// Memory of zeros is a body that never turns, which is written otherwise in C++.
template <class T>
Inertia<T> read(const Inertia<T>& body) {
  return body.inverse_moments() == Vec3<T>{} ? Inertia<T>::immovable() : body;
}
template <class T>
bool sound(const Rotation<T>& attitude) {
  const T length = squared_norm(attitude);
  return length > detail::smallest_root<T> && length < detail::largest_root<T>;
}
template <class T>
bool sound_momentum(const Vec3<T>& L) {
  return squared_norm(L) <= detail::largest_root<T> * detail::largest_root<T>;
}

// What is off by more than rounding leaves behind is divided by its length, as a step does.
template <class T>
Rotation<T> unit(const Rotation<T>& q) {
  return abs(T(squared_norm(q) - T(1))) < T(64) * epsilon<T>() ? q : normalised(q);
}
template <class T>
Spin<T> unit(Spin<T> state) {
  state.R_SB = unit(state.R_SB);
  return state;
}

template <class T>
int fault_in(const Spin<T>& state, const Inertia<T>& body) {
  if (!sound(body)) return POLHODE_ENGINE_BAD_INERTIA;
  if (!sound(state.R_SB)) return POLHODE_ENGINE_BAD_ATTITUDE;
  return sound_momentum(state.L) ? POLHODE_ENGINE_OK : POLHODE_ENGINE_BAD_MOMENTUM;
}

// Zeros are what does nothing.
template <class T, class COptions>
StepOptions<T> read_options(const COptions& c) {
  StepOptions<T> options;
  options.substeps = c.substeps == 0 ? 1 : c.substeps;
  options.damping = c.damping;
  if (c.largest_speed != T(0)) options.largest_speed = c.largest_speed;
  options.lock_x = (c.locked_axes & 1) != 0;
  options.lock_y = (c.locked_axes & 2) != 0;
  options.lock_z = (c.locked_axes & 4) != 0;
  if ((c.locked_axes & ~7) != 0) options.substeps = -1;  // refused
  return options;
}

template <class T>
int step_by(Spin<T>& state, const Inertia<T>& inertia, const Vec3<T>& torque, int kind, T h,
            const StepOptions<T>* options) {
  if (!sound(inertia)) return POLHODE_ENGINE_BAD_INERTIA;
  const Inertia<T> body = read(inertia);
  Vec3<T> torque_S = torque;
  if (kind == POLHODE_TORQUE_B) {
    // a quaternion that is not of unit length would make the torque longer as well
    if (!sound(state.R_SB)) return POLHODE_ENGINE_BAD_ATTITUDE;
    torque_S = unit(state.R_SB) * torque;
  }
  if (options != nullptr) return status_of(step(state, body, torque_S, h, *options));
  if (kind == POLHODE_TORQUE_HELD) return status_of(step_held(state, body, torque_S, h));
  return status_of(step(state, body, torque_S, h));
}

}  // namespace polhode::c_engine
