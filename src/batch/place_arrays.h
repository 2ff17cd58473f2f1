#pragma once
// Arrays of Model, State and Data of a batch in one block each, for any precision. Call once with base = nullptr to
// learn the size, then with the block: every function returns the bytes it needs.

#include "state/batch_views.h"

namespace pliant {

inline constexpr size_t kBatchAlignment = 256;  // what devices like
constexpr size_t batch_aligned(size_t n) { return (n + kBatchAlignment - 1) / kBatchAlignment * kBatchAlignment; }

/// The scalar of a field in a batch of precision R.
template <class R>
constexpr Scalar batch_scalar(Scalar scalar) {
  return scalar == Scalar::real && sizeof(R) == 4 ? Scalar::f32 : scalar;
}

/// Numbers of one world.
inline int numbers_per_world(const StateFieldInfo& info, const ModelSizes& sizes) {
  return info.count(sizes) * info.width(sizes);
}

namespace detail {
template <class R, class T>
void place(const StateFieldInfo& info, const ModelSizes& sizes, int places, std::byte* base, size_t& total, T*& array) {
  array = base ? reinterpret_cast<T*>(base + total) : nullptr;
  total += batch_aligned(scalar_bytes(batch_scalar<R>(info.scalar)) * numbers_per_world(info, sizes) *
                         static_cast<size_t>(places));
}
template <class T>
void point_to(Strided<const T>& field, const std::byte* data) {
  field = {reinterpret_cast<const T*>(data), 1};
}
template <class T>
void point_to(const T*& field, const std::byte* data) {
  field = reinterpret_cast<const T*>(data);
}
}  // namespace detail

template <class R>
size_t place_state(StateArrays<R>& arrays, const ModelSizes& sizes, int places, std::byte* base) {
  size_t total = 0;
  int i = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) \
  detail::place<R>(state_fields()[i++], sizes, places, base, total, arrays.name);
#include "pliant/state_fields.def"
#undef FIELD
  return total;
}

/// Only fields for which keep(info) holds; the others become nullptr.
template <class R, class Keep>
size_t place_data(DataArrays<R>& arrays, const ModelSizes& sizes, int places, std::byte* base, Keep&& keep) {
  size_t total = 0;
  int i = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning)            \
  if (keep(data_fields()[i])) {                                                  \
    detail::place<R>(data_fields()[i], sizes, places, base, total, arrays.name); \
  }                                                                              \
  ++i;
#include "pliant/data_fields.def"
#undef FIELD
  return total;
}

/// All arrays of a Model in precision R, written to `host`; the view gets their addresses as they will be at `base`.
template <class R>
size_t place_model(ModelView<R>& view, const Model& model, std::byte* host, const std::byte* base) {
  static_cast<ModelSizes&>(view) = model;
  view.opt = options_view<R>(model.opt);
  view.sensor_needs = sensor_needs(model);
  size_t total = 0;
  int i = 0;
  const auto write = [&](int field) {
    const Scalar scalar = model_fields()[field].scalar;
    const size_t n = static_cast<size_t>(model.field_count(field)) * model.field_width(field);
    if (host && scalar == Scalar::real) {
      const auto* from = static_cast<const double*>(model.field_data(field));
      auto* to = reinterpret_cast<R*>(host + total);
      for (size_t k = 0; k < n; ++k) to[k] = static_cast<R>(from[k]);
    } else if (host) {
      const auto* from = static_cast<const std::byte*>(model.field_data(field));
      for (size_t k = 0; k < n * scalar_bytes(scalar); ++k) host[total + k] = from[k];
    }
    return batch_aligned(n * scalar_bytes(batch_scalar<R>(scalar)));
  };
#define FIELD(type, name, count, width, cls, unit, meaning)   \
  detail::point_to(view.name, base ? base + total : nullptr); \
  total += write(i++);
#include "pliant/model_fields.def"
#undef FIELD
  return total;
}

}  // namespace pliant
