#pragma once
// The states that a film shows: one state, a simulation, or a recording.

#include <optional>
#include <string>

#include "controls.h"
#include "pliant/pliant.h"
#include "pliant/recording.h"

namespace pliant::app {

class Frames {
 public:
  /// Of a recording.
  Frames(const Model& model, const Recording& recording);
  /// Of a simulation from this keyframe ("": none) with these controls.
  Frames(const Model& model, const std::string& key, const std::string& controls, double seconds);

  double start() const { return start_; }
  double end() const { return end_; }

  /// Goes to the state at a time, not before the last one that was asked for, and computes what follows from it. False
  /// when a step was refused: then `problem` says why.
  bool go_to(double time);
  const State& state() const { return state_; }
  const Data& data() const { return data_; }
  const std::string& problem() const { return problem_; }
  const std::string note() const { return controls_ ? controls_->note(steps_, *state_.time) : std::string(); }

 private:
  bool check(const StepStatus& status, const Data& data);

  const Model& m_;
  const Recording* recording_ = nullptr;
  std::optional<Controls> controls_;
  State state_;
  Data data_, stepping_;  // what is drawn, and what moves: drawing does not disturb a simulation
  double start_ = 0, end_ = 0;
  int64_t row_ = 0, steps_ = 0;
  std::string problem_;
};

}  // namespace pliant::app
