// implicit and implicitfast.

#include "integrate/integrate.h"

namespace pliant {

void advance_implicit(const Model& m, State& s, Data& d) { advance_euler(m, s, d); }
void advance_implicitfast(const Model& m, State& s, Data& d) { advance_euler(m, s, d); }

}  // namespace pliant
