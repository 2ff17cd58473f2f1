// Keyframes of models that are attached.

#include <algorithm>

#include "load/mjcf_attach.h"
#include "spec/actuator_shape.h"
#include "spec/plastic.h"
#include "spec/tree.h"

namespace pliant {
namespace {

std::vector<double> slice(const std::vector<double>& all, size_t at, size_t n) {
  if (at + n > all.size()) return {};
  return {all.begin() + at, all.begin() + at + n};
}

}  // namespace

void tie_keyframes(Spec& model, Diagnostics& diagnostics) {
  if (std::all_of(model.keys.begin(), model.keys.end(), [](const KeySpec& key) { return key.attached; })) {
    return;
  }
  const auto identify = [&](auto& list) {
    for (auto& object : list) {
      if (!object.tag) object.tag = model.next_tag++;
    }
  };
  identify(model.joints), identify(model.actuators), identify(model.bodies), identify(model.tendons);
  // numbers follow the order of the tree, which the model itself gets only when it is compiled
  Spec ordered;
  ordered.bodies = model.bodies;
  ordered.joints = model.joints;
  sort_tree(ordered);
  for (KeySpec& key : model.keys) {
    if (key.attached) continue;
    size_t q = 0, v = 0, a = 0, u = 0, m = 0, p = 0;
    for (const JointSpec& joint : ordered.joints) {
      KeyState state;
      state.tag = joint.tag;
      state.qpos = slice(key.qpos, q, joint_kind(joint.type).positions);
      state.qvel = slice(key.qvel, v, joint_kind(joint.type).velocities);
      state.plastic = slice(key.plastic, p, plastic_count(joint));
      p += plastic_count(joint);
      q += joint_kind(joint.type).positions;
      v += joint_kind(joint.type).velocities;
      key.states.push_back(std::move(state));
    }
    for (const TendonSpec& tendon : model.tendons) {
      if (tendon.springyield <= 0) continue;
      KeyState state;
      state.tag = tendon.tag;
      state.plastic = slice(key.plastic, p, kTendonPlastic);
      p += kTendonPlastic;
      key.states.push_back(std::move(state));
    }
    for (const ActuatorSpec& actuator : model.actuators) {
      KeyState state;
      state.tag = actuator.tag;
      state.act = slice(key.act, a, state_count(actuator));
      state.ctrl = slice(key.ctrl, u, control_count(actuator));
      a += state_count(actuator);
      u += control_count(actuator);
      key.states.push_back(std::move(state));
    }
    for (const BodySpec& body : ordered.bodies) {
      if (!body.mocap) continue;
      KeyState state;
      state.tag = body.tag;
      state.mpos = slice(key.mpos, 3 * m, 3);
      state.mquat = slice(key.mquat, 4 * m, 4);
      m += 1;
      key.states.push_back(std::move(state));
    }
    const auto check = [&](const char* attribute, const std::vector<double>& list, size_t most) {
      if (list.size() <= most) return;
      diagnostics.error(Code::kBadKeyframe, model.origin(key.source, attribute), "key",
                        "<key> has " + std::to_string(list.size()) + " values in '" + attribute +
                            "' where its model has " + std::to_string(most));
    };
    check("qpos", key.qpos, q);
    check("qvel", key.qvel, v);
    check("mpos", key.mpos, 3 * m);
    check("mquat", key.mquat, 4 * m);
    check("plastic", key.plastic, p);
    key.attached = true;
    for (auto* list : {&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat, &key.plastic}) list->clear();
  }
}

}  // namespace pliant
