#pragma once
// What is known of a simulation that went wrong: its states, a timestep apart, each with the inputs of its step.

#include <optional>
#include <vector>

#include "pliant/recording.h"
#include "pliant/step.h"
#include "pliant/why.h"

namespace pliant::whys {

/// What users set between steps.
inline constexpr unsigned kInputBits = 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 12;

/// A step of a trajectory of others that the model does not make by itself.
struct Foreign {
  size_t row;  ///< from this one to the next
  int dof;     ///< that is off most, by the velocity with which it moved, or by its velocity
  bool position;
  double given, simulated;  ///< [m/s|rad/s]
};

struct Past {
  std::vector<State> states;
  std::string fault;              ///< what the step after the last state said when it was refused; "" if none was
  std::vector<Offence> offences;  ///< the numbers that were wrong then
  int64_t forgotten = 0;          ///< earlier states, for which there was no room
  std::vector<std::string> notes;
  bool others = false;           ///< a trajectory of another program: nothing says that this one makes it
  std::vector<Foreign> foreign;  ///< steps of it that something made that is not in its rows
};

/// Whether the step from `before` to `after` is another one than that to `simulated`, which the model makes.
std::optional<Foreign> foreign_step(const Model& m, size_t row, const State& before, const State& after,
                                    const State& simulated);

/// Steps until one is refused, something has left its band for good, or the time is over.
Past run_model(const Model& m, const WhyOptions& options);
/// What a recording has, with the steps between its rows made again.
Past past_of(const Model& m, const RecordingFile& recording, const WhyOptions& options);
/// States as they are.
Past past_of(const Model& m, const std::vector<State>& states);

}  // namespace pliant::whys
