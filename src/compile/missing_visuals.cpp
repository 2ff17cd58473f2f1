// Mesh files that are not there. A mesh that some geom collides with, or that gives a body its
// mass, is an error: the mesh pass reports it. A mesh that is only looked at costs the picture, not
// the model: it is left out, with the geoms that show it, and a warning.
//
// Runs on the Spec before anything has an id, so that nothing else need know.

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "compile/asset_files.h"
#include "compile/mesh.h"
#include "spec/references.h"

namespace pliant {
namespace {

/// A mesh without a name is called like its file.
std::string name_of(const MeshSpec& mesh) {
  return mesh.name.empty() ? std::filesystem::path(mesh.file).stem().string() : mesh.name;
}

/// Geoms and meshes that something outside the tree names.
struct Referenced {
  std::set<std::string> geoms, meshes;
};

Referenced find_referenced(Spec& spec) {
  Referenced found;
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        if (kind == ObjType::kGeom) found.geoms.insert(name);
        if (kind == ObjType::kMesh) found.meshes.insert(name);
      });
    }
  };
  collect(spec.pairs);
  collect(spec.tendons);
  collect(spec.sensors);
  collect(spec.tuples);
  return found;
}

/// Whether the body's mass comes from this geom.
bool gives_mass(const Work& work, const GeomSpec& geom) {
  const BodySpec& body = work.spec.bodies[geom.body];
  if (geom.body == 0) return false;  // the world has none
  const CompilerSpec& compiler = work.compiler(body);
  if (compiler.inertiafromgeom == InertiaFromGeom::kFalse) return false;
  if (body.has_inertial && compiler.inertiafromgeom == InertiaFromGeom::kAuto) return false;
  const Ints<2>& groups = compiler.inertiagrouprange;
  if (geom.group < groups[0] || geom.group > groups[1]) return false;
  return defined(geom.mass) ? geom.mass != 0 : geom.density != 0;
}

}  // namespace

void drop_missing_visuals(Work& work) {
  Spec& spec = work.spec;
  std::set<std::string> missing, names, repeated;
  for (const MeshSpec& mesh : spec.meshes) {
    // a file of a kind that is not read is an error, there or not
    if (mesh.file.empty() || mesh_format(mesh) == 0) continue;
    const CompilerSpec& compiler = work.compiler(mesh);
    if (!asset_exists(work, asset_path(compiler, compiler.meshdir, mesh.file))) missing.insert(name_of(mesh));
  }
  if (missing.empty()) return;
  // of two meshes with one name nobody knows which is meant; that is reported later
  for (const MeshSpec& mesh : spec.meshes) {
    if (!names.insert(name_of(mesh)).second) repeated.insert(name_of(mesh));
  }
  for (const std::string& name : repeated) missing.erase(name);

  const Referenced referenced = find_referenced(spec);
  for (const std::string& name : referenced.meshes) missing.erase(name);
  for (const GeomSpec& geom : spec.geoms) {
    const bool needed = geom.contype || geom.conaffinity || gives_mass(work, geom) ||
                        (!geom.name.empty() && referenced.geoms.count(geom.name));
    if (needed) missing.erase(geom.mesh);
  }
  for (const SiteSpec& site : spec.sites) missing.erase(site.mesh);
  for (const MeshSpec& mesh : spec.meshes) {
    if (mesh.file.empty() || !missing.count(name_of(mesh))) continue;
    const CompilerSpec& compiler = work.compiler(mesh);
    const std::string path = asset_path(compiler, compiler.meshdir, mesh.file);
    const auto shown = std::count_if(spec.geoms.begin(), spec.geoms.end(),
                                     [&](const GeomSpec& geom) { return geom.mesh == name_of(mesh); });
    work.warning(Code::kVisualFileMissing, mesh, "file",
                 "there is no file " + quote(path, 200) +
                     (shown == 0 ? "; nothing uses the mesh, so it is left out"
                                 : "; the mesh would only be looked at, so it is left out, and ") +
                     (shown == 0   ? std::string()
                      : shown == 1 ? "the geom that shows it"
                                   : "the " + std::to_string(shown) + " geoms that show it"));
  }
  std::erase_if(spec.geoms, [&](const GeomSpec& geom) { return missing.count(geom.mesh) > 0; });
  std::erase_if(spec.meshes,
                [&](const MeshSpec& mesh) { return !mesh.file.empty() && missing.count(name_of(mesh)) > 0; });
}

/// After the mesh pass: optional meshes that failed, and the geoms that show them. Bodies' lists and names follow.
void drop_unusable_visuals(Work& work) {
  Spec& spec = work.spec;
  const auto unusable = [&](size_t mesh) { return work.meshes[mesh].failed && spec.meshes[mesh].optional; };
  std::vector<int> renamed(spec.meshes.size(), -1);
  int kept = 0;
  for (size_t i = 0; i < renamed.size(); ++i) {
    if (!unusable(i)) renamed[i] = kept++;
  }
  if (kept == static_cast<int>(renamed.size())) return;
  std::vector<GeomSpec> geoms;
  std::vector<GeomWork> works;
  for (size_t g = 0; g < spec.geoms.size(); ++g) {
    const bool shows_mesh = !spec.geoms[g].mesh.empty() && work.geoms[g].data >= 0;
    if (shows_mesh && renamed[work.geoms[g].data] < 0) continue;
    geoms.push_back(std::move(spec.geoms[g]));
    works.push_back(work.geoms[g]);
    if (shows_mesh) works.back().data = renamed[works.back().data];
  }
  spec.geoms = std::move(geoms);
  work.geoms = std::move(works);
  for (SiteWork& site : work.sites) {
    if (site.data >= 0) site.data = renamed[site.data];
  }
  for (size_t i = 0; i < renamed.size(); ++i) {
    if (renamed[i] < 0 || renamed[i] == static_cast<int>(i)) continue;
    spec.meshes[renamed[i]] = std::move(spec.meshes[i]);
    work.meshes[renamed[i]] = std::move(work.meshes[i]);
  }
  spec.meshes.resize(kept);
  work.meshes.resize(kept);
  index_tree(work);
  index_names(work);
}

}  // namespace pliant
