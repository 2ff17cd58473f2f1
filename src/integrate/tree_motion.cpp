// Energy and momentum of kinematic trees: kernels of poses and motions, with two numbers in place of one.

#include "integrate/tree_motion.h"

#include "balance/energy_hd.h"
#include "inertia/composite_hd.h"
#include "joint/joint.h"
#include "math/field_values.h"
#include "math/sincos.h"
#include "math/two.h"

namespace pliant {
namespace {

using Vec = Vec3T<Two>;
using Turn = QuatT<Two>;
using Axes = Mat3T<Two>;
using Frame = BodyFrame<Two>;

// What kernels of joints see.
struct JointsView {
  Shared jnt_pos, jnt_axis, qpos0;
  const int* jnt_qposadr;
};
struct AnglesView {
  Paired hinge_sin, hinge_cos;
};

// A body on its way: frame, angular velocity, velocity of its origin; world axes.
struct Moving {
  Frame frame;
  Vec angular, linear;
};

// What springs see of one state.
struct Positions {
  using Real = double;
  const double *qpos, *plastic;
};

class Pass {
 public:
  Pass(const Model& m, const State& s, const StatePair& pair, std::byte* room)
      : m_(m),
        s_(s),
        joints_{{m.jnt_pos}, {m.jnt_axis}, {m.qpos0}, m.jnt_qposadr},
        qpos_{pair.qpos[0], pair.qpos[1]},
        qvel_{pair.qvel[0], pair.qvel[1]},
        bodies_(reinterpret_cast<Moving*>(room)) {
    // half angles of hinges (and something harmless for other joints), all together
    double* const sine = reinterpret_cast<double*>(bodies_ + m.nbody);
    const int n = m.njnt;
    for (int j = 0; j < n; ++j) {
      const int adr = m.jnt_qposadr[j];
      sine[j] = 0.5 * (pair.qpos[0][adr] - m.qpos0[adr]);
      sine[n + j] = 0.5 * (pair.qpos[1][adr] - m.qpos0[adr]);
    }
    sincos_many(sine, sine + 2 * n, 2 * n);
    angles_ = {{sine, sine + n}, {sine + 2 * n, sine + 3 * n}};
    bodies_[0] = {};
  }

  PLIANT_HD const Moving& move(int body) {
    Moving& now = bodies_[body];
    const Moving& parent = bodies_[m_.body_parentid[body]];
    const int first = m_.body_jntadr[body], end = first + m_.body_jntnum[body];
    if (end == first + 1) {
      if (!floats(m_.jnt_type[first])) carry(body, parent, now.frame);
      const Axis a = act(first, now.frame);
      now.angular = parent.angular;
      now.linear = cross_plus(parent.angular, now.frame.pos - parent.frame.pos, parent.linear);
      add_velocity(first, a, now);
      return now;
    }
    move_by_several(first, end, body, parent, now);
    return now;
  }

  static size_t room(const Model& m) { return sizeof(Moving) * m.nbody + sizeof(double) * 4 * m.njnt; }

 private:
  struct Axis {
    Vec anchor, axis;
  };

  // Several joints, or none: where each acts is known when all have.
  [[gnu::noinline]] void move_by_several(int first, int end, int body, const Moving& parent, Moving& now) const {
    carry(body, parent, now.frame);
    constexpr int kMost = 6;  // (a body has six dofs at most)
    Axis axes[kMost];
    for (int j = first; j < end; ++j) axes[j - first] = act(j, now.frame);
    now.angular = parent.angular;
    now.linear = cross_plus(parent.angular, now.frame.pos - parent.frame.pos, parent.linear);
    for (int j = first; j < end; ++j) add_velocity(j, axes[j - first], now);
  }

