// Reading recordings (*.plr). A file is gone through once when it is opened: every chunk is compared with its checksum
// and taken apart, so that what is asked for later cannot fail but for a file that changes meanwhile. Lengths and
// counts are compared with the bytes that are there before memory is asked for: files come from strangers.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "base/file_names.h"
#include "pliant/model_io.h"
#include "pliant/recording.h"
#include "record/chunks.h"
#include "record/row_layout.h"

namespace pliant {
namespace {

/// Bytes of a file, or in memory.
class Source {
 public:
  explicit Source(std::string bytes) : bytes_(std::move(bytes)), size_(bytes_.size()) {}
  explicit Source(const std::filesystem::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat found;
    if (descriptor_ < 0 || fstat(descriptor_, &found) != 0) fail(path, errno);
    if (S_ISDIR(found.st_mode)) fail(path, EISDIR);
    if (!S_ISREG(found.st_mode)) fail(path, ESPIPE);  // a pipe has neither size nor places
    size_ = static_cast<uint64_t>(found.st_size);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  uint64_t size() const { return size_; }
  /// Bytes from a place on; fewer where the file ends or cannot be read.
  std::string read(uint64_t at, uint64_t n) const {
    n = at < size_ ? std::min(n, size_ - at) : 0;
    if (descriptor_ < 0) return bytes_.substr(at, n);
    std::string out(n, '\0');
    size_t got = 0;
    while (got < n) {
      const ssize_t moved = pread(descriptor_, out.data() + got, n - got, static_cast<off_t>(at + got));
      if (moved < 0 && errno == EINTR) continue;
      if (moved <= 0) break;
      got += static_cast<size_t>(moved);
    }
    out.resize(got);
    return out;
  }

 private:
  [[noreturn]] void fail(const std::filesystem::path& path, int reason) {
    if (descriptor_ >= 0) close(descriptor_);
    std::string message = "cannot read " + path.string() + ": " + std::generic_category().message(reason);
    std::filesystem::path part = path;
    part += ".part";
    std::error_code ignored;
    if (reason == ENOENT && std::filesystem::exists(part, ignored)) {
      message += "; " + part.string() + " is there, of a run that has not finished";
    } else if (const std::string hint = did_you_mean_file(path); reason == ENOENT && !hint.empty()) {
      message += ": " + hint;
    }
    throw std::runtime_error(message);
  }

  std::string bytes_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// A time as people write it: rows lie on sums of roundings.
std::string time_text(double t) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", t);
  return text;
}

bool is_scalar(uint8_t number) {
  return number == static_cast<uint8_t>(Scalar::real) || number == static_cast<uint8_t>(Scalar::i32) ||
         number == static_cast<uint8_t>(Scalar::boolean) || number == static_cast<uint8_t>(Scalar::u8);
}

/// "" when the payload is a head, else what is wrong with it.
std::string read_head(std::string_view payload, RecordingHead& head, bool& embedded) {
  constexpr uint32_t kMostWorlds = 1u << 24;
  constexpr size_t kMostRowBytes = size_t{1} << 32;
  PayloadReader in(payload);
  head.version = in.text();
  head.build = in.text();
  head.model_file = in.text();
  head.model_hash = in.value<uint64_t>();
  embedded = in.value<uint8_t>() != 0;
  const auto worlds = in.value<uint32_t>();
  if (worlds < 1 || worlds > kMostWorlds) return "it has no possible number of worlds";
  head.worlds = static_cast<int>(worlds);
  for (auto n = in.value<uint32_t>(); n > 0 && in.fine(); --n) {
    std::string name = in.text();
    head.options.emplace_back(std::move(name), in.text());
  }
  size_t row = 0;
  for (auto n = in.value<uint32_t>(); n > 0 && in.fine(); --n) {
    RecordedField field;
    field.name = in.text();
    const auto scalar = in.value<uint8_t>();
    field.of_state = in.value<uint8_t>() != 0;
    field.has_width = in.value<uint8_t>() != 0;
    const auto count = in.value<uint32_t>(), width = in.value<uint32_t>();
    if (!is_scalar(scalar) || count > INT32_MAX || width > INT32_MAX) return "a field has no possible shape";
    field.scalar = static_cast<Scalar>(scalar);
    field.count = static_cast<int>(count);
    field.width = static_cast<int>(width);
    const auto names = in.value<uint32_t>();
    if (names > in.left() / sizeof(uint32_t)) return "it ends too early";
    if (names != field.numbers()) return "a field has not as many names as numbers";
    for (uint32_t i = 0; i < names; ++i) field.names.push_back(in.text());
    row += field.bytes() * worlds;
    if (row > kMostRowBytes) return "a row would be larger than 4 GB";
    for (const RecordedField& other : head.fields) {
      if (other.name == field.name) return "it has two fields of one name";
    }
    head.fields.push_back(std::move(field));
  }
  if (!in.fine() || in.left() != 0) return "its head has another length";
  if (head.fields.empty() || head.fields[0].name != "time" || head.fields[0].numbers() != 1 ||
      head.fields[0].scalar != Scalar::real) {
    return "its first field is not the time";
  }
  return "";
}

/// A chunk of rows in memory, with places of what is in it.
struct RowChunk {
  std::string payload;
  int64_t first = 0;
  uint32_t n = 0;
  const char* steps = nullptr;
  std::vector<const char*> numbers;  // per field
  std::vector<bool> once;
  std::vector<RowMemory> memory;  // per row, or none

