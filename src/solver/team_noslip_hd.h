#pragma once
// No-slip sweeps (noslip.cpp) by a team. Blocks are visited one after the other, in the order of the CPU; dofs of a
// block are shared out.
//
// Rows are whitened as on the CPU (whitened.h), each into a vector of all dofs: with Y = J inv(L) D^-1/2 and w = Y' f a
// visit is a product with the block's rows of Y, and one more with their transpose. Of rows that sweeps do not visit
// only their share in w is needed.

#include "base/team.h"
#include "solver/noslip_hd.h"
#include "solver/team_problem_hd.h"

namespace pliant {

template <class Team, class R>
class TeamNoSlip {
 public:
  /// Numbers of memory.
  PLIANT_HD static size_t numbers(int dofs, int rows) {
    return static_cast<size_t>(rows) * static_cast<size_t>(dofs + 1 + kMaxConeDim) + static_cast<size_t>(dofs);
  }
  /// problem: LD, inverse_D and qacc_smooth are those of the sweeps; `rows` of its rows are constraints, the others
  /// terms of the metric. push: J' f of all rows.
  PLIANT_HD TeamNoSlip(const Team& team, const TeamProblem<R>& problem, int rows, R* memory, const R* push, R* force)
      : team_(team), p_(problem), n_(problem.pattern.n), nrow_(rows), f_(force) {
    w_ = memory, memory += n_;
    free_ = memory, memory += nrow_;
    A_ = memory, memory += kMaxConeDim * nrow_;
    Y_ = memory;
    each(team_, n_, [&](int i) { w_[i] = push[i]; });
    whiten_forces();
    whiten_rows();
    find_matrices();
  }

  /// At most so many sweeps; returns how many.
  PLIANT_HD int run(int most, R tolerance) {
    int sweeps = 0;
    while (sweeps < most) {
      // what the regularisation cost counts as won in the first sweep
      R improvement = 0;
      if (sweeps == 0) {
        improvement = sum_of<R>(team_, nrow_, [&](int i) { return R(0.5) * f_[i] * f_[i] * p_.regularizer[i]; });
      }
      improvement += sweep();
      ++sweeps;
      if (p_.rules.scale * improvement < tolerance) break;
    }
    return sweeps;
  }

 private:
  PLIANT_HD R* row(int i) const { return Y_ + static_cast<size_t>(i) * static_cast<size_t>(n_); }
  PLIANT_HD R* matrix(int first) const { return A_ + kMaxConeDim * first; }

  /// w = D^-1/2 inv(L') w.
  PLIANT_HD void whiten_forces() {
    const auto& tree = p_.pattern;
    for (int i = n_ - 1; i >= 0; --i) {
      const R value = w_[i];
      each(team_, tree.rownnz[i] - 1, [&](int c) {
        const int at = tree.rowadr[i] + c, k = tree.colind[at];
        w_[k] = mul_add(-p_.LD[at], value, w_[k]);
      });
    }
    each(team_, n_, [&](int i) { w_[i] *= std::sqrt(p_.inverse_D[i]); });
  }

  /// Y and J a_s - aref of the rows that sweeps visit.
  PLIANT_HD void whiten_rows() {
    const auto& tree = p_.pattern;
    int g = 0;  // blocks of a member ascend, and with them groups
    each(team_, p_.nblock, [&](int b) {
      const LawBlock<R>& block = p_.block[b];
      if (!is_visited(block) || block.first >= nrow_) return;
      for (int i = block.first; i < block.first + block.dim; ++i) {
        while (i >= p_.group[g].first + p_.group[g].rows) ++g;
        const TeamGroup<R>& group = p_.group[g];
        const R* J = group.J + (i - group.first) * group.stride;
        R* y = row(i);
        R sum = 0;
        for (int k = 0; k < n_; ++k) y[k] = 0;
        for (int s = group.segment; s < group.segment + group.segments; ++s) {
          for (int c = 0; c < p_.segment_len[s]; ++c, ++J) {
            y[p_.segment_dof[s] + c] = *J;
            sum = mul_add(*J, p_.qacc_smooth[p_.segment_dof[s] + c], sum);
          }
        }
        free_[i] = sum - p_.aref[i];
        for (int k = n_ - 1; k >= 0; --k) {
          const R value = y[k];
          if (value == 0) continue;
          for (int c = 0; c < tree.rownnz[k] - 1; ++c) {
            const int at = tree.rowadr[k] + c;
            y[tree.colind[at]] = mul_add(-p_.LD[at], value, y[tree.colind[at]]);
          }
          y[k] = value * std::sqrt(p_.inverse_D[k]);
        }
      }
    });
  }

