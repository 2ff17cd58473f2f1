// R of the rows from other diagonals than the model's inverse weights.
//
// reads rows M qLD efm_sdiag metric · writes row_R row_D row_diagA row_clamps contact.mu

#include "constraint/regularize.h"

#include "constraint/reference_hd.h"
#include "constraint/row_sink_hd.h"
#include "math/tree_matrix.h"

namespace pliant {
namespace {

// Rows i for which f(i) gives R; those of a contact beyond the first follow from it.
template <class F>
void regularize(const Model& m, Data& d, const RowSettings<double>& settings, F&& R_of) {
  Rows& rows = d.rows;
  const bool elliptic = m.opt.cone == ConeType::kElliptic;
  const int floor = static_cast<int>(RowClamp::kRegularizer), stiffest = static_cast<int>(RowClamp::kStiffest);
  const auto set = [&](int i) {
    int& clamps = rows.row_clamps[i];
    clamps &= ~(floor | stiffest);
    rows.row_R[i] = R_of(i, clamps);
    if (!(rows.row_R[i] > kTiny)) clamps |= floor;
  };
  const int first_contact = rows.ne + rows.nf + rows.nl;
  for (int i = 0; i < first_contact; ++i) {
    if (is_mimic_row(m, rows, i)) continue;
    set(i);
    finish_regularizer(rows, i);
  }
  for (int i = first_contact; i < rows.n;) {
    Contact& contact = d.contact[rows.row_id[i]];
    const int n = contact_row_count(contact, elliptic);
    set(i);
    for (int k = i + 1; k < i + n; ++k) {
      rows.row_clamps[k] = (rows.row_clamps[k] & ~(floor | stiffest)) | (rows.row_clamps[i] & (floor | stiffest));
    }
    if (n > 1) regularize_friction(rows, i, contact, settings, elliptic);
    for (int k = i; k < i + n; ++k) finish_regularizer(rows, k);
    i += n;
  }
}

// How the response of a row to its own force changes where sdiag is added to the diagonal of M, and M is taken for its
// diagonal: Σ J²/(M + S) over Σ J²/M.
class DiagonalRatio {
 public:
  // (memory: dof_scratch)
  DiagonalRatio(const Model& m, Data& d) : rows_(d.rows), with_(d.dof_scratch), without_(d.dof_scratch + m.nv) {
    for (int i = 0; i < m.nv; ++i) {
      const double mass = d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1];
      with_[i] = 1 / at_least(kTiny, mass + d.efm_sdiag[i]);
      without_[i] = 1 / at_least(kTiny, mass);
    }
  }
  double operator()(int row) const {
    const double* J = rows_.row_J + rows_.row_Jadr[row];
    double with = 0, without = 0;
    for (int s = rows_.row_segadr[row], end = s + rows_.row_segnum[row]; s < end; ++s) {
      const double *a = with_ + rows_.segment_dof[s], *b = without_ + rows_.segment_dof[s];
      const int length = rows_.segment_len[s];
      for (int c = 0; c < length; ++c) {
        const double square = J[c] * J[c];
        with = mul_add(square, a[c], with);
        without = mul_add(square, b[c], without);
      }
      J += length;
    }
    return without > kTiny ? with / without : 1;
  }

 private:
  const Rows& rows_;
  double *with_, *without_;
};

}  // namespace

double row_response(const Model& m, const Rows& rows, int row, const double* LD, const double* inverse_D, double* x) {
  int last = -1;
  const double* J = rows.row_J + rows.row_Jadr[row];
  for (int s = rows.row_segadr[row], end = s + rows.row_segnum[row]; s < end; ++s) {
    for (int k = 0; k < rows.segment_len[s]; ++k) x[rows.segment_dof[s] + k] = *J++;
    last = rows.segment_dof[s] + rows.segment_len[s] - 1;
  }
  return inverse_quadratic_form(mass_pattern(m), LD, inverse_D, x, last);
}

void regularize_exactly(const Model& m, Data& d, const RowSettings<double>& settings) {
  std::fill_n(d.dof_scratch, m.nv, 0.0);
  regularize(m, d, settings, [&](int i, int&) {
    return regularizer(d.rows.row_KBIP[4 * i + 2], row_response(m, d.rows, i, d.qLD, d.qLDiagInv, d.dof_scratch));
  });
}

void regularize_in_metric(const Model& m, Data& d, const RowSettings<double>& settings) {
  const Rows& rows = d.rows;
  const auto with = [&](auto&& diagonal) {
    regularize(m, d, settings, [&](int i, int& clamps) {
      return implicit_regularizer(static_cast<const double*>(rows.row_KBIP + 4 * i), settings.step, diagonal(i),
                                  clamps);
    });
  };
  if (m.opt.enableflags & kEnableDiagExact) {
    std::fill_n(d.dof_scratch, m.nv, 0.0);
    with([&](int i) {
      return row_response(m, rows, i, d.metric.backbone_LD, d.metric.backbone_inverse_D, d.dof_scratch);
    });
  } else if (d.metric.plain) {
    with([&](int i) { return rows.row_weight[i]; });
  } else {
    const DiagonalRatio ratio(m, d);
    with([&](int i) { return rows.row_weight[i] * ratio(i); });
  }
}

}  // namespace pliant
