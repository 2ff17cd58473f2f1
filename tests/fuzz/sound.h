#pragma once
// What every target demands of a Model.

#include "pliant/pliant.h"

namespace pliant::fuzz {

/// Aborts, saying why, unless the report has either a sound Model or an error. A sound Model has no
/// NaN and no infinity outside the fields it lists as pending, and is the same after a trip through
/// .plm.
void require_sound(const Report& report);
void require_sound(const Model& model);

}  // namespace pliant::fuzz
