#pragma once
// Newton's method by a team: one world, its problem and the factor of its Hessian in memory that the members share.
//
// The cost, the laws, the line search and the rules of termination are those of the CPU (laws_hd.h, cones_hd.h,
// line_search_hd.h, descent_hd.h). The Hessian is one dense triangle, which for a few dozen dofs beats anything that
// looks for zeros: groups of rows are added one after the other, entries of a group shared out; the factor is made
// column by column, entries below shared out.
//
// Every number has one member that computes it, by the same operations in the same order whoever that is; sums over
// members have a fixed shape (sum_of). So results have the same bits for teams of any size.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/team.h"
#include "math/tree_matrix_team.h"
#include "solver/cones_hd.h"
#include "solver/descent_hd.h"
#include "solver/laws_hd.h"

namespace pliant {

/// Rows with one law: one scalar row, or the rows of an elliptic contact.
template <class R>
struct TeamBlock {
  int first = 0, dim = 1;
  RowLaw law = RowLaw::kEquality;
  R bound = 0;  // kFriction
  R mu = 0;     // kElliptic
  const R* friction = nullptr;
};

/// Rows that share their columns; their numbers are a matrix rows x width from J on.
struct TeamGroup {
  int first, rows, width, segment, segments, J;
};

/// What a team solves (problem.h): minimise 1/2 (a - a_s)' M (a - a_s) + sum of s(J a - aref).
template <class R>
struct TeamProblem {
  TreePattern<const int*> pattern;  // of M, with levels
  const R *M, *LD, *inverse_D;
  int nrow = 0, nblock = 0, ngroup = 0;
  const TeamBlock<R>* block;
  const TeamGroup* group;
  const int *segment_dof, *segment_len;
  const R *J, *aref, *D, *regularizer;
  const R *qacc_smooth, *qfrc_smooth;
  DescentRules<R> rules;
};

/// Memory that the members share.
template <class R>
struct TeamMemory {
  R* H;                                             // n (n + 1) / 2: the Hessian, then its factor, by rows
  R *Ma, *gradient, *direction, *Ms, *inverse, *y;  // dofs
  R *x, *Js, *weight;                               // rows; weight: 0 or D, of rows in their quadratic state
  ConeLine<R>* cone;                                // blocks
};

/// How many numbers of type R (cones apart) a problem needs.
PLIANT_HD size_t team_numbers(int dofs, int rows) {
  return static_cast<size_t>(dofs) * static_cast<size_t>(dofs + 1) / 2 + 6 * static_cast<size_t>(dofs) +
         3 * static_cast<size_t>(rows);
}
template <class R>
PLIANT_HD TeamMemory<R> team_memory(R* numbers, ConeLine<R>* cones, int dofs, int rows) {
  TeamMemory<R> memory;
  const auto take = [&](int n) {
    R* at = numbers;
    numbers += n;
    return at;
  };
  memory.H = take(dofs * (dofs + 1) / 2);
  memory.Ma = take(dofs), memory.gradient = take(dofs), memory.direction = take(dofs);
  memory.Ms = take(dofs), memory.inverse = take(dofs), memory.y = take(dofs);
  memory.x = take(rows), memory.Js = take(rows), memory.weight = take(rows);
  memory.cone = cones;
  return memory;
}

/// Terms of a line search that add up.
template <class R>
struct LineSum : LineTerms<R> {
  PLIANT_HD LineSum() : LineTerms<R>{0, 0, 0} {}
  PLIANT_HD LineSum(R cost, R slope, R curvature) : LineTerms<R>{cost, slope, curvature} {}
  PLIANT_HD LineSum& operator+=(const LineTerms<R>& other) {
    this->cost += other.cost;
    this->slope += other.slope;
    this->curvature += other.curvature;
    return *this;
  }
};
template <class Team, class R>
PLIANT_HD LineSum<R> from_below(const Team& team, const LineSum<R>& x, int n) {
  return {team.down(x.cost, n), team.down(x.slope, n), team.down(x.curvature, n)};
}
template <class Team, class R>
PLIANT_HD LineSum<R> from_first(const Team& team, const LineSum<R>& x) {
  return {team.first(x.cost), team.first(x.slope), team.first(x.curvature)};
}

/// A Descent (descent_hd.h) whose every member is in step with the others.
template <class Team, class R>
class TeamNewton {
 public:
  static constexpr bool kNewton = true;

  /// qacc: where to start, and the answer; force and state: those of the rows.
  PLIANT_HD TeamNewton(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory, R* qacc, R* force,
                       int* state)
      : team_(team), p_(problem), w_(memory), n_(problem.pattern.n), a_(qacc), force_(force), state_(state) {}

