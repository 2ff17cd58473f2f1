// Exact line search; an evaluation costs one pass over the rows that can change state, four at a
// time.

#include "solver/line_search.h"

#include <cmath>

#include "math/constants.h"
#include "solver/laws_hd.h"

namespace pliant {

bool LineSearch::build(const RowGroups& groups, Arena& arena) {
  rows_ = &groups;
  cone_count_ = 0;
  for (const LawRun& run : groups.runs) cone_count_ += run.law == RowLaw::kElliptic;
  cones_ = arena.take<ConeLine<double>>(cone_count_);
  return cones_ != nullptr;
}

void LineSearch::prepare(const double* x, const double* v, double gauss_slope, double gauss_curvature) {
  x_ = x;
  v_ = v;
  slope_ = gauss_slope;
  curvature_ = gauss_curvature;
  evaluations_ = 0;
  const double* D = rows_->view->D;
  int cone = 0;
  for (const LawRun& run : rows_->runs) {
    if (run.law == RowLaw::kEquality) {
      for (int i = run.first; i < run.first + run.rows; ++i) {
        slope_ = mul_add(D[i] * x[i], v[i], slope_);
        curvature_ = mul_add(D[i] * v[i], v[i], curvature_);
      }
    } else if (run.law == RowLaw::kElliptic) {
      const RowBlock& block = *run.block;
      cones_[cone++] = cone_line(block.dim, x + run.first, v + run.first, D + run.first, block.mu, block.friction);
    }
  }
}

namespace {

struct FourLine {
  Four cost{0.0}, slope{0.0}, curvature{0.0};
  void add(const LineTerms<Four>& t) {
    cost += t.cost;
    slope += t.slope;
    curvature += t.curvature;
  }
};

/// Rows of one law along the line. Rows beyond the end read as zero and add nothing.
template <RowLaw law>
void add_run(const RowGroups& g, const LawRun& run, const double* x, const double* v, Four alpha, FourLine& total) {
  const double* D = g.view->D;
  RowInterval<Four> interval{Four(-std::numeric_limits<double>::infinity()), Four(0.0)};
  int i = run.first;
  const int end = run.first + run.rows;
  for (; i + 4 <= end; i += 4) {
    if (law == RowLaw::kFriction) interval = {Four::load(g.low + i), Four::load(g.high + i)};
    total.add(row_along_line(Four::load(x + i), Four::load(v + i), Four::load(D + i), alpha, interval));
  }
  if (const int left = end - i; left > 0) {
    if (law == RowLaw::kFriction) interval = {Four::load_part(g.low + i, left), Four::load_part(g.high + i, left)};
    total.add(row_along_line(Four::load_part(x + i, left), Four::load_part(v + i, left), Four::load_part(D + i, left),
                             alpha, interval));
  }
}

}  // namespace

LinePoint LineSearch::evaluate(double alpha) {
  ++evaluations_;
  LinePoint p{alpha, alpha * (slope_ + 0.5 * alpha * curvature_), slope_ + alpha * curvature_, curvature_};
  FourLine total;
  int cone = 0;
  for (const LawRun& run : rows_->runs) {
    if (run.law == RowLaw::kUnilateral) {
      add_run<RowLaw::kUnilateral>(*rows_, run, x_, v_, Four(alpha), total);
    } else if (run.law == RowLaw::kFriction) {
      add_run<RowLaw::kFriction>(*rows_, run, x_, v_, Four(alpha), total);
    } else if (run.law == RowLaw::kElliptic) {
      cone_along_line(cones_[cone++], alpha, p.cost, p.slope, p.curvature);
    }
  }
  p.cost += sum(total.cost);
  p.slope += sum(total.slope);
  p.curvature += sum(total.curvature);
  if (!(p.curvature > 0)) p.curvature = kTiny;
  return p;
}

bool LineSearch::move_end(LinePoint& end, const LinePoint (&candidates)[3], LinePoint& next) {
  bool moved = false;
  for (const LinePoint& c : candidates) {
    if ((end.slope < 0 && c.slope < 0 && end.slope < c.slope) ||
        (end.slope > 0 && c.slope > 0 && end.slope > c.slope)) {
      end = c;
      moved = true;
    }
  }
  if (moved) next = newton_point(end);
  return moved;
}

LinePoint LineSearch::search(double tolerance, int most_evaluations, double noise) {
  const LinePoint start = evaluate(0);
  // Near the minimum a gain drowns in the rounding of the cost; the slope still tells.
  const auto gains = [&](const LinePoint& p) {
    return p.cost < 0 || (p.cost <= noise && std::fabs(p.slope) < 0.1 * std::fabs(start.slope));
  };
  LinePoint p1 = newton_point(start);
  const auto flat = [&](const LinePoint& p) { return std::fabs(p.slope) < tolerance; };
  if (flat(start)) return start;
  if (flat(p1) && gains(p1)) return p1;
  // from one side, unless the first step went beyond: then start and p1 have the minimum between
  // them
  LinePoint p2 = start;
  if (gains(p1)) {
    const double direction = p1.slope < 0 ? 1 : -1;
    while (p1.slope * direction <= -tolerance && evaluations_ < most_evaluations) {
      p2 = p1;
      p1 = newton_point(p1);
      if (flat(p1) && gains(p1)) return p1;
    }
    if (evaluations_ >= most_evaluations) return gains(p1) ? p1 : start;
  }
  // from both
  LinePoint p2next = p1, p1next = newton_point(p1);
  while (evaluations_ < most_evaluations) {
    const LinePoint middle = evaluate(0.5 * (p1.alpha + p2.alpha));
    const LinePoint candidates[3] = {p1next, p2next, middle};
    const LinePoint* best = nullptr;
    for (const LinePoint& c : candidates) {
      if (flat(c) && (!best || c.cost < best->cost)) best = &c;
    }
    if (best) return *best;
    const bool moved1 = move_end(p1, candidates, p1next), moved2 = move_end(p2, candidates, p2next);
    if (!moved1 && !moved2) return gains(middle) ? middle : gains(p1) ? p1 : start;
  }
  const LinePoint& better = p1.cost <= p2.cost ? p1 : p2;
  return gains(better) ? better : start;
}

}  // namespace pliant
