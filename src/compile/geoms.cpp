// Geoms and sites: pose, size, bounds, mass. Reads and rewrites the working specs (size); writes
// Work::geoms and Work::sites. A geom with a mesh sits in the mesh's principal frame; if it is of
// another type, that shape is fitted to the mesh.

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "compile/compile.h"
#include "geom/primitive_hd.h"

namespace pliant {
namespace {

/// fromto: pose and half length from two end points; +z points from the second to the first.
template <class S>
bool resolve_fromto(Work& work, S& object, Pose& pose) {
  const auto& e = object.fromto;
  if (object.type != GeomType::kCapsule && object.type != GeomType::kCylinder && object.type != GeomType::kEllipsoid &&
      object.type != GeomType::kBox) {
    work.error(Code::kBadGeom, object, "fromto", "fromto works for capsule, cylinder, ellipsoid and box only");
    return false;
  }
  if (object.pos[0] != 0 || object.pos[1] != 0 || object.pos[2] != 0) {
    work.error(Code::kAttributeConflict, object, "fromto", "cannot have both 'pos' and 'fromto'");
  }
  const Vec3 from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]};
  Vec3 axis = from - to;
  const double length = norm(axis);
  // half lengths below the smallest number the compiler accepts; squared, as the norm is tested
  // first
  if (length * length < kCompileEps || length / 2 < kCompileEps) {
    work.error(Code::kBadSize, object, "fromto", "the two points of fromto are the same");
    return false;
  }
  if (std::abs(length - 1) > kCompileEps) axis = {axis.x / length, axis.y / length, axis.z / length};
  object.size[1] = length / 2;
  if (object.type == GeomType::kEllipsoid || object.type == GeomType::kBox) {
    object.size[2] = object.size[1];
    object.size[1] = object.size[0];
  }
  pose.pos = {(e[0] + e[3]) / 2, (e[1] + e[4]) / 2, (e[2] + e[5]) / 2};
  pose.quat = quat_from_z(axis);
  return true;
}

template <class S>
void check_size(Work& work, const S& object) {
  if (object.type == GeomType::kPlane) {
    if (object.size[2] <= 0) {
      work.error(Code::kBadSize, object, "size", "the third size of a plane must be greater than 0",
                 "it is the spacing of the grid for drawing; the first two may be 0 for an "
                 "infinite plane");
    }
    return;
  }
  const int n = size_count(object.type);
  for (int i = 0; i < n; ++i) {
    if (object.size[i] > 0) continue;
    work.error(Code::kBadSize, object, "size",
               "needs " + std::to_string(n) + (n == 1 ? " size" : " sizes") + " greater than 0; size " +
                   std::to_string(i + 1) + " is " + number_text(object.size[i]));
    return;
  }
}

/// Sizes of a shape whose inertia is that of the mesh, or around the mesh's bounds.
void fit_to_mesh(const MeshWork& mesh, bool bounds, GeomSpec& spec) {
  const Vec3 given = vec3(spec.size);
  const Vec3 size = with_primitive(spec.type, given, [&](auto shape) {
    return bounds ? shape.around((mesh.high - mesh.low) * 0.5, given) : shape.like_inertia(mesh.box, given);
  });
  spec.size = {size.x, size.y, size.z};
}

