// Cameras, sensors and energies as device code for a warp per world, and the end of the step where delayed sensors are
// measured, in single and in double precision: that it compiles is the test.

#include "cuda/teams.h"
#include "batch/smooth_step_hd.h"

namespace pliant {

template <class R>
__global__ void sensing_world(const ModelView<R> m, StateView<R> s, DataView<R> d, int* status) {
  const WarpTeam team;
  int mine = 0;
  cameras_stage(team, m, s, d);
  position_sensors_stage(team, m, s, d);
  potential_energy_stage(team, m, s, d);
  velocity_sensors_stage(team, m, s, d);
  kinetic_energy_stage(team, m, s, d);
  acceleration_sensors_stage(team, m, s, d);
  measure_stage(team, m, s, d, mine);
  push_readings(team, m, s, d, mine == 0);
  if (team.lane() == 0) *status = mine;
}

template __global__ void sensing_world<float>(ModelView<float>, StateView<float>, DataView<float>, int*);
template __global__ void sensing_world<double>(ModelView<double>, StateView<double>, DataView<double>, int*);

}  // namespace pliant
