#pragma once
// Recursive Newton-Euler: the force that accelerations need. With qacc = 0 this is the bias force
// (Coriolis, centrifugal, gravity), with qacc it is the inverse dynamics of the free system.
//
// reads cinert cdof cdof_dot cvel · writes accelerations and forces of bodies, given as fields
// Bodies parents first for accelerations, children first for forces. (Featherstone 2008, section 5.3.)

#include "math/field_values.h"

namespace pliant {

/// Acceleration of a body and the force it needs by itself. With gravity as upward acceleration of the
/// world, weights need no place of their own. `qacc` may be nullptr: no accelerations.
template <class M, class S, class D, class A, class F, class Q>
PLIANT_HD void body_newton_euler(const M& m, const S& s, const D& d, int body, const Q& qacc, A& acc, F& force) {
  using R = typename D::Real;
  SpatialT<R> a = spatial(acc, m.body_parentid[body]);
  const int first = m.body_dofadr[body];
  for (int dof = first; dof < first + m.body_dofnum[body]; ++dof) {
    a = fused(R(s.qvel[dof]), spatial(d.cdof_dot, dof), a);
    if constexpr (!std::is_same_v<Q, std::nullptr_t>) a = fused(R(qacc[dof]), spatial(d.cdof, dof), a);
  }
  set(acc, body, a);
  const InertiaT<R> inertia = spatial_inertia(d.cinert, body);
  const SpatialT<R> v = spatial(d.cvel, body);
  set(force, body, inertia * a + cross_force(v, inertia * v));
}

/// Forces gathered towards the root, and the share along the body's dofs: call children first.
template <class M, class D, class F, class Q>
PLIANT_HD void project_force(const M& m, const D& d, int body, F& force, Q& qfrc) {
  using R = typename D::Real;
  const SpatialT<R> f = spatial(force, body);
  const int first = m.body_dofadr[body];
  for (int dof = first; dof < first + m.body_dofnum[body]; ++dof) qfrc[dof] = dot(spatial(d.cdof, dof), f);
  if (const int parent = m.body_parentid[body]) set(force, parent, spatial(force, parent) + f);
}

}  // namespace pliant
