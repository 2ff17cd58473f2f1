// Text of a model. Files it may name are given in memory: meshes, an image, a part to include, a
// model to attach; their names are in the dictionary (dictionary.py).

#include "sound.h"
#include "targets.h"
#include "tiny_files.h"

namespace pliant::fuzz {

void mjcf(std::string_view bytes) {
  LoadOptions options;
  options.assets = {{"tiny.obj", tiny_obj()},
                    {"tiny.stl", tiny_stl()},
                    {"tiny.msh", tiny_msh()},
                    {"tiny.bin", tiny_hfield()},
                    {"tiny.png", tiny_png()},
                    {"part.xml", "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>"},
                    {"child.xml",
                     "<mujoco model='child'><worldbody><body name='arm'><joint name='j'/>"
                     "<geom size='1'/></body></worldbody><actuator><motor joint='j'/>"
                     "</actuator><keyframe><key qpos='1'/></keyframe></mujoco>"}};
  // sanitizers make everything slow, so the budget is smaller
  options.max_copies = 20'000;
  // both ways of treating what is not supported
  options.allow_unsupported = bytes.size() % 2 == 1;
  const Report report = load_report_string(bytes, options);
  require_sound(report);
  if (report.ok()) require_comes_back(bytes, *report.model, options);
}

void mjz(std::string_view bytes) {
  LoadOptions options;
  options.assets = {{"model.mjz", std::string(bytes)}};
  options.max_archive_bytes = 1 << 22;
  options.max_copies = 20'000;
  require_sound(load_report("model.mjz", options));
}

}  // namespace pliant::fuzz
