// Steps of TeamWorld in double precision by 32 members.

#include "tests/batch/team_world_step.h"

namespace pliant {
template WorldReport TeamWorld<double>::step<32>(unsigned);
}  // namespace pliant
