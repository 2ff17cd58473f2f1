// What a URDF leaves open, as options of the command line.

#include "urdf_options.h"

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace pliant::app {

void add_urdf_options(CLI::App& command, UrdfOptions& options) {
  constexpr const char* kGroup = "URDF models";
  using Kind = UrdfOptions::Actuators;
  static const std::map<std::string, Kind> kKinds = {
      {"none", Kind::kNone}, {"effort", Kind::kEffort}, {"position", Kind::kPosition}};
  command
      .add_option("--package-path", options.package_paths,
                  "folder that holds packages, for package://NAME/…; may be\n"
                  "repeated; then ROS_PACKAGE_PATH, folders above the file")
      ->type_name("DIR")
      ->group(kGroup);
  command
      .add_option("--actuators", options.actuators,
                  "an actuator for every joint with a transmission (without any:\n"
                  "every joint that moves by itself): effort | position")
      ->transform(CLI::CheckedTransformer(kKinds).description(""))
      ->type_name("KIND")
      ->group(kGroup);
  command.add_flag("--fuse-fixed", options.fuse_fixed, "make links on fixed joints part of their parents")
      ->group(kGroup);
  command.add_flag("--floating-base", options.floating_base, "let the root link move freely")->group(kGroup);
  command
      .add_flag_callback(
          "--no-self-collision", [&options] { options.self_collision = false; },
          "links of the robot do not collide with each other (otherwise\n"
          "all do that no joint connects)")
      ->group(kGroup);
}

}  // namespace pliant::app
