#pragma once
// The last seconds of a simulation, kept in memory for the moment when something goes wrong.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "pliant/model.h"
#include "pliant/state.h"

namespace pliant {

/// A ring of States with their inputs. Recording copies the State's block and nothing else; memory is taken once, but
/// for what the solver TGS remembers.
class FlightRecorder {
 public:
  struct Options {
    double seconds = 5;                    ///< of simulated time, at the model's timestep
    size_t most_bytes = size_t{64} << 20;  ///< fewer seconds where they would need more memory
  };
  /// Throws std::invalid_argument when `seconds` is not positive.
  explicit FlightRecorder(const Model& model);
  FlightRecorder(const Model& model, const Options& options);
  ~FlightRecorder();
  FlightRecorder(FlightRecorder&&) noexcept;

  /// Keeps a state with the inputs of the step that comes next; forgets the oldest where there is no more room. Throws
  /// std::invalid_argument for a State of a model of other sizes.
  void record(const State& state);
  /// Forgets all: after a reset, so that states of before it are not taken for its past.
  void clear();

  int64_t rows() const;      ///< kept
  int64_t capacity() const;  ///< at most
  int64_t steps() const;     ///< recorded since the start or clear()

  /// Writes a recording (*.plr) with what happened after its last row: kind "fault", "stopped" or another word, and
  /// text. Throws std::runtime_error when the file cannot be written, std::logic_error when nothing was recorded.
  void write(const Model& model, const std::filesystem::path& path, std::string_view kind, std::string_view text) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant
