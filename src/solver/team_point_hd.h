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
#include "solver/team_groups_hd.h"

namespace pliant {

/// What a Descent (descent_hd.h) needs besides directions; every member is in step with the others. Where to start
/// stands in the memory's qacc, and so does the answer.
template <class Team, class R>
class TeamPoint {
 public:
  PLIANT_HD TeamPoint(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory)
      : team_(team), p_(problem), w_(memory), n_(problem.pattern.n), matrices_(team, problem, memory) {}

  /// Everything that follows from qacc; false if it is not finite.
  PLIANT_HD_APART bool start() {
    matrices_.times_mass(w_.qacc, w_.Ma);
    residuals_at(w_.qacc);
    stale_ = true;
    refresh();
    return std::isfinite(cost_) && std::isfinite(gradient_norm());
  }
  /// The cost of the acceleration without rows.
  PLIANT_HD_APART R cost_at_rest() {
    each(team_, n_, [&](int i) { w_.direction[i] = p_.qacc_smooth[i]; });
    residuals_at(w_.direction);
    R cost = sum_of<R>(team_, p_.nrow,
                       [&](int i) { return is_in_cone(i) ? R(0) : row_cost(w_.x[i], w_.D[i], interval(i)); });
    if (p_.has_cones) {
      cost += sum_of<R>(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        R force[kMaxConeDim], penalty = 0;
        if (b.law == RowLaw::kElliptic) {
          cone_force(b.dim, w_.x + b.first, w_.D + b.first, b.mu, b.friction, force, penalty);
        }
        return penalty;
      });
    }
    team_.sync();
    return cost;
  }

