// Copying a State is one copy of its block: field by field would cost a small model several percent of a step.

#include "pliant/flight_recorder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "pliant/recording.h"

namespace pliant {

struct FlightRecorder::Parts {
  size_t row_bytes = 0, capacity = 0;
  std::unique_ptr<std::byte[]> ring;
  std::vector<RowMemory> memory;  // per place, where the solver has one
  int64_t steps = 0;
  size_t next = 0;  // place of the next row
  State like;       // a State of the same sizes, which knows where its arrays are

  int64_t rows() const { return std::min(steps, static_cast<int64_t>(capacity)); }
  size_t place(int64_t step) const { return static_cast<size_t>(step % static_cast<int64_t>(capacity)); }
};

FlightRecorder::FlightRecorder(const Model& model) : FlightRecorder(model, Options()) {}

FlightRecorder::FlightRecorder(const Model& model, const Options& options) : parts_(std::make_unique<Parts>()) {
  if (!(options.seconds > 0)) throw std::invalid_argument("a flight recorder keeps a positive number of seconds");
  Parts& p = *parts_;
  p.like = State(model);
  p.row_bytes = p.like.bytes();
  constexpr double kMostRows = 1e9;
  const double wanted = std::ceil(options.seconds / model.opt.timestep) + 1;
  const size_t most = std::max<size_t>(options.most_bytes / std::max<size_t>(p.row_bytes, 1), 2);
  p.capacity = std::min(most, static_cast<size_t>(wanted >= 2 ? std::min(wanted, kMostRows) : 2));
  // not zeroed: pages that are never reached are never taken
  p.ring = std::make_unique_for_overwrite<std::byte[]>(p.capacity * p.row_bytes);
  if (has_row_memory(model)) p.memory.resize(p.capacity);
}
FlightRecorder::~FlightRecorder() = default;
FlightRecorder::FlightRecorder(FlightRecorder&&) noexcept = default;

void FlightRecorder::record(const State& state) {
  Parts& p = *parts_;
  if (state.bytes() != p.row_bytes) {
    throw std::invalid_argument("FlightRecorder::record: the state belongs to a model of other sizes");
  }
  const size_t place = p.next;
  ++p.steps;
  p.next = place + 1 == p.capacity ? 0 : place + 1;
  std::memcpy(p.ring.get() + place * p.row_bytes, state.time, p.row_bytes);  // time is where the block begins
  if (!p.memory.empty()) p.memory[place] = state.row_memory;
}

void FlightRecorder::clear() {
  parts_->steps = 0;
  parts_->next = 0;
}
int64_t FlightRecorder::rows() const { return parts_->rows(); }
int64_t FlightRecorder::capacity() const { return static_cast<int64_t>(parts_->capacity); }
int64_t FlightRecorder::steps() const { return parts_->steps; }

void FlightRecorder::write(const Model& model, const std::filesystem::path& path, std::string_view kind,
                           std::string_view text) const {
  const Parts& p = *parts_;
  if (p.rows() == 0) throw std::logic_error("FlightRecorder::write: nothing was recorded");
  const RecordingHead head = recording_head(model, {}, true);
  RecordingWriter writer(path, head, &model);
  std::vector<size_t> offsets;  // of arrays in the block
  const auto known = state_fields();
  for (const RecordedField& field : head.fields) {
    for (size_t i = 0; i < known.size(); ++i) {
      if (field.name != known[i].name) continue;
      const auto* array = static_cast<const std::byte*>(p.like.field_data(static_cast<int>(i)));
      offsets.push_back(static_cast<size_t>(array - reinterpret_cast<const std::byte*>(p.like.time)));
    }
  }
  std::vector<const void*> arrays(offsets.size());
  double time = 0;
  for (int64_t step = p.steps - p.rows(); step < p.steps; ++step) {
    const std::byte* row = p.ring.get() + p.place(step) * p.row_bytes;
    for (size_t i = 0; i < arrays.size(); ++i) arrays[i] = row + offsets[i];
    std::memcpy(&time, row, sizeof time);
    writer.add_row(step, arrays, p.memory.empty() ? nullptr : &p.memory[p.place(step)]);
  }
  writer.add_event(kind, time, text);
  writer.finish(kind);
}

}  // namespace pliant
