// pliant run: simulates a model, with controls, a recording and timers.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cmd.h"
#include "console.h"
#include "controls.h"
#include "inputs.h"
#include "names.h"
#include "pliant/flight_recorder.h"
#include "pliant/json.h"
#include "pliant/pliant.h"
#include "progress.h"
#include "stop_by_signal.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct RunOptions {
  UrdfOptions urdf;
  std::string path, key, controls, record, fields;
  std::string flight;  // where the flight recorder writes; "": where it likes, and only if there is a reason
  int64_t steps = -1;
  double seconds = -1, flight_seconds = 5;
  int64_t every = 1;
  bool timers = false, json = false, allow_unsupported = false;
};

struct Result {
  int64_t steps = 0;
  double wall = 0, start = 0;
  StepStatus status;
  std::string trouble;  // of the recording
  bool stopped = false;
  std::string flight_file;  // what the flight recorder has written
  int64_t flight_rows = 0;
  const char* end() const {
    return !status.ok() ? "fault" : !trouble.empty() ? "recording failed" : stopped ? "stopped" : "finished";
  }
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// ---- what the arguments mean -------------------------------------------------------------------

constexpr int64_t kMostSteps = 1'000'000'000'000'000;

int64_t wanted_steps(const RunOptions& options, const Model& m) {
  constexpr int64_t kDefaultSteps = 1000;
  if (options.steps >= 0) return options.steps;
  if (options.seconds < 0) return kDefaultSteps;
  const double steps = std::round(options.seconds / m.opt.timestep);
  if (!(steps <= static_cast<double>(kMostSteps))) {
    throw std::invalid_argument(fmt::format("--seconds: {:g} s are {:.3g} steps of {:g} s; at most {} can be made",
                                            options.seconds, steps, m.opt.timestep, kMostSteps));
  }
  return static_cast<int64_t>(steps);
}

/// Clamps that made the numbers of constraint rows, by bit of RowClamp.
constexpr const char* kClamps[] = {"mixed signs in solref",
                                   "solref stiffer than the timestep allows",
                                   "solimp outside 0.0001 … 0.9999",
                                   "negative solimp width",
                                   "solimp power below 1",
                                   "friction below 1e-5",
                                   "mixed signs in solreffriction",
                                   "regulariser at its bound",
                                   "impedance at the end of the step at its bound (discrete)"};
static_assert(std::size(kClamps) == kNumRowClamps);

// ---- the simulation ----------------------------------------------------------------------------

/// Rows of a recording: the state at a time with what follows from it, in a Data of its own so that
/// neither timers nor an integrator's inner stages show.
class Rows {
 public:
  Rows(const Model& m, const RunOptions& options) {
    if (options.record.empty()) return;
    // *.plr has all of State in any case
    const char* usual = options.record.ends_with(".plr") ? "" : "qpos,qvel";
    recorder_.emplace(m, options.record, split_list(options.fields.empty() ? usual : options.fields));
    if (recorder_->needs_data()) data_ = make_data(m);
  }
  void add(const Model& m, const State& s, int64_t step) {
    if (!recorder_) return;
    if (recorder_->needs_data()) forward(m, s, data_);
    recorder_->record(s, data_, step);
  }
  /// With what happened after the last row, where something did.
  void finish(const char* reason, double time, const std::string& text) {
    if (!recorder_) return;
    if (!text.empty()) recorder_->event(reason, time, text);
    recorder_->finish(reason);
  }
  const Recorder* get() const { return recorder_ ? &*recorder_ : nullptr; }

 private:
  std::optional<Recorder> recorder_;
  Data data_;
};

/// The last seconds, for when something goes wrong.
class Flight {
 public:
  Flight(const Model& m, const RunOptions& options) {
    // a recording of every state has all that the flight recorder would have
    const bool recorded = options.record.ends_with(".plr") && options.every == 1;
    if (options.flight_seconds > 0 && (!recorded || !options.flight.empty())) {
      recorder_.emplace(m, FlightRecorder::Options{.seconds = options.flight_seconds});
    }
    file_ = options.flight;
    wanted_ = !file_.empty();
    if (file_.empty()) file_ = std::filesystem::path(options.path).stem().string() + ".flight.plr";
  }
  void add(const State& s) {
    if (recorder_) recorder_->record(s);
  }
  /// Writes where there is a reason, or it was asked for. A failure is said; it is the run's own only where a
  /// file was named and nothing else went wrong.
  void finish(const Model& m, const char* reason, const std::string& text, Result& result) {
    if (!recorder_ || recorder_->rows() == 0 || (text.empty() && !wanted_)) return;
    try {
      recorder_->write(m, file_, reason, text);
      result.flight_file = file_;
      result.flight_rows = recorder_->rows();
    } catch (const std::runtime_error& problem) {
      const std::string said = std::string("the flight recorder: ") + problem.what();
      if (wanted_ && text.empty() && result.trouble.empty())
        result.trouble = said;
      else
        fmt::print(stderr, "pliant run: {}\n", said);
    }
  }