  // The frame before joints act.
  PLIANT_HD void carry(int body, const Moving& parent, Frame& frame) const {
    const int mocap = m_.body_mocapid[body];
    if (mocap >= 0) {
      const Quat turn = normalized(quat(s_.mocap_quat, mocap));
      frame.pos = vec3(Shared{s_.mocap_pos}, mocap);
      frame.quat = {turn.w, turn.x, turn.y, turn.z};
      frame.mat = matrix(frame.quat);
      return;
    }
    frame.pos = times_plus(parent.frame.mat, vec3(Shared{m_.body_pos}, body), parent.frame.pos);
    if (m_.body_quat[4 * body] == 1) {
      frame.quat = parent.frame.quat, frame.mat = parent.frame.mat;
    } else {
      frame.quat = parent.frame.quat * quat(Shared{m_.body_quat}, body);
      frame.mat = matrix(frame.quat);
    }
  }

  PLIANT_HD Axis act(int joint, Frame& frame) const {
    Axis a;
    with_joint_type(m_.jnt_type[joint], [&](auto type) PLIANT_INLINED {
      type.move(joints_, qpos_, angles_, joint, frame, a.anchor, a.axis);
    });
    return a;
  }

  PLIANT_HD void add_velocity(int joint, const Axis& a, Moving& now) const {
    with_joint_type(m_.jnt_type[joint], [&](auto type) PLIANT_INLINED {
      Two column[6 * type.kNumVel];
      Two* columns = column;
      type.columns(columns, 0, a.axis, now.frame.pos - a.anchor, now.frame.mat);
      for (int k = 0; k < type.kNumVel; ++k) {
        const Two speed = qvel_[m_.jnt_dofadr[joint] + k];
        const SpatialT<Two> moves = spatial(columns, k);
        now.angular = fused(speed, moves.ang, now.angular);
        now.linear = fused(speed, moves.lin, now.linear);
      }
    });
  }

  const Model& m_;
  const State& s_;
  JointsView joints_;
  Paired qpos_, qvel_;
  AnglesView angles_;
  Moving* bodies_;
};

// Momenta and inertia of a tree about its point of reference, of both states; the inertia's numbers: xx yy zz xy xz yz.
struct Momenta {
  double mass = 0;
  Vec com, momentum, spin;
  Two inertia[6];

  // A body at `offset` that moves; `own`: the axes of its inertia, `turning` its angular momentum along these.
  void add(double weight, const Vec& moments, const Axes& own, const Vec& offset, const Vec& moving,
           const Vec& turning) {
    const Two heavy = weight;
    mass += weight;
    com = fused(heavy, offset, com);
    momentum = fused(heavy, moving, momentum);
    spin = times_plus(own, turning, fused(heavy, cross(offset, moving), spin));
    const Vec rows[] = {own.row(0), own.row(1), own.row(2)}, at = offset * heavy;
    const Two square = dot(at, offset), along[] = {offset.x, offset.y, offset.z}, weighted[] = {at.x, at.y, at.z};
    constexpr int kPlaces[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int n = 0; n < 6; ++n) {
      const int i = kPlaces[n][0], k = kPlaces[n][1];
      const Vec scaled = {moments.x * rows[k].x, moments.y * rows[k].y, moments.z * rows[k].z};
      inertia[n] += dot(rows[i], scaled) - weighted[i] * along[k];
      if (n < 3) inertia[n] += square;
    }
  }

