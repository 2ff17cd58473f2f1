// Keyframes that came with attached models: values of single joints, actuators and mocap bodies on top of
// the reference configuration of the whole model. Reads Model::qpos0 and poses; completes Spec::keys.
//
// As in the reference, replicated copies other than the first stay at the reference configuration.

#include <algorithm>
#include <map>

#include "compile/compile.h"
#include "compile/counts.h"

namespace pliant {
namespace {

/// values[address …] = given, when given at all; the list is made from `reference` on first use.
void set(std::vector<double>& values, const double* reference, int count, int address,
         const std::vector<double>& given) {
  if (given.empty()) return;
  if (values.empty()) values.assign(reference, reference + count);
  std::copy(given.begin(), given.end(), values.begin() + address);
}

}  // namespace

void expand_attached_keys(Work& work, const Model& model) {
  std::map<int, int> joints, actuators, bodies, tendons;  // tag → id
  const auto index = [](const auto& list, std::map<int, int>& ids) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (list[i].tag) ids[list[i].tag] = static_cast<int>(i);
    }
  };
  index(work.spec.joints, joints);
  index(work.spec.actuators, actuators);
  index(work.spec.bodies, bodies);
  index(work.spec.tendons, tendons);
  const std::vector<double> rest = plastic_at_rest(model);
  const std::vector<double> zeros(std::max({model.nv, model.na, model.nu, 1}), 0.0);
  std::vector<double> mpos(3 * model.nmocap), mquat(4 * model.nmocap);
  for (int b = 0; b < model.nbody; ++b) {
    const int id = model.body_mocapid[b];
    if (id < 0) continue;
    std::copy_n(model.body_pos + 3 * b, 3, mpos.begin() + 3 * id);
    std::copy_n(model.body_quat + 4 * b, 4, mquat.begin() + 4 * id);
  }
  for (KeySpec& key : work.spec.keys) {
    if (!key.attached) continue;
    for (const KeyState& state : key.states) {
      if (const auto j = joints.find(state.tag); j != joints.end()) {
        set(key.qpos, model.qpos0, model.nq, model.jnt_qposadr[j->second], state.qpos);
        set(key.qvel, zeros.data(), model.nv, model.jnt_dofadr[j->second], state.qvel);
        const int plastic = model.jnt_plasticadr[j->second];
        if (plastic >= 0) set(key.plastic, rest.data(), model.nplastic, plastic, state.plastic);
      } else if (const auto t = tendons.find(state.tag); t != tendons.end()) {
        const int plastic = model.tendon_plasticadr[t->second];
        if (plastic >= 0) set(key.plastic, rest.data(), model.nplastic, plastic, state.plastic);
      } else if (const auto a = actuators.find(state.tag); a != actuators.end()) {
        const int address = model.actuator_actadr[a->second];
        if (address >= 0) set(key.act, zeros.data(), model.na, address, state.act);
        set(key.ctrl, zeros.data(), model.nu, model.actuator_ctrladr[a->second], state.ctrl);
      } else if (const auto b = bodies.find(state.tag); b != bodies.end()) {
        const int id = model.body_mocapid[b->second];
        if (id < 0) continue;
        set(key.mpos, mpos.data(), 3 * model.nmocap, 3 * id, state.mpos);
        set(key.mquat, mquat.data(), 4 * model.nmocap, 4 * id, state.mquat);
      }
    }
  }
}

}  // namespace pliant
