// The step as a table: every stage, in order.

#include <chrono>

#include "pliant/step.h"
#include "step/stages.h"

namespace pliant {
namespace {

// Energies are computed where the option asks for them; sensors that need them ask by themselves.
void run_energy_pos_if_enabled(const Model& m, const State& s, Data& d) {
  if (m.opt.enableflags & kEnableEnergy) run_energy_pos(m, s, d);
}
void run_energy_vel_if_enabled(const Model& m, const State& s, Data& d) {
  if (m.opt.enableflags & kEnableEnergy) run_energy_vel(m, s, d);
}

constexpr StageInfo kPipeline[] = {
    {"poses", Phase::kPosition, run_poses},
    {"com", Phase::kPosition, run_com},
    {"tendons", Phase::kPosition, run_tendons},
    {"inertia", Phase::kPosition, run_inertia},
    {"collision", Phase::kPosition, run_collision},
    {"constraint", Phase::kPosition, run_constraint},
    {"transmission", Phase::kPosition, run_transmission},
    {"position sensors", Phase::kPosition, run_position_sensors, true},
    {"potential energy", Phase::kPosition, run_energy_pos_if_enabled},
    {"velocity", Phase::kVelocity, run_velocity},
    {"passive", Phase::kVelocity, run_passive},
    {"bias", Phase::kVelocity, run_bias},
    {"reference", Phase::kVelocity, run_reference},
    {"velocity sensors", Phase::kVelocity, run_velocity_sensors, true},
    {"kinetic energy", Phase::kVelocity, run_energy_vel_if_enabled},
    {"actuation", Phase::kForce, run_actuation},
    {"metric", Phase::kForce, run_metric},
    {"acceleration", Phase::kAcceleration, run_acceleration},
    {"solver", Phase::kAcceleration, run_solver},
    {"acceleration sensors", Phase::kAcceleration, run_acceleration_sensors, true},
};
static_assert(std::size(kPipeline) < kMaxStages);

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

std::span<const StageInfo> pipeline() { return kPipeline; }

void run_phases(const Model& m, const State& s, Data& d, Phase first, Phase last, bool sensors) {
  // what was computed on demand from an older state or older forces does not count
  if (first <= Phase::kPosition) d.done.energy_pos = false;
  if (first <= Phase::kVelocity) d.done.energy_vel = false;
  // (the later stages of a Runge-Kutta step leave them: delayed sensors measure the first, as in the reference)
  if (sensors && first <= Phase::kVelocity) d.done.subtree = false;
  if (sensors) d.done.body_forces = false;
  for (size_t i = 0; i < std::size(kPipeline); ++i) {
    const StageInfo& stage = kPipeline[i];
    if (stage.phase < first || stage.phase > last || (stage.is_sensor && !sensors)) continue;
    if (!d.timing) {
      stage.run(m, s, d);
    } else {
      const int64_t start = now();
      stage.run(m, s, d);
      d.times[i].nanoseconds += now() - start;
      ++d.times[i].calls;
    }
    if (d.probe) d.probe(m, s, d, static_cast<int>(i));
  }
}

}  // namespace pliant
