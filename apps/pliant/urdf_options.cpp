// What a URDF leaves open, as options of the command line.

#include "urdf_options.h"

namespace pliant::app {

void add_urdf_options(Arguments& arguments, UrdfOptions& options) {
  using Kind = UrdfOptions::Actuators;
  arguments.group("URDF models");
  arguments.list(
      "--package-path", "DIR", options.package_paths,
      "folder that holds packages, for package://NAME/…; may be repeated; then ROS_PACKAGE_PATH, folders above "
      "the file");
  arguments.choice("--actuators", "KIND", {"none", "effort", "position"},
                   "an actuator for every joint with a transmission (without any: every joint that moves by itself): "
                   "none, effort or position",
                   [&options](size_t chosen) {
                     constexpr Kind kKinds[] = {Kind::kNone, Kind::kEffort, Kind::kPosition};
                     options.actuators = kKinds[chosen];
                   });
  arguments.flag("--fuse-fixed", options.fuse_fixed, "make links on fixed joints part of their parents");
  arguments.flag("--floating-base", options.floating_base, "let the root link move freely");
  arguments.flag(
      "--no-self-collision", [&options] { options.self_collision = false; },
      "links of the robot do not collide with each other (otherwise all do that no joint connects)");
}

}  // namespace pliant::app
