// The stage tendons, and what tendons with inertia add to the stages inertia and bias.

#include "kinematics/tendons.h"

#include "kinematics/tendon_hd.h"
#include "step/stages.h"

namespace pliant {

void run_tendons(const Model& m, const State& s, Data& d) {
  int point = 0;
  for (int t = 0; t < m.ntendon; ++t) tendon_geometry(m, s, d, t, point);
}

void add_tendon_armature(const Model& m, Data& d) {
  for (int t = 0; t < m.ntendon; ++t) {
    if (const double inertia = tendon_inertia(m, t)) add_inertia_along(m, d, t, inertia);
  }
}

void add_tendon_bias(const Model& m, const State&, Data& d) {
  for (int t = 0; t < m.ntendon; ++t) {
    const double inertia = tendon_inertia(m, t);
    if (inertia == 0 || is_fixed_tendon(m, t)) continue;
    const double tension = inertia * tendon_bias_acceleration(m, d, t);
    const int adr = m.ten_J_rowadr[t];
    for (int k = adr; k < adr + m.ten_J_rownnz[t]; ++k)
      d.qfrc_bias[m.ten_J_colind[k]] += tension * d.ten_J[k];
  }
}

}  // namespace pliant
