#pragma once
// Contacts that the coming step will make: the flag speculative.
//
// What moves farther in a step than it is thick can be on one side of a plate before the step and on the other side
// after it, and collision at the ends sees nothing. So the motion of fast pairs over the step is followed, as if their
// velocities stayed as they are; where they would meet, a contact is made now whose distance makes the row take away so
// much of the approach that they touch at the end of the step. Rules and numbers: docs/physics.md. They are the
// reference's (4.0.1), and as there the motion is that of planes, spheres, capsules, ellipsoids, cylinders, boxes and
// hulls of meshes; height fields are not followed (compile says so).

#include <algorithm>

#include "collision/broadphase.h"
#include "math/spatial.h"

namespace pliant {

/// How a geom moves in the coming step: its centre along a line, and itself about its centre.
struct GeomMotion {
  Vec3 move;         // of the centre [m]
  Vec3 turn;         // rotation vector, world axes [rad]; none for spheres
  double spin = 0;   // no point of it moves farther by the turn: |turn| · bounding radius [m]
  double reach = 0;  // … by both: |move| + spin [m]
};

/// Motions of all geoms in the coming step. Empty unless the flag speculative asks for them.
class Motions {
 public:
  /// From qvel, as collision runs before velocities are known; reads cdof, subtree_com, geom_xpos. False if the arena
  /// is fixed and full.
  bool gather(const Model& m, const State& s, const Data& d, Arena& arena);

  explicit operator bool() const { return motion_ != nullptr; }
  const GeomMotion& operator[](int geom) const { return motion_[geom]; }
  /// Whether the motion of a geom could matter for any partner: it is not slower than the thinnest geom is thick.
  bool matters(int geom) const { return motion_ && motion_[geom].reach > 0 && motion_[geom].reach >= thinnest_; }
  /// Whether one of a body's geoms does.
  bool body_matters(int body) const { return motion_ && body_[body].reach > 0 && body_[body].reach >= thinnest_; }
  /// Whether a geom of two bodies is not slower than their thinnest geom is thick. The reference then takes their geoms
  /// in another order.
  bool bodies_are_fast(int body1, int body2) const {
    const double reach = std::max(body_[body1].reach, body_[body2].reach);
    return reach > 0 && reach >= std::min(body_[body1].thin, body_[body2].thin);
  }
  /// Whether a pair is to be followed.
  bool is_fast(const Model& m, int geom1, int geom2, int pair) const;
  /// As spheres_meet, at any time of the step. Only for fast pairs.
  bool spheres_meet(const Model& m, const Data& d, int geom1, int geom2, int pair, double margin) const;

 private:
  // which of the two count as moving
  struct Fast {
    bool first, second;
  };
  Fast fast(const Model& m, int geom1, int geom2, int pair) const;

  // of the geoms of a body: the least thickness and the largest reach
  struct BodyMotion {
    Spatial velocity;  // about the centre of mass of its tree
    double thin, reach;
  };
  GeomMotion* motion_ = nullptr;
  BodyMotion* body_ = nullptr;
  double thinnest_ = 0;
};

/// What a fast pair will make: points at which it will touch, where they are now, with the distances their rows need.
struct Prediction {
  int count = 0;
  ContactPoint point[5];
  bool own_law = false;  // flag speculative_exact: the row has these parameters in place of the pair's
  double solref[kNumRef] = {}, solimp[kNumImp] = {};
};

/// Follows a fast pair, a and b as shapes of geom1 and geom2 where they are now.
Prediction predict_contacts(const Model& m, const Data& d, const Motions& motions, const Shape& a, const Shape& b,
                            int geom1, int geom2, int pair);

/// Flag speculative_exact: the same for contacts of a fast pair that are there already, as far as their own law could
/// not stop the approach before the pair is through. Changes `count` contacts from `contact` on; returns the points to
/// add.
Prediction brake_contacts(const Model& m, const Data& d, const Motions& motions, int pair, Contact* contact, int count);

/// Flag speculative_exact: whether a contact is such a one. Its row then has its own law, which nobody else writes.
bool is_predicted(const Model& m, const Contact& contact);

}  // namespace pliant
