// Text of a URDF. Meshes it may name are given in memory. Options follow from the length, so that every one is reached.

#include "sound.h"
#include "targets.h"
#include "tiny_files.h"

namespace pliant::fuzz {

void urdf(std::string_view bytes) {
  LoadOptions options;
  options.assets = {{"tiny.obj", tiny_obj()}, {"tiny.stl", tiny_stl()}};
  const size_t n = bytes.size();
  options.urdf.fuse_fixed = n % 2 == 1;
  options.urdf.floating_base = n / 2 % 2 == 1;
  options.urdf.self_collision = n / 4 % 2 == 1;
  options.urdf.actuators = static_cast<UrdfOptions::Actuators>(n / 8 % 3);
  require_sound(load_report_string(bytes, options));
}

}  // namespace pliant::fuzz
