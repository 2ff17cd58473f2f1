#pragma once
// Contacts that are not lifted by sliding (option resolution="signorini").
//
// The forces that minimise the convex cost obey f in K, u = J a - aref + R f in K*, f·u = 0, K the friction cone and K*
// its dual. Where something slides, u lies on the boundary of K*: its normal part is u_n = mu |u_t|, not 0, and the
// contact behaves as if it were lifted in proportion to its speed. Signorini's condition asks for u_n = 0 where a
// contact pushes. It is met by the answer of the convex problem in which the normal reference is lowered by
//
//   s = mu |u_t|     so that   u + s e_n  in  K*,   and where it slides  u_n + s = mu |u_t|
//
// (G. de Saxcé, Z.-Q. Feng, The bipotential method, 1998). Pyramids have the same with their own dual cone: s is the
// mean of u over the edges less the smallest. What sticks has u = 0 and s = 0: nothing changes there.
//
// s is found by repeating: solve the convex problem, s from its answer, again; Anderson's mixing of the last few
// answers makes the steps longer. For contacts whose normal and tangential motions are not coupled it always contracts;
// where coupling is strong (Painlevé's rod) there may be no such forces at all. Then the convex answer stands, and the
// report says so. The certificate is the convex one of the last problem, and `lift`: the largest |s - mu |u_t|| of a
// contact, relative to how far its normal row gives way (R f).

#include "solver/solvers.h"

namespace pliant {

/// As `solver`, whose problem this is without the condition.
SolverReport solve_signorini(SolverFn solver, const SolverProblem& problem, Arena& arena, std::span<double> qacc,
                             std::span<double> row_force, std::span<int> row_state);

/// The shifts of all contacts with friction at an answer: one number each, in the order of blocks; returns how many.
/// u: J qacc - aref + R f of all rows.
int contact_shifts(std::span<const RowBlock> blocks, const double* u, double* shift);

}  // namespace pliant
