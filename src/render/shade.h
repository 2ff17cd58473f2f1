#pragma once
// The colour of a place on a surface: texture, material, lights. The formula is that of OpenGL's fixed lights, with
// which the reference draws; lights that cast shadows are added one by one, each cut off at 1.

#include "render/items.h"
#include "render/view.h"

namespace pliant::render {

/// A place on a surface.
struct Surface {
  Vec3 point, normal;  // world; the normal is smooth where the mesh has smooth normals
  Vec3 flat;           // the true one, toward the viewer
  Color color;         // of material and texture
  Color plain;         // of the material alone
  float alpha;
};

Surface surface_at(const Item& item, const Ray& ray, const ItemHit& hit, const View& view);

/// Whether light number `light` reaches a place, as far as other things are concerned.
class ShadowTest {
 public:
  virtual ~ShadowTest() = default;
  virtual bool reaches(int light, const Surface& place) const = 0;
};

/// A light, prepared for many places.
struct Lamp {
  const VisualLight* light;
  Vec3 back, pos;       // against its direction, of unit length
  double least_cosine;  // of places in a spot's cone
};
std::vector<Lamp> lamps_of(const VisualScene& scene);

/// Colour of the light that leaves a place toward the viewer. Without `shadows` everything is lit.
Color lit(const std::vector<Lamp>& lamps, const VisualGeom& look, const Surface& place, Vec3 toward_viewer,
          const ShadowTest* shadows);

inline Color clamped(Color c) {
  const auto unit = [](float x) { return x < 0 ? 0.f : x > 1 ? 1.f : x; };
  return {unit(c.x), unit(c.y), unit(c.z)};
}
inline Color scaled(Color a, Color b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

}  // namespace pliant::render
