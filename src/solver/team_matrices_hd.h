#pragma once
// What a team multiplies with and factors, in one of two shapes that follow from the number of dofs:
//
//   DenseMatrices     up to 32 dofs: J and M with all their zeros, in rows that begin at multiples of 16 bytes. A
//   member
//                     that has a dof, or a row, then never looks for anything.
//   GroupedMatrices   beyond: rows in groups with the same columns, M by its tree.
//
// Both give a point (team_point_hd.h) products with M, J and their transposes, and Newton its Hessian.

#include "math/dense_team.h"
#include "solver/team_problem_hd.h"

namespace pliant {

// ---- groups ------------------------------------------------------------------------------------------

template <class Team, class R>
class GroupedMatrices {
 public:
  PLIANT_HD GroupedMatrices(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory)
      : team_(team), p_(problem), D_(memory.D), n_(problem.pattern.n) {}
  PLIANT_HD void load() const {}

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
  /// x = inv(M) x. `scratch`: not needed.
  PLIANT_HD_APART void apply_inverse_mass(R* x, R* /*scratch*/) const {
    solve_tree(team_, p_.pattern, p_.LD, p_.inverse_D, x);
  }
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

  PLIANT_HD_APART bool find_factor(const R* weight, const R* x, bool sliding, R* H, R* /*shared*/) const {
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

// ---- dense -------------------------------------------------------------------------------------------

template <class Team, class R>
class DenseMatrices {
 public:
  PLIANT_HD DenseMatrices(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory)
      : team_(team),
        p_(problem),
        D_(memory.D),
        n_(problem.pattern.n),
        stride_(dense_stride(n_)),
        M_(memory.M),
        J_(memory.J) {}

  /// M and J from where they are; rows of zeros beyond the last dof.
  PLIANT_HD_APART void load() const {
    each(team_, n_ * stride_, [&](int i) { M_[i] = 0; });
    each(team_, p_.nrow * stride_, [&](int i) { J_[i] = 0; });
    const auto& tree = p_.pattern;
    each(team_, tree.rowadr[n_ - 1] + tree.rownnz[n_ - 1], [&](int e) {
      const int i = p_.entry_row[e], j = tree.colind[e];
      M_[i * stride_ + j] = M_[j * stride_ + i] = p_.M[e];
    });
    each(team_, p_.nrow, [&](int i) {
      const R* from = p_.row_J + p_.row_Jadr[i];
      for (int s = p_.row_segadr[i], end = s + p_.row_segnum[i]; s < end; ++s) {
        R* to = J_ + i * stride_ + p_.segment_dof[s];
        for (int c = 0; c < p_.segment_len[s]; ++c) to[c] = *from++;
      }
    });
  }

  PLIANT_HD_APART void times_mass(const R* v, R* out) const {
    each(team_, n_, [&](int i) { out[i] = row_times(M_ + i * stride_, v); });
  }
  PLIANT_HD_APART void times_rows(const R* v, R* out) const {
    each(team_, p_.nrow, [&](int i) { out[i] = row_times(J_ + i * stride_, v); });
  }
  PLIANT_HD_APART void subtract_forces(const R* f, R* v) const {
    each(team_, n_, [&](int i) {
      R sum = 0;
      for (int r = 0; r < p_.nrow; ++r) sum = mul_add(J_[r * stride_ + i], f[r], sum);
      v[i] -= sum;
    });
  }
  /// out = J' f.
  template <class Out>
  PLIANT_HD void project(const R* f, Out&& out) const {
    each(team_, n_, [&](int i) {
      R sum = 0;
      for (int r = 0; r < p_.nrow; ++r) sum = mul_add(J_[r * stride_ + i], f[r], sum);
      out[i] = sum;
    });
  }
  /// x = inv(M) x. `scratch`: a triangle.
  PLIANT_HD_APART void apply_inverse_mass(R* x, R* scratch) const {
    const auto& tree = p_.pattern;
    each(team_, triangle_size(n_), [&](int i) { scratch[i] = 0; });
    each(team_, tree.rowadr[n_ - 1] + tree.rownnz[n_ - 1],
         [&](int e) { scratch[triangle_at(p_.entry_row[e], tree.colind[e])] = p_.LD[e]; });
    solve_unit_triangle(team_, static_cast<const R*>(scratch), p_.inverse_D, n_, x);
  }

  PLIANT_HD_APART bool find_factor(const R* weight, const R* x, bool sliding, R* H, [[maybe_unused]] R* shared) const {
    if constexpr (Team::kMembers == kMembersOfRows) {
      if (stride_ <= 4) return find_by_rows<4>(weight, x, sliding, H, shared);
      if (stride_ <= 12) return find_by_rows<12>(weight, x, sliding, H, shared);
      if (stride_ <= 20) return find_by_rows<20>(weight, x, sliding, H, shared);
      if (stride_ <= 28) return find_by_rows<28>(weight, x, sliding, H, shared);
      return find_by_rows<kMembersOfRows>(weight, x, sliding, H, shared);
    } else {
      each_of_triangle(team_, n_, [&](int i, int j) { H[triangle_at(i, j)] = M_[i * stride_ + j]; });
      each_term(weight, x, sliding, [&](auto&& factor, const R* J) {
        each_of_triangle(team_, n_,
                         [&](int i, int j) { H[triangle_at(i, j)] = mul_add(factor(i), J[j], H[triangle_at(i, j)]); });
      });
      return factor_triangle(team_, H, n_);
    }
  }
  PLIANT_HD_APART void solve_factored(const R* H, R* x) const { solve_triangle(team_, H, n_, x); }

 private:
  template <int columns>
  PLIANT_HD_APART bool find_by_rows(const R* weight, const R* x, bool sliding, R* H, R* shared) const {
    RowPerMember<Team, R, columns> rows(team_, n_, shared);
    rows.load(M_, stride_);
    const int dof = team_.lane() < n_ ? team_.lane() : n_ - 1;
    each_term(weight, x, sliding, [&](auto&& factor, const R* J) { rows.add(factor(dof), J); });
    const bool good = rows.factor();
    rows.store(H);
    return good;
  }
  /// add(factor, J) for every part factor(i) J_j of the Hessian's entries (i, j): contacts that slide, then rows.
  template <class F>
  PLIANT_HD void each_term(const R* weight, const R* x, bool sliding, F&& add) const {
    for (int k = 0; sliding && k < p_.nblock; ++k) {
      const LawBlock<R>& b = p_.block[k];
      R C[kMaxConeDim * kMaxConeDim];
      if (!sliding_hessian(b, x, D_, C)) continue;
      const R* J = J_ + b.first * stride_;
      for (int i = 0; i < b.dim; ++i) {
        const auto across = [&](int dof) {
          R sum = 0;
          for (int j = 0; j < b.dim; ++j) sum = mul_add(C[i * b.dim + j], J[j * stride_ + dof], sum);
          return sum;
        };
        add(across, J + i * stride_);
      }
    }
    for (int first = 0; first < p_.nrow; first += 4) {
      const FourNumbers<R> four = load_four(weight + first);  // (those beyond the last row are 0)
      PLIANT_UNROLL
      for (int k = 0; k < 4; ++k) {
        if (four.x[k] == 0) continue;
        const R* J = J_ + (first + k) * stride_;
        add([&](int dof) { return four.x[k] * J[dof]; }, J);
      }
    }
  }
  PLIANT_HD R row_times(const R* row, const R* v) const {
    R sum = 0;
    for (int c = 0; c < stride_; c += 4) {
      const FourNumbers<R> a = load_four(row + c), b = load_four(v + c);
      PLIANT_UNROLL
      for (int k = 0; k < 4; ++k) sum = mul_add(a.x[k], b.x[k], sum);
    }
    return sum;
  }

  const Team& team_;
  const TeamProblem<R>& p_;
  const R* D_;
  int n_, stride_;
  R *M_, *J_;
};

}  // namespace pliant
