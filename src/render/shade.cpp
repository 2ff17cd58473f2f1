// Texture coordinates, normals and lights.

#include "render/shade.h"

#include <algorithm>
#include <cmath>

namespace pliant::render {
namespace {

struct Corner {
  Vec3 a, b, c;
  double u, v, w;  // shares of the corners
};

/// The triangle that was hit, and where.
Corner corner_of(const Item& item, int face, Vec3 point) {
  Corner k{};
  Vec3* to[3] = {&k.a, &k.b, &k.c};
  for (int i = 0; i < 3; ++i) {
    const float* x = item.vert + 3 * static_cast<size_t>(item.face[3 * face + i]);
    *to[i] = {x[0], x[1], x[2]};
  }
  const Vec3 n = cross(k.b - k.a, k.c - k.a);
  const double area = dot(n, n);
  if (!(area > 0)) return k.u = 1, k;
  k.v = dot(cross(point - k.a, k.c - k.a), n) / area;
  k.w = dot(cross(k.b - k.a, point - k.a), n) / area;
  k.u = 1 - k.v - k.w;
  return k;
}

Vec3 corner_value(const float* values, const int* index, int face, const Corner& k, int width) {
  Vec3 out;
  const double share[3] = {k.u, k.v, k.w};
  for (int i = 0; i < 3; ++i) {
    const float* x = values + static_cast<size_t>(width) * static_cast<size_t>(index[3 * face + i]);
    for (int j = 0; j < width; ++j) out[j] += share[i] * x[j];
  }
  return out;
}

/// Coordinates in which every primitive is one of size 1, as the reference's lists of triangles are; a capsule's caps
/// are moved onto the ends of its cylinder.
Vec3 unit_point(const Item& item, Vec3 p) {
  const double* size = item.look->size;
  if (item.kind != ItemKind::kPrimitive) return p;
  if (item.type == GeomType::kCapsule && std::abs(p.z) > size[2]) {
    const double side = p.z > 0 ? 1 : -1;
    return {p.x / size[0], p.y / size[0], side + (p.z - side * size[2]) / size[0]};
  }
  return {p.x / size[0], p.y / size[1], p.z / size[2]};
}

/// `pixel`: how wide a pixel is at the place, in the item's units.
Texture::Sample texture_at(const Item& item, const ItemHit& hit, Vec3 p, const Corner* corner, double pixel) {
  const VisualGeom& look = *item.look;
  const Texture& texture = *item.texture;
  if (item.texcoord && corner) {
    const Vec3 st = corner_value(item.texcoord, item.facetexcoord, hit.face, *corner, 2);
    // how many times the texture fits into a unit of length: by the areas of the triangle here and there
    Vec3 at[3];
    for (int i = 0; i < 3; ++i) {
      const float* x = item.texcoord + 2 * static_cast<size_t>(item.facetexcoord[3 * hit.face + i]);
      at[i] = {x[0], x[1], 0};
    }
    const double there = norm(cross(at[1] - at[0], at[2] - at[0]));
    const double here = norm(cross(corner->b - corner->a, corner->c - corner->a));
    const double density = here > 0 ? std::sqrt(there / here) : 0;
    return texture.at(st.x, st.y, pixel * density * std::max(texture.width(), texture.height()));
  }
  const double* size = look.size;
  if (texture.is_cube()) {
    Vec3 v = unit_point(item, p);
    if (look.texuniform) v = {v.x * size[0], v.y * size[1], v.z * size[2]};
    const double reach = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z), 1e-9});
    return texture.toward(v, 0.5 * pixel / reach);
  }
  double scale[2];
  for (int k = 0; k < 2; ++k) {
    scale[k] = 0.5 * look.texrepeat[k];
    if (!look.texuniform && size[k] > 0) scale[k] /= size[k];
  }
  const double texels = pixel * std::max(scale[0] * texture.width(), scale[1] * texture.height());
  return texture.at(scale[0] * p.x - 0.5, -scale[1] * p.y - 0.5, texels);
}

/// x to a power, for x in 0 … 1: by squaring where the exponent is a whole number, as it nearly always is.
float power(float x, float exponent) {
  auto whole = static_cast<unsigned>(exponent);
  constexpr float kMostWhole = 1024;
  if (!(exponent >= 0 && exponent < kMostWhole) || static_cast<float>(whole) != exponent) return std::pow(x, exponent);
  float out = 1;
  for (; whole; whole >>= 1, x *= x) {
    if (whole & 1) out *= x;
  }
  return out;
}

/// Strength of a light at a place, and the direction to it.
float strength(const Lamp& lamp, Vec3 point, Vec3& toward) {
  const VisualLight& light = *lamp.light;
  toward = lamp.back;
  // an image light: there is no picture of surroundings here, as much light comes from everywhere
  if (light.type == LightType::kDirectional || light.type == LightType::kImage) return 1;
  double distance;
  toward = normalized(lamp.pos - point, distance);
  const float* a = light.attenuation;
  const auto d = static_cast<float>(distance);
  const float fall_off = a[0] + a[1] * d + a[2] * d * d;
  float out = fall_off > 0 ? 1 / fall_off : 1;
  if (light.type == LightType::kSpot) {
    const double cosine = dot(toward, lamp.back);
    if (cosine < lamp.least_cosine) return 0;
    if (light.exponent > 0) out *= power(static_cast<float>(std::max(cosine, 0.0)), light.exponent);
  }
  return out;
}

