// Objects are written kind after kind (mjcf_writer_tree.cpp), so a frame may be opened several times. What stands
// inside does not notice, but a tendon does: it takes the scale of the lowest body or frame around its whole path.

#include <algorithm>
#include <map>

#include "write/mjcf_writer.h"

namespace pliant {
namespace {

/// The frame and those around it in its body, innermost first.
std::vector<int> frames_around(const Spec& spec, int frame) {
  std::vector<int> chain;
  for (; frame >= 0; frame = spec.frames[frame].parent) chain.push_back(frame);
  return chain;
}

/// Frames of each object in a body, in the order of the text.
std::vector<std::vector<int>> frames_as_written(const Spec& spec) {
  std::vector<std::vector<int>> order(spec.bodies.size());
  for (size_t b = 0; b < spec.bodies.size(); ++b) {
    if (spec.bodies[b].has_inertial) order[b].push_back(spec.bodies[b].inertial_frame);
  }
  const auto each = [&](const auto& list) {
    for (const auto& object : list) order[object.body].push_back(object.frame);
  };
  each(spec.joints), each(spec.geoms), each(spec.sites), each(spec.cameras), each(spec.lights);
  for (size_t b = 1; b < spec.bodies.size(); ++b) order[spec.bodies[b].parent].push_back(spec.bodies[b].frame);
  return order;
}

/// By frame, whether the text opens it more than once.
std::vector<bool> torn_frames(const Spec& spec) {
  std::vector<bool> closed(spec.frames.size(), false), torn(spec.frames.size(), false);
  for (const std::vector<int>& frames : frames_as_written(spec)) {
    std::vector<int> open;
    for (const int frame : frames) {
      std::vector<int> wanted = frames_around(spec, frame);
      for (const int f : open) {
        if (std::find(wanted.begin(), wanted.end(), f) == wanted.end()) closed[f] = true;
      }
      for (const int f : wanted) {
        if (closed[f]) torn[f] = true;
      }
      open = std::move(wanted);
    }
  }
  return torn;
}

/// A body, or a frame of it.
struct Place {
  int body = 0, frame = -1;
  bool operator==(const Place&) const = default;
};

/// Where an object stands, and all that is around it, innermost first.
std::vector<Place> places_around(const Spec& spec, Place at) {
  std::vector<Place> places;
  while (true) {
    for (const int f : frames_around(spec, at.frame)) places.push_back({at.body, f});
    places.push_back({at.body, -1});
    if (at.body == 0) return places;
    at = {spec.bodies[at.body].parent, spec.bodies[at.body].frame};
  }
}

using PlacesByName = std::map<std::string, Place, std::less<>>;

template <class T>
PlacesByName places_of(const std::vector<T>& list) {
  PlacesByName places;
  for (const T& object : list) places.emplace(object.name, Place{object.body, object.frame});
  return places;
}

}  // namespace

bool tendons_lose_scale(const Spec& spec) {
  const auto scales = [](const FrameSpec& frame) { return frame.scale != FrameSpec{}.scale || frame.massscale > 0; };
  if (spec.tendons.empty() || std::none_of(spec.frames.begin(), spec.frames.end(), scales)) return false;
  const std::vector<bool> torn = torn_frames(spec);
  const PlacesByName joints = places_of(spec.joints), geoms = places_of(spec.geoms), sites = places_of(spec.sites);
  return std::any_of(spec.tendons.begin(), spec.tendons.end(), [&](const TendonSpec& tendon) {
    std::vector<Place> common;
    for (const WrapSpec& wrap : tendon.path) {
      const PlacesByName& named = wrap.type == WrapType::kJoint ? joints : wrap.type == WrapType::kSite ? sites : geoms;
      const auto found = named.find(wrap.object);
      if (wrap.object.empty() || found == named.end()) continue;
      const std::vector<Place> around = places_around(spec, found->second);
      if (common.empty()) common = around;
      std::erase_if(common, [&](const Place& p) { return std::find(around.begin(), around.end(), p) == around.end(); });
    }
    // from the place of the tendon outwards, to the first that stays whole
    for (const Place& place : common) {
      if (place.frame < 0 || !torn[place.frame]) return false;
      if (scales(spec.frames[place.frame])) return true;
    }
    return false;
  });
}

}  // namespace pliant
