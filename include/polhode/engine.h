/* The rotation of bodies in games and simulators, in plain C: what polhode/engine.hpp does, with its bits.
 *
 *   polhode_inertia_f box;                                               once
 *   polhode_inertia_of_box_f(&box, 3, edges);
 *   polhode_spin_f state = {{1, 0, 0, 0}, {0.4f, 0.9f, 0.1f}, {0}};
 *   int status = polhode_spin_step_f(&state, &box, torque_S, h);         in the loop; a torque of NULL is none
 *   if (status < 0) puts(polhode_engine_text(status));
 *
 * Everything is there in double and, with _f at the end of its name, in float. Vectors are three numbers, quaternions four,
 * Hamilton's, taking body components to spatial ones, with the scalar first where nothing else is said. _S: in axes of
 * space, _B: of the body. SI units, or any that agree with each other.
 *
 * Each function returns zero (or a number of bodies, where it says so), or a negative code that names the argument at fault:
 * then nothing has been changed. No function throws, sets errno, or allocates, but for those that make a polhode_world or
 * add to one. Functions may be called from several threads at once, each with its own objects.
 *
 * A library of its own has these functions and needs no other: polhode::engine in CMake.
 */
#ifndef POLHODE_ENGINE_H
#define POLHODE_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 128 and 64 bytes. Attitude and momentum may be written at any time: an impulse is an addition to the momentum. The memory is
 * what the last step left behind; it keeps the energy of a free body, and begins as zeros. */
typedef struct polhode_spin {
  double attitude_wxyz[4];
  double momentum_S[3];
  double memory[9];
} polhode_spin;
typedef struct polhode_spin_f {
  float attitude_wxyz[4];
  float momentum_S[3];
  float memory[9];
} polhode_spin_f;

/* 96 and 48 bytes, made by the functions below; all zeros are a body that never turns. */
typedef struct polhode_inertia {
  double opaque[12];
} polhode_inertia;
typedef struct polhode_inertia_f {
  float opaque[12];
} polhode_inertia_f;

/* All zeros: one step, nothing done to the body. */
typedef struct polhode_step_options {
  int substeps;         /* the step in as many equal parts; 0 and 1: in one */
  int locked_axes;      /* of space, a sum of 1 (x), 2 (y), 4 (z): momentum and torque along these are removed */
  double damping;       /* [1/s]: the momentum is divided by 1 + h damping */
  double largest_speed; /* [rad/s]: the momentum is scaled down to it; 0: no limit */
} polhode_step_options;
typedef struct polhode_step_options_f {
  int substeps, locked_axes;
  float damping, largest_speed;
} polhode_step_options_f;

enum polhode_engine_status {
  POLHODE_ENGINE_OK = 0,
  POLHODE_ENGINE_BAD_INERTIA = -1,  /* moments not positive and finite, inverse ones negative, or such a solid */
  POLHODE_ENGINE_BAD_ATTITUDE = -2, /* the quaternion (of an inertia: that of its axes) is zero or not finite */
  POLHODE_ENGINE_BAD_MOMENTUM = -3, /* not finite, or too large to be squared */
  POLHODE_ENGINE_BAD_TORQUE = -4,   /* not finite, or its impulse too large */
  POLHODE_ENGINE_BAD_OPTIONS = -5,  /* negative, not a number, an unknown axis, or not for this kind of torque */
  POLHODE_ENGINE_BAD_STEP = -6,     /* not finite, or the body would turn by more than numbers can count */
  POLHODE_ENGINE_BAD_VELOCITY = -7, /* not finite, or its momentum is too large to be squared */
  POLHODE_ENGINE_BAD_IMPULSE = -8,  /* not finite */
  POLHODE_ENGINE_BAD_COUNT = -9,    /* more bodies than an int can count */
  POLHODE_ENGINE_BAD_INDEX = -10,   /* in the list of awake bodies there is a place that the arrays do not have */
  POLHODE_ENGINE_BAD_KIND = -11,    /* of a torque, a rate or an order: none of those listed */
  POLHODE_ENGINE_NO_BODY = -12,     /* no body of this world has this id; it may have been removed */
  POLHODE_ENGINE_NO_MEMORY = -13,
  POLHODE_ENGINE_NO_INERTIAS = -14, /* this pointer of a batch or of arrays is null */
  POLHODE_ENGINE_NO_ATTITUDES = -15,
  POLHODE_ENGINE_NO_RATES = -16,
  POLHODE_ENGINE_BAD_SPIN_STRIDE = -17, /* less than what stands there, or no multiple of the size of a number */
  POLHODE_ENGINE_BAD_INERTIA_STRIDE = -18,
  POLHODE_ENGINE_BAD_TORQUE_STRIDE = -19,
  POLHODE_ENGINE_BAD_ATTITUDE_STRIDE = -20,
  POLHODE_ENGINE_BAD_RATE_STRIDE = -21,
  POLHODE_ENGINE_NULL_POINTER = -100 /* less n: argument n of the function, counted from one, is null */
};

