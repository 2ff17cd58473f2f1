#include "why/past.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/text.h"
#include "doctor/doctor_case.h"
#include "pliant/query.h"
#include "pliant/replay.h"
#include "pliant/state_vector.h"
#include "record/npz.h"
#include "why/watch.h"

namespace pliant {
namespace whys {
namespace {

constexpr size_t kMostBytes = size_t{256} << 20, kMostStates = 200'000;
constexpr int kAfterwards = 50;  // steps that are still made when something has left its band

static_assert(kInputBits == (kStateCtrl | kStateQfrcApplied | kStateXfrcApplied | kStateEqActive | kStateMocapPos |
                             kStateMocapQuat | kStateUserdata));

class Keeper {
 public:
  Keeper(const Model& m, Past& past) : past_(past) {
    const size_t bytes = State(m).bytes() + 512;
    most_ = std::clamp<size_t>(kMostBytes / bytes, 100, kMostStates);
  }
  void add(const State& s) {
    past_.states.push_back(s);
    // a block at a time: what is moved is addresses
    if (past_.states.size() >= most_ + most_ / 4) {
      const size_t old = past_.states.size() - most_;
      past_.states.erase(past_.states.begin(), past_.states.begin() + static_cast<std::ptrdiff_t>(old));
      past_.forgotten += static_cast<int64_t>(old);
    }
  }

