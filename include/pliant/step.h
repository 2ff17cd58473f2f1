#pragma once
// Moving a State forward.

#include <span>
#include <string>
#include <string_view>

#include "pliant/state.h"

namespace pliant {

/// Bits of Fault: what was wrong in this call; 0 if nothing.
struct StepStatus {
  int faults = 0;
  bool ok() const { return faults == 0; }
};

/// Recomputes the derived constants of a Model after its parameters were changed (masses, frames, sizes, lengths …):
/// inverse weights, reference lengths, bounds, coinciding frames. What files leave to be found (damping ratios,
/// statistics) stays as compiled. Throws std::invalid_argument, and leaves the Model as it was, where the change needs
/// a Model of another structure: a simple body whose centre of mass was moved, a geom that begins to collide.
void set_const(Model& model);
/// Names of the fields that set_const may write.
std::span<const std::string_view> set_const_fields();

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
/// When a stage has something to do.
enum class StageCondition : int {
  kAlways,
  kTendons,   ///< there are tendons
  kCameras,   ///< there are cameras or lights
  kReadings,  ///< there are sensors, and they are wanted
  kEnergy,    ///< the flag energy is set; sensors that need energies ask by themselves
  kDiscrete,  ///< the integrator is discrete
  kImplicit,  ///< the integrator is implicit or implicitfast
  kDelays,    ///< there are sensors and histories; those that are delayed are measured at the end of a step
};
/// A line of stages.def.
struct StageInfo {
  const char* name;
  Phase phase;
  StageCondition condition;
  void (*run)(const Model&, const State&, Data&);
  const char *writes, *reads;  ///< owners of arrays, and arrays of Data, separated by spaces
  bool is_sensor() const { return condition == StageCondition::kReadings; }
};
std::span<const StageInfo> pipeline();
/// Whether a stage of this condition has something to do; of kReadings: if anybody wants readings.
bool is_needed(const Model& model, StageCondition condition);

/// Runs the stages of the phases first … last, with or without those that read sensors.
void run_phases(const Model& model, const State& state, Data& data, Phase first, Phase last, bool sensors = true);

/// Runs one stage, timed and followed by Data::probe as in a step; `place` is that in pipeline().
void run_stage(const Model& model, const State& state, Data& data, int place);
/// Place of a stage in pipeline() by its title; -1: there is none.
int place_of(std::string_view title);

}  // namespace pliant
