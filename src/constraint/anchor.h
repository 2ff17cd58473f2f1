#pragma once
// Anchored friction (option friction="anchored"): a contact that sticks remembers how far it slid, and friction pulls
// it back.
//
// Regularised friction holds a load only by moving: a row without acceleration pushes with B v / R. Where friction is
// anchored its rows have a position too, the slip σ since the contact sticks, and ask for
//
//   aref = -B v - K d σ
//
// with K, B and d as along the normal (or of solreffriction). At rest σ = R f / (K d), and nothing moves. After a step
//
//   σ' = λ (σ + h v')   with the largest λ ≤ 1 for which (B |v'| + K d |σ'|) / R is within the cone:
//
// an anchor that is asked for more slides along. A contact that slides faster than B v = R μ N has no slip. Slips of
// rotations (torsional, rolling friction) are alike.
//
// Where friction is asked for more than its cone has, the convex law gives more normal force, too: a cone is left along
// its own normal, and of a pyramid every edge pushes along the contact's. What creeps near the angle of friction is so
// lifted until contacts open, holds less than it could, and never comes to rest. So of what anchored friction is asked
// for at most 1.25 times the cone counts (limit_friction), and the edges of a pyramid share the load so that their sum
// is that of the normal. Contacts then hold up to the angle of friction of their cone: of a pyramid |T_x| + |T_y| = μ
// N. What slides fast (μ B v > 8 K d times solimp's width: 0.2 m/s by default) moves as without anchors, bit for bit.
//
// Slips are accumulated, not measured between points of the two bodies: the points that touch change where something
// rolls. They turn with the mean of the two bodies about the normal, and with the normal.

#include "pliant/state.h"

namespace pliant {

/// reads row_memory contact · writes contact.slip: of the nearest contact of the same geoms in the step before; zero if
/// there is none, or its normal pointed elsewhere.
void recall_slips(const Model& m, const State& s, Data& d);

/// What friction is asked for, at most its cone. reads row_R row_KBIP contact.friction contact.solimp · writes row_aref
void limit_friction(const Model& m, Data& d);

/// Slips at the end of the step, and the memory that the next one starts from. With forces these of all rows are
/// remembered, too. reads rows contact cvel, qvel of the new State · writes contact.slip row_memory
void remember_slips(const Model& m, State& s, Data& d, const double* force);

}  // namespace pliant