/// Moves the geom to its mesh; fits its shape if it is not the mesh itself.
void apply_mesh(Work& work, GeomSpec& spec, GeomWork& geom) {
  if (spec.mesh.empty() || geom.data < 0) return;
  if (spec.type != GeomType::kMesh && (size_count(spec.type) == 0 || spec.type == GeomType::kPlane)) {
    work.error(Code::kBadGeom, spec, "type", "a shape of this type cannot be fitted to a mesh",
               "spheres, capsules, cylinders, ellipsoids and boxes can");
    geom.data = -1;  // (a height field's is no number of a mesh)
    return;
  }
  const MeshWork& mesh = work.meshes[geom.data];
  Pose pose = mesh.pose;
  if (spec.type != GeomType::kMesh) {
    if (mesh.failed) {
      spec.size = {1, 1, 1};  // its mesh has been reported; nothing more to say
      return;
    }
    const bool bounds = work.compiler(spec).fitaabb;
    fit_to_mesh(mesh, bounds, spec);
    if (bounds) pose.pos = pose.pos + rotate(pose.quat, (mesh.low + mesh.high) * 0.5);
    for (double& size : spec.size) size *= spec.fitscale;
    geom.data = -1;  // the shape has all that is needed of the mesh
  }
  geom.pose = compose(geom.pose, pose);
  // the surface moves as before, seen from the new frame
  auto& velocity = spec.surfacevel;
  const Vec3 angular{velocity[3], velocity[4], velocity[5]};
  const Vec3 linear = Vec3{velocity[0], velocity[1], velocity[2]} + cross(angular, pose.pos);
  const Vec3 turned[2] = {rotate(conjugate(pose.quat), linear), rotate(conjugate(pose.quat), angular)};
  for (int k = 0; k < 6; ++k) velocity[k] = turned[k / 3][k % 3];
}

/// Size of a mesh: how far it reaches along each of its axes.
void set_asset_size(const MeshWork& mesh, Reals<3>& size) {
  for (int k = 0; k < 3; ++k) size[k] = std::max(std::abs(mesh.low[k]), std::abs(mesh.high[k]));
}

/// Bounds of the shapes that are not given by `size`; size follows from them.
void set_asset_bounds(const Work& work, GeomSpec& spec, GeomWork& geom) {
  auto& s = spec.size;
  if (geom.data < 0) return;
  if (spec.type == GeomType::kMesh) {
    const Vec3 &low = work.meshes[geom.data].low, &high = work.meshes[geom.data].high;
    set_asset_size(work.meshes[geom.data], s);
    for (int k = 0; k < 3; ++k) {
      geom.bounds.aabb[k] = (low[k] + high[k]) / 2;
      geom.bounds.aabb[3 + k] = (high[k] - low[k]) / 2;
    }
    geom.bounds.rbound = std::sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
  } else {
    const auto& field = work.spec.hfields[geom.data].size;
    s = hfield_geom_size(field.data());
    geom.bounds = hfield_bounds(field.data());
  }
}

void set_bounds(const Work& work, GeomSpec& spec, GeomWork& geom) {
  if (spec.type == GeomType::kMesh || spec.type == GeomType::kHfield) {
    return set_asset_bounds(work, spec, geom);
  }
  geom.bounds = shape_bounds(spec.type, spec.size.data());
}

/// A height field has the mass of its box.
GeomSpec as_solid(const GeomSpec& spec) {
  GeomSpec solid = spec;
  if (spec.type == GeomType::kHfield) solid.type = GeomType::kBox;
  return solid;
}

/// Volume, or area for shells.
double volume_of(const Work& work, const GeomSpec& spec, const GeomWork& geom) {
  if (spec.type == GeomType::kMesh && geom.data >= 0) return work.meshes[geom.data].volume;
  return geom_volume(as_solid(spec));
}

std::array<double, 3> inertia_of(const Work& work, const GeomSpec& spec, const GeomWork& geom) {
  if (spec.type != GeomType::kMesh || geom.data < 0) return geom_inertia(as_solid(spec), geom.mass);
  const Vec3& half = work.meshes[geom.data].box;
  return {geom.mass * (half.y * half.y + half.z * half.z) / 3, geom.mass * (half.x * half.x + half.z * half.z) / 3,
          geom.mass * (half.x * half.x + half.y * half.y) / 3};
}

void set_mass(Work& work, GeomSpec& spec, GeomWork& geom) {
  const double volume = volume_of(work, spec, geom);
  if (defined(spec.mass)) {
    if (spec.mass < 0) {
      work.error(Code::kBadMass, spec, "mass", "its mass is negative: " + number_text(spec.mass));
    } else if (spec.mass > 0 && volume > kCompileEps) {
      geom.mass = spec.mass;
      geom.inertia = inertia_of(work, spec, geom);
    } else if (spec.mass > 0) {
      work.warning(Code::kDropped, spec, "mass", "has a mass but no volume to spread it in; it counts as massless");
    }
    return;
  }
  if (spec.density < 0) {
    work.error(Code::kBadMass, spec, "density", "its density is negative: " + number_text(spec.density));
  } else if (spec.density > 0) {
    geom.mass = spec.density * volume;
    geom.inertia = inertia_of(work, spec, geom);
  }
}

