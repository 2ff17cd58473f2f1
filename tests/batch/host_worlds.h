#pragma once
// Worlds on the host with the kernels of the GPU, in any precision and with the layout of a batch.

#include <vector>

#include "batch/place_arrays.h"
#include "batch/smooth_step_hd.h"
#include "batch/tree_order.h"
#include "integrate/integrate.h"

namespace pliant {

template <class R>
class HostWorlds {
 public:
  HostWorlds(const Model& model, int nworld) : order_(make_tree_order(model)), layout_{nworld} {
    model_.resize(place_model(m, model, nullptr, nullptr));
    place_model(m, model, model_.data(), model_.data());
    m.order = order_.view(order_.numbers.data());
    m.may_be_damped = has_implicit_damping(model);
    m.may_attract = may_attract(model);
    const auto kept = [](const StateFieldInfo& info) { return is_on_device(info.owner); };
    state_.resize(place_state(s, model, nworld, nullptr));
    place_state(s, model, nworld, state_.data());
    data_.resize(place_data(d, model, nworld, nullptr, kept));
    place_data(d, model, nworld, data_.data(), kept);
  }
  StateView<R> state(int world) { return state_of_world(s, m, world, layout_); }
  DataView<R> data(int world) { return data_of_world(d, m, world, layout_); }

  /// Numbers of the CPU into a world; of Data those that a device has.
  void set(int world, const State& from) {
    const StateView<R> to = state(world);
    int i = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) \
  put(static_cast<const scalar::type*>(from.field_data(i)), to.name, from.field_count(i) * from.field_width(i)), ++i;
#include "pliant/state_fields.def"
#undef FIELD
  }
  void set(int world, const Data& from) {
    const DataView<R> to = data(world);
    int i = 0;
#define FIELD(owner, type, name, count, width, layout, unit, meaning)                                              \
  if (is_on_device(#owner)) {                                                                                      \
    put(static_cast<const scalar::type*>(from.field_data(i)), to.name, from.field_count(i) * from.field_width(i)); \
  }                                                                                                                \
  ++i;
#include "pliant/data_fields.def"
#undef FIELD
  }

  template <class Team>
  int step(const Team& team, int world) {
    const ModelView<R> view = of_world(m, world);
    StateView<R> world_state = state(world);
    DataView<R> world_data = data(world);
    return smooth_step(team, view, world_state, world_data);
  }

  ModelView<R> m;
  StateArrays<R> s;
  DataArrays<R> d;

 private:
  template <class T, class U>
  static void put(const T* from, const Strided<U>& to, int n) {
    for (int i = 0; i < n; ++i) to[i] = static_cast<U>(from[i]);
  }
  TreeOrderTable order_;
  BatchLayout layout_;
  std::vector<std::byte> model_, state_, data_;
};

/// A team on the host that has one member but takes the roads of larger teams: by levels, with gathered children.
/// (Members of a real team run at once; what they do between two barriers does not depend on the order.)
struct LevelTeam {
  static constexpr bool kSerial = false;
  static constexpr int kMembers = 0;
  int lane() const { return 0; }
  int size() const { return 1; }
  void sync() const {}
  bool any(bool x) const { return x; }
};

}  // namespace pliant
