#pragma once
// A model together with the Spec it was compiled from: the Spec knows which attribute stands where.

#include <optional>
#include <string>
#include <vector>

#include "pliant/pliant.h"

namespace pliant::app {

struct LoadedModel {
  std::optional<Spec> spec;  // none for binary models
  std::optional<Model> model;
  std::vector<Diagnostic> diagnostics;
};

inline LoadOptions options_of(bool allow_unsupported, const UrdfOptions& urdf) {
  LoadOptions options;
  options.allow_unsupported = allow_unsupported;
  options.urdf = urdf;
  return options;
}

inline LoadedModel load_with_spec(const std::string& path, const LoadOptions& options) {
  LoadedModel out;
  Report report = load_report(path, options);
  out.model = std::move(report.model);
  out.diagnostics = std::move(report.diagnostics);
  if (out.model && !path.ends_with(".plm")) out.spec = load(path, options).spec;
  return out;
}

}  // namespace pliant::app
