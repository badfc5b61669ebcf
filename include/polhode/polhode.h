/* The engine developer's interface in plain C: one step of a rotating body under a torque known for this step only.
 *
 *   int method = polhode_method_id("taylor-2-augmented");              once
 *   polhode_state body = {{1, 0, 0, 0}, {0.4, 0.9, 0.1}};
 *   double inertia[3] = {0.9, 1.1, 1.7}, torque[3] = {0, 0, 0};
 *   int status = polhode_step_by_id(method, &body, inertia, torque, h);  in the loop: no names, no allocation
 *
 * The torque is in body axes at the beginning of the step and is held fixed in space for its length, so that the
 * momentum changes by h times the torque; an impulse is added to momentum_S between steps. Steps may differ in length
 * and sign. The functions may be called from several threads at once, each with its own state. No function throws.
 *
 * A function that fails returns one of the negative codes below and leaves the state as it was.
 */
#ifndef POLHODE_POLHODE_H
#define POLHODE_POLHODE_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct polhode_state {
  double attitude_wxyz[4]; /* unit quaternion, Hamilton, scalar first; takes body components to spatial ones */
  double momentum_S[3];    /* angular momentum in spatial axes [kg m^2/s] */
} polhode_state;

typedef struct polhode_state_f {
  float attitude_wxyz[4];
  float momentum_S[3];
} polhode_state_f;

enum polhode_status {
  POLHODE_OK = 0,
  POLHODE_UNKNOWN_METHOD = -1,    /* no method has this name or id */
  POLHODE_METHOD_HAS_MEMORY = -2, /* it continues from earlier steps and cannot be used one step at a time */
  POLHODE_BAD_INERTIA = -3,       /* a principal moment is not positive and finite */
  POLHODE_BAD_ATTITUDE = -4,      /* the quaternion is not of unit length */
  POLHODE_NOT_FINITE = -5,        /* a momentum, a torque or the step is not finite, or the step overflowed */
  POLHODE_NULL_POINTER = -6,
  POLHODE_METHOD_TAKES_NO_TORQUE = -7, /* a method for free bodies, or for a dumbbell in a uniform field, only */
  POLHODE_NO_SOLUTION = -8             /* an implicit method whose equation has no solution at this step */
};

/* The id, >= 0, of a one-step method of the catalogue by its name or alias; a negative status if there is none. Ids
 * belong to one build of the library: keep names, not ids, in files. */
int polhode_method_id(const char* name);

/* The name of a method by its id; NULL beyond the last. Counting up from 0 lists the catalogue; a name in it that
 * polhode_method_id refuses belongs to a multistep method, or to one that takes no torque. */
const char* polhode_method_name(int id);

/* One step of length h [s]. `inertia`: principal moments [kg m^2]; `torque_body` [N m] in body axes. */
int polhode_step_by_id(int method_id, polhode_state* state, const double inertia[3], const double torque_body[3],
                       double h);
int polhode_step_by_id_f(int method_id, polhode_state_f* state, const float inertia[3], const float torque_body[3],
                         float h);

/* The same with the method's name, which is looked up in every call. */
int polhode_step(const char* method, polhode_state* state, const double inertia[3], const double torque_body[3],
                 double h);
int polhode_step_f(const char* method, polhode_state_f* state, const float inertia[3], const float torque_body[3],
                   float h);

/* A sentence for a status; never NULL. */
const char* polhode_error_text(int status);

/* The version of the library, "major.minor.patch". */
const char* polhode_version(void);

#ifdef __cplusplus
}
#endif

#endif
