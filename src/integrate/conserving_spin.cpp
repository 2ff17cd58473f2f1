// Spinning bodies that keep their momentum and energy: the midpoint rule on their momentum.

#include "integrate/conserving_spin.h"

#include <cmath>

#include "integrate/free_body_hd.h"
#include "joint/frame.h"
#include "math/spatial.h"
#include "math/field_values.h"
#include "math/mat3.h"
#include "math/quat.h"

namespace pliant {
namespace {

Mat3 sum(const Mat3& a, double factor, const Mat3& b) {
  Mat3 c;
  for (int i = 0; i < 9; ++i) c.m[i] = a.m[i] + factor * b.m[i];
  return c;
}

/// A⁻¹ b by Cramer's rule.
Vec3 solve(const Mat3& a, Vec3 b) {
  const Vec3 x = a.column(0), y = a.column(1), z = a.column(2);
  const double scale = 1 / dot(x, cross(y, z));
  return {scale * dot(b, cross(y, z)), scale * dot(x, cross(b, z)), scale * dot(x, cross(y, b))};
}

/// Whether only forces of the step act on a joint's dofs, and M is its body's inertia alone.
bool is_plain(const Model& m, int first, int n) {
  for (int i = first; i < first + n; ++i) {
    if (m.dof_armature[i] != 0 || m.dof_damping[i] != 0 || m.dof_dampingpoly[2 * i] != 0 ||
        m.dof_dampingpoly[2 * i + 1] != 0) {
      return false;
    }
  }
  return true;
}

/// Whether a ball joint is alone on its body and in its tree, on something fixed.
bool is_ball_on_fixed(const Model& m, int joint) {
  const int body = m.jnt_bodyid[joint], first = m.jnt_dofadr[joint];
  return m.jnt_type[joint] == static_cast<int>(JointType::kBall) && m.body_jntnum[body] == 1 &&
         m.tree_dofnum[m.dof_treeid[first]] == 3 && m.M_parentid[first] < 0;
}

void put(double* to, Vec3 x) { to[0] = x.x, to[1] = x.y, to[2] = x.z; }

/// A rotation of one step: new momentum, velocity and orientation of a body.
struct Turn {
  Vec3 omega;
  Quat quat;
  bool solved = false;
};

/// From the momentum after the torques of the step, in the body's axes.
Turn turn(const Mat3& inertia, Vec3 momentum, Quat quat, double h) {
  constexpr int kMostIterations = 30;
  constexpr double kRounding = 4e-16, kClose = 1e-8;
  const Vec3 start = solve(inertia, momentum);
  Vec3 mean = start;
  double last = HUGE_VAL;
  for (int i = 0; i < kMostIterations; ++i) {
    // F = 2 I Ω - 2 Π* - h IΩ × Ω
    const Vec3 middle = inertia * mean;
    const Vec3 residual = middle * 2.0 - momentum * 2.0 - cross(middle, mean) * h;
    const Mat3 slope = sum(sum(inertia, 1, inertia), h, sum(skew(mean) * inertia, -1, skew(middle)));
    const Vec3 change = solve(slope, residual);
    mean = mean - change;
    const double size = norm(change);
    // (the inertia of a thin rod magnifies roundings: it ends where it comes no nearer)
    const bool no_nearer = size >= last && size <= kClose * norm(mean);
    if (size <= kRounding * norm(mean) || no_nearer) {
      const Vec3 half = mean * (0.5 * h);
      return {mean * 2.0 - start, normalized(quat * normalized(Quat{1, half.x, half.y, half.z})), true};
    }
    if (!(size < HUGE_VAL)) break;
    last = size;
  }
  return {};
}

bool turn_free(const Model& m, const State& s, Data& d, int joint) {
  const double h = m.opt.timestep;
  const int first = m.jnt_dofadr[joint], adr = m.jnt_qposadr[joint];
  Mat6T<double> M;
  add_free_body_part(m, d.M, first, M);
  const Quat quat = normalized(Quat{s.qpos[adr + 3], s.qpos[adr + 4], s.qpos[adr + 5], s.qpos[adr + 6]});
  const Mat3 axes = matrix(quat);
  // its columns: momentum, in world axes, of a turn about an axis of the body
  Mat3 coupling, about_origin;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) coupling(i, k) = M(i, 3 + k), about_origin(i, k) = M(3 + i, 3 + k);
  }
  const double mass = M(0, 0);
  const Mat3 lever = transpose(axes) * coupling;
  const Vec3 com = Vec3{lever(1, 2), lever(2, 0), lever(0, 1)} * (1 / mass);
  Mat3 inertia = about_origin;
  for (int i = 0; i < 3; ++i) {
    inertia(i, i) -= mass * dot(com, com);
    for (int k = 0; k < 3; ++k) inertia(i, k) += mass * com[i] * com[k];
  }
  const Vec3 omega = vec3(s.qvel + first + 3, 0), alpha = vec3(d.qacc + first + 3, 0);
  const Vec3 spin = inertia * omega, torque = inertia * alpha + cross(omega, spin);
  const Turn turned = turn(inertia, spin + torque * h, quat, h);
  if (!turned.solved) return false;
  // the centre of mass, then the body's origin after it
  const Vec3 acceleration = vec3(d.qacc + first, 0) + axes * (cross(alpha, com) + cross(omega, cross(omega, com)));
  const Vec3 velocity = vec3(s.qvel + first, 0) + axes * cross(omega, com) + acceleration * h;
  const Mat3 after = matrix(turned.quat);
  put(d.next_qpos + adr, vec3(s.qpos + adr, 0) + axes * com + velocity * h - after * com);
  for (int k = 0; k < 4; ++k) d.next_qpos[adr + 3 + k] = turned.quat[k];
  put(d.next_qvel + first, velocity - after * cross(turned.omega, com));
  put(d.next_qvel + first + 3, turned.omega);
  return true;
}

