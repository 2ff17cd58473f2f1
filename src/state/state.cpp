// State: snapshots, reset and hash. The arrays come from state_fields.def.

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/hash.h"
#include "joint/followers_hd.h"
#include "pliant/kinds.h"
#include "pliant/state.h"
#include "state/field_block.h"
#include "state/history_hd.h"

namespace pliant {
namespace {

constexpr StateFieldInfo kFields[] = {
#define FIELD(type, name, count, width, layout, unit, meaning) \
  {"state",                                                    \
   #name,                                                      \
   Scalar::type,                                               \
   #count,                                                     \
   #width,                                                     \
   Layout::layout,                                             \
   unit,                                                       \
   meaning,                                                    \
   PLIANT_SIZE_OF(count),                                      \
   PLIANT_SIZE_OF(width)},
#include "pliant/state_fields.def"
#undef FIELD
};

// Room for row memory, per body: beyond it memory grows.
constexpr size_t kContactsPerBody = 16, kRowsPerBody = 4 * kContactsPerBody;

template <class T>
void copy(T* to, const T* from, size_t n) {
  if (n) std::memcpy(to, from, n * sizeof(T));
}

// Histories start full of zeros, as if sampled at the times before 0. A sensor with an interval was last
// read one interval before its first reading is due; its samples lie on timesteps.
void start_history(HistoryPlace place, double interval, double phase, double step, double* history) {
  const int n = place.samples;
  const double last = interval > 0 ? (phase == 0 ? -interval : phase) : -step;
  history[place.cursor()] = n - 1;
  for (int i = 0; i < n; ++i) {
    history[place.time(i)] = interval > 0 ? std::ceil((last - (n - 1 - i) * interval) / step) * step : -(n - i) * step;
  }
}

// Springs that yield are at rest where the Model's springs are.
void start_plastic(const Model& m, double* plastic) {
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_plasticadr[j] < 0) continue;
    const int n = joint_kind(m.jnt_type[j]).rest_positions();
    copy(plastic + m.jnt_plasticadr[j], m.qpos_spring + m.jnt_qposadr[j], n);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_plasticadr[t] >= 0) copy(plastic + m.tendon_plasticadr[t], m.tendon_lengthspring + 2 * t, 2);
  }
}

void start_histories(const Model& m, double* history) {
  const double step = m.opt.timestep;
  for (int i = 0; i < m.nactuator; ++i) {
    if (m.actuator_history[2 * i] > 0) start_history(control_history(m, i), 0, 0, step, history);
  }
  for (int i = 0; i < m.nsensor; ++i) {
    if (m.sensor_history[2 * i] <= 0) continue;
    const HistoryPlace place = sensor_history(m, i);
    const double interval = m.sensor_interval[2 * i], phase = m.sensor_interval[2 * i + 1];
    start_history(place, interval, phase, step, history);
    history[place.mark()] = interval > 0 ? (phase == 0 ? -interval : phase) : -step;
  }
}

}  // namespace

std::span<const StateFieldInfo> state_fields() { return kFields; }

void State::place_fields() {
  std::byte* cursor = start_;
  int field = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) \
  name = reinterpret_cast<scalar::type*>(cursor);              \
  cursor += field_bytes(field++);
#include "pliant/state_fields.def"
#undef FIELD
}

void* State::field_data(int field) const {
  int i = 0;
#define FIELD(type, name, count, width, layout, unit, meaning) \
  if (i++ == field) return name;
#include "pliant/state_fields.def"
#undef FIELD
  return nullptr;
}

State::State(const Model& model) : FieldBlock(kFields) {
  allocate(model);
  place_fields();
  // room for equalities, friction and limits, and for contacts of every body with several others
  if (has_row_memory(model)) {
    const size_t few =
        static_cast<size_t>(model.nemax) + 3 * (static_cast<size_t>(model.nv) + static_cast<size_t>(model.ntendon));
    const size_t slip = has_anchors(model) ? kSlipNumbers : 0;
    row_memory.reserve(few + kContactsPerBody * static_cast<size_t>(model.nbody),
                       few + (kRowsPerBody + kContactsPerBody * slip) * static_cast<size_t>(model.nbody));
  }
  reset(model);
}

State::State(const State& other) : FieldBlock(kFields) { *this = other; }

State& State::operator=(const State& other) {
  if (this == &other) return *this;
  if (!other.block_) return *this = State();
  // Same sizes: the arrays stay where they are, so that views of them stay valid.
  if (!fits(other.sizes_)) {
    allocate(other.sizes_);
    place_fields();
  }
  std::memcpy(start_, other.start_, bytes_);
  row_memory = other.row_memory;
  row_memory.reserve_as(other.row_memory);
  return *this;
}

void State::reset(const Model& model) {
  if (!fits(model)) throw std::invalid_argument("State::reset: the state belongs to a model of other sizes");
  std::memset(start_, 0, bytes_);
  row_memory.clear();
  copy(qpos, model.qpos0, model.nq);
  copy(eq_active, model.eq_active0, model.neq);
  for (int b = 0; b < model.nbody; ++b) {
    const int mocap = model.body_mocapid[b];
    if (mocap < 0) continue;
    copy(mocap_pos + 3 * mocap, model.body_pos + 3 * b, 3);
    copy(mocap_quat + 4 * mocap, model.body_quat + 4 * b, 4);
  }
  // Controls that are quaternions start as no rotation.
  for (int i = 0; i < model.nactuator; ++i) {
    if (model.actuator_gaintype[i] == static_cast<int>(GainType::kSo3) && model.actuator_ctrlspec[i] == kChartQuat) {
      ctrl[model.actuator_ctrladr[i]] = 1;
    }
  }
  if (model.nhistory) start_histories(model, history);
  start_plastic(model, plastic);
  place_followers(model, *this, qpos);
}

void State::reset(const Model& model, int key) {
  if (key < 0 || key >= model.nkey) {
    throw std::invalid_argument("State::reset: there is no keyframe " + std::to_string(key) + "; the model has " +
                                std::to_string(model.nkey));
  }
  reset(model);
  *time = model.key_time[key];
  copy(qpos, model.key_qpos + key * model.nq, model.nq);
  copy(qvel, model.key_qvel + key * model.nv, model.nv);
  copy(act, model.key_act + key * model.na, model.na);
  copy(plastic, model.key_plastic + key * model.nplastic, model.nplastic);
  copy(mocap_pos, model.key_mpos + key * 3 * model.nmocap, 3 * model.nmocap);
  copy(mocap_quat, model.key_mquat + key * 4 * model.nmocap, 4 * model.nmocap);
  copy(ctrl, model.key_ctrl + key * model.nu, model.nu);
  place_followers(model, *this, qpos);
  fill_followers(model, *this, qvel);
}

State make_state(const Model& model) { return State(model); }

uint64_t State::hash() const {
  Hash hash;
  if (block_) hash.add(start_, bytes_);  // gaps between arrays are always zero
  for (const RowMemory::Entry& entry : row_memory.entries) {
    const int numbers[] = {entry.kind, entry.id[0], entry.id[1], entry.rows, entry.start};
    hash.add(numbers, sizeof numbers);
    hash.add(entry.place, sizeof entry.place);
    if (entry.slips) hash.add(&entry.slips, sizeof entry.slips);
  }
  if (!row_memory.force.empty()) hash.add(row_memory.force.data(), sizeof(double) * row_memory.force.size());
  return hash.value();
}

}  // namespace pliant