  TreeMotion of(int lane) const {
    const auto vector = [&](const Vec& v) { return Vec3{v.x[lane], v.y[lane], v.z[lane]}; };
    TreeMotion sum;
    sum.mass = mass, sum.com = vector(com), sum.momentum = vector(momentum), sum.spin = vector(spin);
    constexpr int kFrom[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
    for (int n = 0; n < 9; ++n) sum.inertia.m[n] = inertia[kFrom[n]][lane];
    return sum;
  }
};

// From the point of reference to the centre of mass.
void move_to_com(TreeMotion& sum) {
  sum.com = sum.com * (1 / sum.mass);
  sum.spin = sum.spin - cross(sum.com, sum.momentum);
  const Vec3 c = sum.com;
  for (int i = 0; i < 3; ++i) {
    sum.inertia(i, i) -= sum.mass * dot(c, c);
    for (int k = 0; k < 3; ++k) sum.inertia(i, k) += sum.mass * c[i] * c[k];
  }
}

}  // namespace

bool tree_floats(const Model& m, int tree) {
  const int body = m.tree_bodyadr[tree];
  return m.body_jntnum[body] == 1 && floats(m.jnt_type[m.body_jntadr[body]]);
}

size_t tree_motion_room(const Model& m) { return Pass::room(m); }

void measure_trees(const Model& m, const State& s, const StatePair& pair, const double* centre, bool springs,
                   const Measure* wanted, std::byte* room, TreeMotion* trees) {
  Pass pass(m, s, pair, room);
  const bool falls = !(m.opt.disableflags & kDisableGravity);
  const Vec gravity = falls ? Vec{m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]} : Vec{};
  // (bodies of a tree are neighbours)
  for (int b = 1; b < m.nbody;) {
    const int tree = m.body_treeid[b];
    if (tree < 0) {
      pass.move(b++);
      continue;
    }
    const int end = m.tree_bodyadr[tree] + m.tree_bodynum[tree];
    if (wanted[tree] == Measure::kNothing) {
      b = end;
      continue;
    }
    TreeMotion* const sums = trees + 2 * tree;
    const bool whole = wanted[tree] == Measure::kMomenta;
    Momenta momenta;
    const Vec middle = vec3(Shared{centre}, m.body_rootid[b]);
    Two kinetic, potential;
    for (; b < end; ++b) {
      const Moving& now = pass.move(b);
      const Two mass = m.body_mass[b];
      const Vec arm = now.frame.mat * vec3(Shared{m.body_ipos}, b);
      const Vec offset = now.frame.pos + arm - middle, moving = cross_plus(now.angular, arm, now.linear);
      const Vec inertia = vec3(Shared{m.body_inertia}, b);
      const auto same = static_cast<SameFrame>(m.body_sameframe[b]);
      const auto turn = [&](const Vec& w, const auto& own) PLIANT_INLINED {
        const Vec turning = {inertia.x * w.x, inertia.y * w.y, inertia.z * w.z};
        kinetic += dot(turning, w);
        if (whole) momenta.add(m.body_mass[b], inertia, own(), offset, moving, turning);
      };
      if (same == SameFrame::kBody || same == SameFrame::kBodyRot) {
        turn(transposed_times(now.frame.mat, now.angular), [&] { return now.frame.mat; });
      } else {
        const Mat3 own = matrix(quat(m.body_iquat, b));
        Axes axes;
        for (int k = 0; k < 9; ++k) axes.m[k] = own.m[k];
        turn(transposed_times(axes, transposed_times(now.frame.mat, now.angular)),
             [&] { return now.frame.mat * axes; });
      }
      kinetic = mul_add(mass, dot(moving, moving), kinetic);
      potential -= mass * dot(gravity, offset);
    }
    for (int i = m.tree_dofadr[tree]; i < m.tree_dofadr[tree] + m.tree_dofnum[tree]; ++i) {
      const double armature = m.dof_armature[i] + actuator_armature(m, m.dof_jntid[i]);
      if (armature == 0) continue;
      const Two speed{pair.qvel[0][i], pair.qvel[1][i]};
      kinetic = mul_add(Two{armature}, speed * speed, kinetic);
    }
    for (int k = 0; k < 2; ++k) {
      sums[k] = whole ? momenta.of(k) : TreeMotion{};
      sums[k].kinetic = 0.5 * kinetic[k];
      sums[k].potential = potential[k];
      if (sums[k].mass > 0) move_to_com(sums[k]);
    }
  }
  if (!springs || (m.opt.disableflags & kDisableSpring)) return;
  for (int j = 0; j < m.njnt; ++j) {
    const int tree = m.dof_treeid[m.jnt_dofadr[j]];
    if (wanted[tree] == Measure::kNothing) continue;
    for (int k = 0; k < 2; ++k)
      trees[2 * tree + k].potential += joint_potential(m, Positions{pair.qpos[k], s.plastic}, j);
  }
}

}  // namespace pliant
