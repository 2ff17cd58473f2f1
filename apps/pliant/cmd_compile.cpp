// pliant compile: a model file into a binary Model that loads in milliseconds.

#include <filesystem>
#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "inputs.h"
#include "pliant/load.h"
#include "pliant/model_io.h"
#include "urdf_options.h"

namespace pliant::app {

Run add_compile(Arguments& arguments) {
  struct Settings {
    std::string from, to, cache;
    bool strict = false, force = false, json = false;
    UrdfOptions urdf;
  };
  auto settings = std::make_shared<Settings>();
  arguments.positional("MODEL", settings->from, "MJCF or URDF file to read");
  arguments.positional("OUT", settings->to, "binary model to write, usually *.plm");
  arguments.flag("--strict", settings->strict, "exit with 1 when there are warnings");
  arguments.flag("--force", settings->force, "write over a file that the model is read from");
  arguments.flag("--json", settings->json, "print one JSON object, errors included");
  arguments.option("--cache", "DIR", settings->cache, "folder that keeps meshes between loads");
  add_urdf_options(arguments, settings->urdf);
  arguments.note(
      "The binary file is tied to this version of Pliant: another version refuses it. Every command that takes a model "
      "takes *.plm as well.");
  arguments.example("models/quadruped.xml quadruped.plm");
  return [settings] {
    LoadOptions options;
    options.cache_dir = settings->cache;
    options.urdf = settings->urdf;
    const Report report = load_report(settings->from, options);
    if (!report.ok()) return refuse_model(settings->from, report.diagnostics, settings->json);
    print_findings_by_kind(report.diagnostics);
    if (!settings->force) keep_inputs(settings->to, settings->from, options, {}, "; or use --force");
    save_plm(*report.model, settings->to);
    const std::string bytes = std::to_string(std::filesystem::file_size(settings->to));
    print(settings->json ? written_json(settings->from, settings->to, ",\n  \"bytes\": " + bytes, report.diagnostics)
                         : settings->to + ": " + bytes + " bytes\n");
    return settings->strict && !report.diagnostics.empty() ? kWarnings : kOk;
  };
}

}  // namespace pliant::app
