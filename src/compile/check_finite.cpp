// The last look at a Model: numbers that were finite in the file may overflow on the way (a size of
// 1e200 has a volume beyond double precision), and no Model with NaN or infinity is handed out.
//
// Reads every real array that is not pending; reports the first bad number of each, at the object
// it belongs to.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "compile/compile.h"

namespace pliant {
namespace {

/// Whose numbers a field holds: one row per object, or, with an address, rows from the object's
/// first on.
struct Owner {
  std::string_view count;
  ObjType type;
  int32_t* Model::* address = nullptr;
};
constexpr Owner kOwners[] = {
    {"nbody", ObjType::kBody},
    {"njnt", ObjType::kJoint},
    {"nv", ObjType::kJoint, &Model::jnt_dofadr},
    {"nq", ObjType::kJoint, &Model::jnt_qposadr},
    {"ngeom", ObjType::kGeom},
    {"nsite", ObjType::kSite},
    {"ncam", ObjType::kCamera},
    {"nlight", ObjType::kLight},
    {"nmesh", ObjType::kMesh},
    {"nmeshvert", ObjType::kMesh, &Model::mesh_vertadr},
    {"nmeshnormal", ObjType::kMesh, &Model::mesh_normaladr},
    {"nmeshtexcoord", ObjType::kMesh, &Model::mesh_texcoordadr},
    {"nmeshpoly", ObjType::kMesh, &Model::mesh_polyadr},
    {"nhfield", ObjType::kHfield},
    {"nhfielddata", ObjType::kHfield, &Model::hfield_adr},
    {"nmat", ObjType::kMaterial},
    {"npair", ObjType::kPair},
    {"neq", ObjType::kEquality},
    {"ntendon", ObjType::kTendon},
    {"nwrap", ObjType::kTendon, &Model::tendon_adr},
    {"nactuator", ObjType::kActuator},
    {"nu", ObjType::kActuator, &Model::actuator_ctrladr},
    {"nout", ObjType::kActuator, &Model::actuator_outadr},
    {"nsensor", ObjType::kSensor},
    {"nnumericdata", ObjType::kNumeric, &Model::numeric_adr},
    {"ntupledata", ObjType::kTuple, &Model::tuple_adr},
    {"nkey", ObjType::kKey},
};

template <class T>
std::optional<size_t> first_bad(const void* data, size_t n) {
  const T* begin = static_cast<const T*>(data);
  const T* found = std::find_if(begin, begin + n, [](T x) { return !std::isfinite(x); });
  if (found == begin + n) return std::nullopt;
  return found - begin;
}

constexpr Origin kWholeFile{0, 0, 0};

/// Where the object was written that owns a row of the field.
Origin origin_of(const Model& model, std::string_view count, int row) {
  for (const Owner& owner : kOwners) {
    if (owner.count != count) continue;
    const auto found = model.origins.find(owner.type);
    if (found == model.origins.end()) return kWholeFile;
    int id = row;
    if (owner.address) {
      const int32_t* address = model.*owner.address;
      id = -1;
      for (int i = 0; i < model.count(owner.type); ++i) {
        if (address[i] >= 0 && address[i] <= row) id = i;
      }
    }
    if (id < 0 || id >= static_cast<int>(found->second.size())) return kWholeFile;
    const Origin at = found->second[id];
    return at.file >= 0 ? at : kWholeFile;
  }
  return kWholeFile;
}

}  // namespace

void check_finite(Work& work, const Model& model) {
  // the one statistic that is computed from the file's numbers here
  if (!std::isfinite(model.stat.meanmass)) {
    work.diagnostics.error(Code::kNotFinite, kWholeFile, "", "the masses of the model have no finite sum");
  }
  const auto fields = model_fields();
  for (int i = 0; i < static_cast<int>(fields.size()); ++i) {
    const FieldInfo& field = fields[i];
    const size_t n = size_t(model.field_count(i)) * model.field_width(i);
    const auto bad = field.scalar == Scalar::real  ? first_bad<double>(model.field_data(i), n)
                     : field.scalar == Scalar::f32 ? first_bad<float>(model.field_data(i), n)
                                                   : std::nullopt;
    if (!bad || std::count(model.pending.begin(), model.pending.end(), field.name)) continue;
    const int row = static_cast<int>(*bad / model.field_width(i));
    work.diagnostics.error(Code::kNotFinite, origin_of(model, field.count_name, row), "",
                           std::string(field.name) +
                               " is not finite: the numbers it is computed from are "
                               "too large or too small");
  }
}

}  // namespace pliant
