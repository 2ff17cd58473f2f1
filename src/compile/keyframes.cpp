// Keyframes: named states, every list brought to its full length.
//
// Reads Spec::keys; completes them in place, then writes key_*. A list that was not given takes the
// reference state (qpos0, body poses of mocap bodies, zeros). One that is too short is filled up,
// with a finding; one that is too long is an error. What fills up qpos and the mocap lists is not
// the reference state but the numbers as written: a hinge's ref before its conversion to radians,
// zeros for a free or ball joint (its quaternion then becomes the identity), a mocap body's own pos
// and quat attributes. Odd, but it is what the reference does; so expand_keyframes must run before
// joints are compiled.

#include <algorithm>

#include "compile/compile.h"
#include "compile/counts.h"
#include "compile/unit_quat.h"

namespace pliant {
namespace {

// A slip of the keyboard should not ask for all memory there is.
constexpr int kMaxKeys = 1'000'000;

int positions_of(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 7;
    case JointType::kBall:
      return 4;
    default:
      return 1;
  }
}

int velocities_of(JointType type) {
  switch (type) {
    case JointType::kFree:
      return 6;
    case JointType::kBall:
      return 3;
    default:
      return 1;
  }
}

// Full qpos, mpos and mquat as the filling rules want them.
struct Filling {
  std::vector<double> qpos, mpos, mquat;
};

Filling make_filling(const Spec& spec) {
  Filling filling;
  for (const JointSpec& joint : spec.joints) {
    filling.qpos.push_back(joint.ref);
    filling.qpos.resize(filling.qpos.size() + positions_of(joint.type) - 1, 0);
  }
  for (const BodySpec& body : spec.bodies) {
    if (!body.mocap) continue;
    filling.mpos.insert(filling.mpos.end(), body.pos.begin(), body.pos.end());
    const auto& quat = body.orientation.quat;
    filling.mquat.insert(filling.mquat.end(), quat.begin(), quat.end());
  }
  return filling;
}

// Reports a list that is not as long as the model wants it; an empty one means "not given". Returns
// how many of its numbers count: whole items of `width` numbers, no more than `wanted`.
size_t check_length(Work& work, const KeySpec& key, const char* attribute, size_t given, int64_t wanted,
                    size_t width = 1) {
  const size_t full = static_cast<size_t>(wanted);
  if (given == 0 || given == full) return given;
  const std::string counts =
      "has " + std::to_string(given) + " values in '" + attribute + "' where the model has " + std::to_string(full);
  if (given > full) {
    work.error(Code::kBadKeyframe, key, attribute, counts);
    return full;
  }
  const size_t kept = given / width * width;
  work.warning(Code::kPaddedKeyframe, key, attribute,
               counts + "; the last " + std::to_string(full - kept) + " are filled in" +
                   (kept < given ? " (an incomplete item does not count)" : ""));
  return kept;
}

// Brings a list to the length of `full`, unless it was not given.
void complete(Work& work, const KeySpec& key, const char* attribute, std::vector<double>& list,
              const std::vector<double>& full, size_t width = 1) {
  if (list.empty()) return;
  const size_t wanted = full.size();
  const size_t kept = check_length(work, key, attribute, list.size(), wanted, width);
  list.resize(kept);
  list.insert(list.end(), full.begin() + kept, full.end());
}

// Unit length unless too short to tell the direction.
void normalize_if_possible(double* quat) {
  const Quat q = normalized({quat[0], quat[1], quat[2], quat[3]});
  for (int k = 0; k < 4; ++k) quat[k] = q[k];
}

void copy_or_zero(const std::vector<double>& list, int count, double* to) {
  const int given = std::min(count, static_cast<int>(list.size()));
  std::copy_n(list.begin(), given, to);
  std::fill(to + given, to + count, 0.0);
}

void write_positions(const Work& work, const KeySpec& key, double* qpos, Model& model) {
  if (key.qpos.empty()) {
    std::copy_n(model.qpos0, model.nq, qpos);
  } else {
    copy_or_zero(key.qpos, model.nq, qpos);
  }
  int at = 0;
  for (const JointSpec& joint : work.spec.joints) {
    if (joint.type == JointType::kFree || joint.type == JointType::kBall) {
      double* quat = qpos + at + (joint.type == JointType::kFree ? 3 : 0);
      normalize_if_possible(quat);
      make_unit(quat);
    }
    at += positions_of(joint.type);
  }
}

void write_mocap(const Work& work, const KeySpec& key, double* mpos, double* mquat, Model& model) {
  copy_or_zero(key.mpos, 3 * model.nmocap, mpos);
  copy_or_zero(key.mquat, 4 * model.nmocap, mquat);
  int id = 0;
  for (size_t b = 0; b < work.bodies.size(); ++b) {
    if (!work.spec.bodies[b].mocap || id >= model.nmocap) continue;
    const Pose& pose = work.bodies[b].pose;
    for (int k = 0; k < 3 && key.mpos.empty(); ++k) mpos[3 * id + k] = pose.pos[k];
    for (int k = 0; k < 4 && key.mquat.empty(); ++k) mquat[4 * id + k] = pose.quat[k];
    normalize_if_possible(mquat + 4 * id);
    ++id;
  }
}

}  // namespace