void set_fluid_coefficients(const GeomSpec& spec, GeomWork& geom) {
  // [on, blunt drag, slender drag, angular drag, Kutta lift, Magnus lift, added mass, added inertia]
  geom.fluid = {1, spec.fluidcoef[0], spec.fluidcoef[1], spec.fluidcoef[2], spec.fluidcoef[3], spec.fluidcoef[4]};
  const AddedMass added = added_mass(spec.type, spec.size.data());
  std::copy(added.begin(), added.end(), geom.fluid.begin() + kAddedMass);
}

}  // namespace

void compile_geom(Work& work, int id, bool infer_mass) {
  GeomSpec& spec = work.spec.geoms[id];
  GeomWork& geom = work.geoms[id];
  if (spec.condim != 1 && spec.condim != 3 && spec.condim != 4 && spec.condim != 6) {
    work.error(Code::kBadGeom, spec, "condim", "condim is 1, 3, 4 or 6, not " + std::to_string(spec.condim));
  }
  const BodyWork& body = work.bodies[spec.body];
  const bool moves = body.weldid != 0 && !work.spec.bodies[body.weldid].mocap;
  if (spec.type == GeomType::kPlane && moves) {
    work.error(Code::kBadGeom, spec, "type", "a plane cannot be on a moving body");
  }
  geom.visual = spec.contype == 0 && spec.conaffinity == 0;

  geom.pose.pos = vec3(spec.pos);
  if (defined(spec.fromto[0])) {
    resolve_fromto(work, spec, geom.pose);
  } else {
    geom.pose.quat = resolve_orientation(work, spec, spec.source, spec.orientation);
  }
  if (!spec.mesh.empty() && defined(spec.fromto[0])) {
    work.error(Code::kAttributeConflict, spec, "fromto", "cannot have both 'mesh' and 'fromto'");
  }
  if (spec.type == GeomType::kMesh && spec.shellinertia) {
    work.error(Code::kBadGeom, spec, "shellinertia", "a mesh geom cannot have 'shellinertia'",
               "set inertia=\"shell\" in the <mesh> element");
  }
  apply_mesh(work, spec, geom);
  check_size(work, spec);
  set_bounds(work, spec, geom);
  if (infer_mass) set_mass(work, spec, geom);
  if (spec.fluid_ellipsoid) set_fluid_coefficients(spec, geom);
  if (spec.frame >= 0) geom.pose = compose(work.frames[spec.frame], geom.pose);
}

void compile_site(Work& work, int id) {
  SiteSpec& spec = work.spec.sites[id];
  SiteWork& site = work.sites[id];
  const bool is_mesh = spec.type == GeomType::kMesh;
  if (!is_mesh && (size_count(spec.type) == 0 || spec.type == GeomType::kPlane)) {
    work.error(Code::kBadGeom, spec, "type", "a site cannot be a plane or a height field");
    return;
  }
  if (!is_mesh && !spec.mesh.empty()) {
    work.error(Code::kAttributeConflict, spec, "mesh", "names a mesh, but is of another type", "add type=\"mesh\"");
  } else if (is_mesh && site.data >= 0) {
    set_asset_size(work.meshes[site.data], spec.size);
  }
  site.pose.pos = vec3(spec.pos);
  if (defined(spec.fromto[0])) {
    resolve_fromto(work, spec, site.pose);
  } else {
    site.pose.quat = resolve_orientation(work, spec, spec.source, spec.orientation);
  }
  if (spec.frame >= 0) site.pose = compose(work.frames[spec.frame], site.pose);
  site.pose.quat = normalized(site.pose.quat);
  check_size(work, spec);
}

}  // namespace pliant
