#pragma once
// Small tables that the MJCF reader and the MJCF writer share beside the schema: flags, kinds of objects, sides
// of a cube, forms of an orientation.

#include "pliant/spec.h"

namespace pliant {

/// A word of <option><flag>.
struct FlagBit {
  const char* name;
  int bit;
  bool disables;  // a bit of disableflags, set by "disable"; else of enableflags, set by "enable"
};
inline constexpr FlagBit kFlagBits[] = {{"constraint", 1 << 0, true},    {"equality", 1 << 1, true},
                                        {"frictionloss", 1 << 2, true},  {"limit", 1 << 3, true},
                                        {"contact", 1 << 4, true},       {"spring", 1 << 5, true},
                                        {"damper", 1 << 6, true},        {"gravity", 1 << 7, true},
                                        {"clampctrl", 1 << 8, true},     {"warmstart", 1 << 9, true},
                                        {"filterparent", 1 << 10, true}, {"actuation", 1 << 11, true},
                                        {"refsafe", 1 << 12, true},      {"sensor", 1 << 13, true},
                                        {"midphase", 1 << 14, true},     {"eulerdamp", 1 << 15, true},
                                        {"autoreset", 1 << 16, true},    {"nativeccd", 1 << 17, true},
                                        {"island", 1 << 18, true},       {"multiccd", 1 << 19, true},
                                        {"override", 1 << 0, false},     {"energy", 1 << 1, false},
                                        {"fwdinv", 1 << 2, false},       {"invdiscrete", 1 << 3, false},
                                        {"sleep", 1 << 4, false},        {"diagexact", 1 << 5, false},
                                        {"speculative", 1 << 7, false},  {"speculative_exact", 1 << 8, false},
                                        {"diagstack", 1 << 9, false}};

/// What an entry of a <tuple> may name.
struct ObjectWord {
  const char* word;
  ObjType type;
};
inline constexpr ObjectWord kTupleTypes[] = {
    {"body", ObjType::kBody},         {"xbody", ObjType::kXbody},     {"joint", ObjType::kJoint},
    {"dof", ObjType::kDof},           {"geom", ObjType::kGeom},       {"site", ObjType::kSite},
    {"camera", ObjType::kCamera},     {"light", ObjType::kLight},     {"mesh", ObjType::kMesh},
    {"skin", ObjType::kSkin},         {"hfield", ObjType::kHfield},   {"texture", ObjType::kTexture},
    {"material", ObjType::kMaterial}, {"pair", ObjType::kPair},       {"exclude", ObjType::kExclude},
    {"equality", ObjType::kEquality}, {"tendon", ObjType::kTendon},   {"actuator", ObjType::kActuator},
    {"sensor", ObjType::kSensor},     {"numeric", ObjType::kNumeric}, {"text", ObjType::kText},
    {"tuple", ObjType::kTuple},       {"key", ObjType::kKey}};

/// Attributes of <texture>, in the order of TextureSpec::cubefiles.
inline constexpr const char* kTextureSides[] = {"fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"};

/// The attribute `texture` of a material is its layer of this role.
inline constexpr int kRoleRgb = 1;

/// How an orientation can be written.
struct OrientationForm {
  const char* name;
  OrientationKind kind;
  int count;
};
inline constexpr OrientationForm kOrientationForms[] = {{"quat", OrientationKind::kQuat, 4},
                                                        {"axisangle", OrientationKind::kAxisAngle, 4},
                                                        {"xyaxes", OrientationKind::kXyAxes, 6},
                                                        {"zaxis", OrientationKind::kZAxis, 3},
                                                        {"euler", OrientationKind::kEuler, 3}};

}  // namespace pliant
