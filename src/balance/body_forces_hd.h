#pragma once
// Accelerations of bodies, and the forces on them: from outside, and from the parent.
//
// reads cinert cdof cdof_dot cvel bias_acc qvel qacc xfrc_applied contact rows ten_* wrap_* actuator_force
// writes cacc cfrc_ext cfrc_int · cost: linear; by teams contacts times bodies, shared out
// From outside come applied forces, contacts, connects, welds and spatial tendons, in this order. The force of the
// parent carries everything the body carries: cfrc_int = Σ_subtree (I a + v ×* I v - cfrc_ext).
//
// In a team a member takes the contacts of one body at a time, so that nobody else adds there and sums have the order
// of the plain loop. Equalities and tendons push several bodies each and are few: one member takes them all.

#include "base/team.h"
#include "constraint/contact_force_hd.h"
#include "constraint/equality_kinds_hd.h"
#include "force/passive_damper_hd.h"
#include "force/passive_spring_hd.h"
#include "inertia/bias_hd.h"
#include "kinematics/object_hd.h"
#include "kinematics/tendon_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void applied_force(const M& m, const S& s, D& d, int body) {
  using R = typename D::Real;
  const SpatialT<R> applied = spatial(s.xfrc_applied, body);  // force first, torque second
  if (dot(applied, applied) == 0) return set(d.cfrc_ext, body, SpatialT<R>{});
  const SpatialT<R> wrench{applied.lin, applied.ang};
  set(d.cfrc_ext, body, moved_force(wrench, -offset_in_tree(m, d, body, vec3(d.xipos, body))));
}

/// A force and torque (world axes) at a point of a body; the world feels nothing.
template <class M, class D, class R>
PLIANT_HD void add_external(const M& m, D& d, int body, Vec3T<R> point, Vec3T<R> force, Vec3T<R> torque) {
  if (body == 0) return;
  set(d.cfrc_ext, body, spatial(d.cfrc_ext, body) + wrench_at(m, d, body, point, force, torque));
}

/// What a contact does to its two bodies, as far as wanted(body) says.
template <class M, class D, class Wanted>
PLIANT_HD void contact_force(const M& m, D& d, int i, Wanted&& wanted) {
  using R = typename D::Real;
  const auto& contact = d.contact[i];
  if (contact.row < 0) return;
  const int first = m.geom_bodyid[contact.geom[0]], second = m.geom_bodyid[contact.geom[1]];
  if (!wanted(first) && !wanted(second)) return;
  const ContactForceT<R> wrench = contact_wrench(d, i);
  const auto to_world = [&](Vec3T<R> v) {
    return vec3(contact.frame, 0) * v.x + vec3(contact.frame, 1) * v.y + vec3(contact.frame, 2) * v.z;
  };
  const Vec3T<R> point = vec3(contact.pos, 0), force = to_world(wrench.force), torque = to_world(wrench.torque);
  if (wanted(first)) add_external(m, d, first, point, -force, -torque);
  if (wanted(second)) add_external(m, d, second, point, force, torque);
}

template <class Team, class M, class D>
PLIANT_HD void contact_forces(const Team& team, const M& m, D& d) {
  if constexpr (Team::kSerial) {
    for (int i = 0; i < d.ncon; ++i) contact_force(m, d, i, [](int) PLIANT_INLINED { return true; });
  } else {
    each(team, m.nbody - 1, [&](int k) {
      const int mine = k + 1;
      for (int i = 0; i < d.ncon; ++i) contact_force(m, d, i, [mine](int body) { return body == mine; });
    });
  }
}

/// Equalities that hold bodies pull at both anchors; those of tendons come with the other forces of tendons.
template <class M, class D>
struct PushBodies {
  const M& m;
  D& d;
  template <class R>
  PLIANT_HD void at(int body, Vec3T<R> point, Vec3T<R> force, Vec3T<R> torque) const {
    add_external(m, d, body, point, force, torque);
  }
  template <class R>
  PLIANT_HD void along(int, R) const {}
};

template <class M, class D, class Push>
PLIANT_HD void equality_forces(const M& m, D& d, const Push& push) {
  for (int row = 0; row < d.rows.ne;) {
    const int equality = d.rows.row_id[row];
    row += with_equality(m.eq_type[equality], [&](auto kind) {
      kind.body_forces(m, d, row, equality, push);
      return kind.kRows;
    });
  }
}

/// A force along a spatial tendon: it pushes the ends of every straight piece apart. Where the tendon lies on a geom,
/// the geom's body feels both ends of the piece on it.
template <class M, class D, class R>
PLIANT_HD void push_along(const M& m, D& d, int tendon, R force) {
  if (force == 0 || is_fixed_tendon(m, tendon)) return;
  int point = d.ten_wrapadr[tendon];
  const auto piece = [&](int body0, int from, int body1, int to, R push) {
    if (body0 == body1) return;
    const Vec3T<R> p0 = vec3(d.wrap_xpos, from), p1 = vec3(d.wrap_xpos, to), along = normalized(p1 - p0) * push;
    add_external(m, d, body0, p0, -along, Vec3T<R>{});
    add_external(m, d, body1, p1, along, Vec3T<R>{});
  };
  walk_tendon(
      m, tendon, [&] { ++point; },
      [&](const TendonStep<R>& step) {
        const int from = point, body0 = m.site_bodyid[step.site0], body1 = m.site_bodyid[step.site1];
        const R push = force / step.divisor;
        // points on a geom follow the site the step begins at; the site it ends at comes next in any case
        const int geom = step.wrap < 0 ? -1 : d.wrap_obj[from + 1];
        if (geom >= 0) {
          const int body = m.geom_bodyid[geom];
          piece(body0, from, body, from + 1, push);
          piece(body, from + 2, body1, from + 3, push);
        } else {
          piece(body0, from, body1, from + 1, push);
        }
        point = from + (geom >= 0 ? 3 : 1) + (step.last ? 1 : 0);
      });
}

