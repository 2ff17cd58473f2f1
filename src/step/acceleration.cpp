// The stage acceleration: all smooth forces summed, those of exact followers passed to their leaders, the inverse of
// the metric applied: of M, or of M̂ to the forces as they are at the end of the step (integrator discrete).

#include <algorithm>

#include "integrate/metric.h"
#include "state/fault.h"
#include "step/acceleration_hd.h"
#include "step/metric_solve.h"
#include "step/stages.h"

namespace pliant {

void run_acceleration(const Model& m, const State& s, Data& d) {
  sum_smooth_forces(SerialTeam{}, m, s, d);
  if (!metric_of(m, d).discrete) return smooth_acceleration(SerialTeam{}, m, d);
  for (int i = 0; i < m.nv; ++i) d.qfrc_metric[i] = d.qfrc_smooth[i] + d.efm_c[i] + d.efm_ca[i];
  std::copy_n(d.qfrc_metric, m.nv, d.qacc_smooth);
  // (the solver begins with what there would be without the terms that are rows for it; discrete has no other use of
  // qacc_advance)
  if (!solve_metric(m, s, d, d.qacc_smooth, d.qacc_advance)) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
  }
}

}  // namespace pliant
