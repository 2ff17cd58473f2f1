// The reference that shares nothing with the solvers: dense long double, formulas of the penalties written out again,
// Newton with halving of the step.

#include "tests/solver/problems.h"

namespace pliant::testing {
namespace {

using Real = long double;

/// Adds the penalty of a block, its gradient by x (dim) and second derivative (dim x dim).
void add_block(const RandomProblem& p, const RowBlock& block, const Real* x, Real& cost, Real* g, Real* H) {
  const int dim = block.dim;
  std::fill(g, g + dim, Real(0));
  std::fill(H, H + dim * dim, Real(0));
  const double *D = p.D.data() + block.first, *R = p.R.data() + block.first;
  const auto quadratic = [&] {
    for (int j = 0; j < dim; ++j) {
      cost += x[j] * x[j] * D[j] / 2;
      g[j] = D[j] * x[j];
      H[j * dim + j] = D[j];
    }
  };
  if (block.law == RowLaw::kEquality || (block.law == RowLaw::kUnilateral && x[0] < 0)) return quadratic();
  if (block.law == RowLaw::kUnilateral) return;
  if (block.law == RowLaw::kFriction) {
    const Real bound = block.bound, edge = R[0] * bound;
    if (x[0] > -edge && x[0] < edge) return quadratic();
    const Real sign = x[0] > 0 ? 1 : -1;
    cost += bound * (sign * x[0] - edge / 2);
    g[0] = sign * bound;
    return;
  }
  // elliptic
  const Real mu = block.mu;
  Real scale[6] = {mu}, U[6], T = 0;
  for (int j = 1; j < dim; ++j) scale[j] = block.friction[j - 1];
  for (int j = 0; j < dim; ++j) U[j] = scale[j] * x[j];
  for (int j = 1; j < dim; ++j) T += U[j] * U[j];
  T = std::sqrt(T);
  const Real N = U[0];
  if (N >= mu * T) return;
  if (mu * N + T <= 0) return quadratic();
  const Real stiffness = D[0] / (mu * mu * (1 + mu * mu)), depth = N - mu * T;
  cost += stiffness * depth * depth / 2;
  // gradient of depth: (1, -mu U_j / T) in U
  Real d[6] = {1};
  for (int j = 1; j < dim; ++j) d[j] = -mu * U[j] / T;
  for (int j = 0; j < dim; ++j) {
    g[j] = stiffness * depth * d[j] * scale[j];
    for (int k = 0; k < dim; ++k) {
      Real h = d[j] * d[k];
      if (j > 0 && k > 0) h += depth * -mu * ((j == k ? 1 / T : 0) - U[j] * U[k] / (T * T * T));
      H[j * dim + k] = stiffness * h * scale[j] * scale[k];
    }
  }
}

}  // namespace

ExactPoint exact_point(const RandomProblem& p, const std::vector<Real>& a, bool with_hessian) {
  const int n = p.n, rows = static_cast<int>(p.aref.size());
  const auto M = p.dense_mass(), J = p.dense_rows();
  ExactPoint out;
  out.gradient.assign(n, 0);
  // a_s = inv(M) tau is rounded: the linear term is tau itself
  for (int i = 0; i < n; ++i) {
    Real Ma = 0;
    for (int j = 0; j < n; ++j) Ma += M[i * n + j] * a[j];
    out.cost += a[i] * (Ma / 2 - p.qfrc_smooth[i]);
    out.gradient[i] = Ma - p.qfrc_smooth[i];
  }
  if (with_hessian) out.hessian.assign(M.begin(), M.end());
  std::vector<Real> x(rows);
  for (int r = 0; r < rows; ++r) {
    x[r] = -p.aref[r];
    for (int i = 0; i < n; ++i) x[r] += J[r * n + i] * a[i];
  }
  for (const RowBlock& block : p.blocks) {
    Real g[6], H[36];
    add_block(p, block, x.data() + block.first, out.cost, g, H);
    const double* rows_of = J.data() + static_cast<size_t>(block.first) * n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < block.dim; ++j) {
        if (rows_of[j * n + i] == 0) continue;
        out.gradient[i] += rows_of[j * n + i] * g[j];
        if (!with_hessian) continue;
        for (int k = 0; k < block.dim; ++k) {
          if (H[j * block.dim + k] == 0) continue;
          for (int c = 0; c < n; ++c)
            out.hessian[i * n + c] += rows_of[j * n + i] * H[j * block.dim + k] * rows_of[k * n + c];
        }
      }
    }
  }
  return out;
}

std::vector<Real> exact_minimum(const RandomProblem& p) {
  const int n = p.n;
  std::vector<Real> a(p.qacc_smooth.begin(), p.qacc_smooth.end());
  ExactPoint at = exact_point(p, a, true);
  for (int iteration = 0; iteration < 200; ++iteration) {
    // direction = -inv(H) g by Cholesky
    std::vector<Real> L = at.hessian, s(n);
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < j; ++k) {
        for (int i = j; i < n; ++i) L[i * n + j] -= L[i * n + k] * L[j * n + k];
      }
      L[j * n + j] = std::sqrt(L[j * n + j]);
      for (int i = j + 1; i < n; ++i) L[i * n + j] /= L[j * n + j];
    }
    for (int i = 0; i < n; ++i) {
      s[i] = -at.gradient[i];
      for (int k = 0; k < i; ++k) s[i] -= L[i * n + k] * s[k];
      s[i] /= L[i * n + i];
    }
    Real decrement = 0;
    for (int i = 0; i < n; ++i) decrement += s[i] * s[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) s[i] -= L[k * n + i] * s[k];
      s[i] /= L[i * n + i];
    }
    if (decrement < 1e-32L) break;
    Real step = 1;
    ExactPoint next;
    std::vector<Real> trial(n);
    for (int half = 0; half < 60; ++half, step /= 2) {
      for (int i = 0; i < n; ++i) trial[i] = a[i] + step * s[i];
      next = exact_point(p, trial, true);
      if (next.cost <= at.cost - 0.25L * step * decrement) break;
    }
    // the limit of long double
    if (!(next.cost < at.cost)) break;
    a = trial;
    at = next;
  }
  return a;
}

}  // namespace pliant::testing