  int64_t step(uint32_t row) const {
    int64_t out;
    std::memcpy(&out, steps + sizeof out * row, sizeof out);
    return out;
  }
};

bool read_memory(PayloadReader& in, RowMemory& memory) {
  const auto entries = in.value<uint32_t>(), forces = in.value<uint32_t>();
  if (entries > in.left() / sizeof(RecordedMemoryEntry)) return false;
  for (uint32_t i = 0; i < entries; ++i) {
    const auto e = in.value<RecordedMemoryEntry>();
    // whoever recalls forces follows these numbers
    const RowMemory::Entry entry{
        e.kind, {e.id[0], e.id[1]}, e.rows, e.start, e.slips, {e.place[0], e.place[1], e.place[2]}};
    if (!is_within(entry, forces)) return false;
    memory.entries.push_back(entry);
  }
  if (forces > in.left() / sizeof(double)) return false;
  memory.force.resize(forces);
  if (const char* from = in.take(sizeof(double) * forces); from && forces) {
    std::memcpy(memory.force.data(), from, sizeof(double) * forces);
  }
  return in.fine();
}

/// Whether the payload of `rows` is a chunk of rows of this recording; then with the places of everything.
bool take_apart(const RecordingHead& head, RowChunk& rows) {
  PayloadReader in(rows.payload);
  rows.first = in.value<int64_t>();
  rows.n = in.value<uint32_t>();
  in.value<uint32_t>();
  if (rows.n == 0 || rows.n > in.left() / sizeof(int64_t)) return false;
  rows.steps = in.take(sizeof(int64_t) * rows.n);
  for (const RecordedField& field : head.fields) {
    const size_t row = field.bytes() * static_cast<size_t>(head.worlds);
    const auto encoding = in.value<RowEncoding>();
    if (encoding != RowEncoding::kOnce && encoding != RowEncoding::kEach) return false;
    in.align();
    const bool once = encoding == RowEncoding::kOnce;
    if (row > 0 && !once && rows.n > in.left() / row) return false;
    rows.numbers.push_back(in.take(once ? row : row * rows.n));
    rows.once.push_back(once);
    in.align();
  }
  const auto has_memory = in.value<uint8_t>();
  in.align();
  if (!in.fine() || has_memory > 1) return false;
  if (has_memory) {
    for (uint32_t i = 0; i < rows.n; ++i) {
      if (!read_memory(in, rows.memory.emplace_back())) return false;
    }
  }
  return in.fine() && in.left() == 0;
}

bool read_events(std::string_view payload, std::vector<RecordedEvent>& events) {
  PayloadReader in(payload);
  for (auto n = in.value<uint32_t>(); n > 0 && in.fine(); --n) {
    RecordedEvent event;
    event.row = in.value<int64_t>();
    event.time = in.value<double>();
    event.kind = in.text();
    event.text = in.text();
    if (in.fine()) events.push_back(std::move(event));
  }
  return in.fine() && in.left() == 0;
}

}  // namespace

struct RecordingFile::Parts {
  struct Place {
    uint64_t at, bytes;               // of the payload
    int64_t first;                    // row
    double earliest = 0, latest = 0;  // times of its rows
  };

