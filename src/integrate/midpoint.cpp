// midpoint: second order, symmetric in time, and energy is kept. One pass of the stages per step, in its middle:
//
//   q̃ = q ⊕ h/2 v
//   M Δv = h f(q̃, v̄),   v̄ = v + Δv/2;   v* = v + Δv
//   q' = q̃ ⊕ h/2 v*
//
// Forces f that do not depend on v make this the leapfrog method. Forces of dampers and actuators at v̄ are those at v
// and half their derivative times Δv. The bias force c at v̄ is found by repeating, once for what turns slowly; where
// that does not settle (some tenths of a radian a step), by half its derivative, too: Kahan's method for quadratic
// forces (Unconventional numerical methods for trajectory calculations, 1993). Both are their own inverse when time
// runs backwards, the first to the degree to which it has settled.
//
// Symmetric rules have no drift of energy in regular motions; in chaotic ones energy walks at random (a triple
// pendulum: a thousandth in 20 s). So the energy E of each tree is compared across the step with the work
//
//   W = v̄·(M Δv + h c) - h v̄·f_spring
//
// of everything that has no potential here (actuators, dampers, constraints, tendons, what is applied), and the
// velocities that the step ends with are scaled, by 1 + O(h³), so that E' = E + W to rounding. A tree that floats first
// gets the momentum and the angular momentum that the forces of the step gave it, by a motion as one rigid piece; what
// is scaled is its motion beside that one. So a satellite with arms keeps energy, momentum and angular momentum.
//
// Bodies by themselves (conserving_spin.h) fly freely for h/2, are pushed, and fly on; they need no correction.
//
// Not corrected, and so of a symmetric rule's quality: models with tendon armature or exact followers; springs of
// tendons and springs that yield count as forces that do work. A correction of more than a hundredth of the motion is
// not made, and counted (energy_uncorrected).
//
// reads the results of all stages at the middle · writes trial (the middle), rate (what flies, the bias
// force), cvel cdof_dot bias_acc bias_force (at v̄), qDeriv, qH and qHDiagInv or qLU, qacc_advance, qvel_advance,
// dof_scratch, next_*

#include <algorithm>
#include <cmath>

#include "inertia/inertia.h"
#include "integrate/conserving_spin.h"
#include "integrate/integrate.h"
#include "integrate/smooth_derivative_hd.h"
#include "integrate/tree_motion.h"
#include "kinematics/velocity_hd.h"
#include "math/field_values.h"
#include "math/tree_lu.h"
#include "math/tree_matrix.h"
#include "pliant/kinds.h"

