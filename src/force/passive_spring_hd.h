#pragma once
// Springs of joints and tendons.
//
// reads qpos plastic ten_length ten_J · writes qfrc_spring
// A joint's displacement is the velocity that would lead from its rest to qpos in unit time, so every
// joint type has a spring. Ball joints, and translation and rotation of free joints, are pulled along that
// vector with k(its length); slides and hinges with k of the signed displacement.

#include "force/polynomial_hd.h"
#include "force/spring_rest_hd.h"

namespace pliant {

template <class M, class S, class D>
PLIANT_HD void joint_spring(const M& m, const S& s, D& d, int joint) {
  using R = typename D::Real;
  const auto law = joint_spring_law(m, joint);
  if (law.none()) return;
  with_joint_type(m.jnt_type[joint], [&](auto type) {
    constexpr int kDofs = decltype(type)::kNumVel, kBlock = kDofs < 3 ? 1 : 3;
    const int first = m.jnt_dofadr[joint];
    spring_displacement(type, m, s, joint, d.qfrc_spring, first);
    for (int dof = first; dof < first + kDofs; dof += kBlock) {
      const R x = kBlock == 1 ? R(d.qfrc_spring[dof])
                              : norm(Vec3T<R>{d.qfrc_spring[dof], d.qfrc_spring[dof + 1], d.qfrc_spring[dof + 2]});
      for (int k = 0; k < kBlock; ++k) d.qfrc_spring[dof + k] *= -law.stiffness(x);
    }
  });
}

/// Force along a tendon [N|N m], 0 within its band.
template <class M, class S, class D>
PLIANT_HD auto tendon_spring(const M& m, const S& s, const D& d, int tendon) {
  using R = typename D::Real;
  const R x = rest_lengths(m, s, tendon).stretch(R(d.ten_length[tendon]));
  return -x * tendon_spring_law(m, tendon).stiffness(x);
}

/// qfrc += Jᵀ force.
template <class M, class D, class R, class Q>
PLIANT_HD void add_tendon_force(const M& m, const D& d, int tendon, R force, Q& qfrc) {
  if (is_zero(force)) return;
  const int first = m.ten_J_rowadr[tendon];
  for (int k = first; k < first + m.ten_J_rownnz[tendon]; ++k) qfrc[m.ten_J_colind[k]] += d.ten_J[k] * force;
}

}  // namespace pliant
