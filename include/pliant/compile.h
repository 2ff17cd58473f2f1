#pragma once
// Specs into Models.

#include <optional>
#include <string>

#include "pliant/diagnostics.h"
#include "pliant/model.h"
#include "pliant/spec.h"

namespace pliant {

struct CompileOptions {
  std::string cache_dir;  ///< as in LoadOptions
};

struct Compiled {
  std::optional<Model> model;  ///< absent when there were errors
};

/// Compiles; findings are appended to the sink.
Compiled compile(const Spec& spec, Diagnostics& diagnostics, const CompileOptions& options = {});

}  // namespace pliant
