// Steps of TeamWorld in single precision.

#include "tests/batch/team_world_step.h"

namespace pliant {
template WorldReport TeamWorld<float>::step<1>(unsigned);
template WorldReport TeamWorld<float>::step<32>(unsigned);
}  // namespace pliant
