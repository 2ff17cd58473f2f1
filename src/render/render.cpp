// Pictures, tile by tile.
//
// A tile of 16 x 16 pixels first finds the few items that its rays can meet (Beam), nearest first. Its rays look at
// these only; so do mirrored rays, with items mirrored for the purpose. Shadows: the items that can stand between a
// light and the sphere around all places that the tile sees. In a second pass pixels whose colour differs from a
// neighbour's are cast again with several rays at fixed places. Tiles are shared out by index and write their own
// pixels: nothing depends on the number of threads.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/pool.h"
#include "pliant/render.h"
#include "render/items.h"
#include "render/shade.h"
#include "render/text.h"
#include "render/view.h"
#include "render/wires.h"

namespace pliant {
namespace render {
namespace {

constexpr int kTile = 16;
constexpr size_t kMostLayers = 16;  // transparent surfaces one behind the other
constexpr double kGroundEnd = 0.7;  // of the far end of the view: there endless planes are lost in haze

/// Items in camera coordinates, for beams.
struct Bounds {
  Vec3 seen;
  double radius, first;  // `first`: smallest depth
};

/// Everything of one picture that tiles read.
struct Frame {
  const VisualScene& scene;
  const Assets& assets;
  View view;
  std::vector<Item> items;
  std::vector<Bounds> bounds;
  std::vector<Lamp> lamps;
  bool cull, reflect;
  int haze_plane = -1;

  Frame(Assets& shared, const VisualScene& wanted, int width, int height);
  /// Leaves the sky.
  void clear() { items.clear(), bounds.clear(), haze_plane = -1; }
};

double pixel_of(const View& view) { return view.pixel_width(1); }

Frame::Frame(Assets& shared, const VisualScene& wanted, int width, int height)
    : scene(wanted),
      assets(shared),
      view(wanted.camera, width, height),
      items(items_of(shared, wanted, pixel_of(view))),
      lamps(lamps_of(wanted)),
      cull(wanted.flags[kRenderCullFace] != 0),
      reflect(wanted.flags[kRenderReflection] != 0) {
  bounds.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const Vec3 q = view.seen(items[i].center);
    const double r = items[i].radius;
    bounds.push_back({q, r, r < 0 ? -1e30 : q.z - r});
    const bool endless = items[i].kind == ItemKind::kPlane && items[i].size.x <= 0 && items[i].size.y <= 0;
    if (endless && haze_plane < 0) haze_plane = static_cast<int>(i);
  }
}

/// Surfaces along one ray, the last one opaque unless there is none.
struct Layers {
  Ray ray;
  int pixel;
  size_t first, count;  // in TileWork::hits
};

/// The memory of a thread.
struct TileWork {
  std::vector<int> near;                                   // items, by Bounds::first
  std::vector<std::vector<int>> shadow;                    // by light
  std::vector<std::pair<int, std::vector<int>>> mirrored;  // by mirror
  std::vector<Layers> rays;
  std::vector<ItemHit> hits;
  std::vector<char> marked;
};

/// The nearest of some items, sorted by depth.
ItemHit nearest_of(const Frame& f, const std::vector<int>& candidates, const Ray& ray, double limit) {
  ItemHit best;
  double reach = limit;
  for (const int i : candidates) {
    if (f.bounds[static_cast<size_t>(i)].first - f.view.near >= reach) break;
    const Item& item = f.items[static_cast<size_t>(i)];
    if (item.radius >= 0) {
      // beside its sphere?
      const Vec3 q = item.center - ray.p;
      const double vv = dot(ray.v, ray.v), along = dot(ray.v, q);
      if ((dot(q, q) - item.radius * item.radius) * vv > along * along) continue;
    }
    ItemHit hit;
    const Vec3 p = transposed_times(item.mat, ray.p - item.pos), v = transposed_times(item.mat, ray.v);
    if (hit_item(item, p, v, reach, f.cull, hit)) best = hit, best.item = i, reach = hit.x;
  }
  return best;
}

/// Rays that a mirror sends back, and transparent surfaces' next rays, know no order of items.
ItemHit nearest_unsorted(const Frame& f, const std::vector<int>& candidates, const Ray& ray, double limit, int except) {
  ItemHit best;
  double reach = limit;
  for (const int i : candidates) {
    if (i == except) continue;
    const Item& item = f.items[static_cast<size_t>(i)];
    if (item.radius >= 0) {
      const Vec3 q = item.center - ray.p;
      const double vv = dot(ray.v, ray.v), along = dot(ray.v, q), away = dot(q, q) - item.radius * item.radius;
      if (away * vv > along * along || (along < 0 && away > 0)) continue;
    }
    ItemHit hit;
    const Vec3 p = transposed_times(item.mat, ray.p - item.pos), v = transposed_times(item.mat, ray.v);
    if (hit_item(item, p, v, reach, f.cull, hit)) best = hit, best.item = i, reach = hit.x;
  }
  return best;
}

class TileShadows : public ShadowTest {
 public:
  TileShadows(const Frame& frame, const TileWork& work) : f_(frame), work_(work) {}
  bool reaches(int light, const Surface& place) const override {
    const VisualLight& l = f_.scene.lights[static_cast<size_t>(light)];
    const double off = 1e-6 * (1 + norm(place.point - f_.view.eye));
    const Vec3 from = fused(off, place.flat, place.point);
    Vec3 v{-l.dir[0], -l.dir[1], -l.dir[2]};
    double limit = 1e30;
    if (l.type != LightType::kDirectional) v = Vec3{l.pos[0], l.pos[1], l.pos[2]} - from, limit = 1;
    const double vv = dot(v, v);
    for (const int i : work_.shadow[static_cast<size_t>(light)]) {
      const Item& item = f_.items[static_cast<size_t>(i)];
      if (item.radius >= 0) {
        const Vec3 q = item.center - from;
        const double along = dot(v, q), away = dot(q, q) - item.radius * item.radius;
        if (away * vv > along * along || (along < 0 && away > 0)) continue;
      }
      if (blocks(item, transposed_times(item.mat, from - item.pos), transposed_times(item.mat, v), limit)) return false;
    }
    return true;
  }

