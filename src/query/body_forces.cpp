// Accelerations of bodies, and the forces on them: from outside, and from the parent.
//
// reads cinert cdof cdof_dot cvel qvel qacc xfrc_applied · writes cacc cfrc_ext cfrc_int · cost:
// linear The force of the parent carries everything the body carries: cfrc_int = Σ_subtree (I a + v
// ×* I v - cfrc_ext).

#include "inertia/bias_hd.h"
#include "kinematics/object_hd.h"
#include "pliant/query.h"
#include "step/stages.h"

namespace pliant {
namespace {

// Forces of contacts and of connecting constraints will be added here.
void external_force(const Model& m, const State& s, Data& d, int body) {
  const Spatial applied = spatial(s.xfrc_applied, body);  // force first, torque second
  if (dot(applied, applied) == 0) return set(d.cfrc_ext, body, Spatial{});
  const Spatial wrench{applied.lin, applied.ang};
  set(d.cfrc_ext, body, moved_force(wrench, -offset_in_tree(m, d, body, vec3(d.xipos, body))));
}

}  // namespace

void run_body_forces(const Model& m, const State& s, Data& d) {
  Spatial world{};
  if (!(m.opt.disableflags & kDisableGravity)) world.lin = -vec3(m.opt.gravity, 0);
  set(d.cacc, 0, world);
  set(d.cfrc_ext, 0, Spatial{});
  set(d.cfrc_int, 0, Spatial{});
  for (int b = 1; b < m.nbody; ++b) {
    external_force(m, s, d, b);
    body_newton_euler(m, s, d, b, d.qacc, d.cacc, d.cfrc_int);
    set(d.cfrc_int, b, spatial(d.cfrc_int, b) - spatial(d.cfrc_ext, b));
  }
  for (int b = m.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    set(d.cfrc_int, parent, spatial(d.cfrc_int, parent) + spatial(d.cfrc_int, b));
  }
  d.done.body_forces = true;
}

void body_forces(const Model& m, const State& s, Data& d) { run_body_forces(m, s, d); }

}  // namespace pliant
