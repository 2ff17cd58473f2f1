#pragma once
// What a team solves, and its memory: one world, in memory that the members share. The problem is that of problem.h.

#include <cstddef>

#include "math/dense_team.h"
#include "math/tree_matrix_team.h"
#include "solver/cones_hd.h"
#include "solver/descent_hd.h"
#include "solver/laws_hd.h"

namespace pliant {

/// Rows that share their columns: row r of them has `width` numbers from J + r stride on.
template <class R>
struct TeamGroup {
  int first, rows, width, segment, segments, stride;
  const R* J;
};

/// An equality far stiffer than M, and its group: preconditions CG.
struct TeamStiffRow {
  int row, group;
};

/// What a team solves (problem.h): minimise 1/2 (a - a_s)' M (a - a_s) + sum of s(J a - aref).
template <class R>
struct TeamProblem {
  TreePattern<const int*> pattern;  // of M, with levels
  int dofs = 0;                     // DenseNewton: of what is solved, the whole or a part of the pattern
  const int* entry_row = nullptr;   // of every entry of M
  const R *M, *LD, *inverse_D;
  int nrow = 0, nblock = 0, ngroup = 0, nstiff = 0;
  bool has_cones = false;     // some block is an elliptic contact
  const LawBlock<R>* block;   // all of them, or none where nobody asks for more than laws of rows
  const TeamGroup<R>* group;  // TeamGroups
  const TeamStiffRow* stiff;
  const int *row_Jadr = nullptr, *row_segadr = nullptr, *row_segnum = nullptr;  // DenseNewton
  const R* row_J = nullptr;
  // of a part: which rows and dofs it has, and where a dof of the pattern stands; nullptr: all, in their places
  const int *row_of = nullptr, *dof_of = nullptr, *place_of = nullptr;
  const int *segment_dof, *segment_len;
  const R *aref, *regularizer;
  const R *qacc_smooth, *qfrc_smooth;
  DescentRules<R> rules;
};

/// What every method with rows in groups needs.
template <class R>
struct TeamMemory {
  R *qacc, *Ma, *gradient, *direction, *Ms, *inverse;  // dofs
  R *x, *Js, *weight, *force, *D, *low, *high;         // rows; weight: 0 or D, of rows in their quadratic state;
                                                       // low, high: where s is quadratic (laws_hd.h), both 0 in cones
  ConeLine<R>* cone;                                   // blocks
  R* method;                                           // numbers of the method (TeamNewton, TeamCg)

  static constexpr int kPerDof = 6, kPerRow = 7;
};

/// How many numbers of type R (cones and the method's apart) a problem needs.
PLIANT_HD size_t team_numbers(int dofs, int rows) {
  return TeamMemory<float>::kPerDof * static_cast<size_t>(dofs) +
         TeamMemory<float>::kPerRow * static_cast<size_t>(rows);
}
/// Memory from `numbers` on; that of the method comes last.
template <class R>
PLIANT_HD TeamMemory<R> team_memory(R* numbers, ConeLine<R>* cones, int dofs, int rows) {
  TeamMemory<R> memory;
  const auto take = [&](int n) {
    R* at = numbers;
    numbers += n;
    return at;
  };
  const int n = dofs, m = rows;
  memory.qacc = take(n), memory.Ma = take(n), memory.gradient = take(n), memory.direction = take(n);
  memory.Ms = take(n), memory.inverse = take(n);
  memory.x = take(m), memory.Js = take(m), memory.weight = take(m), memory.force = take(m);
  memory.D = take(m), memory.low = take(m), memory.high = take(m);
  memory.method = numbers;
  memory.cone = cones;
  return memory;
}

/// The law of a row into memory.
template <class Memory, class R>
PLIANT_HD void set_law(const Memory& memory, int row, RowLaw law, R D, R regularizer, R bound) {
  const RowInterval<R> bounds = law == RowLaw::kElliptic ? RowInterval<R>{0, 0} : row_interval(law, regularizer, bound);
  memory.D[row] = D;
  memory.low[row] = bounds.low, memory.high[row] = bounds.high;
}

/// Whether an elliptic contact slides at x; then C is the second derivative of its penalty, dim x dim by rows.
template <class R>
PLIANT_HD bool sliding_hessian(const LawBlock<R>& b, const R* x, const R* D, R* C) {
  if (b.law != RowLaw::kElliptic) return false;
  R U[kMaxConeDim];
  const R T = cone_coordinates(b.dim, x + b.first, b.mu, b.friction, U);
  if (cone_zone(U[0], T, b.mu) != ConeZone::kMiddle) return false;
  cone_hessian(b.dim, x + b.first, D + b.first, b.mu, b.friction, C);
  return true;
}

}  // namespace pliant
