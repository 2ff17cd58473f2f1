#pragma once
// What follows from the type and size of a geom alone; used when a Spec is compiled and again when sizes of a Model
// were changed.

#include <array>

#include "pliant/model.h"

namespace pliant {

struct GeomBounds {
  std::array<double, 6> aabb = {};  ///< centre, half sizes, in the geom's frame
  double rbound = 0;                ///< radius of a sphere around its origin; 0 if there is none
};

/// Of a shape that has a size of its own, no mesh and no height field.
GeomBounds shape_bounds(GeomType type, const double* size);
/// Of a height field, from the four numbers of hfield_size, and what geom_size of its geoms is.
GeomBounds hfield_bounds(const double* size);
std::array<double, 3> hfield_geom_size(const double* size);

/// fluid.cpp: added masses and added inertias of a geom in a fluid of density 1, by the ellipsoid that stands for it.
using AddedMass = std::array<double, 6>;
AddedMass added_mass(GeomType type, const double* size);
/// Their place in geom_fluid.
inline constexpr int kAddedMass = 6;

/// The boxes of all bodies anew, from geom_aabb and the frames of geoms and bodies; the trees stay.
void refit_bvh(Model& model);

}  // namespace pliant
