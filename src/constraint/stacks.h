#pragma once
// Flag diagstack: impedance of contacts from what they move in their stack.
//
// R of a contact follows from an estimate of how its two bodies respond to a force, each by itself: w = 1/m_a + 1/m_b.
// A light body under a heavy one does not respond by itself: whatever pushes it up pushes the heavy one, too. With the
// light body's w the contact below is as soft as if it carried the light body alone, and under the load of both it
// sinks (m + M)/m times as deep as solref and solimp say. With this flag every body counts with what it pushes along:
//
//   w' = 1/m_a' + 1/m_b',     1/m_y' = uᵀ (m_y 1 + Σ_q s_q m_q' v_q v_qᵀ)⁻¹ u
//
// where u is the direction in which the contact pushes body y, q are the other contacts of y with something that lies
// ahead (v_q·u > 0, v_q the direction in which y pushes there), m_q' is what moves there, found in the same way, and
// s_q the part of it that y has to carry: something that is pushed by several bodies is shared by them (1 / Σ (v·v_q)²
// over those that push it in v's direction). What cannot move has an infinite m'. R, and with it R of friction, is
// multiplied by w'/w ≤ 1.
//
// So a box under any load that is at rest sinks as deep as one box of the whole mass would: g (1-d)/(d² K n) for n
// contacts with default solref. Bodies are points here, as they are in w. Contacts by themselves keep their bits.
//
// The equations are solved by sweeps over the contacts, forwards and backwards, until nothing changes by more than a
// thousandth. Cost: per sweep and contact as many 3×3 sums as its bodies have contacts.

#include "pliant/state.h"

namespace pliant {

/// What the two bodies of a contact have to move when they are pushed apart, in their stack and alone.
struct StackedMasses {
  double moved[2], alone[2];  ///< of the bodies of geom1 and geom2 [kg]; infinite: it cannot move
};
/// Of the first contact with rows of these geoms, as they touch now. False if there is none, or no room.
bool stacked_masses(const Model& m, Data& d, int geom1, int geom2, StackedMasses& out);

/// reads contact body_invweight0 · writes row_R row_D row_diagA row_clamps of contacts. False if there is no room.
bool scale_by_stacks(const Model& m, Data& d);

}  // namespace pliant
