// The sensor stages.

#include "step/stages.h"

namespace pliant {

void run_position_sensors(const Model&, const State&, Data&) {}
void run_velocity_sensors(const Model&, const State&, Data&) {}
void run_acceleration_sensors(const Model&, const State&, Data&) {}

}  // namespace pliant
