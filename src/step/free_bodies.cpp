// Free bodies under the integrator discrete: six dofs solved by themselves with M̂ + h d(bias)/dv.
//
// reads metric rows qfrc_metric qfrc_constraint cvel crb cdof · writes qacc of such bodies

#include "step/free_bodies.h"

#include <algorithm>

#include "constraint/constraint_stage_hd.h"
#include "integrate/free_body_hd.h"
#include "integrate/metric.h"

namespace pliant {
namespace {

enum Touch : char { kNothing, kRow, kTerm };

// What touches each dof. With the reference's dense Jacobian a row touches where its number is not 0.
void mark_touched(const Model& m, const Data& d, char* touched) {
  std::fill_n(touched, m.nv, char{kNothing});
  const Rows& rows = d.rows;
  const bool sparse = has_sparse_rows(m);
  for (int i = 0; i < rows.n; ++i) {
    const double* J = rows.row_J + rows.row_Jadr[i];
    for (int s = rows.row_segadr[i]; s < rows.row_segadr[i] + rows.row_segnum[i]; ++s) {
      for (int c = 0; c < rows.segment_len[s]; ++c, ++J) {
        if (sparse || *J != 0) touched[rows.segment_dof[s] + c] = kRow;
      }
    }
  }
  for (int k = 0; k < d.metric.nefmT; ++k) {
    const int adr = m.ten_J_rowadr[d.efm_tid[k]], n = m.ten_J_rownnz[d.efm_tid[k]];
    for (int c = adr; d.efm_ts[k] != 0 && c < adr + n; ++c) touched[m.ten_J_colind[c]] = kTerm;
  }
  for (int k = 0; k < d.metric.nefmA; ++k) {
    const int i = d.efm_aid[k];
    for (int out = m.actuator_outadr[i]; out < m.actuator_outadr[i] + m.actuator_outnum[i]; ++out) {
      for (int c = 0; c < d.moment_rownnz[out]; ++c) touched[d.moment_colind[d.moment_rowadr[out] + c]] = kTerm;
    }
  }
}

// Calls f(first dof, matrix) for every free body that is solved by itself.
template <class F>
void each_turning_body(const Model& m, const State& s, Data& d, bool count, F&& f) {
  if (m.nq == m.nv) return;  // no free joint
  const double* matrix = metric_of(m, d).matrix;
  const Arena::Mark mark = d.arena.mark();
  char* touched = nullptr;
  bool marked = false;
  for (int j = 0; j < m.njnt; ++j) {
    if (!is_free_body(m, j)) continue;
    // before anything turns, so that the first step finds what memory is needed
    if (!touched) touched = d.arena.take<char>(static_cast<size_t>(m.nv));
    if (!touched) return;
    const int first = m.jnt_dofadr[j];
    const double* w = s.qvel + first + 3;
    if (w[0] == 0 && w[1] == 0 && w[2] == 0) continue;  // d(bias)/dv is zero
    if (!marked) mark_touched(m, d, touched);
    marked = true;
    const char worst = *std::max_element(touched + first, touched + first + 6);
    if (worst == kTerm || (worst == kRow && !m.opt.discrete_full)) {
      d.gyroscopic_explicit += count;
      continue;
    }
    Mat6T<double> a;
    add_free_body_part(m, matrix, first, a);
    add_free_body_bias(m, s, d, j, m.opt.timestep, a);
    f(first, a);
  }
  d.arena.release(mark);
}

}  // namespace

void turn_free_bodies(const Model& m, const State& s, Data& d) {
  each_turning_body(m, s, d, true, [&](int first, Mat6T<double>& a) {
    double x[6];
    for (int i = 0; i < 6; ++i) x[i] = d.qfrc_metric[first + i] + d.qfrc_constraint[first + i];
    if (solve_lu(a, x)) std::copy_n(x, 6, d.qacc + first);
  });
}

void multiply_free_bodies(const Model& m, const State& s, Data& d, const double* x, double* qfrc) {
  each_turning_body(m, s, d, false, [&](int first, const Mat6T<double>& a) {
    for (int r = 0; r < 6; ++r) {
      qfrc[first + r] = 0;
      for (int c = 0; c < 6; ++c) qfrc[first + r] += a(r, c) * x[first + c];
    }
  });
}

}  // namespace pliant
