#pragma once
// The URDF schema: elements and attributes in the same form as MJCF's, so that one machinery reads both. Text between
// tags is treated as an attribute of that name.

#include "load/mjcf_schema.h"

namespace pliant {

/// Name under which the text of an element goes through schema and ledger.
inline constexpr const char* kTextAttribute = "text()";

/// The root, <robot>.
const ElementSchema& urdf_schema();
/// Any element by its unique id. Elements of a joint come in two forms: "limit" and "limit_unused", for joint types to
/// which they say nothing.
const ElementSchema& urdf_element(std::string_view id);

/// Kinds of joints, in the order of the schema's keywords.
enum class UrdfJointType : int { kRevolute, kContinuous, kPrismatic, kFixed, kFloating, kPlanar, kSpherical };

}  // namespace pliant