 private:
  const Frame& f_;
  const TileWork& work_;
};

/// Items between each light and a sphere around all places that are to be lit.
void find_shadow_items(const Frame& f, Vec3 center, double radius, TileWork& work) {
  work.shadow.resize(f.scene.lights.size());
  for (int n = 0; n < f.scene.nlight; ++n) {
    const VisualLight& light = f.scene.lights[static_cast<size_t>(n)];
    std::vector<int>& list = work.shadow[static_cast<size_t>(n)];
    list.clear();
    if (!light.castshadow || light.type == LightType::kImage) continue;
    const bool parallel = light.type == LightType::kDirectional;
    const Vec3 to = parallel ? Vec3{-light.dir[0], -light.dir[1], -light.dir[2]}
                             : Vec3{light.pos[0], light.pos[1], light.pos[2]} - center;
    double length;
    const Vec3 axis = normalized(to, length);
    for (size_t i = 0; i < f.items.size(); ++i) {
      const Item& item = f.items[i];
      if (!item.shadow) continue;
      if (item.radius >= 0) {
        const Vec3 q = item.center - center;
        const double along = dot(axis, q), beside2 = dot(q, q) - along * along, reach = item.radius + radius;
        if (along < -reach || (!parallel && along > length + item.radius) || beside2 > reach * reach) continue;
      }
      list.push_back(static_cast<int>(i));
    }
  }
}

/// Whether a hit is on a mirror: a plane from above or the upper face of a box, as in the reference.
bool is_mirror(const Frame& f, const Item& item, const ItemHit& hit) {
  return f.reflect && item.look->reflectance > 0 && item.opaque && hit.normal.z > 0 &&
         (item.kind == ItemKind::kPlane ||
          (item.kind == ItemKind::kPrimitive && item.type == GeomType::kBox && hit.normal.x == 0 && hit.normal.y == 0));
}

/// Items that the tile can see in a mirror: those whose mirror image the beam meets.
const std::vector<int>& mirrored_items(const Frame& f, const Beam& beam, int mirror, Vec3 point, Vec3 normal,
                                       TileWork& work) {
  for (const auto& [item, list] : work.mirrored) {
    if (item == mirror) return list;
  }
  std::vector<int> list;
  for (size_t i = 0; i < f.items.size(); ++i) {
    const Item& item = f.items[i];
    const Vec3 image = item.center - 2 * dot(item.center - point, normal) * normal;
    if (static_cast<int>(i) != mirror && beam.meets(f.view.seen(image), item.radius))
      list.push_back(static_cast<int>(i));
  }
  work.mirrored.emplace_back(mirror, std::move(list));
  return work.mirrored.back().second;
}

Color haze_color(const Frame& f) {
  const auto& c = f.assets.m.vis.rgba.haze;
  return {c[0], c[1], c[2]};
}

/// What there is behind everything: the sky, with haze above the horizon of an endless plane.
Color background(const Frame& f, const Ray& ray) {
  if (!f.scene.flags[kRenderSkybox] || f.assets.skybox < 0) return {};
  const Vec3 v = ray.v;
  const Texture& sky = f.assets.textures[static_cast<size_t>(f.assets.skybox)];
  Color color = sky.toward({v.x, v.z, -v.y}, 0.5 * f.view.pixel_width(1)).color;
  if (!f.scene.flags[kRenderHaze] || f.haze_plane < 0) return color;
  const Item& plane = f.items[static_cast<size_t>(f.haze_plane)];
  const Vec3 up = plane.mat.column(2);
  const double height = dot(f.view.eye - plane.pos, up);
  if (height < 0) return color;
  // from where the ground ends up to the height of the eye, and there it fades
  const double rise = dot(v, up) / norm(v), ground = height / (kGroundEnd * f.view.far);
  constexpr double kFade = 4;
  const double share = std::clamp(-kFade * rise / std::max(ground, 1e-9), 0.0, 1.0);
  return color + (haze_color(f) - color) * static_cast<float>(share);
}

/// The ground of an endless plane dissolves toward the horizon.
Color with_haze(const Frame& f, int item, Vec3 point, Color color) {
  if (item != f.haze_plane || !f.scene.flags[kRenderHaze] || !f.scene.flags[kRenderSkybox] || f.assets.skybox < 0)
    return color;
  const double haze = f.assets.m.vis.map.haze;
  if (!(haze > 0)) return color;
  const Item& plane = f.items[static_cast<size_t>(item)];
  const Vec3 up = plane.mat.column(2), to = point - f.view.eye;
  const double away = norm(to - dot(to, up) * up) / (kGroundEnd * f.view.far);
  const double share = std::clamp((away - (1 - haze)) / haze, 0.0, 1.0);
  return color + (haze_color(f) - color) * static_cast<float>(share);
}

Color with_fog(const Frame& f, double depth, Color color) {
  if (!f.scene.flags[kRenderFog]) return color;
  const auto& map = f.assets.m.vis.map;
  const double extent = f.assets.m.stat.extent, start = map.fogstart * extent, end = map.fogend * extent;
  const auto clear = static_cast<float>(std::clamp((end - depth) / std::max(end - start, 1e-9), 0.0, 1.0));
  const auto& c = f.assets.m.vis.rgba.fog;
  const Color fog{c[0], c[1], c[2]};
  return fog + (color - fog) * clear;
}

/// What a mirror shows, without shadows and further mirrors, as in the reference.
Color reflected(const Frame& f, const Beam& beam, const Ray& ray, const ItemHit& hit, const Surface& place,
                TileWork& work) {
  const std::vector<int>& list = mirrored_items(f, beam, hit.item, place.point, place.flat, work);
  if (list.empty()) return {};
  const Ray back{place.point, ray.v - 2 * dot(ray.v, place.flat) * place.flat};
  const ItemHit seen = nearest_unsorted(f, list, back, 1e30, hit.item);
  if (seen.item < 0) return {};
  const Item& item = f.items[static_cast<size_t>(seen.item)];
  const Surface there = surface_at(item, back, seen, f.view);
  return lit(f.lamps, *item.look, there, -normalized(back.v), nullptr);
}

/// Casts a ray through everything transparent. The surfaces go to the end of `work.hits`.
void cast(const Frame& f, const Ray& ray, int pixel, TileWork& work) {
  Layers layers{ray, pixel, work.hits.size(), 0};
  const double range = f.view.far - f.view.near;
  ItemHit hit = nearest_of(f, work.near, ray, range);
  while (hit.item >= 0) {
    work.hits.push_back(hit);
    ++layers.count;
    const Item& item = f.items[static_cast<size_t>(hit.item)];
    const bool from_below = item.kind == ItemKind::kPlane && hit.normal.z < 0;
    const bool holes = item.texture && !item.texture->is_opaque();
    const bool see_through = !item.opaque || from_below || holes;
    if (!see_through || layers.count == kMostLayers) break;
    if (item.opaque && !from_below) {
      if (surface_at(item, ray, hit, f.view).alpha >= 0.995f) break;
    }
    const double past = hit.x + 1e-9 * (1 + hit.x);
    const Ray rest{fused(past, ray.v, ray.p), ray.v};
    hit = nearest_unsorted(f, work.near, rest, range - past, from_below ? hit.item : -1);
    if (hit.item >= 0) hit.x += past;
  }
  work.rays.push_back(layers);
}

/// Colours of all rays that were cast, handed to `take`.
template <class Take>
void shade_rays(const Frame& f, const Beam& beam, TileWork& work, Take take) {
  Vec3 low{1e30, 1e30, 1e30}, high{-1e30, -1e30, -1e30};
  for (const Layers& layers : work.rays) {
    if (layers.count == 0) continue;
    const ItemHit& last = work.hits[layers.first + layers.count - 1];
    const Vec3 point = fused(last.x, layers.ray.v, layers.ray.p);
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], point[k]), high[k] = std::max(high[k], point[k]);
  }
  const bool shadows = f.scene.flags[kRenderShadow] && low.x <= high.x;
  if (shadows) find_shadow_items(f, 0.5 * (low + high), 0.5 * norm(high - low) + 1e-3, work);
  const TileShadows test(f, work);
  for (const Layers& layers : work.rays) {
    Color color{};
    float through = 1;  // share of what is behind
    for (size_t k = 0; k < layers.count; ++k) {
      const ItemHit& hit = work.hits[layers.first + k];
      const Item& item = f.items[static_cast<size_t>(hit.item)];
      const Surface place = surface_at(item, layers.ray, hit, f.view);
      const bool opaque = place.alpha >= 0.995f || (k + 1 == layers.count && k + 1 == kMostLayers);
      Color own = lit(f.lamps, *item.look, place, -normalized(layers.ray.v), shadows && opaque ? &test : nullptr);
      if (opaque && is_mirror(f, item, hit))
        own = clamped(own + reflected(f, beam, layers.ray, hit, place, work) * item.look->reflectance);
      own = with_fog(f, f.view.near + hit.x, with_haze(f, hit.item, place.point, own));
      const float share = opaque ? through : through * place.alpha;
      color = color + own * share;
      through -= share;
      if (opaque) break;
    }
    if (through > 0) color = color + background(f, layers.ray) * through;
    take(layers.pixel, color);
  }
}

