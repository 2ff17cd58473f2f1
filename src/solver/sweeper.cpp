// Blocks one at a time, and sweeps over all of them.

#include "solver/sweeper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/dense.h"
#include "math/four.h"
#include "math/scalar.h"
#include "math/short_rows.h"

namespace pliant {
namespace {

bool all_finite(const double* v, int n) {
  double total = 0;
  for (int i = 0; i < n; ++i) total += v[i] * 0;
  return total == 0;
}

/// Whether A pays: it costs rows^2 dofs / 32 products of vectors, and saves a visit about a hundred.
bool is_small(const SolverProblem& p) {
  constexpr int kMostRows = 64, kMostNumbers = 64 * 64;
  return p.rows.n <= kMostRows && p.rows.n * p.pattern.n <= kMostNumbers;
}

/// Of the edges of a pyramid: A + R, its rows a stride apart; its inverse, likewise; one over its diagonal.
constexpr size_t edge_numbers(int edges) {
  return static_cast<size_t>(padded(edges)) * static_cast<size_t>(2 * edges + 1);
}

bool are_together(const RowBlock& block) { return block.law == RowLaw::kEquality && block.dim > 1; }

}  // namespace

// ---- blocks -------------------------------------------------------------------------------------

bool Sweeper::build(const SolverProblem& problem, Arena& arena, bool may_use_matrix, bool joins_edges) {
  p = &problem;
  joins_edges_ = joins_edges;
  const size_t blocks = problem.blocks.size();
  const bool by_matrix = may_use_matrix && is_small(problem);
  if (!white.build(problem, arena, /*for_products=*/!by_matrix) || (by_matrix && !fill_matrix(arena))) return false;
  size_t elliptic = 0, together = 0, edges = 0;
  int largest = 0;
  for (const RowBlock& block : problem.blocks) {
    if (joins_edges && block.edges > 0) edges += edge_numbers(block.edges);
    elliptic += block.law == RowLaw::kElliptic;
    together += are_together(block);
    if (are_together(block)) largest = std::max(largest, block.dim);
  }
  lower_ = arena.take<double>(blocks);
  upper_ = arena.take<double>(blocks);
  diagonal_ = arena.take<double>(blocks);
  inverse_diagonal_ = arena.take<double>(blocks);
  place_ = arena.take<int>(blocks);
  cones_ = arena.take<ConeBlock<double>>(elliptic);
  cone_matrix_ = arena.take<double>(elliptic * kMaxConeDim * kMaxConeDim);
  edges_ = arena.take<double>(edges);
  together_ = arena.take<Together>(together);
  change_ = arena.take<double>(static_cast<size_t>(padded(largest)));
  if (!lower_ || !upper_ || !diagonal_ || !inverse_diagonal_ || !place_ || !cones_ || !cone_matrix_ || !edges_ ||
      !together_ || !change_) {
    return false;
  }
  scalar_ = static_cast<int>(blocks) == problem.rows.n;
  elliptic = together = edges = 0;
  for (size_t b = 0; b < blocks; ++b) {
    const RowBlock& block = problem.blocks[b];
    place_[b] = -1;
    upper_[b] = block.law == RowLaw::kFriction ? block.bound : std::numeric_limits<double>::infinity();
    lower_[b] = block.law == RowLaw::kUnilateral ? 0 : -upper_[b];
    if (are_together(block)) {
      place_[b] = static_cast<int>(together);
      if (!factor_together(block, arena, together_[together++])) return false;
      continue;
    }
    if (joins_edges && block.edges != 0) {
      if (block.edges < 0) continue;
      place_[b] = static_cast<int>(edges);
      const auto number = static_cast<int>(b);
      block.edges == 4   ? fill_edges<4>(number, edges_ + edges)
      : block.edges == 6 ? fill_edges<6>(number, edges_ + edges)
                         : fill_edges<10>(number, edges_ + edges);
      edges += edge_numbers(block.edges);
      continue;
    }
    double single;
    double* A = block.law == RowLaw::kElliptic ? cone_matrix_ + elliptic * kMaxConeDim * kMaxConeDim : &single;
    block_matrix(static_cast<int>(b), A);
    for (int i = 0; i < block.dim; ++i) A[i * (block.dim + 1)] += problem.rows.R[block.first + i];
    diagonal_[b] = A[0];
    inverse_diagonal_[b] = 1 / A[0];
    if (block.law != RowLaw::kElliptic) continue;
    place_[b] = static_cast<int>(elliptic);
    prepare_cone_block(block.dim, A, block.friction, cones_[elliptic++]);
  }
  return true;
}

template <int kEdges>
void Sweeper::fill_edges(int b, double* to) const {
  constexpr int kFours = padded(kEdges) / 4, kStride = 4 * kFours;
  const WhitenedRows::Block& first = white.blocks[b];
  double *inverse = to + kEdges * kStride, *diagonal = inverse + kEdges * kStride;
  std::fill_n(to, edge_numbers(kEdges), 0.0);
  for (int i = 0; i < kEdges; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double a = dot(first.Y + i * first.width, first.Y + j * first.width, first.width);
      to[i * kStride + j] = to[j * kStride + i] = i == j ? a + p->rows.R[first.law->first + i] : a;
    }
    diagonal[i] = 1 / to[i * kStride + i];
  }
  // Gauss-Jordan, by symmetry without exchanges: A + R is positive definite
  Four work[kEdges][kFours], other[kEdges][kFours];
  for (int i = 0; i < kEdges; ++i) {
    for (int c = 0; c < kFours; ++c) {
      work[i][c] = Four::load(to + i * kStride + 4 * c);
      other[i][c] = Four(i == 4 * c, i == 4 * c + 1, i == 4 * c + 2, i == 4 * c + 3);
    }
  }
  for (int k = 0; k < kEdges; ++k) {
    double row[kStride];
    work[k][k / 4].store(row + k / 4 * 4);
    const Four pivot(1 / row[k]);
    for (int c = 0; c < kFours; ++c) work[k][c] = work[k][c] * pivot, other[k][c] = other[k][c] * pivot;
    for (int i = 0; i < kEdges; ++i) {
      if (i == k) continue;
      work[i][k / 4].store(row + k / 4 * 4);
      const Four factor(row[k]);
      for (int c = 0; c < kFours; ++c) {
        work[i][c] = mul_subtract(factor, work[k][c], work[i][c]);
        other[i][c] = mul_subtract(factor, other[k][c], other[i][c]);
      }
    }
  }
  for (int i = 0; i < kEdges; ++i) {
    for (int c = 0; c < kFours; ++c) other[i][c].store(inverse + i * kStride + 4 * c);
  }
}

