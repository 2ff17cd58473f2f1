#pragma once
// MJCF text in the form that MuJoCo writes itself: angles in radians, no Euler sequence that nothing uses, sizes of
// user data, all numbers of a default class, an empty line between sections. What a reader makes of it is the same
// model.

#include <string>

#include "pliant/write.h"

namespace pliant {

/// As write_mjcf().
std::string write_mjcf_in_reference_form(const Spec& spec, Diagnostics& diagnostics, const WriteOptions& options = {});

}  // namespace pliant
