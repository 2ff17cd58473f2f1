// The stage passive: springs, dampers, fluid, gravity compensation, adhesion of contacts, and their sum.
//
// reads qpos qvel poses cvel ten_* contact rows · writes qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_adhesion
// qfrc_passive
// With springs and dampers both disabled there are no passive forces at all, as in the reference.

#include "force/passive_adhesion_hd.h"
#include "force/passive_damper_hd.h"
#include "force/passive_fluid_hd.h"
#include "force/passive_gravcomp_hd.h"
#include "force/passive_spring_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

void add_springs(const Model& m, const State& s, Data& d) {
  for (int j = 0; j < m.njnt; ++j) joint_spring(m, s, d, j);
  for (int t = 0; t < m.ntendon; ++t) add_tendon_force(m, d, t, tendon_spring(m, d, t), d.qfrc_spring);
}

void add_dampers(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nv; ++i) dof_damper(m, s, d, i);
  for (int t = 0; t < m.ntendon; ++t) add_tendon_force(m, d, t, tendon_damper(m, d, t), d.qfrc_damper);
}

// ngravcomp counts positive values only: where all are negative, none acts (the loader warns).
bool compensates_gravity(const Model& m) { return m.ngravcomp && has_gravity(m); }

void add_gravity_compensation(const Model& m, Data& d) {
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_gravcomp[b] != 0) compensate_gravity(m, d, b);
  }
}

}  // namespace

void run_passive(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_spring[i] = d.qfrc_damper[i] = d.qfrc_gravcomp[i] = d.qfrc_fluid[i] = 0;
    d.qfrc_adhesion[i] = d.qfrc_passive[i] = 0;
  }
  const int off = m.opt.disableflags & (kDisableSpring | kDisableDamper);
  if (off == (kDisableSpring | kDisableDamper)) return;

  if (!(off & kDisableSpring)) add_springs(m, s, d);
  if (!(off & kDisableDamper)) add_dampers(m, s, d);
  if (m.opt.density > 0 || m.opt.viscosity > 0) {
    for (int b = 1; b < m.nbody; ++b) fluid_force(m, d, b);
  }
  for (int i = 0; i < d.ncon; ++i) attract(d, d.contact[i]);
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_passive[i] = d.qfrc_spring[i] + d.qfrc_damper[i] + d.qfrc_fluid[i] + d.qfrc_adhesion[i];
  }

  if (!compensates_gravity(m)) return;
  add_gravity_compensation(m, d);
  for (int i = 0; i < m.nv; ++i) {
    if (!m.jnt_actgravcomp[m.dof_jntid[i]]) d.qfrc_passive[i] += d.qfrc_gravcomp[i];
  }
}

}  // namespace pliant
