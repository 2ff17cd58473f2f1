#pragma once
// Working memory of the stage collision for a world whose arrays do not grow.

#include "math/spatial.h"
#include "math/vec3.h"
#include "state/contact_point.h"

namespace pliant {

/// How a geom moves in the coming step: its centre along a line, and itself about its centre.
template <class R>
struct GeomMotionT {
  Vec3T<R> move;  // of the centre [m]
  Vec3T<R> turn;  // rotation vector, world axes [rad]; none for spheres
  R spin = 0;     // no point of it moves farther by the turn: |turn| · bounding radius [m]
  R reach = 0;    // … by both: |move| + spin [m]
};

/// How a body moves; of its geoms: the least thickness and the largest reach.
template <class R>
struct BodyMotionT {
  SpatialT<R> velocity;  // about the centre of mass of its tree
  R thin, reach;
};

/// What became of a survivor: its points stand in CollisionMemory::point, from `first` on.
struct PairResult {
  int first, count, found;  // as in PairPoints
  int bad;                  // likewise
  bool bad_dim, tested;
};

template <class R>
struct CollisionMemory {
  int* survivor = nullptr;  // candidates whose spheres meet
  int survivor_room = 0, survivors = 0;
  PairResult* result = nullptr;           // of every survivor
  ContactPointT<R>* point = nullptr;      // as many as there is room for contacts
  GeomMotionT<R>* geom_motion = nullptr;  // ngeom; these two with the flag speculative only
  BodyMotionT<R>* body_motion = nullptr;  // nbody
};

}  // namespace pliant
