/* A box tumbles in free fall, is hit after two seconds, and tumbles on: the C interface. */
#include <polhode/polhode.h>
#include <stdio.h>

/* 2 E = pi . w with pi = R^T L, the momentum in body axes. */
static double kinetic_energy(const polhode_state* s, const double inertia[3]) {
  const double w = s->attitude_wxyz[0], x = s->attitude_wxyz[1], y = s->attitude_wxyz[2], z = s->attitude_wxyz[3];
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  double energy = 0;
  for (int i = 0; i < 3; ++i) {
    double pi = 0;
    for (int j = 0; j < 3; ++j) pi += R[j][i] * s->momentum_S[j];
    energy += 0.5 * pi * pi / inertia[i];
  }
  return energy;
}

int main(void) {
  const double inertia[3] = {0.1125, 0.1, 0.0325}, no_torque[3] = {0, 0, 0}, h = 1.0 / 60;
  polhode_state box = {{1, 0, 0, 0}, {0.001, 0.6, 0.0005}};
  const int method = polhode_method_id("taylor-2-augmented");
  if (method < 0) {
    fprintf(stderr, "%s\n", polhode_error_text(method));
    return 1;
  }
  printf("Polhode %s, %s\n%8s %10s\n", polhode_version(), polhode_method_name(method), "time [s]", "energy [J]");
  for (int frame = 0; frame <= 240; ++frame) {
    if (frame % 20 == 0) printf("%8.3f %10.6f\n", frame * h, kinetic_energy(&box, inertia));
    if (frame == 120) box.momentum_S[0] += 0.05; /* the blow */
    const int status = polhode_step_by_id(method, &box, inertia, no_torque, h);
    if (status != POLHODE_OK) {
      fprintf(stderr, "%s\n", polhode_error_text(status));
      return 1;
    }
  }
  return 0;
}
