#pragma once
// Newton's method by a team. The Hessian is one dense triangle: groups of rows are added one after the other, entries
// of a group shared out; then it is factored in place.

#include "math/dense_team.h"
#include "solver/team_point_hd.h"

namespace pliant {

template <class Team, class R>
class TeamNewton : public TeamPoint<Team, R> {
 public:
  static constexpr bool kNewton = true;
  using TeamPoint<Team, R>::TeamPoint;

  /// Numbers of the method.
  PLIANT_HD static size_t numbers(int dofs, int /*stiff*/) {
    return size_t{RowPerMember<Team, R>::kShared} + static_cast<size_t>(triangle_size(dofs));
  }

  PLIANT_HD bool prepare() { return true; }
  PLIANT_HD bool first_direction(R& decrement, SolverReport& report) { return next_direction(decrement, report); }
  /// Direction -inv(H) g; decrement 1/2 g' inv(H) g.
  PLIANT_HD bool next_direction(R& decrement, SolverReport& report) {
    ++report.factorizations;
    if (!solve()) return false;
    const R half = R(-0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.direction[i]; });
    decrement = half > 0 ? half : R(0);
    return std::isfinite(half);
  }

 private:
  using Point = TeamPoint<Team, R>;
  using Point::cones_, Point::dof_of, Point::n_, Point::p_, Point::state_, Point::team_, Point::w_;

  PLIANT_HD R* H() const { return w_.method + RowPerMember<Team, R>::kShared; }
  PLIANT_HD R& entry(const TeamGroup<R>& group, int row, int column) const {
    return H()[triangle_at(dof_of(group, row), dof_of(group, column))];
  }

  /// The direction, with H = M + second derivatives of contacts that slide + J' W J; rows are added one after the
  /// other.
  PLIANT_HD bool solve() {
    const auto& tree = p_.pattern;
    each(team_, triangle_size(n_), [&](int i) { H()[i] = 0; });
    each(team_, n_, [&](int i) {
      for (int c = 0; c < tree.rownnz[i]; ++c) {
        H()[triangle_at(i, tree.colind[tree.rowadr[i] + c])] = p_.M[tree.rowadr[i] + c];
      }
    });
    if (cones_) add_cones();
    if constexpr (RowPerMember<Team, R>::kPossible) {
      if (n_ <= RowPerMember<Team, R>::kMost) return solve_by_rows();
    }
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup<R>& group = p_.group[g];
      const R* J = group.J;
      each_of_triangle(team_, group.width, [&](int row, int column) {
        R& to = entry(group, row, column);
        R sum = to;
        for (int r = 0; r < group.rows; ++r) {
          sum = mul_add(w_.weight[group.first + r] * J[r * group.stride + row], J[r * group.stride + column], sum);
        }
        to = sum;
      });
    }
    if (!factor_triangle(team_, H(), n_)) return false;
    each(team_, n_, [&](int i) { w_.direction[i] = -w_.gradient[i]; });
    solve_triangle(team_, H(), n_, w_.direction);
    return true;
  }
  PLIANT_HD bool solve_by_rows() {
    RowPerMember<Team, R> rows(team_, n_, w_.method);
    rows.load(H());
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup<R>& group = p_.group[g];
      const int column = column_of(group, team_.lane());
      for (int r = 0; r < group.rows; ++r) {
        const R weight = w_.weight[group.first + r];
        if (weight != 0) rows.add(weight, column < 0 ? R(0) : group.J[r * group.stride + column]);
      }
    }
    if (!rows.factor()) return false;
    rows.store(H());
    const int i = team_.lane();
    const R x = rows.solve(i < n_ ? -w_.gradient[i] : R(0), H());
    if (i < n_) w_.direction[i] = x;
    team_.sync();
    return true;
  }
  /// Column of a dof in a group; -1: none.
  PLIANT_HD int column_of(const TeamGroup<R>& group, int dof) const {
    int first = 0;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      const int place = dof - p_.segment_dof[s];
      if (place >= 0 && place < p_.segment_len[s]) return first + place;
      first += p_.segment_len[s];
    }
    return -1;
  }

  /// Second derivatives of contacts that slide.
  PLIANT_HD void add_cones() {
    int g = 0;
    for (int k = 0; k < p_.nblock; ++k) {
      const LawBlock<R>& b = p_.block[k];
      while (b.first >= p_.group[g].first + p_.group[g].rows) ++g;
      if (b.law != RowLaw::kElliptic || state_[b.first] != 4) continue;
      const TeamGroup<R>& group = p_.group[g];
      R C[kMaxConeDim * kMaxConeDim];
      cone_hessian(b.dim, w_.x + b.first, p_.D + b.first, b.mu, b.friction, C);
      const R* J = group.J + (b.first - group.first) * group.stride;
      each_of_triangle(team_, group.width, [&](int row, int column) {
        R sum = 0;
        for (int i = 0; i < b.dim; ++i) {
          R across = 0;
          for (int j = 0; j < b.dim; ++j) across = mul_add(C[i * b.dim + j], J[j * group.stride + column], across);
          sum = mul_add(J[i * group.stride + row], across, sum);
        }
        entry(group, row, column) += sum;
      });
    }
  }
};

}  // namespace pliant
