#pragma once
// Recordings read back: states over time for films and plots.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pliant/model.h"
#include "pliant/state.h"

namespace pliant {

/// Rows of numbers over time that Recorder has written, or NumPy under the same names (savez, savez_compressed).
struct Recording {
  int64_t rows = 0;
  std::string model_file;                             ///< of the model, as it was loaded; "" when it does not say
  std::map<std::string, std::vector<double>> fields;  ///< numbers of all rows in turn, by name; "time" is always there

  double time(int64_t row) const { return fields.at("time")[static_cast<size_t>(row)]; }
  /// Puts what of a row belongs to a State there. Throws std::invalid_argument for numbers of another model.
  void restore(const Model& model, int64_t row, State& state) const;
};
/// *.npz or *.csv. Throws std::runtime_error with the file and what is wrong with it.
Recording read_recording(const std::filesystem::path& path);

}  // namespace pliant
