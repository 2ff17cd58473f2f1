#pragma once
// Looking at a simulation as it runs.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pliant/state.h"

namespace pliant {

/// Arrays of State and Data over time, written to a file: *.csv (a line per row, with the names of
/// objects in the first line) or *.npz (NumPy: one array per field with time as its first axis, and
/// `<field>_names`).
class Recorder {
 public:
  /// Opens the file, so that a place that cannot be written is known before the simulation runs.
  /// `time` is always recorded. Throws std::invalid_argument for a field or file type that does not
  /// exist, std::runtime_error when the file cannot be opened.
  Recorder(const Model& model, const std::filesystem::path& path,
           const std::vector<std::string>& fields);
  ~Recorder();
  Recorder(Recorder&&) noexcept;

  /// Whether a field of Data is recorded: then Data must belong to the state given to `record`.
  bool needs_data() const;
  /// Adds a row. Throws std::runtime_error when the file cannot take it.
  void record(const State& state, const Data& data);
  /// Writes what is left and closes the file; recording ends here. Throws std::runtime_error if
  /// that fails.
  void finish();

  int64_t rows() const;
  /// Names of the numbers of a row: "time", "qpos.elbow", "xpos.torso[2]".
  const std::vector<std::string>& columns() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
