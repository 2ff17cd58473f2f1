// pliant doctor: what in a model will misbehave, and what to write instead.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"
#include "pliant/doctor_file.h"
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
    const std::string text = doctor_codes_text();
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kOk;
  }
  if (options.path.empty()) {
    std::fprintf(stderr, "pliant doctor: name a model, or --codes\n");
    return kFailed;
  }
  LoadOptions load_options;
  load_options.allow_unsupported = options.allow_unsupported;
  load_options.urdf = options.urdf;
  const DoctorReport report = doctor_file(options.path, load_options, {options.seconds});
  const std::string text = options.json ? doctor_json(report, options.path) : doctor_text(report, options.path);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (!report.loaded) return kFailed;
  const bool warnings = options.strict && report.count(FindingSeverity::kWarning) > 0;
  return report.count(FindingSeverity::kError) > 0 || warnings ? kWarnings : kOk;
}

}  // namespace

Run add_doctor(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("MODEL", options->path, "MJCF or URDF file, or binary model");
  command.add_option("--seconds", options->seconds, "length of the trial run; 0 for none")
      ->type_name("S")
      ->capture_default_str();
  command.add_flag("--json", options->json, "print JSON");
  command.add_flag("--strict", options->strict, "warnings count as errors for the exit status");
  command.add_flag("--codes", options->codes, "explain the codes of findings");
  command.add_flag("--allow-unsupported", options->allow_unsupported, "ignore what Pliant does not support");
  add_urdf_options(command, options->urdf);
  command.footer(
      "Example: pliant doctor robot.xml --strict\n"
      "Looks at the start, at every keyframe and at a short trial run. Each finding has a code, the place\n"
      "in the file, the numbers that show it and a change that cures it, worst first; above them the\n"
      "longest stable timestep and the element that limits it. An error will spoil the simulation, a\n"
      "warning is most likely not what was meant, a note is good to know.\n"
      "Exit status: 0 no errors; 1 errors, or warnings with --strict; 2 the model cannot be loaded.");
  return [options] { return examine(*options); };
}

}  // namespace pliant::app
