#pragma once
// Adhesion: pulls a body towards what it touches. The moment is minus the mean normal Jacobian of the body's contacts,
// those within the gap included; a body that touches nothing has an empty row. There is no length.
//
// reads contact cdof subtree_com · a batch on a GPU refuses it (gpu_support.cpp)

#include <type_traits>

#include "force/moment_row_hd.h"
#include "pliant/state.h"
#include "kinematics/jacobian_hd.h"

namespace pliant {

/// The contacts that pull, summed up: sum += n · (J_b - J_a), n the normal from a to b. How many there are.
template <class M>
int add_contact_normals(const M& m, const Data& d, int body, double* sum) {
  int count = 0;
  for (int i = 0; i < d.ncon; ++i) {
    const auto& contact = d.contact[i];
    const int a = m.geom_bodyid[contact.geom[0]], b = m.geom_bodyid[contact.geom[1]];
    if ((a != body && b != body) || contact.exclude == ContactExclude::kNoDofs) continue;
    const Vec3T<double> point = vec3(contact.pos, 0), normal = vec3(contact.frame, 0);
    relative_row(m, d, a, wrench_at(m, d, a, point, -normal, {}), b, wrench_at(m, d, b, point, normal, {}),
                 [&](int dof, double value) { sum[dof] += value; });
    ++count;
  }
  return count;
}

template <class M, class D>
PLIANT_HD void body_transmission(const M& m, int actuator, MomentRow<D>& row) {
  if constexpr (std::is_same_v<D, Data>) {
    double* sum = row.d.dof_scratch;
    for (int i = 0; i < m.nv; ++i) sum[i] = 0;
    const int count = add_contact_normals(m, row.d, m.actuator_trnid[2 * actuator], sum);
    for (int i = 0; count > 0 && i < m.nv; ++i) row.put_nonzero(i, -sum[i] / count);
  }
  row.finish(m.actuator_outadr[actuator], 0);
}

}  // namespace pliant