bool turn_ball(const Model& m, const State& s, Data& d, int joint) {
  const double h = m.opt.timestep;
  const int first = m.jnt_dofadr[joint], adr = m.jnt_qposadr[joint];
  Mat3 inertia;
  for (int i = 0; i < 3; ++i) {
    const int row = m.M_rowadr[first + i];
    for (int c = 0; c < m.M_rownnz[first + i]; ++c) {
      const int k = m.M_colind[row + c] - first;
      inertia(i, k) = inertia(k, i) = d.M[row + c];
    }
  }
  const Vec3 omega = vec3(s.qvel + first, 0), spin = inertia * omega;
  const Vec3 torque = inertia * vec3(d.qacc + first, 0) + cross(omega, spin);
  const Quat quat = normalized(Quat{s.qpos[adr], s.qpos[adr + 1], s.qpos[adr + 2], s.qpos[adr + 3]});
  const Turn turned = turn(inertia, spin + torque * h, quat, h);
  if (!turned.solved) return false;
  for (int k = 0; k < 4; ++k) d.next_qpos[adr + k] = turned.quat[k];
  put(d.next_qvel + first, turned.omega);
  return true;
}

/// A body with what is fixed to it, in its own axes.
struct Rigid {
  double mass = 0;
  Vec3 com;                                      // from its origin
  Mat3 inertia = {{0, 0, 0, 0, 0, 0, 0, 0, 0}};  // about the origin, until moved

  void add(double more, Vec3 at, const Mat3& axes, Vec3 diagonal) {
    com = (com * mass + at * more) * (1 / (mass + more));
    mass += more;
    const auto about = inertia_about(diagonal, axes, at, more);
    const auto& i = about.v;
    const double full[9] = {i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]};
    for (int k = 0; k < 9; ++k) inertia.m[k] += full[k];
  }
  /// The inertia about another point than the origin.
  void move(Vec3 to) {
    const Vec3 there = com - to;
    for (int i = 0; i < 3; ++i) {
      inertia(i, i) += mass * (dot(there, there) - dot(com, com));
      for (int k = 0; k < 3; ++k) inertia(i, k) += mass * (com[i] * com[k] - there[i] * there[k]);
    }
  }
};

/// Where a body is that is fixed to `root`, in the axes of root.
BodyFrame<double> fixed_pose(const Model& m, int root, int body) {
  BodyFrame<double> frame{{}, {}, {}};
  for (; body != root; body = m.body_parentid[body]) {
    const Quat turn = quat(m.body_quat, body);
    frame.pos = rotate(turn, frame.pos) + vec3(m.body_pos, body);
    frame.quat = turn * frame.quat;
  }
  return frame;
}

