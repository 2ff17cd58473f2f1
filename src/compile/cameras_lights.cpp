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
  for (int i = 0; i < 2; ++i) {
    if (spec.principal[i] != 0 && spec.principalpixel[i] != 0) {
      work.error(Code::kBadCamera, spec, "principalpixel", "cannot have both 'principal' and 'principalpixel'");
    }
    if (spec.focal[i] != 0 && spec.focalpixel[i] != 0) {
      work.error(Code::kBadCamera, spec, "focalpixel", "cannot have both 'focal' and 'focalpixel'");
    }
  }
  const auto& sensor = spec.sensorsize;
  if (sensor[0] > 0 && sensor[1] > 0) {
    // at most one term of each sum is not zero
    const float density[2] = {static_cast<float>(spec.resolution[0]) / sensor[0],
                              static_cast<float>(spec.resolution[1]) / sensor[1]};
    for (int i = 0; i < 2; ++i) {
      camera.intrinsic[i] = spec.focalpixel[i] / density[i] + spec.focal[i];
      camera.intrinsic[2 + i] = spec.principalpixel[i] / density[i] + spec.principal[i];
    }
    camera.fovy = std::atan2(sensor[1] / 2, camera.intrinsic[1]) * 360.0 / kPi;
  } else {
    camera.intrinsic[0] = camera.intrinsic[1] = work.spec.visual.map.znear;
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
  if (!spec.target.empty()) {
    light.target = work.resolve(ObjType::kBody, spec.target, spec.source, "target");
  }
  if (!spec.texture.empty() && !work.spec.compilers[0].discardvisual) {
    light.texture = work.resolve(ObjType::kTexture, spec.texture, spec.source, "texture");
  }
}

}  // namespace pliant
