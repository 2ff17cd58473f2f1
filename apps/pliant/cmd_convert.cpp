// pliant convert: a model as one flat MJCF file.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cmd.h"
#include "pliant/load.h"
#include "pliant/write.h"
#include "urdf_options.h"

namespace pliant::app {

Run add_convert(CLI::App& command) {
  struct Settings {
    std::string from, to, copy_assets;
    bool for_mujoco = false, strict = false;
    UrdfOptions urdf;
  };
  auto settings = std::make_shared<Settings>();
  command.add_option("MODEL", settings->from, "MJCF or URDF model to read")->required();
  command.add_option("OUT", settings->to, "MJCF file to write")->required();
  command.add_flag("--for-mujoco", settings->for_mujoco,
                   "write only what MuJoCo reads; extensions take their closest standard form, and each loss is named");
  command
      .add_option("--copy-assets", settings->copy_assets,
                  "copy meshes, textures and height fields into this folder beside OUT")
      ->type_name("DIR");
  command.add_flag("--strict", settings->strict, "exit with 1 when there are warnings");
  add_urdf_options(command, settings->urdf);
  command.footer(
      "Includes, attached models, replication and default classes are written out. Files are named relative "
      "to OUT.\nExample: pliant convert robot.xml flat/robot.xml --for-mujoco --copy-assets assets");
  return [settings] {
    LoadOptions load_options;
    load_options.urdf = settings->urdf;
    Loaded loaded = load(settings->from, load_options);
    // compiled as well: what is written should be a model
    if (loaded.spec) compile(*loaded.spec, loaded.diagnostics);
    Diagnostics& diagnostics = loaded.diagnostics;
    SaveOptions options;
    options.for_mujoco = settings->for_mujoco;
    options.copy_assets = settings->copy_assets;
    const bool saved =
        loaded.spec && !diagnostics.has_errors() && save_mjcf(*loaded.spec, settings->to, diagnostics, options);
    if (!diagnostics.list().empty()) std::fprintf(stderr, "%s\n", to_text(diagnostics.list()).c_str());
    if (!saved) return kFailed;
    std::printf("%s\n", settings->to.c_str());
    return settings->strict && !diagnostics.list().empty() ? kWarnings : kOk;
  };
}

}  // namespace pliant::app
