// The C interface for engines: inertia, and one body at a time.
#include "c_engine.hpp"

namespace polhode::c_engine {
namespace {

template <class T>
int keep(Inertia<T>* made, const Inertia<T>& body) {
  if (!body.valid()) return POLHODE_ENGINE_BAD_INERTIA;
  *made = body;
  return POLHODE_ENGINE_OK;
}

template <class T>
int from_moments(Inertia<T>* made, const T* numbers, const T* axes_wxyz, bool inverse) {
  if (const int null = null_among({made, numbers})) return null;
  const Rotation<T> axes = axes_wxyz == nullptr ? Rotation<T>{} : rotation_from<T>(axes_wxyz, QuaternionOrder::wxyz);
  if (!sound(axes)) return POLHODE_ENGINE_BAD_ATTITUDE;
  const Vec3<T> moments = vector_at(numbers);
  if (!all_finite(moments)) return POLHODE_ENGINE_BAD_INERTIA;
  return keep(made, inverse ? Inertia<T>::from_inverse(moments, axes) : Inertia<T>(moments, axes));
}

template <class T>
int from_tensor(Inertia<T>* made, const T* m) {
  if (const int null = null_among({made, m})) return null;
  for (std::size_t i = 0; i < 9; ++i)
    if (!isfinite(m[i])) return POLHODE_ENGINE_BAD_INERTIA;
  return keep(made, Inertia<T>::from_tensor(Mat3<T>{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}}));
}

template <class T>
int of_solid(Inertia<T>* made, T mass, const T* lengths, Inertia<T> (*of)(const T&, const Same<Vec3<T>>&)) {
  if (const int null = null_among({made, given, lengths})) return null;
  const Vec3<T> size = vector_at(lengths);
  if (!(mass > T(0) && size.x >= T(0) && size.y >= T(0) && size.z >= T(0) && isfinite(mass) && all_finite(size)))
    return POLHODE_ENGINE_BAD_INERTIA;
  return keep(made, of(mass, size));
}

template <class T>
int of_cylinder(Inertia<T>* made, T mass, T radius, T height) {
  if (const int null = null_among({made})) return null;
  if (!(mass > T(0) && radius >= T(0) && height >= T(0) && all_finite(Vec3<T>{mass, radius, height})))
    return POLHODE_ENGINE_BAD_INERTIA;
  return keep(made, cylinder_inertia(mass, radius, height));
}

template <class T>
int immovable(Inertia<T>* made) {
  if (const int null = null_among({made})) return null;
  return keep(made, Inertia<T>::immovable());
}

template <class T>
int principal(const Inertia<T>* inertia, T* moments, T* axes_wxyz) {
  if (const int null = null_among({inertia, moments, axes_wxyz})) return null;
  if (!sound(*inertia)) return POLHODE_ENGINE_BAD_INERTIA;
  const Inertia<T> body = read(*inertia);
  write(moments, body.moments());
  rotation_into(axes_wxyz, body.axes(), QuaternionOrder::wxyz);
  return POLHODE_ENGINE_OK;
}

template <class T>
int from_momentum(Spin<T>* made, const T* attitude_wxyz, const T* momentum_S) {
  if (const int null = null_among({made, attitude_wxyz, momentum_S})) return null;
  const Spin<T> state(rotation_from<T>(attitude_wxyz, QuaternionOrder::wxyz), vector_at(momentum_S));
  const int fault = fault_in(state, Inertia<T>::immovable());
  if (fault == POLHODE_ENGINE_OK) *made = unit(state);
  return fault;
}

template <class T>
int from_velocity(Spin<T>* made, const Inertia<T>* inertia, const T* attitude_wxyz, const T* velocity_S) {
  if (const int null = null_among({made, inertia, attitude_wxyz, velocity_S})) return null;
  const Rotation<T> attitude = rotation_from<T>(attitude_wxyz, QuaternionOrder::wxyz);
  if (const int fault = fault_in(Spin<T>(attitude, {}), *inertia)) return fault;
  const Vec3<T> w = vector_at(velocity_S);
  const Spin<T> state = spin_from_velocity(read(*inertia), unit(attitude), w);
  if (!all_finite(w) || !sound_momentum(state.L)) return POLHODE_ENGINE_BAD_VELOCITY;
  *made = state;
  return POLHODE_ENGINE_OK;
}

template <class T>
int step_one(Spin<T>* state, const Inertia<T>* inertia, const T* torque, T h, int kind) {
  if (const int null = null_among({state, inertia})) return null;
  return step_by<T>(*state, *inertia, vector_at(torque), kind, h, nullptr);
}

template <class T, class COptions>
int step_with(Spin<T>* state, const Inertia<T>* inertia, const T* torque_S, T h, const COptions* c_options) {
  if (const int null = null_among({state, inertia, given, given, c_options})) return null;
  const StepOptions<T> options = read_options<T>(*c_options);
  return step_by(*state, *inertia, vector_at(torque_S), POLHODE_TORQUE_S, h, &options);
}

template <class T>
int add_impulse(Spin<T>* state, const Vec3<T>& arm, const Vec3<T>& impulse, const Vec3<T>& added) {
  if (!all_finite(arm) || !all_finite(impulse) || !all_finite(added)) return POLHODE_ENGINE_BAD_IMPULSE;
  if (!sound_momentum(state->L)) return POLHODE_ENGINE_BAD_MOMENTUM;
  const Vec3<T> L = state->L + added;
  if (!sound_momentum(L)) return POLHODE_ENGINE_BAD_IMPULSE;
  state->L = L;
  return POLHODE_ENGINE_OK;
}
template <class T>
int add_impulse(Spin<T>* state, const T* angular_impulse) {
  if (const int null = null_among({state, angular_impulse})) return null;
  return add_impulse(state, {}, {}, vector_at(angular_impulse));
}
template <class T>
int add_impulse_at(Spin<T>* state, const T* arm_S, const T* impulse_S) {
  if (const int null = null_among({state, arm_S, impulse_S})) return null;
  const Vec3<T> arm = vector_at(arm_S), impulse = vector_at(impulse_S);
  return add_impulse(state, arm, impulse, cross(arm, impulse));
}

template <class T>
int keep_velocity(Spin<T>* state, const Inertia<T>* before, const Inertia<T>* after) {
  if (const int null = null_among({state, before, after})) return null;
  if (const int fault = fault_in(*state, *before)) return fault;
  if (!sound(*after)) return POLHODE_ENGINE_BAD_INERTIA;
  Spin<T> changed = unit(*state);
  change_inertia_at_fixed_velocity(changed, read(*before), read(*after));
  if (!sound_momentum(changed.L)) return POLHODE_ENGINE_BAD_VELOCITY;
  state->L = changed.L;
  return POLHODE_ENGINE_OK;
}

// What a body with this state is asked for, when both make sense.
template <class T, class Ask>
int ask(const Spin<T>* state, const Inertia<T>* inertia, const T* answer, const Ask& asked) {
  if (const int null = null_among({state, inertia, answer})) return null;
  if (const int fault = fault_in(*state, *inertia)) return fault;
  asked(unit(*state), read(*inertia));
  return POLHODE_ENGINE_OK;
}

template <class T>
int velocity(const Spin<T>* state, const Inertia<T>* inertia, T* w_S) {
  return ask(state, inertia, w_S, [w_S](const auto& s, const auto& b) { write(w_S, angular_velocity_spatial(s, b)); });
}
template <class T>
int velocity_body(const Spin<T>* state, const Inertia<T>* inertia, T* w_B) {
  return ask(state, inertia, w_B, [w_B](const auto& s, const auto& b) { write(w_B, angular_velocity_body(s, b)); });
}
template <class T>
int energy(const Spin<T>* state, const Inertia<T>* inertia, T* E) {
  return ask(state, inertia, E, [E](const auto& s, const auto& b) { *E = kinetic_energy(s, b); });
}
template <class T>
int tensor(const Spin<T>* state, const Inertia<T>* inertia, T* nine, bool inverse) {
  return ask(state, inertia, nine, [nine, inverse](const auto& s, const auto& b) {
    const Mat3<T> m = inverse ? inverse_inertia_spatial(s, b) : inertia_spatial(s, b);
    for (std::size_t i = 0; i < 9; ++i) nine[i] = m[i / 3][i % 3];
  });
}

}  // namespace
}  // namespace polhode::c_engine