bool Sweeper::fill_matrix(Arena& arena) {
  const int n = p->rows.n, dofs = p->pattern.n;
  stride_ = padded(n);
  const Arena::Mark mark = arena.mark();
  matrix_ = arena.take<double>(static_cast<size_t>(stride_) * stride_);
  residual_ = arena.take<double>(static_cast<size_t>(stride_));
  const Arena::Mark after = arena.mark();
  double* columns = arena.take<double>(static_cast<size_t>(stride_) * dofs);  // J, then Y, by columns
  if (!matrix_ || !residual_ || !columns) {
    matrix_ = nullptr;
    arena.release(mark);
    return false;
  }
  std::fill(columns, columns + static_cast<size_t>(stride_) * dofs, 0.0);
  for (int i = 0; i < n; ++i) {
    const double* J = p->rows.J + p->rows.Jadr[i];
    for (int s = p->rows.segadr[i]; s < p->rows.segadr[i] + p->rows.segnum[i]; ++s) {
      double* to = columns + static_cast<size_t>(p->rows.segment_dof[s]) * stride_ + i;
      for (int c = 0; c < p->rows.segment_len[s]; ++c, to += stride_) *to = *J++;
    }
  }
  // Y' = D^-1/2 inv(L') J', leaves first, all rows at once
  const auto& tree = p->pattern;
  for (int k = dofs - 1; k >= 0; --k) {
    double* from = columns + static_cast<size_t>(k) * stride_;
    for (int c = tree.rowadr[k]; c < tree.rowadr[k] + tree.rownnz[k] - 1; ++c) {
      subtract_scaled(columns + static_cast<size_t>(tree.colind[c]) * stride_, from, p->LD[c], stride_);
    }
    const Four scale(std::sqrt(p->inverse_D[k]));
    for (int i = 0; i < stride_; i += 4) (Four::load(from + i) * scale).store(from + i);
  }
  square_of_rows(columns, stride_, dofs, stride_, matrix_, stride_);
  arena.release(after);
  for (int j = 0; j < n; ++j) {
    for (int i = j + 1; i < n; ++i) matrix_[i * stride_ + j] = matrix_[j * stride_ + i];
  }
  return true;
}