namespace pliant {
namespace {

bool has_tendon_armature(const Model& m) {
  return std::any_of(m.tendon_armature, m.tendon_armature + m.ntendon, [](double x) { return x != 0; });
}

// Whether springs of joints have a potential that counts: where tendons pull, too, their forces are one sum.
bool springs_store(const Model& m) { return m.ntendon == 0 && m.nplastic == 0; }

// Per joint, in the first numbers of Data's `rate`: whether its body flies.
bool flies(const Data& d, int joint) { return d.rate[joint] != 0; }

// Half a step along the velocities; bodies by themselves fly it. Returns whether any do.
bool go_to_the_middle(const Model& m, const State& s, Data& d) {
  State& middle = d.trial;
  middle = s;
  const double half = 0.5 * m.opt.timestep;
  const bool alone = !has_tendon_armature(m) && m.opt.density == 0 && m.opt.viscosity == 0;
  bool any = false;
  for (int j = 0; j < m.njnt; ++j) {
    const bool spins = alone && spins_alone(m, j), flying = spins && fly(m, j, half, middle.qpos, middle.qvel);
    d.rate[j] = flying;
    any |= flying;
    if (spins && !flying) ++d.gyroscopic_explicit;
    if (flying) continue;
    with_joint_type(m.jnt_type[j],
                    [&](auto type) { type.integrate(middle.qpos, m.jnt_qposadr[j], s.qvel, m.jnt_dofadr[j], half); });
  }
  if (m.nfollower) follow(m, middle);
  *middle.time = *s.time + half;
  return any;
}

// The bias force that acted, per dof: behind what flies in `rate`.
double* bias_used(const Model& m, Data& d) { return d.rate + m.nv; }

// Δv / h with the bias force of the start of the step and the whole of its derivative, by tree-sparse LU.
void accelerate_by_derivative(const Model& m, const State& middle, Data& d) {
  const SerialTeam team{};
  const double half = 0.5 * m.opt.timestep;
  smooth_derivative(team, m, middle, d, SmoothDerivative::kForces);
  for (int i = 0; i < m.nD; ++i) {
    d.qLU[i] = (m.mapM2D[i] >= 0 ? d.M[m.mapM2D[i]] : 0) - half * d.qDeriv[i];
    d.qDeriv[i] = 0;
  }
  subtract_bias_slopes(team, m, middle, d);
  if (m.nfollower) reduce_square(m, middle, d.qDeriv);
  for (int i = 0; i < m.nD; ++i) d.qLU[i] -= half * d.qDeriv[i];
  factor_tree_lu(derivative_pattern(m), d.qLU);
  for (int i = 0; i < m.nv; ++i) d.qacc_advance[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i];
  solve_tree_lu(derivative_pattern(m), d.qLU, d.qacc_advance);
  std::copy_n(d.qfrc_bias, m.nv, bias_used(m, d));
  add_tree_product(derivative_pattern(m), d.qDeriv, -half, d.qacc_advance, bias_used(m, d));
}

// What of the smooth forces beside the bias force changes with velocity: nothing; each force with the velocity of its
// own dof; with the same dampers between several; anything, or what the M - h/2 D of these is not positive for.
enum class Slopes { kNone, kDiagonal, kSymmetric, kAny };

bool can_have_slopes(const Model& m) {
  if (m.nactuator > 0 || m.ntendon > 0 || m.opt.density > 0 || m.opt.viscosity > 0) return true;
  const auto any = [](const double* x, int n) { return std::any_of(x, x + n, [](double v) { return v != 0; }); };
  return any(m.dof_damping, m.nv) || any(m.dof_dampingpoly, kNumPoly * m.nv);
}

// Factors of M - h/2 D: qH where it is symmetric, else qLU. (L'DL takes a quarter of the time of LU.)
Slopes factor_slopes(const Model& m, const State& middle, Data& d) {
  if (!can_have_slopes(m)) return Slopes::kNone;
  const double half = 0.5 * m.opt.timestep;
  const SerialTeam team{};
  smooth_derivative(team, m, middle, d, SmoothDerivative::kForces);
  bool damped = false, coupled = m.opt.density > 0 || m.opt.viscosity > 0;
  for (int i = 0; i < m.nD; ++i) damped |= d.qDeriv[i] != 0;
  if (!damped) return Slopes::kNone;
  if (!coupled) {
    for (int i = 0; i < m.nC; ++i) d.qH[i] = d.M[i] - half * d.qDeriv[m.mapD2M[i]];
    for (int i = 0; i < m.nv; ++i) {
      const int row = m.M_rowadr[i], last = m.M_rownnz[i] - 1;
      for (int c = 0; c < last; ++c) coupled |= d.qDeriv[m.mapD2M[row + c]] != 0;
    }
    if (factor_tree(mass_pattern(m), d.qH, d.qHDiagInv) < 0) {
      return coupled ? Slopes::kSymmetric : Slopes::kDiagonal;
    }
  }
  for (int i = 0; i < m.nD; ++i) d.qLU[i] = (m.mapM2D[i] >= 0 ? d.M[m.mapM2D[i]] : 0) - half * d.qDeriv[i];
  factor_tree_lu(derivative_pattern(m), d.qLU);
  return Slopes::kAny;
}

// Δv / h with the bias force at the mean velocity, found by repeating; false: it does not settle. (Repeating costs a
// third of the derivative, and once is enough for what turns by some hundredths of a radian in a step.)
bool accelerate_by_repeating(const Model& m, const State& s, Data& d, bool some_fly, Slopes slopes) {
  constexpr int kMost = 4;
  constexpr double kSettled = 1e-3;  // of the velocities
  const double h = m.opt.timestep;
  State& middle = d.trial;
  double* const a = d.qacc_advance;
  const auto accelerate = [&](const double* bias) {
    for (int i = 0; i < m.nv; ++i) a[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i] + (d.qfrc_bias[i] - bias[i]);
    switch (slopes) {
      case Slopes::kNone:
        return solve_mass(m, d, a);
      case Slopes::kAny:
        return solve_tree_lu(derivative_pattern(m), d.qLU, a);
      default:
        return solve_tree(mass_pattern(m), d.qH, d.qHDiagInv, a);
    }
  };
  // qvel of the middle becomes the mean velocity; true: it was so already, as far as that matters
  const auto settle = [&] {
    double change = 0, most = 0;
    const auto move = [&](int first, int end) {
      for (int i = first; i < end; ++i) {
        const double mean = s.qvel[i] + 0.5 * h * a[i];
        change = std::max(change, std::abs(mean - middle.qvel[i]));
        most = std::max(most, std::abs(mean));
        middle.qvel[i] = mean;
      }
    };
    if (!some_fly) move(0, m.nv);
    for (int j = 0; some_fly && j < m.njnt; ++j) {
      if (!flies(d, j)) move(m.jnt_dofadr[j], m.jnt_dofadr[j] + joint_kind(m.jnt_type[j]).velocities);
    }
    return change <= kSettled * most;
  };
  // (to begin with, the acceleration of the middle will do)
  std::copy_n(d.qacc, m.nv, a);
  settle();
  for (int round = 0; round < kMost; ++round) {
    for (int b = 1; b < m.nbody; ++b) body_velocity(m, middle, d, b);
    newton_euler(m, middle, d, nullptr, bias_used(m, d));
    accelerate(bias_used(m, d));
    if (settle()) return true;
  }
  return false;
}

// qacc_advance = Δv / h, with the forces of the middle; and bias_used. Returns by which slopes M Δv is known to be what
// the forces are, kAny: it is not.
Slopes find_acceleration(const Model& m, const State& s, Data& d, bool some_fly) {
  if (m.nfollower == 0 && !has_tendon_armature(m)) {
    const Slopes slopes = factor_slopes(m, d.trial, d);
    if (accelerate_by_repeating(m, s, d, some_fly, slopes)) return slopes;
  }
  // velocities of the start again
  State& middle = d.trial;
  for (int j = 0; j < m.njnt; ++j) {
    if (flies(d, j)) continue;
    std::copy_n(s.qvel + m.jnt_dofadr[j], joint_kind(m.jnt_type[j]).velocities, middle.qvel + m.jnt_dofadr[j]);
  }
  for (int b = 1; b < m.nbody; ++b) body_velocity(m, middle, d, b);
  accelerate_by_derivative(m, middle, d);
  return Slopes::kAny;
}

Vec3 solve(const Mat3& a, Vec3 b) {
  const Vec3 x = a.column(0), y = a.column(1), z = a.column(2);
  const double scale = 1 / dot(x, cross(y, z));
  return {scale * dot(b, cross(y, z)), scale * dot(x, cross(b, z)), scale * dot(x, cross(y, b))};
}

// What of a tree moves as one rigid piece.
struct RigidMotion {
  Vec3 velocity, omega;  // of the centre of mass; world axes
  double energy = 0;