using namespace polhode::c_engine;

const char* polhode_engine_text(int status) {
  switch (status) {
    case POLHODE_ENGINE_OK: return "no error";
    case POLHODE_ENGINE_BAD_INERTIA:
      return "the moments of inertia must be positive and finite, inverse ones not negative; so must mass and lengths";
    case POLHODE_ENGINE_BAD_ATTITUDE:
      return "the quaternion of the attitude, or of the axes, must be finite and not zero";
    case POLHODE_ENGINE_BAD_MOMENTUM: return "the angular momentum must be finite, and its square as well";
    case POLHODE_ENGINE_BAD_TORQUE: return "the torque must be finite, and so must its impulse over the step";
    case POLHODE_ENGINE_BAD_OPTIONS:
      return "sub-steps, damping and the largest speed must not be negative, locked axes a sum of 1, 2 and 4; a torque "
             "that "
             "is held takes no options";
    case POLHODE_ENGINE_BAD_STEP: return "the step must be finite, and so must the angle by which the body turns in it";
    case POLHODE_ENGINE_BAD_VELOCITY:
      return "the angular velocity must be finite, and the square of its momentum as well";
    case POLHODE_ENGINE_BAD_IMPULSE: return "the impulse, its arm and the momentum after it must be finite";
    case POLHODE_ENGINE_BAD_COUNT: return "more bodies than an int can count";
    case POLHODE_ENGINE_BAD_INDEX: return "the list of awake bodies has a place that is beyond the arrays";
    case POLHODE_ENGINE_BAD_KIND:
      return "the kind of torque or rate, or the order of quaternions, is none of those listed";
    case POLHODE_ENGINE_NO_BODY: return "no body of this world has this id: it was removed, or never added";
    case POLHODE_ENGINE_NO_MEMORY: return "there is no memory for another body";
    case POLHODE_ENGINE_NO_INERTIAS: return "the pointer to the inertias is null";
    case POLHODE_ENGINE_NO_ATTITUDES: return "the pointer to the attitudes is null";
    case POLHODE_ENGINE_NO_RATES: return "the pointer to the momenta or velocities is null";
    case POLHODE_ENGINE_BAD_SPIN_STRIDE:
      return "the stride of the spins is less than their size, or no multiple of the size of a number";
    case POLHODE_ENGINE_BAD_INERTIA_STRIDE:
      return "the stride of the inertias is not zero and less than their size, or no multiple of that of a number";
    case POLHODE_ENGINE_BAD_TORQUE_STRIDE:
      return "the stride of the torques is not zero and less than their size, or no multiple of that of a number";
    case POLHODE_ENGINE_BAD_ATTITUDE_STRIDE:
      return "the stride of the attitudes is less than their size, or no multiple of the size of a number";
    case POLHODE_ENGINE_BAD_RATE_STRIDE:
      return "the stride of the momenta or velocities is less than their size, or no multiple of the size of a number";
    case POLHODE_ENGINE_NULL_POINTER - 1: return "the first argument is a null pointer";
    case POLHODE_ENGINE_NULL_POINTER - 2: return "the second argument is a null pointer";
    case POLHODE_ENGINE_NULL_POINTER - 3: return "the third argument is a null pointer";
    case POLHODE_ENGINE_NULL_POINTER - 4: return "the fourth argument is a null pointer";
    case POLHODE_ENGINE_NULL_POINTER - 5: return "the fifth argument is a null pointer";
    default: return "no such status";
  }
}