/// The body of a joint that spins alone: inertia about its centre of mass, or about the anchor of a ball joint.
Rigid rigid_of(const Model& m, int joint) {
  const int root = m.jnt_bodyid[joint], tree = m.dof_treeid[m.jnt_dofadr[joint]];
  Rigid sum;
  for (int b = root; b < root + m.tree_bodynum[tree]; ++b) {
    const double mass = m.body_mass[b];
    if (!(mass > 0)) continue;
    const BodyFrame<double> frame = fixed_pose(m, root, b);
    sum.add(mass, frame.pos + rotate(frame.quat, vec3(m.body_ipos, b)), matrix(frame.quat * quat(m.body_iquat, b)),
            vec3(m.body_inertia, b));
  }
  sum.move(floats(m.jnt_type[joint]) ? sum.com : vec3(m.jnt_pos, joint));
  return sum;
}

Quat quat_at(const double* qpos) { return normalized(Quat{qpos[0], qpos[1], qpos[2], qpos[3]}); }

}  // namespace

bool spins_alone(const Model& m, int joint) {
  const bool free = is_free_body(m, joint);
  return (free || is_ball_on_fixed(m, joint)) && is_plain(m, m.jnt_dofadr[joint], free ? 6 : 3) &&
         m.jnt_actuatorid[joint] == -1 && m.body_subtreemass[m.jnt_bodyid[joint]] > 0;
}

bool fly(const Model& m, int joint, double time, double* qpos, double* qvel) {
  const Rigid body = rigid_of(m, joint);
  const bool free = floats(m.jnt_type[joint]);
  double *const at = qpos + m.jnt_qposadr[joint] + (free ? 3 : 0), *const v = qvel + m.jnt_dofadr[joint];
  double* const w = v + (free ? 3 : 0);
  const Quat before = quat_at(at);
  const Vec3 omega = vec3(w, 0);
  const Turn turned = turn(body.inertia, body.inertia * omega, before, time);
  if (!turned.solved) return false;
  for (int k = 0; k < 4; ++k) at[k] = turned.quat[k];
  put(w, turned.omega);
  if (!free) return true;
  // the centre of mass goes straight on
  const Mat3 old = matrix(before), axes = matrix(turned.quat);
  const Vec3 velocity = vec3(v, 0) + old * cross(omega, body.com);
  double* const pos = qpos + m.jnt_qposadr[joint];
  put(pos, vec3(pos, 0) + old * body.com + velocity * time - axes * body.com);
  put(v, velocity - axes * cross(turned.omega, body.com));
  return true;
}

void push_flying(const Model& m, int joint, double time, const double* qpos, const double* qacc, double* qvel) {
  const Rigid body = rigid_of(m, joint);
  const bool free = floats(m.jnt_type[joint]);
  const int first = m.jnt_dofadr[joint] + (free ? 3 : 0);
  const Vec3 omega = vec3(qvel + first, 0), alpha = vec3(qacc + first, 0);
  // qacc has the torque of the turning axes in it
  const Vec3 torque_only = alpha + solve(body.inertia, cross(omega, body.inertia * omega));
  put(qvel + first, omega + torque_only * time);
  if (!free) return;
  const int lin = first - 3;
  const Mat3 axes = matrix(quat_at(qpos + m.jnt_qposadr[joint] + 3));
  const Vec3 com = body.com;
  const Vec3 push = vec3(qacc + lin, 0) + axes * (cross(alpha, com) + cross(omega, cross(omega, com)));
  // of the centre of mass; the origin moves about it as the new spin says
  put(qvel + lin, vec3(qvel + lin, 0) + push * time - axes * cross(torque_only * time, com));
}

void conserve_spins(const Model& m, const State& s, Data& d) {
  if (m.opt.density != 0 || m.opt.viscosity != 0) return;
  for (int j = 0; j < m.njnt; ++j) {
    const bool free = is_free_body(m, j);
    if (!(free || is_ball_on_fixed(m, j)) || !is_plain(m, m.jnt_dofadr[j], free ? 6 : 3)) continue;
    if (!(free ? turn_free(m, s, d, j) : turn_ball(m, s, d, j))) ++d.gyroscopic_explicit;
  }
}

}  // namespace pliant