/// What a light adds to the colour of a surface of colour 1, and as a highlight.
void add_light(const VisualLight& light, const VisualGeom& look, const Surface& place, Vec3 viewer, Vec3 toward,
               float strong, Color& diffuse, Color& highlight) {
  const float facing = static_cast<float>(dot(place.normal, toward));
  const float share = light.type == LightType::kImage ? 1 : std::max(facing, 0.f);
  for (int k = 0; k < 3; ++k) diffuse[k] += strong * (light.ambient[k] + light.diffuse[k] * share);
  if (!(facing > 0) || !(look.specular > 0)) return;
  const float half = static_cast<float>(dot(place.normal, normalized(toward + viewer)));
  if (!(half > 0)) return;
  constexpr float kSharpest = 128;  // OpenGL's largest exponent
  const float sharp = look.shininess * kSharpest;
  constexpr float kDark = 8;  // exp(-8): a highlight that nobody sees
  if ((1 - half) * sharp > kDark) return;
  const float shine = power(half, sharp) * look.specular * strong;
  for (int k = 0; k < 3; ++k) highlight[k] += light.specular[k] * shine;
}

}  // namespace

Surface surface_at(const Item& item, const Ray& ray, const ItemHit& hit, const View& view) {
  const VisualGeom& look = *item.look;
  Surface out;
  out.point = fused(hit.x, ray.v, ray.p);
  const Vec3 local = transposed_times(item.mat, out.point - item.pos);
  Vec3 flat = hit.normal, smooth = hit.normal;
  Corner corner{};
  const bool mesh = item.kind == ItemKind::kMesh;
  if (mesh) {
    corner = corner_of(item, hit.face, local);
    flat = cross(corner.b - corner.a, corner.c - corner.a);
    smooth = item.normal ? corner_value(item.normal, item.facenormal, hit.face, corner, 3) : flat;
    if (!(dot(smooth, smooth) > 0)) smooth = flat;
  }
  out.flat = item.mat * normalized(flat);
  out.normal = mesh ? item.mat * normalized(smooth) : out.flat;
  const double toward = dot(out.flat, ray.v);
  if (toward > 0) out.flat = -out.flat, out.normal = -out.normal;

  out.plain = {look.rgba[0], look.rgba[1], look.rgba[2]};
  out.alpha = look.rgba[3];
  constexpr float kFromBelow = 0.3f;  // a plane seen from behind hides little
  if (item.kind == ItemKind::kPlane && hit.normal.z < 0) out.alpha *= kFromBelow;
  out.color = {1, 1, 1};
  if (item.texture) {
    // seen at an angle a pixel covers a long strip; as wide as between its width and length
    const double slant = std::max(0.05, std::abs(toward) / norm(ray.v));
    const double depth = view.near + hit.x;
    const auto sample = texture_at(item, hit, local, mesh ? &corner : nullptr,
                                   view.pixel_width(depth) / (std::sqrt(slant) * std::sqrt(std::sqrt(slant))));
    out.color = sample.color;
    out.alpha *= sample.alpha;
  }
  return out;
}

std::vector<Lamp> lamps_of(const VisualScene& scene) {
  std::vector<Lamp> lamps;
  for (int i = 0; i < scene.nlight; ++i) {
    const VisualLight& light = scene.lights[static_cast<size_t>(i)];
    const double least = light.cutoff < 180 ? std::cos(double(light.cutoff) * kPi / 180) : -2;
    lamps.push_back({&light,
                     -normalized(Vec3{light.dir[0], light.dir[1], light.dir[2]}),
                     {light.pos[0], light.pos[1], light.pos[2]},
                     least});
  }
  return lamps;
}

Color lit(const std::vector<Lamp>& lamps, const VisualGeom& look, const Surface& place, Vec3 viewer,
          const ShadowTest* shadows) {
  constexpr float kWithoutLights = 0.3f;
  const float ambient = lamps.empty() ? kWithoutLights : 0;
  Color diffuse{ambient, ambient, ambient}, highlight{};
  Color sum{};
  const auto finished = [&](Color light, Color shine) {
    return scaled(clamped(scaled(light, place.plain) + shine), place.color);
  };
  for (size_t i = 0; i < lamps.size(); ++i) {
    const VisualLight& light = *lamps[i].light;
    Vec3 toward;
    const float strong = strength(lamps[i], place.point, toward);
    if (!(strong > 0)) continue;
    if (!shadows || !light.castshadow) {
      add_light(light, look, place, viewer, toward, strong, diffuse, highlight);
    } else if (light.type == LightType::kImage ||
               (dot(place.flat, toward) > 0 && shadows->reaches(static_cast<int>(i), place))) {
      Color own{}, shine{};
      add_light(light, look, place, viewer, toward, strong, own, shine);
      sum = sum + finished(own, shine);
    }
  }
  diffuse = diffuse + Color{look.emission, look.emission, look.emission};
  return clamped(sum + finished(diffuse, highlight));
}

}  // namespace pliant::render
