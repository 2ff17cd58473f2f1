// discardvisual: geoms that cannot collide and that nothing refers to are removed; the bodies keep the
// mass they had with them. (Materials and textures are dropped in assets.cpp.)

#include <algorithm>
#include <set>

#include "compile/compile.h"
#include "spec/references.h"

namespace pliant {

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
  if (dropped == 0) return;
  work.diagnostics.warning(Code::kDropped, work.spec.origin(work.spec.compilers[0].source, "discardvisual"),
                           "compiler",
                           std::to_string(dropped) + " geoms that cannot collide were discarded, because "
                           "discardvisual=\"true\"");
  reindex(work);
}

}  // namespace pliant
