#pragma once
// The point that methods of teams move: accelerations, and what follows from them. Cost, laws and line search are those
// of the CPU (laws_hd.h, cones_hd.h, line_search_hd.h).
//
// Every number has one member that computes it, by the same operations in the same order whoever that is; sums over
// members have a fixed shape (sum_of). So results have the same bits for teams of any size.

#include <cmath>
#include <cstdint>

#include "base/team.h"
#include "solver/certificate_hd.h"
#include "solver/team_problem_hd.h"

namespace pliant {

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

/// What a Descent (descent_hd.h) needs besides directions; every member is in step with the others.
template <class Team, class R>
class TeamPoint {
 public:
  /// qacc: where to start, and the answer; force and state: those of the rows.
  PLIANT_HD TeamPoint(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory, R* qacc, R* force,
                      int* state)
      : team_(team), p_(problem), w_(memory), n_(problem.pattern.n), a_(qacc), force_(force), state_(state) {}

  /// Everything that follows from qacc; false if it is not finite.
  PLIANT_HD bool start() {
    times_mass(a_, w_.Ma);
    times_rows(a_, w_.x);
    each(team_, p_.nrow, [&](int i) { w_.x[i] -= p_.aref[i]; });
    refresh();
    return std::isfinite(cost_) && std::isfinite(gradient_norm());
  }

  PLIANT_HD R gradient_norm() const { return norm(w_.gradient); }
  PLIANT_HD R direction_norm() const { return norm(w_.direction); }
  PLIANT_HD R gap() const {
    apply_inverse_mass(w_.gradient, w_.inverse);
    const R half = R(0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.inverse[i]; });
    return half > 0 ? half : R(0);
  }
  PLIANT_HD R cost() const { return cost_; }
  PLIANT_HD LinePointT<R> search(R slope_tolerance, int most_evaluations, R noise) {
    times_mass(w_.direction, w_.Ms);
    times_rows(w_.direction, w_.Js);
    prepare_line();
    return search_line<R>([&](R alpha) { return evaluate(alpha); }, [&] { return evaluations_; }, slope_tolerance,
                          most_evaluations, noise);
  }
  PLIANT_HD int evaluations() const { return evaluations_; }
  /// The whole direction, if the gap says that it is better: in single precision costs end to tell before gradients do.
  PLIANT_HD void polish() {
    const R before = gap();
    times_mass(w_.direction, w_.Ms);
    times_rows(w_.direction, w_.Js);
    move(R(1));
    if (!(gap() < before)) move(R(-1));
  }
  PLIANT_HD void move(R alpha) {
    each(team_, n_, [&](int i) {
      a_[i] = mul_add(alpha, w_.direction[i], a_[i]);
      w_.Ma[i] = mul_add(alpha, w_.Ms[i], w_.Ma[i]);
    });
    each(team_, p_.nrow, [&](int i) { w_.x[i] = mul_add(alpha, w_.Js[i], w_.x[i]); });
    refresh();
  }
  PLIANT_HD void record(const SolverReport&, const LinePointT<R>&, R, int, int) {}

