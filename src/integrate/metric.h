#pragma once
// The matrix that forces accelerate.

#include "base/hd.h"
#include "pliant/state.h"

namespace pliant {

/// M̂ of the integrator discrete and the rows that depend on it; nothing for the others.
void run_metric(const Model& m, const State& s, Data& d);

/// The matrix that solver and smooth acceleration work with: M, or what the stage metric has made.
template <class M, class D>
PLIANT_HD auto metric_of(const M& m, const D& d) {
  if (is_discrete(m.opt) && d.metric.discrete) return d.metric;
  decltype(d.metric) mass;
  mass.matrix = d.M;
  mass.LD = mass.backbone_LD = d.qLD;
  mass.inverse_D = mass.backbone_inverse_D = d.qLDiagInv;
  return mass;
}

}  // namespace pliant
