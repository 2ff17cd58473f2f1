#pragma once
// Conjugate gradients by a team: directions, preconditioner and what becomes of stiff rows are those of cg.cpp.

#include "solver/team_point_hd.h"

namespace pliant {

template <class Team, class R>
class TeamCg : public TeamPoint<Team, R> {
 public:
  static constexpr bool kNewton = false;
  PLIANT_HD TeamCg(const Team& team, const TeamProblem<R>& problem, const TeamMemory<R>& memory)
      : Point(team, problem, memory) {
    R* at = memory.method;
    old_gradient_ = at, at += n_;
    old_inverse_ = at, at += n_;
    X_ = at, at += problem.nstiff * n_;
    L_ = at, at += triangle_size(problem.nstiff);
    y_ = at;
  }

  /// Numbers of the method.
  PLIANT_HD static size_t numbers(int dofs, int stiff) {
    return static_cast<size_t>(dofs) * static_cast<size_t>(2 + stiff) +
           static_cast<size_t>(triangle_size(stiff) + stiff);
  }

  /// Factors of the preconditioner.
  PLIANT_HD bool prepare() {
    for (int i = 0; i < p_.nstiff; ++i) {
      R* x = X_ + i * n_;
      const TeamGroup<R>& group = p_.group[p_.stiff[i].group];
      const R* J = group.J + (p_.stiff[i].row - group.first) * group.stride;
      each(team_, n_, [&](int k) { x[k] = 0; });
      each(team_, group.width, [&](int c) { x[matrices_.dof_of(group, c)] = J[c]; });
      solve_tree(team_, p_.pattern, p_.LD, p_.inverse_D, x);
      team_.sync();
    }
    each_of_triangle(team_, p_.nstiff, [&](int i, int k) {
      L_[triangle_at(i, k)] = stiff_times(k, X_ + i * n_) + (i == k ? p_.regularizer[p_.stiff[i].row] : R(0));
    });
    return factor_triangle(team_, L_, p_.nstiff);
  }

  PLIANT_HD bool first_direction(R&, SolverReport&) {
    precondition();
    each(team_, n_, [&](int i) { w_.direction[i] = -w_.inverse[i]; });
    remember();
    return true;
  }
  PLIANT_HD bool next_direction(R&, SolverReport&) {
    precondition();
    const R* g = w_.gradient;
    R* s = w_.direction;
    const auto sums = sum_of<TeamSums<R, 6>>(team_, n_, [&](int i) {
      const R y = g[i] - old_gradient_[i];
      return TeamSums<R, 6>{
          {s[i] * y, y * w_.inverse[i], y * (w_.inverse[i] - old_inverse_[i]), s[i] * g[i], s[i] * s[i], g[i] * g[i]}};
    });
    const auto [sy, yPg, yPy, sg, ss, gg] = sums.x;
    R beta = 0;
    if (sy >= R(kTiny)) {
      const R shortest = gg < R(1e-4) ? R(std::sqrt(gg)) : R(0.01);
      const R smallest = -1 / at_least(R(kTiny), R(std::sqrt(ss)) * shortest);
      beta = at_least(smallest, (yPg - 2 * yPy / sy * sg) / sy);
    }
    each(team_, n_, [&](int i) { s[i] = mul_add(beta, s[i], -w_.inverse[i]); });
    remember();
    return true;
  }

  /// Forces of stiff rows that fit the acceleration; the certificate is then that of the forces.
  PLIANT_HD void settle_forces(SolverStatus status, SolverReport& report) {
    if (p_.nstiff == 0) return;
    precondition();
    each(team_, p_.nstiff, [&](int i) { w_.force[p_.stiff[i].row] += y_[i]; });
    report.status = status;
    this->certify(report);
  }

 private:
  using Point = TeamPoint<Team, R>;
  using Point::matrices_, Point::n_, Point::p_, Point::team_, Point::w_;

  PLIANT_HD R stiff_times(int i, const R* x) const {
    return matrices_.row_times(p_.stiff[i].row, p_.group[p_.stiff[i].group], x);
  }

  /// w.inverse = P g with P = inv(M + J' D J) of stiff rows, y = inv(R + J X) J inv(M) g.
  PLIANT_HD void precondition() {
    this->apply_inverse_mass(w_.gradient, w_.inverse);
    if (p_.nstiff == 0) return;
    each(team_, p_.nstiff, [&](int i) { y_[i] = stiff_times(i, w_.inverse); });
    solve_triangle(team_, L_, p_.nstiff, y_);
    each(team_, n_, [&](int k) {
      R x = w_.inverse[k];
      for (int i = 0; i < p_.nstiff; ++i) x = mul_add(-y_[i], X_[i * n_ + k], x);
      w_.inverse[k] = x;
    });
  }
  PLIANT_HD void remember() {
    each(team_, n_, [&](int i) { old_gradient_[i] = w_.gradient[i], old_inverse_[i] = w_.inverse[i]; });
  }

  R *old_gradient_, *old_inverse_;
  R *X_, *L_, *y_;  // of stiff rows: inv(M) J', factor of R + J X, their forces
};

}  // namespace pliant
