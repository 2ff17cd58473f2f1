#pragma once
// Where positions stand in a step that the solver takes in parts (TGS).

#include "base/hd.h"
#include "pliant/options.h"

namespace pliant {

/// By how much time positions are ahead of those that the parts of a step move [s].
///
/// n parts of h_s under forces that hold for the whole step move x by h v + h² a (n + 1) / (2 n): for a pendulum or a
/// spring, whose force follows x, that is a step that gains energy, (n - 1) / (2 n) h ω² a second. Positions
/// q = x + (h - h_s) / 2 v move by h v' as under Euler, and gain none; rows are looked at where x is. Both are the same
/// motion. Equalities are springs whose positions are given by the parts themselves, so with them q is x. (Exact mimics
/// are none: their followers are eliminated.)
template <class M>
PLIANT_HD auto position_lead(const M& m) {
  const auto h = m.opt.timestep, part = solver_timestep(m.opt);
  return m.neq == m.nfollower && part < h ? (h - part) / 2 : 0 * h;
}

/// What leaves touches in the step's first part if it left no longer ago than this [s]: the part begins where positions
/// were by the lead ago, and takes the mean over its length around that moment (solver/tgs.cpp).
template <class M>
PLIANT_HD auto touching_time(const M& m) {
  return position_lead(m) + solver_timestep(m.opt) / 2;
}

}  // namespace pliant
