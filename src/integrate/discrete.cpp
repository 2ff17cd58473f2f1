// discrete: the solver has found the step itself, qacc = (v⁺ - v)/h (metric.cpp); it only has to be taken.

#include "integrate/integrate.h"

namespace pliant {

void advance_discrete(const Model& m, const State& s, Data& d, ForwardFn) {
  advance_state(m, s, d, d.act_dot, d.qacc, nullptr);
}

}  // namespace pliant
