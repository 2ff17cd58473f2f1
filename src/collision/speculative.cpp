// Motions in the arena, and who is predicted.

#include "collision/speculative.h"

namespace pliant {

bool take_motions(const Model& m, const State& s, const Data& d, Arena& arena, Motions& motions) {
  if (looks_ahead(m.opt)) {
    auto* body = arena.take<Spatial>(2 * static_cast<size_t>(m.nbody));
    auto* reach = arena.take<double>(m.ngeom);
    if (!body || !reach) return false;
    motions.take_look_ahead(body, reach);
    motions.gather_look_ahead(m, s, d);
  }
  if (!wants_motions(m)) return true;
  auto* body = arena.take<BodyMotionT<double>>(m.nbody);
  auto* geom = arena.take<GeomMotionT<double>>(m.ngeom);
  if (!body || !geom) return false;
  motions = Motions(geom, body);
  motions.gather(SerialTeam{}, m, s, d);
  return true;
}

bool is_predicted(const Model& m, const Contact& contact) { return has_own_law(m, contact); }

}  // namespace pliant
