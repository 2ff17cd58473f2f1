// Doors: file or text → Spec, Model, or a report of both.

#include <algorithm>

#include "load/echoes.h"
#include "load/mjcf_reader.h"
#include "load/source.h"
#include "load/urdf_reader.h"
#include "pliant/analysis.h"
#include "pliant/model_io.h"
#include "pliant/load.h"

namespace pliant {
namespace {

/// Geoms given by signed distance fields need plugins.
void reject_sdf_geoms(Spec& spec, const LoadOptions& options, Diagnostics& diagnostics) {
  const auto is_sdf = [&](const GeomSpec& geom) {
    if (geom.type != GeomType::kSdf) return false;
    const Origin at = spec.origin(geom.source, "type");
    const std::string message = "geoms given by signed distance fields are not supported";
    if (options.allow_unsupported) {
      diagnostics.warning(Code::kUnsupportedFile, at, spec.tag(geom.source), message + "; it is left out");
    } else {
      diagnostics.error(Code::kUnsupportedFile, at, spec.tag(geom.source), message);
    }
    return true;
  };
  std::erase_if(spec.geoms, is_sdf);
}

Loaded load_document(const std::string& path, std::string_view text, const LoadOptions& options, Document& document) {
  Loaded loaded;
  Spec spec;
  if (read_document(path, text, options, loaded.diagnostics, document)) {
    loaded.urdf = document.root.tag == "robot";
    if (loaded.urdf) {
      UrdfReader(spec, loaded.ledger, loaded.diagnostics, options).read(document, path.empty());
    } else {
      MjcfReader(spec, loaded.ledger, loaded.diagnostics, options, {path}).read(document);
    }
    reject_sdf_geoms(spec, options, loaded.diagnostics);
  }
  spec.files = loaded.diagnostics.files();
  if (!options.assets.empty()) {
    spec.assets = std::make_shared<const std::map<std::string, std::string>>(options.assets);
  }
  loaded.ledger.files = loaded.diagnostics.files();
  if (!loaded.diagnostics.has_errors())
    loaded.spec = std::move(spec);
  else
    loaded.partial = std::make_shared<Spec>(std::move(spec));
  return loaded;
}

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

Loaded load(const std::filesystem::path& path, const LoadOptions& options) {
  Document document;
  return load_document(path.string(), {}, options, document);
}
Loaded load_string(std::string_view xml, const LoadOptions& options) {
  Document document;
  return load_document({}, xml, options, document);
}
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