void Sweeper::follow(const double* force) {
  if (!matrix_) return white.set_forces(force);
  const int n = p->rows.n;
  for (int first = 0; first < stride_; first += 16) {
    const int fours = (stride_ - first < 16 ? stride_ - first : 16) / 4;
    Four total[4];
    for (int v = 0; v < fours; ++v) {
      const int i = first + 4 * v;
      total[v] = Four::load_part(white.free + i, n - i < 4 ? n - i : 4);
    }
    const auto add = [&]<int V>() {
      const double* A = matrix_ + first;
      for (int i = 0; i < n; ++i, A += stride_) {
        const Four f(force[i]);
        for (int v = 0; v < V; ++v) total[v] = mul_add(Four::load(A + 4 * v), f, total[v]);
      }
      for (int v = 0; v < V; ++v) total[v].store(residual_ + first + 4 * v);
    };
    fours == 4   ? add.operator()<4>()
    : fours == 3 ? add.operator()<3>()
    : fours == 2 ? add.operator()<2>()
                 : add.operator()<1>();
  }
}

void Sweeper::residual(int b, double* out) const {
  if (!matrix_) return white.residual(white.blocks[b], out);
  const RowBlock& block = p->blocks[b];
  for (int i = 0; i < block.dim; ++i) out[i] = residual_[block.first + i];
}

void Sweeper::apply_row(int row, double change) {
  if (!matrix_) return white.apply_row(row, change);
  add_scaled(residual_, matrix_ + row * stride_, change, stride_);
}

void Sweeper::apply(int b, const double* change) {
  if (!matrix_) return white.apply(white.blocks[b], change);
  const RowBlock& block = p->blocks[b];
  add_rows_transposed_times(matrix_ + block.first * stride_, block.dim, stride_, change, residual_);
}

void Sweeper::block_matrix(int b, double* A) const {
  if (!matrix_) return white.block_matrix(white.blocks[b], A);
  const int first = p->blocks[b].first, dim = p->blocks[b].dim;
  for (int i = 0; i < dim; ++i) std::copy_n(matrix_ + (first + i) * stride_ + first, dim, A + i * dim);
}

bool Sweeper::factor_together(const RowBlock& block, Arena& arena, Together& to) {
  const int n = block.dim, stride = padded(n);
  to.stride = stride;
  to.panel = arena.take<double>(static_cast<size_t>(stride) * stride);
  to.inverse = arena.take<double>(static_cast<size_t>(stride));
  if (!to.panel || !to.inverse) return false;
  const double* A = matrix_ ? matrix_ + block.first * stride_ + block.first : nullptr;
  const int row = matrix_ ? stride_ : n;
  const Arena::Mark mark = arena.mark();
  if (!A) {
    double* own = arena.take<double>(static_cast<size_t>(n) * n);
    double* work = arena.take<double>(static_cast<size_t>(p->pattern.n));
    if (!own || !work) return false;
    white.rows_matrix(block.first, n, work, own);
    A = own;
  }
  std::fill_n(to.panel, stride * stride, 0.0);
  for (int j = 0; j < n; ++j) {
    double* column = to.panel + j * stride;
    std::copy_n(A + j * row, n, column);  // (A is symmetric, bit for bit)
    column[j] += p->rows.R[block.first + j];
  }
  for (int j = n; j < stride; ++j) to.panel[j * (stride + 1)] = 1;
  // (R > 0: a pivot that is not positive can only come from numbers that are not finite, which start() refuses)
  factor_panel(to.panel, stride, stride, stride, 0, to.inverse);
  arena.release(mark);
  return true;
}

