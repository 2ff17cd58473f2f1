// pliant compile: a model file into a binary Model that loads in milliseconds.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"
#include "pliant/model_io.h"
#include "pliant/load.h"
#include "urdf_options.h"

namespace pliant::app {

Run add_compile(CLI::App& command) {
  struct Settings {
    std::string from, to, cache;
    bool strict = false;
    UrdfOptions urdf;
  };
  auto settings = std::make_shared<Settings>();
  command.add_option("MODEL", settings->from, "MJCF or URDF file to read")->required();
  command.add_option("OUT", settings->to, "binary model to write, usually *.plm")->required();
  command.add_flag("--strict", settings->strict, "exit with 1 when there are warnings");
  command.add_option("--cache", settings->cache, "folder that keeps meshes between loads")->type_name("DIR");
  add_urdf_options(command, settings->urdf);
  command.footer(
      "The binary file is tied to this version of Pliant: another version refuses it. Every "
      "command that takes a model takes *.plm as well.");
  return [settings] {
    LoadOptions options;
    options.cache_dir = settings->cache;
    options.urdf = settings->urdf;
    const Report report = load_report(settings->from, options);
    if (!report.diagnostics.empty()) std::fprintf(stderr, "%s\n", to_text(report.diagnostics).c_str());
    if (!report.ok()) return kFailed;
    save_plm(*report.model, settings->to);
    std::printf("%s: %zu bytes\n", settings->to.c_str(), report.model->bytes());
    return settings->strict && !report.diagnostics.empty() ? kWarnings : kOk;
  };
}

}  // namespace pliant::app
