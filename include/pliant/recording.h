#pragma once
// Recordings: a simulation over time in a file, written as it goes and read back. docs/recordings.md has the formats.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/model.h"
#include "pliant/state.h"

namespace pliant {

/// Something that happened between two rows.
struct RecordedEvent {
  int64_t row = 0;   ///< how many rows there were before it
  double time = 0;   ///< simulated [s]
  std::string kind;  ///< "fault", "stopped", "reset" (the state was set from outside), or a word of the user's
  std::string text;
};

/// An array that a recording has for every row.
struct RecordedField {
  std::string name;
  Scalar scalar = Scalar::real;
  bool of_state = true;            ///< else of Data
  int count = 0, width = 1;        ///< numbers of one world: count x width
  bool has_width = false;          ///< whether arrays of it have an axis for width
  std::vector<std::string> names;  ///< of its numbers: "qpos.elbow", "xpos.torso[2]"
  size_t numbers() const { return static_cast<size_t>(count) * static_cast<size_t>(width); }
  size_t bytes() const { return numbers() * scalar_bytes(scalar); }
};

/// What a recording says about itself.
struct RecordingHead {
  std::string version;                                       ///< of Pliant
  std::string build;                                         ///< compiler and processor: bits are promised per binary
  std::string model_file;                                    ///< as it was loaded; "" when there was none
  uint64_t model_hash = 0;                                   ///< of the model as .plm; 0: not known
  std::vector<std::pair<std::string, std::string>> options;  ///< "timestep" "0.002", "solver" "Newton" …
  int worlds = 1;
  std::vector<RecordedField> fields;  ///< "time" first
};

/// The head of a recording of this model: time, with `whole_state` every array of State that has numbers, and these
/// fields of State or Data. Throws std::invalid_argument for a field that does not exist.
RecordingHead recording_head(const Model& model, const std::vector<std::string>& fields, bool whole_state,
                             int worlds = 1);

/// Writes recordings (*.plr) as they come: in chunks, under the name FILE.part until finish() gives the file its name.
/// Memory does not grow with time. A chunk is handed to the system when it has 256 kB or is a second old, so that a
/// process that is killed loses no more than that. After a failure (a full disk) FILE.part has everything up to
/// the last whole chunk, and FILE is what it was before.
class RecordingWriter {
 public:
  /// `model`: embedded, so that the recording can be shown and replayed without its file; nullptr: not. Throws
  /// std::runtime_error when the place cannot be written.
  RecordingWriter(const std::filesystem::path& path, RecordingHead head, const Model* model);
  /// Without finish() there is FILE.part, with what was recorded.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;

  /// Adds a row: an array of worlds x count x width scalars per field of the head, in its order. `step` counts
  /// timesteps; `memory` is that of the solver TGS. Throws std::runtime_error when the file cannot take it.
  void add_row(int64_t step, std::span<const void* const> arrays, const RowMemory* memory = nullptr);
  void add_event(std::string_view kind, double time, std::string_view text);
  /// Hands over what is in memory still.
  void flush();
  /// Writes what is left, with the reason of the end ("finished", "fault", "stopped"), and gives the file its name.
  void finish(std::string_view reason = "finished");
  /// Leaves no file at all.
  void abandon() noexcept;

  int64_t rows() const;
  const RecordingHead& head() const;
  /// Where the recording is until finish(); empty when FILE is no regular file.
  const std::filesystem::path& unfinished() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A recording (*.plr) opened for reading, a chunk in memory at a time. Everything is checked against its checksum when
/// it is opened. A file that was cut short or damaged is read up to the last whole chunk before the damage, and note()
/// says so; without a whole head it is refused.
class RecordingFile {
 public:
  /// Throws std::runtime_error with the file and what is wrong with it.
  explicit RecordingFile(const std::filesystem::path& path);
  /// The same in memory; `name` stands for the file in messages.
  RecordingFile(std::string bytes, const std::string& name);
  ~RecordingFile();
  RecordingFile(RecordingFile&&) noexcept;

  /// Whether a file begins as recordings of this format do, whatever its name.
  static bool is_one(const std::filesystem::path& path);

  const RecordingHead& head() const;
  int64_t rows() const;
  /// Whether its end is there; `end` is then the reason given to finish().
  bool whole() const;
  const std::string& end() const;
  /// What is missing, and why; "" when it is whole.
  const std::string& note() const;
  const std::vector<RecordedEvent>& events() const;

  /// The model inside. Throws LoadError when another version of Pliant wrote it. None: there is none inside.
  std::optional<Model> model() const;

