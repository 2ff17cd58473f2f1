#pragma once
// What is known of a simulation that went wrong: its states, a timestep apart, each with the inputs of its step.

#include <vector>

#include "pliant/recording.h"
#include "pliant/step.h"
#include "pliant/why.h"

namespace pliant::whys {

/// What users set between steps.
inline constexpr unsigned kInputBits = 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 10 | 1u << 11 | 1u << 12;

struct Past {
  std::vector<State> states;
  std::string fault;              ///< what the step after the last state said when it was refused; "" if none was
  std::vector<Offence> offences;  ///< the numbers that were wrong then
  int64_t forgotten = 0;          ///< earlier states, for which there was no room
  std::vector<std::string> notes;
};

/// Steps until one is refused, something has left its band for good, or the time is over.
Past run_model(const Model& m, const WhyOptions& options);
/// What a recording has, with the steps between its rows made again.
Past past_of(const Model& m, const RecordingFile& recording, const WhyOptions& options);
/// States as they are.
Past past_of(const Model& m, const std::vector<State>& states);

}  // namespace pliant::whys
