// Spinning bodies that keep their momentum and energy: the midpoint rule on their momentum.

#include "integrate/conserving_spin.h"

#include <cmath>

#include "integrate/free_body_hd.h"
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
  constexpr double kRounding = 4e-16;
  const Vec3 start = solve(inertia, momentum);
  Vec3 mean = start;
  for (int i = 0; i < kMostIterations; ++i) {
    // F = 2 I Ω - 2 Π* - h IΩ × Ω
    const Vec3 middle = inertia * mean;
    const Vec3 residual = middle * 2.0 - momentum * 2.0 - cross(middle, mean) * h;
    const Mat3 slope = sum(sum(inertia, 1, inertia), h, sum(skew(mean) * inertia, -1, skew(middle)));
    const Vec3 change = solve(slope, residual);
    mean = mean - change;
    if (norm(change) <= kRounding * norm(mean)) {
      const Vec3 half = mean * (0.5 * h);
      return {mean * 2.0 - start, normalized(quat * normalized(Quat{1, half.x, half.y, half.z})), true};
    }
    if (!(norm(change) < HUGE_VAL)) break;
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

}  // namespace

void conserve_spins(const Model& m, const State& s, Data& d) {
  if (m.opt.density != 0 || m.opt.viscosity != 0) return;
  for (int j = 0; j < m.njnt; ++j) {
    const bool free = is_free_body(m, j);
    if (!(free || is_ball_on_fixed(m, j)) || !is_plain(m, m.jnt_dofadr[j], free ? 6 : 3)) continue;
    if (!(free ? turn_free(m, s, d, j) : turn_ball(m, s, d, j))) ++d.gyroscopic_explicit;
  }
}

}  // namespace pliant
