#pragma once
// Adhesion: contacts that attract, with a force of their own along the normal.
//
// reads contact rows · writes qfrc_adhesion
// The contact's rows ask for as much more as they must (constraint/reference_hd.h), so that the force between the
// surfaces may become negative, down to the attraction.

#include "constraint/reference_hd.h"

namespace pliant {

template <class D, class C>
PLIANT_HD void attract(D& d, const C& contact) {
  using R = typename D::Real;
  if (contact.row < 0 || !(contact.adhesion > 0)) return;
  const bool pyramid = d.rows.row_type[contact.row] == static_cast<int>(RowType::kContactPyramidal);
  // the normal is the mean of two opposite edges of a pyramid
  const int rows = pyramid ? 2 : 1;
  for (int k = 0; k < rows; ++k) add_row_times(d.rows, contact.row + k, R(-contact.adhesion) / rows, d.qfrc_adhesion);
}

}  // namespace pliant