double Sweeper::visit_together(int b, double* force) {
  // (A + R) change = -residual; the cost falls by half their product
  const RowBlock& block = p->blocks[b];
  const Together& factors = together_[place_[b]];
  const int n = block.dim, stride = factors.stride;
  const double* R = p->rows.R + block.first;
  double *f = force + block.first, *change = change_, gain = 0;
  if (matrix_) {
    const double* residuals = residual_ + block.first;
    for (int i = 0; i < n; i += 4) {
      const int left = n - i;
      const Four own = left < 4 ? Four::load_part(f + i, left) : Four::load(f + i);
      const Four softness = left < 4 ? Four::load_part(R + i, left) : Four::load(R + i);
      const Four rest = left < 4 ? Four::load_part(residuals + i, left) : Four::load(residuals + i);
      (Four(0.0) - mul_add(softness, own, rest)).store(change + i);
    }
  } else {
    for (int i = 0; i < n; ++i) change[i] = -mul_add(R[i], f[i], white.row_residual(block.first + i));
    for (int i = n; i < stride; ++i) change[i] = 0;
  }
  solve_panel_forward(factors.panel, stride, stride, stride, factors.inverse, change, nullptr);
  for (int i = 0; i < n; ++i) gain = mul_add(0.5 * change[i], change[i], gain);
  solve_panel_backward(factors.panel, stride, stride, stride, factors.inverse, change, nullptr);
  for (int i = 0; i < n; ++i) f[i] += change[i];
  if (matrix_) {
    apply(b, change);
  } else {
    for (int i = 0; i < n; ++i) white.apply_row(block.first + i, change[i]);
  }
  return gain;
}

template <int kDim>
double Sweeper::visit_cone(int b, double* force) {
  const RowBlock& block = p->blocks[b];
  const double *R = p->rows.R + block.first, *A = cone_matrix_ + place_[b] * kMaxConeDim * kMaxConeDim;
  double* f = force + block.first;
  // linear part of the block without its own force: c = residual - (A + R) f
  double residuals[kDim], c[kDim], next[kDim], change[kDim];
  if (kDim == 3 && !matrix_) {
    white.contact_residual<3>(white.blocks[b], residuals);
  } else {
    residual(b, residuals);
  }
  for (int i = 0; i < kDim; ++i) {
    residuals[i] = mul_add(R[i], f[i], residuals[i]);
    c[i] = residuals[i];
    for (int j = 0; j < kDim; ++j) c[i] = mul_add(-A[i * kDim + j], f[j], c[i]);
    next[i] = f[i];
  }
  solve_cone_block<kDim - 1>(cones_[place_[b]], c, next);
  double gain = 0;
  for (int i = 0; i < kDim; ++i) change[i] = next[i] - f[i];
  for (int i = 0; i < kDim; ++i) {
    double push = residuals[i];
    for (int j = 0; j < kDim; ++j) push = mul_add(0.5 * A[i * kDim + j], change[j], push);
    gain = mul_add(-change[i], push, gain);
  }
  if (!(gain > 0)) return 0;  // the limit of rounding
  std::copy(next, next + kDim, f);
  if (kDim == 3 && !matrix_) {
    white.apply_contact<3>(white.blocks[b], change);
  } else {
    apply(b, change);
  }
  return gain;
}