/* A sentence for a status; never NULL. */
const char* polhode_engine_text(int status);

/* The inertia about the centre of mass: from principal moments along the body's own axes or along those that a quaternion
 * turns them to (NULL: its own), from a symmetric tensor in the body's axes, from the inverse moments that many engines
 * keep (zero: it does not turn about that axis), of homogeneous solids (a cylinder along z), of a body that never turns. */
int polhode_inertia_from_moments(polhode_inertia* made, const double moments[3], const double* axes_wxyz);
int polhode_inertia_from_inverse(polhode_inertia* made, const double inverse_moments[3], const double* axes_wxyz);
int polhode_inertia_from_tensor(polhode_inertia* made, const double tensor[9]);
int polhode_inertia_of_box(polhode_inertia* made, double mass, const double edges[3]);
int polhode_inertia_of_ellipsoid(polhode_inertia* made, double mass, const double half_axes[3]);
int polhode_inertia_of_cylinder(polhode_inertia* made, double mass, double radius, double height);
int polhode_inertia_immovable(polhode_inertia* made);
/* Principal moments, the middle one second, and the rotation that takes their axes to those of the body. A moment of zero is
 * that of an axis about which the body does not turn. */
int polhode_inertia_principal(const polhode_inertia* inertia, double moments[3], double axes_wxyz[4]);

int polhode_spin_from_momentum(polhode_spin* made, const double attitude_wxyz[4], const double momentum_S[3]);
int polhode_spin_from_velocity(polhode_spin* made, const polhode_inertia* inertia, const double attitude_wxyz[4],
                               const double velocity_S[3]);

/* One step of length h, of either sign, under a torque at its beginning, in spatial axes, or in those of the body. */
int polhode_spin_step(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h);
int polhode_spin_step_body(polhode_spin* state, const polhode_inertia* inertia, const double* torque_B, double h);
/* For a torque that is constant in space for the whole step (a thruster): more accurate then, and worse for springs. */
int polhode_spin_step_held(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h);
int polhode_spin_step_with(polhode_spin* state, const polhode_inertia* inertia, const double* torque_S, double h,
                           const polhode_step_options* options);

/* The angular impulse, or an impulse that acts at a distance from the centre of mass. */
int polhode_spin_add_impulse(polhode_spin* state, const double angular_impulse_S[3]);
int polhode_spin_add_impulse_at(polhode_spin* state, const double arm_S[3], const double impulse_S[3]);
/* A body whose inertia changes keeps its momentum: nothing is to be done. Where its velocity is to be kept instead: */
int polhode_spin_keep_velocity(polhode_spin* state, const polhode_inertia* before, const polhode_inertia* after);

int polhode_spin_velocity(const polhode_spin* state, const polhode_inertia* inertia, double velocity_S[3]);
int polhode_spin_velocity_body(const polhode_spin* state, const polhode_inertia* inertia, double velocity_B[3]);
int polhode_spin_energy(const polhode_spin* state, const polhode_inertia* inertia, double* energy);
/* In spatial axes, for contacts and joints. */
int polhode_spin_inertia(const polhode_spin* state, const polhode_inertia* inertia, double inertia_S[9]);
int polhode_spin_inverse_inertia(const polhode_spin* state, const polhode_inertia* inertia, double inverse_S[9]);