int polhode_inertia_from_moments(polhode_inertia* made, const double moments[3], const double* axes_wxyz) {
  return from_moments(in_cpp(made), moments, axes_wxyz, false);
}
int polhode_inertia_from_inverse(polhode_inertia* made, const double inverse_moments[3], const double* axes_wxyz) {
  return from_moments(in_cpp(made), inverse_moments, axes_wxyz, true);
}
int polhode_inertia_from_tensor(polhode_inertia* made, const double tensor[9]) {
  return from_tensor(in_cpp(made), tensor);
}
int polhode_inertia_of_box(polhode_inertia* made, double mass, const double edges[3]) {
  return of_solid(in_cpp(made), mass, edges, &polhode::box_inertia);
}
int polhode_inertia_of_ellipsoid(polhode_inertia* made, double mass, const double half_axes[3]) {
  return of_solid(in_cpp(made), mass, half_axes, &polhode::ellipsoid_inertia);
}
int polhode_inertia_of_cylinder(polhode_inertia* made, double mass, double radius, double height) {
  return of_cylinder(in_cpp(made), mass, radius, height);
}
int polhode_inertia_immovable(polhode_inertia* made) { return immovable(in_cpp(made)); }
int polhode_inertia_principal(const polhode_inertia* inertia, double moments[3], double axes_wxyz[4]) {
  return principal(in_cpp(inertia), moments, axes_wxyz);
}
int polhode_spin_from_momentum(polhode_spin* made, const double attitude_wxyz[4], const double momentum_S[3]) {
  return from_momentum(in_cpp(made), attitude_wxyz, momentum_S);
}
int polhode_spin_from_velocity(polhode_spin* made, const polhode_inertia* inertia, const double attitude_wxyz[4],
                               const double velocity_S[3]) {
  return from_velocity(in_cpp(made), in_cpp(inertia), attitude_wxyz, velocity_S);
}
int polhode_spin_step(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_S, h, POLHODE_TORQUE_S);
}
int polhode_spin_step_body(polhode_spin* state, const polhode_inertia* inertia, const double* torque_B, double h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_B, h, POLHODE_TORQUE_B);
}
int polhode_spin_step_held(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_S, h, POLHODE_TORQUE_HELD);
}
int polhode_spin_step_with(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h,
                           const polhode_step_options* options) {
  return step_with(in_cpp(state), in_cpp(inertia), torque_S, h, options);
}
int polhode_spin_add_impulse(polhode_spin* state, const double angular_impulse_S[3]) {
  return add_impulse(in_cpp(state), angular_impulse_S);
}
int polhode_spin_add_impulse_at(polhode_spin* state, const double arm_S[3], const double impulse_S[3]) {
  return add_impulse_at(in_cpp(state), arm_S, impulse_S);
}
int polhode_spin_keep_velocity(polhode_spin* state, const polhode_inertia* before, const polhode_inertia* after) {
  return keep_velocity(in_cpp(state), in_cpp(before), in_cpp(after));
}
int polhode_spin_velocity(const polhode_spin* state, const polhode_inertia* inertia, double velocity_S[3]) {
  return velocity(in_cpp(state), in_cpp(inertia), velocity_S);
}
int polhode_spin_velocity_body(const polhode_spin* state, const polhode_inertia* inertia, double velocity_B[3]) {
  return velocity_body(in_cpp(state), in_cpp(inertia), velocity_B);
}
int polhode_spin_energy(const polhode_spin* state, const polhode_inertia* inertia, double* energy) {
  return polhode::c_engine::energy(in_cpp(state), in_cpp(inertia), energy);
}
int polhode_spin_inertia(const polhode_spin* state, const polhode_inertia* inertia, double inertia_S[9]) {
  return tensor(in_cpp(state), in_cpp(inertia), inertia_S, false);
}
int polhode_spin_inverse_inertia(const polhode_spin* state, const polhode_inertia* inertia, double inverse_S[9]) {
  return tensor(in_cpp(state), in_cpp(inertia), inverse_S, true);
}
int polhode_inertia_from_moments_f(polhode_inertia_f* made, const float moments[3], const float* axes_wxyz) {
  return from_moments(in_cpp(made), moments, axes_wxyz, false);
}
int polhode_inertia_from_inverse_f(polhode_inertia_f* made, const float inverse_moments[3], const float* axes_wxyz) {
  return from_moments(in_cpp(made), inverse_moments, axes_wxyz, true);
}
int polhode_inertia_from_tensor_f(polhode_inertia_f* made, const float tensor[9]) {
  return from_tensor(in_cpp(made), tensor);
}
int polhode_inertia_of_box_f(polhode_inertia_f* made, float mass, const float edges[3]) {
  return of_solid(in_cpp(made), mass, edges, &polhode::box_inertia);
}
int polhode_inertia_of_ellipsoid_f(polhode_inertia_f* made, float mass, const float half_axes[3]) {
  return of_solid(in_cpp(made), mass, half_axes, &polhode::ellipsoid_inertia);
}
int polhode_inertia_of_cylinder_f(polhode_inertia_f* made, float mass, float radius, float height) {
  return of_cylinder(in_cpp(made), mass, radius, height);
}
int polhode_inertia_immovable_f(polhode_inertia_f* made) { return immovable(in_cpp(made)); }
int polhode_inertia_principal_f(const polhode_inertia_f* inertia, float moments[3], float axes_wxyz[4]) {
  return principal(in_cpp(inertia), moments, axes_wxyz);
}
int polhode_spin_from_momentum_f(polhode_spin_f* made, const float attitude_wxyz[4], const float momentum_S[3]) {
  return from_momentum(in_cpp(made), attitude_wxyz, momentum_S);
}
int polhode_spin_from_velocity_f(polhode_spin_f* made, const polhode_inertia_f* inertia, const float attitude_wxyz[4],
                                 const float velocity_S[3]) {
  return from_velocity(in_cpp(made), in_cpp(inertia), attitude_wxyz, velocity_S);
}
int polhode_spin_step_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_S, h, POLHODE_TORQUE_S);
}
int polhode_spin_step_body_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_B, float h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_B, h, POLHODE_TORQUE_B);
}
int polhode_spin_step_held_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h) {
  return step_one(in_cpp(state), in_cpp(inertia), torque_S, h, POLHODE_TORQUE_HELD);
}
int polhode_spin_step_with_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h,
                             const polhode_step_options_f* options) {
  return step_with(in_cpp(state), in_cpp(inertia), torque_S, h, options);
}
int polhode_spin_add_impulse_f(polhode_spin_f* state, const float angular_impulse_S[3]) {
  return add_impulse(in_cpp(state), angular_impulse_S);
}
int polhode_spin_add_impulse_at_f(polhode_spin_f* state, const float arm_S[3], const float impulse_S[3]) {
  return add_impulse_at(in_cpp(state), arm_S, impulse_S);
}
int polhode_spin_keep_velocity_f(polhode_spin_f* state, const polhode_inertia_f* before,
                                 const polhode_inertia_f* after) {
  return keep_velocity(in_cpp(state), in_cpp(before), in_cpp(after));
}
int polhode_spin_velocity_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float velocity_S[3]) {
  return velocity(in_cpp(state), in_cpp(inertia), velocity_S);
}
int polhode_spin_velocity_body_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float velocity_B[3]) {
  return velocity_body(in_cpp(state), in_cpp(inertia), velocity_B);
}
int polhode_spin_energy_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float* energy) {
  return polhode::c_engine::energy(in_cpp(state), in_cpp(inertia), energy);
}
int polhode_spin_inertia_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float inertia_S[9]) {
  return tensor(in_cpp(state), in_cpp(inertia), inertia_S, false);
}
int polhode_spin_inverse_inertia_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float inverse_S[9]) {
  return tensor(in_cpp(state), in_cpp(inertia), inverse_S, true);
}
