// Doors: file or text → Spec.

#include "load/load_document.h"

#include <optional>

#include "load/archive.h"
#include "load/asset_path.h"
#include "load/mjcf_reader.h"
#include "load/source.h"
#include "load/urdf_reader.h"
#include "pliant/load_spec.h"

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

}  // namespace

Loaded load_document(const std::string& given, std::string_view text, const LoadOptions& asked, Document& document) {
  Loaded loaded;
  Spec spec;
  std::string path = given;
  std::optional<LoadOptions> unpacked;  // only an archive adds files to those in memory
  if (is_archive(path)) unpacked = asked;
  const bool readable = !unpacked || open_archive(path, *unpacked, loaded.diagnostics);
  const LoadOptions& options = unpacked ? *unpacked : asked;
  if (readable && read_document(path, text, options, loaded.diagnostics, document)) {
    loaded.urdf = document.root.tag == "robot";
    if (loaded.urdf) {
      UrdfReader(spec, loaded.ledger, loaded.diagnostics, options).read(document, path.empty());
    } else {
      MjcfReader(spec, loaded.ledger, loaded.diagnostics, options, {path}).read(document);
    }
    reject_sdf_geoms(spec, options, loaded.diagnostics);
  }
  spec.files = loaded.diagnostics.files();
  add_assets(spec, options.assets);
  loaded.ledger.files = loaded.diagnostics.files();
  if (!loaded.diagnostics.has_errors())
    loaded.spec = std::move(spec);
  else
    loaded.partial = std::make_shared<Spec>(std::move(spec));
  return loaded;
}

Loaded load(const std::filesystem::path& path, const LoadOptions& options) {
  Document document;
  return load_document(path.string(), {}, options, document);
}
Loaded load_string(std::string_view xml, const LoadOptions& options) {
  Document document;
  return load_document({}, xml, options, document);
}

}  // namespace pliant
