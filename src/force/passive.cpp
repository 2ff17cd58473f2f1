// The stage passive on the CPU: what passive_stage_hd.h computes, and adhesion of contacts.

#include "force/passive_adhesion_hd.h"
#include "force/passive_stage_hd.h"
#include "force/stages.h"

namespace pliant {

void run_passive(const Model& m, const State& s, Data& d) {
  passive_stage(SerialTeam{}, m, s, d);
  const int both = kDisableSpring | kDisableDamper;
  if (d.rows.n == 0 || (m.opt.disableflags & both) == both) return;
  bool any = false;
  for (int i = 0; i < d.ncon; ++i) {
    any = any || d.contact[i].adhesion > 0;
    attract(d, d.contact[i]);
  }
  if (!any) return;
  for (int i = 0; i < m.nv; ++i) d.qfrc_passive[i] += d.qfrc_adhesion[i];
}

}  // namespace pliant
