// The mesh pass: which meshes need a hull, compiling them on several threads, and their Model
// arrays.
//
// Meshes are independent of each other: threads take the next one, results stay in the mesh's own
// place, and findings are reported afterwards in mesh order, so nothing depends on who was first.
// Paths and names are names.cpp's business.

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>

#include "compile/counts.h"
#include "compile/mesh.h"
#include "geom/shape_hd.h"

namespace pliant {
namespace {

/// Finds the mesh of every geom; those that can collide need the hull.
void resolve_meshes(Work& work) {
  const Spec& spec = work.spec;
  if (work.geoms.size() < spec.geoms.size()) work.geoms.resize(spec.geoms.size());
  std::vector<bool> in_pair(spec.geoms.size(), false);
  for (const PairSpec& pair : spec.pairs) {
    for (const std::string& name : {pair.geom1, pair.geom2}) {
      if (const int g = work.find(ObjType::kGeom, name); g >= 0) in_pair[g] = true;
    }
  }
  for (size_t g = 0; g < spec.geoms.size(); ++g) {
    const GeomSpec& geom = spec.geoms[g];
    if (geom.mesh.empty()) {
      if (geom.type == GeomType::kMesh) {
        work.error(Code::kBadGeom, geom, "type", "is a mesh but names none", "add mesh=\"…\"");
      }
      continue;
    }
    const int id = work.resolve(ObjType::kMesh, geom.mesh, geom.source, "mesh");
    if (id < 0) continue;
    work.geoms[g].data = id;
    if (geom.type == GeomType::kMesh && (geom.contype || geom.conaffinity || in_pair[g])) {
      work.meshes[id].needs_hull = true;
    }
  }
  if (work.sites.size() < spec.sites.size()) work.sites.resize(spec.sites.size());
  for (size_t s = 0; s < spec.sites.size(); ++s) {
    const SiteSpec& site = spec.sites[s];
    if (site.type != GeomType::kMesh) continue;
    if (site.mesh.empty()) {
      work.error(Code::kBadGeom, site, "type", "is a mesh but names none", "add mesh=\"…\"");
      continue;
    }
    work.sites[s].data = work.resolve(ObjType::kMesh, site.mesh, site.source, "mesh");
    // what is inside it is found by its hull
    if (work.sites[s].data >= 0) work.meshes[work.sites[s].data].needs_hull = true;
  }
}

/// Shapes without volume: their mass can only be that of a shell.
void set_flat_inertia(Work& work) {
  for (MeshSpec& mesh : work.spec.meshes) {
    if (mesh.inertia == MeshInertia::kShell || !has_shell_inertia(mesh)) continue;
    if (work.spec.has_attribute(mesh.source, "inertia")) {
      work.warning(Code::kIgnoredAttribute, mesh, "inertia",
                   "has no volume, and so the inertia of a shell; 'inertia' is ignored");
    }
    mesh.inertia = MeshInertia::kShell;
  }
}

/// What came of a mesh.
struct Outcome {
  std::optional<MeshError> error;
  std::string damaged, unwritten;  ///< about the cache
};

/// Built-in shapes cost their author a few characters each, whatever their size.
void refuse_too_many_vertices(const std::vector<MeshSpec>& specs, std::vector<Outcome>& outcomes) {
  constexpr int64_t kMaxVertices = int64_t{1} << 15;
  int64_t left = kMaxVertices;
  for (size_t i = 0; i < specs.size(); ++i) {
    left -= builtin_vertices(specs[i]);
    if (left >= 0) continue;
    outcomes[i].error = MeshError{
        "the built-in shapes together have more than " + std::to_string(kMaxVertices) + " vertices", "params", {}};
    return;
  }
}

std::optional<MeshError> compile_mesh(const Work& work, const MeshSpec& spec, MeshWork& mesh, Outcome& outcome) {
  try {
    const std::string bytes = spec.file.empty() ? std::string() : read_mesh_bytes(work, spec);
    // only what comes from a file takes long enough
    const bool cached = !work.cache_dir.empty() && !spec.file.empty() && !has_sibling_files(spec);
    const std::string key = cached ? mesh_key(spec, mesh, bytes) : std::string();
    if (cached && load_cached_mesh(work.cache_dir, key, mesh, outcome.damaged)) return std::nullopt;
    load_mesh(work, spec, bytes, mesh);
    process_mesh(spec, mesh);
    if (cached) store_cached_mesh(work.cache_dir, key, mesh, outcome.unwritten);
    return std::nullopt;
  } catch (MeshError& error) {
    return std::move(error);
  } catch (const std::exception& error) {
    return MeshError{std::string("cannot be compiled: ") + error.what(), "", {}};
  }
}

/// Contacts use a part of the corners of very large faces.
void report_large_faces(Work& work, const MeshSpec& spec, const MeshWork& mesh) {
  size_t most = 0;
  for (const auto& polygon : mesh.polygons) most = std::max(most, polygon.size());
  if (!mesh.needs_hull || most <= kMaxPolygon) return;
  const std::string used = std::to_string(kMaxPolygon);
  work.warning(Code::kDropped, spec, spec.file.empty() ? "" : "file",
               "has a face of " + std::to_string(most) + " corners: contacts of its edges use the " + used +
                   " that are farthest out in " + used + " directions",
               "maxhullvert limits the corners of the hull");
}

}  // namespace

void compile_meshes(Work& work) {
  const std::vector<MeshSpec>& specs = work.spec.meshes;
  work.meshes.assign(specs.size(), {});
  resolve_meshes(work);
  set_flat_inertia(work);
  std::vector<Outcome> outcomes(specs.size());
  refuse_too_many_vertices(specs, outcomes);
  std::atomic<size_t> next = 0;
  const auto work_off = [&] {
    for (size_t i; (i = next++) < specs.size();) {
      if (!outcomes[i].error) {
        outcomes[i].error = compile_mesh(work, specs[i], work.meshes[i], outcomes[i]);
      }
    }
  };
  const size_t cores = work.spec.compilers[0].usethread ? std::thread::hardware_concurrency() : 1;
  std::vector<std::thread> threads;
  try {
    for (size_t t = 1; t < std::min(cores, specs.size()); ++t) threads.emplace_back(work_off);
  } catch (const std::system_error&) {  // there are no more: those that are there do the work
  }
  work_off();
  for (std::thread& thread : threads) thread.join();

  bool unwritten = false;  // said once: the next mesh would fail likewise
  for (size_t i = 0; i < specs.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    if (!outcome.damaged.empty()) work.warning(Code::kMeshCache, specs[i], "file", outcome.damaged);
    if (!outcome.unwritten.empty() && !unwritten) {
      work.warning(Code::kMeshCache, specs[i], "file", outcome.unwritten);
      unwritten = true;
    }
    if (work.meshes[i].inside_out) {
      work.warning(Code::kMeshInsideOut, specs[i], "file",
                   "its faces point inwards; inertia=\"legacy\" takes its volume as positive", "turn the faces round");
    }
    report_large_faces(work, specs[i], work.meshes[i]);
    if (!outcome.error) continue;
    work.meshes[i].failed = true;
    if (specs[i].optional) {
      work.warning(Code::kVisualFileMissing, specs[i], outcome.error->attribute,
                   outcome.error->message + "; it would only be looked at, and is left out", outcome.error->hint);
      continue;
    }
    work.error(Code::kBadAsset, specs[i], outcome.error->attribute, outcome.error->message, outcome.error->hint);
  }
  drop_unusable_visuals(work);
}

void count_meshes(Work& work) {
  ModelSizes& n = work.sizes;
  n.nmesh = static_cast<int>(work.meshes.size());
  n.nmeshvert = n.nmeshnormal = n.nmeshtexcoord = n.nmeshface = n.nmeshgraph = 0;
  n.nmeshpoly = n.nmeshpolyvert = n.nmeshpolymap = n.npolygonmax = n.nmeshdegmax = 0;
  for (const MeshWork& mesh : work.meshes) {
    n.nmeshvert += vertex_count(mesh);
    n.nmeshnormal += static_cast<int>(mesh.normal.size() / 3);
    n.nmeshtexcoord += static_cast<int>(mesh.texcoord.size() / 2);
    n.nmeshface += face_count(mesh);
    n.nmeshgraph += static_cast<int>(mesh.graph.size());
    n.nmeshpoly += static_cast<int>(mesh.polygons.size());
    for (const auto& polygon : mesh.polygons) n.nmeshpolyvert += static_cast<int>(polygon.size());
    for (const auto& list : mesh.vertex_polygons) n.nmeshpolymap += static_cast<int>(list.size());
  }
  for (const MeshWork& mesh : work.meshes) {
    for (const auto& polygon : mesh.polygons) {
      n.npolygonmax = std::max(n.npolygonmax, static_cast<int>(polygon.size()));
    }
    for (const auto& list : mesh.vertex_polygons) {
      n.nmeshdegmax = std::max(n.nmeshdegmax, static_cast<int>(list.size()));
    }
  }
}

namespace {

struct Place {
  int vertex = 0, normal = 0, texcoord = 0, face = 0, graph = 0, poly = 0, corner = 0, map = 0;
};

template <class From, class To>
void copy_to(const std::vector<From>& from, To* to) {
  std::transform(from.begin(), from.end(), to, [](From x) { return static_cast<To>(x); });
}

void write_polygons(const MeshWork& mesh, Place& at, Model& model) {
  copy_to(mesh.polygon_normal, model.mesh_polynormal + 3 * at.poly);
  for (const auto& polygon : mesh.polygons) {
    model.mesh_polyvertadr[at.poly] = at.corner;
    model.mesh_polyvertnum[at.poly++] = static_cast<int>(polygon.size());
    copy_to(polygon, model.mesh_polyvert + at.corner);
    at.corner += static_cast<int>(polygon.size());
  }
  for (size_t v = 0; v < mesh.vertex_polygons.size(); ++v) {
    const auto& list = mesh.vertex_polygons[v];
    model.mesh_polymapadr[at.vertex + v] = at.map;
    model.mesh_polymapnum[at.vertex + v] = static_cast<int>(list.size());
    copy_to(list, model.mesh_polymap + at.map);
    at.map += static_cast<int>(list.size());
  }
}

void write_mesh(const MeshSpec& spec, const MeshWork& mesh, int id, Place& at, Model& model) {
  model.mesh_vertadr[id] = at.vertex;
  model.mesh_vertnum[id] = vertex_count(mesh);
  model.mesh_normaladr[id] = at.normal;
  model.mesh_normalnum[id] = static_cast<int>(mesh.normal.size() / 3);
  model.mesh_texcoordadr[id] = mesh.texcoord.empty() ? -1 : at.texcoord;
  model.mesh_texcoordnum[id] = static_cast<int>(mesh.texcoord.size() / 2);
  model.mesh_faceadr[id] = at.face;
  model.mesh_facenum[id] = face_count(mesh);
  model.mesh_graphadr[id] = mesh.graph.empty() ? -1 : at.graph;
  model.mesh_polyadr[id] = at.poly;
  model.mesh_polynum[id] = static_cast<int>(mesh.polygons.size());
  model.mesh_octadr[id] = -1;
  model.mesh_octnum[id] = 0;
  std::copy(spec.scale.begin(), spec.scale.end(), model.mesh_scale + 3 * id);
  for (int k = 0; k < 3; ++k) model.mesh_pos[3 * id + k] = mesh.pose.pos[k];
  for (int k = 0; k < 4; ++k) model.mesh_quat[4 * id + k] = mesh.pose.quat[k];
  std::copy(mesh.extrema.begin(), mesh.extrema.end(), model.mesh_extrema + 27 * id);
  copy_to(mesh.vertex, model.mesh_vert + 3 * at.vertex);
  copy_to(mesh.normal, model.mesh_normal + 3 * at.normal);
  copy_to(mesh.texcoord, model.mesh_texcoord + 2 * at.texcoord);
  copy_to(mesh.face, model.mesh_face + 3 * at.face);
  copy_to(mesh.face_normal, model.mesh_facenormal + 3 * at.face);
  if (mesh.texcoord.empty()) {
    std::fill_n(model.mesh_facetexcoord + 3 * at.face, mesh.face.size(), 0);
  } else {
    copy_to(mesh.face_texcoord, model.mesh_facetexcoord + 3 * at.face);
  }
  copy_to(mesh.graph, model.mesh_graph + at.graph);
  write_polygons(mesh, at, model);
  at.vertex += model.mesh_vertnum[id];
  at.normal += model.mesh_normalnum[id];
  at.texcoord += model.mesh_texcoordnum[id];
  at.face += model.mesh_facenum[id];
  at.graph += static_cast<int>(mesh.graph.size());
}

}  // namespace

void write_meshes(const Work& work, Model& model) {
  Place at;
  for (size_t i = 0; i < work.meshes.size(); ++i) {
    write_mesh(work.spec.meshes[i], work.meshes[i], static_cast<int>(i), at, model);
  }
}

}  // namespace pliant
