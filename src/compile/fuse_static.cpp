// fusestatic: bodies without joints become part of their parent, unless something refers to them by name.
//
// Mass and inertia are added to the parent (not to the world), children take the body's place among its
// siblings, geoms, sites, cameras and lights move to the end of the parent's lists.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "compile/compile.h"
#include "compile/counts.h"
#include "spec/references.h"

namespace pliant {
namespace {

struct Reference {
  std::string body;
  bool xbody = false;  ///< named as "xbody" only
};

/// Bodies that other objects name.
std::vector<Reference> referenced_bodies(Work& work) {
  std::set<std::string> names, xbodies;
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
    if (kind == ObjType::kBody) names.insert(name);
    if (kind == ObjType::kXbody) xbodies.insert(name);
  };
  for (const SensorSpec& sensor : s.sensors) {
    add(sensor.objtype, sensor.objname);
    add(sensor.reftype, sensor.refname);
  }
  for (const TupleSpec& tuple : s.tuples) {
    for (const TupleElementSpec& element : tuple.elements) add(element.objtype, element.objname);
  }
  std::vector<Reference> all;
  for (const std::string& name : names) all.push_back({name, false});
  for (const std::string& name : xbodies) {
    if (!names.count(name)) all.push_back({name, true});
  }
  return all;
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
  // as in the reference, cameras and lights keep their pose relative to the body that is gone
  const auto keeps = [&](const SpecObject& object, const char* what) {
    work.warning(Code::kDropped, object, "",
                 std::string("keeps its pose while its body is fused into the parent: the ") + what + " moves",
                 "as in MuJoCo 4.0; attach it to a body that is not fused");
  };
  for (int c : body.cameras) keeps(work.spec.cameras[c], "camera");
  for (int l : body.lights) keeps(work.spec.lights[l], "light");
  for (auto list : {&BodyWork::geoms, &BodyWork::sites, &BodyWork::cameras, &BodyWork::lights}) {
    (parent.*list).insert((parent.*list).end(), (body.*list).begin(), (body.*list).end());
    (body.*list).clear();
  }
  rebuild_bvh(work, parent_id, id);
  parent.contype |= body.contype;
  parent.conaffinity |= body.conaffinity;
  parent.margin = std::max(parent.margin, body.margin);
}

}  // namespace

void fuse_static(Work& work) {
  if (!work.spec.compilers[0].fusestatic) return;
  const std::vector<Reference> referenced = referenced_bodies(work);
  // Which bodies the reference fuses depends on a table of body indices that it does not keep up to date
  // while bodies disappear: a reference whose old index lies beyond the shrinking list stops further fusing
  // of named bodies. Fusing less than possible does no harm, and equal ids are worth more, so the table is
  // kept here the same way. (What is named as "xbody" is not in that table: the reference fuses such a body
  // and then fails to find it; Pliant keeps it.)
  std::vector<int> alive(work.bodies.size());
  std::iota(alive.begin(), alive.end(), 0);
  std::map<std::string, size_t> index;
  for (size_t b = 0; b < work.bodies.size(); ++b) index[work.spec.bodies[b].name] = b;
  bool changed = false;
  for (size_t i = 1; i < alive.size();) {
    const int id = alive[i];
    const std::string& name = work.spec.bodies[id].name;
    bool keep = !work.bodies[id].joints.empty() || work.spec.bodies[id].mocap;
    if (!name.empty()) {
      for (const Reference& other : referenced) {
        const auto entry = index.find(other.body);
        const bool beyond = entry != index.end() && entry->second > alive.size() - 1;
        keep |= other.body == name || (beyond && !other.xbody);
      }
      keep |= carries_force_sensor(work, id);
      index[name] = i;
    }
    if (keep) {
      ++i;
      continue;
    }
    fuse(work, id);
    index.erase(name);
    alive.erase(alive.begin() + i);
    changed = true;
  }
  if (changed) reindex(work);
}

}  // namespace pliant