  std::string name;
  Source source;
  RecordingHead head;
  bool embedded = false;
  int64_t rows = 0;
  bool whole = false;
  std::string end, note;
  std::vector<RecordedEvent> events;
  std::optional<Place> model;
  std::vector<Place> chunks;
  mutable RowChunk loaded;

  template <class From>
  Parts(std::string called, const From& from) : name(std::move(called)), source(from) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw std::runtime_error("cannot use " + name + " as a recording: " + why);
  }

  void open() {
    const std::string start = source.read(0, kPlrStartBytes), wanted = plr_start();
    const bool ours = start.size() >= sizeof kPlrMagic && start.starts_with(wanted.substr(0, sizeof kPlrMagic));
    if (source.size() == 0) refuse("it is empty: the run that wrote it ended before its first rows were in the file");
    if (!ours) refuse("it does not begin as one");
    if (start.size() == kPlrStartBytes && start != wanted) {
      refuse("its format is of another version; this Pliant reads version " + std::to_string(kPlrVersion));
    }
    uint64_t at = kPlrStartBytes;
    std::string why;
    for (uint64_t number = 0; !whole; ++number) {
      if (at >= source.size()) {
        why = "it has no end: the run that wrote it was killed, or still goes on";
        break;
      }
      ChunkHead chunk;
      if (!read_chunk_head(source.read(at, kChunkHeadBytes), number, chunk)) {
        why = source.size() - at < kChunkHeadBytes ? "it is cut short" : "it is damaged";
        break;
      }
      if (chunk.bytes > source.size() - at - kChunkHeadBytes) {
        why = "it is cut short";
        break;
      }
      std::string payload = source.read(at + kChunkHeadBytes, chunk.bytes);
      if (payload.size() != chunk.bytes || crc_of(payload) != chunk.payload_crc) {
        why = "it is damaged";
        break;
      }
      if (!take(chunk, at + kChunkHeadBytes, std::move(payload), number, why)) break;
      at += kChunkHeadBytes + chunk.bytes;
    }
    if (head.fields.empty()) refuse(why + " before its head was whole, so that nothing can be read");
    if (whole && at < source.size()) {
      why = std::to_string(source.size() - at) + " bytes follow its end";
    }
    if (!why.empty()) note = said(why, at);
    loaded = {};
  }

  /// "run.plr: it is damaged at byte 4711; 120 rows before that are read, up to t = 0.24"
  std::string said(const std::string& why, uint64_t at) const {
    std::string out = name + ": " + why + " (byte " + std::to_string(at) + " of " + std::to_string(source.size()) +
                      "); " + std::to_string(rows) + (rows == 1 ? " row is read" : " rows are read");
    if (rows > 0) out += ", up to t = " + time_text(time(rows - 1));
    return out;
  }