  /// Certificate (certificate.cpp) of the point with the forces as they are now, whoever changed them.
  PLIANT_HD void certify(SolverReport& report) const {
    R* g = w_.Ms;
    each(team_, n_, [&](int i) { g[i] = w_.Ma[i] - p_.qfrc_smooth[i]; });
    subtract_forces(g);
    apply_inverse_mass(g, w_.inverse);
    const R motion = R(0.5) * sum_of<R>(team_, n_, [&](int i) { return g[i] * w_.inverse[i]; });
    const R rows = sum_of<R>(team_, p_.nblock, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
      return block_duality_gap(b, w_.x + b.first, force_ + b.first, p_.D + b.first, p_.regularizer + b.first);
    });
    const R largest = largest_of<R>(team_, p_.nrow, [&](int i) { return R(std::fabs(force_[i])); });
    const R outside = largest_of<R>(team_, p_.nblock,
                                    [&](int k) { return block_violation(p_.block[k], force_ + p_.block[k].first); });
    report.gap = p_.rules.scale * (at_least(R(0), motion) + rows);
    report.gradient = p_.rules.scale * gradient_norm();
    report.cone_violation = largest > 0 ? outside / largest : R(0);
    report.converged = report.gap < p_.rules.tolerance;
    if (report.converged) report.status = SolverStatus::kConverged;
  }

 protected:
  PLIANT_HD R norm(const R* v) const {
    return std::sqrt(sum_of<R>(team_, n_, [&](int i) { return v[i] * v[i]; }));
  }
  /// out = inv(M) v.
  PLIANT_HD void apply_inverse_mass(const R* v, R* out) const {
    each(team_, n_, [&](int i) { out[i] = v[i]; });
    solve_tree(team_, p_.pattern, p_.LD, p_.inverse_D, out);
  }

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
  PLIANT_HD int dof_of(const TeamGroup<R>& group, int column) const {
    for (int s = group.segment;; ++s) {
      if (column < p_.segment_len[s]) return p_.segment_dof[s] + column;
      column -= p_.segment_len[s];
    }
  }

  // ---- the point -----------------------------------------------------------------------------------------------

  PLIANT_HD RowInterval<R> interval(const LawBlock<R>& b) const {
    return row_interval(b.law, p_.regularizer[b.first], b.bound);
  }

  /// Forces, states and cost from x; then the gradient M a - tau - J' f.
  PLIANT_HD void refresh() {
    bool cones = false;
    const R penalty = sum_of<R>(team_, p_.nblock, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
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
    subtract_forces(w_.gradient);
  }
  /// v -= J' f.
  PLIANT_HD void subtract_forces(R* v) const {
    for (int g = 0; g < p_.ngroup; ++g) {
      const TeamGroup<R>& group = p_.group[g];
      each(team_, group.width, [&](int c) {
        const R* J = group.J + c;
        R sum = 0;
        for (int r = 0; r < group.rows; ++r) sum = mul_add(J[r * group.stride], force_[group.first + r], sum);
        v[dof_of(group, c)] -= sum;
      });
    }
  }

  // ---- the line ------------------------------------------------------------------------------------------------

  PLIANT_HD void prepare_line() {
    evaluations_ = 0;
    slope_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * (w_.Ma[i] - p_.qfrc_smooth[i]); });
    curvature_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * w_.Ms[i]; });
    each(team_, p_.nblock, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
      if (b.law != RowLaw::kElliptic) return;
      w_.cone[k] = cone_line(b.dim, w_.x + b.first, w_.Js + b.first, p_.D + b.first, b.mu, b.friction);
    });
  }
  PLIANT_HD LinePointT<R> evaluate(R alpha) {
    ++evaluations_;
    const auto rows = sum_of<LineSum<R>>(team_, p_.nblock, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
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

  const Team& team_;
  const TeamProblem<R>& p_;
  const TeamMemory<R>& w_;
  int n_;
  R* a_;
  R* force_;
  int* state_;
  R cost_ = 0, slope_ = 0, curvature_ = 0;
  int evaluations_ = 0;
  bool cones_ = false;  // some contact slides
};

/// From where the method stands (`good`: its numbers are finite) to the minimum: qacc, forces and states are the
/// answer. All members get the report.
template <class Method, class Team, class R>
PLIANT_HD SolverReport minimise(Method& method, bool good, const Team& team, const TeamProblem<R>& problem, R* qacc,
                                R* force, int* state) {
  SolverReport report;
  // a warm start that is not finite is no warm start
  if (!good) {
    each(team, problem.pattern.n, [&](int i) { qacc[i] = problem.qacc_smooth[i]; });
    if (!method.start()) {
      each(team, problem.nrow, [&](int i) { force[i] = 0, state[i] = 0; });
      report.status = SolverStatus::kNotFinite;
      return report;
    }
  }
  const SolverStatus status = descend(method, problem.rules, report);
  if constexpr (Method::kNewton && sizeof(R) < sizeof(double)) {
    if (report.factorizations > 0 && status != SolverStatus::kNotPositive) method.polish();
  }
  report.gap = problem.rules.scale * method.gap();
  report.gradient = problem.rules.scale * method.gradient_norm();
  report.converged = report.gap < problem.rules.tolerance;
  report.status = report.converged ? SolverStatus::kConverged : status;
  if constexpr (!Method::kNewton) method.settle_forces(status, report);
  return report;
}

}  // namespace pliant
