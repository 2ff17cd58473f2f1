#pragma once
// Which kinematic trees the terms of the metric join (integrator discrete), by what the model says alone.

#include "constraint/constraint.h"
#include "constraint/metric_terms_hd.h"
#include "pliant/state.h"

namespace pliant {

/// The kinematic tree of a body; -1 if it does not move.
inline int tree_of_body(const Model& m, int body) {
  const int dofs = m.body_dofnum[m.body_weldid[body]];
  return dofs ? m.dof_treeid[m.body_dofadr[m.body_weldid[body]]] : -1;
}

/// Calls join(a, b) for pairs of kinematic trees that such a term connects: what happens to one depends on the other,
/// so that they belong to one island.
template <class F>
void each_joined_trees(const Model& m, const Data& d, F&& join) {
  if (!has_metric_terms(m)) return;
  const auto tendon = [&](int t) {
    const int first = m.ten_J_rowadr[t], end = first + m.ten_J_rownnz[t];
    for (int k = first + 1; k < end; ++k) {
      const int a = m.dof_treeid[m.ten_J_colind[first]], b = m.dof_treeid[m.ten_J_colind[k]];
      if (a != b) join(a, b);
    }
  };
  const auto bodies = [&](int body_a, int body_b) {
    const int a = tree_of_body(m, body_a), b = tree_of_body(m, body_b);
    if (a >= 0 && b >= 0 && a != b) join(a, b);
  };
  for (int t = 0; t < m.ntendon; ++t) {
    if (tendon_can_stiffen(m, t)) tendon(t);
  }
  for (int i = 0; i < m.nactuator; ++i) {
    if (!actuator_can_stiffen(m, i)) continue;
    const int first = m.actuator_trnid[2 * i], second = m.actuator_trnid[2 * i + 1];
    switch (static_cast<TransmissionType>(m.actuator_trntype[i])) {
      case TransmissionType::kJoint:
      case TransmissionType::kJointInParent:
        break;
      case TransmissionType::kTendon:
        tendon(first);
        break;
      case TransmissionType::kBody:
        for (int c = 0; c < d.ncon; ++c) {
          const int a = m.geom_bodyid[d.contact[c].geom[0]], b = m.geom_bodyid[d.contact[c].geom[1]];
          if (a == first || b == first) bodies(a, b);
        }
        break;
      default:  // one or two sites
        if (second >= 0) bodies(m.site_bodyid[first], m.site_bodyid[second]);
    }
  }
}

}  // namespace pliant
