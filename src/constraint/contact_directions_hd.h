#pragma once
// The directions of a contact: normal, two tangents, and the rotations about them, as relative motion of the second
// body against the first.
//
// reads contact geom_bodyid cdof subtree_com body_invweight0

#include "constraint/body_pair_hd.h"
#include "constraint/row_sink_hd.h"
#include "pliant/contact.h"

namespace pliant {

template <class M>
struct ContactBodies {
  int a, b;
  PairChain<M> chain;
  template <class C>
  PLIANT_HD ContactBodies(const M& m, const C& contact)
      : a(m.geom_bodyid[contact.geom[0]]), b(m.geom_bodyid[contact.geom[1]]), chain{m, a, b, false} {}
};

/// Whether a contact has the columns of the one before it, and can use its segments.
template <class M, class D>
PLIANT_HD bool shares_columns(const M& m, const D& d, int id, const ContactBodies<M>& bodies) {
  if (id == 0 || d.contact[id - 1].exclude != ContactExclude::kNone) return false;
  const ContactBodies<M> before(m, d.contact[id - 1]);
  return before.a == bodies.a && before.b == bodies.b;
}

/// Directions in which it pushes: beyond its margin (adhesion acts there, too) only along the normal.
template <class C>
PLIANT_HD int contact_dim(const C& contact) {
  return contact.adhesion > 0 && contact.dist >= contact.includemargin ? 1 : contact.dim;
}

/// Mean responses of the two bodies to a force and to a torque.
template <class R>
struct ContactWeights {
  R force, torque;
  template <class M>
  PLIANT_HD ContactWeights(const M& m, int a, int b)
      : force(m.body_invweight0[2 * a] + m.body_invweight0[2 * b]),
        torque(m.body_invweight0[2 * a + 1] + m.body_invweight0[2 * b + 1]) {}
};

/// Where it is, and its axes: 0 the normal, 1 and 2 the tangents.
template <class R, class C>
PLIANT_HD Vec3T<R> contact_point(const C& contact) {
  return {R(contact.pos[0]), R(contact.pos[1]), R(contact.pos[2])};
}
template <class R, class C>
PLIANT_HD Vec3T<R> contact_axis(const C& contact, int k) {
  return {R(contact.frame[3 * k]), R(contact.frame[3 * k + 1]), R(contact.frame[3 * k + 2])};
}

template <int dim, class M, class D, class C>
PLIANT_HD auto contact_directions(const M& m, const D& d, const C& contact, int a, int b) {
  using R = typename D::Real;
  const Vec3T<R> point = contact_point<R>(contact);
  const Vec3T<R> offset_a = point - vec3(d.subtree_com, m.body_rootid[a]);
  const Vec3T<R> offset_b = point - vec3(d.subtree_com, m.body_rootid[b]);
  PairDirections<R, dim> out;
  for (int k = 0; k < dim; ++k) {
    const Vec3T<R> axis = contact_axis<R>(contact, k % 3);
    if (k < 3) {
      out.first[k] = {-cross(offset_a, axis), -axis};
      out.second[k] = {cross(offset_b, axis), axis};
    } else {
      out.first[k] = {-axis, {}};
      out.second[k] = {axis, {}};
    }
  }
  return out;
}

}  // namespace pliant