// The edges of a pyramid. Where all of them push, their best forces are one product with the inverse of their matrix;
// where that would have one pull, it is set to zero and they are visited one after the other, until a round gains
// little.
template <int kEdges>
double Sweeper::visit_edges(int b, double* force) {
  constexpr int kFours = padded(kEdges) / 4, kStride = 4 * kFours;
  const WhitenedRows::Block& first = white.blocks[b];
  const double *A = edges_ + place_[b], *inverse = A + kEdges * kStride, *diagonal = inverse + kEdges * kStride;
  const double* R = p->rows.R + first.law->first;
  double* f = force + first.law->first;
  double residuals[kStride] = {}, change[kStride], r[kStride];
  white.contact_residual<kEdges>(first, residuals);
  for (int e = 0; e < kEdges; ++e) residuals[e] = mul_add(R[e], f[e], residuals[e]);
  const auto times = [](const double* matrix, const double* x, Four* out) {
    for (int k = 0; k < kFours; ++k) out[k] = Four(0.0);
    for (int e = 0; e < kEdges; ++e) {
      const Four at(x[e]);
      for (int k = 0; k < kFours; ++k) out[k] = mul_add(Four::load(matrix + e * kStride + 4 * k), at, out[k]);
    }
  };
  Four product[kFours];
  times(inverse, residuals, product);
  for (int k = 0; k < kFours; ++k) product[k].store(change + 4 * k);
  bool pulls = false;
  for (int e = 0; e < kEdges; ++e) {
    change[e] = -change[e];
    pulls = pulls || f[e] + change[e] < 0;
  }
  double gain = 0;
  if (pulls) {
    for (int e = 0; e < kEdges; ++e) {
      if (f[e] + change[e] < 0) change[e] = -f[e];
    }
    times(A, change, product);
    for (int k = 0; k < kFours; ++k) (product[k] + Four::load(residuals + 4 * k)).store(r + 4 * k);
    for (int e = 0; e < kEdges; ++e) gain -= 0.5 * change[e] * (r[e] + residuals[e]);
    // (what is cut off may be worse than what was there)
    if (!(gain >= 0)) {
      gain = 0;
      std::copy_n(residuals, kStride, r);
      std::fill_n(change, kStride, 0.0);
    }
    constexpr int kRounds = 6;
    constexpr double kLittle = 1e-3;  // of what the visit gained
    for (int round = 0; round < kRounds; ++round) {
      double won = 0;
      for (int e = 0; e < kEdges; ++e) {
        const double was = f[e] + change[e], next = larger(was - r[e] * diagonal[e], 0.0), d = next - was;
        won -= d * mul_add(0.5 * d, A[e * kStride + e], r[e]);
        change[e] += d;
        for (int k = 0; k < kFours; ++k) {
          mul_add(Four::load(A + e * kStride + 4 * k), Four(d), Four::load(r + 4 * k)).store(r + 4 * k);
        }
      }
      gain += won;
      if (won <= kLittle * gain) break;
    }
  } else {
    for (int e = 0; e < kEdges; ++e) gain -= 0.5 * change[e] * residuals[e];
  }
  if (!(gain > 0)) return 0;  // the limit of rounding
  for (int e = 0; e < kEdges; ++e) f[e] = larger(f[e] + change[e], 0.0);
  white.apply_contact<kEdges>(first, change);
  return gain;
}

double Sweeper::visit(int b, double* force) {
  const RowBlock& law = p->blocks[b];
  if (law.law == RowLaw::kElliptic) {
    return law.dim == 3 ? visit_cone<3>(b, force) : law.dim == 4 ? visit_cone<4>(b, force) : visit_cone<6>(b, force);
  }
  if (are_together(law)) return visit_together(b, force);
  double* f = force + law.first;
  double error;
  residual(b, &error);
  error = mul_add(p->rows.R[law.first], f[0], error);
  const double next = clamped(f[0] - error * inverse_diagonal_[b], lower_[b], upper_[b]);
  const double change = next - f[0];
  f[0] = next;
  if (change == 0) return 0;
  apply(b, &change);
  return -change * (0.5 * change * diagonal_[b] + error);
}

double Sweeper::visit_all(const int* order, double* force) {
  if (matrix_ && scalar_ && p->rows.n > 0) return visit_scalar_rows(order, force);
  double gain = 0;
  for (size_t b = 0; b < p->blocks.size(); ++b) gain += visit(order[b], force);
  return gain;
}

/// Each row as in visit(), with sums in another order. What a visit waits for is the force of the one before: so
/// nothing branches on it, what does not need it is computed first, and the residuals of the two rows to come beside
/// those of all rows, not read back from them, which takes as long as two visits.
double Sweeper::visit_scalar_rows(const int* order, double* force) {
  const int n = p->rows.n, stride = stride_;
  const double *R = p->rows.R, *matrix = matrix_, *lower = lower_, *upper = upper_;
  const double *diagonal = diagonal_, *inverse_diagonal = inverse_diagonal_;
  double* residual = residual_;
  int row = order[0], second = order[n > 1 ? 1 : 0];
  double gain = 0, pull = residual[row], next_pull = residual[second];
  for (int k = 0; k < n; ++k) {
    const int third = order[k + 2 < n ? k + 2 : n - 1];
    const double* column = matrix + row * stride;
    const double later = residual[third];
    const double before = force[row], own = R[row] * before, inverse = inverse_diagonal[row];
    const double rest = mul_add(-own, inverse, before);
    // (NaN stays NaN)
    const double next = smaller(upper[row], larger(lower[row], mul_add(-pull, inverse, rest)));
    const double change = next - before;
    force[row] = next;
    gain -= change * mul_add(0.5 * change, diagonal[row], pull + own);
    pull = mul_add(column[second], change, next_pull);
    next_pull = mul_add(column[third], change, later);
    const Four factor(change);
    const auto add = [&](int i) {
      mul_add(Four::load(column + i), factor, Four::load(residual + i)).store(residual + i);
    };
    int i = 0;
    for (; i + 8 <= stride; i += 8) add(i), add(i + 4);
    if (i < stride) add(i);
    row = second;
    second = third;
  }
  return gain;
}

