#pragma once
// Quantities about the centre of mass of each kinematic tree, in world axes: subtree_com, cinert, cdof.
//
// reads poses · writes subtree_com cinert cdof
// Taking one point per tree, the tree's centre of mass, makes motions and forces of its bodies addable
// without shifting, and keeps the numbers small.

#include "joint/joint.h"
#include "math/field_values.h"

namespace pliant {

/// Mass times position, gathered towards the root: call for all bodies, children first, after
/// subtree_com = mass * xipos. Divides once the body's own sum is complete.
template <class M, class D>
PLIANT_HD void gather_com(const M& m, D& d, int body) {
  using R = typename D::Real;
  const Vec3T<R> sum = vec3(d.subtree_com, body);
  if (body) {
    const int parent = m.body_parentid[body];
    set(d.subtree_com, parent, vec3(d.subtree_com, parent) + sum);
  }
  const R mass = m.body_subtreemass[body];
  set(d.subtree_com, body, mass < R(kTiny) ? vec3(d.xipos, body) : sum * (R(1) / mass));
}

template <class M, class D>
PLIANT_HD void body_inertia_about_com(const M& m, D& d, int body) {
  using R = typename D::Real;
  const Vec3T<R> offset = vec3(d.xipos, body) - vec3(d.subtree_com, m.body_rootid[body]);
  set(d.cinert, body, inertia_about(vec3(m.body_inertia, body), mat3(d.ximat, body), offset, R(m.body_mass[body])));
}

template <class M, class D>
PLIANT_HD void joint_columns(const M& m, D& d, int joint) {
  using R = typename D::Real;
  const int body = m.jnt_bodyid[joint];
  const Vec3T<R> to_com = vec3(d.subtree_com, m.body_rootid[body]) - vec3(d.xanchor, joint);
  with_joint_type(m.jnt_type[joint], [&](auto type) {
    type.columns(d.cdof, m.jnt_dofadr[joint], vec3(d.xaxis, joint), to_com, mat3(d.xmat, body));
  });
}

}  // namespace pliant