enum polhode_torque_kind { POLHODE_TORQUE_S = 0, POLHODE_TORQUE_B = 1, POLHODE_TORQUE_HELD = 2 };
enum polhode_quaternion_order { POLHODE_WXYZ = 0, POLHODE_XYZW = 1 };
enum polhode_rate_kind { POLHODE_MOMENTUM_S = 0, POLHODE_VELOCITY_S = 1, POLHODE_VELOCITY_B = 2 };

/* What many bodies are stepped with. Strides are bytes from one to the next; 0 is one inertia, or one torque, for all. Torques
 * in spatial axes without options take eight floats or four doubles at a time. */
typedef struct polhode_batch {
  size_t count;
  const polhode_inertia* inertias;
  size_t inertia_stride;
  const double* torques; /* NULL: none */
  size_t torque_stride;
  const polhode_step_options* options; /* of all; NULL: none. Not with torques that are held */
  const uint32_t* awake;               /* places of those to be stepped, each once; NULL: all */
  size_t awake_count;
  int* statuses;         /* NULL, or `count` of them: written for those that were to be stepped */
  size_t* first_refused; /* NULL, or for the place of the first that was refused; `count` if none was */
  int torque_kind;
} polhode_batch;
typedef struct polhode_batch_f {
  size_t count;
  const polhode_inertia_f* inertias;
  size_t inertia_stride;
  const float* torques;
  size_t torque_stride;
  const polhode_step_options_f* options;
  const uint32_t* awake;
  size_t awake_count;
  int* statuses;
  size_t* first_refused;
  int torque_kind;
} polhode_batch_f;

/* Both return how many bodies were refused and left as they were, each for a reason of its own. */
int polhode_step_spins(polhode_spin* spins, size_t spin_stride, const polhode_batch* batch, double h);

/* Attitudes and momenta, or velocities, in arrays of the caller, which are read and written.
 *
 * From velocities the momentum has to be made anew in every step, and rounding would add up in momentum and energy. `kept` is
 * a spin per body, zeros at first, in which they stay for bodies whose numbers nobody has changed since the last step; NULL
 * does without. It costs no accuracy to change them, and nothing needs to be said. */
typedef struct polhode_arrays {
  double* attitudes;
  size_t attitude_stride;
  double* rates;
  size_t rate_stride;
  polhode_spin* kept;
  size_t kept_stride;
  int attitude_order;
  int rate_kind;
} polhode_arrays;
typedef struct polhode_arrays_f {
  float* attitudes;
  size_t attitude_stride;
  float* rates;
  size_t rate_stride;
  polhode_spin_f* kept;
  size_t kept_stride;
  int attitude_order;
  int rate_kind;
} polhode_arrays_f;

int polhode_step_arrays(const polhode_arrays* arrays, const polhode_batch* batch, double h);

/* Bodies by handles. An id is not zero, and is not given again when its body has been removed. A body that sleeps is not
 * stepped and costs nothing; what is added to it stays until it wakes. Torques are those of the next step only. */
typedef struct polhode_world polhode_world;
typedef struct polhode_world_f polhode_world_f;

polhode_world* polhode_world_create(size_t room_for); /* NULL: no memory. Beyond that room adding allocates */
void polhode_world_destroy(polhode_world* world);     /* NULL is nothing to be destroyed */
int polhode_world_add(polhode_world* world, const polhode_spin* state, const polhode_inertia* inertia, uint64_t* id);
int polhode_world_remove(polhode_world* world, uint64_t id);
int polhode_world_get(const polhode_world* world, uint64_t id, polhode_spin* state);
int polhode_world_set(polhode_world* world, uint64_t id, const polhode_spin* state);
int polhode_world_get_inertia(const polhode_world* world, uint64_t id, polhode_inertia* inertia);
int polhode_world_set_inertia(polhode_world* world, uint64_t id, const polhode_inertia* inertia); /* at its momentum */
int polhode_world_add_impulse(polhode_world* world, uint64_t id, const double angular_impulse_S[3]);
int polhode_world_add_torque(polhode_world* world, uint64_t id, const double torque_S[3]);
int polhode_world_sleep(polhode_world* world, uint64_t id);
int polhode_world_wake(polhode_world* world, uint64_t id);
int polhode_world_awake(const polhode_world* world, uint64_t id); /* 1, or 0 if it sleeps */
size_t polhode_world_count(const polhode_world* world);
/* All that are awake; returns how many were refused. Options may be NULL, and first_refused, which becomes an id or zero. */
int polhode_world_step(polhode_world* world, double h, const polhode_step_options* options, uint64_t* first_refused);

