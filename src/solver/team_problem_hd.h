#pragma once
// What a team solves, and its memory: one world, in memory that the members share. The problem is that of problem.h.

#include <cstddef>

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
  const R *M, *LD, *inverse_D;
  int nrow = 0, nblock = 0, ngroup = 0, nstiff = 0;
  const LawBlock<R>* block;
  const TeamGroup<R>* group;
  const TeamStiffRow* stiff;
  const int *segment_dof, *segment_len;
  const R *aref, *D, *regularizer;
  const R *qacc_smooth, *qfrc_smooth;
  DescentRules<R> rules;
};

/// What every method needs.
template <class R>
struct TeamMemory {
  R *Ma, *gradient, *direction, *Ms, *inverse;  // dofs
  R *x, *Js, *weight;                           // rows; weight: 0 or D, of rows in their quadratic state
  ConeLine<R>* cone;                            // blocks
  R* method;                                    // numbers of the method (TeamNewton, TeamCg)

  static constexpr int kPerDof = 5, kPerRow = 3;
};

/// How many numbers of type R (cones and the method's apart) a problem needs.
PLIANT_HD size_t team_numbers(int dofs, int rows) {
  return TeamMemory<float>::kPerDof * static_cast<size_t>(dofs) +
         TeamMemory<float>::kPerRow * static_cast<size_t>(rows);
}
/// Memory from `numbers` on, a multiple of 16 bytes; that of the method comes first.
template <class R>
PLIANT_HD TeamMemory<R> team_memory(R* numbers, ConeLine<R>* cones, int dofs, int rows, size_t method) {
  TeamMemory<R> memory;
  memory.method = numbers;
  numbers += method;
  const auto take = [&](int n) {
    R* at = numbers;
    numbers += n;
    return at;
  };
  memory.Ma = take(dofs), memory.gradient = take(dofs), memory.direction = take(dofs);
  memory.Ms = take(dofs), memory.inverse = take(dofs);
  memory.x = take(rows), memory.Js = take(rows), memory.weight = take(rows);
  memory.cone = cones;
  return memory;
}

}  // namespace pliant
