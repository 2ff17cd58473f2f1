// Evaluation of the cost along a direction, four rows at a time.

#include "solver/line_search.h"

#include <cmath>

#include "math/constants.h"
#include "solver/cones_in_lanes.h"
#include "solver/laws_hd.h"

namespace pliant {

bool LineSearch::build(const RowGroups& groups, Arena& arena) {
  rows_ = &groups;
  int most = 0;
  for (const LawRun& run : groups.runs) {
    for (int i = 0; i < run.blocks && run.law == RowLaw::kElliptic; i += alike(run.block + i, run.blocks - i)) ++most;
  }
  cones_ = arena.take<Cones>(most);
  return cones_ != nullptr;
}

void LineSearch::prepare(const double* x, const double* v, double gauss_slope, double gauss_curvature) {
  x_ = x;
  v_ = v;
  slope_ = gauss_slope;
  curvature_ = gauss_curvature;
  evaluations_ = 0;
  const double* D = rows_->view->D;
  cone_count_ = 0;
  for (const LawRun& run : rows_->runs) {
    if (run.law == RowLaw::kEquality) {
      for (int i = run.first; i < run.first + run.rows; ++i) {
        slope_ = mul_add(D[i] * x[i], v[i], slope_);
        curvature_ = mul_add(D[i] * v[i], v[i], curvature_);
      }
    } else if (run.law == RowLaw::kElliptic) {
      for (int i = 0; i < run.blocks;) {
        const int count = alike(run.block + i, run.blocks - i);
        cones_[cone_count_++] = {count, cone_lines(FourContacts(run.block + i, count), x, v, D)};
        i += count;
      }
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
  for (const LawRun& run : rows_->runs) {
    if (run.law == RowLaw::kUnilateral) {
      add_run<RowLaw::kUnilateral>(*rows_, run, x_, v_, Four(alpha), total);
    } else if (run.law == RowLaw::kFriction) {
      add_run<RowLaw::kFriction>(*rows_, run, x_, v_, Four(alpha), total);
    }
  }
  for (const Cones* cones = cones_; cones != cones_ + cone_count_; ++cones) {
    const LineTerms<Four> terms = cones_along_line(cones->line, Four(alpha));
    double cost[4], slope[4], curvature[4];
    terms.cost.store(cost), terms.slope.store(slope), terms.curvature.store(curvature);
    for (int i = 0; i < cones->count; ++i) p.cost += cost[i], p.slope += slope[i], p.curvature += curvature[i];
  }
  p.cost += sum(total.cost);
  p.slope += sum(total.slope);
  p.curvature += sum(total.curvature);
  if (!(p.curvature > 0)) p.curvature = kTiny;
  return p;
}

LinePoint LineSearch::search(double tolerance, int most_evaluations, double noise) {
  const LinePoint start = evaluate(0);
  return search_line(
      start, [&](double alpha) { return evaluate(alpha); }, [&] { return evaluations_; }, tolerance, most_evaluations,
      noise);
}

}  // namespace pliant
