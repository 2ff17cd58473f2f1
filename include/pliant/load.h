#pragma once
// Files into Models: load (pliant/load_spec.h) and compile (pliant/compile.h) at once.

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "pliant/compile.h"
#include "pliant/load_spec.h"
#include "pliant/version.h"

namespace pliant {

/// (load_report and load_model also take binary models, *.plm; see model_io.h.)
/// Everything about one model: what load and compile found, with the Model when there were no errors.
struct Report {
  std::optional<Model> model;
  Ledger ledger;
  std::vector<Diagnostic> diagnostics;  ///< ordered by place
  bool ok() const { return model.has_value(); }
};
Report load_report(const std::filesystem::path& path, const LoadOptions& options = {});
Report load_report_string(std::string_view xml, const LoadOptions& options = {});

/// Load and compile in one go; throws LoadError carrying every finding.
Model load_model(const std::filesystem::path& path, const LoadOptions& options = {});
Model load_model_string(std::string_view xml, const LoadOptions& options = {});

/// What to know about an imported robot before it moves: collision meshes far from their hulls, links that overlap at
/// qpos0. load_report asks for it when the model is a URDF.
std::vector<Diagnostic> import_findings(const Model& model);

}  // namespace pliant
