/* A box falls and tumbles, and is hit at a corner after half of the way: single precision, as in a game. The energy of its
 * rotation changes with the blow and at no other time. */
#include <math.h>
#include <polhode/engine.h>
#include <stdio.h>

static int fail(const char* what, int status) {
  fprintf(stderr, "%s: %s\n", what, polhode_engine_text(status));
  return 1;
}

int main(void) {
  const float edges[3] = {0.2f, 0.3f, 0.6f}, mass = 3, h = 1.0f / 60; /* [m], [kg], [s] */
  const float attitude[4] = {1, 0, 0, 0}, velocity[3] = {0.01f, 6, 0.02f};
  float height = 40, fall = 0, energy = 0, w[3];
  double energy_before = 0; /* of rotation, since the last blow */
  polhode_inertia_f box;
  polhode_spin_f state;
  int status = polhode_inertia_of_box_f(&box, mass, edges);
  if (status < 0) return fail("the box", status);
  /* nearly about the middle axis, which is unstable: the box will turn over */
  status = polhode_spin_from_velocity_f(&state, &box, attitude, velocity);
  if (status < 0) return fail("the start", status);

  printf("%8s %10s %10s %32s\n", "time [s]", "height [m]", "energy [J]", "angular velocity, space [rad/s]");
  for (int frame = 0; height > 0; ++frame) {
    polhode_spin_energy_f(&state, &box, &energy);
    if (frame == 0 || frame == 86) energy_before = energy;
    if (fabs(energy / energy_before - 1) > 4e-6) {
      fprintf(stderr, "the energy has changed from %.9g to %.9g\n", energy_before, energy);
      return 1;
    }
    if (frame % 15 == 0) {
      polhode_spin_velocity_f(&state, &box, w);
      printf("%8.3f %10.3f %10.5f %10.4f %10.4f %10.4f\n", (double)frame / 60, height, energy, w[0], w[1], w[2]);
    }
    if (frame == 85) {
      const float corner_S[3] = {0.1f, 0.15f, 0.3f}, blow_S[3] = {0, 0, -0.4f}; /* [m], [N s] */
      status = polhode_spin_add_impulse_at_f(&state, corner_S, blow_S);
      if (status < 0) return fail("the blow", status);
    }
    status = polhode_spin_step_f(&state, &box, NULL, h);
    if (status < 0) return fail("the step", status);
    fall += 9.81f * h;
    height -= fall * h;
  }
  return 0;
}
