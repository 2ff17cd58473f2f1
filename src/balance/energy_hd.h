#pragma once
// Potential and kinetic energy. Constraints, actuators and fluids have no share in them.
//
// reads xipos qpos plastic ten_length M qvel · writes energy · cost: linear, plus one product with M
// Sums have the order of elements, whoever makes them: one member adds.
// A spring pulls with -x k(x), k(x) = k0 + k1 x + k2 x², so it stores k0 x²/2 + k1 x³/3 + k2 x⁴/4.

#include "base/team.h"
#include "force/spring_rest_hd.h"
#include "joint/followers_hd.h"
#include "joint/joint.h"
#include "math/tree_matrix_team.h"

namespace pliant {

template <class P, class R>
PLIANT_HD R spring_potential(R linear, const P& poly, int i, R x) {
  return x * x * (linear / 2 + x * (poly[2 * i] / 3 + x * poly[2 * i + 1] / 4));
}

/// Scalar joints keep the sign of x; three translations or three rotations are pulled by their
/// length.
template <class M, class S>
PLIANT_HD auto joint_potential(const M& m, const S& s, int joint) {
  using R = typename S::Real;
  const R k = m.jnt_stiffness[joint];
  if (k == 0 && m.jnt_stiffnesspoly[2 * joint] == 0 && m.jnt_stiffnesspoly[2 * joint + 1] == 0) return R(0);
  R x[6];
  R* displacement = x;
  return with_joint_type(m.jnt_type[joint], [&](auto type) {
    spring_displacement(type, m, s, joint, displacement, 0);
    if constexpr (type.kNumVel == 1) {
      return spring_potential(k, m.jnt_stiffnesspoly, joint, x[0]);
    } else {
      R sum = 0;
      for (int i = 0; i < type.kNumVel; i += 3) {
        sum += spring_potential(k, m.jnt_stiffnesspoly, joint, norm(Vec3T<R>{x[i], x[i + 1], x[i + 2]}));
      }
      return sum;
    }
  });
}

/// Between its two rest lengths the spring is slack.
template <class M, class S, class D>
PLIANT_HD auto tendon_potential(const M& m, const S& s, const D& d, int tendon) {
  using R = typename D::Real;
  const R x = rest_lengths(m, s, tendon).stretch(R(d.ten_length[tendon]));
  return spring_potential(R(m.tendon_stiffness[tendon]), m.tendon_stiffnesspoly, tendon, x);
}

template <class Team, class M, class S, class D>
PLIANT_HD void find_potential_energy(const Team& team, const M& m, const S& s, D& d) {
  using R = typename D::Real;
  once(team, [&] {
    // Gravity: -Σ mass g·x.
    R energy = 0;
    if (!(m.opt.disableflags & kDisableGravity)) {
      const Vec3T<R> gravity{m.opt.gravity[0], m.opt.gravity[1], m.opt.gravity[2]};
      for (int b = 1; b < m.nbody; ++b) energy -= m.body_mass[b] * dot(gravity, vec3(d.xipos, b));
    }
    if (!(m.opt.disableflags & kDisableSpring)) {
      for (int j = 0; j < m.njnt; ++j) energy += joint_potential(m, s, j);
      for (int t = 0; t < m.ntendon; ++t) energy += tendon_potential(m, s, d, t);
    }
    d.energy[0] = energy;
  });
}

template <class Team, class M, class S, class D>
PLIANT_HD void find_kinetic_energy(const Team& team, const M& m, const S& s, D& d) {
  const auto momentum = d.dof_scratch;
  multiply_tree(team, mass_pattern(m), d.M, s.qvel, momentum);
  once(team, [&] {
    clear_followers(m, s, momentum);  // leaders carry it
    typename D::Real twice = 0;
    for (int i = 0; i < m.nv; ++i) twice += momentum[i] * s.qvel[i];
    d.energy[1] = twice / 2;
  });
}

}  // namespace pliant
