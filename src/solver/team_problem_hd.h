#pragma once
// What a team solves, and its memory: one world, in memory that the members share. The problem is that of problem.h.

#include <cstddef>

#include "math/tree_matrix_team.h"
#include "solver/cones_hd.h"
#include "solver/descent_hd.h"
#include "solver/laws_hd.h"

namespace pliant {

/// Rows with one law: one scalar row, or the rows of an elliptic contact.
template <class R>
struct TeamBlock {
  int first = 0, dim = 1;
  RowLaw law = RowLaw::kEquality;
  R bound = 0;    // kFriction
  int edges = 0;  // kUnilateral: edges of the friction pyramid that it begins; -1: it belongs to one
  R mu = 0;       // kElliptic
  const R* friction = nullptr;
};

/// Rows that share their columns; their numbers are a matrix rows x width from J on.
struct TeamGroup {
  int first, rows, width, segment, segments, J;
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
  const TeamBlock<R>* block;
  const TeamGroup* group;
  const TeamStiffRow* stiff;
  const int *segment_dof, *segment_len;
  const R *J, *aref, *D, *regularizer;
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
/// Memory from `numbers` on, that of the method behind it.
template <class R>
PLIANT_HD TeamMemory<R> team_memory(R* numbers, ConeLine<R>* cones, int dofs, int rows) {
  TeamMemory<R> memory;
  const auto take = [&](int n) {
    R* at = numbers;
    numbers += n;
    return at;
  };
  memory.Ma = take(dofs), memory.gradient = take(dofs), memory.direction = take(dofs);
  memory.Ms = take(dofs), memory.inverse = take(dofs);
  memory.x = take(rows), memory.Js = take(rows), memory.weight = take(rows);
  memory.cone = cones;
  memory.method = numbers;
  return memory;
}

}  // namespace pliant
