// Writing recordings (*.plr): rows gather in memory, one buffer per field, until they make a chunk.

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "base/hash.h"
#include "base/output_file.h"
#include "pliant/model_io.h"
#include "pliant/recording.h"
#include "record/chunks.h"
#include "record/row_layout.h"

namespace pliant {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kChunkBytes = size_t{256} << 10;
constexpr auto kChunkAge = std::chrono::seconds(1);

void put_head(PayloadWriter& out, const RecordingHead& head, bool embedded) {
  out.text(head.version);
  out.text(head.build);
  out.text(head.model_file);
  out.value(head.model_hash);
  out.value(static_cast<uint8_t>(embedded));
  out.value(static_cast<uint32_t>(head.worlds));
  out.value(static_cast<uint32_t>(head.options.size()));
  for (const auto& [name, value] : head.options) out.text(name), out.text(value);
  out.value(static_cast<uint32_t>(head.fields.size()));
  for (const RecordedField& field : head.fields) {
    out.text(field.name);
    out.value(static_cast<uint8_t>(field.scalar));
    out.value(static_cast<uint8_t>(field.of_state));
    out.value(static_cast<uint8_t>(field.has_width));
    out.value(static_cast<uint32_t>(field.count));
    out.value(static_cast<uint32_t>(field.width));
    out.value(static_cast<uint32_t>(field.names.size()));
    for (const std::string& name : field.names) out.text(name);
  }
}

void put_memory(PayloadWriter& out, const RowMemory& memory) {
  out.value(static_cast<uint32_t>(memory.entries.size()));
  out.value(static_cast<uint32_t>(memory.force.size()));
  for (const RowMemory::Entry& e : memory.entries) {
    out.value(RecordedMemoryEntry{
        e.kind, {e.id[0], e.id[1]}, e.rows, e.start, e.slips, {e.place[0], e.place[1], e.place[2]}});
  }
  out.bytes(memory.force.data(), sizeof(double) * memory.force.size());
}

bool all_alike(std::string_view rows, size_t bytes) {
  // every row is like the one before it: the rows are like themselves, one row further
  return rows.size() <= bytes || std::memcmp(rows.data(), rows.data() + bytes, rows.size() - bytes) == 0;
}

}  // namespace

struct RecordingWriter::Parts {
  std::filesystem::path path;
  OutputFile out;
  RecordingHead head;
  bool open = true;
  uint64_t chunks = 0;
  int64_t rows = 0;

  // the chunk that is being filled
  std::vector<int64_t> steps;
  std::vector<std::string> numbers;  // per field
  PayloadWriter memory;
  bool has_memory = false;
  std::vector<RecordedEvent> events;
  size_t bytes = 0;
  Clock::time_point since;

  explicit Parts(const std::filesystem::path& target)
      : path(target), out(target, OutputFile::Sync::kYes, OutputFile::Unfinished::kKeep) {}

  void put_chunk(ChunkKind kind, std::string_view payload) {
    out.write(chunk_head(kind, chunks++, payload));
    out.write(payload);
  }

  void put_rows() {
    PayloadWriter payload;
    const size_t n = steps.size();
    payload.value(rows - static_cast<int64_t>(n));
    payload.value(static_cast<uint32_t>(n));
    payload.value(uint32_t{0});
    payload.bytes(steps.data(), sizeof(int64_t) * n);
    for (std::string& block : numbers) {
      const size_t row = block.size() / n;
      const bool alike = all_alike(block, row);
      payload.value(alike ? RowEncoding::kOnce : RowEncoding::kEach);
      payload.align();
      payload.bytes(block.data(), alike ? row : block.size());
      payload.align();
      block.clear();
    }
    payload.value(static_cast<uint8_t>(has_memory));
    payload.align();
    if (has_memory) payload.bytes(memory.get().data(), memory.get().size());
    put_chunk(ChunkKind::kRows, payload.get());
    steps.clear();
    memory = {};
    has_memory = false;
    bytes = 0;
  }

