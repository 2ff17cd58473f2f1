// What goes wrong most often with an imported robot, looked at once when it is loaded: collision meshes that their
// convex hulls misrepresent, and links that overlap while all joints are at zero. (Links without mass are settled by
// the reader, which says so.) Cost: one `forward` and a pass over the triangles of meshes that collide.

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"
#include "pliant/load.h"

namespace pliant {
namespace {

constexpr double kLeastDepth = 1e-4;  // [m]; less is how neighbours are drawn
constexpr size_t kMostPairs = 10;     // named one by one
// Triangles that are worth a word when the hull needs far fewer.
constexpr int kManyFaces = 20'000, kTimesMore = 20;

Diagnostic finding(const Model& model, Code code, ObjType type, int id, std::string element) {
  Diagnostic d;
  d.severity = Severity::kWarning;
  d.code = code;
  d.element = std::move(element);
  const auto origins = model.origins.find(type);
  if (origins == model.origins.end() || id >= static_cast<int>(origins->second.size())) return d;
  const Origin at = origins->second[id];
  if (at.file >= 0 && at.file < static_cast<int>(model.files.size())) d.file = model.files[at.file];
  d.line = at.line;
  d.column = at.column;
  return d;
}

void find_hulls(const Model& model, std::vector<Diagnostic>& out) {
  doctoring::Case c{model, nullptr, {}, {}};
  doctoring::check_hulls(c);
  for (const Finding& found : c.findings) {
    // the doctor names the mesh; its place is that of the element
    const size_t quote = found.element.find('\'');
    const std::string name =
        quote == std::string::npos ? "" : found.element.substr(quote + 1, found.element.size() - quote - 2);
    Diagnostic d =
        finding(model, Code::kHullMuchLarger, ObjType::kMesh, std::max(model.id(ObjType::kMesh, name), 0), "mesh");
    d.message = found.message;
    d.hint = "split it into convex parts, or use boxes and capsules";
    out.push_back(std::move(d));
  }
  for (int mesh = 0; mesh < model.nmesh; ++mesh) {
    const int graph = model.mesh_graphadr[mesh];
    if (graph < 0) continue;
    const int faces = model.mesh_facenum[mesh], hull_faces = model.mesh_graph[graph + 1];
    if (faces < kManyFaces || faces < kTimesMore * hull_faces) continue;
    Diagnostic d = finding(model, Code::kHullMuchLarger, ObjType::kMesh, mesh, "mesh");
    d.message = "mesh '" + std::string(model.name(ObjType::kMesh, mesh)) + "' has " + std::to_string(faces) +
                " triangles, its hull, which is what collides, " + std::to_string(hull_faces);
    d.hint = "a mesh for collisions needs the vertices of its hull only: simplify it";
    out.push_back(std::move(d));
  }
}

void find_overlaps(const Model& model, std::vector<Diagnostic>& out) {
  const State state = make_state(model);
  Data data = make_data(model);
  forward(model, state, data);
  std::map<std::pair<int, int>, double> depth;  // by links
  for (int i = 0; i < data.ncon; ++i) {
    const Contact& contact = data.contact[i];
    if (-contact.dist < kLeastDepth) continue;
    const int a = model.geom_bodyid[contact.geom[0]], b = model.geom_bodyid[contact.geom[1]];
    double& deepest = depth[{std::min(a, b), std::max(a, b)}];
    deepest = std::max(deepest, -contact.dist);
  }
  size_t named = 0;
  for (const auto& [bodies, deepest] : depth) {
    Diagnostic d = finding(model, Code::kLinksOverlap, ObjType::kBody, bodies.second, "link");
    if (++named > kMostPairs) {
      d.message =
          std::to_string(depth.size() - kMostPairs) + " more pairs of links overlap when all joints are at zero";
      d.hint = "`pliant doctor` lists them all";
      out.push_back(std::move(d));
      break;
    }
    d.message = "links '" + std::string(model.name(ObjType::kBody, bodies.first)) + "' and '" +
                std::string(model.name(ObjType::kBody, bodies.second)) + "' overlap by " +
                doctoring::length_text(deepest) +
                " when all joints are at zero: contact pushes them apart from the first step on";
    d.hint =
        "links collide unless a joint is between them; --no-self-collision (self_collision=False) turns collisions "
        "within the robot off";
    out.push_back(std::move(d));
  }
}

}  // namespace

std::vector<Diagnostic> import_findings(const Model& model) {
  std::vector<Diagnostic> found;
  find_hulls(model, found);
  find_overlaps(model, found);
  return found;
}

}  // namespace pliant
