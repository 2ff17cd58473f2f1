// Contacts that are not lifted by sliding: convex problems with shifted references, until the shifts agree.

#include "solver/signorini.h"

#include <algorithm>
#include <cmath>

#include "solver/row_groups.h"

namespace pliant {
namespace {

constexpr int kMostMixed = 30, kMostSolves = 200, kDepth = 5;
// Agreement of the shifts, relative to how far a contact gives way; what of the largest give a light contact may count
// as its own; and what of the largest shift is rounding.
constexpr double kAgreement = 1e-3, kLight = 1e-3, kRounding = 1e-9;
// How much more exactly than usual the problems are solved whose answers are compared.
constexpr double kExact = 1e-2;

bool is_pyramid(const RowBlock& block) { return block.law == RowLaw::kUnilateral && block.edges > 0; }
bool has_friction(const RowBlock& block) { return block.law == RowLaw::kElliptic || is_pyramid(block); }

double shift_of(const RowBlock& block, const double* u) {
  if (block.law == RowLaw::kElliptic) {
    double square = 0;
    for (int k = 1; k < block.dim; ++k) square += block.friction[k - 1] * u[k] * block.friction[k - 1] * u[k];
    return std::sqrt(square);
  }
  double mean = 0, least = u[0];
  for (int k = 0; k < block.edges; ++k) mean += u[k], least = std::min(least, u[k]);
  return mean / block.edges - least;
}

// How far the normal of a contact gives way.
double give_of(const RowBlock& block, const double* R, const double* f) {
  if (block.law == RowLaw::kElliptic) return R[0] * f[0];
  double force = 0;
  for (int k = 0; k < block.edges; ++k) force += f[k];
  return R[0] * force / block.edges;
}

// Anderson's mixing: from the last few s and F(s) the combination whose difference is least.
class Mixing {
 public:
  bool take(Arena& arena, int n) {
    s_ = arena.take<double>(static_cast<size_t>(n) * (kDepth + 1));
    r_ = arena.take<double>(static_cast<size_t>(n) * (kDepth + 1));
    return s_ && r_;
  }
  void begin(int n) { n_ = n, kept_ = 0; }

  // s becomes where to look next; r = F(s) - s.
  void advance(double* s, const double* r) {
    const int place = count_++ % (kDepth + 1);
    std::copy_n(s, n_, s_ + place * n_);
    std::copy_n(r, n_, r_ + place * n_);
    kept_ = std::min(kept_ + 1, kDepth + 1);
    const int m = kept_ - 1;
    double gram[kDepth][kDepth], right[kDepth];
    for (int a = 0; a < m; ++a) {
      for (int b = 0; b <= a; ++b) gram[a][b] = gram[b][a] = product(a, b);
      right[a] = 0;
      for (int i = 0; i < n_; ++i) right[a] += difference(r_, a, i) * r[i];
    }
    const bool solved = m > 0 && solve(gram, right, m);
    for (int i = 0; i < n_; ++i) {
      double next = s[i] + r[i];
      for (int a = 0; solved && a < m; ++a) next -= right[a] * (difference(s_, a, i) + difference(r_, a, i));
      s[i] = std::max(0.0, next);
    }
  }

 private:
  // of the newest and the one before, that and the one before it, …
  double difference(const double* x, int back, int i) const {
    const int a = (count_ - 1 - back) % (kDepth + 1), b = (count_ - 2 - back) % (kDepth + 1);
    return x[a * n_ + i] - x[b * n_ + i];
  }
  double product(int a, int b) const {
    double sum = 0;
    for (int i = 0; i < n_; ++i) sum += difference(r_, a, i) * difference(r_, b, i);
    return sum;
  }
  // Gaussian elimination with the diagonal raised by a rounding's worth; false: no answer to be trusted.
  static bool solve(double (&a)[kDepth][kDepth], double* x, int n) {
    double trace = 0;
    for (int i = 0; i < n; ++i) trace += a[i][i];
    if (!(trace > 0)) return false;
    for (int i = 0; i < n; ++i) a[i][i] += 1e-12 * trace;
    for (int i = 0; i < n; ++i) {
      for (int k = i + 1; k < n; ++k) {
        const double factor = a[k][i] / a[i][i];
        for (int j = i; j < n; ++j) a[k][j] -= factor * a[i][j];
        x[k] -= factor * x[i];
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
      if (!std::isfinite(x[i])) return false;
    }
    return true;
  }

  int n_ = 0, kept_ = 0, count_ = 0;
  double *s_ = nullptr, *r_ = nullptr;
};

// What one problem after the other is solved with.
struct Work {
  RowGroups rows;
  Mixing mixing;
  double *u, *aref, *shift, *found, *error, *convex_acc, *convex_force;
  int* convex_state;