  void put_events() {
    PayloadWriter payload;
    payload.value(static_cast<uint32_t>(events.size()));
    for (const RecordedEvent& event : events) {
      payload.value(event.row);
      payload.value(event.time);
      payload.text(event.kind);
      payload.text(event.text);
    }
    put_chunk(ChunkKind::kEvents, payload.get());
    events.clear();
  }

  void hand_over() {
    if (!steps.empty()) put_rows();
    if (!events.empty()) put_events();
    out.keep_so_far();
    since = Clock::now();
  }

  /// Does the work; a failure ends the recording, and its message says where the beginning is.
  template <class Work>
  void guarded(Work work) {
    if (!open) throw std::logic_error("something for '" + path.string() + "' after the recording has ended");
    try {
      work();
    } catch (const std::runtime_error& problem) {
      open = false;
      if (!out.keeps_something()) throw;
      throw std::runtime_error(std::string(problem.what()) + "; what was recorded before is in " +
                               out.temporary().string());
    }
  }
};

RecordingWriter::RecordingWriter(const std::filesystem::path& path, RecordingHead head, const Model* model)
    : parts_(std::make_unique<Parts>(path)) {
  Parts& p = *parts_;
  p.head = std::move(head);
  p.numbers.resize(p.head.fields.size());
  std::string embedded;
  if (model) {
    embedded = write_plm(*model);
    Hash hash;
    hash.add(embedded.data(), embedded.size());
    p.head.model_hash = hash.value();
  }
  p.out.write(plr_start());
  PayloadWriter payload;
  put_head(payload, p.head, model != nullptr);
  p.put_chunk(ChunkKind::kHead, payload.get());
  if (model) p.put_chunk(ChunkKind::kModel, embedded);
  // Not handed over yet: an empty recording is not worth keeping.
  p.since = Clock::now();
}

RecordingWriter::~RecordingWriter() {
  if (!parts_ || !parts_->open) return;
  try {
    flush();
  } catch (const std::exception&) {
    // whoever wants to know calls finish() or flush()
  }
}
RecordingWriter::RecordingWriter(RecordingWriter&&) noexcept = default;

void RecordingWriter::add_row(int64_t step, std::span<const void* const> arrays, const RowMemory* memory) {
  Parts& p = *parts_;
  if (arrays.size() != p.numbers.size()) throw std::logic_error("a row of a recording has an array per field");
  p.guarded([&] {
    // a chunk has the solver's memory of all its rows, or of none
    if (!p.steps.empty() && p.has_memory != (memory != nullptr)) p.put_rows();
    p.steps.push_back(step);
    ++p.rows;
    for (size_t i = 0; i < arrays.size(); ++i) {
      const size_t n = p.head.fields[i].bytes() * static_cast<size_t>(p.head.worlds);
      p.numbers[i].append(static_cast<const char*>(arrays[i]), n);
      p.bytes += n;
    }
    if (memory) {
      p.has_memory = true;
      const size_t before = p.memory.get().size();
      put_memory(p.memory, *memory);
      p.bytes += p.memory.get().size() - before;
    }
    if (p.bytes >= kChunkBytes || Clock::now() - p.since >= kChunkAge) p.hand_over();
  });
}

void RecordingWriter::add_event(std::string_view kind, double time, std::string_view text) {
  Parts& p = *parts_;
  p.guarded([&] { p.events.push_back({p.rows, time, std::string(kind), std::string(text)}); });
}

void RecordingWriter::flush() {
  Parts& p = *parts_;
  p.guarded([&] { p.hand_over(); });
}

void RecordingWriter::finish(std::string_view reason) {
  Parts& p = *parts_;
  if (!p.open) return;
  p.guarded([&] {
    p.hand_over();
    PayloadWriter payload;
    payload.value(p.rows);
    payload.text(reason);
    p.put_chunk(ChunkKind::kEnd, payload.get());
    p.out.commit();
  });
  p.open = false;
}

void RecordingWriter::abandon() noexcept {
  parts_->open = false;
  parts_->out.abandon();
}

int64_t RecordingWriter::rows() const { return parts_->rows; }
const RecordingHead& RecordingWriter::head() const { return parts_->head; }
const std::filesystem::path& RecordingWriter::unfinished() const { return parts_->out.temporary(); }

}  // namespace pliant