/* In float. */
int polhode_inertia_from_moments_f(polhode_inertia_f* made, const float moments[3], const float* axes_wxyz);
int polhode_inertia_from_inverse_f(polhode_inertia_f* made, const float inverse_moments[3], const float* axes_wxyz);
int polhode_inertia_from_tensor_f(polhode_inertia_f* made, const float tensor[9]);
int polhode_inertia_of_box_f(polhode_inertia_f* made, float mass, const float edges[3]);
int polhode_inertia_of_ellipsoid_f(polhode_inertia_f* made, float mass, const float half_axes[3]);
int polhode_inertia_of_cylinder_f(polhode_inertia_f* made, float mass, float radius, float height);
int polhode_inertia_immovable_f(polhode_inertia_f* made);
int polhode_inertia_principal_f(const polhode_inertia_f* inertia, float moments[3], float axes_wxyz[4]);
int polhode_spin_from_momentum_f(polhode_spin_f* made, const float attitude_wxyz[4], const float momentum_S[3]);
int polhode_spin_from_velocity_f(polhode_spin_f* made, const polhode_inertia_f* inertia, const float attitude_wxyz[4],
                                 const float velocity_S[3]);
int polhode_spin_step_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h);
int polhode_spin_step_body_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_B, float h);
int polhode_spin_step_held_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h);
int polhode_spin_step_with_f(polhode_spin_f* state, const polhode_inertia_f* inertia, const float* torque_S, float h,
                             const polhode_step_options_f* options);
int polhode_spin_add_impulse_f(polhode_spin_f* state, const float angular_impulse_S[3]);
int polhode_spin_add_impulse_at_f(polhode_spin_f* state, const float arm_S[3], const float impulse_S[3]);
int polhode_spin_keep_velocity_f(polhode_spin_f* state, const polhode_inertia_f* before,
                                 const polhode_inertia_f* after);
int polhode_spin_velocity_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float velocity_S[3]);
int polhode_spin_velocity_body_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float velocity_B[3]);
int polhode_spin_energy_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float* energy);
int polhode_spin_inertia_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float inertia_S[9]);
int polhode_spin_inverse_inertia_f(const polhode_spin_f* state, const polhode_inertia_f* inertia, float inverse_S[9]);
int polhode_step_spins_f(polhode_spin_f* spins, size_t spin_stride, const polhode_batch_f* batch, float h);
int polhode_step_arrays_f(const polhode_arrays_f* arrays, const polhode_batch_f* batch, float h);
polhode_world_f* polhode_world_create_f(size_t room_for);
void polhode_world_destroy_f(polhode_world_f* world);
int polhode_world_add_f(polhode_world_f* world, const polhode_spin_f* state, const polhode_inertia_f* inertia,
                        uint64_t* id);
int polhode_world_remove_f(polhode_world_f* world, uint64_t id);
int polhode_world_get_f(const polhode_world_f* world, uint64_t id, polhode_spin_f* state);
int polhode_world_set_f(polhode_world_f* world, uint64_t id, const polhode_spin_f* state);
int polhode_world_get_inertia_f(const polhode_world_f* world, uint64_t id, polhode_inertia_f* inertia);
int polhode_world_set_inertia_f(polhode_world_f* world, uint64_t id, const polhode_inertia_f* inertia);
int polhode_world_add_impulse_f(polhode_world_f* world, uint64_t id, const float angular_impulse_S[3]);
int polhode_world_add_torque_f(polhode_world_f* world, uint64_t id, const float torque_S[3]);
int polhode_world_sleep_f(polhode_world_f* world, uint64_t id);
int polhode_world_wake_f(polhode_world_f* world, uint64_t id);
int polhode_world_awake_f(const polhode_world_f* world, uint64_t id);
size_t polhode_world_count_f(const polhode_world_f* world);
int polhode_world_step_f(polhode_world_f* world, float h, const polhode_step_options_f* options,
                         uint64_t* first_refused);

#ifdef __cplusplus
}
#endif

#endif
