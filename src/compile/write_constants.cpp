// Constants of the finished Model: what set_const computes, springs given by time constants, and statistics
// given in the file.

#include <algorithm>

#include "compile/compile.h"
#include "compile/constants.h"
#include "joint/joint.h"

namespace pliant {
namespace {

// What an empty model has.
constexpr Statistic kEmptyModel = {1, 1, 0.2, 2, {0, 0, 0}};

// <joint springdamper="timeconst dampratio"/>: a spring and damper that fit the inertia the joint feels at
// qpos0, k = I / (T ζ)², b = 2 I / T.
void spring_dampers(const Work& work, Model& model) {
  for (int j = 0; j < model.njnt; ++j) {
    const auto& [timeconst, dampratio] = work.spec.joints[j].springdamper;
    if (timeconst <= 0 || dampratio <= 0) continue;
    const int first = model.jnt_dofadr[j];
    const int dofs = with_joint_type(model.jnt_type[j], [](auto type) { return type.kNumVel; });
    double weight = 0;
    for (int i = first; i < first + dofs; ++i) weight += model.dof_invweight0[i];
    const double inertia = dofs / std::max(kMinVal, weight);
    model.jnt_stiffness[j] = inertia / std::max(kMinVal, timeconst * timeconst * dampratio * dampratio);
    std::fill_n(model.dof_damping + first, dofs, 2 * inertia / std::max(kMinVal, timeconst));
  }
}

void keep_given(double& value, double given) {
  if (defined(given)) value = given;
}

}  // namespace

void write_constants(Work& work, Model& model) {
  model.stat = kEmptyModel;
  if (const int dof = fill_constants(model); dof >= 0) {
    work.warning(Code::kBadMass, work.spec.joints[model.dof_jntid[dof]], "",
                 "feels no inertia at the initial configuration: two joints of the same effect, or masses that cancel",
                 "remove one of them, or give it 'armature'");
  }
  spring_dampers(work, model);
  const Statistic& given = work.spec.statistic;
  keep_given(model.stat.meaninertia, given.meaninertia);
  keep_given(model.stat.meanmass, given.meanmass);
  keep_given(model.stat.meansize, given.meansize);
  keep_given(model.stat.extent, given.extent);
  if (defined(given.center[0])) model.stat.center = given.center;
}

}  // namespace pliant
