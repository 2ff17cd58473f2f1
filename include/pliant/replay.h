#pragma once
// Recordings simulated again: the same bits, or where they begin to differ.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "pliant/recording.h"
#include "pliant/step.h"

namespace pliant {

struct ReplayOptions {
  double from = -std::numeric_limits<double>::infinity();  ///< first row not before this time [s]
  double to = std::numeric_limits<double>::infinity();     ///< last row not after it [s]
  bool until_fault = false;                                ///< end at the first fault, also one that refuses no step
  int world = 0;                                           ///< of a recording of several
  std::function<bool()> stop = {};                         ///< asked before every step, where given
  /// Told of every step that was made, where given: the state before, with its inputs, and after it.
  std::function<void(const State& before, const State& after)> visit = {};
};

/// A number that is not as recorded.
struct ReplayDifference {
  int64_t row = 0, step = 0;
  double time = 0;  ///< recorded [s]
  std::string field, object;
  int index = 0;
  double recorded = 0, replayed = 0;
};

struct ReplayReport {
  int64_t first_row = 0, last_row = 0;      ///< that were looked at
  int64_t steps = 0;                        ///< that were made
  int64_t same_rows = 0;                    ///< rows after the first whose every bit came out again, until one differed
  std::optional<ReplayDifference> first;    ///< where the replay left the recording
  std::optional<ReplayDifference> largest;  ///< of the last row that was compared
  int64_t restarts = 0;       ///< rows at which the state was set from outside, and so taken from the recording
  int64_t skipped_steps = 0;  ///< steps between rows, whose inputs are not recorded: those of the row before were used
  bool stopped = false;
  StepStatus fault;  ///< of the step after the last row that was looked at, or with until_fault the first
  double fault_time = 0;
  std::string fault_text;      ///< what it says; "" if there was none
  std::string recorded_fault;  ///< what the recording says about a fault after that row; "" if nothing

  bool same() const { return !first; }
};

/// Simulates from the first row on, with the inputs (ctrl, applied forces, mocap, eq_active, userdata) of every row,
/// and compares everything else of State with the next. Where the replay differs it goes on by itself. Throws
/// std::invalid_argument when the recording is of another model, or has no rows in the given time.
ReplayReport replay(const Model& model, const RecordingFile& recording, const ReplayOptions& options = {});

/// The report in words, for people.
std::string replay_text(const ReplayReport& report, const RecordingFile& recording);

}  // namespace pliant
