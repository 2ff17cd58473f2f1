#pragma once
// Rays against a height field: its slab of ground (the box below height 0), its surface, and the
// four walls below the edge of the surface.
//
// Of the surface only the cells under the ray are visited, in the order in which the ray passes
// over them, column by column along the axis on which it moves fastest; the walk ends at the first
// hit. A cell has two triangles, divided by the diagonal from sample (r, c) to (r+1, c+1). Cost:
// linear in the cells passed.

#include "geom/box_hd.h"
#include "geom/shape_hd.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// The grid of a height field in its own frame.
template <class R>
struct HeightGrid {
  const float* data;
  int nrow, ncol;
  R half_x, half_y, top, cell_x, cell_y;
  PLIANT_HD explicit HeightGrid(const HfieldShapeT<R>& field)
      : data(field.data),
        nrow(field.nrow),
        ncol(field.ncol),
        half_x(field.size[0]),
        half_y(field.size[1]),
        top(field.size[2]),
        cell_x(2 * half_x / (ncol - 1)),
        cell_y(2 * half_y / (nrow - 1)) {}
  PLIANT_HD R height(int r, int c) const { return R(data[size_t(r) * ncol + c]); }
  PLIANT_HD Vec3T<R> point(int r, int c) const {
    return {c * cell_x - half_x, r * cell_y - half_y, height(r, c) * top};
  }
};

/// The two triangles of a cell; keeps the nearer hit, with its upward normal.
template <class R>
PLIANT_HD void try_cell(const HeightGrid<R>& grid, int r, int c, const ShearedRay<R>& ray, R& best, Vec3T<R>& normal) {
  const Vec3T<R> low = grid.point(r, c), high = grid.point(r + 1, c + 1);
  for (int k = 0; k < 2; ++k) {
    const Vec3T<R> other = k == 0 ? grid.point(r, c + 1) : grid.point(r + 1, c);
    const R x = ray_triangle(ray, low, other, high);
    if (!(x >= 0) || !(best < 0 || x < best)) continue;
    best = x;
    normal = k == 0 ? cross(other - low, high - low) : cross(high - low, other - low);
  }
}

/// Surface hits with the part [begin, end] of the ray.
template <class R>
PLIANT_HD void ray_surface(const HeightGrid<R>& grid, Vec3T<R> p, Vec3T<R> v, R begin, R end, R& best,
                           Vec3T<R>& normal) {
  constexpr R kSlack = R(1e-3);  // of a cell: more than all rounding
  const ShearedRay<R> ray = sheared(p, v);
  // the ray in cells: along the axis of the walk, and across
  const R start[2] = {(p.x + grid.half_x) / grid.cell_x, (p.y + grid.half_y) / grid.cell_y};
  const R speed[2] = {v.x / grid.cell_x, v.y / grid.cell_y};
  const int along = std::abs(speed[0]) >= std::abs(speed[1]) ? 0 : 1, across = 1 - along;
  const int last[2] = {grid.ncol - 2, grid.nrow - 2};
  // NaN is in the first
  const auto cell = [](R at, int largest) { return !(at > 0) ? 0 : at >= R(largest) ? largest : static_cast<int>(at); };
  const R from = mul_add(begin, speed[along], start[along]), to = mul_add(end, speed[along], start[along]);
  const int step = speed[along] < 0 ? -1 : 1;
  const int first = cell(from - step * kSlack, last[along]), stop = cell(to + step * kSlack, last[along]);
  for (int i = first; step > 0 ? i <= stop : i >= stop; i += step) {
    // where the ray is over this column
    R enter = begin, leave = end;
    if (speed[along] != 0) {
      const R inner = ((step > 0 ? i - kSlack : i + 1 + kSlack) - start[along]) / speed[along];
      const R outer = ((step > 0 ? i + 1 + kSlack : i - kSlack) - start[along]) / speed[along];
      enter = inner > begin ? inner : begin, leave = outer < end ? outer : end;
    }
    if (best >= 0 && best < enter) return;
    const R one = mul_add(enter, speed[across], start[across]), two = mul_add(leave, speed[across], start[across]);
    const int lowest = cell((one < two ? one : two) - kSlack, last[across]);
    const int highest = cell((one < two ? two : one) + kSlack, last[across]);
    const R z = mul_add(v.z > 0 ? enter : leave, v.z, p.z);  // lowest point of the ray there
    for (int j = lowest; j <= highest; ++j) {
      const int r = along == 0 ? j : i, c = along == 0 ? i : j;
      const R limit = z - kSlack * grid.top;
      const bool above = grid.height(r, c) * grid.top < limit && grid.height(r, c + 1) * grid.top < limit &&
                         grid.height(r + 1, c) * grid.top < limit && grid.height(r + 1, c + 1) * grid.top < limit;
      if (!above) try_cell(grid, r, c, ray, best, normal);
    }
  }
}

/// The four walls between height 0 and the edge of the surface.
template <class R>
PLIANT_HD void ray_walls(const HeightGrid<R>& grid, Vec3T<R> p, Vec3T<R> v, R& best, Vec3T<R>& normal) {
  for (int wall = 0; wall < 4; ++wall) {
    const int axis = wall / 2, other = 1 - axis, side = wall % 2 == 0 ? -1 : 1;
    const R half = axis == 0 ? grid.half_x : grid.half_y, half_other = axis == 0 ? grid.half_y : grid.half_x;
    if (v[axis] == 0) continue;
    const R x = (side * half - p[axis]) / v[axis];
    const R at = mul_add(x, v[other], p[other]), z = mul_add(x, v.z, p.z);
    if (!(x >= 0) || !(best < 0 || x < best) || !(std::abs(at) <= half_other) || !(z >= 0)) continue;
    // height of the edge there, between two samples
    const R cells = (at + half_other) / (axis == 0 ? grid.cell_y : grid.cell_x);
    const int n = (axis == 0 ? grid.nrow : grid.ncol) - 2;
    const int i = !(cells > 0) ? 0 : cells >= R(n) ? n : static_cast<int>(cells);
    const int edge = side < 0 ? 0 : (axis == 0 ? grid.ncol : grid.nrow) - 1;
    const R h0 = axis == 0 ? grid.height(i, edge) : grid.height(edge, i);
    const R h1 = axis == 0 ? grid.height(i + 1, edge) : grid.height(edge, i + 1);
    if (!(z < grid.top * mul_add(h1 - h0, cells - i, h0))) continue;
    best = x;
    normal = {R(0), R(0), R(0)};
    normal[axis] = R(side);
  }
}

template <class R>
PLIANT_HD_NOINLINE R ray_hfield(const HfieldShapeT<R>& field, Vec3T<R> p, Vec3T<R> v, Vec3T<R>& normal) {
  const HeightGrid<R> grid(field);
  const R half_x = grid.half_x, half_y = grid.half_y, base = R(field.size[3]);
  R best = BoxPrimitive::ray<R>({half_x, half_y, base / 2}, {p.x, p.y, p.z + base / 2}, v, normal);
  if (grid.nrow < 2 || grid.ncol < 2) return best;  // no cell, no surface
  const BoxSpan<R> over = box_span<R>({half_x, half_y, grid.top / 2}, {p.x, p.y, p.z - grid.top / 2}, v);
  if (!over.hit || !(over.leave >= 0)) return best;
  ray_surface(grid, p, v, over.enter > 0 ? over.enter : R(0), over.leave, best, normal);
  ray_walls(grid, p, v, best, normal);
  return best;
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