  PLIANT_HD R gradient_norm() const { return norm(w_.gradient); }
  PLIANT_HD R direction_norm() const { return norm(w_.direction); }
  PLIANT_HD_APART R gap() {
    apply_inverse_mass(w_.gradient, w_.inverse);
    const R half = R(0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.inverse[i]; });
    return half > 0 ? half : R(0);
  }
  PLIANT_HD R cost() const { return cost_; }
  PLIANT_HD_APART LinePointT<R> search(R slope_tolerance, int most_evaluations, R noise) {
    follow_direction();
    prepare_line();
    const LinePointT<R> start = evaluate(R(0));
    return search_line(
        start, [&](R alpha) { return evaluate(alpha); }, [&] { return evaluations_; }, slope_tolerance,
        most_evaluations, noise);
  }
  PLIANT_HD int evaluations() const { return evaluations_; }
  /// The whole direction, if the gap says that it is better: in single precision costs end to tell before gradients do.
  /// Returns the gap of where that ends.
  PLIANT_HD R polish() {
    const R before = gap();
    follow_direction();
    move(R(1));
    const R after = gap();
    if (after < before) return after;
    move(R(-1));
    return gap();
  }
  PLIANT_HD_APART void move(R alpha) {
    each(team_, n_, [&](int i) {
      w_.qacc[i] = mul_add(alpha, w_.direction[i], w_.qacc[i]);
      w_.Ma[i] = mul_add(alpha, w_.Ms[i], w_.Ma[i]);
    });
    each(team_, p_.nrow, [&](int i) { w_.x[i] = mul_add(alpha, w_.Js[i], w_.x[i]); });
    refresh();
  }
  PLIANT_HD void record(const SolverReport&, const LinePointT<R>&, R, int, int) {}

  /// Certificate (certificate.cpp) of the point with the forces as they are now, whoever changed them. Needs all
  /// blocks.
  PLIANT_HD_APART void certify(SolverReport& report) {
    R* g = w_.Ms;
    each(team_, n_, [&](int i) { g[i] = w_.Ma[i] - p_.qfrc_smooth[i]; });
    matrices_.subtract_forces(w_.force, g);
    apply_inverse_mass(g, w_.inverse);
    const R motion = R(0.5) * sum_of<R>(team_, n_, [&](int i) { return g[i] * w_.inverse[i]; });
    const R rows = sum_of<R>(team_, p_.nblock, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
      return block_duality_gap(b, w_.x + b.first, w_.force + b.first, w_.D + b.first, p_.regularizer + b.first);
    });
    const R largest = largest_of<R>(team_, p_.nrow, [&](int i) { return R(std::fabs(w_.force[i])); });
    const R outside = largest_of<R>(team_, p_.nblock,
                                    [&](int k) { return block_violation(p_.block[k], w_.force + p_.block[k].first); });
    report.gap = p_.rules.scale * (at_least(R(0), motion) + rows);
    report.gradient = p_.rules.scale * gradient_norm();
    report.cone_violation = largest > 0 ? outside / largest : R(0);
    report.converged = report.gap < p_.rules.tolerance;
    if (report.converged) report.status = SolverStatus::kConverged;
  }

  /// Forces and states of the rows.
  PLIANT_HD_APART void give(R* force, int* state) const {
    each(team_, p_.nrow, [&](int i) {
      force[i] = w_.force[i];
      if (is_in_cone(i)) return;
      const RowInterval<R> bounds = interval(i);
      const bool friction = bounds.low > -std::numeric_limits<R>::infinity() && bounds.high > 0;
      state[i] = row_state_at(w_.x[i], friction ? RowLaw::kFriction : RowLaw::kUnilateral, bounds);
    });
    each(team_, p_.has_cones ? p_.nblock : 0, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
      if (b.law != RowLaw::kElliptic) return;
      R U[kMaxConeDim];
      const R T = cone_coordinates(b.dim, w_.x + b.first, b.mu, b.friction, U);
      for (int r = b.first; r < b.first + b.dim; ++r) state[r] = state_of(cone_zone(U[0], T, b.mu));
    });
  }

 protected:
  PLIANT_HD_APART R norm(const R* v) const {
    return std::sqrt(sum_of<R>(team_, n_, [&](int i) { return v[i] * v[i]; }));
  }
  /// out = inv(M) v.
  PLIANT_HD void apply_inverse_mass(const R* v, R* out) {
    each(team_, n_, [&](int i) { out[i] = v[i]; });
    matrices_.apply_inverse_mass(out);
  }

  // ---- the point -----------------------------------------------------------------------------------------------

  PLIANT_HD bool is_in_cone(int row) const { return !(w_.low[row] < w_.high[row]); }
  PLIANT_HD RowInterval<R> interval(int row) const { return {w_.low[row], w_.high[row]}; }
  /// x = J v - aref.
  PLIANT_HD void residuals_at(const R* v) {
    matrices_.times_rows(v, w_.x);
    each(team_, p_.nrow, [&](int i) { w_.x[i] -= p_.aref[i]; });
  }
  PLIANT_HD_APART void follow_direction() {
    matrices_.times_mass(w_.direction, w_.Ms);
    matrices_.times_rows(w_.direction, w_.Js);
  }
  PLIANT_HD void set_weight(int row, R weight, bool& changed) {
    changed = changed || w_.weight[row] != weight;
    w_.weight[row] = weight;
  }

  /// Forces, weights and cost from x; then the gradient M a - tau - J' f.
  PLIANT_HD_APART void refresh() {
    bool sliding = false, changed = false;
    R penalty = sum_of<R>(team_, p_.nrow, [&](int i) {
      if (is_in_cone(i)) return R(0);
      const RowInterval<R> bounds = interval(i);
      const R x = w_.x[i], D = w_.D[i];
      w_.force[i] = force_of_row(x, D, bounds);
      set_weight(i, is_quadratic(x, bounds) ? D : R(0), changed);
      return row_cost(x, D, bounds);
    });
    if (p_.has_cones) {
      penalty += sum_of<R>(team_, p_.nblock, [&](int k) {
        const LawBlock<R>& b = p_.block[k];
        R cost = 0;
        if (b.law != RowLaw::kElliptic) return cost;
        const int first = b.first;
        const ConeZone zone = cone_force(b.dim, w_.x + first, w_.D + first, b.mu, b.friction, w_.force + first, cost);
        sliding = sliding || zone == ConeZone::kMiddle;
        for (int r = first; r < first + b.dim; ++r) {
          set_weight(r, zone == ConeZone::kBottom ? w_.D[r] : R(0), changed);
        }
        return cost;
      });
      sliding = team_.any(sliding);
    }
    changed = team_.any(changed);
    stale_ = stale_ || changed || sliding || sliding_;
    sliding_ = sliding;
    const R gauss = sum_of<R>(team_, n_, [&](int i) {
      w_.gradient[i] = w_.Ma[i] - p_.qfrc_smooth[i];
      return R(0.5) * w_.gradient[i] * (w_.qacc[i] - p_.qacc_smooth[i]);
    });
    cost_ = penalty + gauss;
    team_.sync();
    matrices_.subtract_forces(w_.force, w_.gradient);
  }

  // ---- the line ------------------------------------------------------------------------------------------------

  PLIANT_HD void prepare_line() {
    evaluations_ = 0;
    slope_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * (w_.Ma[i] - p_.qfrc_smooth[i]); });
    curvature_ = sum_of<R>(team_, n_, [&](int i) { return w_.direction[i] * w_.Ms[i]; });
    each(team_, p_.has_cones ? p_.nblock : 0, [&](int k) {
      const LawBlock<R>& b = p_.block[k];
      if (b.law != RowLaw::kElliptic) return;
      w_.cone[k] = cone_line(b.dim, w_.x + b.first, w_.Js + b.first, w_.D + b.first, b.mu, b.friction);
    });
  }
  PLIANT_HD_APART LinePointT<R> evaluate(R alpha) {
    ++evaluations_;
    auto rows = sum_of<TeamSums<R, 3>>(team_, p_.nrow, [&](int i) {
      // (in cones c = 0: no terms)
      const LineTerms<R> terms = row_along_line(w_.x[i], w_.Js[i], w_.D[i], alpha, interval(i));
      return TeamSums<R, 3>{{terms.cost, terms.slope, terms.curvature}};
    });
    if (p_.has_cones) {
      rows += sum_of<TeamSums<R, 3>>(team_, p_.nblock, [&](int k) {
        TeamSums<R, 3> sum;
        if (p_.block[k].law == RowLaw::kElliptic) cone_along_line(w_.cone[k], alpha, sum.x[0], sum.x[1], sum.x[2]);
        return sum;
      });
    }
    LinePointT<R> point{alpha, alpha * (slope_ + R(0.5) * alpha * curvature_) + rows.x[0],
                        slope_ + alpha * curvature_ + rows.x[1], curvature_ + rows.x[2]};
    if (!(point.curvature > 0)) point.curvature = R(kTiny);
    return point;
  }

  const Team& team_;
  const TeamProblem<R>& p_;
  const TeamMemory<R>& w_;
  int n_;
  TeamGroups<Team, R> matrices_;
  R cost_ = 0, slope_ = 0, curvature_ = 0;
  int evaluations_ = 0;
  bool sliding_ = false;  // some contact slides
  bool stale_ = true;     // the method's Hessian is not the one of this point
};

