// Energy and momentum of kinematic trees.

#include "integrate/tree_motion.h"

#include "balance/energy_hd.h"
#include "inertia/composite_hd.h"
#include "kinematics/kinematics_hd.h"
#include "math/field_values.h"

namespace pliant {
namespace {

// What kernels of poses and springs see: positions of one's own, and arrays of their own.
struct Positions {
  using Real = double;
  const double *qpos, *plastic, *mocap_pos, *mocap_quat;
};
struct Poses {
  using Real = double;
  double *xpos, *xquat, *xmat, *velocity, *hinge_sin, *hinge_cos, *xanchor, *xaxis;
};

constexpr int kPerBody = 3 + 4 + 9 + 6, kPerJoint = 1 + 1 + 3 + 3;

// Frame of a body, and its velocity: of its origin, world axes. (Parents have been there.)
BodyFrame<double> move_body(const Model& m, const Positions& s, Poses& d, int body) {
  const int first = m.body_jntadr[body], end = first + m.body_jntnum[body];
  const bool alone = end == first + 1 && floats(m.jnt_type[first]);
  BodyFrame<double> frame;
  if (!alone) frame = carried_frame(m, s, d, body);
  for (int j = first; j < end; ++j) {
    Vec3 anchor, axis;
    with_joint_type(m.jnt_type[j], [&](auto type) { type.move(m, s.qpos, d, j, frame, anchor, axis); });
    set(d.xanchor, j, anchor);
    set(d.xaxis, j, axis);
  }
  set(d.xpos, body, frame.pos);
  set(d.xquat, body, frame.quat);
  set(d.xmat, body, frame.mat);
  return frame;
}

Spatial body_velocity(const Model& m, const double* qvel, const Poses& d, int body, const BodyFrame<double>& frame) {
  const int parent = m.body_parentid[body];
  Spatial v = spatial(d.velocity, parent);
  v.lin = v.lin + cross(v.ang, frame.pos - vec3(d.xpos, parent));
  for (int j = m.body_jntadr[body]; j < m.body_jntadr[body] + m.body_jntnum[body]; ++j) {
    with_joint_type(m.jnt_type[j], [&](auto type) {
      double column[6 * 6];
      double* columns = column;
      type.columns(columns, 0, vec3(d.xaxis, j), frame.pos - vec3(d.xanchor, j), frame.mat);
      for (int k = 0; k < type.kNumVel; ++k) v = fused(qvel[m.jnt_dofadr[j] + k], spatial(columns, k), v);
    });
  }
  return v;
}

}  // namespace

bool tree_floats(const Model& m, int tree) {
  const int body = m.tree_bodyadr[tree];
  return m.body_jntnum[body] == 1 && floats(m.jnt_type[m.body_jntadr[body]]);
}

int tree_motion_room(const Model& m) { return kPerBody * m.nbody + kPerJoint * m.njnt; }

void measure_trees(const Model& m, const State& state, const double* qpos, const double* qvel, const double* centre,
                   bool springs, const bool* wanted, double* room, TreeMotion* trees) {
  const auto part = [&](int n) {
    double* const start = room;
    room += n;
    return start;
  };
  const int nb = m.nbody, nj = m.njnt;
  Poses d{part(3 * nb), part(4 * nb), part(9 * nb), part(6 * nb), part(nj), part(nj), part(3 * nj), part(3 * nj)};
  const Positions s{qpos, state.plastic, state.mocap_pos, state.mocap_quat};
  hinge_angles(SerialTeam{}, m, s, d);
  set(d.xpos, 0, Vec3{});
  set(d.xquat, 0, Quat{});
  set(d.xmat, 0, Mat3{});
  set(d.velocity, 0, Spatial{});
  const bool falls = !(m.opt.disableflags & kDisableGravity);
  const Vec3 gravity = falls ? Vec3{m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]} : Vec3{};
  for (int t = 0; t < m.ntree; ++t) trees[t] = {};
  for (int b = 1; b < nb; ++b) {
    const int tree = m.body_treeid[b];
    if (tree >= 0 && !wanted[tree]) continue;
    const BodyFrame<double> frame = move_body(m, s, d, b);
    const Spatial v = body_velocity(m, qvel, d, b, frame);
    set(d.velocity, b, v);
    if (tree < 0) continue;
    TreeMotion& sum = trees[tree];
    const double mass = m.body_mass[b];
    const Vec3 inertia = vec3(m.body_inertia, b), arm = frame.mat * vec3(m.body_ipos, b);
    const Vec3 offset = frame.pos + arm - vec3(centre, m.body_rootid[b]), moving = v.lin + cross(v.ang, arm);
    const auto same = static_cast<SameFrame>(m.body_sameframe[b]);
    const bool turned = same != SameFrame::kBody && same != SameFrame::kBodyRot;
    const Mat3 axes = turned ? frame.mat * matrix(quat(m.body_iquat, b)) : frame.mat;
    const Vec3 w = transposed_times(axes, v.ang), spin{inertia.x * w.x, inertia.y * w.y, inertia.z * w.z};
    sum.kinetic += 0.5 * (mass * dot(moving, moving) + dot(w, spin));
    sum.potential -= mass * dot(gravity, offset);
    if (!tree_floats(m, tree)) continue;
    sum.mass += mass;
    sum.com = sum.com + offset * mass;
    sum.momentum = sum.momentum + moving * mass;
    sum.spin = sum.spin + cross(offset, moving) * mass + axes * spin;
    const InertiaT<double> about = inertia_about(inertia, axes, offset, mass);
    const auto& i = about.v;
    const double full[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    for (int k = 0; k < 9; ++k) sum.inertia.m[k] += full[k];
  }
  for (int t = 0; t < m.ntree; ++t) {
    TreeMotion& sum = trees[t];
    if (!wanted[t]) continue;
    for (int i = m.tree_dofadr[t]; i < m.tree_dofadr[t] + m.tree_dofnum[t]; ++i) {
      sum.kinetic += 0.5 * (m.dof_armature[i] + actuator_armature(m, m.dof_jntid[i])) * qvel[i] * qvel[i];
    }
    if (!(sum.mass > 0)) continue;
    // from the point of reference to the centre of mass
    sum.com = sum.com * (1 / sum.mass);
    sum.spin = sum.spin - cross(sum.com, sum.momentum);
    const Vec3 c = sum.com;
    for (int i = 0; i < 3; ++i) {
      sum.inertia(i, i) -= sum.mass * dot(c, c);
      for (int k = 0; k < 3; ++k) sum.inertia(i, k) += sum.mass * c[i] * c[k];
    }
  }
  if (!springs || (m.opt.disableflags & kDisableSpring)) return;
  for (int j = 0; j < nj; ++j) {
    const int tree = m.dof_treeid[m.jnt_dofadr[j]];
    if (wanted[tree]) trees[tree].potential += joint_potential(m, s, j);
  }
}

}  // namespace pliant