unsigned char byte_of(float x) { return static_cast<unsigned char>(std::lround(255 * std::clamp(x, 0.f, 1.f))); }

/// Places of samples in a pixel: on a grid that is turned, so that no two share a row or column.
void sample_place(int i, int samples, double& x, double& y) {
  if (samples == 4) {
    constexpr double kX[4] = {0.375, 0.875, 0.125, 0.625}, kY[4] = {0.125, 0.375, 0.625, 0.875};
    x = kX[i], y = kY[i];
    return;
  }
  const int side = static_cast<int>(std::lround(std::sqrt(samples)));
  const int row = i / side, column = i % side;
  x = (column + (row + 0.5) / side) / side, y = (row + (column + 0.5) / side) / side;
}

/// Tiles of a picture, in an order in which costly ones do not all fall to one thread.
class Tiles {
 public:
  Tiles(int width, int height)
      : width_(width),
        height_(height),
        across_((width + kTile - 1) / kTile),
        count_(across_ * ((height + kTile - 1) / kTile)),
        stride_(count_ * 5 / 8 + 1) {
    while (common_divisor(stride_, count_) != 1) ++stride_;
  }
  int count() const { return count_; }
  struct Rectangle {
    int x0, x1, y0, y1;
  };
  Rectangle at(int index) const {
    const int tile = static_cast<int>(static_cast<long long>(index) * stride_ % count_);
    const int x = tile % across_ * kTile, y = tile / across_ * kTile;
    return {x, std::min(x + kTile, width_), y, std::min(y + kTile, height_)};
  }