  /// Takes in a chunk; false, with a reason, when it is none that can stand here.
  bool take(const ChunkHead& chunk, uint64_t at, std::string payload, uint64_t number, std::string& why) {
    const auto kind = static_cast<ChunkKind>(chunk.kind);
    if ((kind == ChunkKind::kHead) != (number == 0)) {
      why = "its chunks are not in order";
      return false;
    }
    switch (kind) {
      case ChunkKind::kHead: {
        RecordingHead read;
        why = read_head(payload, read, embedded);
        if (!why.empty()) return false;
        head = std::move(read);
        return true;
      }
      case ChunkKind::kModel:
        model = Place{at, chunk.bytes, 0};
        return true;
      case ChunkKind::kRows: {
        RowChunk read;
        read.payload = std::move(payload);
        if (!take_apart(head, read) || read.first != rows) {
          why = "a chunk of rows is not what its head promises";
          return false;
        }
        Place place{at, chunk.bytes, rows};
        for (uint32_t row = 0; row < read.n; ++row) {
          const double t = time_in(read, row);
          // (what is no number is in no span of time: such a chunk is always looked into)
          if (row == 0 || !(t >= place.earliest)) place.earliest = t;
          if (row == 0 || !(t <= place.latest)) place.latest = t;
        }
        chunks.push_back(place);
        rows += read.n;
        return true;
      }
      case ChunkKind::kEvents:
        if (!read_events(payload, events)) why = "a chunk of events is not what it should be";
        return why.empty();
      case ChunkKind::kEnd: {
        PayloadReader in(payload);
        const auto told = in.value<int64_t>();
        end = in.text();
        if (!in.fine() || told != rows) {
          why = "its end tells another number of rows";
          return false;
        }
        whole = true;
        return true;
      }
    }
    why = "it has a chunk of a kind that this version does not know";
    return false;
  }

  /// The chunk that has a row.
  const RowChunk& chunk_of(int64_t row) const {
    if (row < 0 || row >= rows) {
      throw std::out_of_range(name + " has " + std::to_string(rows) + " rows, and no row " + std::to_string(row));
    }
    if (loaded.n > 0 && row >= loaded.first && row < loaded.first + loaded.n) return loaded;
    const auto after = std::upper_bound(chunks.begin(), chunks.end(), row,
                                        [](int64_t wanted, const Place& place) { return wanted < place.first; });
    const Place& place = *(after - 1);
    RowChunk read;
    read.payload = source.read(place.at, place.bytes);
    if (read.payload.size() != place.bytes || !take_apart(head, read) || read.first != place.first) {
      throw std::runtime_error("cannot use " + name + " as a recording: it has changed since it was opened");
    }
    loaded = std::move(read);
    return loaded;
  }

