// Cameras and lights: pose, target, intrinsics. Writes Work::cameras and Work::lights.

#include <cmath>

#include "base/text.h"
#include "compile/compile.h"

namespace pliant {

void compile_camera(Work& work, int id) {
  const CameraSpec& spec = work.spec.cameras[id];
  CameraWork& camera = work.cameras[id];
  camera.pose = {vec3(spec.pos), resolve_orientation(work, spec, spec.source, spec.orientation)};
  if (spec.frame >= 0) camera.pose = compose(work.frames[spec.frame], camera.pose);
  camera.pose.quat = normalized(camera.pose.quat);
  if (!spec.target.empty()) {
    camera.target = work.resolve(ObjType::kBody, spec.target, spec.source, "target");
  } else if (spec.mode == CamLightMode::kTargetBody || spec.mode == CamLightMode::kTargetBodyCom) {
    work.warning(Code::kIgnoredAttribute, spec, "mode", "has a targeting mode but no target");
  }
  camera.fovy = spec.fovy;
  if (spec.projection == 0 && spec.fovy >= 180) {
    work.error(Code::kBadCamera, spec, "fovy", "fovy must be below 180 degrees, not " + number_text(spec.fovy));
  }
  if (spec.resolution[0] < 0 || spec.resolution[1] < 0) {
    work.error(Code::kBadCamera, spec, "resolution",
               "needs a resolution without negative numbers, got " + std::to_string(spec.resolution[0]) + " " +
                   std::to_string(spec.resolution[1]));
  }
  const auto& sensor = spec.sensorsize;
  if (sensor[0] > 0 && sensor[1] > 0) {
    const float density[2] = {static_cast<float>(spec.resolution[0]) / sensor[0],
                              static_cast<float>(spec.resolution[1]) / sensor[1]};
    // a length in pixels wins over one in metres
    const auto set = [&](float* to, const Floats<2>& pixels, const Floats<2>& metres, const char* attribute) {
      for (int i = 0; i < 2; ++i) to[i] = pixels[i] != 0 ? pixels[i] / density[i] : metres[i];
      if ((pixels[0] == 0 || metres[0] == 0) && (pixels[1] == 0 || metres[1] == 0)) return;
      work.warning(Code::kIgnoredAttribute, spec, attribute,
                   std::string("has '") + attribute + "' as well as '" + attribute + "pixel': the latter is used");
    };
    set(&camera.intrinsic[0], spec.focalpixel, spec.focal, "focal");
    set(&camera.intrinsic[2], spec.principalpixel, spec.principal, "principal");
    camera.fovy = std::atan2(sensor[1] / 2, camera.intrinsic[1]) * 360.0 / kPi;
  } else {
    camera.intrinsic[0] = camera.intrinsic[1] = work.spec.visual.map.znear;
    const struct {
      const char* name;
      const Floats<2>& value;
    } lengths[] = {{"focal", spec.focal},
                   {"focalpixel", spec.focalpixel},
                   {"principal", spec.principal},
                   {"principalpixel", spec.principalpixel}};
    for (const auto& length : lengths) {
      if (length.value[0] == 0 && length.value[1] == 0) continue;
      work.error(Code::kBadCamera, spec, length.name,
                 std::string("has '") + length.name + "', which needs a positive 'sensorsize'");
    }
  }
}

void compile_light(Work& work, int id) {
  const LightSpec& spec = work.spec.lights[id];
  LightWork& light = work.lights[id];
  light.pos = vec3(spec.pos);
  light.dir = vec3(spec.dir);
  if (spec.frame >= 0) {
    const Pose& frame = work.frames[spec.frame];
    light.pos = frame.pos + rotate(frame.quat, light.pos);
    light.dir = rotate(frame.quat, light.dir);
  }
  const double length = norm(light.dir);
  if (length * length < kCompileEps) {
    work.error(Code::kBadCamera, spec, "dir", "its direction has zero length");
  } else if (std::abs(length - 1) > kCompileEps) {
    light.dir = {light.dir.x / length, light.dir.y / length, light.dir.z / length};
  }
  if (!(spec.softness >= 0 && spec.softness <= 1)) {
    work.error(Code::kBadCamera, spec, "softness",
               "its softness must be between 0 and 1, not " + number_text(spec.softness));
  }
  if (!spec.target.empty()) {
    light.target = work.resolve(ObjType::kBody, spec.target, spec.source, "target");
  }
  if (!spec.texture.empty() && !work.spec.compilers[0].discardvisual) {
    light.texture = work.resolve(ObjType::kTexture, spec.texture, spec.source, "texture");
    // without pixels, because its file could not be read
    if (light.texture >= 0 && work.textures[light.texture].data.empty()) light.texture = -1;
  }
}

}  // namespace pliant
