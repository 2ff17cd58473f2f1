// Accelerations of bodies, and the forces on them: from outside, and from the parent.
//
// reads cinert cdof cdof_dot cvel bias_acc qvel qacc xfrc_applied contact rows ten_* wrap_* actuator_force
// writes cacc cfrc_ext cfrc_int · cost: linear
// From outside come applied forces, contacts, connects, welds and spatial tendons. The force of the parent carries
// everything the body carries: cfrc_int = Σ_subtree (I a + v ×* I v - cfrc_ext).

#include "constraint/contact_force_hd.h"
#include "constraint/equality_kinds_hd.h"
#include "force/passive_damper_hd.h"
#include "force/passive_spring_hd.h"
#include "inertia/bias_hd.h"
#include "kinematics/object_hd.h"
#include "kinematics/tendon_hd.h"
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

// Equalities that hold bodies pull at both anchors; those of tendons come with the other forces of tendons.
struct PushBodies {
  const Model& m;
  Data& d;
  void at(int body, Vec3 point, Vec3 force, Vec3 torque) const { add_external(m, d, body, point, force, torque); }
  void along(int, double) const {}
};

template <class Push>
void equality_forces(const Model& m, Data& d, const Push& push) {
  for (int row = 0; row < d.rows.ne;) {
    const int equality = d.rows.row_id[row];
    row += with_equality(m.eq_type[equality], [&](auto kind) {
      kind.body_forces(m, d, row, equality, push);
      return kind.kRows;
    });
  }
}

// A force along a spatial tendon: it pushes the ends of every straight piece apart. Where the tendon lies on a geom,
// the geom's body feels both ends of the piece on it.
void push_along(const Model& m, Data& d, int tendon, double force) {
  if (force == 0 || is_fixed_tendon(m, tendon)) return;
  int point = d.ten_wrapadr[tendon];
  const auto piece = [&](int body0, int from, int body1, int to, double push) {
    if (body0 == body1) return;
    const Vec3 p0 = vec3(d.wrap_xpos, from), p1 = vec3(d.wrap_xpos, to), along = normalized(p1 - p0) * push;
    add_external(m, d, body0, p0, -along, Vec3{});
    add_external(m, d, body1, p1, along, Vec3{});
  };
  walk_tendon(
      m, tendon, [&] { ++point; },
      [&](const TendonStep<double>& step) {
        const int from = point, body0 = m.site_bodyid[step.site0], body1 = m.site_bodyid[step.site1];
        const double push = force / step.divisor;
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

struct PushTendons {
  const Model& m;
  Data& d;
  void at(int, Vec3, Vec3, Vec3) const {}
  void along(int tendon, double force) const { push_along(m, d, tendon, force); }
};

// Forces along a tendon that are no constraint's: spring, damper, and what its own inertia needs.
double smooth_tension(const Model& m, const State& s, const Data& d, int tendon) {
  double force = 0;
  if (!(m.opt.disableflags & kDisableSpring)) force += tendon_spring(m, s, d, tendon);
  if (!(m.opt.disableflags & kDisableDamper)) force += tendon_damper(m, d, tendon);
  if (const double inertia = tendon_inertia(m, tendon); inertia != 0) {
    double acceleration = tendon_bias_acceleration(m, d, tendon);
    const int first = m.ten_J_rowadr[tendon];
    for (int k = first; k < first + m.ten_J_rownnz[tendon]; ++k) acceleration += d.ten_J[k] * d.qacc[m.ten_J_colind[k]];
    force -= inertia * acceleration;
  }
  return force;
}

// Which way a row of a tendon's limit pushes: the lower limit lengthens the tendon, the upper one shortens it. The row
// of the lower limit comes first.
double limit_direction(const Model& m, const Data& d, int row) {
  const int tendon = d.rows.row_id[row];
  const bool second = row > 0 && d.rows.row_id[row - 1] == tendon &&
                      d.rows.row_type[row - 1] == static_cast<int>(RowType::kLimitTendon);
  const bool lower = !second && d.rows.row_pos[row] == -(m.tendon_range[2 * tendon] - d.ten_length[tendon]);
  return lower ? 1 : -1;
}

void tendon_forces(const Model& m, const State& s, Data& d) {
  if (m.ntendon == 0) return;
  for (int t = 0; t < m.ntendon; ++t) push_along(m, d, t, smooth_tension(m, s, d, t));
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_trntype[i] != static_cast<int>(TransmissionType::kTendon)) continue;
    const int out = m.actuator_outadr[i];
    push_along(m, d, m.actuator_trnid[2 * i], m.actuator_gear[6 * out] * d.actuator_force[out]);
  }
  equality_forces(m, d, PushTendons{m, d});
  for (int row = d.rows.ne; row < d.rows.n; ++row) {
    const auto type = static_cast<RowType>(d.rows.row_type[row]);
    const int id = d.rows.row_id[row];
    const double force = d.rows.row_force[row];
    if (type == RowType::kFrictionTendon) push_along(m, d, id, force);
    if (type == RowType::kLimitTendon) push_along(m, d, id, limit_direction(m, d, row) * force);
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
  equality_forces(m, d, PushBodies{m, d});
  tendon_forces(m, s, d);
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
