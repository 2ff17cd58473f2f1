// discardvisual: geoms that cannot collide and that nothing refers to are removed, and the meshes
// only they used; the bodies keep the mass they had with them. (Materials and textures are dropped
// in assets.cpp.)

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "spec/references.h"

namespace pliant {

namespace {

/// Meshes that only discarded geoms used, or none, and that nothing names.
void discard_meshes(Work& work) {
  std::vector<bool> used(work.meshes.size(), false);
  for (const BodyWork& body : work.bodies) {
    for (int g : body.geoms) {
      const std::string& name = work.spec.geoms[g].mesh;  // the shape itself, or what it was fitted to
      const int mesh = name.empty() ? -1 : work.find(ObjType::kMesh, name);
      if (mesh >= 0) used[mesh] = true;
    }
  }
  for (const SiteWork& site : work.sites) {
    if (site.data >= 0) used[site.data] = true;
  }
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        const int mesh = kind == ObjType::kMesh ? work.find(kind, name) : -1;
        if (mesh >= 0) used[mesh] = true;
      });
    }
  };
  collect(work.spec.sensors);
  collect(work.spec.tuples);
  auto& names = work.names[static_cast<int>(ObjType::kMesh)];
  names.clear();
  std::vector<int> renamed(used.size(), -1);
  int kept = 0;
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) continue;
    renamed[i] = kept;
    if (static_cast<int>(i) != kept) {
      work.meshes[kept] = std::move(work.meshes[i]);
      work.spec.meshes[kept] = std::move(work.spec.meshes[i]);
    }
    names.emplace(work.spec.meshes[kept].name, kept);
    ++kept;
  }
  const int dropped = static_cast<int>(used.size()) - kept;
  work.meshes.resize(kept);
  work.spec.meshes.resize(kept);
  for (size_t g = 0; g < work.geoms.size(); ++g) {
    int& data = work.geoms[g].data;
    if (!work.spec.geoms[g].mesh.empty() && data >= 0) data = renamed[data];
  }
  for (SiteWork& site : work.sites) {
    if (site.data >= 0) site.data = renamed[site.data];
  }
  if (dropped == 0) return;
  work.diagnostics.warning(Code::kDropped, work.spec.origin(work.spec.compilers[0].source, "discardvisual"), "compiler",
                           std::to_string(dropped) +
                               " meshes that no remaining geom uses were "
                               "discarded, because discardvisual=\"true\"");
}

}  // namespace

void discard_visual(Work& work) {
  if (!work.spec.compilers[0].discardvisual) return;
  std::set<std::string> referenced;
  const auto collect = [&](auto& list) {
    for (auto& object : list) {
      visit_references(object, [&](ObjType kind, std::string& name) {
        if (kind == ObjType::kGeom) referenced.insert(name);
      });
    }
  };
  collect(work.spec.pairs);
  collect(work.spec.tendons);
  collect(work.spec.sensors);
  collect(work.spec.tuples);
  int dropped = 0;
  const auto goes = [&](int g) {
    const GeomSpec& geom = work.spec.geoms[g];
    return work.geoms[g].visual && !geom.fluid_ellipsoid && (geom.name.empty() || !referenced.count(geom.name));
  };
  for (size_t b = 0; b < work.bodies.size(); ++b) {
    BodyWork& body = work.bodies[b];
    const BodySpec& spec = work.spec.bodies[b];
    const bool inferred = b > 0 && work.compiler(spec).inertiafromgeom == InertiaFromGeom::kTrue;
    for (int g : body.geoms) {
      if (!inferred || !goes(g) || work.geoms[g].mass == 0) continue;
      work.error(Code::kBadInertia, spec, "",
                 "would lose the mass of a geom that discardvisual=\"true\" discards, because inertiafromgeom=\"true\"",
                 "inertiafromgeom=\"auto\" keeps the mass; or give the geoms that are only looked at none");
      break;
    }
    dropped += static_cast<int>(std::erase_if(body.geoms, goes));
  }
  discard_meshes(work);
  if (dropped == 0) return;
  work.diagnostics.warning(Code::kDropped, work.spec.origin(work.spec.compilers[0].source, "discardvisual"), "compiler",
                           std::to_string(dropped) +
                               " geoms that cannot collide were discarded, because "
                               "discardvisual=\"true\"");
  reindex(work);
}

}  // namespace pliant
