// Equality constraints: which objects they tie together, and their numbers.
//
// Reads Spec::equalities; writes Work::equalities, then eq_*. What depends on the reference pose is
// left to set_const: the anchor of a connect in its second body
// (eq_data[3..5]), and the relative pose of a weld whose quaternion was not given (eq_data[3..9];
// eq_data[11] says so).

#include <algorithm>

#include "base/text.h"
#include "compile/compile.h"
#include "compile/constants.h"
#include "compile/counts.h"
#include "compile/mimic.h"
#include "math/field_values.h"

namespace pliant {
namespace {

struct Objects {
  ObjType type;
  const char *attribute1, *attribute2;
};

Objects objects_of(const EqualitySpec& spec) {
  switch (equality_kind(spec.type).objects) {
    case EqualityObjects::kPoses:
      if (spec.objtype == ObjType::kSite) return {ObjType::kSite, "site1", "site2"};
      return {ObjType::kBody, "body1", "body2"};
    case EqualityObjects::kTendons:
      return {ObjType::kTendon, "tendon1", "tendon2"};
    case EqualityObjects::kJoints:
      break;
  }
  return {ObjType::kJoint, "joint1", "joint2"};
}

void compile_equality(Work& work, const EqualitySpec& spec, EqualityWork& equality) {
  const EqualityKind& kind = equality_kind(spec.type);
  const Objects objects = objects_of(spec);
  // the reference stores no object type where the constraint type already says it
  equality.objtype = kind.holds_poses() ? objects.type : ObjType::kUnknown;

  equality.obj1 = work.resolve(objects.type, spec.object1, spec.source, objects.attribute1);
  if (!spec.object2.empty()) {
    equality.obj2 = work.resolve(objects.type, spec.object2, spec.source, objects.attribute2);
    if (equality.obj2 < 0) return;
  } else if (objects.type == ObjType::kBody) {
    equality.obj2 = 0;  // the world
  } else if (objects.type == ObjType::kSite) {
    work.error(Code::kMissingAttribute, spec, objects.attribute1, "needs 'site1' and 'site2'");
    return;
  }
  if (equality.obj1 < 0) return;
  if (equality.obj1 == equality.obj2) {
    work.error(Code::kBadEquality, spec, objects.attribute1, "ties " + quote(spec.object1) + " to itself",
               spec.object2.empty() ? "without body2 the other body is the world" : "");
  }
  if (!kind.ties_joints()) return;
  for (const auto& [id, name, attribute] : {std::tuple{equality.obj1, spec.object1, objects.attribute1},
                                            std::tuple{equality.obj2, spec.object2, objects.attribute2}}) {
    if (id < 0 || joint_kind(work.spec.joints[id].type).is_scalar()) continue;
    work.error(Code::kBadEquality, spec, attribute,
               "can tie hinge and slide joints only; " + quote(name) + " is neither");
  }
}

}  // namespace

void compile_equalities(Work& work) {
  work.equalities.assign(work.spec.equalities.size(), {});
  for (size_t i = 0; i < work.equalities.size(); ++i) {
    EqualitySpec& spec = work.spec.equalities[i];
    if (spec.type == EqualityType::kMimic) {
      compile_mimic(work, spec, work.equalities[i]);
    } else {
      compile_equality(work, spec, work.equalities[i]);
    }
  }
}

void count_equalities(Work& work) {
  work.sizes.neq = static_cast<int>(work.spec.equalities.size());
  work.sizes.nemax = 0;
  for (const EqualitySpec& spec : work.spec.equalities) work.sizes.nemax += equality_kind(spec.type).rows;
  count_mimics(work);
}

void write_equalities(const Work& work, Model& model) {
  for (size_t i = 0; i < work.equalities.size(); ++i) {
    const EqualitySpec& spec = work.spec.equalities[i];
    const EqualityWork& equality = work.equalities[i];
    model.eq_type[i] = static_cast<int>(spec.type);
    model.eq_obj1id[i] = equality.obj1;
    model.eq_obj2id[i] = equality.obj2;
    model.eq_objtype[i] = static_cast<int>(equality.objtype);
    model.eq_active0[i] = spec.active;
    std::copy(spec.solref.begin(), spec.solref.end(), model.eq_solref + kNumRef * i);
    std::copy(spec.solimp.begin(), spec.solimp.end(), model.eq_solimp + kNumImp * i);

    // sites hold their own poses: a connect between them has no data at all
    double* data = model.eq_data + kNumEqData * i;
    const bool on_sites = equality.objtype == ObjType::kSite;
    if (on_sites && spec.type == EqualityType::kConnect) continue;
    std::copy(spec.data.begin(), spec.data.end(), data);
    if (spec.type == EqualityType::kWeld && equality.objtype == ObjType::kBody) {
      data[kWeldPoseAtQpos0] = std::all_of(data + 6, data + 10, [](double x) { return x == 0; });
      double* relative = data + 6;
      if (data[kWeldPoseAtQpos0] == 0) set(relative, 0, normalized(quat(relative, 0)));
    }
  }
  write_mimics(work, model);
}

}  // namespace pliant
