// pliant replay: a recording simulated again.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "pliant/json.h"
#include "pliant/replay.h"
#include "pliant/types.h"
#include "recorded_model.h"
#include "stop_by_signal.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct ReplayCommand {
  UrdfOptions urdf;
  std::string path, model;
  double from = kUndefined, to = kUndefined;
  int world = 0;
  bool until_fault = false, json = false, allow_unsupported = false;
};

std::string difference_json(const std::optional<ReplayDifference>& d) {
  if (!d) return "null";
  return fmt::format(
      "{{\"row\": {}, \"step\": {}, \"time\": {}, \"field\": {}, \"index\": {}, \"object\": {}, \"recorded\": {}, "
      "\"replayed\": {}}}",
      d->row, d->step, json_number(d->time), json_text(d->field), d->index, json_text(d->object),
      json_number(d->recorded), json_number(d->replayed));
}

std::string json_of(const ReplayCommand& options, const ReplayReport& r, const RecordingFile& recording) {
  return fmt::format(
      "{{\n  \"file\": {},\n  \"same\": {},\n  \"first_row\": {},\n  \"last_row\": {},\n  \"steps\": {},\n"
      "  \"same_rows\": {},\n  \"restarts\": {},\n  \"skipped_steps\": {},\n  \"first\": {},\n  \"largest\": {},\n"
      "  \"stopped\": {},\n  \"fault\": {},\n  \"recorded_fault\": {},\n  \"note\": {}\n}}\n",
      json_text(options.path), r.same(), r.first_row, r.last_row, r.steps, r.same_rows, r.restarts, r.skipped_steps,
      difference_json(r.first), difference_json(r.largest), r.stopped, json_text(r.fault_text),
      json_text(r.recorded_fault), json_text(recording.note()));
}

int run(const ReplayCommand& options) {
  const RecordingFile recording(options.path);
  say_note("replay", recording.note());
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const RecordedModel found =
      model_of_recording(options.path, recording.head().model_file, options.model, load_options);
  if (!found.report.ok()) return refuse_model(found.path, found.report.diagnostics, options.json);
  ReplayOptions wanted;
  if (defined(options.from)) wanted.from = options.from;
  if (defined(options.to)) wanted.to = options.to;
  wanted.until_fault = options.until_fault;
  wanted.world = options.world;
  const StopBySignal signals;
  wanted.stop = [] { return StopBySignal::asked(); };
  const ReplayReport report = replay(*found.report.model, recording, wanted);
  print(options.json ? json_of(options, report, recording) : replay_text(report, recording));
  finish_printing();
  if (report.stopped) return kStopped;
  return report.same() ? kOk : kWarnings;
}

}  // namespace

Run add_replay(Arguments& arguments) {
  auto options = std::make_shared<ReplayCommand>();
  arguments.positional("FILE", options->path, "recording of `pliant run --record`, *.plr, or of its flight recorder");
  arguments.option("--from", "T", options->from, "first row not before this time [s]");
  arguments.option("--to", "T", options->to, "last row not after it [s]");
  arguments.flag("--until-fault", options->until_fault, "end at the first fault, and say what it is");
  arguments.option("--world", "N", options->world, "which world of a recording of several, 0 by default", {0, 1 << 24});
  arguments.option("--model", "FILE", options->model, "model to replay with, instead of the one inside the recording");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  arguments.flag("--allow-unsupported", options->allow_unsupported,
                 "leave out what Pliant does not support, with a warning, instead of failing");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Simulates again from the first row, with the inputs of every row, and compares every bit of the states. The "
      "same "
      "binary gives the same bits; elsewhere the first step that differs is named. Exit status: 0 the same bits; 1 "
      "they differ; 2 the recording or its model cannot be used; 130 stopped by Ctrl-C.\n\n"
      "Example, with the recording that it replays:\n"
      "  pliant run models/drop.xml --seconds 0.5 --record drop.plr\n"
      "  pliant replay drop.plr --from 0.2");
  return [options] { return run(*options); };
}

}  // namespace pliant::app
