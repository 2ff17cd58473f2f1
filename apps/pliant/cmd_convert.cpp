// pliant convert: a model as one flat MJCF file.

#include <memory>
#include <string>

#include "cmd.h"
#include "console.h"
#include "pliant/load.h"
#include "pliant/write.h"
#include "urdf_options.h"

namespace pliant::app {

Run add_convert(Arguments& arguments) {
  struct Settings {
    std::string from, to, copy_assets;
    bool for_mujoco = false, strict = false, force = false, json = false;
    UrdfOptions urdf;
  };
  auto settings = std::make_shared<Settings>();
  arguments.positional("MODEL", settings->from, "MJCF or URDF model to read");
  arguments.positional("OUT", settings->to, "MJCF file to write");
  arguments.flag("--for-mujoco", settings->for_mujoco,
                 "write only what MuJoCo reads; extensions take their closest standard form, and each loss is named");
  arguments.option("--copy-assets", "DIR", settings->copy_assets,
                   "copy meshes, textures and height fields into this folder beside OUT");
  arguments.flag("--force", settings->force, "write over files that the model is read from");
  arguments.flag("--json", settings->json, "print one JSON object, errors included");
  arguments.flag("--strict", settings->strict, "exit with 1 when there are warnings");
  add_urdf_options(arguments, settings->urdf);
  arguments.note(
      "Includes, attached models, replication and default classes are written out. Files are named relative to OUT.");
  arguments.example("models/mimic_gripper.xml flat.xml --for-mujoco --copy-assets assets");
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
    options.overwrite_inputs = settings->force;
    const bool saved =
        loaded.spec && !diagnostics.has_errors() && save_mjcf(*loaded.spec, settings->to, diagnostics, options);
    if (!saved) return refuse_model(settings->from, diagnostics.list(), settings->json);
    print_findings(diagnostics.list());
    print(settings->json ? written_json(settings->from, settings->to, "", diagnostics.list()) : settings->to + "\n");
    return settings->strict && !diagnostics.list().empty() ? kWarnings : kOk;
  };
}

}  // namespace pliant::app
