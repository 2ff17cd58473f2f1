#pragma once
// The force of a contact from the forces of its rows.
//
// reads contact, rows (row_type row_force) · cost: constant
// A frictionless or elliptic contact has one row per direction. The edges of a pyramid come in pairs, one pair per
// direction i of friction: their sum is normal force, their difference times friction[i] is the force along i.
// Adhesion pulls besides.

#include "pliant/contact.h"
#include "pliant/rows.h"
#include "math/field_values.h"

namespace pliant {

/// Force and torque in the contact frame (normal, two tangents), on the body of geom[1].
template <class R>
struct ContactForceT {
  Vec3T<R> force, torque;
};

/// Zero if the contact has no rows.
template <class D>
PLIANT_HD ContactForceT<typename D::Real> contact_wrench(const D& d, int contact) {
  using R = typename D::Real;
  R out[6] = {};
  const auto& c = d.contact[contact];
  if (c.row >= 0 && d.rows.row_force != nullptr) {
    const auto* force = d.rows.row_force + c.row;
    if (static_cast<RowType>(d.rows.row_type[c.row]) == RowType::kContactPyramidal) {
      for (int i = 0; i < c.dim - 1; ++i) {
        out[0] += force[2 * i] + force[2 * i + 1];
        out[i + 1] = (force[2 * i] - force[2 * i + 1]) * R(c.friction[i]);
      }
    } else {
      for (int i = 0; i < c.dim; ++i) out[i] = force[i];
    }
    out[0] -= R(c.adhesion);
  }
  return {{out[0], out[1], out[2]}, {out[3], out[4], out[5]}};
}

}  // namespace pliant
