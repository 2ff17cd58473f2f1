#pragma once
// Exact search along a direction: phi(alpha) = cost(a + alpha s) - cost(a) is convex with known
// derivatives.
//
// Newton steps from one side until the slope changes sign, then three candidates per round (Newton
// points of both ends, midpoint) until the slope is below `slope_tolerance`. Rules and order of
// evaluations are MuJoCo's, so that counts compare.

#include <span>

#include "solver/row_groups.h"

namespace pliant {

struct LinePoint {
  double alpha = 0, cost = 0, slope = 0, curvature = 0;
};

class LineSearch {
 public:
  /// False if the arena is full.
  bool build(const RowGroups& groups, Arena& arena);
  /// x = J a - aref, v = J s; gauss_slope = s' (M a - tau), gauss_curvature = s' M s.
  void prepare(const double* x, const double* v, double gauss_slope, double gauss_curvature);
  LinePoint evaluate(double alpha);

  /// The best point; alpha 0 if nothing is better than the start. `noise`: rounding of the cost.
  LinePoint search(double slope_tolerance, int most_evaluations, double noise);
  int evaluations() const { return evaluations_; }

 private:
  bool move_end(LinePoint& end, const LinePoint (&candidates)[3], LinePoint& next);
  LinePoint newton_point(const LinePoint& from) { return evaluate(from.alpha - from.slope / from.curvature); }

  const RowGroups* rows_ = nullptr;
  ConeLine<double>* cones_ = nullptr;
  int cone_count_ = 0;
  const double *x_ = nullptr, *v_ = nullptr;
  double slope_ = 0, curvature_ = 0;  // of what is quadratic everywhere: M and equalities
  int evaluations_ = 0;
};

}  // namespace pliant
