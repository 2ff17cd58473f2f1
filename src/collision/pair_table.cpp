// The pair functions, compiled once.

#include "collision/collide_pair_hd.h"
#include "collision/separation.h"

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

namespace {

template <class R>
constexpr bool is_convex(GeomType a, GeomType b) {
  switch (pair_key(a, b)) {
#define PAIR(a, b, function, count)              \
  case pair_key(GeomType::k##a, GeomType::k##b): \
    return std::is_same_v<PairMethod<R, &function<R>>, PairMethod<R, &convex_convex<R>>>;
#include "collision/pairs.def"
#undef PAIR
    default:
      return false;
  }
}

}  // namespace

template <class R>
int collide_shapes(const ShapeT<R>& a, const ShapeT<R>& b, R margin, const PairRules<R>& rules, ContactPointT<R>* out,
                   int geom1, int geom2) {
  if (rules.separations && !rules.portals && is_convex<R>(a.type, b.type)) {
    return convex_remembering(a, b, margin, rules.single, out, rules.separations->of(geom1, geom2));
  }
  return collide_pair(a, b, margin, rules, out);
}

template PairFn<double> pair_function(GeomType, GeomType, bool);
template PairFn<float> pair_function(GeomType, GeomType, bool);
template int collide_shapes(const Shape&, const Shape&, double, const PairRules<double>&, ContactPoint*, int, int);
template int collide_shapes(const ShapeT<float>&, const ShapeT<float>&, float, const PairRules<float>&,
                            ContactPointT<float>*, int, int);

}  // namespace pliant
