// pliant doctor: what in a model will misbehave, and what to write instead.

#include <memory>
#include <optional>
#include <string>

#include "base/output_file.h"
#include "cmd.h"
#include "console.h"
#include "inputs.h"
#include "pliant/doctor_fix.h"
#include "pliant/doctor_summary.h"
#include "progress.h"
#include "urdf_options.h"

namespace pliant::app {
namespace {

struct Options {
  UrdfOptions urdf;
  std::string path, fix;
  double seconds = 1;
  bool json = false, strict = false, codes = false, all = false, allow_unsupported = false;
};

/// Cures written to another file. Everything else in it stays as it was.
int mend(const Options& options, const LoadOptions& load_options) {
  keep_inputs(options.fix, options.path, load_options);
  const DoctorFixReport report =
      doctor_fix(options.path, options.fix + ".tried.xml", load_options, {options.seconds, nullptr});
  const bool changed = report.cured() > 0;
  if (changed) {
    OutputFile out(options.fix);
    out.write(report.text);
    out.commit();
  }
  if (options.json) {
    print(doctor_json(report.after, changed ? options.fix : options.path));
  } else {
    print(doctor_fix_text(report, options.path, changed ? options.fix : ""));
  }
  return !report.after.loaded ? kFailed : report.after.count(FindingSeverity::kError) > 0 ? kWarnings : kOk;
}

int examine(const Options& options) {
  if (options.codes) {
    if (!options.path.empty()) throw UsageError("--codes explains all codes and looks at no model");
    print(doctor_codes_text());
    return kOk;
  }
  if (options.path.empty()) throw UsageError("name a model, or --codes");
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  if (!options.fix.empty()) return mend(options, load_options);
  std::optional<Progress> progress;
  const DoctorReport report = doctor_file(options.path, load_options, {options.seconds, [&](double done, double total) {
                                                                         if (!progress) progress.emplace(total, "s");
                                                                         progress->update(done);
                                                                       }});
  progress.reset();
  print(options.json  ? doctor_json(report, options.path)
        : options.all ? doctor_text(report, options.path)
                      : doctor_summary(report, options.path));
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
  arguments.flag("--all", options->all, "every finding with its numbers, not only the five kinds that matter most");
  arguments.option(
      "--fix", "FILE", options->fix,
      "write a changed model here (MJCF, beside the model): every change that cures a finding and brings no "
      "other, with a comment each; the model itself is not touched");
  arguments.flag("--json", options->json, "print JSON; with --fix of the changed model");
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