 private:
  Past& past_;
  size_t most_;
};

/// Puts down what a refused step said.
void keep_fault(const Model& m, const Data& d, StepStatus status, double time, Past& past) {
  past.fault = describe_status(m, d, status);
  for (const FaultRecord& fault : d.faults) {
    if (fault.count > 0 && fault.last.time == time) past.offences.push_back(fault.last);
  }
}

}  // namespace

Past run_model(const Model& m, const WhyOptions& options) {
  Past past;
  State s(m);
  if (options.key >= 0) s.reset(m, options.key);
  Data d(m);
  Watch watch(m);
  Keeper keeper(m, past);
  const int64_t steps = static_cast<int64_t>(std::min(options.seconds / m.opt.timestep + 0.5, 1e7));
  int left = kAfterwards;
  for (int64_t i = 0; i < steps && left > 0; ++i) {
    if (options.stop && options.stop()) {
      past.notes.push_back("stopped after " + std::to_string(i) + " steps");
      break;
    }
    if (options.inputs) options.inputs(m, i, s);
    keeper.add(s);
    const State& before = past.states.back();
    const StepStatus status = step(m, s, d);
    watch.look(before, d, s, status);
    if (!status.ok()) {
      keep_fault(m, d, status, *before.time, past);
      return past;
    }
    if (const Seen* worst = watch.worst(); worst && is_fatal(worst->band)) --left;
  }
  keeper.add(s);
  return past;
}

Past past_of(const Model& m, const RecordingFile& recording, const WhyOptions& options) {
  if (recording.rows() == 0) {
    throw std::invalid_argument("the recording has no rows" +
                                (recording.note().empty() ? "" : " (" + recording.note() + ")"));
  }
  Past past;
  Keeper keeper(m, past);
  ReplayOptions replay_options;
  replay_options.world = options.world;
  replay_options.stop = options.stop;
  State last;
  replay_options.visit = [&](const State& before, const State& after) {
    keeper.add(before);
    last = after;
  };
  const ReplayReport report = replay(m, recording, replay_options);
  if (!report.same()) {
    past.notes.push_back(
        "simulated again the recording does not come out bit for bit (from t = " + number_text(report.first->time) +
        " s on): what is said here is about the simulation of this machine");
  }
  if (report.restarts > 0) {
    past.notes.push_back("the state was set from outside " + std::to_string(report.restarts) +
                         " times in the recording");
  }
  if (!recording.note().empty()) past.notes.push_back(recording.note());
  if (report.steps > 0) {
    // inputs of the last row belong to the step that comes next
    State end = last;
    State row(m);
    recording.restore(report.last_row, row, options.world);
    if (*row.time == *end.time) copy_state(m, row, kInputBits, end);
    keeper.add(end);
  } else {
    State row(m);
    recording.restore(report.last_row, row, options.world);
    keeper.add(row);
  }
  State s = past.states.back();
  Data d(m);
  const double time = *s.time;
  const StepStatus status = step(m, s, d);
  if (!status.ok()) {
    keep_fault(m, d, status, time, past);
  } else if (!report.recorded_fault.empty()) {
    past.notes.push_back("the recording ends in a fault that does not come again: " + report.recorded_fault);
  }
  return past;
}

std::optional<Foreign> foreign_step(const Model& m, size_t row, const State& before, const State& after,
                                    const State& simulated) {
  // two programs round differently and stop their solvers elsewhere: a hundredth of what moves is no rounding
  constexpr double kShare = 0.01;
  const double h = m.opt.timestep, g = doctoring::gravity_size(m);
  std::vector<double> given(static_cast<size_t>(m.nv)), made(given.size());
  differentiate_pos(m, given.data(), h, before.qpos, after.qpos);
  differentiate_pos(m, made.data(), h, before.qpos, simulated.qpos);
  double fastest = 0;
  for (int i = 0; i < m.nv; ++i)
    fastest = std::max({fastest, std::abs(before.qvel[i]), std::abs(simulated.qvel[i]), std::abs(made[i])});
  const double bound = kShare * (fastest + h * std::max(g, 1.0)) + 1e-9;
  Foreign most{row, -1, false, 0, 0};
  double worst = bound;
  for (int i = 0; i < m.nv; ++i) {
    for (const bool position : {false, true}) {
      const double a = position ? given[static_cast<size_t>(i)] : after.qvel[i];
      const double b = position ? made[static_cast<size_t>(i)] : simulated.qvel[i];
      const double off = std::isfinite(a) ? std::abs(a - b) : doctoring::kNever;
      if (off > worst) worst = off, most = {row, i, position, a, b};
    }
  }
  if (most.dof < 0) return std::nullopt;
  return most;
}

Past past_of(const Model& m, const std::vector<State>& states) {
  Past past;
  past.others = true;
  Keeper keeper(m, past);
  for (const State& s : states) {
    if (!s.fits(m)) throw std::invalid_argument("why: a state belongs to a model of other sizes");
    keeper.add(s);
  }
  if (past.states.empty()) throw std::invalid_argument("why: there are no states");
  return past;
}

}  // namespace whys

std::vector<State> states_of_rows(const Model& m, std::span<const double> numbers, size_t width) {
  struct Layout {
    unsigned bits;
    const char* words;
  };
  constexpr Layout kLayouts[] = {
      {kStateTime | kStateQpos | kStateQvel | kStateAct, "time, qpos, qvel, act"},
      {kStateQpos | kStateQvel | kStateAct, "qpos, qvel, act"},
      {kStateQpos | kStateQvel, "qpos, qvel"},
      {kStateTime | kStateQpos | kStateQvel | kStateAct | kStateCtrl, "time, qpos, qvel, act, ctrl"},
  };
  const Layout* fits = nullptr;
  std::string choices;
  for (const Layout& layout : kLayouts) {
    const auto size = static_cast<size_t>(state_size(m, layout.bits));
    const bool said = choices.find(std::to_string(size) + " (") != std::string::npos;
    if (!said) choices += (choices.empty() ? "" : "; ") + std::to_string(size) + " (" + layout.words + ")";
    if (size == width && !fits) fits = &layout;
  }
  if (!fits)
    throw std::invalid_argument("a row has " + std::to_string(width) + " numbers; this model wants " + choices);
  const size_t rows = numbers.size() / width;
  std::vector<State> states;
  states.reserve(rows);
  State s(m);
  for (size_t i = 0; i < rows; ++i) {
    if (!(fits->bits & kStateTime)) *s.time = static_cast<double>(i) * m.opt.timestep;
    set_state(m, s, fits->bits, numbers.data() + i * width);
    states.push_back(s);
  }
  return states;
}

std::vector<State> read_states(const Model& m, const std::filesystem::path& path) {
  const auto fail = [&](const std::string& what) { return std::runtime_error(path.string() + ": " + what); };
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail("it cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  try {
    const NpzArray array = read_npy(bytes.str());
    const std::vector<double> numbers = array.numbers();
    if (array.shape.size() != 2)
      throw std::runtime_error("one row per step is wanted, not an array of " + std::to_string(array.shape.size()) +
                               " axes");
    const auto rows = static_cast<size_t>(array.shape[0]), width = static_cast<size_t>(array.shape[1]);
    if (rows == 0) throw std::runtime_error("there are no rows");
    if (width == 0 || numbers.size() / width != rows || numbers.size() % width != 0)
      throw std::runtime_error("its length is not that of its shape");
    return states_of_rows(m, numbers, width);
  } catch (const std::exception& problem) {
    throw fail(problem.what());
  }
}

}  // namespace pliant
