#pragma once
// One row of actuator_moment while it is written: which dofs an output acts on, and how much.

#include "math/field_values.h"

namespace pliant {

/// Rows follow each other without gaps; `adr` is the first free entry.
template <class D>
struct MomentRow {
  using R = typename D::Real;

  D& d;
  int adr;
  int count = 0;

  /// Appends an entry.
  PLIANT_HD void put(int dof, R value) {
    d.moment_colind[adr + count] = dof;
    d.actuator_moment[adr + count++] = value;
  }
  /// Appends an entry unless it is zero.
  PLIANT_HD void put_nonzero(int dof, R value) {
    if (value != 0) put(dof, value);
  }
  /// Chains of dofs are walked from the highest down; columns ascend.
  PLIANT_HD void reverse() {
    for (int i = adr, j = adr + count - 1; i < j; ++i, --j) {
      const int dof = d.moment_colind[i];
      d.moment_colind[i] = d.moment_colind[j];
      d.moment_colind[j] = dof;
      const R value = d.actuator_moment[i];
      d.actuator_moment[i] = d.actuator_moment[j];
      d.actuator_moment[j] = value;
    }
  }
  /// Ends the row of an output; the next begins behind it.
  PLIANT_HD void finish(int output, R length) {
    d.actuator_length[output] = length;
    d.moment_rowadr[output] = adr;
    d.moment_rownnz[output] = count;
    adr += count;
    count = 0;
  }
};

/// The first three and the last three factors of an output.
template <class M>
PLIANT_HD auto linear_gear(const M& m, int output) {
  return vec3(m.actuator_gear, 2 * output);
}
template <class M>
PLIANT_HD auto angular_gear(const M& m, int output) {
  return vec3(m.actuator_gear, 2 * output + 1);
}

}  // namespace pliant
