// Which object a number belongs to: by the count of the field ("nv", "nbody" …) in the field lists.

#include "pliant/kinds.h"
#include "pliant/place.h"

#include <algorithm>

namespace pliant {
namespace {

// Names of constraint rows in faults, by RowType (contacts: by their first geom).
constexpr std::string_view kRowOfEquality = "equality", kRowOfDof = "friction of dof",
                           kRowOfTendonFriction = "friction of tendon", kRowOfJoint = "limit of joint",
                           kRowOfTendon = "limit of tendon", kRowOfGeom = "contact of geom";

FieldPlace joint_place(const Model& m, const int* adr, int JointKind::* numbers, int row) {
  // joints are in the order of their addresses
  const int joint = static_cast<int>(std::upper_bound(adr, adr + m.njnt, row) - adr) - 1;
  if (joint < 0) return {};
  return {ObjType::kJoint, joint, row - adr[joint], joint_kind(m.jnt_type[joint]).*numbers};
}

/// Objects that own a stretch adr[i] … adr[i] + num[i] of an array.
FieldPlace stretch_place(ObjType type, const int* adr, const int* num, int n, int row) {
  for (int i = 0; i < n; ++i) {
    if (adr[i] >= 0 && row >= adr[i] && row < adr[i] + num[i]) return {type, i, row - adr[i], num[i]};
  }
  return {};
}

/// The spring that yields: of a joint or of a tendon.
FieldPlace plastic_place(const Model& m, int row) {
  for (int j = 0; j < m.njnt; ++j) {
    const int adr = m.jnt_plasticadr[j], n = joint_kind(m.jnt_type[j]).rest_positions();
    if (adr >= 0 && row >= adr && row < adr + n) return {ObjType::kJoint, j, row - adr, n};
  }
  for (int t = 0; t < m.ntendon; ++t) {
    const int adr = m.tendon_plasticadr[t];
    if (adr >= 0 && row >= adr && row < adr + 2) return {ObjType::kTendon, t, row - adr, 2};
  }
  return {};
}

FieldPlace by_count(const Model& m, std::string_view count, int row) {
  if (count == "nq") return joint_place(m, m.jnt_qposadr, &JointKind::positions, row);
  if (count == "nv") return joint_place(m, m.jnt_dofadr, &JointKind::velocities, row);
  if (count == "nu") return stretch_place(ObjType::kActuator, m.actuator_ctrladr, m.actuator_ctrlnum, m.nactuator, row);
  if (count == "nout") return stretch_place(ObjType::kActuator, m.actuator_outadr, m.actuator_outnum, m.nactuator, row);
  if (count == "na") return stretch_place(ObjType::kActuator, m.actuator_actadr, m.actuator_actnum, m.nactuator, row);
  if (count == "nplastic") return plastic_place(m, row);
  if (count == "nwrap") return stretch_place(ObjType::kTendon, m.tendon_adr, m.tendon_num, m.ntendon, row);
  if (count == "nsensordata") return stretch_place(ObjType::kSensor, m.sensor_adr, m.sensor_dim, m.nsensor, row);
  if (count == "nmocap") {
    for (int b = 0; b < m.nbody; ++b) {
      if (m.body_mocapid[b] == row) return {ObjType::kBody, b};
    }
    return {};
  }
  static constexpr struct {
    std::string_view count;
    ObjType type;
  } kRows[] = {{"nbody", ObjType::kBody},   {"njnt", ObjType::kJoint},     {"ngeom", ObjType::kGeom},
               {"nsite", ObjType::kSite},   {"ncam", ObjType::kCamera},    {"nlight", ObjType::kLight},
               {"neq", ObjType::kEquality}, {"ntendon", ObjType::kTendon}, {"npair", ObjType::kPair}};
  for (const auto& rows : kRows) {
    if (count == rows.count) return {rows.type, row};
  }
  return {};
}

}  // namespace

FieldPlace place_of(const Model& m, std::string_view field, int index) {
  // constraint rows: named by what they come from
  static constexpr struct {
    std::string_view field, count;
  } kRowSources[] = {{kRowOfEquality, "neq"}, {kRowOfDof, "nv"},         {kRowOfTendonFriction, "ntendon"},
                     {kRowOfJoint, "njnt"},   {kRowOfTendon, "ntendon"}, {kRowOfGeom, "ngeom"}};
  for (const auto& source : kRowSources) {
    if (field == source.field) return by_count(m, source.count, index);
  }
  for (const auto& fields : {state_fields(), data_fields()}) {
    for (const StateFieldInfo& info : fields) {
      if (field != info.name) continue;
      const int width = std::max(1, info.width(m));
      FieldPlace place = by_count(m, info.count_name, index / width);
      if (place.type == ObjType::kUnknown) return place;
      // a dof with six numbers: its own first, then those of the next dof
      place.component = place.component * width + index % width;
      place.components *= width;
      return place;
    }
  }
  // parameters of the Model that a step found fault with
  for (int i = 0; const FieldInfo& info : model_fields()) {
    if (field == info.name) return by_count(m, info.count_name, index / std::max(1, m.field_width(i)));
    ++i;
  }
  return {};
}

const char* row_source(RowType type) {
  switch (type) {
    case RowType::kEquality:
      return kRowOfEquality.data();
    case RowType::kFrictionDof:
      return kRowOfDof.data();
    case RowType::kFrictionTendon:
      return kRowOfTendonFriction.data();
    case RowType::kLimitJoint:
      return kRowOfJoint.data();
    case RowType::kLimitTendon:
      return kRowOfTendon.data();
    default:
      return kRowOfGeom.data();
  }
}

const char* kind_word(ObjType type) {
  switch (type) {
    case ObjType::kBody:
      return "body";
    case ObjType::kJoint:
      return "joint";
    case ObjType::kGeom:
      return "geom";
    case ObjType::kSite:
      return "site";
    case ObjType::kCamera:
      return "camera";
    case ObjType::kLight:
      return "light";
    case ObjType::kEquality:
      return "equality";
    case ObjType::kTendon:
      return "tendon";
    case ObjType::kActuator:
      return "actuator";
    case ObjType::kSensor:
      return "sensor";
    default:
      return "";
  }
}

std::string object_text(const Model& m, const FieldPlace& place) {
  if (place.type == ObjType::kUnknown || place.id < 0) return {};
  const std::string_view name = m.name(place.type, place.id);
  const std::string kind = kind_word(place.type);
  return name.empty() ? kind + " " + std::to_string(place.id) : kind + " '" + std::string(name) + "'";
}

}  // namespace pliant
