#pragma once
// What the files that compile steps of TeamWorld share.

#include "tests/batch/team_world.h"

namespace pliant {

template <class R>
template <int members>
WorldReport TeamWorld<R>::step(unsigned seed) {
  WorldReport report;
  DataView<R> after;
  FiberTeam<members>::run(
      [&](const FiberTeam<members>& team) {
        StateView<R> my_state = s;
        DataView<R> mine = d;
        const WorldReport its = world_step(team, m, my_state, mine, work);
        if (team.lane() == members - 1) report = its, after = mine;
      },
      seed);
  d = after;
  return report;
}

}  // namespace pliant
