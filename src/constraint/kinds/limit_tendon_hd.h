#pragma once
// Limits of a tendon's length: a row for each side that is nearer than the margin.
//
// reads tendon_* ten_length ten_J

#include "constraint/kinds/equality_tendon_hd.h"

namespace pliant {

template <class M, class S, class D, class Sink>
PLIANT_HD void limit_tendon_rows(const M& m, const S&, const D& d, int tendon, Sink& sink) {
  using R = typename D::Real;
  if (!m.tendon_limited[tendon] || m.ten_J_rownnz[tendon] == 0) return;
  const R margin = m.tendon_margin[tendon];
  for (int upper = 0; upper < 2; ++upper) {
    const R sign = upper ? R(1) : R(-1), dist = sign * (m.tendon_range[2 * tendon + upper] - d.ten_length[tendon]);
    if (!(dist < margin)) continue;
    const TendonChain<M> chain{m, tendon, -1};
    if (!sink.begin(RowType::kLimitTendon, tendon, 1, chain)) continue;
    R* const J = sink.J(0);
    for (int k = 0; k < sink.length(); ++k) J[k] = 0;
    add_tendon_row(m, d, chain, tendon, -sign, J, sink.length());
    sink.row(0, dist, margin, m.tendon_invweight0[tendon]);
    sink.finish(m.tendon_solref_lim + kNumRef * tendon, m.tendon_solimp_lim + kNumImp * tendon, dist - margin);
  }
}

}  // namespace pliant
