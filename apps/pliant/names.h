#pragma once
// Objects of a model by name or number, as options name them.

#include <string>

#include "pliant/pliant.h"

namespace pliant::app {

/// The object of this name, or of this number where nothing has that name. Throws std::invalid_argument, with the name
/// that was likely meant; `kind` is what to call the object.
int find_object(const Model& m, ObjType type, const std::string& name, const char* kind);

/// The option --key of commands that start from a keyframe; "" changes nothing.
void set_key(const Model& m, const std::string& key, State& s);

}  // namespace pliant::app
