// pliant why: the cause of a simulation that went wrong, and what cures it.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/output_file.h"
#include "cmd.h"
#include "console.h"
#include "controls.h"
#include "inputs.h"
#include "names.h"
#include "progress.h"
#include "pliant/doctor_fix.h"
#include "pliant/why.h"
#include "recorded_model.h"
#include "stop_by_signal.h"
#include "urdf_options.h"
#include "with_spec.h"

namespace pliant::app {
namespace {

struct WhyCommand {
  UrdfOptions urdf;
  std::string path, model, states, key, controls, html;
  double seconds = 10;
  int world = 0;
  bool mujoco = false, json = false, all = false, allow_unsupported = false;
};

bool has_degrees(const LoadedModel& loaded) {
  return loaded.spec && !loaded.spec->compilers.empty() && loaded.spec->compilers[0].degree;
}

int finish(const WhyCommand& options, WhyReport report) {
  report.title = options.path;
  if (!options.html.empty()) {
    OutputFile page(options.html);
    page.write(why_page(report));
    page.commit();
    if (!options.json) print("written: " + options.html + "\n");
  }
  if (options.json) {
    print(why_json(report, options.path));
  } else {
    print(why_text(report, options.all));
  }
  return !report.problem.empty() ? kFailed : report.trouble ? kWarnings : kOk;
}

/// A model that does not load: the doctor's findings, and whether what it says to write cures them.
WhyReport refused(const WhyCommand& options, const LoadOptions& load_options) {
  const DoctorReport found = doctor_file(options.path, load_options, {0});
  std::vector<RefusedCure> cures;
  try {
    const DoctorFixReport tried = doctor_fix(options.path, options.path + ".tried.xml", load_options, {0.2});
    const bool runs = tried.after.loaded && tried.after.count(FindingSeverity::kError) == 0;
    for (size_t i = 0; i < found.findings.size(); ++i) {
      for (const DoctorCure& cure : tried.cures) {
        if (cure.cured && cure.finding.code == found.findings[i].code &&
            cure.finding.element == found.findings[i].element)
          cures.push_back({i, cure.change, runs});
      }
    }
  } catch (const std::runtime_error&) {
    // a folder that cannot be written: then they are not tried, and the report says so
  }
  return why_refused(found, cures);
}

int run(const WhyCommand& options) {
  const LoadOptions load_options = options_of(options.allow_unsupported, options.urdf);
  const StopBySignal signals;
  WhyOptions wanted;
  wanted.seconds = options.seconds, wanted.world = options.world;
  wanted.stop = [] { return StopBySignal::asked(); };
  std::optional<Progress> progress;
  int known = 0;
  wanted.progress = [&](int done, int total) {
    if (!progress || total != known) progress.emplace(known = total, "simulations");
    progress->update(done);
  };
  const auto answer = [&](const auto&... of) {
    WhyReport report = why(of..., wanted);
    progress.reset();
    return finish(options, std::move(report));
  };
  if (options.mujoco != !options.states.empty())
    throw UsageError("--mujoco and --states belong together: pliant why --mujoco model.xml --states states.npy");
  if (!options.html.empty() && std::filesystem::exists(options.path))
    keep_inputs(options.html, options.path, load_options, {options.states});

  if (!options.mujoco && is_recording(options.path)) {
    const RecordingFile recording(options.path);
    const RecordedModel found =
        model_of_recording(options.path, recording.head().model_file, options.model, load_options);
    if (!found.report.ok()) return refuse_model(found.path, found.report.diagnostics, options.json);
    wanted.diagnostics = &found.report.diagnostics;
    return answer(*found.report.model, recording);
  }
  const LoadedModel loaded = load_with_spec(options.path, load_options);
  if (!loaded.model) return finish(options, refused(options, load_options));
  wanted.diagnostics = &loaded.diagnostics;
  wanted.degrees = has_degrees(loaded);
  if (options.mujoco) return answer(*loaded.model, read_states(*loaded.model, options.states));
  if (!options.key.empty()) wanted.key = find_object(*loaded.model, ObjType::kKey, options.key, "keyframe");
  Controls controls(*loaded.model, options.controls);
  wanted.inputs = [&](const Model& m, int64_t step, State& s) { controls.apply(m, step, s); };
  return answer(*loaded.model);
}

}  // namespace

Run add_why(Arguments& arguments) {
  auto options = std::make_shared<WhyCommand>();
  arguments.positional(
      "FILE", options->path,
      "recording (*.plr, also of the flight recorder), or a model, which is run until something goes wrong");
  arguments.option("--html", "FILE", options->html, "write the report as a page, too");
  arguments.flag("--json", options->json, "print one JSON object, errors included");
  arguments.flag("--all", options->all, "all suspects and all fixes that were tried");
  arguments.option("--seconds", "S", options->seconds, "how long a model is run at most, 10 by default", kAboveZero);
  arguments.option("--key", "KEY", options->key, "keyframe that a model starts from, by name or number");
  arguments.option("--ctrl", "CONTROLS", options->controls, "controls of a model that is run, as of `pliant run`");
  arguments.option("--model", "FILE", options->model, "model of a recording, instead of the one inside it");
  arguments.option("--world", "N", options->world, "which world of a recording of several, 0 by default", {0, 1 << 24});
  arguments.flag("--mujoco", options->mujoco, "FILE is the model of a run of MuJoCo, whose states --states names");
  arguments.option("--states", "FILE", options->states,
                   "*.npy with a row per step: qpos and qvel, or time, qpos, qvel and act");
  arguments.flag("--allow-unsupported", options->allow_unsupported,
                 "leave out what Pliant does not support, with a warning, instead of failing");
  add_progress(arguments);
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Says which quantity left its band first, the element that fed it with its place in the file, the rule it broke, "
      "and which changes cure it: "
      "each is tried by simulating again from before the trouble, and compared with a fine timestep. Where it does not "
      "know it says so.\n"
      "Exit status: 0 nothing left its band; 1 something did; 2 the file cannot be used; 130 stopped by Ctrl-C.");
  arguments.example("models/quadruped.xml --seconds 0.2");
  return [options] { return run(*options); };
}

}  // namespace pliant::app
