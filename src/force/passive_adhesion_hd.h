#pragma once
// Adhesion: contacts that attract, with a force of their own along the normal.
//
// reads contact rows · writes qfrc_adhesion
// The contact's rows ask for as much more as they must (constraint/reference_hd.h), so that the force between the
// surfaces may become negative, down to the attraction.

#include "constraint/reference_hd.h"

namespace pliant {

/// Whether contacts of this model can attract.
template <class M>
bool may_attract(const M& m) {
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_adhesion[g] != 0) return true;
  }
  for (int p = 0; p < m.npair; ++p) {
    if (m.pair_adhesion[p] != 0) return true;
  }
  return false;
}

/// Whether this contact does: then its force is added.
template <class D, class C>
PLIANT_HD bool attract(D& d, const C& contact) {
  using R = typename D::Real;
  if (contact.row < 0 || !(contact.adhesion > 0)) return false;
  const bool pyramid = d.rows.row_type[contact.row] == static_cast<int>(RowType::kContactPyramidal);
  // the normal is the mean of two opposite edges of a pyramid
  const int rows = pyramid ? 2 : 1;
  for (int k = 0; k < rows; ++k) add_row_times(d.rows, contact.row + k, R(-contact.adhesion) / rows, d.qfrc_adhesion);
  return true;
}

}  // namespace pliant
