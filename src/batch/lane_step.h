#pragma once
// A step of up to four worlds of one Model together: the smooth dynamics and the integration in vector lanes, contacts,
// rows and solver world by world. Every world ends with the bits that step gives it alone.

#include <memory>
#include <span>

#include "pliant/step.h"

namespace pliant {

/// A world, and what its step has ended with.
struct LaneWorld {
  State* state = nullptr;
  Data* data = nullptr;
  StepStatus status;
};

inline constexpr int kWorldsTogether = 4;

/// Moves worlds of one Model, which must stay where and as it is while this lives.
class LaneStep {
 public:
  /// Whether worlds of this model can be moved together: the build has the instructions, and the model has nothing that
  /// worlds do at different times or that only the code for one world knows.
  static bool is_for(const Model& model);

  /// `outputs`: arrays of Data (places in data_fields()) that somebody reads after a step; of the others only those
  /// that stages of a world read are written. `like`: a Data of that model, as those of all worlds will be.
  LaneStep(const Model& model, const Data& like, std::span<const int> outputs = {});
  ~LaneStep();
  LaneStep(LaneStep&&) noexcept;
  LaneStep& operator=(LaneStep&&) noexcept;

  /// One step of one to four worlds, each with a Data of its own. What worlds cannot do together, each does alone.
  void step(std::span<LaneWorld> worlds);

  /// Steps that worlds began together, and those that each had to make alone since worlds disagreed.
  int64_t together() const;
  int64_t split() const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace pliant
