#pragma once
// What rays against flat shapes share (plane_hd.h, box_hd.h), and triangles. Conventions as in ray_round_hd.h.

#include "math/vec3.h"

namespace pliant {
inline namespace PLIANT_ROUNDING {

/// The part of a line inside a box, and the faces through which it enters and leaves (axis 0 … 2).
template <class R>
struct BoxSpan {
  R enter, leave;
  int enter_axis = -1, leave_axis = -1;
  bool hit = true;
};

/// By slabs: the line is inside the box where it is between all three pairs of faces. Edges and
/// corners belong to the box; where faces meet, the first axis counts.
template <class R>
PLIANT_HD BoxSpan<R> box_span(Vec3T<R> size, Vec3T<R> p, Vec3T<R> v) {
  BoxSpan<R> span;
  for (int k = 0; k < 3; ++k) {
    if (v[k] == 0) {
      if (!(std::abs(p[k]) <= size[k])) span.hit = false;
      continue;
    }
    const R low = (-size[k] - p[k]) / v[k], high = (size[k] - p[k]) / v[k];
    const R enter = v[k] > 0 ? low : high, leave = v[k] > 0 ? high : low;
    if (span.enter_axis < 0 || enter > span.enter) span.enter = enter, span.enter_axis = k;
    if (span.leave_axis < 0 || leave < span.leave) span.leave = leave, span.leave_axis = k;
  }
  if (span.enter_axis < 0 || !(span.enter <= span.leave)) span.hit = false;
  return span;
}

/// A ray prepared for many triangles: seen along its largest component, sheared so that it is the
/// axis itself. Woop, Benthin, Wald: Watertight ray/triangle intersection, JCGT 2013.
template <class R>
struct ShearedRay {
  Vec3T<R> p;
  int x, y, z;                // axes, z along the ray
  R shear_x, shear_y, scale;  // v_x / v_z, v_y / v_z, 1 / v_z
};
template <class R>
PLIANT_HD ShearedRay<R> sheared(Vec3T<R> p, Vec3T<R> v) {
  const R ax = std::abs(v.x), ay = std::abs(v.y), az = std::abs(v.z);
  const int z = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const int x = z == 2 ? 0 : z + 1, y = x == 2 ? 0 : x + 1;
  return {p, x, y, z, v[x] / v[z], v[y] / v[z], 1 / v[z]};
}

/// Both sides count, edges and corners too. The three edge functions are differences of two rounded
/// products, so that two triangles agree about their common edge to the last bit: a closed surface
/// has no leaks. Returns x or -1.
template <class R>
PLIANT_HD R ray_triangle(const ShearedRay<R>& ray, Vec3T<R> a, Vec3T<R> b, Vec3T<R> c) {
  a = a - ray.p, b = b - ray.p, c = c - ray.p;
  const R ax = a[ray.x] - ray.shear_x * a[ray.z], ay = a[ray.y] - ray.shear_y * a[ray.z];
  const R bx = b[ray.x] - ray.shear_x * b[ray.z], by = b[ray.y] - ray.shear_y * b[ray.z];
  const R cx = c[ray.x] - ray.shear_x * c[ray.z], cy = c[ray.y] - ray.shear_y * c[ray.z];
  const R u = cx * by - cy * bx, v = ax * cy - ay * cx, w = bx * ay - by * ax;
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return -1;
  const R det = u + v + w;
  if (det == 0) return -1;  // seen edge-on
  const R x = ray.scale * ((u * a[ray.z] + v * b[ray.z] + w * c[ray.z]) / det);
  return x >= 0 ? x : R(-1);
}

}  // namespace PLIANT_ROUNDING
}  // namespace pliant