  RigidMotion() = default;
  RigidMotion(const TreeMotion& tree, Vec3 momentum, Vec3 spin)
      : velocity(momentum * (1 / tree.mass)),
        omega(solve(tree.inertia, spin)),
        energy(0.5 * (dot(momentum, velocity) + dot(spin, omega))) {}
};

// Ends the step of one tree with the energy and, if it floats, the momenta that it should have. push: the impulses on
// its dofs, without gravity and springs.
void correct(const Model& m, Data& d, int tree, const TreeMotion& before, const TreeMotion& after, const double* push) {
  constexpr double kRounding = 1e-14, kMostChange = 0.02;  // of energies
  const double h = m.opt.timestep;
  const int first = m.tree_dofadr[tree], end = first + m.tree_dofnum[tree];
  double work = 0;
  for (int i = first; i < end; ++i) work += d.qvel_advance[i] * push[i];
  if (springs_store(m)) {
    for (int i = first; i < end; ++i) work -= h * d.qvel_advance[i] * d.qfrc_spring[i];
  }
  double wanted = before.kinetic + before.potential + work - after.potential, moving = after.kinetic;
  RigidMotion is, becomes;
  const bool floats = after.mass > 0;
  const int body = m.tree_bodyadr[tree];
  Vec3 lever;  // from the centre of mass to the origin of the body that floats
  Mat3 axes;
  const bool falls = !(m.opt.disableflags & kDisableGravity);
  const Vec3 gravity = falls ? Vec3{m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]} : Vec3{};
  if (floats) {
    const Vec3 force = vec3(push + first, 0), arm = vec3(d.subtree_com, body) - vec3(d.xpos, body);
    const Vec3 torque = mat3(d.xmat, body) * vec3(push + first + 3, 0) - cross(arm, force);
    is = {after, after.momentum, after.spin};
    becomes = {after, before.momentum + force + gravity * (h * after.mass), before.spin + torque};
    wanted -= becomes.energy, moving -= is.energy;
    double* const qpos = d.next_qpos + m.jnt_qposadr[m.body_jntadr[body]];
    lever = vec3(qpos, 0) - vec3(d.subtree_com, body) - after.com;
    // the centre of mass goes where its momentum says
    const Vec3 mean = (before.momentum * (1 / after.mass) + becomes.velocity) * 0.5;
    const Vec3 moved = before.com + mean * h - after.com;
    for (int k = 0; k < 3; ++k) qpos[k] += moved[k];
    wanted += after.mass * dot(gravity, moved);
    axes = matrix(normalized(Quat{qpos[3], qpos[4], qpos[5], qpos[6]}));
  }
  // What rounding of positions and sums makes of energies; and a body by itself (one with a damper, say) has no motion
  // beside that as one piece.
  const double weight = m.body_subtreemass[body] * norm(gravity) * (1 + norm(vec3(d.subtree_com, body)));
  const double size = before.kinetic + after.kinetic + std::abs(before.potential) + std::abs(after.potential) +
                      std::abs(work) + becomes.energy + weight;
  const bool one_piece = floats && end - first == 6;
  double scale = 1;
  if (std::abs(wanted - moving) > kRounding * size && !one_piece) {
    if (std::abs(wanted - moving) <= kMostChange * moving) {
      scale = std::sqrt(wanted / moving);
    } else {
      ++d.energy_uncorrected;
    }
  }
  double* const v = d.next_qvel;
  if (floats) {
    const auto at_origin = [&](const RigidMotion& r) { return r.velocity + cross(r.omega, lever); };
    const Vec3 slide = at_origin(becomes) + (vec3(v + first, 0) - at_origin(is)) * scale;
    const Vec3 own = transposed_times(axes, is.omega);
    const Vec3 turn = transposed_times(axes, becomes.omega) + (vec3(v + first + 3, 0) - own) * scale;
    for (int k = 0; k < 3; ++k) v[first + k] = slide[k], v[first + 3 + k] = turn[k];
  }
  for (int i = floats ? first + 6 : first; i < end; ++i) v[i] *= scale;
}

// M Δv + h c̄: what was not inertia pushed so much.
void find_push(const Model& m, Data& d, Slopes slopes, double* push) {
  const double h = m.opt.timestep;
  if (slopes == Slopes::kNone || slopes == Slopes::kDiagonal) {
    // M Δv = h (forces + h/2 D Δv/h)
    for (int i = 0; i < m.nv; ++i) push[i] = h * (d.qfrc_smooth[i] + d.qfrc_constraint[i] + d.qfrc_bias[i]);
    for (int i = 0; i < m.nv && slopes == Slopes::kDiagonal; ++i) {
      push[i] += 0.5 * h * h * d.qDeriv[m.D_rowadr[i] + m.D_diag[i]] * d.qacc_advance[i];
    }
    return;
  }
  multiply_mass(m, d, d.qacc_advance, push);
  for (int i = 0; i < m.nv; ++i) push[i] = h * (push[i] + bias_used(m, d)[i]);
}

// Energies (and momenta of what floats) at both ends of the step, and what the step ends with.
void correct_trees(const Model& m, const State& s, Data& d, bool some_fly, Slopes slopes) {
  if (has_tendon_armature(m) || m.nfollower || m.ntree == 0) return;
  const size_t ntree = static_cast<size_t>(m.ntree);
  const Arena::Mark mark = d.arena.mark();
  Measure* const wanted = d.arena.take<Measure>(ntree);
  TreeMotion* const trees = d.arena.take<TreeMotion>(2 * ntree);
  std::byte* const room = d.arena.take<std::byte>(tree_motion_room(m));
  if (!wanted || !trees || !room) {
    d.energy_uncorrected += m.ntree;  // the memory is fixed and full
    return d.arena.release(mark);
  }
  for (int t = 0; t < m.ntree; ++t) wanted[t] = tree_floats(m, t) ? Measure::kMomenta : Measure::kEnergy;
  for (int j = 0; some_fly && j < m.njnt; ++j) {
    if (flies(d, j)) wanted[m.dof_treeid[m.jnt_dofadr[j]]] = Measure::kNothing;
  }
  const auto corrected = [](Measure measure) { return measure != Measure::kNothing; };
  if (std::any_of(wanted, wanted + ntree, corrected)) {
    const StatePair ends{{s.qpos, d.next_qpos}, {s.qvel, d.next_qvel}};
    measure_trees(m, s, ends, d.subtree_com, springs_store(m), wanted, room, trees);
    double* const push = d.dof_scratch;
    find_push(m, d, slopes, push);
    for (int t = 0; t < m.ntree; ++t) {
      if (corrected(wanted[t])) correct(m, d, t, trees[2 * t], trees[2 * t + 1], push);
    }
  }
  d.arena.release(mark);
}

// The second half of what flies.
void fly_on(const Model& m, const State& middle, Data& d) {
  const double h = m.opt.timestep;
  for (int j = 0; j < m.njnt; ++j) {
    if (!flies(d, j)) continue;
    const bool free = floats(m.jnt_type[j]);
    double *const qvel = d.next_qvel + m.jnt_dofadr[j], *const qpos = d.next_qpos + m.jnt_qposadr[j];
    std::copy_n(middle.qvel + m.jnt_dofadr[j], free ? 6 : 3, qvel);
    std::copy_n(middle.qpos + m.jnt_qposadr[j], free ? 7 : 4, qpos);
    push_flying(m, j, h, middle.qpos, d.qacc, d.next_qvel);
    if (fly(m, j, 0.5 * h, d.next_qpos, d.next_qvel)) continue;
    ++d.gyroscopic_explicit;
    with_joint_type(m.jnt_type[j], [&](auto type) {
      type.integrate(d.next_qpos, m.jnt_qposadr[j], d.next_qvel, m.jnt_dofadr[j], 0.5 * h);
    });
  }
}

}  // namespace

