// What a URDF leaves open, as options of the command line.

#include "urdf_options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace pliant::app {

void add_urdf_options(CLI::App& command, UrdfOptions& options) {
  constexpr const char* kGroup = "URDF models";
  using Kind = UrdfOptions::Actuators;
  static const std::map<std::string, Kind> kKinds = {{"none", Kind::kNone}, {"effort", Kind::kEffort}, {"position", Kind::kPosition}};
  command
      .add_option("--package-path", options.package_paths,
                  "Folder that holds packages, for package://NAME/…; may be repeated. Then come\n"
                  "ROS_PACKAGE_PATH and the folders above the file")
      ->type_name("DIR")
      ->group(kGroup);
  command
      .add_option("--actuators", options.actuators,
                  "Make an actuator for every joint with a transmission (without any: for every joint\n"
                  "that moves by itself): effort | position")
      ->transform(CLI::CheckedTransformer(kKinds).description(""))
      ->type_name("KIND")
      ->group(kGroup);
  command.add_flag("--fuse-fixed", options.fuse_fixed, "Make links on fixed joints part of their parents")->group(kGroup);
  command.add_flag("--floating-base", options.floating_base, "Let the root link move freely")->group(kGroup);
  command
      .add_flag_callback("--no-self-collision", [&options] { options.self_collision = false; },
                         "Links of the robot do not collide with each other (otherwise all do that no\n"
                         "joint connects)")
      ->group(kGroup);
}

}  // namespace pliant::app
