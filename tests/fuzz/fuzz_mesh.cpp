// Mesh and skin files. Each is compiled in several ways, so that every kind of inertia, hulls, mirroring and
// shells are reached; a file that is refused in one way may be fine in another.

#include "sound.h"
#include "targets.h"

namespace pliant::fuzz {
namespace {

void compile_mesh(const std::string& file, std::string_view bytes) {
  constexpr const char* kMeshes[] = {
      R"(maxhullvert="12")",
      R"(inertia="convex" smoothnormal="true")",
      R"(inertia="exact" scale="-1 2 0.5" refquat="1 2 3 4" refpos="1 0 0")",
      R"(inertia="shell")",
  };
  constexpr const char* kGeoms[] = {R"(type="mesh")", R"(type="mesh" contype="0" conaffinity="0")", R"(type="box")",
                                    R"(type="capsule")"};
  LoadOptions options;
  options.assets[file] = bytes;
  for (int i = 0; i < 4; ++i) {
    const std::string document = "<mujoco><asset><mesh name='m' file='" + file + "' " + kMeshes[i] +
                                 "/></asset><worldbody><body><freejoint/><geom mesh='m' " + kGeoms[i] +
                                 "/></body></worldbody></mujoco>";
    require_sound(load_report_string(document, options));
  }
}

/// A program of its own reads these; once is enough.
void compile_scene(const std::string& file, std::string_view bytes) {
  LoadOptions options;
  options.assets[file] = bytes;
  options.assets["m.bin"] = std::string(84, '\x3f');
  require_sound(load_report_string("<robot name='r'><link name='a'><collision><geometry><mesh filename='" + file +
                                       "'/></geometry></collision></link></robot>",
                                   options));
}

}  // namespace

void dae(std::string_view bytes) { compile_scene("m.dae", bytes); }
void gltf(std::string_view bytes) { compile_scene("m.gltf", bytes); }
void glb(std::string_view bytes) { compile_scene("m.glb", bytes); }

void stl(std::string_view bytes) { compile_mesh("m.stl", bytes); }
void obj(std::string_view bytes) { compile_mesh("m.obj", bytes); }
void msh(std::string_view bytes) { compile_mesh("m.msh", bytes); }

void skn(std::string_view bytes) {
  LoadOptions options;
  options.assets["s.skn"] = bytes;
  require_sound(
      load_report_string("<mujoco><asset><skin name='s' file='s.skn'/></asset>"
                         "<worldbody><body name='a'><geom size='1'/></body><body name='b'/></worldbody></mujoco>",
                         options));
}

}  // namespace pliant::fuzz
