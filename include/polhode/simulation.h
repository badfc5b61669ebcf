/* A whole simulation in plain C: a scenario with its torques, wheels, events and method, set going.
 *
 *   polhode_simulation* satellite = polhode_simulation_open("gravity-gradient.toml");
 *   if (satellite == NULL) return fail(polhode_last_error());
 *   polhode_motion motion;
 *   for (double t = 60; t <= 86400; t += 60) {
 *     if (polhode_simulation_advance_to(satellite, t) != POLHODE_SIMULATION_OK) break;
 *     polhode_simulation_at(satellite, t, &motion);
 *   }
 *   polhode_simulation_close(satellite);
 *
 * SI units; body quantities are in the axes in which the scenario gives the inertia. A simulation belongs to one thread at
 * a time; several threads may have one each. No function throws. A function that fails says so by its value, and
 * polhode_last_error() in a sentence that names file, line, key, value and what would be valid.
 */
#ifndef POLHODE_SIMULATION_H
#define POLHODE_SIMULATION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct polhode_simulation polhode_simulation;

typedef struct polhode_motion {
  double time;                        /* [s] */
  double attitude_wxyz[4];            /* unit quaternion, scalar first; takes body components to spatial ones */
  double angular_velocity_body[3];    /* [rad/s] */
  double angular_momentum_spatial[3]; /* [kg m^2/s] */
  double energy;                      /* [J] */
} polhode_motion;

enum polhode_simulation_status {
  POLHODE_SIMULATION_OK = 0,
  POLHODE_SIMULATION_ENDED = 1,         /* by an event of the scenario that is terminal, or by its stop_when */
  POLHODE_SIMULATION_GUARDED = 2,       /* by the scenario's max_steps or max_time */
  POLHODE_SIMULATION_BAD_ARGUMENT = -1, /* a pointer is null, or a time is outside the last step */
  POLHODE_SIMULATION_BAD_SCENARIO = -2, /* or a saved simulation that does not belong to this one */
  POLHODE_SIMULATION_FILE_MISSING = -3,
  POLHODE_SIMULATION_FAILED = -4, /* a step did not converge or left the finite numbers; it was not taken */
  POLHODE_SIMULATION_NOT_WRITTEN = -5,
  POLHODE_SIMULATION_NO_MEMORY = -6
};

/* From a scenario file, or from the text of one; from a result in HDF5 the run that made it. NULL if it cannot be. */
polhode_simulation* polhode_simulation_open(const char* path);
polhode_simulation* polhode_simulation_parse(const char* toml);
/* NULL is nothing to be closed. */
void polhode_simulation_close(polhode_simulation* simulation);

/* Whole steps of its own until the time [s] is reached or passed. */
int polhode_simulation_advance_to(polhode_simulation* simulation, double time);
/* Where it is, and within the last step at the order of the method. */
int polhode_simulation_now(const polhode_simulation* simulation, polhode_motion* motion);
int polhode_simulation_at(const polhode_simulation* simulation, double time, polhode_motion* motion);

/* Events so far: how many, and the i-th of them. The name stays until the next call with this simulation. */
size_t polhode_simulation_event_count(polhode_simulation* simulation);
int polhode_simulation_event(polhode_simulation* simulation, size_t i, const char** name, polhode_motion* motion);

/* The whole of what the scenario plans, from its start, with rows to a file (.csv, .h5 or .ndjson). Where the simulation
 * has come to stays as it is. */
int polhode_simulation_run(const polhode_simulation* simulation, const char* output);

/* All that a simulation of the same scenario needs to go on from here with the same bits, for the same version of the
 * library and the same kind of processor. The bytes stay until the next call with this simulation. */
int polhode_simulation_save(polhode_simulation* simulation, const void** bytes, size_t* size);
/* Where it fails, the simulation stays where it is. */
int polhode_simulation_restore(polhode_simulation* simulation, const void* bytes, size_t size);

/* Why the last call of this thread failed; "" if none has. It stays until the next one fails. */
const char* polhode_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
