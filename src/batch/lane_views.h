#pragma once
// Model, State and Data of four worlds, as templates over them see them: members of the field lists, numbers of the
// Model for all worlds alike, the others with four neighbours per place.

#include <vector>

#include "math/lanes.h"
#include "state/batch_views.h"

#ifdef PLIANT_LANES

namespace pliant {

/// An array of Model: one number for all worlds.
struct SharedNumbers {
  const double* values = nullptr;
  PLIANT_HD Lanes operator[](int i) const { return values[i]; }
  PLIANT_HD SharedNumbers operator+(int i) const { return {values + i}; }
};

namespace detail {
template <class T, Scalar scalar>
using LaneModelField = std::conditional_t<scalar == Scalar::real, SharedNumbers, const T*>;
inline SharedNumbers lane_model_field(const double* p, std::true_type) { return {p}; }
template <class T>
const T* lane_model_field(const T* p, std::false_type) {
  return p;
}
}  // namespace detail

/// Model for all four; the Model must stay where it is.
struct LaneModel : ModelSizes {
  using Real = Lanes;
  static constexpr bool may_attract = false;  // such models are moved world by world
  explicit LaneModel(const Model& m) : ModelSizes(m), opt(m.opt) {
#define FIELD(type, name, count, width, cls, unit, meaning) \
  name = detail::lane_model_field(m.name, std::bool_constant<Scalar::type == Scalar::real>{});
#include "pliant/model_fields.def"
#undef FIELD
  }
#define FIELD(type, name, count, width, cls, unit, meaning) \
  detail::LaneModelField<Scalars<double>::type, Scalar::type> name{};
#include "pliant/model_fields.def"
#undef FIELD
  const Options& opt;
  std::vector<uint8_t> wants_geom;  // per geom: whether anybody reads where it is
};

/// Arrays of which worlds differ in more than their numbers (histories) have no lanes.
template <Layout layout>
using LaneScalars = Scalars<std::conditional_t<layout == Layout::interleaved, Lanes, double>>;

struct LaneState {
  using Real = Lanes;
#define FIELD(type, name, count, width, layout, unit, meaning) LaneScalars<Layout::layout>::type* name = nullptr;
#include "pliant/state_fields.def"
#undef FIELD
};

struct LaneData {
  using Real = Lanes;
#define FIELD(owner, type, name, count, width, layout, unit, meaning) LaneScalars<Layout::layout>::type* name = nullptr;
#include "pliant/data_fields.def"
#undef FIELD
  // contacts and rows are a world's own
  static constexpr int ncon = 0;
  ContactT<Lanes>* contact = nullptr;
  RowsT<Lanes> rows;
  MetricT<Lanes*> metric;
  LaneMask::Bits* clamped = nullptr;  // nu: minus one where a control was outside its range
};

PLIANT_HD void count_clamped(LaneData& d, int i, LaneMask changed) { d.clamped[i] += changed.v; }

}  // namespace pliant

#endif
