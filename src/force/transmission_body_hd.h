#pragma once
// Adhesion: pulls a body towards what it touches. The moment is minus the mean normal Jacobian of
// the body's contacts; a body that touches nothing has an empty row. There is no length.

#include "force/moment_row_hd.h"

namespace pliant {

template <class M, class D>
PLIANT_HD void body_transmission(const M& m, int actuator, MomentRow<D>& row) {
  row.finish(m.actuator_outadr[actuator], 0);
}

}  // namespace pliant
