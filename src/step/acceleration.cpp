// The stage acceleration: all smooth forces summed, M⁻¹ applied.

#include "inertia/inertia.h"
#include "query/jacobian_hd.h"
#include "step/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d) {
  for (int i = 0; i < m.nv; ++i) {
    d.qfrc_smooth[i] = d.qfrc_passive[i] - d.qfrc_bias[i] + s.qfrc_applied[i] + d.qfrc_actuator[i];
  }
  for (int b = 1; b < m.nbody; ++b) {
    const Spatial wrench = spatial(s.xfrc_applied, b);  // force first, torque second
    if (dot(wrench, wrench) == 0) continue;
    add_force_at(m, d, b, vec3(d.xipos, b), wrench.ang, wrench.lin, d.qfrc_smooth);
  }
  for (int i = 0; i < m.nv; ++i) d.qacc_smooth[i] = d.qfrc_smooth[i];
  solve_mass(m, d, d.qacc_smooth);
}

}  // namespace pliant
