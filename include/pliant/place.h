#pragma once
// Which object a number of State or Data belongs to.

#include <string>
#include <string_view>

#include "pliant/state.h"

namespace pliant {

/// An object of a model, and which of its numbers is meant.
struct FieldPlace {
  ObjType type = ObjType::kUnknown;  ///< kUnknown: the number belongs to no object
  int id = -1;
  int component = 0;   ///< counted within the object
  int components = 1;  ///< numbers the object has in the array
};

/// The object to which `field[index]` belongs (index counts single numbers): the joint of a qpos or
/// qvel, the actuator of a ctrl, the body of an xpos, the sensor of a sensordata.
FieldPlace place_of(const Model& model, std::string_view field, int index);

/// What a constraint row of this type comes from, as place_of knows it: "limit of joint", "contact of geom" …
const char* row_source(RowType type);

/// "joint", "actuator", …
const char* kind_word(ObjType type);

/// "actuator 'elbow'", "joint 3" when it has no name; "" when there is no object.
std::string object_text(const Model& model, const FieldPlace& place);

}  // namespace pliant
