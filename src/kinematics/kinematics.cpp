// The stages poses, com, cameras and velocity on the CPU.

#include "kinematics/kinematics_hd.h"
#include "kinematics/stages.h"

namespace pliant {

void run_poses(const Model& m, const State& s, Data& d) { poses_stage(SerialTeam{}, m, s, d); }

void run_com(const Model& m, const State& s, Data& d) { com_stage(SerialTeam{}, m, s, d); }

void run_cameras(const Model& m, const State& s, Data& d) { cameras_stage(SerialTeam{}, m, s, d); }

void run_velocity(const Model& m, const State& s, Data& d) { velocity_stage(SerialTeam{}, m, s, d); }

}  // namespace pliant
