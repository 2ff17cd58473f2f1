#pragma once
// Parts of the actuator pass that live in files of their own.

#include "compile/compile.h"
#include "spec/actuator_shape.h"

namespace pliant {

/// The cursor of a history buffer is a real number, which may be single precision on a GPU.
inline constexpr int kMaxHistorySamples = 1 << 24;
/// Numbers in the history buffer of an actuator or sensor: cursor and user state, then a time and
/// the values of every sample.
inline int64_t history_size(int nsample, int64_t values) { return nsample > 0 ? 2 + nsample * (1 + values) : 0; }
inline int64_t history_size(const ActuatorSpec& actuator) {
  return history_size(actuator.nsample, control_count(actuator));
}

/// One actuator on the desk: what was written, and what the pass finds out.
struct ActuatorDesk {
  Work& work;
  ActuatorSpec& spec;
  ActuatorWork& out;

  void error(Code code, std::string_view attribute, std::string message, std::string hint = {}) const {
    work.error(code, spec, attribute, std::move(message), std::move(hint));
  }
};

/// Checks the laws with inputs, outputs or states of their own (so3, pid, dcmotor, muscle) and sets
/// out.ctrlspec, ctrlnum, outnum and trntype, and spec.actdim where the law decides it
/// (actuator_laws.cpp). The transmission must have been resolved.
void resolve_law(const ActuatorDesk& desk);

}  // namespace pliant
