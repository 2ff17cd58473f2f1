// Scenes: what a model shows in a state. Geoms, sites, tendons and skins here; decorations in scene_decor.cpp, the
// camera in scene_camera.cpp.

#include <algorithm>
#include <cmath>

#include "math/mat3.h"
#include "render/scene.h"

namespace pliant {
using namespace render;

namespace {
constexpr size_t kMostLights = 100;  // as in the reference
}

VisualScene::VisualScene(int most)
    : maxgeom(std::max(most, 0)), geoms(static_cast<size_t>(maxgeom)), lights(kMostLights) {}

VisualGeom* VisualScene::add(int type, int objtype, int objid, int category) {
  if (ngeom == static_cast<int>(geoms.size())) {
    if (maxgeom > 0) return ++left_out, nullptr;
    geoms.emplace_back();
  }
  VisualGeom& geom = geoms[static_cast<size_t>(ngeom)];
  geom = VisualGeom{};
  geom.type = type;
  geom.objtype = objtype, geom.objid = objid;
  geom.category = category;
  geom.segid = ngeom++;
  return &geom;
}

void init_geom(VisualGeom& geom, int type, const double* size, const double* pos, const double* mat,
               const float* rgba) {
  const VisualGeom old = geom;
  geom = VisualGeom{};
  // what it stands for is none of this function's business
  geom.objtype = old.objtype, geom.objid = old.objid, geom.category = old.category, geom.segid = old.segid;
  geom.type = type;
  if (size) {
    const bool sphere = type == static_cast<int>(GeomType::kSphere);
    const bool round = type == static_cast<int>(GeomType::kCapsule) || type == static_cast<int>(GeomType::kCylinder);
    geom.size[0] = size[0];
    geom.size[1] = sphere || round ? size[0] : size[1];
    geom.size[2] = sphere ? size[0] : round ? size[1] : size[2];
  }
  if (pos) std::copy_n(pos, 3, geom.pos);
  if (mat) std::copy_n(mat, 9, geom.mat);
  if (rgba) std::copy_n(rgba, 4, geom.rgba);
}

void connect_geom(VisualGeom& geom, int type, double width, const double from[3], const double to[3]) {
  const bool centered = type == static_cast<int>(GeomType::kCapsule) || type == static_cast<int>(GeomType::kCylinder);
  const bool line = type >= static_cast<int>(VisualType::kArrow) && type <= static_cast<int>(VisualType::kLine);
  if (!centered && !line)
    throw std::invalid_argument("a geom of type " + std::to_string(type) +
                                " cannot connect two points; a capsule, cylinder, arrow or line can");
  const Vec3 a{from[0], from[1], from[2]}, b{to[0], to[1], to[2]};
  double length;
  const Vec3 z = normalized(b - a, length);
  geom.type = type;
  geom.size[0] = geom.size[1] = width;
  geom.size[2] = centered ? length / 2 : length;
  const Vec3 pos = centered ? 0.5 * (a + b) : a;
  const Mat3 mat = length > 0 ? turned_to(z) : Mat3{};
  for (int k = 0; k < 3; ++k) geom.pos[k] = pos[k];
  std::copy_n(mat.m, 9, geom.mat);
}

namespace render {

Mat3 turned_to(Vec3 z) {
  // by the shortest way: about z × axis
  constexpr double kOpposite = -1 + 1e-12;
  if (z.z < kOpposite) return {{1, 0, 0, 0, -1, 0, 0, 0, -1}};
  const double k = 1 / (1 + z.z);
  return {{1 - z.x * z.x * k, -z.x * z.y * k, z.x, -z.x * z.y * k, 1 - z.y * z.y * k, z.y, -z.x, -z.y, z.z}};
}

namespace {
/// A colour that is not the default wins over the material's.
bool has_color(const float* rgba) { return rgba[0] != 0.5f || rgba[1] != 0.5f || rgba[2] != 0.5f || rgba[3] != 1.0f; }
}  // namespace

float alpha_of(const Model& m, int material, const float* rgba) {
  return material < 0 || has_color(rgba) ? rgba[3] : m.mat_rgba[4 * material + 3];
}

std::string label_of(const Model& m, ObjType type, int id) {
  const std::string_view name = m.name(type, id);
  if (!name.empty()) return std::string(name);
  const auto kind = [type] {
    switch (type) {
      case ObjType::kBody:
        return "body ";
      case ObjType::kJoint:
        return "joint ";
      case ObjType::kGeom:
        return "geom ";
      case ObjType::kSite:
        return "site ";
      case ObjType::kCamera:
        return "camera ";
      case ObjType::kLight:
        return "light ";
      case ObjType::kTendon:
        return "tendon ";
      case ObjType::kActuator:
        return "actuator ";
      case ObjType::kEquality:
        return "equality ";
      case ObjType::kSkin:
        return "skin ";
      default:
        return "";
    }
  };
  return kind() + std::to_string(id);
}

void set_label(const Model& m, const VisualOptions& options, VisualLabel kind, ObjType type, int id, VisualGeom& geom) {
  if (options.label == kind) geom.label = label_of(m, type, id);
}

void set_material(const Model& m, const VisualOptions& options, int material, const float* rgba, VisualGeom& geom) {
  const auto mat = static_cast<size_t>(std::max(material, 0));
  if (material >= 0) {
    std::copy_n(m.mat_rgba + 4 * mat, 4, geom.rgba);
    geom.emission = m.mat_emission[mat];
    geom.specular = m.mat_specular[mat];
    geom.shininess = m.mat_shininess[mat];
    geom.reflectance = m.mat_reflectance[mat];
  }
  if (material < 0 || has_color(rgba)) std::copy_n(rgba, 4, geom.rgba);
  if (options.flags[kVisTexture] && material >= 0) {
    constexpr int kRoleRgb = 1;
    geom.matid = material;
    geom.texid = m.mat_texid[kNumTexRole * mat + kRoleRgb];
    geom.texuniform = m.mat_texuniform[mat];
    geom.texrepeat[0] = m.mat_texrepeat[2 * mat], geom.texrepeat[1] = m.mat_texrepeat[2 * mat + 1];
  }
  if (options.flags[kVisTransparent] && geom.category == kCategoryDynamic) geom.rgba[3] *= m.vis.map.alpha;
}

bool in_group(const VisualOptions::Groups& groups, int group) {
  return groups[static_cast<size_t>(std::clamp(group, 0, 5))] != 0;
}

int category_of(const Model& m, int body) { return m.body_weldid[body] == 0 ? kCategoryStatic : kCategoryDynamic; }

}  // namespace render

namespace {

/// Takes back a geom that turned out to be invisible.
bool drop_invisible(VisualScene& scene, const VisualGeom& geom) {
  if (geom.rgba[3] != 0) return false;
  --scene.ngeom;
  return true;
}

/// The n-th of points 0 … 1 that leave no large gaps, however many there are: the digits of n behind the comma.
double spread_out(int n, int base) {
  double out = 0, place = 1.0 / base;
  for (; n > 0; n /= base, place /= base) out += place * (n % base);
  return out;
}

/// The colour of an island, with the numbers of the reference; what is in none is grey.
void set_island_color(const Data& d, int island, VisualGeom& geom) {
  geom.matid = geom.texid = -1;
  std::fill_n(geom.rgba, 3, 0.7f);
  if (island < 0) return;
  const int seed = d.islands.island_dofadr[island] + 1;
  const double hue = 6 * spread_out(seed, 7), saturation = 0.5 + 0.5 * spread_out(seed, 3),
               value = 0.6 + 0.4 * spread_out(seed, 5);
  for (int k = 0; k < 3; ++k) {
    // how much of this colour there is at the hue: all within one of its own, nothing beyond two
    const double away = std::abs(std::fmod(hue - 2 * k + 9, 6) - 3);
    geom.rgba[k] = static_cast<float>(value * (1 - saturation * std::clamp(away - 1, 0.0, 1.0)));
  }
}

int island_of_body(const Model& m, const Data& d, int body) {
  const int tree = m.body_treeid[body];
  return tree < 0 ? -1 : d.islands.tree_island[tree];
}

int island_of_tendon(const Data& d, int tendon) {
  for (int row = 0; row < d.rows.n; ++row) {
    const auto type = static_cast<RowType>(d.rows.row_type[row]);
    if ((type == RowType::kLimitTendon || type == RowType::kFrictionTendon) && d.rows.row_id[row] == tendon)
      return d.rows.row_island[row];
  }
  return -1;
}

bool shows_islands(const Data& d, const VisualOptions& options) { return options.flags[kVisIsland] && d.islands.n > 0; }

void add_skins(const Model& m, const Data& d, const VisualOptions& options, int categories, VisualScene& scene) {
  if (!(categories & kCategoryDynamic) || !options.flags[kVisSkin]) return;
  for (int i = 0; i < m.nskin; ++i) {
    if (!in_group(options.skingroup, m.skin_group[i])) continue;
    VisualGeom* geom =
        scene.add(static_cast<int>(VisualType::kSkin), static_cast<int>(ObjType::kSkin), i, kCategoryDynamic);
    if (!geom) return;
    set_material(m, options, m.skin_matid[i], m.skin_rgba + 4 * i, *geom);
    geom->texcoord = m.skin_texcoordadr[i] >= 0;
    if (m.skin_bonenum[i] > 0) std::copy_n(d.xpos + 3 * m.skin_bonebodyid[m.skin_boneadr[i]], 3, geom->pos);
    set_label(m, options, VisualLabel::kSkin, ObjType::kSkin, i, *geom);
    drop_invisible(scene, *geom);
  }
}

void add_geoms(const Model& m, const Data& d, const VisualOptions& options, int categories, VisualScene& scene) {
  for (int i = 0; i < m.ngeom; ++i) {
    const int category = category_of(m, m.geom_bodyid[i]);
    if (!(category & categories) || !in_group(options.geomgroup, m.geom_group[i])) continue;
    const int type = m.geom_type[i], data = m.geom_dataid[i];
    VisualGeom* geom = scene.add(type, static_cast<int>(ObjType::kGeom), i, category);
    if (!geom) return;
    init_geom(*geom, type, m.geom_size + 3 * i, d.geom_xpos + 3 * i, d.geom_xmat + 9 * i, nullptr);
    set_material(m, options, m.geom_matid[i], m.geom_rgba + 4 * i, *geom);
    geom->castshadow = m.geom_castshadow[i];
    geom->dataid = data;
    if (type == static_cast<int>(GeomType::kMesh) && data >= 0) {
      geom->texcoord = m.mesh_texcoordadr[data] >= 0;
      const bool collides = m.geom_contype[i] || m.geom_conaffinity[i];
      const bool hull = options.flags[kVisConvexHull] && collides && m.mesh_graphadr[data] >= 0;
      geom->dataid = 2 * data + (hull ? 1 : 0);
    }
    if (drop_invisible(scene, *geom)) continue;
    set_label(m, options, VisualLabel::kGeom, ObjType::kGeom, i, *geom);
    if (category == kCategoryDynamic && shows_islands(d, options))
      set_island_color(d, island_of_body(m, d, m.geom_bodyid[i]), *geom);
  }
}

void add_sites(const Model& m, const Data& d, const VisualOptions& options, int categories, VisualScene& scene) {
  for (int i = 0; i < m.nsite; ++i) {
    const int category = category_of(m, m.site_bodyid[i]);
    if (!(category & categories) || !in_group(options.sitegroup, m.site_group[i])) continue;
    VisualGeom* geom = scene.add(m.site_type[i], static_cast<int>(ObjType::kSite), i, category);
    if (!geom) return;
    init_geom(*geom, m.site_type[i], m.site_size + 3 * i, d.site_xpos + 3 * i, d.site_xmat + 9 * i, nullptr);
    set_material(m, options, m.site_matid[i], m.site_rgba + 4 * i, *geom);
    if (m.site_type[i] == static_cast<int>(GeomType::kMesh)) geom->dataid = 2 * m.site_dataid[i];
    set_label(m, options, VisualLabel::kSite, ObjType::kSite, i, *geom);
    drop_invisible(scene, *geom);
  }
}

/// Paths of spatial tendons; thinner inside what they wrap around.
void add_tendons(const Model& m, const Data& d, const VisualOptions& options, int categories, VisualScene& scene) {
  if (!(categories & kCategoryDynamic) || !options.flags[kVisTendon]) return;
  for (int i = 0; i < m.ntendon; ++i) {
    if (!in_group(options.tendongroup, m.tendon_group[i])) continue;
    for (int k = d.ten_wrapadr[i]; k < d.ten_wrapadr[i] + d.ten_wrapnum[i] - 1; ++k) {
      constexpr int kPulley = -2;
      if (d.wrap_obj[k] == kPulley || d.wrap_obj[k + 1] == kPulley) continue;
      const bool inside = d.wrap_obj[k] >= 0 && d.wrap_obj[k + 1] >= 0;
      VisualGeom* geom =
          scene.add(static_cast<int>(GeomType::kCapsule), static_cast<int>(ObjType::kTendon), i, kCategoryDynamic);
      if (!geom) return;
      connect_geom(*geom, static_cast<int>(GeomType::kCapsule), m.tendon_width[i] * (inside ? 0.5 : 1),
                   d.wrap_xpos + 3 * k, d.wrap_xpos + 3 * k + 3);
      set_material(m, options, m.tendon_matid[i], m.tendon_rgba + 4 * i, *geom);
      if (drop_invisible(scene, *geom)) continue;
      set_label(m, options, VisualLabel::kTendon, ObjType::kTendon, i, *geom);
      if (shows_islands(d, options)) set_island_color(d, island_of_tendon(d, i), *geom);
    }
  }
}

/// Vertices that follow several bodies, each with its weight; then smooth normals, and the skin's thickness.
void update_skin(const Model& m, const Data& d, int skin, VisualScene& scene) {
  const auto first = static_cast<size_t>(m.skin_vertadr[skin]), count = static_cast<size_t>(m.skin_vertnum[skin]);
  std::vector<Vec3> place(count), normal(count);
  for (int bone = m.skin_boneadr[skin]; bone < m.skin_boneadr[skin] + m.skin_bonenum[skin]; ++bone) {
    const float *bind = m.skin_bonebindpos + 3 * bone, *turn = m.skin_bonebindquat + 4 * bone;
    const int body = m.skin_bonebodyid[bone];
    const Mat3 bound = matrix(Quat{turn[0], turn[1], turn[2], turn[3]});
    const Mat3 rotation = mat3(d.xmat, body) * transpose(bound);
    const Vec3 shift = vec3(d.xpos, body) - rotation * Vec3{bind[0], bind[1], bind[2]};
    const auto from = static_cast<size_t>(m.skin_bonevertadr[bone]);
    for (size_t k = from; k < from + static_cast<size_t>(m.skin_bonevertnum[bone]); ++k) {
      const auto vertex = static_cast<size_t>(m.skin_bonevertid[k]);
      const float* x = m.skin_vert + 3 * (first + vertex);
      const Vec3 moved = times_plus(rotation, Vec3{x[0], x[1], x[2]}, shift);
      place[vertex] = fused(double(m.skin_bonevertweight[k]), moved, place[vertex]);
    }
  }
  const int* face = m.skin_face + 3 * static_cast<size_t>(m.skin_faceadr[skin]);
  for (int f = 0; f < m.skin_facenum[skin]; ++f) {
    Vec3 at[3];
    for (int k = 0; k < 3; ++k) at[k] = place[static_cast<size_t>(face[3 * f + k])];
    const Vec3 n = cross(at[1] - at[0], at[2] - at[0]);
    if (!(dot(n, n) > 0)) continue;
    for (int k = 0; k < 3; ++k) {
      Vec3& sum = normal[static_cast<size_t>(face[3 * f + k])];
      sum = sum + n;
    }
  }
  for (size_t v = 0; v < count; ++v) {
    const Vec3 n = normalized(normal[v]), x = fused(double(m.skin_inflate[skin]), n, place[v]);
    for (int k = 0; k < 3; ++k) {
      scene.skin_vert[3 * (first + v) + static_cast<size_t>(k)] = static_cast<float>(x[k]);
      scene.skin_normal[3 * (first + v) + static_cast<size_t>(k)] = static_cast<float>(n[k]);
    }
  }
}

void update_lights(const Model& m, const Data& d, VisualScene& scene) {
  scene.lights.resize(kMostLights);
  size_t n = 0;
  if (m.vis.headlight.active) {
    VisualLight light;
    light.headlight = true;
    for (int k = 0; k < 3; ++k) {
      light.pos[k] = 0.5 * (scene.camera[0].pos[k] + scene.camera[1].pos[k]);
      light.dir[k] = scene.camera[0].forward[k];
      light.ambient[k] = m.vis.headlight.ambient[static_cast<size_t>(k)];
      light.diffuse[k] = m.vis.headlight.diffuse[static_cast<size_t>(k)];
      light.specular[k] = m.vis.headlight.specular[static_cast<size_t>(k)];
    }
    scene.lights[n++] = light;
  }
  for (int i = 0; i < m.nlight && n < kMostLights; ++i) {
    if (!m.light_active[i]) continue;
    VisualLight light;
    light.id = i;
    light.type = static_cast<LightType>(m.light_type[i]);
    light.texid = m.light_texid[i];
    light.castshadow = m.light_castshadow[i];
    light.bulbradius = m.light_bulbradius[i], light.intensity = m.light_intensity[i];
    light.range = m.light_range[i], light.softness = m.light_softness[i];
    if (light.type != LightType::kDirectional) std::copy_n(m.light_attenuation + 3 * i, 3, light.attenuation);
    if (light.type == LightType::kSpot) light.cutoff = m.light_cutoff[i], light.exponent = m.light_exponent[i];
    std::copy_n(m.light_ambient + 3 * i, 3, light.ambient);
    std::copy_n(m.light_diffuse + 3 * i, 3, light.diffuse);
    std::copy_n(m.light_specular + 3 * i, 3, light.specular);
    std::copy_n(d.light_xpos + 3 * i, 3, light.pos);
    std::copy_n(d.light_xdir + 3 * i, 3, light.dir);
    scene.lights[n++] = light;
  }
  scene.nlight = static_cast<int>(n);
}

}  // namespace

void update_scene(const Model& m, const State& s, const Data& d, const VisualOptions& options,
                  const VisualCamera& camera, VisualScene& scene, int categories) {
  update_camera(m, d, camera, scene);
  scene.ngeom = scene.left_out = 0;
  if (!options.flags[kVisStatic]) categories &= ~kCategoryStatic;
  add_skins(m, d, options, categories, scene);
  add_geoms(m, d, options, categories, scene);
  add_sites(m, d, options, categories, scene);
  add_tendons(m, d, options, categories, scene);
  if (categories & kCategoryDecor) add_decorations(m, s, d, options, scene);
  update_lights(m, d, scene);
  scene.skin_vert.resize(3 * static_cast<size_t>(m.nskinvert));
  scene.skin_normal.resize(scene.skin_vert.size());
  for (int i = 0; i < m.nskin; ++i) {
    if (options.flags[kVisSkin] && in_group(options.skingroup, m.skin_group[i])) update_skin(m, d, i, scene);
  }
}

}  // namespace pliant
