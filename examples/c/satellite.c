/* A satellite from a scenario file, followed for as long as it is asked to: a whole simulation in C. */
#include <polhode/simulation.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: satellite_c SCENARIO.toml HOURS\n");
    return 2;
  }
  polhode_simulation* satellite = polhode_simulation_open(argv[1]);
  if (satellite == NULL) {
    fprintf(stderr, "%s\n", polhode_last_error());
    return 1;
  }
  int status = POLHODE_SIMULATION_OK;
  const int hours = atoi(argv[2]);
  for (int hour = 1; hour <= hours && status == POLHODE_SIMULATION_OK; ++hour) {
    polhode_motion motion;
    status = polhode_simulation_advance_to(satellite, hour * 3600.0);
    if (status < 0 || polhode_simulation_at(satellite, hour * 3600.0, &motion) < 0) {
      fprintf(stderr, "%s\n", polhode_last_error());
      break;
    }
    printf("%2d h: attitude (%+.4f, %+.4f, %+.4f, %+.4f)\n", hour, motion.attitude_wxyz[0], motion.attitude_wxyz[1],
           motion.attitude_wxyz[2], motion.attitude_wxyz[3]);
  }
  polhode_simulation_close(satellite);
  return status < 0 ? 1 : 0;
}