 private:
  std::optional<FlightRecorder> recorder_;
  std::string file_;
  bool wanted_ = false;
};

Result simulate(const RunOptions& options, const Model& m, int64_t total, Controls& controls, State& s, Data& d,
                Rows& rows, Flight& flight) {
  Result result;
  result.start = *s.time;
  d.timing = options.timers;
  Progress progress(static_cast<double>(total), "steps");
  constexpr int64_t kLookEvery = 16;  // reading a clock takes as long as a small step
  const double begin = now();
  try {
    while (result.steps < total && !StopBySignal::asked()) {
      controls.apply(m, result.steps, s);
      if (result.steps % options.every == 0) rows.add(m, s, result.steps);
      flight.add(s);
      result.status = step(m, s, d);
      if (!result.status.ok()) break;
      ++result.steps;
      if (result.steps % kLookEvery == 0) progress.update(static_cast<double>(result.steps), *s.time - result.start);
    }
    // the last state too: the end, or the one whose step was refused (which has its row unless it is between two)
    if (result.status.ok() == (result.steps % options.every == 0)) rows.add(m, s, result.steps);
  } catch (const std::runtime_error& problem) {
    result.trouble = problem.what();
  }
  result.wall = now() - begin;
  result.stopped = StopBySignal::asked();
  return result;
}

// ---- what is said about it ---------------------------------------------------------------------

struct Cost {
  std::string name;
  double microseconds;  // per step
};

std::vector<Cost> costs(const Data& d, const Result& result) {
  std::vector<Cost> out;
  double sum = 0;
  const double steps = static_cast<double>(std::max<int64_t>(1, result.steps));
  const auto stages = pipeline();
  for (size_t i = 0; i < stages.size(); ++i) {
    out.push_back({stages[i].name, static_cast<double>(d.times[i].nanoseconds) / 1000 / steps});
    sum += out.back().microseconds;
  }
  out.push_back({"checks, integration, rest", std::max(0.0, result.wall * 1e6 / steps - sum)});
  return out;
}

double per_second(double amount, double wall) { return wall > 0 ? amount / wall : 0; }

std::string summary_text(const RunOptions& options, const Model& m, const State& s, const Data& d, const Result& result,
                         const Rows& rows, const std::string& note) {
  const double simulated = *s.time - result.start;
  std::string out = fmt::format("model      {} ({})\n", m.model_name(), options.path);
  out += fmt::format("steps      {} of {:g} s: t = {:g} … {:g}\n", result.steps, m.opt.timestep, result.start, *s.time);
  out += fmt::format("wall time  {:.4g} s: {:.0f} steps/s, {:.4g} times real time\n", result.wall,
                     per_second(static_cast<double>(result.steps), result.wall), per_second(simulated, result.wall));
  if (rows.get() && result.trouble.empty()) {
    out += fmt::format("recorded   {}: {} rows of {} numbers\n", options.record, rows.get()->rows(),
                       rows.get()->columns().size());
  }
  if (!result.flight_file.empty()) {
    out += fmt::format("flight     {}: the last {} states; pliant why says why, pliant replay and view show them\n",
                       result.flight_file, result.flight_rows);
  }
  if (!note.empty()) out += "controls   " + note + "\n";
  if (d.rows.n) {
    out += fmt::format("last step  {} contacts, {} constraint rows, {} iterations, gap {:.1e}\n", d.ncon, d.rows.n,
                       d.solver.iterations(), d.solver.gap());
  }
  for (int i = 0; i < kNumRowClamps; ++i) {
    if (d.clamps[i]) out += fmt::format("clamped    {}: {} rows over all steps\n", kClamps[i], d.clamps[i]);
  }
  if (result.stopped) out += "stopped by Ctrl-C\n";
  if (options.timers) {
    out += fmt::format("\n{:<28}{:>12}{:>9}\n", "stage", "µs/step", "share");
    double total = 0;
    const auto stages = costs(d, result);
    for (const Cost& cost : stages) total += cost.microseconds;
    for (const Cost& cost : stages) {
      out += fmt::format("{:<28}{:>11.3f}{:>7.1f} %\n", cost.name, cost.microseconds,
                         total > 0 ? 100 * cost.microseconds / total : 0);
    }
    out += fmt::format("{:<28}{:>11.3f}\n", "all", total);
  }
  return out;
}

std::string number_json(double x) { return std::isfinite(x) ? fmt::format("{}", x) : json_text(fmt::format("{}", x)); }

std::string fault_json(const Model& m, int index, const FaultRecord& record) {
  const Offence& first = record.first;
  const FieldPlace place = place_of(m, first.field, first.index);
  return fmt::format(
      "{{\"fault\": {}, \"field\": {}, \"index\": {}, \"object\": {}, \"value\": {}, \"time\": {}, "
      "\"count\": {}}}",
      index, json_text(first.field), first.index, json_text(object_text(m, place)), number_json(first.value),
      number_json(first.time), record.count);
}

std::string summary_json(const RunOptions& options, const Model& m, const State& s, const Data& d, const Result& result,
                         const Rows& rows, const std::string& note, const std::vector<Diagnostic>& diagnostics) {
  const bool ok = result.status.ok() && result.trouble.empty();
  std::string out = fmt::format(
      "{{\n  \"file\": {},\n  \"ok\": {},\n  \"diagnostics\": [{}],\n  \"model\": {},\n  \"end\": \"{}\",\n",
      json_text(options.path), ok, diagnostics_json(diagnostics), json_text(m.model_name()), result.end());
  out += fmt::format("  \"steps\": {},\n  \"timestep\": {},\n  \"time\": {},\n  \"wall_time\": {},\n", result.steps,
                     number_json(m.opt.timestep), number_json(*s.time), number_json(result.wall));
  out += fmt::format("  \"steps_per_second\": {},\n  \"realtime_factor\": {},\n  \"state_hash\": \"{:016x}\",\n",
                     number_json(per_second(static_cast<double>(result.steps), result.wall)),
                     number_json(per_second(*s.time - result.start, result.wall)), s.hash());
  if (rows.get() && result.trouble.empty()) {
    out += fmt::format("  \"record\": {{\"file\": {}, \"rows\": {}, \"columns\": {}}},\n", json_text(options.record),
                       rows.get()->rows(), rows.get()->columns().size());
  }
  if (!result.flight_file.empty()) {
    out += fmt::format("  \"flight\": {{\"file\": {}, \"rows\": {}}},\n", json_text(result.flight_file),
                       result.flight_rows);
  }
  if (options.timers) {
    std::string list;
    for (const Cost& cost : costs(d, result)) {
      list += fmt::format("{}\n    {{\"stage\": {}, \"microseconds_per_step\": {}}}", list.empty() ? "" : ",",
                          json_text(cost.name), number_json(cost.microseconds));
    }
    out += "  \"stages\": [" + list + "],\n";
  }
  std::string faults;
  for (int i = 0; i < kNumFaults; ++i) {
    if (d.faults[i].count) faults += (faults.empty() ? "" : ", ") + fault_json(m, i, d.faults[i]);
  }
  std::string clamps;
  for (int i = 0; i < kNumRowClamps; ++i) {
    if (d.clamps[i]) clamps += fmt::format("{}{}: {}", clamps.empty() ? "" : ", ", json_text(kClamps[i]), d.clamps[i]);
  }
  out += fmt::format("  \"contacts\": {}, \"rows\": {}, \"iterations\": {}, \"gap\": {}, \"clamped\": {{{}}},\n",
                     d.ncon, d.rows.n, d.solver.iterations(), number_json(d.solver.gap()), clamps);
  out += fmt::format("  \"note\": {},\n  \"faults\": [{}],\n", json_text(note), faults);
  const std::string message = result.status.ok() ? result.trouble : describe_status(m, d, result.status);
  return out + fmt::format("  \"message\": {}\n}}\n", json_text(message));
}

// ---- the command -------------------------------------------------------------------------------

int run(const RunOptions& options) {
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const Report report = load_report(options.path, load_options);
  if (!report.ok()) return refuse_model(options.path, report.diagnostics, options.json);
  print_findings_by_kind(report.diagnostics);

  const Model& m = *report.model;
  State s = make_state(m);
  Data d = make_data(m);
  set_key(m, options.key, s);
  Controls controls(m, options.controls);
  const int64_t total = wanted_steps(options, m);
  if (!options.record.empty()) keep_inputs(options.record, options.path, load_options, {options.controls});
  if (!options.flight.empty()) keep_inputs(options.flight, options.path, load_options, {options.controls});
  Rows rows(m, options);
  Flight flight(m, options);

  const StopBySignal signals;
  Result result = simulate(options, m, total, controls, s, d, rows, flight);
  const std::string happened = !result.status.ok() ? describe_status(m, d, result.status)
                               : result.stopped    ? "stopped by Ctrl-C"
                                                   : "";
  flight.finish(m, result.end(), happened, result);
  try {
    rows.finish(result.end(), *s.time, happened);
  } catch (const std::runtime_error& problem) {
    if (result.trouble.empty()) result.trouble = problem.what();
  }

  const std::string note = controls.note(result.steps, *s.time);
  print(options.json ? summary_json(options, m, s, d, result, rows, note, report.diagnostics)
                     : summary_text(options, m, s, d, result, rows, note));
  finish_printing();
  if (!result.status.ok())
    fmt::print(stderr, "pliant run: {}\n", describe_status(m, d, result.status));
  else if (const std::string seen = describe_faults(m, d); !seen.empty())
    fmt::print(stderr, "pliant run: {}\n", seen);
  if (!result.trouble.empty()) fmt::print(stderr, "pliant run: {}\n", result.trouble);
  if (!result.trouble.empty()) return kFailed;
  if (!result.status.ok()) return kFault;
  return result.stopped ? kStopped : kOk;
}

}  // namespace

