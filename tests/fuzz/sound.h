#pragma once
// What every target demands of a Model.

#include "pliant/pliant.h"

namespace pliant::fuzz {

/// Aborts, saying why, unless the report has either a sound Model or an error. A sound Model has no
/// NaN and no infinity outside the fields it lists as pending, and is the same after a trip through
/// .plm.
void require_sound(const Report& report);
void require_sound(const Model& model);
/// Aborts unless the text, written as MJCF and loaded again, gives a Model with as many of everything.
void require_comes_back(std::string_view xml, const Model& model, const LoadOptions& options);

}  // namespace pliant::fuzz