void expand_keyframes(Work& work) {
  Spec& spec = work.spec;
  // <size nkey="…"/> asks for room: empty keyframes after the model's own, before attached ones
  const auto attached =
      std::find_if(spec.keys.begin(), spec.keys.end(), [](const KeySpec& key) { return key.attached; });
  const int own = static_cast<int>(attached - spec.keys.begin());
  if (spec.size.nkey > kMaxKeys) {
    constexpr Origin kWholeFile{0, 0, 0};
    work.diagnostics.error(Code::kBadSize, kWholeFile, "size",
                           "<size nkey=\"" + std::to_string(spec.size.nkey) + "\"/> asks for more than " +
                               std::to_string(kMaxKeys) + " keyframes");
  } else if (spec.size.nkey > own) {
    spec.keys.insert(attached, spec.size.nkey - own, KeySpec{});
    for (size_t i = own; i < spec.keys.size(); ++i) {
      if (const std::string& name = spec.keys[i].name; !name.empty()) {
        work.names[static_cast<int>(ObjType::kKey)][name] = static_cast<int>(i);
      }
    }
  }
  if (spec.keys.empty()) return;
  const Filling filling = make_filling(spec);
  for (KeySpec& key : spec.keys) {
    complete(work, key, "qpos", key.qpos, filling.qpos);
    complete(work, key, "mpos", key.mpos, filling.mpos, 3);
    complete(work, key, "mquat", key.mquat, filling.mquat, 4);
  }
}

void count_keyframes(Work& work) {
  expand_keyframes(work);  // no effect the second time
  Spec& spec = work.spec;
  work.sizes.nkey = static_cast<int>(spec.keys.size());
  if (spec.keys.empty()) return;
  // what is missing here is zero, which write_keyframes adds
  int64_t nv = 0, na = 0, nu = 0;
  for (const JointSpec& joint : spec.joints) nv += velocities_of(joint.type);
  for (const ActuatorWork& actuator : work.actuators) {
    na += std::max(0, actuator.actdim);
    nu += std::max(0, actuator.ctrlnum);
  }
  for (KeySpec& key : spec.keys) {
    key.qvel.resize(check_length(work, key, "qvel", key.qvel.size(), nv));
    key.act.resize(check_length(work, key, "act", key.act.size(), na));
    key.ctrl.resize(check_length(work, key, "ctrl", key.ctrl.size(), nu));
  }
}

void write_keyframes(Work& work, Model& model) {
  for (size_t i = 0; i < work.spec.keys.size(); ++i) {
    const KeySpec& key = work.spec.keys[i];
    model.key_time[i] = key.time;
    write_positions(work, key, model.key_qpos + i * model.nq, model);
    copy_or_zero(key.qvel, model.nv, model.key_qvel + i * model.nv);
    copy_or_zero(key.act, model.na, model.key_act + i * model.na);
    copy_or_zero(key.ctrl, model.nu, model.key_ctrl + i * model.nu);
    write_mocap(work, key, model.key_mpos + i * 3 * model.nmocap, model.key_mquat + i * 4 * model.nmocap, model);
  }
}

}  // namespace pliant
