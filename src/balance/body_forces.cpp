// Accelerations of bodies, and the forces on them: from outside, and from the parent.
//
// reads cinert cdof cdof_dot cvel qvel qacc xfrc_applied contact rows · writes cacc cfrc_ext cfrc_int · cost: linear
// From outside come applied forces, contacts, connects and welds. The force of the parent carries everything the body
// carries: cfrc_int = Σ_subtree (I a + v ×* I v - cfrc_ext).

#include "constraint/contact_force_hd.h"
#include "constraint/kinds/equality_weld_hd.h"
#include "inertia/bias_hd.h"
#include "kinematics/object_hd.h"
#include "balance/balance.h"

namespace pliant {
namespace {

void applied_force(const Model& m, const State& s, Data& d, int body) {
  const Spatial applied = spatial(s.xfrc_applied, body);  // force first, torque second
  if (dot(applied, applied) == 0) return set(d.cfrc_ext, body, Spatial{});
  const Spatial wrench{applied.lin, applied.ang};
  set(d.cfrc_ext, body, moved_force(wrench, -offset_in_tree(m, d, body, vec3(d.xipos, body))));
}

// A force and torque (world axes) at a point of a body; the world feels nothing.
void add_external(const Model& m, Data& d, int body, Vec3 point, Vec3 force, Vec3 torque) {
  if (body == 0) return;
  set(d.cfrc_ext, body, spatial(d.cfrc_ext, body) + wrench_at(m, d, body, point, force, torque));
}

void contact_forces(const Model& m, Data& d) {
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.row < 0) continue;
    const auto wrench = contact_wrench(d, i);
    const auto to_world = [&](Vec3 v) {
      return vec3(contact.frame, 0) * v.x + vec3(contact.frame, 1) * v.y + vec3(contact.frame, 2) * v.z;
    };
    const Vec3 point = vec3(contact.pos, 0), force = to_world(wrench.force), torque = to_world(wrench.torque);
    add_external(m, d, m.geom_bodyid[contact.geom[0]], point, -force, -torque);
    add_external(m, d, m.geom_bodyid[contact.geom[1]], point, force, torque);
  }
}

// Connects and welds pull at both anchors.
void holding_forces(const Model& m, Data& d) {
  for (int row = 0; row < d.rows.ne;) {
    const int equality = d.rows.row_id[row];
    const auto type = static_cast<EqualityType>(m.eq_type[equality]);
    const bool weld = type == EqualityType::kWeld;
    if (!weld && type != EqualityType::kConnect) {
      ++row;
      continue;
    }
    const HeldBodies<double> held = weld ? welded_bodies(m, d, equality) : connected_bodies(m, d, equality);
    const Vec3 force = vec3(d.rows.row_force + row, 0);
    // as the reference: forces of the rotation rows stand for the torque, although those rows measure half angles in
    // the frame of body 2, times torquescale
    const Vec3 torque = weld ? vec3(d.rows.row_force + row, 1) : Vec3{};
    add_external(m, d, held.body_a, held.point_a, force, torque);
    add_external(m, d, held.body_b, held.point_b, -force, -torque);
    row += weld ? 6 : 3;
  }
}

}  // namespace

void run_body_forces(const Model& m, const State& s, Data& d) {
  Spatial world{};
  if (!(m.opt.disableflags & kDisableGravity)) world.lin = -vec3(m.opt.gravity, 0);
  set(d.cacc, 0, world);
  set(d.cfrc_ext, 0, Spatial{});
  set(d.cfrc_int, 0, Spatial{});
  for (int b = 1; b < m.nbody; ++b) applied_force(m, s, d, b);
  contact_forces(m, d);
  holding_forces(m, d);
  for (int b = 1; b < m.nbody; ++b) {
    body_newton_euler(m, s, d, b, d.qacc, d.cacc, d.cfrc_int);
    set(d.cfrc_int, b, spatial(d.cfrc_int, b) - spatial(d.cfrc_ext, b));
  }
  for (int b = m.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    set(d.cfrc_int, parent, spatial(d.cfrc_int, parent) + spatial(d.cfrc_int, b));
  }
  d.done.body_forces = true;
}

}  // namespace pliant
