// fusestatic: bodies without joints become part of their parent, unless something refers to them by name or the model would
// behave differently without them.
//
// Mass and inertia are added to the parent (not to the world), children take the body's place among its
// siblings, geoms, sites, cameras and lights move to the end of the parent's lists.

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "compile/counts.h"
#include "spec/references.h"

namespace pliant {
namespace {

/// Names of bodies that other objects name.
std::set<std::string> referenced_bodies(Work& work) {
  std::set<std::string> names;
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        if (kind == ObjType::kBody) names.insert(name);
      });
    }
  };
  Spec& s = work.spec;
  collect(s.cameras);
  collect(s.lights);
  collect(s.skins);
  collect(s.excludes);
  collect(s.equalities);
  collect(s.actuators);
  const auto add = [&](ObjType kind, const std::string& name) {
    if (kind == ObjType::kBody || kind == ObjType::kXbody) names.insert(name);
  };
  for (const SensorSpec& sensor : s.sensors) {
    add(sensor.objtype, sensor.objname);
    add(sensor.reftype, sensor.refname);
  }
  for (const TupleSpec& tuple : s.tuples) {
    for (const TupleElementSpec& element : tuple.elements) add(element.objtype, element.objname);
  }
  return names;
}

/// A force or torque sensor measures between its site's body and the parent: fusing would lose it.
bool carries_force_sensor(const Work& work, int body) {
  for (const SensorSpec& sensor : work.spec.sensors) {
    if (sensor.type != SensorType::kForce && sensor.type != SensorType::kTorque) continue;
    const int site = work.find(ObjType::kSite, sensor.objname);
    const auto& own = work.bodies[body].sites;
    if (std::find(own.begin(), own.end(), site) != own.end()) return true;
  }
  return false;
}

/// Whether forces depend on the body being one of its own: its weight is carried, or it moves through a fluid.
bool feels_its_own_forces(const Work& work, int id) {
  const BodySpec& body = work.spec.bodies[id];
  int carrier = id;
  while (carrier != 0 && work.bodies[carrier].joints.empty()) carrier = work.spec.bodies[carrier].parent;
  if (carrier == 0) return false;  // forces on what stands still do nothing
  const bool fluid = work.spec.option.density != 0 || work.spec.option.viscosity != 0;
  const bool has_mass = work.bodies[id].mass > 0;
  if (has_mass && (fluid || body.gravcomp != work.spec.bodies[body.parent].gravcomp)) return true;
  const auto& geoms = work.bodies[id].geoms;
  return fluid && std::any_of(geoms.begin(), geoms.end(), [&](int g) { return work.spec.geoms[g].fluid_ellipsoid; });
}

/// Whether geoms of both bodies together would have another inertia than their bodies have: bounds and balancing
/// apply to bodies.
bool inertia_was_adjusted(const Work& work, int id) {
  const BodySpec& body = work.spec.bodies[id];
  if (work.compiler(body).inertiafromgeom != InertiaFromGeom::kTrue) return false;
  return work.bodies[id].adjusted || work.bodies[body.parent].adjusted;
}

void fuse(Work& work, int id) {
  BodyWork& body = work.bodies[id];
  const int parent_id = work.spec.bodies[id].parent;
  if (parent_id != 0 && body.mass >= kMinVal) accumulate_inertia(work, parent_id, id);
  BodyWork& parent = work.bodies[parent_id];
  for (int c : body.children) {
    work.bodies[c].pose = compose(body.pose, work.bodies[c].pose);
    work.spec.bodies[c].parent = parent_id;
  }
  const auto place = std::find(parent.children.begin(), parent.children.end(), id);
  const auto at = parent.children.erase(place);
  parent.children.insert(at, body.children.begin(), body.children.end());

  for (int g : body.geoms) work.geoms[g].pose = compose(body.pose, work.geoms[g].pose);
  for (int s : body.sites) work.sites[s].pose = compose(body.pose, work.sites[s].pose);
  for (int c : body.cameras) work.cameras[c].pose = compose(body.pose, work.cameras[c].pose);
  for (int l : body.lights) {
    LightWork& light = work.lights[l];
    light.pos = compose(body.pose, Pose{light.pos, {}}).pos;
    light.dir = rotate(body.pose.quat, light.dir);
  }
  for (auto list : {&BodyWork::geoms, &BodyWork::sites, &BodyWork::cameras, &BodyWork::lights}) {
    (parent.*list).insert((parent.*list).end(), (body.*list).begin(), (body.*list).end());
    (body.*list).clear();
  }
  parent.contype |= body.contype;
  parent.conaffinity |= body.conaffinity;
  parent.margin = std::max(parent.margin, body.margin);
}

}  // namespace

void fuse_static(Work& work) {
  if (!work.spec.compilers[0].fusestatic) return;
  const std::set<std::string> referenced = referenced_bodies(work);
  bool changed = false;
  for (int id = 1; id < static_cast<int>(work.bodies.size()); ++id) {
    const BodySpec& spec = work.spec.bodies[id];
    const bool keep = !work.bodies[id].joints.empty() || spec.mocap || !spec.fuse_allowed ||
                      spec.sleep != SleepPolicy::kAuto || (!spec.name.empty() && referenced.count(spec.name)) ||
                      carries_force_sensor(work, id) || feels_its_own_forces(work, id) ||
                      inertia_was_adjusted(work, id);
    if (keep) continue;
    fuse(work, id);
    changed = true;
  }
  if (changed) reindex(work);
}

}  // namespace pliant
