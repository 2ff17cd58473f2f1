// The pair functions, compiled once.

#include "collision/collide_pair_hd.h"
#include "collision/portal_hd.h"

namespace pliant {

template <class R>
PairFn<R> pair_function(GeomType a, GeomType b, bool single) {
  switch (pair_key(a, b)) {
#define PAIR(a, b, function, count)              \
  case pair_key(GeomType::k##a, GeomType::k##b): \
    return single && &function<R> == &convex_convex<R> ? &convex_single<R> : &function<R>;
#include "collision/pairs.def"
#undef PAIR
    default:
      return nullptr;
  }
}

int collide_by_portals(const Shape& a, const Shape& b, double margin, const PortalRules<double>& rules,
                       ContactPoint* out) {
  const PairFn<double> function = pair_function<double>(a.type, b.type, rules.single);
  if (function == &hfield_convex<double>) return portal_hfield(a, b, margin, rules, out);
  const bool convex = function == &convex_convex<double> || function == &convex_single<double>;
  return convex ? portal_convex(a, b, margin, rules, out) : function(a, b, margin, out);
}

template PairFn<double> pair_function(GeomType, GeomType, bool);
template PairFn<float> pair_function(GeomType, GeomType, bool);

}  // namespace pliant
