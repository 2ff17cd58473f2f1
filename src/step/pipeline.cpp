// The step: every stage of stages.def, in its order.

#include <chrono>

#include "pliant/step.h"
#include "step/stage_condition_hd.h"
#include "step/stages.h"

namespace pliant {
namespace {

constexpr StageInfo kPipeline[] = {
#define WORLD_STAGE(name, title, phase, condition, writes, reads) \
  {title, Phase::phase, StageCondition::condition, run_##name, writes, reads},
#define TEAM_STAGE WORLD_STAGE
#include "pliant/stages.def"
#undef WORLD_STAGE
#undef TEAM_STAGE
};
static_assert(std::size(kPipeline) < kMaxStages);

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// (inlined: a call per stage would be 3 % of the step of a small model)
[[gnu::always_inline]] inline void run_timed(const Model& m, const State& s, Data& d, int place) {
  const StageInfo& stage = kPipeline[place];
  if (!d.timing) {
    stage.run(m, s, d);
  } else {
    const int64_t start = now();
    stage.run(m, s, d);
    d.times[place].nanoseconds += now() - start;
    ++d.times[place].calls;
  }
  if (d.probe) d.probe(m, s, d, place);
}

}  // namespace

std::span<const StageInfo> pipeline() { return kPipeline; }

bool is_needed(const Model& m, StageCondition condition) { return has_work(m, condition); }

void run_stage(const Model& m, const State& s, Data& d, int place) { run_timed(m, s, d, place); }

int place_of(std::string_view title) {
  for (size_t i = 0; i < std::size(kPipeline); ++i) {
    if (title == kPipeline[i].name) return static_cast<int>(i);
  }
  return -1;
}

void run_phases(const Model& m, const State& s, Data& d, Phase first, Phase last, bool sensors) {
  // what was computed on demand from an older state or older forces does not count
  if (first <= Phase::kPosition) d.done.energy_pos = false;
  if (first <= Phase::kVelocity) d.done.energy_vel = false;
  // (the later stages of a Runge-Kutta step leave them: delayed sensors measure the first, as in the reference)
  if (sensors && first <= Phase::kVelocity) d.done.subtree = false;
  if (sensors) d.done.body_forces = false;
  for (size_t i = 0; i < std::size(kPipeline); ++i) {
    const StageInfo& stage = kPipeline[i];
    if (stage.phase < first || stage.phase > last || (stage.is_sensor() && !sensors)) continue;
    if (is_needed(m, stage.condition)) run_timed(m, s, d, static_cast<int>(i));
  }
}

}  // namespace pliant