 private:
  static int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }
  int width_, height_, across_, count_, stride_;
};

void find_near_items(const Frame& f, const Beam& beam, TileWork& work) {
  work.near.clear();
  for (size_t i = 0; i < f.items.size(); ++i) {
    if (beam.meets(f.bounds[i].seen, f.bounds[i].radius)) work.near.push_back(static_cast<int>(i));
  }
  std::stable_sort(work.near.begin(), work.near.end(), [&](int a, int b) {
    return f.bounds[static_cast<size_t>(a)].first < f.bounds[static_cast<size_t>(b)].first;
  });
  work.rays.clear(), work.hits.clear(), work.mirrored.clear();
}

void check_size(int width, int height) {
  constexpr int kMost = 1 << 15;
  if (width < 1 || height < 1 || width > kMost || height > kMost) {
    throw std::invalid_argument("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                                " pixels: each side must be between 1 and " + std::to_string(kMost));
  }
}

void check_scene(const VisualScene& scene) {
  const ViewCamera& c = scene.camera[0];
  const bool finite = std::isfinite(c.pos[0] + c.pos[1] + c.pos[2] + c.forward[0] + c.forward[1] + c.forward[2]);
  if (!finite) {
    throw std::invalid_argument(
        "the place or direction of the scene's camera is no number: look at its lookat, distance and angles");
  }
  if (!(c.frustum_near > 0) || !(c.frustum_far > c.frustum_near) || !(c.frustum_top > c.frustum_bottom))
    throw std::invalid_argument("the scene has no camera yet: call update_scene first");
}

}  // namespace
}  // namespace render

