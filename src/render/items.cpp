// Geoms of a scene for rays: shapes, bounding spheres, materials.

#include "render/items.h"

#include <algorithm>
#include <cmath>

namespace pliant::render {
namespace {

constexpr double kHeadWidth = 1.75;  // of an arrow's head to its shaft, as the reference draws it

GeomType geom_type(int type) { return static_cast<GeomType>(type); }

/// Hull triangles of a mesh, as its graph has them.
void read_hull(const Model& m, int mesh, std::vector<int>& faces) {
  if (!faces.empty() || m.mesh_graphadr[mesh] < 0) return;
  const int* graph = m.mesh_graph + m.mesh_graphadr[mesh];
  const int vertices = graph[0], count = graph[1];
  const int* face = graph + 2 + 2 * vertices + vertices + 3 * count;
  faces.assign(face, face + 3 * static_cast<size_t>(count));
}

bool set_mesh(Assets& assets, const VisualGeom& g, Item& item) {
  const Model& m = assets.m;
  const int mesh = g.dataid / 2;
  if (g.dataid < 0 || mesh >= m.nmesh) return false;
  item.kind = ItemKind::kMesh;
  item.vert = m.mesh_vert + 3 * static_cast<size_t>(m.mesh_vertadr[mesh]);
  const auto slot = static_cast<size_t>(mesh);
  if (g.dataid % 2 == 1 && m.mesh_graphadr[mesh] >= 0) {
    read_hull(m, mesh, assets.hull_faces[slot]);
    const std::vector<int>& faces = assets.hull_faces[slot];
    item.face = faces.data();
    if (assets.hulls[slot].empty())
      assets.hulls[slot] = TriangleTree(item.vert, item.face, static_cast<int>(faces.size() / 3));
    item.tree = &assets.hulls[slot];
  } else {
    const size_t first = 3 * static_cast<size_t>(m.mesh_faceadr[mesh]);
    item.face = m.mesh_face + first;
    if (assets.meshes[slot].empty()) assets.meshes[slot] = TriangleTree(item.vert, item.face, m.mesh_facenum[mesh]);
    item.tree = &assets.meshes[slot];
    item.normal = m.mesh_normal + 3 * static_cast<size_t>(m.mesh_normaladr[mesh]);
    item.facenormal = m.mesh_facenormal + first;
    if (g.texcoord && m.mesh_texcoordadr[mesh] >= 0) {
      item.texcoord = m.mesh_texcoord + 2 * static_cast<size_t>(m.mesh_texcoordadr[mesh]);
      item.facetexcoord = m.mesh_facetexcoord + first;
    }
  }
  if (item.tree->empty()) return false;
  item.center = times_plus(item.mat, item.tree->center(), item.pos);
  item.radius = item.tree->radius();
  return true;
}

bool set_skin(Assets& assets, const VisualScene& scene, const VisualGeom& g, Item& item) {
  const Model& m = assets.m;
  const int skin = g.objid;
  if (skin < 0 || skin >= m.nskin || scene.skin_vert.size() != 3 * static_cast<size_t>(m.nskinvert)) return false;
  const size_t vert = static_cast<size_t>(m.skin_vertadr[skin]);
  item.kind = ItemKind::kMesh;
  item.pos = {}, item.mat = {};  // vertices are in the world
  item.vert = scene.skin_vert.data() + 3 * vert;
  item.normal = scene.skin_normal.data() + 3 * vert;
  item.face = item.facenormal = m.skin_face + 3 * static_cast<size_t>(m.skin_faceadr[skin]);
  if (g.texcoord && m.skin_texcoordadr[skin] >= 0) {
    item.texcoord = m.skin_texcoord + 2 * static_cast<size_t>(m.skin_texcoordadr[skin]);
    item.facetexcoord = item.face;
  }
  TriangleTree& tree = assets.skins[static_cast<size_t>(skin)];
  if (tree.empty()) {
    tree = TriangleTree(item.vert, item.face, m.skin_facenum[skin]);
  } else {
    tree.refit(item.vert, item.face);
  }
  if (tree.empty()) return false;
  item.tree = &tree;
  item.center = tree.center(), item.radius = tree.radius();
  return true;
}

bool set_hfield(const Model& m, const VisualGeom& g, Item& item) {
  if (g.dataid < 0 || g.dataid >= m.nhfield) return false;
  item.kind = ItemKind::kHfield;
  item.hfield = hfield_shape(m, g.dataid);
  const double* size = item.hfield.size;
  item.center = times_plus(item.mat, Vec3{0, 0, (size[2] - size[3]) / 2}, item.pos);
  item.radius = norm(Vec3{size[0], size[1], (size[2] + size[3]) / 2});
  return true;
}

bool set_primitive(const VisualGeom& g, Item& item) {
  item.type = geom_type(g.type);
  const Vec3 size{g.size[0], g.size[1], g.size[2]};
  const bool round = item.type == GeomType::kCapsule || item.type == GeomType::kCylinder;
  // a capsule or sphere that was stretched sideways is drawn with its first radius
  item.size = round ? Vec3{size.x, size.z, 0} : size;
  item.center = item.pos;
  if (item.type == GeomType::kPlane) {
    item.kind = ItemKind::kPlane;
    item.radius = size.x > 0 && size.y > 0 ? norm(Vec3{size.x, size.y, 0}) : -1;
    return true;
  }
  item.kind = ItemKind::kPrimitive;
  const double r2 =
      with_primitive(item.type, -1.0, [&](auto shape) PLIANT_INLINED { return double(shape.radius2(item.size)); });
  item.radius = std::sqrt(std::max(r2, 0.0));
  return r2 > 0;
}

/// Shapes that are there to explain something.
bool set_decoration(const VisualGeom& g, const ViewCamera& view, double pixel, Item& item) {
  const Vec3 size{g.size[0], g.size[1], g.size[2]};
  const auto along = [&](double z) { return times_plus(item.mat, Vec3{0, 0, z}, item.pos); };
  switch (static_cast<VisualType>(g.type)) {
    case VisualType::kArrow:
    case VisualType::kArrow1:
    case VisualType::kArrow2: {
      item.kind = ItemKind::kArrow;
      item.size = size;
      const bool both = g.type == static_cast<int>(VisualType::kArrow2);
      item.center = along(both ? 0 : size.z / 2);
      item.radius = norm(Vec3{kHeadWidth * size.x, 0, both ? size.z : size.z / 2});
      return size.z > 0;
    }
    case VisualType::kLine: {
      // a thin cylinder as wide as a line of this many pixels would be at its middle
      const Vec3 eye{view.pos[0], view.pos[1], view.pos[2]}, middle = along(size.z / 2);
      const double distance = view.orthographic ? 1 : norm(middle - eye);
      item.kind = ItemKind::kPrimitive;
      item.type = GeomType::kCylinder;
      item.size = {0.5 * std::max(1.0, size.x) * pixel * distance, size.z / 2, 0};
      item.pos = item.center = middle;
      item.radius = norm(item.size);
      return size.z > 0;
    }
    case VisualType::kTriangle:
      item.kind = ItemKind::kTriangle;
      item.size = size;
      item.two_sided = true;
      item.center = item.pos;
      item.radius = std::max(size.x, size.y);
      return true;
    default:
      return false;  // labels, and boxes of lines
  }
}

/// Keeps a hit that is nearer.
void keep(double x, Vec3 normal, double limit, Vec3 v, bool cull, ItemHit& hit) {
  if (!(x >= 0) || x >= limit || (hit.x >= 0 && x >= hit.x)) return;
  if (cull && dot(normal, v) >= 0) return;
  hit.x = x, hit.normal = normal;
}

/// A cone along z from radius r at z = 0 to its tip at `height`, with its base.
double ray_cone(double r, double height, Vec3 p, Vec3 v, bool cull, Vec3& normal) {
  double best = -1;
  // (x² + y²) = k² (height - z)²
  const double k = r / height, k2 = k * k, down = height - p.z;
  const double a = v.x * v.x + v.y * v.y - k2 * v.z * v.z;
  const double b = p.x * v.x + p.y * v.y + k2 * down * v.z, c = p.x * p.x + p.y * p.y - k2 * down * down;
  const double s2 = b * b - a * c;
  if (s2 > 0 && a != 0) {
    const double s = std::sqrt(s2);
    for (const double x : {(-b - s) / a, (-b + s) / a}) {
      const double z = p.z + x * v.z;
      if (!(x >= 0) || z < 0 || z > height || (best >= 0 && x >= best)) continue;
      const Vec3 n{p.x + x * v.x, p.y + x * v.y, k2 * (height - z)};
      if (cull && dot(n, v) >= 0) continue;
      best = x, normal = n;
    }
  }
  if (v.z != 0) {
    const double x = -p.z / v.z, px = p.x + x * v.x, py = p.y + x * v.y;
    if (x >= 0 && px * px + py * py <= r * r && (best < 0 || x < best) && !(cull && v.z < 0))
      best = x, normal = {0, 0, -1};
  }
  return best;
}

void hit_arrow(const Item& item, Vec3 p, Vec3 v, double limit, bool cull, ItemHit& hit) {
  const auto [r, shaft, head, wide, both] = arrow_shape(item);
  const double half = both ? shaft : shaft / 2, middle = both ? 0 : shaft / 2;
  Vec3 normal;
  double x = CylinderPrimitive::ray<double>({r, half, 0}, {p.x, p.y, p.z - middle}, v, normal);
  keep(x, normal, limit, v, cull, hit);
  x = ray_cone(wide, head, {p.x, p.y, p.z - shaft}, v, cull, normal);
  keep(x, normal, limit, v, cull, hit);
  if (!both) return;
  x = ray_cone(wide, head, {p.x, p.y, -p.z - shaft}, {v.x, v.y, -v.z}, cull, normal);
  keep(x, {normal.x, normal.y, -normal.z}, limit, v, cull, hit);
}

/// A height field is not convex: behind a surface that faces away another one may follow.
void hit_hfield(const Item& item, Vec3 p, Vec3 v, double limit, bool cull, ItemHit& hit) {
  double start = 0;
  constexpr int kMostSurfaces = 16;
  for (int i = 0; i < kMostSurfaces; ++i) {
    Vec3 normal;
    const double x = ray_hfield(item.hfield, p, v, normal);
    if (!(x >= 0) || start + x >= limit) return;
    if (!cull || dot(normal, v) < 0) {
      hit.x = start + x, hit.normal = normal;
      return;
    }
    const double step = x + 1e-9 * (1 + x);
    start += step, p = fused(step, v, p);
  }
}

}  // namespace

/// Shaft and heads are a third and a sixth of the nominal length, as the reference draws them.
ArrowShape arrow_shape(const Item& item) {
  const int type = item.look->type;
  const double r = item.size.x;
  return {r, item.size.z / 3, item.size.z / 6, type == static_cast<int>(VisualType::kArrow1) ? r : kHeadWidth * r,
          type == static_cast<int>(VisualType::kArrow2)};
}

std::vector<Item> items_of(Assets& assets, const VisualScene& scene, double pixel) {
  std::vector<Item> items;
  items.reserve(static_cast<size_t>(scene.ngeom));
  for (int i = 0; i < scene.ngeom; ++i) {
    const VisualGeom& g = scene.geoms[static_cast<size_t>(i)];
    if (g.rgba[3] == 0) continue;
    Item item{};
    item.geom = i;
    item.look = &g;
    item.pos = {g.pos[0], g.pos[1], g.pos[2]};
    std::copy_n(g.mat, 9, item.mat.m);
    bool seen = false;
    if (g.type == static_cast<int>(GeomType::kMesh) || g.type == static_cast<int>(GeomType::kSdf)) {
      seen = set_mesh(assets, g, item);
    } else if (g.type == static_cast<int>(GeomType::kHfield)) {
      seen = set_hfield(assets.m, g, item);
    } else if (g.type >= 0 && g.type < static_cast<int>(GeomType::kMesh)) {
      seen = set_primitive(g, item);
    } else if (g.type == static_cast<int>(VisualType::kSkin)) {
      seen = set_skin(assets, scene, g, item);
    } else {
      seen = set_decoration(g, scene.camera[0], pixel, item);
    }
    if (!seen) continue;
    constexpr float kOpaque = 0.995f;
    item.opaque = g.rgba[3] >= kOpaque;
    item.shadow = g.castshadow && g.category != kCategoryDecor && g.type != static_cast<int>(VisualType::kLine);
    if (item.radius >= 0) item.radius *= 1.0001;  // rounding must not lose an edge
    if (g.matid >= 0 && g.texid >= 0 && static_cast<size_t>(g.texid) < assets.textures.size())
      item.texture = &assets.textures[static_cast<size_t>(g.texid)];
    items.push_back(item);
  }
  return items;
}

bool hit_item(const Item& item, Vec3 p, Vec3 v, double limit, bool cull, ItemHit& hit) {
  hit.x = -1, hit.face = -1;
  cull = cull && !item.two_sided;
  switch (item.kind) {
    case ItemKind::kPrimitive: {
      Vec3 normal;
      const double x = ray_primitive(item.type, item.size, p, v, normal);
      if (!(x >= 0) || x >= limit || (cull && dot(normal, v) >= 0)) return false;
      hit.x = x, hit.normal = normal;
      return true;
    }
    case ItemKind::kPlane: {
      // seen from below as well
      Vec3 normal;
      const bool below = v.z > 0;
      const double x = PlanePrimitive::ray<double>(item.size, below ? Vec3{p.x, p.y, -p.z} : p,
                                                   below ? Vec3{v.x, v.y, -v.z} : v, normal);
      if (!(x >= 0) || x >= limit) return false;
      hit.x = x, hit.normal = {0, 0, below ? -1.0 : 1.0};
      return true;
    }
    case ItemKind::kMesh: {
      const TriangleTree::Hit found = item.tree->nearest(p, v, limit, cull);
      if (found.face < 0) return false;
      hit.x = found.x, hit.face = found.face;
      return true;  // the normal follows from the face
    }
    case ItemKind::kHfield:
      hit_hfield(item, p, v, limit, cull, hit);
      return hit.x >= 0;
    case ItemKind::kArrow:
      hit_arrow(item, p, v, limit, cull, hit);
      return hit.x >= 0;
    case ItemKind::kTriangle: {
      const double x = ray_triangle(sheared(p, v), Vec3{}, Vec3{item.size.x, 0, 0}, Vec3{0, item.size.y, 0});
      if (!(x >= 0) || x >= limit) return false;
      hit.x = x, hit.normal = {0, 0, v.z > 0 ? -1.0 : 1.0};
      return true;
    }
  }
  return false;
}

bool blocks(const Item& item, Vec3 p, Vec3 v, double limit) {
  if (item.kind == ItemKind::kMesh) return item.tree->any(p, v, limit);
  ItemHit hit;
  return hit_item(item, p, v, limit, false, hit);
}

}  // namespace pliant::render
