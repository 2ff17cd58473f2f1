#pragma once
// Moving a State forward.

#include <string>

#include "pliant/state.h"

namespace pliant {

/// Bits of Fault: what was wrong in this call; 0 if nothing.
struct StepStatus {
  int faults = 0;
  bool ok() const { return faults == 0; }
};

/// Recomputes the derived constants of a Model after its parameters were changed (masses, frames, lengths …):
/// inverse weights, reference lengths. What files leave to be found (damping ratios, statistics) stays as compiled.
void set_const(Model& model);

/// Everything that follows from `state`, without moving it.
StepStatus forward(const Model& model, const State& state, Data& data);

/// One timestep. Never throws. If an input or a result is not finite (or beyond 1e10), the state stays as it
/// was before the call, the status says why and Data::faults where.
StepStatus step(const Model& model, State& state, Data& data);

/// The two halves of a step, between which a controller may set ctrl and applied forces.
StepStatus step1(const Model& model, const State& state, Data& data);
StepStatus step2(const Model& model, State& state, Data& data);

/// The last part of a step: moves the state by one timestep with what `forward` left in Data. If the new state is not
/// finite, `state` is not written and the status says why.
StepStatus advance(const Model& model, State& state, Data& data, Integrator integrator);

/// Why the last call was refused: "ctrl[3] (actuator 'elbow' at arm.xml:12:7) is nan at t = 1.5; the state was not
/// changed". One line per fault of the status.
std::string describe_status(const Model& model, const Data& data, StepStatus status);
/// A line about each kind of fault seen since the Data was made: where and when first, how often.
std::string describe_faults(const Model& model, const Data& data);

enum class Phase : int { kPosition, kVelocity, kForce, kAcceleration };
/// A line of the pipeline table.
struct StageInfo {
  const char* name;
  Phase phase;
  void (*run)(const Model&, const State&, Data&);
  bool is_sensor = false;
};
std::span<const StageInfo> pipeline();

/// Runs the stages of the phases first … last, with or without those that read sensors.
void run_phases(const Model& model, const State& state, Data& data, Phase first, Phase last, bool sensors = true);

}  // namespace pliant
