// The pair functions, compiled once.

#include "collision/collide_pair_hd.h"

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

template <class R>
int collide_shapes(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules, ContactPointT<R>* out) {
  return collide_pair(a, b, margin, rules, out);
}

template PairFn<double> pair_function(GeomType, GeomType, bool);
template PairFn<float> pair_function(GeomType, GeomType, bool);
template int collide_shapes(const Shape&, const Shape&, double, const PairRules<double>&, ContactPoint*);
template int collide_shapes(const ShapeT<float>&, const ShapeT<float>&, float, const PairRules<float>&,
                            ContactPointT<float>*);

}  // namespace pliant
