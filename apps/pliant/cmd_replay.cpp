// pliant replay: a recording simulated again.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "pliant/energy_ledger.h"
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
  bool until_fault = false, energy = false, json = false, allow_unsupported = false;
};

std::string difference_json(const std::optional<ReplayDifference>& d) {
  if (!d) return "null";
  return fmt::format(
      "{{\"row\": {}, \"step\": {}, \"time\": {}, \"field\": {}, \"index\": {}, \"object\": {}, \"recorded\": {}, "
      "\"replayed\": {}}}",
      d->row, d->step, json_number(d->time), json_text(d->field), d->index, json_text(d->object),
      json_number(d->recorded), json_number(d->replayed));
}

std::string energy_json(const EnergyLedger& ledger) {
  std::string entries;
  for (const EnergyEntry& e : ledger.entries()) {
    entries += fmt::format(
        "{}\n    {{\"kind\": {}, \"element\": {}, \"origin\": {}, \"work\": {}, \"most_fed\": {}, \"fed_at\": {}}}",
        entries.empty() ? "" : ",", json_text(e.kind), json_text(e.element), json_text(e.origin), json_number(e.work),
        json_number(e.most_fed), json_number(e.fed_at));
  }
  const EnergyOfIntegration parts = ledger.parts_of_integration();
  return fmt::format(
      "{{\"steps\": {}, \"kinetic_change\": {}, \"works\": {}, \"integration\": {}, \"turning\": {}, \"implicit\": {}, "
      "\"solver\": {}, \"rest\": {}, \"flow\": {}, \"entries\": [{}]}}",
      ledger.steps(), json_number(ledger.kinetic_change()), json_number(ledger.works()),
      json_number(ledger.integration()), json_number(parts.turning), json_number(parts.implicit),
      json_number(parts.solver), json_number(parts.rest), json_number(ledger.flow()), entries);
}

std::string json_of(const ReplayCommand& options, const ReplayReport& r, const RecordingFile& recording,
                    const EnergyLedger& ledger) {
  return fmt::format(
      "{{\n  \"file\": {},\n  \"same\": {},\n  \"first_row\": {},\n  \"last_row\": {},\n  \"steps\": {},\n"
      "  \"same_rows\": {},\n  \"restarts\": {},\n  \"skipped_steps\": {},\n  \"first\": {},\n  \"largest\": {},\n"
      "  \"stopped\": {},\n  \"fault\": {},\n  \"recorded_fault\": {},\n  \"energy\": {},\n  \"note\": {}\n}}\n",
      json_text(options.path), r.same(), r.first_row, r.last_row, r.steps, r.same_rows, r.restarts, r.skipped_steps,
      difference_json(r.first), difference_json(r.largest), r.stopped, json_text(r.fault_text),
      json_text(r.recorded_fault), options.energy ? energy_json(ledger) : "null", json_text(recording.note()));
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
  EnergyLedger ledger(*found.report.model);
  if (options.energy) wanted.visit = [&](const State& before, const State& after) { ledger.add(before, after); };
  const ReplayReport report = replay(*found.report.model, recording, wanted);
  if (options.json) {
    print(json_of(options, report, recording, ledger));
  } else {
    print(replay_text(report, recording));
    if (options.energy) print("\nwork done on the bodies:\n" + energy_text(ledger));
  }
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
  arguments.flag("--energy", options->energy, "say which elements did how much work: where energy came from");
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
      "  pliant replay drop.plr --from 0.2 --energy");
  return [options] { return run(*options); };
}

}  // namespace pliant::app
