// discardvisual: geoms that cannot collide and that nothing refers to are removed, and the meshes
// only they used; the bodies keep the mass they had with them. (Materials and textures are dropped
// in assets.cpp.)

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "spec/references.h"

namespace pliant {

namespace {

/// Meshes that only discarded geoms used, or none. Sensors may feel with a mesh that no geom shows.
void discard_meshes(Work& work) {
  std::vector<bool> used(work.meshes.size(), false);
  for (const BodyWork& body : work.bodies) {
    for (int g : body.geoms) {
      const int mesh = work.geoms[g].data;
      if (!work.spec.geoms[g].mesh.empty() && mesh >= 0) used[mesh] = true;
    }
  }
  for (const SiteWork& site : work.sites) {
    if (site.data >= 0) used[site.data] = true;
  }
  for (SensorSpec& sensor : work.spec.sensors) {
    visit_references(sensor, [&](ObjType kind, std::string& name) {
      const int mesh = kind == ObjType::kMesh ? work.find(kind, name) : -1;
      if (mesh >= 0) used[mesh] = true;
    });
  }
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
  for (BodyWork& body : work.bodies) {
    dropped += static_cast<int>(std::erase_if(body.geoms, [&](int g) {
      const std::string& name = work.spec.geoms[g].name;
      return work.geoms[g].visual && (name.empty() || !referenced.count(name));
    }));
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
