#pragma once
// Linear velocity and angular momentum of subtrees.
//
// reads cvel poses subtree_com · writes subtree_linvel subtree_angmom
// Two sweeps towards the root. With p, L the momentum and the angular momentum of a part about its
// own centre of mass, a whole of mass m, centre c and velocity v has L = Σ (L_part + (c_part - c) ×
// m_part (v_part - v)).

#include "base/team.h"
#include "kinematics/object_hd.h"

namespace pliant {

/// A body by itself: momentum into subtree_linvel, angular momentum about its own centre into
/// subtree_angmom.
template <class M, class D>
PLIANT_HD void body_momentum(const M& m, D& d, int body) {
  using R = typename D::Real;
  const SpatialT<R> velocity = velocity_at(m, d, body, vec3(d.xipos, body));
  const Mat3T<R> axes = mat3(d.ximat, body);
  Vec3T<R> spin = transposed_times(axes, velocity.ang);
  const Vec3T<R> moments = vec3(m.body_inertia, body);
  spin = {spin.x * moments.x, spin.y * moments.y, spin.z * moments.z};
  set(d.subtree_linvel, body, velocity.lin * R(m.body_mass[body]));
  set(d.subtree_angmom, body, axes * spin);
}

/// Momenta gathered towards the root: call children first. Leaves the velocity of the subtree's
/// centre.
template <class M, class D>
PLIANT_HD void gather_momentum(const M& m, D& d, int body) {
  using R = typename D::Real;
  const Vec3T<R> momentum = vec3(d.subtree_linvel, body);
  if (body) {
    const int parent = m.body_parentid[body];
    set(d.subtree_linvel, parent, vec3(d.subtree_linvel, parent) + momentum);
  }
  const R mass = m.body_subtreemass[body];
  set(d.subtree_linvel, body, momentum * (R(1) / (mass > R(kTiny) ? mass : R(kTiny))));
}

/// Angular momenta gathered towards the root, once all velocities are known: call children first.
template <class M, class D>
PLIANT_HD void gather_angular_momentum(const M& m, D& d, int body) {
  using R = typename D::Real;
  const Vec3T<R> center = vec3(d.subtree_com, body), velocity = vec3(d.subtree_linvel, body);
  // the body's own share, about the subtree's centre
  const Vec3T<R> own = vec3(d.xipos, body);
  const Vec3T<R> relative = velocity_at(m, d, body, own).lin - velocity;
  const Vec3T<R> whole = vec3(d.subtree_angmom, body) + cross(own - center, relative * R(m.body_mass[body]));
  set(d.subtree_angmom, body, whole);
  if (!body) return;
  const int parent = m.body_parentid[body];
  const Vec3T<R> offset = center - vec3(d.subtree_com, parent);
  const Vec3T<R> momentum = (velocity - vec3(d.subtree_linvel, parent)) * R(m.body_subtreemass[body]);
  set(d.subtree_angmom, parent, vec3(d.subtree_angmom, parent) + whole + cross(offset, momentum));
}

template <class Team, class M, class D>
PLIANT_HD void find_subtree_momenta(const Team& team, const M& m, D& d) {
  each(team, m.nbody, [&](int b) PLIANT_INLINED { body_momentum(m, d, b); });
  children_first(team, m, [&](int b) PLIANT_INLINED { gather_momentum(m, d, b); });
  once(team, [&]() PLIANT_INLINED { gather_momentum(m, d, 0); });
  children_first(team, m, [&](int b) PLIANT_INLINED { gather_angular_momentum(m, d, b); });
  once(team, [&]() PLIANT_INLINED { gather_angular_momentum(m, d, 0); });
}

}  // namespace pliant