Run add_run(Arguments& arguments) {
  auto options = std::make_shared<RunOptions>();
  arguments.positional("FILE", options->path, "model to simulate, *.xml, *.urdf or *.plm");
  arguments.option("--steps", "N", options->steps, "how many steps, 1000 by default", {0, kMostSteps});
  arguments.option("--seconds", "S", options->seconds, "how long, in simulated seconds", kZeroOrMore);
  arguments.exclusive("--steps", "--seconds");
  arguments.option("--key", "KEY", options->key, "start from this keyframe, by name or number");
  arguments.option(
      "--ctrl", "CONTROLS", options->controls,
      "a CSV file, or noise:SIGMA[,SEED]. The first line of a file names actuators, in any order, each "
      "once; without such a line there is a column per control, in the model's order. Row i is for step i, "
      "unless a column is called time: then a row holds until the time of the next. Noise is normal; for "
      "an actuator with a control range, SIGMA counts in half ranges about its middle");
  arguments.option(
      "--record", "FILE", options->record,
      "write the simulation to this file as it goes: *.plr (all of State, to be replayed), *.npz or *.csv");
  arguments.option("--fields", "NAMES", options->fields,
                   "what to record: names from docs/state.md; qpos,qvel by default; for *.plr arrays of Data besides");
  arguments.option("--every", "N", options->every, "record every Nth state only, 1 by default", {1, kMostSteps});
  arguments.option("--flight", "FILE", options->flight,
                   "where the flight recorder writes its last states, *.plr, whatever happens; by default only after a "
                   "fault or Ctrl-C, to MODEL.flight.plr here");
  arguments.option("--flight-seconds", "S", options->flight_seconds,
                   "how much it keeps, in simulated seconds, 5 by default; 0 turns it off", kZeroOrMore);
  arguments.flag("--timers", options->timers, "say how long each stage of a step takes");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  add_progress(arguments);
  arguments.flag("--allow-unsupported", options->allow_unsupported,
                 "leave out what Pliant does not support, with a warning, instead of failing");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Exit status: 0 all steps were made; 1 a step was refused: a number was not finite or beyond 1e10, and standard "
      "error names it; 2 wrong usage, the model does not load or the recording cannot be written; 130 stopped by "
      "Ctrl-C. What was recorded until a fault or Ctrl-C is kept. While it is written a recording is called FILE.part "
      "(FILE.rows.part for *.npz, hidden for *.csv); a run that is killed leaves that, to be read like any other, and "
      "the file that was there before. docs/recordings.md has the formats.");
  arguments.example("models/quadruped.xml --seconds 2 --timers");
  arguments.example("models/gripper.xml --steps 500 --ctrl noise:0.1,42 --record gripper.csv --fields qpos,ctrl");
  return [options] { return run(*options); };
}

}  // namespace pliant::app
