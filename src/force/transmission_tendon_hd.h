#pragma once
// Actuators on tendons: length and Jacobian of the tendon, times gear.
//
// reads ten_length ten_J

#include "force/moment_row_hd.h"

namespace pliant {

template <class M, class D>
PLIANT_HD void tendon_transmission(const M& m, int actuator, MomentRow<D>& row) {
  const int tendon = m.actuator_trnid[2 * actuator], output = m.actuator_outadr[actuator];
  const auto gear = linear_gear(m, output).x;
  const int adr = m.ten_J_rowadr[tendon];
  for (int k = adr; k < adr + m.ten_J_rownnz[tendon]; ++k) row.put(m.ten_J_colind[k], gear * row.d.ten_J[k]);
  row.finish(output, gear * row.d.ten_length[tendon]);
}

}  // namespace pliant
