// Mass properties of primitives, and of bodies made of them.
//
// Closed forms for solids and shells (r radius, H full height, a b c half sizes). Shell ellipsoids use
// Thomsen's area and the difference of two solids 1e-6 apart, as the reference does.

#include <algorithm>
#include <cmath>

#include "compile/compile.h"

namespace pliant {
namespace {

std::array<double, 3> capsule_inertia(double r, double half, double mass, bool shell) {
  const double h = 2 * half;
  std::array<double, 3> inertia;
  if (!shell) {
    const double sphere = mass * 4 * r / (4 * r + 3 * h);  // share of the two half spheres
    const double cylinder = mass - sphere;
    inertia[0] = cylinder * (3 * r * r + h * h) / 12;
    inertia[2] = cylinder * r * r / 2;
    const double own = 2 * sphere * r * r / 5;
    inertia[0] += own + sphere * h * (3 * r + 2 * h) / 8;
    inertia[2] += own;
  } else {
    const double sphere_area = 4 * kPi * r * r, cylinder_area = 2 * kPi * r * h;
    const double sphere = mass * sphere_area / (sphere_area + cylinder_area);
    const double cylinder = mass - sphere;
    inertia[0] = cylinder * (6 * r * r + h * h) / 12;
    inertia[2] = cylinder * r * r;
    const double own = 2 * sphere * r * r / 3;
    const double com = r / 2, pos = half + com;  // of a half sphere
    inertia[0] += own + sphere * (pos * pos - com * com);
    inertia[2] += own;
  }
  inertia[1] = inertia[0];
  return inertia;
}

std::array<double, 3> cylinder_inertia(double r, double half, double mass, bool shell) {
  const double h = 2 * half;
  if (!shell) {
    const double side = mass * (3 * r * r + h * h) / 12;
    return {side, side, mass * r * r / 2};
  }
  const double disk_area = kPi * r * r, wall_area = 2 * kPi * r * h;
  const double disk = mass * disk_area / (2 * disk_area + wall_area);
  const double wall = mass - 2 * disk;
  const double side = wall * (6 * r * r + h * h) / 12 + 2 * (disk * r * r / 4 + disk * half * half);
  return {side, side, wall * r * r + 2 * (disk * r * r / 2)};
}

std::array<double, 3> solid_ellipsoid(double a, double b, double c, double mass) {
  return {mass * (b * b + c * c) / 5, mass * (a * a + c * c) / 5, mass * (a * a + b * b) / 5};
}

std::array<double, 3> ellipsoid_inertia(const Reals<3>& s, double mass, bool shell) {
  if (!shell) return solid_ellipsoid(s[0], s[1], s[2], mass);
  constexpr double kThickness = 1e-6;
  const double a = s[0] + kThickness, b = s[1] + kThickness, c = s[2] + kThickness;
  const double inner = 4 * kPi * s[0] * s[1] * s[2] / 3, outer = 4 * kPi * a * b * c / 3;
  const double density = mass / (outer - inner);
  const auto in = solid_ellipsoid(s[0], s[1], s[2], inner * density);
  const auto out = solid_ellipsoid(a, b, c, outer * density);
  return {out[0] - in[0], out[1] - in[1], out[2] - in[2]};
}

std::array<double, 3> box_inertia(const Reals<3>& s, double mass, bool shell) {
  const double aa = s[0] * s[0], bb = s[1] * s[1], cc = s[2] * s[2];
  if (!shell) return {mass * (bb + cc) / 3, mass * (aa + cc) / 3, mass * (aa + bb) / 3};
  const double x = 2 * s[0], y = 2 * s[1], z = 2 * s[2];
  const double area0 = x * y, area1 = y * z, area2 = z * x, total = 2 * (area0 + area1 + area2);
  // three pairs of plates: xy, yz, zx
  const double m0 = mass * area0 / total, m1 = mass * area1 / total, m2 = mass * area2 / total;
  return {2 * (m0 * cc + m2 * bb + m0 * y * y / 12 + m1 * (y * y + z * z) / 12 + m2 * z * z / 12),
          2 * (m0 * cc + m1 * aa + m0 * x * x / 12 + m1 * z * z / 12 + m2 * (x * x + z * z) / 12),
          2 * (m1 * aa + m2 * bb + m0 * (x * x + y * y) / 12 + m1 * y * y / 12 + m2 * x * x / 12)};
}

/// Adds R·diag·Rᵀ and the parallel-axis term to a symmetric matrix.
void add_inertia(double (&full)[3][3], double mass, Vec3 offset, Quat q, const std::array<double, 3>& local) {
  const Vec3 axes[3] = {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})};
  for (int r = 0; r < 3; ++r) {
    for (int c = r; c < 3; ++c) {
      double value = 0;
      for (int k = 0; k < 3; ++k) value += axes[k][r] * (axes[k][c] * local[k]);
      value += r == c ? mass * (dot(offset, offset) - offset[r] * offset[r]) : -mass * offset[r] * offset[c];
      full[r][c] += value;
      if (c != r) full[c][r] = full[r][c];
    }
  }
}

bool same(const Pose& a, const Pose& b) {
  return a.pos.x == b.pos.x && a.pos.y == b.pos.y && a.pos.z == b.pos.z && a.quat.w == b.quat.w &&
         a.quat.x == b.quat.x && a.quat.y == b.quat.y && a.quat.z == b.quat.z;
}