using namespace render;

struct Renderer::Parts {
  Parts(const Model& m, int threads) : assets(m), pool(threads), work(static_cast<size_t>(pool.size())) { load(); }

  Assets assets;
  Pool pool;
  std::vector<TileWork> work;
  int samples = 4, text_scale = 1;

  void load() {
    const Model& m = assets.m;
    assets.textures.clear();
    assets.skybox = -1;
    for (int i = 0; i < m.ntex; ++i) {
      assets.textures.emplace_back(m, i);
      if (assets.skybox < 0 && static_cast<TextureType>(m.tex_type[i]) == TextureType::kSkybox) assets.skybox = i;
    }
    for (auto* trees : {&assets.meshes, &assets.hulls, &assets.skins}) {
      for (TriangleTree& tree : *trees) tree = TriangleTree();
    }
  }

  void paint(const Frame& f, int width, int height, unsigned char* pixels);

  /// Calls take(pixel, hit) with what is at the middle of every pixel, transparent or not.
  template <class Take>
  void look(const VisualScene& scene, int width, int height, Take take) {
    check_size(width, height);
    check_scene(scene);
    Frame f(assets, scene, width, height);
    const Tiles tiles(width, height);
    pool.run(tiles.count(), [&](int thread, int first, int end) {
      TileWork& w = work[static_cast<size_t>(thread)];
      for (int i = first; i < end; ++i) {
        const auto [x0, x1, y0, y1] = tiles.at(i);
        find_near_items(f, Beam(f.view, x0, x1, y0, y1), w);
        std::erase_if(w.near, [&](int item) { return f.items[static_cast<size_t>(item)].look->segid < 0; });
        for (int y = y0; y < y1; ++y) {
          for (int x = x0; x < x1; ++x)
            take(f, y * width + x, nearest_of(f, w.near, f.view.ray(x + 0.5, y + 0.5), f.view.far - f.view.near));
        }
      }
    });
  }
};

Renderer::Renderer(const Model& m, int threads)
    : parts_(std::make_unique<Parts>(
          m, threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())))) {}
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;

void Renderer::set_samples(int samples) {
  if (samples != 1 && samples != 4 && samples != 16)
    throw std::invalid_argument("samples of a pixel are 1, 4 or 16, not " + std::to_string(samples));
  parts_->samples = samples;
}

void Renderer::set_text_scale(int scale) {
  constexpr int kMost = 16;
  if (scale < 1 || scale > kMost)
    throw std::invalid_argument("letters are drawn 1 to 16 times as large, not " + std::to_string(scale));
  parts_->text_scale = scale;
}

void Renderer::reload() { parts_->load(); }

