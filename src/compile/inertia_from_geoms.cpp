// Mass properties of bodies made of geoms; those of shapes are in src/geom.

#include <algorithm>
#include <cmath>

#include "compile/compile.h"
#include "geom/primitive_hd.h"

namespace pliant {
namespace {

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
  return with_primitive(geom.type, 0.0, [&](auto shape) { return shape.volume(vec3(geom.size), geom.shellinertia); });
}

std::array<double, 3> geom_inertia(const GeomSpec& geom, double mass) {
  const Vec3 inertia = with_primitive(
      geom.type, Vec3{}, [&](auto shape) { return shape.inertia(vec3(geom.size), mass, geom.shellinertia); });
  return {inertia.x, inertia.y, inertia.z};
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
