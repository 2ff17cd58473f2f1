// Steps of TeamWorld in double precision by small teams.

#include "tests/batch/team_world_step.h"

namespace pliant {
template WorldReport TeamWorld<double>::step<1>(unsigned);
template WorldReport TeamWorld<double>::step<8>(unsigned);
}  // namespace pliant