/// From where the method stands (`good`: its numbers are finite) to the minimum: the memory's qacc, forces and states
/// are the answer. All members get the report.
template <class Method, class Team, class R>
PLIANT_HD SolverReport minimise(Method& method, bool good, const Team& team, const TeamProblem<R>& problem,
                                const TeamMemory<R>& memory, R* force, int* state) {
  SolverReport report;
  // a warm start that is not finite is no warm start
  if (!good) {
    each(team, problem.pattern.n, [&](int i) { memory.qacc[i] = problem.qacc_smooth[i]; });
    if (!method.start()) {
      each(team, problem.nrow, [&](int i) { force[i] = memory.force[i] = 0, state[i] = 0; });
      report.status = SolverStatus::kNotFinite;
      return report;
    }
  }
  const SolverStatus status = descend(method, problem.rules, report);
  bool polished = false;
  if constexpr (Method::kNewton && sizeof(R) < sizeof(double)) {
    polished = report.factorizations > 0 && status != SolverStatus::kNotPositive;
    if (polished) report.gap = problem.rules.scale * method.polish();
  }
  if (!polished) report.gap = problem.rules.scale * method.gap();
  report.gradient = problem.rules.scale * method.gradient_norm();
  report.converged = report.gap < problem.rules.tolerance;
  report.status = report.converged ? SolverStatus::kConverged : status;
  if constexpr (!Method::kNewton) method.settle_forces(status, report);
  method.give(force, state);
  return report;
}

}  // namespace pliant
