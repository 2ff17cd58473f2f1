#pragma once
// All stages of a step, folder by folder, for whoever runs them: the pipeline table (pipeline.cpp), inverse dynamics,
// tests. Each reads Model and State and writes the fields of Data it owns.

#include "balance/balance.h"
#include "collision/stages.h"
#include "constraint/stages.h"
#include "force/stages.h"
#include "inertia/stages.h"
#include "integrate/metric.h"
#include "kinematics/stages.h"
#include "sensor/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d);  // acceleration.cpp
void run_solver(const Model& m, const State& s, Data& d);        // solve_stage.cpp

}  // namespace pliant