  bool take(const SolverProblem& p, Arena& arena) {
    const auto n = static_cast<size_t>(p.rows.n), nv = p.qacc_smooth.size(), blocks = p.blocks.size();
    for (double** x : {&u, &aref, &convex_force}) *x = arena.take<double>(n);
    for (double** x : {&shift, &found, &error}) *x = arena.take<double>(blocks);
    convex_acc = arena.take<double>(nv);
    convex_state = arena.take<int>(n);
    return u && aref && convex_force && shift && found && error && convex_acc && convex_state &&
           rows.build(p.rows, p.blocks, p.pattern.n, arena) && mixing.take(arena, static_cast<int>(blocks));
  }
};

// u of the problem without shifts, the shifts that it asks for, and how far the given ones are from that; relative.
double compare(const SolverProblem& p, Work& w, const double* qacc, const double* force, int n) {
  w.rows.times(qacc, w.u);
  for (int i = 0; i < p.rows.n; ++i) w.u[i] += p.rows.R[i] * force[i] - p.rows.aref[i];
  contact_shifts(p.blocks, w.u, w.found);
  double largest = 0, heaviest = 0, worst = 0;
  for (int i = 0; i < n; ++i) largest = std::max({largest, w.found[i], w.shift[i]});
  for (const RowBlock& block : p.blocks) {
    if (!has_friction(block)) continue;
    heaviest = std::max(heaviest, give_of(block, p.rows.R + block.first, force + block.first));
  }
  const double floor = kLight * heaviest + kRounding * largest + kTiny;
  int i = 0;
  for (const RowBlock& block : p.blocks) {
    if (!has_friction(block)) continue;
    w.error[i] = w.found[i] - w.shift[i];
    const double give = give_of(block, p.rows.R + block.first, force + block.first);
    // (what does not push is not lifted; its shift only has to keep it from pushing)
    const bool idle = give == 0 && w.u[block.first] + w.found[i] >= 0;
    if (!idle) worst = std::max(worst, std::abs(w.error[i]) / (give + floor));
    ++i;
  }
  return worst;
}

void shift_references(const SolverProblem& p, const double* shift, double* aref) {
  std::copy_n(p.rows.aref, p.rows.n, aref);
  for (const RowBlock& block : p.blocks) {
    if (!has_friction(block)) continue;
    const double s = *shift++;
    const int shifted = is_pyramid(block) ? block.edges : 1;
    for (int k = 0; k < shifted; ++k) aref[block.first + k] -= s;
  }
}

}  // namespace

int contact_shifts(std::span<const RowBlock> blocks, const double* u, double* shift) {
  int n = 0;
  for (const RowBlock& block : blocks) {
    if (has_friction(block)) shift[n++] = shift_of(block, u + block.first);
  }
  return n;
}

SolverReport solve_signorini(SolverFn solver, const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                             std::span<double> row_force, std::span<int> row_state) {
  SolverReport report = solver(problem, arena, qacc, row_force, row_state);
  report.resolutions = 1;
  const bool usable = report.status != SolverStatus::kNotFinite && report.status != SolverStatus::kOutOfMemory;
  const Arena::Mark mark = arena.mark();
  Work w;
  if (!usable || !w.take(problem, arena)) {
    arena.release(mark);
    return report;
  }
  std::copy(qacc.begin(), qacc.end(), w.convex_acc);
  std::copy(row_force.begin(), row_force.end(), w.convex_force);
  std::copy(row_state.begin(), row_state.end(), w.convex_state);
  const SolverReport convex = report;
  const int n = static_cast<int>(std::count_if(problem.blocks.begin(), problem.blocks.end(), has_friction));
  std::fill_n(w.shift, n, 0.0);
  w.mixing.begin(n);
  SolverProblem shifted = problem;
  shifted.start = nullptr;
  shifted.rows.aref = w.aref;
  double lift = compare(problem, w, qacc.data(), row_force.data(), n);
  shifted.opt.tolerance *= kExact;
  int solves = 1, iterations = report.iterations;
  while (lift > kAgreement && solves < kMostSolves) {
    if (solves < kMostMixed) {
      w.mixing.advance(w.shift, w.error);
    } else {
      // (step by step it goes slowly, but hardly ever astray)
      std::copy_n(w.found, n, w.shift);
    }
    shift_references(problem, w.shift, w.aref);
    report = solver(shifted, arena, qacc, row_force, row_state);
    ++solves, iterations += report.iterations;
    if (report.status == SolverStatus::kNotFinite || report.status == SolverStatus::kNotPositive) break;
    lift = compare(problem, w, qacc.data(), row_force.data(), n);
  }
  const bool found = lift <= kAgreement;
  if (!found) {
    report = convex;
    std::copy_n(w.convex_acc, qacc.size(), qacc.begin());
    std::copy_n(w.convex_force, row_force.size(), row_force.begin());
    std::copy_n(w.convex_state, row_state.size(), row_state.begin());
  }
  report.iterations = iterations, report.resolutions = solves, report.lift = lift, report.convex = !found;
  arena.release(mark);
  return report;
}

}  // namespace pliant