template <class M, class D>
struct PushTendons {
  const M& m;
  D& d;
  template <class R>
  PLIANT_HD void at(int, Vec3T<R>, Vec3T<R>, Vec3T<R>) const {}
  template <class R>
  PLIANT_HD void along(int tendon, R force) const {
    push_along(m, d, tendon, force);
  }
};

/// Forces along a tendon that are no constraint's: spring, damper, and what its own inertia needs.
template <class M, class S, class D>
PLIANT_HD auto smooth_tension(const M& m, const S& s, const D& d, int tendon) {
  using R = typename D::Real;
  R force = 0;
  if (!(m.opt.disableflags & kDisableSpring)) force += tendon_spring(m, s, d, tendon);
  if (!(m.opt.disableflags & kDisableDamper)) force += tendon_damper(m, d, tendon);
  if (const R inertia = tendon_inertia(m, tendon); inertia != 0) {
    R acceleration = tendon_bias_acceleration(m, d, tendon);
    const int first = m.ten_J_rowadr[tendon];
    for (int k = first; k < first + m.ten_J_rownnz[tendon]; ++k) acceleration += d.ten_J[k] * d.qacc[m.ten_J_colind[k]];
    force -= inertia * acceleration;
  }
  return force;
}

/// Which way a row of a tendon's limit pushes: the lower limit lengthens the tendon, the upper one shortens it. The row
/// of the lower limit comes first.
template <class M, class D>
PLIANT_HD int limit_direction(const M& m, const D& d, int row) {
  const int tendon = d.rows.row_id[row];
  const bool second = row > 0 && d.rows.row_id[row - 1] == tendon &&
                      d.rows.row_type[row - 1] == static_cast<int>(RowType::kLimitTendon);
  const bool lower = !second && d.rows.row_pos[row] == -(m.tendon_range[2 * tendon] - d.ten_length[tendon]);
  return lower ? 1 : -1;
}

template <class M, class S, class D>
PLIANT_HD void tendon_forces(const M& m, const S& s, D& d) {
  using R = typename D::Real;
  for (int t = 0; t < m.ntendon; ++t) push_along(m, d, t, smooth_tension(m, s, d, t));
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_trntype[i] != static_cast<int>(TransmissionType::kTendon)) continue;
    const int out = m.actuator_outadr[i];
    push_along(m, d, m.actuator_trnid[2 * i], R(m.actuator_gear[6 * out] * d.actuator_force[out]));
  }
  equality_forces(m, d, PushTendons<M, D>{m, d});
  for (int row = d.rows.ne; row < d.rows.n; ++row) {
    const auto type = static_cast<RowType>(d.rows.row_type[row]);
    const int id = d.rows.row_id[row];
    if (type == RowType::kFrictionTendon) push_along(m, d, id, R(d.rows.row_force[row]));
    if (type == RowType::kLimitTendon) push_along(m, d, id, limit_direction(m, d, row) * R(d.rows.row_force[row]));
  }
}

template <class Team, class M, class S, class D>
PLIANT_HD void find_body_forces(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  once(team, [&] {
    SpatialT<R> world{};
    if (!(m.opt.disableflags & kDisableGravity)) {
      world.lin = {R(-m.opt.gravity[0]), R(-m.opt.gravity[1]), R(-m.opt.gravity[2])};
    }
    set(d.cacc, 0, world);
    set(d.cfrc_ext, 0, SpatialT<R>{});
    set(d.cfrc_int, 0, SpatialT<R>{});
  });
  each(team, m.nbody - 1, [&](int i) PLIANT_INLINED { applied_force(m, s, d, i + 1); });
  contact_forces(team, m, d);
  // (no lambda: on a device so large a one would be a call, with views of Model and Data in memory)
  if (team.lane() == 0) {
    equality_forces(m, d, PushBodies<M, D>{m, d});
    if (m.ntendon) tendon_forces(m, s, d);
  }
  team.sync();
  parents_first(team, m, [&](int b) PLIANT_INLINED { body_newton_euler(m, s, d, b, d.qacc, d.cacc, d.cfrc_int); });
  // (not at once: what was just stored in pieces is slow to load together)
  each(team, m.nbody - 1,
       [&](int i) PLIANT_INLINED { set(d.cfrc_int, i + 1, spatial(d.cfrc_int, i + 1) - spatial(d.cfrc_ext, i + 1)); });
  children_first(team, m, [&](int b) PLIANT_INLINED {
    const int parent = m.body_parentid[b];
    set(d.cfrc_int, parent, spatial(d.cfrc_int, parent) + spatial(d.cfrc_int, b));
  });
}

}  // namespace pliant
