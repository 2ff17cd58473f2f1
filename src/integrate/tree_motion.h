#pragma once
// Energy and momentum of kinematic trees at positions and velocities of one's own choice, without a pass of stages:
// what the integrator midpoint compares before and after a step.
//
// Kinetic energy with armature; potential energy of gravity and, where asked for, of the springs of joints. Of trees
// that float also momentum, and angular momentum and inertia about the centre of mass.
// Cost: linear; a third of the stages poses, com and velocity.

#include "math/mat3.h"
#include "pliant/state.h"

namespace pliant {

struct TreeMotion {
  double kinetic = 0, potential = 0;
  // of trees that float
  double mass = 0;
  Vec3 com, momentum, spin;  // spin: angular momentum about com
  Mat3 inertia = {{0, 0, 0, 0, 0, 0, 0, 0, 0}};  // about com, as if all joints were locked
};

/// Whether a tree hangs on nothing: the first joint of its first body floats.
bool tree_floats(const Model& m, int tree);

/// Working memory of measure_trees: numbers.
int tree_motion_room(const Model& m);

/// What trees with `wanted[tree]` do; those others are left alone. `centre`: a point per body near its tree (3 numbers
/// each, Data's subtree_com), from which positions are counted, so that a tree far from the origin loses no digits.
void measure_trees(const Model& m, const State& s, const double* qpos, const double* qvel, const double* centre,
                   bool springs, const bool* wanted, double* room, TreeMotion* trees);

}  // namespace pliant
