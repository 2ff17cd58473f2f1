// fusestatic: bodies without joints become part of their parent, unless something refers to them by name.
//
// Mass and inertia are added to the parent (not to the world), children take the body's place among its
// siblings, geoms, sites, cameras and lights move to the end of the parent's lists.

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "spec/references.h"

namespace pliant {
namespace {

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
  // a force or torque sensor measures between its site's body and the parent: fusing would lose it
  for (const SensorSpec& sensor : s.sensors) {
    if (sensor.type != SensorType::kForce && sensor.type != SensorType::kTorque) continue;
    const int site = work.find(ObjType::kSite, sensor.objname);
    if (site >= 0) names.insert(s.bodies[s.sites[site].body].name);
  }
  names.erase("");
  return names;
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
  parent.contype |= body.contype;
  parent.conaffinity |= body.conaffinity;
  parent.margin = std::max(parent.margin, body.margin);
}

}  // namespace

void fuse_static(Work& work) {
  if (!work.spec.compilers[0].fusestatic) return;
  const std::set<std::string> kept = referenced_bodies(work);
  int fused = 0;
  for (size_t b = 1; b < work.bodies.size(); ++b) {
    const BodySpec& spec = work.spec.bodies[b];
    if (!work.bodies[b].joints.empty() || spec.mocap || kept.count(spec.name)) continue;
    fuse(work, static_cast<int>(b));
    ++fused;
  }
  if (fused > 0) reindex(work);
}

}  // namespace pliant
