#pragma once
// Names of a Model: one text buffer, and per object kind a hash table of twice as many slots as objects
// (linear probing). Same layout as the reference's names and names_map, so both can be compared.

#include <cstdint>
#include <string_view>

#include "pliant/model.h"

namespace pliant {

inline constexpr int kNameSlotsPerObject = 2;

/// djb2 (the xor form), reduced to the number of slots.
inline uint64_t name_hash(std::string_view name, uint64_t slots) {
  uint64_t h = 5381;
  for (char c : name) h = ((h << 5) + h) ^ static_cast<uint64_t>(static_cast<int64_t>(c));
  return h % slots;
}

/// The named kinds in the order their names and tables are stored.
struct NamedKind {
  ObjType type;
  int ModelSizes::* count;
  int32_t* Model::* address;
};
inline constexpr NamedKind kNamedKinds[] = {
    {ObjType::kBody, &ModelSizes::nbody, &Model::name_bodyadr},
    {ObjType::kJoint, &ModelSizes::njnt, &Model::name_jntadr},
    {ObjType::kGeom, &ModelSizes::ngeom, &Model::name_geomadr},
    {ObjType::kSite, &ModelSizes::nsite, &Model::name_siteadr},
    {ObjType::kCamera, &ModelSizes::ncam, &Model::name_camadr},
    {ObjType::kLight, &ModelSizes::nlight, &Model::name_lightadr},
    {ObjType::kMesh, &ModelSizes::nmesh, &Model::name_meshadr},
    {ObjType::kSkin, &ModelSizes::nskin, &Model::name_skinadr},
    {ObjType::kHfield, &ModelSizes::nhfield, &Model::name_hfieldadr},
    {ObjType::kTexture, &ModelSizes::ntex, &Model::name_texadr},
    {ObjType::kMaterial, &ModelSizes::nmat, &Model::name_matadr},
    {ObjType::kPair, &ModelSizes::npair, &Model::name_pairadr},
    {ObjType::kExclude, &ModelSizes::nexclude, &Model::name_excludeadr},
    {ObjType::kEquality, &ModelSizes::neq, &Model::name_eqadr},
    {ObjType::kTendon, &ModelSizes::ntendon, &Model::name_tendonadr},
    {ObjType::kActuator, &ModelSizes::nactuator, &Model::name_actuatoradr},
    {ObjType::kSensor, &ModelSizes::nsensor, &Model::name_sensoradr},
    {ObjType::kNumeric, &ModelSizes::nnumeric, &Model::name_numericadr},
    {ObjType::kText, &ModelSizes::ntext, &Model::name_textadr},
    {ObjType::kTuple, &ModelSizes::ntuple, &Model::name_tupleadr},
    {ObjType::kKey, &ModelSizes::nkey, &Model::name_keyadr},
};

}  // namespace pliant
