#pragma once
// The line search on the CPU: an evaluation costs one pass over the rows that can change state, four at a time.

#include <span>

#include "math/four.h"
#include "solver/line_search_hd.h"
#include "solver/row_groups.h"

namespace pliant {

using LinePoint = LinePointT<double>;

class LineSearch {
 public:
  /// False if the arena is full.
  bool build(const RowGroups& groups, Arena& arena);
  /// x = J a - aref, v = J s; gauss_slope = s' (M a - tau), gauss_curvature = s' M s.
  void prepare(const double* x, const double* v, double gauss_slope, double gauss_curvature);
  LinePoint evaluate(double alpha);

  /// search_line of this direction.
  LinePoint search(double slope_tolerance, int most_evaluations, double noise);
  int evaluations() const { return evaluations_; }

 private:
  const RowGroups* rows_ = nullptr;
  /// Lines of up to four contacts that slide or may.
  struct Cones {
    int count;
    ConeLine<Four> line;
  };
  Cones* cones_ = nullptr;
  int cone_count_ = 0;
  const double *x_ = nullptr, *v_ = nullptr;
  double slope_ = 0, curvature_ = 0;  // of what is quadratic everywhere: M and equalities
  int evaluations_ = 0;
};

}  // namespace pliant
