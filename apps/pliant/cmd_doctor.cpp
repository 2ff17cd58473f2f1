// pliant doctor: what in a model will misbehave, and what to write instead.

#include <memory>
#include <optional>
#include <string>

#include "cmd.h"
#include "console.h"
#include "pliant/doctor_file.h"
#include "progress.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct Options {
  UrdfOptions urdf;
  std::string path;
  double seconds = 1;
  bool json = false, strict = false, codes = false, allow_unsupported = false;
};

int examine(const Options& options) {
  if (options.codes) {
    print(doctor_codes_text());
    return kOk;
  }
  if (options.path.empty()) throw UsageError("name a model, or --codes");
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  std::optional<Progress> progress;
  const DoctorReport report = doctor_file(options.path, load_options, {options.seconds, [&](double done, double total) {
                                                                         if (!progress) progress.emplace(total, "s");
                                                                         progress->update(done);
                                                                       }});
  progress.reset();
  print(options.json ? doctor_json(report, options.path) : doctor_text(report, options.path));
  if (!report.loaded) return kFailed;
  const bool warnings = options.strict && report.count(FindingSeverity::kWarning) > 0;
  return report.count(FindingSeverity::kError) > 0 || warnings ? kWarnings : kOk;
}

}  // namespace

Run add_doctor(Arguments& arguments) {
  constexpr Range kTrial{0, 1e6};
  auto options = std::make_shared<Options>();
  arguments.positional("MODEL", options->path, "MJCF or URDF file, or binary model", false);
  arguments.option("--seconds", "S", options->seconds, "length of the trial run; 0 for none; 1 by default", kTrial);
  arguments.flag("--json", options->json, "print JSON");
  add_progress(arguments);
  arguments.flag("--strict", options->strict, "warnings count as errors for the exit status");
  arguments.flag("--codes", options->codes, "explain the codes of findings");
  arguments.flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(arguments, options->urdf);
  arguments.note(
      "Looks at the start, at every keyframe and at a short trial run. Each finding has a code, the place in the file, "
      "the numbers that show it and a change that cures it, worst first; above them the longest stable timestep and "
      "the element that limits it. An error will spoil the simulation, a warning is most likely not what was meant, a "
      "note is good to know.\n"
      "Exit status: 0 no errors; 1 errors, or warnings with --strict; 2 the model cannot be loaded.");
  arguments.example("models/quadruped.xml --strict");
  return [options] { return examine(*options); };
}

}  // namespace pliant::app
