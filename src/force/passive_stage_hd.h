#pragma once
// The stage passive for one world: springs, dampers, fluid, gravity compensation, adhesion of contacts, and their sum.
//
// reads qpos plastic qvel poses cvel ten_* contacts rows · writes qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid
// qfrc_adhesion qfrc_passive With springs and dampers both disabled there are no passive forces at all, as in the
// reference.

#include "base/team.h"
#include "force/passive_adhesion_hd.h"
#include "force/passive_damper_hd.h"
#include "force/passive_fluid_hd.h"
#include "force/passive_gravcomp_hd.h"
#include "force/passive_spring_hd.h"

namespace pliant {

// Forces of tendons and at bodies meet on the dofs they share: one member adds them up.

template <class Team, class M, class S, class D>
PLIANT_HD void add_springs(const Team& team, const M& m, const S& s, D& d) {
  each(team, m.njnt, [&](int j) PLIANT_INLINED { joint_spring(m, s, d, j); });
  if (m.ntendon == 0) return;
  once(team, [&]() PLIANT_INLINED {
    for (int t = 0; t < m.ntendon; ++t) add_tendon_force(m, d, t, tendon_spring(m, s, d, t), d.qfrc_spring);
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD void add_dampers(const Team& team, const M& m, const S& s, D& d) {
  each(team, m.nv, [&](int i) PLIANT_INLINED { dof_damper(m, s, d, i); });
  if (m.ntendon == 0) return;
  once(team, [&]() PLIANT_INLINED {
    for (int t = 0; t < m.ntendon; ++t) add_tendon_force(m, d, t, tendon_damper(m, d, t), d.qfrc_damper);
  });
}

// ngravcomp counts positive values only: where all are negative, none acts (the loader warns).
template <class Team, class M, class D>
PLIANT_HD void add_gravity_compensation(const Team& team, const M& m, D& d) {
  if (!m.ngravcomp || !has_gravity(m)) return;
  once(team, [&]() PLIANT_INLINED {
    for (int b = 1; b < m.nbody; ++b) {
      if (m.body_gravcomp[b] != 0) compensate_gravity(m, d, b);
    }
  });
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    if (!m.jnt_actgravcomp[m.dof_jntid[i]]) d.qfrc_passive[i] += d.qfrc_gravcomp[i];
  });
}

// (Whether members meet here must not depend on the contacts of a world.)
template <class Team, class M, class D>
PLIANT_HD void add_adhesion(const Team& team, const M& m, D& d) {
  if constexpr (requires { m.may_attract; }) {
    if (!m.may_attract) return;
  }
  bool attracts = false;
  once(team, [&]() PLIANT_INLINED {
    for (int i = 0; i < d.ncon; ++i) attracts = attract(d, d.contact[i]) || attracts;
  });
  if (Team::kSerial && !attracts) return;
  each(team, m.nv, [&](int i) PLIANT_INLINED { d.qfrc_passive[i] += d.qfrc_adhesion[i]; });
}

template <class Team, class M, class S, class D>
PLIANT_HD void passive_stage(const Team& team, const M& m, const S& s, D& d) {
  each(team, m.nv, [&](int i) PLIANT_INLINED {
    d.qfrc_spring[i] = d.qfrc_damper[i] = d.qfrc_gravcomp[i] = d.qfrc_fluid[i] = 0;
    d.qfrc_adhesion[i] = d.qfrc_passive[i] = 0;
  });
  const int off = m.opt.disableflags & (kDisableSpring | kDisableDamper);
  if (off == (kDisableSpring | kDisableDamper)) return;

  if (!(off & kDisableSpring)) add_springs(team, m, s, d);
  if (!(off & kDisableDamper)) add_dampers(team, m, s, d);
  if (m.opt.density > 0 || m.opt.viscosity > 0) {
    once(team, [&]() PLIANT_INLINED {
      for (int b = 1; b < m.nbody; ++b) fluid_force(m, d, b);
    });
  }
  each(team, m.nv,
       [&](int i) PLIANT_INLINED { d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i] + d.qfrc_fluid[i]; });
  add_gravity_compensation(team, m, d);
  add_adhesion(team, m, d);
}

}  // namespace pliant
