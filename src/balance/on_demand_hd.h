#pragma once
// What a step computes on demand, once per state: energies, momenta of subtrees, forces between bodies. Sensors,
// options and users ask for them.
//
// On the CPU Data::done says which are there. In a batch it is settled beforehand which stage computes what
// (SensorNeeds), the same for all worlds.

#include "balance/body_forces_hd.h"
#include "balance/energy_hd.h"
#include "balance/subtree_hd.h"
#include "model/sensor_kinds.h"

namespace pliant {

/// Of a set of needs those that nobody has computed yet; from now on they count as computed.
template <class D>
PLIANT_HD int claim(D& d, int needs) {
  if constexpr (requires { d.done; }) {
    const auto take = [&](SensorNeed need, bool& done) {
      if (!(needs & bit(need))) return;
      if (done) needs &= ~bit(need);
      done = true;
    };
    take(SensorNeed::kPotentialEnergy, d.done.energy_pos);
    take(SensorNeed::kKineticEnergy, d.done.energy_vel);
    take(SensorNeed::kSubtree, d.done.subtree);
    take(SensorNeed::kBodyForces, d.done.body_forces);
  }
  return needs;
}

/// Computes a set of needs.
template <class Team, class M, class S, class D>
PLIANT_HD_FREE void provide(const Team& team, const M& m, const S& s, D& d, int needs) {
  if (needs & bit(SensorNeed::kPotentialEnergy)) find_potential_energy(team, m, s, d);
  if (needs & bit(SensorNeed::kKineticEnergy)) find_kinetic_energy(team, m, s, d);
  if (needs & bit(SensorNeed::kSubtree)) find_subtree_momenta(team, m, d);
  if (needs & bit(SensorNeed::kBodyForces)) find_body_forces(team, m, s, d);
}

/// Whether sensors compute it in every step of a batch. (On the CPU nobody knows: a stage may be run by itself.)
template <class M>
PLIANT_HD bool is_for_sensors(const M& m, SensorNeed need) {
  if constexpr (requires { m.sensor_needs; }) {
    return m.sensor_needs.has(need);
  } else {
    return false;
  }
}

// The stages that the flag energy asks for.

template <class Team, class M, class S, class D>
PLIANT_HD void potential_energy_stage(const Team& team, const M& m, const S& s, D& d) {
  if (is_for_sensors(m, SensorNeed::kPotentialEnergy)) return;
  find_potential_energy(team, m, s, d);
  claim(d, bit(SensorNeed::kPotentialEnergy));
}

template <class Team, class M, class S, class D>
PLIANT_HD void kinetic_energy_stage(const Team& team, const M& m, const S& s, D& d) {
  if (is_for_sensors(m, SensorNeed::kKineticEnergy)) return;
  find_kinetic_energy(team, m, s, d);
  claim(d, bit(SensorNeed::kKineticEnergy));
}

}  // namespace pliant
