#pragma once
// Energy and momentum of kinematic trees in two states at once, without a pass of stages: what the integrator midpoint
// compares before and after a step.
//
// Kinetic energy with armature; potential energy of gravity and, where asked for, of the springs of joints. Of trees
// that float also momentum, and angular momentum and inertia about the centre of mass.
// Cost: linear; some hundred instructions per body, for both states together.

#include <array>

#include "math/mat3.h"
#include "pliant/state.h"

namespace pliant {

struct TreeMotion {
  double kinetic = 0, potential = 0;
  // of trees that float
  double mass = 0;
  Vec3 com, momentum, spin;                      // com: from the tree's centre; spin: angular momentum about com
  Mat3 inertia = {{0, 0, 0, 0, 0, 0, 0, 0, 0}};  // about com, as if all joints were locked
};

/// Whether a tree hangs on nothing: its first body has one joint, and that floats.
bool tree_floats(const Model& m, int tree);

enum class Measure : unsigned char { kNothing, kEnergy, kMomenta };

/// Positions and velocities.
struct StatePair {
  const double *qpos[2], *qvel[2];
};

/// Working memory of measure_trees [bytes].
size_t tree_motion_room(const Model& m);

/// What trees do, `wanted` of each (nothing: its place is left alone): trees[2 t] and trees[2 t + 1] of tree t.
/// `centre`: a point per body near its tree (3 numbers each, Data's subtree_com), from which positions are counted, so
/// that a tree far from the origin loses no digits.
void measure_trees(const Model& m, const State& s, const StatePair& pair, const double* centre, bool springs,
                   const Measure* wanted, std::byte* room, TreeMotion* trees);

}  // namespace pliant
