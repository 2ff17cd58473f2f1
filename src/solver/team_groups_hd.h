#pragma once
// What a team multiplies with and factors beyond 32 dofs, with CG, and where sweeps follow: rows in groups with the
// same columns, M by its tree. (Up to 32 dofs Newton has dense matrices: dense_newton_hd.h.)

#include "math/dense_team.h"
#include "solver/team_problem_hd.h"

namespace pliant {

template <class Team, class R>
class TeamGroups {
 public:
  PLIANT_HD TeamGroups(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory)
      : team_(team), p_(problem), D_(memory.D), n_(problem.pattern.n) {}

  /// out = M v: below the diagonal by rows, above it by columns, whose entries are gathered from the rows of
  /// descendants.
  PLIANT_HD_APART void times_mass(const R* v, R* out) const {
    const auto& tree = p_.pattern;
    each(team_, n_, [&](int i) {
      const R* row = p_.M + tree.rowadr[i];
      R sum = 0;
      for (int c = 0; c < tree.rownnz[i]; ++c) sum = mul_add(row[c], v[tree.colind[tree.rowadr[i] + c]], sum);
      // a descendant has column i at the place where i has its diagonal
      const int place = tree.rownnz[i] - 1;
      for (int j = i + 1; j < n_; ++j) {
        const int first = tree.rowadr[j];
        if (tree.rownnz[j] > place + 1 && tree.colind[first + place] == i)
          sum = mul_add(p_.M[first + place], v[j], sum);
      }
      out[i] = sum;
    });
  }
  /// x = inv(M) x.
  PLIANT_HD_APART void apply_inverse_mass(R* x) const { solve_tree(team_, p_.pattern, p_.LD, p_.inverse_D, x); }
  /// out = J v.
  PLIANT_HD_APART void times_rows(const R* v, R* out) const {
    int group = 0;  // rows of a member ascend, and with them groups
    for (int i = team_.lane(); i < p_.nrow; i += team_.size()) {
      while (i >= p_.group[group].first + p_.group[group].rows) ++group;
      out[i] = row_times(i, p_.group[group], v);
    }
    team_.sync();
  }
  /// v -= J' f.
  PLIANT_HD_APART void subtract_forces(const R* f, R* v) const {
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup<R>& group = p_.group[g];
      each(team_, group.width, [&](int c) {
        const R* J = group.J + c;
        R sum = 0;
        for (int r = 0; r < group.rows; ++r) sum = mul_add(J[r * group.stride], f[group.first + r], sum);
        v[dof_of(group, c)] -= sum;
      });
    }
  }

  // ---- the Hessian: a lower triangle (dense_team.h)

  PLIANT_HD_APART bool find_factor(const R* weight, const R* x, bool sliding, R* H) const {
    const auto& tree = p_.pattern;
    each(team_, triangle_size(n_), [&](int i) { H[i] = 0; });
    each(team_, n_, [&](int i) {
      for (int c = 0; c < tree.rownnz[i]; ++c) {
        H[triangle_at(i, tree.colind[tree.rowadr[i] + c])] = p_.M[tree.rowadr[i] + c];
      }
    });
    if (sliding) add_cones(x, H);
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup<R>& group = p_.group[g];
      const R* J = group.J;
      each_of_triangle(team_, group.width, [&](int row, int column) {
        R& to = H[triangle_at(dof_of(group, row), dof_of(group, column))];
        R sum = to;
        for (int r = 0; r < group.rows; ++r) {
          sum = mul_add(weight[group.first + r] * J[r * group.stride + row], J[r * group.stride + column], sum);
        }
        to = sum;
      });
    }
    return factor_triangle(team_, H, n_);
  }
  PLIANT_HD_APART void solve_factored(const R* H, R* x) const { solve_triangle(team_, H, n_, x); }

  // ---- single rows: what CG preconditions with

  PLIANT_HD R row_times(int row, const TeamGroup<R>& group, const R* v) const {
    const R* J = group.J + (row - group.first) * group.stride;
    R sum = 0;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      const R* columns = v + p_.segment_dof[s];
      for (int c = 0; c < p_.segment_len[s]; ++c) sum = mul_add(J[c], columns[c], sum);
      J += p_.segment_len[s];
    }
    return sum;
  }
  /// Dof of a column of a group.
  PLIANT_HD int dof_of(const TeamGroup<R>& group, int column) const {
    for (int s = group.segment;; ++s) {
      if (column < p_.segment_len[s]) return p_.segment_dof[s] + column;
      column -= p_.segment_len[s];
    }
  }

 private:
  /// Second derivatives of contacts that slide.
  PLIANT_HD void add_cones(const R* x, R* H) const {
    int g = 0;
    for (int k = 0; k < p_.nblock; ++k) {
      const LawBlock<R>& b = p_.block[k];
      while (b.first >= p_.group[g].first + p_.group[g].rows) ++g;
      R C[kMaxConeDim * kMaxConeDim];
      if (!sliding_hessian(b, x, D_, C)) continue;
      const TeamGroup<R>& group = p_.group[g];
      const R* J = group.J + (b.first - group.first) * group.stride;
      each_of_triangle(team_, group.width, [&](int row, int column) {
        R& to = H[triangle_at(dof_of(group, row), dof_of(group, column))];
        R sum = to;
        for (int i = 0; i < b.dim; ++i) {
          R across = 0;
          for (int j = 0; j < b.dim; ++j) across = mul_add(C[i * b.dim + j], J[j * group.stride + row], across);
          sum = mul_add(across, J[i * group.stride + column], sum);
        }
        to = sum;
      });
    }
  }

  const Team& team_;
  const TeamProblem<R>& p_;
  const R* D_;
  int n_;
};

}  // namespace pliant