  /// Y Y' of blocks, of the edges of a pyramid by pairs.
  PLIANT_HD void find_matrices() {
    each(team_, p_.nblock, [&](int b) {
      const LawBlock<R>& block = p_.block[b];
      if (!is_visited(block) || block.first >= nrow_ || block.edges < 0) return;
      const int dim = block.edges > 0 ? 2 : block.dim;
      for (int first = block.first; first < block.first + (block.edges > 0 ? block.edges : 1); first += dim) {
        R* A = matrix(first);
        for (int i = 0; i < dim; ++i) {
          for (int j = 0; j <= i; ++j) {
            R sum = 0;
            for (int k = 0; k < n_; ++k) sum = mul_add(row(first + i)[k], row(first + j)[k], sum);
            A[i * dim + j] = A[j * dim + i] = sum;
          }
        }
      }
    });
  }

  PLIANT_HD static bool is_visited(const LawBlock<R>& block) {
    return block.law == RowLaw::kFriction || block.law == RowLaw::kElliptic || block.edges != 0;
  }

  /// New forces of `dim` rows; returns the change of the cost, 0 if there is none. All members decide the same.
  template <class Next>
  PLIANT_HD R visit(int first, int dim, Next&& next_of) {
    R residual[kMaxConeDim], next[kMaxConeDim], change[kMaxConeDim], f[kMaxConeDim], A[kMaxConeDim * kMaxConeDim];
    for (int i = 0; i < dim; ++i) {
      const R* y = row(first + i);
      residual[i] = free_[first + i] + sum_of<R>(team_, n_, [&](int k) { return y[k] * w_[k]; });
      f[i] = f_[first + i];
    }
    for (int i = 0; i < dim * dim; ++i) A[i] = matrix(first)[i];
    next_of(static_cast<const R*>(f), static_cast<const R*>(residual), A, next);
    R cost = 0;
    const auto dot = [](const R* x, const R* y, int n) {
      R sum = 0;
      for (int i = 0; i < n; ++i) sum = mul_add(x[i], y[i], sum);
      return sum;
    };
    const bool better = change_without_slip<R>(dim, A, residual, next, f, change, cost, dot);
    team_.sync();  // everybody has read forces and w
    if (!better) return 0;
    if (team_.lane() == 0) {
      for (int i = 0; i < dim; ++i) f_[first + i] = next[i];
    }
    each(team_, n_, [&](int k) {
      R sum = w_[k];
      for (int i = 0; i < dim; ++i) sum = mul_add(change[i], row(first + i)[k], sum);
      w_[k] = sum;
    });
    return cost;
  }

  /// Returns by how much the cost fell.
  PLIANT_HD R sweep() {
    R change = 0;
    for (int b = 0; b < p_.nblock && p_.block[b].first < nrow_; ++b) {
      const LawBlock<R>& block = p_.block[b];
      if (block.law == RowLaw::kFriction) {
        change += visit(block.first, 1, [&](const R* f, const R* residual, R* A, R* next) {
          next[0] = friction_loss_without_slip(f[0], residual[0], A[0], block.bound);
        });
      } else if (block.law == RowLaw::kElliptic) {
        change += visit(block.first, block.dim, [&](const R* f, const R* residual, R* A, R* next) {
          elliptic_without_slip(block.dim, block.friction, f, residual, A, next);
        });
      } else {
        for (int e = 0; e + 1 < block.edges; e += 2) {
          change += visit(block.first + e, 2, [](const R* f, const R* residual, R* A, R* next) {
            edges_without_slip(f, residual, A, next);
          });
        }
      }
    }
    return -change;
  }

  const Team& team_;
  const TeamProblem<R>& p_;
  int n_, nrow_;
  R *f_, *w_, *free_, *A_, *Y_;
};

}  // namespace pliant
