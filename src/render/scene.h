#pragma once
// What the parts of a scene share.

#include <string>

#include "math/field_values.h"
#include "math/mat3.h"
#include "pliant/render.h"

namespace pliant::render {

/// The rotation that takes the z axis to this unit vector by the shortest way.
Mat3 turned_to(Vec3 z);
/// Colour, material and texture of something in the model.
void set_material(const Model& m, const VisualOptions& options, int material, const float* rgba, VisualGeom& geom);
/// Name of an object, or its kind and number.
std::string label_of(const Model& m, ObjType type, int id);
/// Writes it onto a geom, if labels of this kind are wanted.
void set_label(const Model& m, const VisualOptions& options, VisualLabel kind, ObjType type, int id, VisualGeom& geom);
/// Opacity of something in the model.
float alpha_of(const Model& m, int material, const float* rgba);
bool in_group(const VisualOptions::Groups& groups, int group);
int category_of(const Model& m, int body);

/// Contacts, joints, centres of mass and whatever else the options ask for (scene_decor.cpp).
void add_decorations(const Model& m, const State& s, const Data& d, const VisualOptions& options, VisualScene& scene);

}  // namespace pliant::render
