// fusestatic: bodies without joints become part of their parent, unless something refers to them, they ask not to
// (fuse="false"), or forces would change.
//
// Mass and inertia are added to the parent (not to the world), children take the body's place among its
// siblings, geoms, sites, cameras and lights move to the end of the parent's lists.

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "spec/references.h"

namespace pliant {
namespace {

/// Names of bodies that other objects refer to.
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
  collect(s.sensors);
  collect(s.tuples);
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
    light.pos = body.pose.pos + rotate(body.pose.quat, light.pos);
    light.dir = rotate(body.pose.quat, light.dir);
  }
  for (auto list : {&BodyWork::geoms, &BodyWork::sites, &BodyWork::cameras, &BodyWork::lights}) {
    (parent.*list).insert((parent.*list).end(), (body.*list).begin(), (body.*list).end());
    (body.*list).clear();
  }
}

/// Whether the model would move differently without the body, or something could no longer be found.
bool must_stay(const Work& work, int id, const std::set<std::string>& referenced) {
  const BodySpec& spec = work.spec.bodies[id];
  const BodyWork& body = work.bodies[id];
  if (!body.joints.empty() || spec.mocap || !spec.fuse_allowed || spec.sleep != SleepPolicy::kAuto) return true;
  if ((!spec.name.empty() && referenced.count(spec.name)) || carries_force_sensor(work, id)) return true;
  if (spec.parent == 0) return false;
  const BodySpec& parent = work.spec.bodies[spec.parent];
  const Options& option = work.spec.option;
  const bool fluid = option.density != 0 || option.viscosity != 0;
  if (body.mass >= kMinVal && (fluid || spec.gravcomp != parent.gravcomp)) return true;
  const bool drags =
      std::any_of(body.geoms.begin(), body.geoms.end(), [&](int g) { return work.spec.geoms[g].fluid_ellipsoid; });
  if (fluid && drags) return true;
  const bool inferred = work.compiler(spec).inertiafromgeom == InertiaFromGeom::kTrue;
  return inferred && (body.adjusted || work.bodies[spec.parent].adjusted);
}

}  // namespace

void fuse_static(Work& work) {
  if (!work.spec.compilers[0].fusestatic) return;
  const std::set<std::string> referenced = referenced_bodies(work);
  bool changed = false;
  for (size_t id = 1; id < work.bodies.size(); ++id) {
    if (must_stay(work, static_cast<int>(id), referenced)) continue;
    fuse(work, static_cast<int>(id));
    changed = true;
  }
  if (changed) reindex(work);
}

}  // namespace pliant
