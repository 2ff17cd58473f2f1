#pragma once
// The stages of a step, in the order of the pipeline table (pipeline.cpp). Each reads Model and State and
// writes the fields of Data it owns.

#include "pliant/state.h"

namespace pliant {

// position
void run_poses(const Model& m, const State& s, Data& d);         // kinematics/kinematics.cpp
void run_com(const Model& m, const State& s, Data& d);           // kinematics/kinematics.cpp
void run_tendons(const Model& m, const State& s, Data& d);       // kinematics/tendons.cpp
void run_inertia(const Model& m, const State& s, Data& d);       // inertia/inertia.cpp
void run_collision(const Model& m, const State& s, Data& d);     // collision/collision.cpp
void run_constraint(const Model& m, const State& s, Data& d);    // constraint/constraint.cpp
void run_transmission(const Model& m, const State& s, Data& d);  // force/transmission.cpp

// velocity
void run_velocity(const Model& m, const State& s, Data& d);   // kinematics/kinematics.cpp
void run_passive(const Model& m, const State& s, Data& d);    // force/passive.cpp
void run_bias(const Model& m, const State& s, Data& d);       // inertia/inertia.cpp
void run_reference(const Model& m, const State& s, Data& d);  // constraint/constraint.cpp

// force and acceleration
void run_actuation(const Model& m, const State& s, Data& d);     // force/actuation.cpp
void run_acceleration(const Model& m, const State& s, Data& d);  // step/acceleration.cpp
void run_solver(const Model& m, const State& s, Data& d);        // step/solve_stage.cpp

// sensors, by what they need
void run_position_sensors(const Model& m, const State& s, Data& d);      // sensor/sensor.cpp
void run_velocity_sensors(const Model& m, const State& s, Data& d);      // sensor/sensor.cpp
void run_acceleration_sensors(const Model& m, const State& s, Data& d);  // sensor/sensor.cpp

// on demand
void run_energy_pos(const Model& m, const State& s, Data& d);   // query/energy.cpp
void run_energy_vel(const Model& m, const State& s, Data& d);   // query/energy.cpp
void run_subtree(const Model& m, const State& s, Data& d);      // query/subtree.cpp
void run_body_forces(const Model& m, const State& s, Data& d);  // query/body_forces.cpp

}  // namespace pliant
