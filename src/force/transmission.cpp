// The stage transmission: lengths of actuators, and how their forces act on dofs.

#include "force/transmission_table_hd.h"
#include "step/stages.h"

namespace pliant {

void run_transmission(const Model& m, const State& s, Data& d) {
  MomentRow<Data> row{d, 0};
  for (int i = 0; i < m.nactuator; ++i) actuator_transmission(m, s, i, row);
}

}  // namespace pliant