  /// Everything that follows from qacc; false if it is not finite.
  PLIANT_HD bool start() {
    times_mass(a_, w_.Ma);
    times_rows(a_, w_.x);
    each(team_, p_.nrow, [&](int i) { w_.x[i] -= p_.aref[i]; });
    each(team_, p_.nrow, [&](int i) { state_[i] = 0; });
    refresh();
    return std::isfinite(cost_) && std::isfinite(gradient_norm());
  }

  PLIANT_HD R gradient_norm() const {
    return std::sqrt(sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.gradient[i]; }));
  }
  PLIANT_HD R gap() const {
    each(team_, n_, [&](int i) { w_.inverse[i] = w_.gradient[i]; });
    solve_tree(team_, p_.pattern, p_.LD, p_.inverse_D, w_.inverse);
    const R half = R(0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.inverse[i]; });
    return half > 0 ? half : R(0);
  }
  PLIANT_HD R cost() const { return cost_; }
  PLIANT_HD bool prepare() { return true; }
  PLIANT_HD bool first_direction(R& decrement, SolverReport& report) { return next_direction(decrement, report); }
  PLIANT_HD bool next_direction(R& decrement, SolverReport& report) {
    ++report.factorizations;
    assemble();
    if (!factor()) return false;
    each(team_, n_, [&](int i) { w_.direction[i] = -w_.gradient[i]; });
    solve(w_.direction);
    const R half = R(-0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.direction[i]; });
    decrement = half > 0 ? half : R(0);
    return std::isfinite(half);
  }
  PLIANT_HD R direction_norm() const {
    return std::sqrt(sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * w_.direction[i]; }));
  }
  PLIANT_HD LinePointT<R> search(R slope_tolerance, int most_evaluations, R noise) {
    times_mass(w_.direction, w_.Ms);
    times_rows(w_.direction, w_.Js);
    prepare_line();
    return search_line<R>([&](R alpha) { return evaluate(alpha); }, [&] { return evaluations_; }, slope_tolerance,
                          most_evaluations, noise);
  }
  PLIANT_HD int evaluations() const { return evaluations_; }
  PLIANT_HD void move(R alpha) {
    each(team_, n_, [&](int i) {
      a_[i] = mul_add(alpha, w_.direction[i], a_[i]);
      w_.Ma[i] = mul_add(alpha, w_.Ms[i], w_.Ma[i]);
    });
    each(team_, p_.nrow, [&](int i) { w_.x[i] = mul_add(alpha, w_.Js[i], w_.x[i]); });
    refresh();
  }
  PLIANT_HD void record(const SolverReport&, const LinePointT<R>&, R, int, int) {}

 private:
  PLIANT_HD static int at(int i, int j) { return i * (i + 1) / 2 + j; }

  // ---- products ------------------------------------------------------------------------------------------------

  /// out = M v: below the diagonal by rows, above it by columns, whose entries are gathered from the rows of
  /// descendants.
  PLIANT_HD void times_mass(const R* v, R* out) const {
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
  PLIANT_HD R row_times(int row, const TeamGroup& group, const R* v) const {
    const R* J = p_.J + group.J + (row - group.first) * group.width;
    R sum = 0;
    for (int s = group.segment; s < group.segment + group.segments; ++s) {
      const R* columns = v + p_.segment_dof[s];
      for (int c = 0; c < p_.segment_len[s]; ++c) sum = mul_add(J[c], columns[c], sum);
      J += p_.segment_len[s];
    }
    return sum;
  }
  /// out = J v.
  PLIANT_HD void times_rows(const R* v, R* out) const {
    int group = 0;  // rows of a member ascend, and with them groups
    for (int i = team_.lane(); i < p_.nrow; i += team_.size()) {
      while (i >= p_.group[group].first + p_.group[group].rows) ++group;
      out[i] = row_times(i, p_.group[group], v);
    }
    team_.sync();
  }
  /// Dof of a column of a group.
  PLIANT_HD int dof_of(const TeamGroup& group, int column) const {
    for (int s = group.segment;; ++s) {
      if (column < p_.segment_len[s]) return p_.segment_dof[s] + column;
      column -= p_.segment_len[s];
    }
  }

  // ---- the point -----------------------------------------------------------------------------------------------

  PLIANT_HD RowInterval<R> interval(const TeamBlock<R>& b) const {
    return row_interval(b.law, p_.regularizer[b.first], b.bound);
  }

  /// Forces, states and cost from x; then the gradient M a - tau - J' f.
  PLIANT_HD void refresh() {
    bool cones = false;
    const R penalty = sum_of<R>(team_, p_.nblock, [&](int k) {
      const TeamBlock<R>& b = p_.block[k];
      const int i = b.first;
      if (b.law != RowLaw::kElliptic) {
        const RowInterval<R> bounds = interval(b);
        R cost = 0;
        for (int r = i; r < i + b.dim; ++r) {
          force_[r] = force_of_row(w_.x[r], p_.D[r], bounds);
          state_[r] = row_state_at(w_.x[r], b.law, bounds);
          w_.weight[r] = is_quadratic(w_.x[r], bounds) ? p_.D[r] : R(0);
          cost += row_cost(w_.x[r], p_.D[r], bounds);
        }
        return cost;
      }
      R cost = 0;
      const ConeZone zone = cone_force(b.dim, w_.x + i, p_.D + i, b.mu, b.friction, force_ + i, cost);
      const int now = zone == ConeZone::kTop ? 0 : zone == ConeZone::kBottom ? 1 : 4;
      for (int r = i; r < i + b.dim; ++r) {
        state_[r] = now;
        w_.weight[r] = now == 1 ? p_.D[r] : R(0);
      }
      cones = cones || now == 4;
      return cost;
    });
    cones_ = team_.any(cones);
    const R gauss = sum_of<R>(team_, n_, [&](int i) {
      w_.gradient[i] = w_.Ma[i] - p_.qfrc_smooth[i];
      return R(0.5) * w_.gradient[i] * (a_[i] - p_.qacc_smooth[i]);
    });
    cost_ = penalty + gauss;
    team_.sync();
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup& group = p_.group[g];
      each(team_, group.width, [&](int c) {
        const R* J = p_.J + group.J + c;
        R sum = 0;
        for (int r = 0; r < group.rows; ++r) sum = mul_add(J[r * group.width], force_[group.first + r], sum);
        w_.gradient[dof_of(group, c)] -= sum;
      });
    }
  }

  // ---- the line ------------------------------------------------------------------------------------------------

  PLIANT_HD void prepare_line() {
    evaluations_ = 0;
    slope_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * (w_.Ma[i] - p_.qfrc_smooth[i]); });
    curvature_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * w_.Ms[i]; });
    each(team_, p_.nblock, [&](int k) {
      const TeamBlock<R>& b = p_.block[k];
      if (b.law != RowLaw::kElliptic) return;
      w_.cone[k] = cone_line(b.dim, w_.x + b.first, w_.Js + b.first, p_.D + b.first, b.mu, b.friction);
    });
  }
  PLIANT_HD LinePointT<R> evaluate(R alpha) {
    ++evaluations_;
    const auto rows = sum_of<LineSum<R>>(team_, p_.nblock, [&](int k) {
      const TeamBlock<R>& b = p_.block[k];
      LineSum<R> sum;
      if (b.law == RowLaw::kElliptic) {
        cone_along_line(w_.cone[k], alpha, sum.cost, sum.slope, sum.curvature);
        return sum;
      }
      const RowInterval<R> bounds = interval(b);
      for (int r = b.first; r < b.first + b.dim; ++r) {
        sum += row_along_line(w_.x[r], w_.Js[r], p_.D[r], alpha, bounds);
      }
      return sum;
    });
    LinePointT<R> point{alpha, alpha * (slope_ + R(0.5) * alpha * curvature_) + rows.cost,
                        slope_ + alpha * curvature_ + rows.slope, curvature_ + rows.curvature};
    if (!(point.curvature > 0)) point.curvature = R(kTiny);
    return point;
  }

  // ---- the Hessian ---------------------------------------------------------------------------------------------

  /// H = M + J' W J.
  PLIANT_HD void assemble() {
    const auto& tree = p_.pattern;
    each(team_, n_ * (n_ + 1) / 2, [&](int i) { w_.H[i] = 0; });
    each(team_, n_, [&](int i) {
      for (int c = 0; c < tree.rownnz[i]; ++c) {
        w_.H[at(i, tree.colind[tree.rowadr[i] + c])] = p_.M[tree.rowadr[i] + c];
      }
    });
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup& group = p_.group[g];
      // entries of the triangle are dealt out in turn
      const int entries = group.width * (group.width + 1) / 2;
      int row = 0;
      for (int e = team_.lane(); e < entries; e += team_.size()) {
        while (e >= (row + 1) * (row + 2) / 2) ++row;
        const int column = e - row * (row + 1) / 2;
        const R* a = p_.J + group.J + row;
        const R* b = p_.J + group.J + column;
        R sum = 0;
        for (int r = 0; r < group.rows; ++r) {
          sum = mul_add(w_.weight[group.first + r] * a[r * group.width], b[r * group.width], sum);
        }
        w_.H[at(dof_of(group, row), dof_of(group, column))] += sum;
      }
      team_.sync();
    }
    if (cones_) add_cones();
  }

  /// Second derivatives of contacts that slide.
  PLIANT_HD void add_cones() {
    int g = 0;
    for (int k = 0; k < p_.nblock; ++k) {
      const TeamBlock<R>& b = p_.block[k];
      while (b.first >= p_.group[g].first + p_.group[g].rows) ++g;
      if (b.law != RowLaw::kElliptic || state_[b.first] != 4) continue;
      const TeamGroup& group = p_.group[g];
      R C[kMaxConeDim * kMaxConeDim];
      cone_hessian(b.dim, w_.x + b.first, p_.D + b.first, b.mu, b.friction, C);
      const R* J = p_.J + group.J + (b.first - group.first) * group.width;
      const int entries = group.width * (group.width + 1) / 2;
      int row = 0;
      for (int e = team_.lane(); e < entries; e += team_.size()) {
        while (e >= (row + 1) * (row + 2) / 2) ++row;
        const int column = e - row * (row + 1) / 2;
        R sum = 0;
        for (int i = 0; i < b.dim; ++i) {
          R across = 0;
          for (int j = 0; j < b.dim; ++j) across = mul_add(C[i * b.dim + j], J[j * group.width + column], across);
          sum = mul_add(J[i * group.width + row], across, sum);
        }
        w_.H[at(dof_of(group, row), dof_of(group, column))] += sum;
      }
      team_.sync();
    }
  }

  /// H = L L', in place. False if a pivot is not positive; all members know.
  PLIANT_HD bool factor() {
    for (int k = 0; k < n_; ++k) {
      const R pivot = w_.H[at(k, k)];
      if (!(pivot > R(kTiny))) return false;
      const R root = std::sqrt(pivot), inverse = 1 / root;
      team_.sync();  // everybody has read the pivot
      for (int i = k + team_.lane(); i < n_; i += team_.size()) {
        w_.H[at(i, k)] = i == k ? root : w_.H[at(i, k)] * inverse;
      }
      team_.sync();
      const int left = n_ - k - 1, entries = left * (left + 1) / 2;
      int row = 0;
      for (int e = team_.lane(); e < entries; e += team_.size()) {
        while (e >= (row + 1) * (row + 2) / 2) ++row;
        const int i = k + 1 + row, j = k + 1 + e - row * (row + 1) / 2;
        w_.H[at(i, j)] = mul_add(-w_.H[at(i, k)], w_.H[at(j, k)], w_.H[at(i, j)]);
      }
      team_.sync();
    }
    return true;
  }

  /// x = inv(L L') x, column by column.
  PLIANT_HD void solve(R* x) const {
    for (int k = 0; k < n_; ++k) {
      const R value = x[k] / w_.H[at(k, k)];
      team_.sync();
      for (int i = k + team_.lane(); i < n_; i += team_.size()) {
        x[i] = i == k ? value : mul_add(-w_.H[at(i, k)], value, x[i]);
      }
      team_.sync();
    }
    for (int k = n_ - 1; k >= 0; --k) {
      const R value = x[k] / w_.H[at(k, k)];
      team_.sync();
      for (int i = team_.lane(); i <= k; i += team_.size()) {
        x[i] = i == k ? value : mul_add(-w_.H[at(k, i)], value, x[i]);
      }
      team_.sync();
    }
  }

  const Team& team_;
  const TeamProblem<R>& p_;
  const TeamMemory<R>& w_;
  int n_;
  R* a_;
  R* force_;
  int* state_;
  R cost_ = 0, slope_ = 0, curvature_ = 0;
  int evaluations_ = 0;
  bool cones_ = false;
};

/// On entry qacc holds the warm start; on return qacc, forces and states are the answer. All members get the report.
template <class Team, class R>
PLIANT_HD SolverReport solve_newton(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory,
                                    R* qacc, R* force, int* state) {
  SolverReport report;
  const int n = problem.pattern.n;
  TeamNewton<Team, R> newton(team, problem, memory, qacc, force, state);
  // a warm start that is not finite is no warm start
  if (!newton.start()) {
    each(team, n, [&](int i) { qacc[i] = problem.qacc_smooth[i]; });
    if (!newton.start()) {
      each(team, problem.nrow, [&](int i) { force[i] = 0, state[i] = 0; });
      report.status = SolverStatus::kNotFinite;
      return report;
    }
  }
  const SolverStatus status = descend(newton, problem.rules, report);
  report.gap = problem.rules.scale * newton.gap();
  report.gradient = problem.rules.scale * newton.gradient_norm();
  report.converged = report.gap < problem.rules.tolerance;
  report.status = report.converged ? SolverStatus::kConverged : status;
  return report;
}

}  // namespace pliant