/// Whether a body has the mass, inertia and frame of one of its geoms, as inertia_from_geoms leaves it.
bool is_of_one_geom(const Work& work, const BodyWork& body) {
  return std::any_of(body.geoms.begin(), body.geoms.end(), [&](int g) {
    const GeomWork& geom = work.geoms[g];
    return geom.mass == body.mass && geom.inertia == body.inertia && same(geom.pose, body.inertial);
  });
}

}  // namespace

double geom_volume(const GeomSpec& geom) {
  const auto& s = geom.size;
  const bool shell = geom.shellinertia;
  switch (geom.type) {
    case GeomType::kSphere:
      return shell ? 4 * kPi * s[0] * s[0] : 4 * kPi * s[0] * s[0] * s[0] / 3;
    case GeomType::kCapsule: {
      const double h = 2 * s[1], r = s[0];
      return shell ? 4 * kPi * r * r + 2 * kPi * r * h : kPi * (r * r * h + 4 * r * r * r / 3);
    }
    case GeomType::kCylinder: {
      const double h = 2 * s[1], r = s[0];
      return shell ? 2 * kPi * r * r + 2 * kPi * r * h : kPi * r * r * h;
    }
    case GeomType::kEllipsoid: {
      if (!shell) return 4 * kPi * s[0] * s[1] * s[2] / 3;
      constexpr double kThomsen = 1.6075;
      const double mean =
          std::pow(s[0] * s[1], kThomsen) + std::pow(s[1] * s[2], kThomsen) + std::pow(s[2] * s[0], kThomsen);
      return 4 * kPi * std::pow(mean / 3, 1 / kThomsen);
    }
    case GeomType::kBox:
      return shell ? 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]) : s[0] * s[1] * s[2] * 8;
    default:
      return 0;
  }
}

std::array<double, 3> geom_inertia(const GeomSpec& geom, double mass) {
  const auto& s = geom.size;
  const bool shell = geom.shellinertia;
  switch (geom.type) {
    case GeomType::kSphere: {
      const double i = 2 * mass * s[0] * s[0] / (shell ? 3 : 5);
      return {i, i, i};
    }
    case GeomType::kCapsule:
      return capsule_inertia(s[0], s[1], mass, shell);
    case GeomType::kCylinder:
      return cylinder_inertia(s[0], s[1], mass, shell);
    case GeomType::kEllipsoid:
      return ellipsoid_inertia(s, mass, shell);
    case GeomType::kBox:
      return box_inertia(s, mass, shell);
    default:
      return {};
  }
}

void inertia_from_geoms(Work& work, int body_id) {
  BodyWork& body = work.bodies[body_id];
  const BodySpec& spec = work.spec.bodies[body_id];
  const Ints<2> groups = work.compiler(spec).inertiagrouprange;
  std::vector<int> used;
  for (int g : body.geoms) {
    const int group = work.spec.geoms[g].group;
    if (group >= groups[0] && group <= groups[1] && work.geoms[g].mass > kCompileEps) used.push_back(g);
  }
  if (used.empty()) return;
  body.has_inertia = true;
  if (used.size() == 1) {
    // one geom: its own frame, no diagonalisation
    const GeomWork& geom = work.geoms[used[0]];
    body.inertial = geom.pose;
    body.mass = geom.mass;
    body.inertia = geom.inertia;
    return;
  }
  body.mass = 0;
  Vec3 com;
  for (int g : used) {
    body.mass += work.geoms[g].mass;
    com = com + work.geoms[g].pose.pos * work.geoms[g].mass;
  }
  if (body.mass < kCompileEps) {
    work.error(Code::kBadMass, spec, "", "its mass is too small to have a centre");
    return;
  }
  com = {com.x / body.mass, com.y / body.mass, com.z / body.mass};
  double full[3][3] = {};
  for (int g : used) {
    const GeomWork& geom = work.geoms[g];
    add_inertia(full, geom.mass, geom.pose.pos - com, geom.pose.quat, geom.inertia);
  }
  body.inertial.pos = com;
  diagonalize(full, body.inertia, body.inertial.quat);
  if (!usable_moments(work.compiler(spec), body.inertia)) {
    work.error(Code::kBadInertia, spec, "", "its geoms give it no inertia about one axis");
  }
}

void accumulate_inertia(Work& work, int body_id, int child_id) {
  BodyWork& body = work.bodies[body_id];
  const BodyWork& child = work.bodies[child_id];
  const Pose added = compose(child.pose, child.inertial);
  if (body.mass == 0 && !body.has_inertia && !child.adjusted && is_of_one_geom(work, child)) {
    body.inertial = added;
    body.mass = child.mass;
    body.inertia = child.inertia;
    return;
  }
  const double mass = body.mass + child.mass;
  if (mass < kMinVal) {
    body.mass = 0;
    body.inertia = {};
    body.inertial = {};
    return;
  }
  const Vec3 weighted = body.inertial.pos * body.mass + added.pos * child.mass;
  const Vec3 com{weighted.x / mass, weighted.y / mass, weighted.z / mass};
  double full[3][3] = {};
  add_inertia(full, body.mass, body.inertial.pos - com, body.inertial.quat, body.inertia);
  add_inertia(full, child.mass, added.pos - com, added.quat, child.inertia);
  body.mass = mass;
  body.inertial.pos = com;
  diagonalize(full, body.inertia, body.inertial.quat);
  if (!usable_moments(work.compiler(work.spec.bodies[body_id]), body.inertia)) {
    work.error(Code::kBadInertia, work.spec.bodies[body_id], "",
               "fusing static bodies leaves it without inertia about one axis");
  }
}

}  // namespace pliant
