#pragma once
// A State, or chosen parts of it, as one vector of numbers: for optimisers, replay buffers and
// files.

#include "pliant/state.h"

namespace pliant {

/// Parts of a State, as bits of a signature; a vector holds the chosen ones in this order.
enum StatePart : unsigned {
  kStateTime = 1 << 0,
  kStateQpos = 1 << 1,
  kStateQvel = 1 << 2,
  kStateAct = 1 << 3,
  kStateHistory = 1 << 4,
  kStateWarmstart = 1 << 5,
  kStateCtrl = 1 << 6,
  kStateQfrcApplied = 1 << 7,
  kStateXfrcApplied = 1 << 8,
  kStateEqActive = 1 << 9,
  kStateMocapPos = 1 << 10,
  kStateMocapQuat = 1 << 11,
  kStateUserdata = 1 << 12,
  kStatePlugin = 1 << 13,  ///< always empty: Pliant has no plugins
  kStatePlastic = 1 << 14,
};
inline constexpr int kNumStateParts = 15;

/// Numbers in the vector of a signature. Like the functions below it throws std::invalid_argument
/// when the signature has bits that stand for nothing.
int state_size(const Model& model, unsigned signature);
/// Writes state_size numbers; flags are 0 or 1.
void get_state(const Model& model, const State& state, unsigned signature, double* vector);
/// Takes them back; parts outside the signature stay as they are.
void set_state(const Model& model, State& state, unsigned signature, const double* vector);
/// Copies the parts of a signature from one State to another of the same model.
void copy_state(const Model& model, const State& from, unsigned signature, State& to);
/// Picks the parts `to_signature` out of a vector of `from_signature`, which must have them all.
void extract_state(const Model& model, const double* from, unsigned from_signature, double* to, unsigned to_signature);

}  // namespace pliant
