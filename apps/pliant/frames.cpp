#include "frames.h"

#include "names.h"

namespace pliant::app {

Frames::Frames(const Model& model, const Recording& recording)
    : m_(model), recording_(&recording), state_(make_state(model)), data_(make_data(model)) {
  start_ = recording.time(0), end_ = recording.time(recording.rows - 1);
}

Frames::Frames(const Model& model, const std::string& key, const std::string& controls, double seconds)
    : m_(model), state_(make_state(model)), data_(make_data(model)), stepping_(make_data(model)) {
  set_key(model, key, state_);
  controls_.emplace(model, controls);
  start_ = *state_.time, end_ = start_ + seconds;
}

bool Frames::check(const StepStatus& status, const Data& data) {
  if (status.ok()) return true;
  problem_ = describe_status(m_, data, status);
  return false;
}

bool Frames::go_to(double time) {
  // a hair before: times of rows and steps are sums of roundings
  const double until = time - 1e-9;
  if (recording_) {
    while (row_ + 1 < recording_->rows && recording_->time(row_ + 1) <= time + 1e-9) ++row_;
    recording_->restore(m_, row_, state_);
  } else {
    while (*state_.time < until) {
      controls_->apply(m_, steps_, state_);
      if (!check(step(m_, state_, stepping_), stepping_)) return false;
      ++steps_;
    }
  }
  return check(forward(m_, state_, data_), data_);
}

}  // namespace pliant::app
