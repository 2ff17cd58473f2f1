// Recorder: rows of State and Data, as .plr or .csv at once, or as .npz: NumPy wants the number of rows first, so that
// rows go to a .plr beside it, which becomes the archive at the end.

#include <cstring>
#include <optional>
#include <stdexcept>

#include "base/output_file.h"
#include "pliant/recording.h"
#include "record/convert.h"
#include "record/csv_format.h"
#include "record/npz.h"

namespace pliant {
namespace {

/// Where a field is found.
struct Place {
  int field;  // in its list
  bool of_state;
};

Place place_of(const RecordedField& field) {
  int place = 0;
  for (const StateFieldInfo& info : field.of_state ? state_fields() : data_fields()) {
    if (field.name == info.name) break;
    ++place;
  }
  return {place, field.of_state};
}

enum class Format { kChunks, kCsv, kNpz };

Format format_of(const std::filesystem::path& path) {
  if (path.extension() == ".plr") return Format::kChunks;
  if (path.extension() == ".csv") return Format::kCsv;
  if (path.extension() == ".npz") return Format::kNpz;
  throw std::invalid_argument(path.string() + ": a recording ends in .plr, .csv or .npz");
}

}  // namespace

struct Recorder::Parts {
  std::filesystem::path path;
  Format format;
  RecordingHead head;
  std::vector<Place> places;
  std::vector<const void*> arrays;  // of a row
  std::vector<std::string> columns;
  bool has_memory = false;
  int64_t rows = 0, next_step = 0;
  uint64_t bytes = 0;
  // one of them until the end or a failure
  std::optional<OutputFile> text;
  std::optional<RecordingWriter> chunks;

  bool open() const { return text || chunks; }
  void close() {
    text.reset();
    chunks.reset();
  }

  void write_line() {
    std::string line;
    for (size_t i = 0; i < arrays.size(); ++i) {
      add_csv_numbers(line, head.fields[i].scalar, arrays[i], head.fields[i].numbers());
    }
    text->write(line + "\n");
  }

  void write_row(int64_t step, const State& s) {
    for (const RecordedField& field : head.fields) bytes += field.bytes();
    if (format == Format::kNpz && bytes > kMaxNpzBytes) {
      throw std::runtime_error(path.string() +
                               ": a recording as .npz cannot be larger than 4 GB; record fewer "
                               "rows, or to .plr");
    }
    chunks->add_row(step, arrays, has_memory ? &s.row_memory : nullptr);
  }

  void finish_npz() {
    chunks->flush();
    try {
      write_npz(RecordingFile(chunks->unfinished()), *text, {});
      text->commit();
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error(std::string(problem.what()) + "; the rows are in " + chunks->unfinished().string());
    }
    chunks->abandon();
  }
};

Recorder::Recorder(const Model& model, const std::filesystem::path& path, const std::vector<std::string>& fields)
    : Recorder(model, path, fields, Options()) {}

Recorder::Recorder(const Model& model, const std::filesystem::path& path, const std::vector<std::string>& fields,
                   const Options& options)
    : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.path = path;
  p.format = format_of(path);
  p.head = recording_head(model, fields, p.format == Format::kChunks);
  for (const RecordedField& field : p.head.fields) {
    p.places.push_back(place_of(field));
    p.columns.insert(p.columns.end(), field.names.begin(), field.names.end());
  }
  p.arrays.resize(p.places.size());
  p.has_memory = p.format == Format::kChunks && has_row_memory(model);
  if (p.format != Format::kChunks) p.text.emplace(path);
  if (p.format == Format::kCsv) p.text->write(csv_header(p.columns));
  if (p.format == Format::kChunks) p.chunks.emplace(path, p.head, options.embed_model ? &model : nullptr);
  if (p.format == Format::kNpz) {
    std::filesystem::path rows = path;
    rows += ".rows";  // out.npz.rows.part, until it is out.npz
    p.chunks.emplace(rows, p.head, nullptr);
  }
}

Recorder::~Recorder() {
  if (!parts_ || !parts_->open()) return;
  try {
    finish();
  } catch (const std::exception&) {
    // finish() is where a failure is reported; here nobody listens
  }
}

Recorder::Recorder(Recorder&&) noexcept = default;

bool Recorder::needs_data() const {
  for (const Place& place : parts_->places) {
    if (!place.of_state) return true;
  }
  return false;
}

void Recorder::record(const State& state, const Data& data) { record(state, data, parts_->next_step); }

void Recorder::record(const State& state, const Data& data, int64_t step) {
  Parts& p = *parts_;
  if (!p.open()) throw std::logic_error("a row for '" + p.path.string() + "' after the recording has ended");
  for (size_t i = 0; i < p.places.size(); ++i) {
    const Place& place = p.places[i];
    p.arrays[i] = place.of_state ? state.field_data(place.field) : data.field_data(place.field);
  }
  try {
    p.format == Format::kCsv ? p.write_line() : p.write_row(step, state);
  } catch (const std::runtime_error&) {
    p.close();
    throw;
  }
  p.next_step = step + 1;
  ++p.rows;
}

void Recorder::event(std::string_view kind, double time, std::string_view text) {
  if (parts_->chunks) parts_->chunks->add_event(kind, time, text);
}

void Recorder::flush() {
  if (parts_->chunks) parts_->chunks->flush();
}

void Recorder::finish(std::string_view reason) {
  Parts& p = *parts_;
  if (!p.open()) return;
  try {
    if (p.format == Format::kCsv) p.text->commit();
    if (p.format == Format::kChunks) p.chunks->finish(reason);
    if (p.format == Format::kNpz) p.finish_npz();
  } catch (...) {
    p.close();
    throw;
  }
  p.close();
}

int64_t Recorder::rows() const { return parts_->rows; }
const std::vector<std::string>& Recorder::columns() const { return parts_->columns; }
std::filesystem::path Recorder::unfinished() const {
  return parts_->chunks ? parts_->chunks->unfinished() : std::filesystem::path();
}

}  // namespace pliant
