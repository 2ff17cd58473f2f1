// Doors: file or text → Model, with everything that load and compile found about it, and binary models.

#include <algorithm>

#include "load/echoes.h"
#include "load/load_document.h"
#include "pliant/load.h"
#include "pliant/model_io.h"

namespace pliant {
namespace {

/// An attribute whose value is clamped at run time is approximated, not kept.
void note_clamps(Ledger& ledger, const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& d : diagnostics) {
    if (d.code != Code::kSolimpClamped && d.code != Code::kSolrefClamped && d.code != Code::kFrictionClamped) {
      continue;
    }
    for (size_t file = 0; file < ledger.files.size(); ++file) {
      if (ledger.files[file] != d.file) continue;
      ledger.change({static_cast<int>(file), d.line, d.column}, Fate::kApproximated, d.message);
    }
  }
}

Report report_of(const std::string& path, std::string_view text, const LoadOptions& options) {
  Document document;
  Loaded loaded = load_document(path, text, options, document);
  Report report;
  // a Spec with errors is compiled as well, so that problems of both stages are reported together; its
  // Model is never handed out
  const Spec* spec = loaded.spec ? &*loaded.spec : loaded.partial.get();
  const size_t found_by_load = loaded.diagnostics.list().size();
  // (a model that outgrew max_elements is not what anybody meant: there is nothing to say about the rest)
  const auto too_large = [](const Diagnostic& d) { return d.code == Code::kTooLarge; };
  const auto& found = loaded.diagnostics.list();
  if (std::any_of(found.begin(), found.end(), too_large)) spec = nullptr;
  if (spec) report.model = compile(*spec, loaded.diagnostics, {options.cache_dir}).model;
  if (loaded.diagnostics.has_errors()) report.model.reset();
  std::vector<Diagnostic> all = loaded.diagnostics.list();
  if (loaded.urdf && report.model) {
    for (Diagnostic& found : import_findings(*report.model)) all.push_back(std::move(found));
  }
  report.diagnostics = without_echoes(all, found_by_load, document, loaded.diagnostics.files());
  note_clamps(loaded.ledger, report.diagnostics);
  report.ledger = std::move(loaded.ledger);
  return report;
}

Report report_of_binary(const std::filesystem::path& path) {
  Report report;
  try {
    report.model = load_plm(path);
  } catch (const LoadError& error) {
    report.diagnostics = error.diagnostics();
  }
  return report;
}

Model model_of(Report report) {
  if (!report.ok()) throw LoadError(std::move(report.diagnostics));
  return std::move(*report.model);
}

}  // namespace

Report load_report(const std::filesystem::path& path, const LoadOptions& options) {
  if (path.extension() == ".plm") return report_of_binary(path);
  return report_of(path.string(), {}, options);
}
Report load_report_string(std::string_view xml, const LoadOptions& options) { return report_of({}, xml, options); }
Model load_model(const std::filesystem::path& path, const LoadOptions& options) {
  return model_of(load_report(path, options));
}
Model load_model_string(std::string_view xml, const LoadOptions& options) {
  return model_of(load_report_string(xml, options));
}

}  // namespace pliant
