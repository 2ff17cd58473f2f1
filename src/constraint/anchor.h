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
//   σ' = σ + h v'       where the force is inside its cone,
//   σ' = λ (σ + h v')   where it is not, with the largest λ ≤ 1 for which (B |v'| + K d |σ'|) / R is within the cone:
//
// the anchor slides along. Spring and damper together then ask for no more than friction can give; a contact that
// slides faster than B v = R μ N has no slip, and does what regularised friction does, bit for bit. Slips of rotations
// (torsional, rolling friction) are alike.
//
// Contacts so hold up to the angle of friction of their cone. Of a pyramid every edge pushes along the normal, too; its
// edges share the load so that slips do not change the normal force (contact_pyramidal_hd.h).
//
// Slips are accumulated, not measured between points of the two bodies: the points that touch change where something
// rolls. They turn with the mean of the two bodies about the normal, and with the normal.

#include "pliant/state.h"

namespace pliant {

/// reads row_memory contact · writes contact.slip: of the nearest contact of the same geoms in the step before; zero if
/// there is none, or its normal pointed elsewhere.
void recall_slips(const Model& m, const State& s, Data& d);

/// Slips at the end of the step. reads rows contact cvel, qvel of the new State · writes contact.slip
void advance_slips(const Model& m, const State& s, Data& d);

}  // namespace pliant