  int64_t step(int64_t row) const;
  double time(int64_t row) const;
  /// First rows of its chunks.
  std::vector<int64_t> chunks() const;
  /// The first row not before a time, and the last not after one; rows() and -1 where there is none. Times may begin
  /// anew after a reset. Chunks that cannot have it are not read.
  int64_t first_row(double from) const;
  int64_t last_row(double to) const;
  /// Bytes of field `field` (its place in the head) of a row, all worlds; valid until another row is looked at.
  std::span<const std::byte> values(int64_t row, size_t field) const;
  /// The row as a State: with everything that the recording has of it, bit for bit; the rest stays. Throws
  /// std::invalid_argument for a State of another model.
  void restore(int64_t row, State& state, int world = 0) const;
  /// Throws std::invalid_argument when its numbers are not those of this model.
  void check(const Model& model) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A whole recording in memory, whatever its format.
struct Recording {
  int64_t rows = 0;
  int worlds = 1;
  std::string version;     ///< of Pliant; "" when it does not say
  std::string model_file;  ///< of the model, as it was loaded; "" when it does not say
  std::string note;        ///< what is missing of it; "" when it is whole
  std::string end;         ///< why it ended: "finished", "fault", "stopped"; "" when it does not say
  std::map<std::string, std::vector<double>> fields;  ///< numbers of all rows in turn, by name; "time" is always there
  std::map<std::string, RecordedField> layout;        ///< of the fields; shapes that files do not tell are flat
  std::vector<int64_t> steps;                         ///< of rows; empty when it does not say
  std::vector<RecordedEvent> events;

  double time(int64_t row) const { return fields.at("time")[static_cast<size_t>(row)]; }
  /// Puts what of a row belongs to a State there. Throws std::invalid_argument for numbers of another model.
  void restore(const Model& model, int64_t row, State& state) const;
};
/// A recording of RecordingWriter (whatever its name: *.plr, *.plr.part), *.npz or *.csv, as Recorder writes them or
/// NumPy under the same names (savez, savez_compressed). Throws std::runtime_error with the file and what is wrong with
/// it.
Recording read_recording(const std::filesystem::path& path);

/// Writes a recording as *.npz or *.csv, these fields of it or all, a chunk in memory at a time. Throws
/// std::invalid_argument for names that are not known, std::runtime_error when a file cannot be read or written.
void convert_recording(const RecordingFile& from, const std::filesystem::path& to,
                       const std::vector<std::string>& fields = {});

/// State and Data over time, written to a file as they come. *.plr: the whole State and the chosen fields of Data, to
/// be replayed. *.csv: the chosen fields, a line per row, with the names of objects in the first line. *.npz: the
/// chosen fields for NumPy, one array per field with time as its first axis, and `<field>_names`. The file has its name
/// when the recording is finished, whole. After a failure there is none, but for what docs/recordings.md says of
/// FILE.part.
class Recorder {
 public:
  struct Options {
    bool embed_model = true;  ///< in *.plr
  };
  /// Opens a file beside it, so that a place that cannot be written is known before the simulation runs.
  /// `time` is always recorded. Throws std::invalid_argument for a field or file type that does not
  /// exist, std::runtime_error when the file cannot be opened.
  Recorder(const Model& model, const std::filesystem::path& path, const std::vector<std::string>& fields);
  Recorder(const Model& model, const std::filesystem::path& path, const std::vector<std::string>& fields,
           const Options& options);
  ~Recorder();
  Recorder(Recorder&&) noexcept;

  /// Whether a field of Data is recorded: then Data must belong to the state given to `record`.
  bool needs_data() const;
  /// Adds a row: a state with the inputs of the step that comes next. `step` counts timesteps; without it rows are
  /// a step apart. Throws std::runtime_error when the file cannot take it.
  void record(const State& state, const Data& data);
  void record(const State& state, const Data& data, int64_t step);
  /// Says what happened after the last row; formats without events (*.csv, *.npz) leave it out.
  void event(std::string_view kind, double time, std::string_view text);
  /// Hands the rows over to the system, as a chunk that survives this process (*.plr).
  void flush();
  /// Writes what is left and closes the file; recording ends here. Throws std::runtime_error if
  /// that fails.
  void finish(std::string_view reason = "finished");

  int64_t rows() const;
  /// Names of the numbers of a row: "time", "qpos.elbow", "xpos.torso[2]".
  const std::vector<std::string>& columns() const;
  /// Where the recording is until it is finished; empty when there is no such file.
  std::filesystem::path unfinished() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
