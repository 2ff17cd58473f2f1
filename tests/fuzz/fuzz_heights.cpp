// Height fields and images. The checksums inside a PNG file are made to fit, so that changed bytes
// reach the decoder.

#include <cstdint>

#include "sound.h"
#include "targets.h"
#include "tiny_files.h"

namespace pliant::fuzz {

void hfield(std::string_view bytes) {
  LoadOptions options;
  options.assets["h.bin"] = bytes;
  require_sound(
      load_report_string("<mujoco><asset><hfield name='h' file='h.bin' size='1 1 1 1'/></asset>"
                         "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
                         options));
}

void png(std::string_view bytes) {
  LoadOptions options;
  options.assets["i.png"] = with_png_checksums(std::string(bytes));
  require_sound(
      load_report_string("<mujoco><asset><hfield name='h' file='i.png' size='1 1 1 1'/>"
                         "<texture name='a' type='2d' file='i.png' nchannel='4' hflip='true' vflip='true'/>"
                         "<texture name='b' type='cube' file='i.png'/>"
                         "<texture name='c' type='skybox' file='i.png' gridsize='3 4' gridlayout='.U..LFRB.D..'/>"
                         "<material name='m' texture='a'/></asset>"
                         "<worldbody><geom type='hfield' hfield='h' material='m'/></worldbody></mujoco>",
                         options));
}

}  // namespace pliant::fuzz
