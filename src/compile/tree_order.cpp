// Tree order: every list of the working Spec in id order, and who owns what.
// Writes Work::bodies (children, joints, geoms, sites, cameras, lights, weldid).

#include "compile/compile.h"
#include "spec/tree.h"

namespace pliant {

void index_tree(Work& work) {
  const Spec& spec = work.spec;
  for (BodyWork& body : work.bodies) {
    for (auto* list : {&body.children, &body.joints, &body.geoms, &body.sites, &body.cameras, &body.lights}) {
      list->clear();
    }
  }
  for (size_t b = 1; b < spec.bodies.size(); ++b) {
    work.bodies[spec.bodies[b].parent].children.push_back(static_cast<int>(b));
  }
  const auto own = [&](const auto& objects, std::vector<int> BodyWork::* list) {
    for (size_t i = 0; i < objects.size(); ++i) {
      (work.bodies[objects[i].body].*list).push_back(static_cast<int>(i));
    }
  };
  own(spec.joints, &BodyWork::joints);
  own(spec.geoms, &BodyWork::geoms);
  own(spec.sites, &BodyWork::sites);
  own(spec.cameras, &BodyWork::cameras);
  own(spec.lights, &BodyWork::lights);
  // welded to: the nearest body above (or itself) that can move
  for (size_t b = 1; b < spec.bodies.size(); ++b) {
    const bool moves = !work.bodies[b].joints.empty() || spec.bodies[b].mocap;
    work.bodies[b].weldid = moves ? static_cast<int>(b) : work.bodies[spec.bodies[b].parent].weldid;
  }
}

namespace {

/// Brings one kind into the order its owners list it in; returns old id → new id, -1 when dropped.
template <class SpecList, class WorkList>
std::vector<int> reorder(Work& work, SpecList& specs, WorkList& works, std::vector<int> BodyWork::* list,
                         const std::vector<int>& body_order) {
  std::vector<int> new_id(specs.size(), -1);
  SpecList new_specs;
  WorkList new_works;
  for (size_t b = 0; b < body_order.size(); ++b) {
    for (int& id : work.bodies[body_order[b]].*list) {
      const int moved = static_cast<int>(new_specs.size());
      new_id[id] = moved;
      new_specs.push_back(std::move(specs[id]));
      new_specs.back().body = static_cast<int>(b);
      if (!works.empty()) new_works.push_back(std::move(works[id]));
      id = moved;
    }
  }
  specs = std::move(new_specs);
  works = std::move(new_works);
  return new_id;
}

}  // namespace

void reindex(Work& work) {
  std::vector<int> order, stack = {0};
  while (!stack.empty()) {
    const int b = stack.back();
    stack.pop_back();
    order.push_back(b);
    const auto& children = work.bodies[b].children;
    stack.insert(stack.end(), children.rbegin(), children.rend());
  }
  std::vector<int> limited(work.joint_limited.begin(), work.joint_limited.end());
  std::vector<int> force_limited(work.joint_actfrclimited.begin(), work.joint_actfrclimited.end());
  std::vector<int> nothing;
  const auto joints = reorder(work, work.spec.joints, nothing, &BodyWork::joints, order);
  for (size_t old = 0; old < joints.size(); ++old) {
    work.joint_limited[joints[old]] = limited[old];
    work.joint_actfrclimited[joints[old]] = force_limited[old];
  }
  reorder(work, work.spec.geoms, work.geoms, &BodyWork::geoms, order);
  reorder(work, work.spec.sites, work.sites, &BodyWork::sites, order);
  reorder(work, work.spec.cameras, work.cameras, &BodyWork::cameras, order);
  reorder(work, work.spec.lights, work.lights, &BodyWork::lights, order);

  std::vector<int> new_body(work.bodies.size(), -1);
  for (size_t i = 0; i < order.size(); ++i) new_body[order[i]] = static_cast<int>(i);
  std::vector<BodySpec> specs;
  std::vector<BodyWork> bodies;
  for (int b : order) {
    specs.push_back(std::move(work.spec.bodies[b]));
    if (specs.back().parent >= 0) specs.back().parent = new_body[specs.back().parent];
    bodies.push_back(std::move(work.bodies[b]));
  }
  work.spec.bodies = std::move(specs);
  work.bodies = std::move(bodies);
  // targets of cameras and lights are body ids
  for (CameraWork& camera : work.cameras) {
    if (camera.target >= 0) camera.target = new_body[camera.target];
  }
  for (LightWork& light : work.lights) {
    if (light.target >= 0) light.target = new_body[light.target];
  }
  index_tree(work);
  index_names(work);
}

void tree_order(Work& work) {
  sort_tree(work.spec);
  work.bodies.assign(work.spec.bodies.size(), BodyWork{});
  index_tree(work);
}

}  // namespace pliant