void Sweeper::project(double* force) const {
  if (scalar_) {
    const double *lower = lower_, *upper = upper_;
    for (int i = 0, n = p->rows.n; i < n; ++i) force[i] = smaller(upper[i], larger(lower[i], force[i]));
    return;
  }
  for (const RowBlock& block : p->blocks) {
    double* f = force + block.first;
    if (block.law == RowLaw::kFriction) {
      f[0] = clamped(f[0], -block.bound, block.bound);
    } else if (block.law == RowLaw::kUnilateral) {
      if (f[0] < 0) f[0] = 0;
    } else if (block.law == RowLaw::kElliptic) {
      double squares = 0;
      for (int j = 1; j < block.dim; ++j) squares += f[j] / block.friction[j - 1] * (f[j] / block.friction[j - 1]);
      const double length = std::sqrt(squares);
      if (f[0] < 0) f[0] = 0;
      if (length > f[0]) {
        for (int j = 1; j < block.dim; ++j) f[j] *= f[0] / length;
      }
    }
  }
}

double Sweeper::cost(const double* f) const {
  const int n = p->rows.n;
  double total = 0;
  if (matrix_) {
    for (int i = 0; i < n; ++i) total += 0.5 * f[i] * (residual_[i] - white.free[i]);
  } else {
    total = 0.5 * dot(white.w, white.w, p->pattern.n);
  }
  for (int i = 0; i < n; ++i) total += f[i] * (0.5 * p->rows.R[i] * f[i] + white.free[i]);
  return total;
}

double Sweeper::sweep_in_order(double* force) {
  double gain = 0;
  for (int b = 0; b < static_cast<int>(p->blocks.size()); ++b) {
    if (asleep && asleep[b]) continue;
    const int edges = joins_edges_ ? p->blocks[b].edges : 0;
    if (edges < 0) continue;
    gain += edges == 0   ? visit(b, force)
            : edges == 4 ? visit_edges<4>(b, force)
            : edges == 6 ? visit_edges<6>(b, force)
                         : visit_edges<10>(b, force);
  }
  return gain;
}

void Sweeper::hold_rigid_rows(double* force) {
  for (int b = 0; b < static_cast<int>(p->blocks.size()); ++b) {
    if (p->blocks[b].cold_start) visit(b, force);
  }
}

void Sweeper::remove_force(int b, double* force) {
  const RowBlock& block = p->blocks[b];
  for (int i = block.first; i < block.first + block.dim; ++i) {
    if (force[i] != 0) apply_row(i, -force[i]);
    force[i] = 0;
  }
}

bool Sweeper::start(double* f) {
  const int n = p->rows.n;
  if (!all_finite(f, n)) std::fill(f, f + n, 0.0);
  project(f);
  follow(f);
  const double start = cost(f);
  if (!std::isfinite(start) || !all_finite(white.free, n) || !all_finite(p->rows.D, n) || !all_finite(p->rows.R, n) ||
      !all_finite(p->qfrc_smooth.data(), p->pattern.n)) {
    return false;
  }
  if (start > 0) {
    std::fill(f, f + n, 0.0);
    follow(f);
  }
  return true;
}

