#pragma once
// Edges in place of surfaces: the renderer's flag "wireframe".

#include <vector>

#include "render/shade.h"
#include "render/text.h"

namespace pliant::render {

/// A straight line in the world.
struct Wire {
  Vec3 from, to;
  Color color;
  float alpha;
};

/// Edges of items: those of triangles, and of a net over every other shape, as fine as <visual><quality/> says. With
/// `cull` those on the far side are left out. Lights shine on them as on surfaces; textures and shadows are not theirs.
std::vector<Wire> wires_of(const Model& m, const std::vector<Item>& items, const std::vector<Lamp>& lamps,
                           const View& view, bool cull);

/// Draws lines one pixel wide with smooth edges, the farthest first.
void draw_wires(const Canvas& canvas, const View& view, std::vector<Wire> wires);

}  // namespace pliant::render
