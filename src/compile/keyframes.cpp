// Keyframes: named states, every list brought to its full length.
//
// Reads Spec::keys, then writes key_*. What is not given is the reference state (qpos0, poses of mocap bodies, rest
// positions of springs that yield, zeros): a whole list, or the end of one that is too short, with a finding. A list
// that is too long is an error.

#include <algorithm>

#include "compile/compile.h"
#include "compile/counts.h"
#include "compile/unit_quat.h"

namespace pliant {
namespace {

// A slip of the keyboard should not ask for all memory there is.
constexpr int kMaxKeys = 1'000'000;

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

// Unit length unless too short to tell the direction.
void normalize_if_possible(double* quat) {
  const Quat q = normalized({quat[0], quat[1], quat[2], quat[3]});
  for (int k = 0; k < 4; ++k) quat[k] = q[k];
}

/// What is given, then the rest of `reference`.
void copy_onto(const double* reference, const std::vector<double>& list, int count, double* to) {
  const int given = std::min(count, static_cast<int>(list.size()));
  std::copy_n(list.begin(), given, to);
  std::copy(reference + given, reference + count, to + given);
}

void copy_or_zero(const std::vector<double>& list, int count, double* to) {
  const int given = std::min(count, static_cast<int>(list.size()));
  std::copy_n(list.begin(), given, to);
  std::fill(to + given, to + count, 0.0);
}

void write_positions(const Work& work, const KeySpec& key, double* qpos, Model& model) {
  copy_onto(model.qpos0, key.qpos, model.nq, qpos);
  int at = 0;
  for (const JointSpec& joint : work.spec.joints) {
    const JointKind& kind = joint_kind(joint.type);
    if (kind.has_quaternion()) {
      double* quat = qpos + at + kind.quaternion;
      normalize_if_possible(quat);
      make_unit(quat);
    }
    at += kind.positions;
  }
}

void write_mocap(const Work& work, const KeySpec& key, double* mpos, double* mquat, Model& model) {
  std::vector<double> positions, orientations;
  for (size_t b = 0; b < work.bodies.size(); ++b) {
    if (!work.spec.bodies[b].mocap) continue;
    const Pose& pose = work.bodies[b].pose;
    positions.insert(positions.end(), {pose.pos.x, pose.pos.y, pose.pos.z});
    orientations.insert(orientations.end(), {pose.quat.w, pose.quat.x, pose.quat.y, pose.quat.z});
  }
  copy_onto(positions.data(), key.mpos, 3 * model.nmocap, mpos);
  copy_onto(orientations.data(), key.mquat, 4 * model.nmocap, mquat);
  for (int id = 0; id < model.nmocap; ++id) normalize_if_possible(mquat + 4 * id);
}

void write_plastic(const KeySpec& key, const std::vector<double>& rest, double* plastic, const Model& model) {
  copy_onto(rest.data(), key.plastic, model.nplastic, plastic);
  for (int j = 0; j < model.njnt; ++j) {
    const bool ball = joint_kind(model.jnt_type[j]).is_ball();
    if (ball && model.jnt_plasticadr[j] >= 0) normalize_if_possible(plastic + model.jnt_plasticadr[j]);
  }
}

}  // namespace

std::vector<double> plastic_at_rest(const Model& model) {
  std::vector<double> rest(model.nplastic);
  for (int j = 0; j < model.njnt; ++j) {
    const int at = model.jnt_plasticadr[j];
    if (at < 0) continue;
    const int numbers = joint_kind(model.jnt_type[j]).positions;
    std::copy_n(model.qpos_spring + model.jnt_qposadr[j], numbers, rest.begin() + at);
  }
  for (int t = 0; t < model.ntendon; ++t) {
    if (const int at = model.tendon_plasticadr[t]; at >= 0) {
      std::copy_n(model.tendon_lengthspring + 2 * t, 2, rest.begin() + at);
    }
  }
  return rest;
}

void expand_keyframes(Work& work) {
  Spec& spec = work.spec;
  // <size nkey="…"/> is the least number: empty keyframes stand after the model's own, before attached ones
  const auto attached =
      std::find_if(spec.keys.begin(), spec.keys.end(), [](const KeySpec& key) { return key.attached; });
  const int own = static_cast<int>(attached - spec.keys.begin()), given = static_cast<int>(spec.keys.size());
  if (spec.size.nkey > kMaxKeys) {
    constexpr Origin kWholeFile{0, 0, 0};
    work.diagnostics.error(Code::kBadSize, kWholeFile, "size",
                           "<size nkey=\"" + std::to_string(spec.size.nkey) + "\"/> asks for more than " +
                               std::to_string(kMaxKeys) + " keyframes");
  } else if (spec.size.nkey > given) {
    spec.keys.insert(attached, spec.size.nkey - given, KeySpec{});
    for (size_t i = own; i < spec.keys.size(); ++i) {
      if (const std::string& name = spec.keys[i].name; !name.empty()) {
        work.names[static_cast<int>(ObjType::kKey)][name] = static_cast<int>(i);
      }
    }
  }
}

void count_keyframes(Work& work) {
  expand_keyframes(work);  // no effect the second time
  Spec& spec = work.spec;
  work.sizes.nkey = static_cast<int>(spec.keys.size());
  if (spec.keys.empty()) return;
  // what is missing is added by write_keyframes
  int64_t nq = 0, nv = 0, na = 0, nu = 0;
  for (const JointSpec& joint : spec.joints) {
    nq += joint_kind(joint.type).positions;
    nv += joint_kind(joint.type).velocities;
  }
  const int64_t nmocap =
      std::count_if(spec.bodies.begin(), spec.bodies.end(), [](const BodySpec& body) { return body.mocap; });
  for (const ActuatorWork& actuator : work.actuators) {
    na += std::max(0, actuator.actdim);
    nu += std::max(0, actuator.ctrlnum);
  }
  for (KeySpec& key : spec.keys) {
    key.qpos.resize(check_length(work, key, "qpos", key.qpos.size(), nq));
    key.mpos.resize(check_length(work, key, "mpos", key.mpos.size(), 3 * nmocap, 3));
    key.mquat.resize(check_length(work, key, "mquat", key.mquat.size(), 4 * nmocap, 4));
    key.plastic.resize(check_length(work, key, "plastic", key.plastic.size(), work.sizes.nplastic));
    key.qvel.resize(check_length(work, key, "qvel", key.qvel.size(), nv));
    key.act.resize(check_length(work, key, "act", key.act.size(), na));
    key.ctrl.resize(check_length(work, key, "ctrl", key.ctrl.size(), nu));
  }
}

void write_keyframes(Work& work, Model& model) {
  const std::vector<double> rest = plastic_at_rest(model);
  for (size_t i = 0; i < work.spec.keys.size(); ++i) {
    const KeySpec& key = work.spec.keys[i];
    model.key_time[i] = key.time;
    write_positions(work, key, model.key_qpos + i * model.nq, model);
    copy_or_zero(key.qvel, model.nv, model.key_qvel + i * model.nv);
    copy_or_zero(key.act, model.na, model.key_act + i * model.na);
    copy_or_zero(key.ctrl, model.nu, model.key_ctrl + i * model.nu);
    write_plastic(key, rest, model.key_plastic + i * model.nplastic, model);
    write_mocap(work, key, model.key_mpos + i * 3 * model.nmocap, model.key_mquat + i * 4 * model.nmocap, model);
  }
}

}  // namespace pliant
