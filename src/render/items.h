#pragma once
// The geoms of a scene as things that rays meet.

#include <vector>

#include "geom/ray_hd.h"
#include "math/mat3.h"
#include "pliant/render.h"
#include "render/texture.h"
#include "render/triangle_tree.h"

namespace pliant::render {

/// What all pictures of a model share.
struct Assets {
  explicit Assets(const Model& model)
      : m(model),
        meshes(static_cast<size_t>(model.nmesh)),
        hulls(static_cast<size_t>(model.nmesh)),
        skins(static_cast<size_t>(model.nskin)) {}
  const Model& m;
  std::vector<TriangleTree> meshes, hulls, skins;  // built when first seen
  std::vector<std::vector<int>> hull_faces = std::vector<std::vector<int>>(meshes.size());
  std::vector<Texture> textures;
  int skybox = -1;
};

/// How an item is hit.
enum class ItemKind : unsigned char { kPrimitive, kPlane, kMesh, kHfield, kArrow, kTriangle };

struct Item {
  int geom;  // of the scene
  ItemKind kind;
  GeomType type;   // of a primitive
  Vec3 pos, size;  // size as the shape's own functions want it
  Mat3 mat;
  const TriangleTree* tree = nullptr;
  const float* vert = nullptr;  // of a mesh or skin, for normals and texture coordinates
  const int* face = nullptr;
  const float *normal = nullptr, *texcoord = nullptr;  // per corner through these:
  const int *facenormal = nullptr, *facetexcoord = nullptr;
  HfieldShape hfield;
  Vec3 center;         // of a sphere around it, in the world
  double radius = -1;  // below 0: endless
  bool opaque = true, shadow = true, two_sided = false;
  // material
  const Texture* texture = nullptr;
  const VisualGeom* look = nullptr;
};

/// An arrow along z: its shaft from 0 (from below, where it has two heads) to `shaft`, and its heads.
struct ArrowShape {
  double radius, shaft, head, wide;  // `wide`: radius of a head
  bool both;
};
ArrowShape arrow_shape(const Item& item);

/// Where a ray meets an item.
struct ItemHit {
  double x = -1;
  int item = -1, face = -1;
  Vec3 normal;  // outward, in the item's frame, of any length
};

/// Items of a scene; `pixel` is the width of a pixel at distance 1 (of an orthographic view: everywhere).
std::vector<Item> items_of(Assets& assets, const VisualScene& scene, double pixel);

/// The ray p + x v in the item's frame. Surfaces that face away count only where `cull` is false.
bool hit_item(const Item& item, Vec3 p, Vec3 v, double limit, bool cull, ItemHit& hit);
/// Whether anything of the item is before `limit`, from any side.
bool blocks(const Item& item, Vec3 p, Vec3 v, double limit);

}  // namespace pliant::render
