#pragma once
// Contact points by the rules of 3.12, as functions of two shapes. Nothing can be simulated with them.

#include <vector>

#include "collision/contact_point_hd.h"

namespace pliant::changes {

using Points = std::vector<ContactPoint>;

/// Plane and mesh: the lowest vertex, and up to two of its neighbours on the hull that are low and far enough.
Points plane_and_mesh_before(const Shape& plane, const Shape& geom, double margin);

/// Two capsules: nearest points by Cramer's rule, which cancels where axes are nearly parallel.
Points two_capsules_before(const Shape& a, const Shape& b, double margin);

/// Shapes with edges: the deepest point, and those that appear when both are turned against each other by a
/// milliradian.
Points turned_points_before(const Shape& a, const Shape& b, double margin);

/// Boxes and meshes that overlap: the first face there that looks at a face of the other shape is clipped by it, else
/// an edge by the first face in which it lies. Where several are as good, the order of corners decided, which was a
/// matter of rounding: all answers, that of today's order first. Never empty.
std::vector<Points> patches_before(const Shape& a, const Shape& b);

}  // namespace pliant::changes
