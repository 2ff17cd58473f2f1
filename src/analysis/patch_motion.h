#pragma once
// Small motions of one body on its contact, in all six directions: sinking, sliding, rocking, spinning, and what
// couples them.
//
// State: displacement x and velocity w of the body that presses, relative to the other, each a translation of its
// centre and a rotation about it. All points hold (near rest rows push and pull alike), so the acceleration a is
// linear:
//
//   (I + C S) a = C (W + Σ Jᵀ D aref),    S = Σ Jᵀ D J,    aref = −B J w − K d r
//
// C: response of w to a wrench (J M⁻¹ Jᵀ), W: the load, D = 1/R of each row; the edges of a friction pyramid sum to a
// row of the normal and one per direction of friction. Displacements move the contact points as the shapes do (a ball
// rolls, an ellipsoid rocks); a step is the integrator's, or that of TGS in parts. Cost: some ten thousand operations
// per timestep.

#include "analysis/contact_patch.h"

namespace pliant {

/// Linear motion about rest: a = by_place x + by_speed w + by_path ξ; ξ: the way within a step of parts, whose points
/// stay.
struct MotionSlopes {
  SixBySix by_place{}, by_speed{}, by_path{};
};

class PatchMotion {
 public:
  PatchMotion(const ContactPatch& patch, const Model& model);

  MotionSlopes slopes(double timestep) const;
  /// Logarithm of the factor by which small disturbances of the state of rest grow per step.
  double growth(double timestep) const;
  /// How fast they grow in continuous time [1/s]: it tips over or rolls away. 0: it stays.
  double tipping_rate() const;
  /// The shortest timestep at which they grow, although they would not in continuous time, e-fold in five hundred steps
  /// or faster; infinite if there is none.
  double stable_timestep() const;

  struct Touch {
    Vec3 arm;  ///< from the centre
    Vec3 axes[3];
    double r;  ///< violation, negative inside
  };
  /// The points when the body has sunk to `depth` and is displaced by x.
  std::vector<Touch> touches(const Six& x, double depth) const;
  /// A length that makes rotations comparable with translations [m].
  double size() const { return size_; }

 private:
  struct Balance;
  ScalarRow row_at(double timestep) const;
  Balance balance(const std::vector<Touch>& points, const ScalarMap& map, double friction_damping) const;
  double log_growth(const MotionSlopes& slopes, double timestep, int substeps, Integrator integrator) const;

  const ContactPatch& patch_;
  ScalarRow row_;
  double size_ = 1;
};

}  // namespace pliant
