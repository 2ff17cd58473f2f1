#pragma once
// Newton's method by a team. The Hessian is one dense triangle, factored in place; it stays while the same rows are
// active and no contact slides.

#include "solver/team_point_hd.h"

namespace pliant {

template <class Team, class R>
class TeamNewton : public TeamPoint<Team, R> {
 public:
  static constexpr bool kNewton = true;
  using TeamPoint<Team, R>::TeamPoint;

  /// Numbers of the method.
  PLIANT_HD static size_t numbers(int dofs, int /*stiff*/) { return static_cast<size_t>(triangle_size(dofs)); }

  PLIANT_HD bool prepare() { return true; }
  PLIANT_HD bool first_direction(R& decrement, SolverReport& report) { return next_direction(decrement, report); }
  /// Direction -inv(H) g; decrement 1/2 g' inv(H) g.
  PLIANT_HD bool next_direction(R& decrement, SolverReport& report) {
    R* const H = w_.method;
    if (stale_) {
      ++report.factorizations;
      if (!matrices_.find_factor(w_.weight, w_.x, sliding_, H)) return false;
      stale_ = false;
    }
    each(team_, n_, [&](int i) { w_.direction[i] = -w_.gradient[i]; });
    matrices_.solve_factored(H, w_.direction);
    const R half = R(-0.5) * sum_of<R>(team_, n_, [&](int i) { return w_.gradient[i] * w_.direction[i]; });
    decrement = half > 0 ? half : R(0);
    return std::isfinite(half);
  }

 private:
  using Point = TeamPoint<Team, R>;
  using Point::matrices_, Point::n_, Point::sliding_, Point::stale_, Point::team_, Point::w_;
};

}  // namespace pliant