void Sweeper::shrink_to_best(double* f) {
  // cost(s f) = 1/2 s^2 f' (A + R) f + s f' b
  double square = dot(white.w, white.w, p->pattern.n), slope = 0;
  for (int i = 0; i < p->rows.n; ++i) {
    square = mul_add(p->rows.R[i] * f[i], f[i], square);
    slope = mul_add(f[i], white.free[i], slope);
  }
  if (-slope >= square) return;
  const double scale = slope < 0 ? -slope / square : 0;
  for (int i = 0; i < p->rows.n; ++i) f[i] *= scale;
  for (int i = 0; i < p->pattern.n; ++i) white.w[i] *= scale;
}

// ---- sweeps -------------------------------------------------------------------------------------

uint32_t Sweeps::Shuffler::next() {
  const uint64_t old = state;
  state = old * 6364136223846793005ULL + 1;
  const auto mixed = static_cast<uint32_t>(((old >> 18) ^ old) >> 27), turn = static_cast<uint32_t>(old >> 59);
  return (mixed >> turn) | (mixed << ((32 - turn) & 31));
}

namespace {

/// Remainders by small numbers without a division, which takes longer than a visit: the fraction of x / n in 64 bits,
/// times n (D. Lemire et al., Faster Remainder by Direct Computation, 2019; exact for numbers of 32 bits).
struct Remainders {
  static constexpr uint32_t kMost = 64;
  uint64_t inverse[kMost + 1] = {};
  constexpr Remainders() {
    for (uint32_t n = 1; n <= kMost; ++n) inverse[n] = ~uint64_t{0} / n + 1;
  }
  constexpr uint32_t of(uint32_t x, uint32_t n) const {
    if (n > kMost) return x % n;
    // (n has few bits: the upper half of the fraction's 64, times n, does not overflow, nor does what the lower adds)
    const uint64_t fraction = inverse[n] * x, low = (fraction & 0xffffffff) * n;
    return static_cast<uint32_t>(((fraction >> 32) * n + (low >> 32)) >> 32);
  }
};
constexpr Remainders kRemainders;

/// Numbers next to multiples of n, small and large.
constexpr bool remainders_are_exact() {
  for (uint32_t n = 1; n <= Remainders::kMost + 2; ++n) {
    const uint32_t most = ~uint32_t{0} / n * n;
    for (uint32_t x : {0u, 1u, n - 1, n, n + 1, 1000 * n - 1, 1000 * n, most / 2, most - n - 1, most - 1, most, ~0u}) {
      if (kRemainders.of(x, n) != x % n) return false;
    }
  }
  return true;
}
static_assert(remainders_are_exact());

}  // namespace

void Sweeps::Shuffler::shuffle(int* order, int n) {
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[kRemainders.of(next(), static_cast<uint32_t>(i + 1))]);
}

bool Sweeps::build(const SolverProblem& problem, Arena& arena) {
  rows_ = problem.rows.n;
  blocks_ = static_cast<int>(problem.blocks.size());
  order_ = arena.take<int>(blocks_);
  last_ = arena.take<double>(rows_);
  previous_ = arena.take<double>(rows_);
  ahead_ = arena.take<double>(rows_);
  if (!order_ || !last_ || !previous_ || !ahead_) return false;
  for (int b = 0; b < blocks_; ++b) order_[b] = b;
  return true;
}

void Sweeps::restart(const double* f) {
  momentum_ = 0;
  std::copy(f, f + rows_, previous_);
}

double Sweeps::sweep(Sweeper& sweeper, double* f) {
  const double beta = (momentum_ - 1.0) / (momentum_ + 2.0);
  if (beta <= 0) {
    std::copy(f, f + rows_, last_);
  } else {
    for (int i = 0; i < rows_; ++i) {
      last_[i] = f[i];
      f[i] = mul_add(beta, f[i] - previous_[i], f[i]);
    }
    sweeper.project(f);
    sweeper.follow(f);
    std::copy(f, f + rows_, ahead_);
  }
  shuffler_.shuffle(order_, blocks_);
  const double improvement = sweeper.visit_all(order_, f);
  // uphill: without momentum again
  double turn = 0;
  for (int i = 0; beta > 0 && i < rows_; ++i) turn = mul_add(f[i] - ahead_[i], ahead_[i] - last_[i], turn);
  momentum_ = turn < 0 ? 0 : momentum_ + 1;
  std::swap(previous_, last_);
  return improvement;
}

}  // namespace pliant