void Renderer::rgb(const VisualScene& scene, int width, int height, unsigned char* pixels) {
  check_size(width, height);
  check_scene(scene);
  Frame f(parts_->assets, scene, width, height);
  std::vector<Wire> wires;
  if (scene.flags[kRenderWireframe]) {
    wires = wires_of(parts_->assets.m, f.items, f.lamps, f.view, f.cull);
    f.clear();
  }
  parts_->paint(f, width, height, pixels);
  const Canvas canvas{pixels, width, height};
  draw_wires(canvas, f.view, std::move(wires));
  draw_labels(canvas, scene, f.view, parts_->text_scale);
}

/// Surfaces and sky.
void Renderer::Parts::paint(const Frame& f, int width, int height, unsigned char* pixels) {
  const Tiles tiles(width, height);
  std::vector<Color> colors(static_cast<size_t>(width) * static_cast<size_t>(height));
  const auto write = [pixels](int pixel, Color c) {
    for (int k = 0; k < 3; ++k) pixels[3 * static_cast<size_t>(pixel) + static_cast<size_t>(k)] = byte_of(c[k]);
  };
  // one ray through the middle of each pixel
  pool.run(tiles.count(), [&](int thread, int first, int end) {
    TileWork& w = work[static_cast<size_t>(thread)];
    for (int i = first; i < end; ++i) {
      const auto [x0, x1, y0, y1] = tiles.at(i);
      const Beam beam(f.view, x0, x1, y0, y1);
      find_near_items(f, beam, w);
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) cast(f, f.view.ray(x + 0.5, y + 0.5), y * width + x, w);
      }
      shade_rays(f, beam, w, [&](int pixel, Color color) {
        colors[static_cast<size_t>(pixel)] = color;
        write(pixel, color);
      });
    }
  });
  if (samples == 1) return;
  // several where neighbours differ
  constexpr float kSame = 0.03f;
  const auto differs = [&](int a, int b) {
    const Color d = colors[static_cast<size_t>(a)] - colors[static_cast<size_t>(b)];
    return std::abs(d.x) > kSame || std::abs(d.y) > kSame || std::abs(d.z) > kSame;
  };
  pool.run(tiles.count(), [&](int thread, int first, int end) {
    TileWork& w = work[static_cast<size_t>(thread)];
    for (int i = first; i < end; ++i) {
      const auto [x0, x1, y0, y1] = tiles.at(i);
      const Beam beam(f.view, x0, x1, y0, y1);
      bool any = false;
      for (int y = y0; y < y1; ++y) {
        for (int x = x0; x < x1; ++x) {
          const int at = y * width + x;
          const bool edge = (x > 0 && differs(at, at - 1)) || (x + 1 < width && differs(at, at + 1)) ||
                            (y > 0 && differs(at, at - width)) || (y + 1 < height && differs(at, at + width));
          if (!edge) continue;
          if (!any) find_near_items(f, beam, w), any = true;
          for (int k = 0; k < samples; ++k) {
            double dx, dy;
            sample_place(k, samples, dx, dy);
            cast(f, f.view.ray(x + dx, y + dy), at, w);
          }
        }
      }
      if (!any) continue;
      Color sum{};
      int taken = 0;
      shade_rays(f, beam, w, [&](int pixel, Color color) {
        sum = sum + color;
        if (++taken < samples) return;
        write(pixel, sum * (1.f / static_cast<float>(samples)));
        sum = {}, taken = 0;
      });
    }
  });
}

void Renderer::depth(const VisualScene& scene, int width, int height, double* distance) {
  parts_->look(scene, width, height, [distance](const Frame& f, int pixel, const ItemHit& hit) {
    distance[pixel] = hit.item < 0 ? f.view.far : f.view.near + hit.x;
  });
}

void Renderer::segmentation(const VisualScene& scene, int width, int height, int32_t* segid) {
  parts_->look(scene, width, height, [segid](const Frame& f, int pixel, const ItemHit& hit) {
    segid[pixel] = hit.item < 0 ? -1 : f.items[static_cast<size_t>(hit.item)].look->segid;
  });
}

void Renderer::segmentation(const VisualScene& scene, int width, int height, PixelObject* objects) {
  parts_->look(scene, width, height, [objects](const Frame& f, int pixel, const ItemHit& hit) {
    if (hit.item < 0) {
      objects[pixel] = {-1, -1};
    } else {
      const VisualGeom& geom = *f.items[static_cast<size_t>(hit.item)].look;
      objects[pixel] = {geom.objid, geom.objtype};
    }
  });
}

}  // namespace pliant
