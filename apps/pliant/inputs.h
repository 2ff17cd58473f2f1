#pragma once
// What a command reads is not what it writes.

#include <string>
#include <vector>

#include "pliant/load.h"

namespace pliant::app {

/// Throws std::invalid_argument when writing `target` would overwrite the model, a file that it includes or names, or
/// one of `others`. `way_out` ends the message.
void keep_inputs(const std::string& target, const std::string& model, const LoadOptions& options,
                 const std::vector<std::string>& others = {}, const std::string& way_out = {});

}  // namespace pliant::app
