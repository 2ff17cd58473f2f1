#pragma once
// Gauges: by which factors <frame scale> multiplies what stands inside.
//
// Two sets of factors, because a frame with scaling="geometry" changes shapes and masses but no forces: the length and
// mass of shapes, and the length and mass of forces. Gauges of nested frames multiply. A quantity of dimension L^a M^b is
// multiplied by length^a mass^b of its set. With three different factors lengths have a direction: the gauge then holds
// a linear map in the axes of the frame or body that it is the gauge of, and `length` is its geometric mean.

#include <vector>

#include "compile/compile.h"

namespace pliant {

struct Gauge {
  double length = 1, mass = 1;              ///< of shapes and inertias
  double force_length = 1, force_mass = 1;  ///< of stiffnesses, dampings, limits of force, gains
  bool stretches = false;                   ///< lengths have a direction: `map` says which
  double map[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  /// A position or displacement, in the axes of the gauge.
  Vec3 operator()(Vec3 v) const;
  Reals<3> operator()(const Reals<3>& v) const;
  /// Factor of lengths along a unit vector.
  double along(Vec3 direction) const;
  double force() const { return force_mass * force_length; }
  double torque() const { return force_mass * force_length * force_length; }
  bool changes_forces() const { return force_length != 1 || force_mass != 1; }
  bool same_shape(const Gauge& other) const;
};

/// The gauge in axes that are turned by q from its own.
Gauge turned(const Gauge& gauge, Quat q);
/// Of something between two owners: geometric means.
Gauge mean(const Gauge& a, const Gauge& b);

/// Gauges of all bodies and frames of a Spec, and where its objects stand.
class Gauges {
 public:
  explicit Gauges(Work& work);

  const Gauge& inside_body(int body) const { return nodes_[body].gauge; }
  const Gauge& inside_frame(int frame) const { return nodes_[first_frame_ + frame].gauge; }
  /// What acts on an object that stands in the frame, or directly in the body when there is none.
  const Gauge& at(int body, int frame) const { return frame >= 0 ? inside_frame(frame) : inside_body(body); }
  template <class T>
  const Gauge& of(const T& object) const {
    return at(object.body, object.frame);
  }

  /// The lowest body or frame that contains both places; a place is what place_of returns.
  template <class T>
  int place_of(const T& object) const {
    return object.frame >= 0 ? first_frame_ + object.frame : object.body;
  }
  int lowest_common(int place, int other) const;
  const Gauge& inside(int place) const { return nodes_[place].gauge; }

  /// Where a point in the coordinates of the world goes that stands inside the frames around a child of the world.
  Vec3 moved(Vec3 point, int frame) const;
  /// As moved, for a velocity.
  Vec3 moved_velocity(Vec3 velocity, int frame) const;

 private:
  struct Node {
    int parent = -1, depth = 0;
    Gauge gauge;
  };
  Vec3 moved(Vec3 point, int frame, bool is_point) const;

  const Spec& spec_;
  int first_frame_;
  std::vector<Node> nodes_;    ///< bodies, then frames
  std::vector<Pose> authored_;  ///< of frames, before scaling
};

/// Position of a joint, tendon or actuator: by what its unit is multiplied, and its force.
struct CoordinateGauge {
  double unit = 1;        ///< of positions: a length, or 1 for angles
  double force_unit = 1;  ///< the same as forces see it
  double force = 1;       ///< of the force conjugate to it
  double per_unit(int power = 1) const;  ///< force / unit^power
};

CoordinateGauge angle_gauge(const Gauge& gauge);
CoordinateGauge length_gauge(const Gauge& gauge);
CoordinateGauge length_gauge(const Gauge& gauge, double along);
/// Of a joint, whose axis is in the axes of the gauge; a free joint counts as a length.
CoordinateGauge joint_gauge(const JointSpec& joint, const Gauge& gauge);

/// What joints and tendons have in common.
template <class T>
void scale_coordinate(T& object, const CoordinateGauge& q) {
  for (double* value : {&object.range[0], &object.range[1], &object.margin, &object.springyield, &object.solimplimit[2],
                        &object.solimpfriction[2]}) {
    *value *= q.unit;
  }
  for (int k = 0; k < 3; ++k) {
    object.stiffness[k] *= q.per_unit(k + 1);
    object.damping[k] *= q.per_unit(k + 1);
  }
  object.armature *= q.per_unit();
  object.frictionloss *= q.force;
  for (double& force : object.actuatorfrcrange) force *= q.force;
}

/// v / |v|, or v when that has no direction.
Vec3 unit(Vec3 v);

/// scaling_references.cpp: what stands outside the tree and follows the objects that it names. Call it before the objects of
/// the tree are changed.
void scale_references(Work& work, const Gauges& gauges);

}  // namespace pliant