  const char* values(int64_t row, size_t field) const {
    const RowChunk& chunk = chunk_of(row);
    const size_t bytes = head.fields[field].bytes() * static_cast<size_t>(head.worlds);
    return chunk.numbers[field] + (chunk.once[field] ? 0 : bytes * static_cast<size_t>(row - chunk.first));
  }
  double time(int64_t row) const {
    double out;
    std::memcpy(&out, values(row, 0), sizeof out);
    return out;
  }
  /// Of a row of a chunk, counted in it.
  double time_in(const RowChunk& chunk, uint32_t row) const {
    double out;
    const size_t bytes = head.fields[0].bytes() * static_cast<size_t>(head.worlds);
    std::memcpy(&out, chunk.numbers[0] + (chunk.once[0] ? 0 : bytes * row), sizeof out);
    return out;
  }
  int64_t end_of(size_t chunk) const { return chunk + 1 < chunks.size() ? chunks[chunk + 1].first : rows; }
};

RecordingFile::RecordingFile(const std::filesystem::path& path) : parts_(std::make_unique<Parts>(path.string(), path)) {
  parts_->open();
}
RecordingFile::RecordingFile(std::string bytes, const std::string& name)
    : parts_(std::make_unique<Parts>(name, std::move(bytes))) {
  parts_->open();
}
RecordingFile::~RecordingFile() = default;
RecordingFile::RecordingFile(RecordingFile&&) noexcept = default;

bool RecordingFile::is_one(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;  // who opens a pipe takes it from others
  try {
    const std::string start = Source(path).read(0, sizeof kPlrMagic);
    return std::string_view(start) == std::string_view(kPlrMagic, sizeof kPlrMagic);
  } catch (const std::runtime_error&) {
    return false;
  }
}

const RecordingHead& RecordingFile::head() const { return parts_->head; }
int64_t RecordingFile::rows() const { return parts_->rows; }
bool RecordingFile::whole() const { return parts_->whole; }
const std::string& RecordingFile::end() const { return parts_->end; }
const std::string& RecordingFile::note() const { return parts_->note; }
const std::vector<RecordedEvent>& RecordingFile::events() const { return parts_->events; }

std::optional<Model> RecordingFile::model() const {
  if (!parts_->model) return std::nullopt;
  return read_plm(parts_->source.read(parts_->model->at, parts_->model->bytes), parts_->name + " (the model inside)");
}

int64_t RecordingFile::step(int64_t row) const {
  const RowChunk& chunk = parts_->chunk_of(row);
  return chunk.step(static_cast<uint32_t>(row - chunk.first));
}
double RecordingFile::time(int64_t row) const { return parts_->time(row); }

std::span<const std::byte> RecordingFile::values(int64_t row, size_t field) const {
  return {reinterpret_cast<const std::byte*>(parts_->values(row, field)),
          head().fields.at(field).bytes() * static_cast<size_t>(head().worlds)};
}

void RecordingFile::check(const Model& model) const {
  for (const RecordedField& field : head().fields) {
    for (const StateFieldInfo& info : field.of_state ? state_fields() : data_fields()) {
      if (field.name != info.name) continue;
      const size_t wanted = static_cast<size_t>(info.count(model)) * static_cast<size_t>(info.width(model));
      if (field.numbers() == wanted && field.scalar == info.scalar) continue;
      throw std::invalid_argument("the recording has " + std::to_string(field.numbers()) + " numbers of " + field.name +
                                  " per row, the model has " + std::to_string(wanted) + ": it is of another model");
    }
  }
}

std::vector<int64_t> RecordingFile::chunks() const {
  std::vector<int64_t> out;
  for (const Parts::Place& place : parts_->chunks) out.push_back(place.first);
  return out;
}

int64_t RecordingFile::first_row(double from) const {
  const Parts& p = *parts_;
  for (size_t c = 0; c < p.chunks.size(); ++c) {
    if (p.chunks[c].latest < from) continue;
    for (int64_t row = p.chunks[c].first; row < p.end_of(c); ++row) {
      if (!(p.time(row) < from)) return row;
    }
  }
  return p.rows;
}

int64_t RecordingFile::last_row(double to) const {
  const Parts& p = *parts_;
  for (size_t c = p.chunks.size(); c-- > 0;) {
    if (p.chunks[c].earliest > to) continue;
    for (int64_t row = p.end_of(c); row-- > p.chunks[c].first;) {
      if (!(p.time(row) > to)) return row;
    }
  }
  return -1;
}

void RecordingFile::restore(int64_t row, State& state, int world) const {
  if (world < 0 || world >= head().worlds) {
    throw std::out_of_range(parts_->name + " has " + std::to_string(head().worlds) + " worlds, and no world " +
                            std::to_string(world));
  }
  const auto known = state_fields();
  for (size_t f = 0; f < head().fields.size(); ++f) {
    const RecordedField& field = head().fields[f];
    for (size_t i = 0; i < known.size() && field.of_state; ++i) {
      if (field.name != known[i].name) continue;
      const int place = static_cast<int>(i);
      if (field.scalar != known[i].scalar || field.count != state.field_count(place) ||
          field.width != state.field_width(place)) {
        throw std::invalid_argument("the recording has " + std::to_string(field.numbers()) + " numbers of " +
                                    field.name + " per row, the state has another number: it is of another model");
      }
      if (field.bytes() == 0) continue;
      const char* from = parts_->values(row, f) + field.bytes() * static_cast<size_t>(world);
      if (field.scalar == Scalar::boolean) {
        // a byte that is neither must not become a bool
        bool* to = static_cast<bool*>(state.field_data(place));
        for (size_t k = 0; k < field.numbers(); ++k) to[k] = from[k] != 0;
      } else {
        std::memcpy(state.field_data(place), from, field.bytes());
      }
    }
  }
  const RowChunk& chunk = parts_->chunk_of(row);
  state.row_memory.clear();
  if (!chunk.memory.empty()) state.row_memory = chunk.memory[static_cast<size_t>(row - chunk.first)];
}

}  // namespace pliant