bool starts_in_the_middle(const Model& m) {
  const bool sensors = m.nsensor > 0 && !(m.opt.disableflags & kDisableSensor);
  return m.opt.integrator == Integrator::kMidpoint && !sensors && m.nplastic == 0 &&
         !(m.opt.enableflags & (kEnableEnergy | kEnableFwdInv));
}

void advance_midpoint(const Model& m, const State& s, Data& d, ForwardFn forward) {
  const double h = m.opt.timestep;
  const bool some_fly = go_to_the_middle(m, s, d);
  const State& middle = d.trial;
  // (readings and energies are those of the start)
  const double potential = d.energy[0], kinetic = d.energy[1];
  forward(m, middle, d);
  d.energy[0] = potential, d.energy[1] = kinetic;
  const Slopes slopes = find_acceleration(m, s, d, some_fly);
  for (int i = 0; i < m.nv; ++i) d.qvel_advance[i] = s.qvel[i] + 0.5 * h * d.qacc_advance[i];
  advance_state(m, s, d, d.act_dot, d.qacc_advance, d.qvel_advance);
  // positions in two halves: turns do not add up
  std::copy_n(middle.qpos, m.nq, d.next_qpos);
  integrate_pos(m, d.next_qpos, d.next_qvel, 0.5 * h);
  if (m.nfollower) place_followers(m, s, d.next_qpos);
  if (some_fly) fly_on(m, middle, d);
  correct_trees(m, s, d, some_fly, slopes);
}

}  // namespace pliant
