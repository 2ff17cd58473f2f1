#pragma once
// Stages of a step in this folder; the pipeline table (step/pipeline.cpp) runs them, other stages must not.

#include "pliant/state.h"

namespace pliant {

void run_poses(const Model& m, const State& s, Data& d);     // kinematics.cpp
void run_com(const Model& m, const State& s, Data& d);       // kinematics.cpp
void run_cameras(const Model& m, const State& s, Data& d);   // kinematics.cpp
void run_tendons(const Model& m, const State& s, Data& d);   // tendons.cpp
void run_velocity(const Model& m, const State& s, Data& d);  // kinematics.cpp

}  // namespace pliant
