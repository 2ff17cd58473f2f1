// Gauges of bodies and frames: composed from the outside inwards.

#include "compile/gauge.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pliant {
namespace {

/// What a frame adds to the gauge around it.
void multiply(Gauge& gauge, const FrameSpec& frame) {
  const auto& s = frame.scale;
  const bool uniform = s[0] == s[1] && s[1] == s[2];
  const double volume = s[0] * s[1] * s[2];
  const double mass = frame.massscale > 0 ? frame.massscale : volume;
  if (!uniform && !gauge.stretches) {
    for (int k = 0; k < 3; ++k) gauge.map[k][k] = gauge.length;
    gauge.stretches = true;
  }
  if (gauge.stretches) {
    for (auto& row : gauge.map) {
      for (int c = 0; c < 3; ++c) row[c] *= s[c];
    }
  }
  gauge.length *= uniform ? s[0] : std::cbrt(volume);
  gauge.mass *= mass;
  if (frame.scaling == Scaling::kGeometry) return;
  gauge.force_length *= s[0];
  gauge.force_mass *= mass;
}

}  // namespace

Vec3 Gauge::operator()(Vec3 v) const {
  if (!stretches) return v * length;
  const auto row = [&](int r) { return map[r][0] * v.x + map[r][1] * v.y + map[r][2] * v.z; };
  return {row(0), row(1), row(2)};
}

Reals<3> Gauge::operator()(const Reals<3>& v) const {
  const Vec3 moved = (*this)(vec3(v));
  return {moved.x, moved.y, moved.z};
}

double Gauge::along(Vec3 direction) const { return stretches ? norm((*this)(direction)) : length; }

bool Gauge::same_shape(const Gauge& other) const {
  if (stretches != other.stretches) return false;
  if (!stretches) return length == other.length;
  for (int r = 0; r < 3; ++r) {
    if (!std::equal(map[r], map[r] + 3, other.map[r])) return false;
  }
  return true;
}

Gauge turned(const Gauge& gauge, Quat q) {
  Gauge result = gauge;
  if (!gauge.stretches) return result;
  const Vec3 axes[3] = {rotate(q, Vec3{1, 0, 0}), rotate(q, Vec3{0, 1, 0}), rotate(q, Vec3{0, 0, 1})};
  for (int c = 0; c < 3; ++c) {
    const Vec3 image = gauge(axes[c]);
    for (int r = 0; r < 3; ++r) result.map[r][c] = dot(axes[r], image);
  }
  return result;
}

Gauge mean(const Gauge& a, const Gauge& b) {
  Gauge result;
  result.length = std::sqrt(a.length * b.length);
  result.mass = std::sqrt(a.mass * b.mass);
  result.force_length = std::sqrt(a.force_length * b.force_length);
  result.force_mass = std::sqrt(a.force_mass * b.force_mass);
  return result;
}

Gauges::Gauges(Work& work) : spec_(work.spec), first_frame_(static_cast<int>(work.spec.bodies.size())) {
  const Spec& spec = work.spec;
  nodes_.resize(spec.bodies.size() + spec.frames.size());
  // frames stand after the frames around them; those of a body can only be done once the body is
  std::vector<std::vector<int>> frames(spec.bodies.size());
  for (size_t f = 0; f < spec.frames.size(); ++f) frames[spec.frames[f].body].push_back(static_cast<int>(f));
  authored_.resize(spec.frames.size());
  const auto quat_of = [&](const auto& object, const Gauge& around) {
    // directions matter only where something is stretched; a bad orientation is reported when it is compiled
    if (!around.stretches && !std::is_same_v<std::decay_t<decltype(object)>, FrameSpec>) return Quat{};
    return quiet_orientation(work, object, object.orientation);
  };
  for (size_t b = 0; b < spec.bodies.size(); ++b) {
    Node& node = nodes_[b];
    if (b > 0) {
      const BodySpec& body = spec.bodies[b];
      node.parent = body.frame >= 0 ? first_frame_ + body.frame : body.parent;
      const Gauge& around = nodes_[node.parent].gauge;
      node.gauge = turned(around, quat_of(body, around));
      node.depth = nodes_[node.parent].depth + 1;
    }
    for (const int f : frames[b]) {
      const FrameSpec& frame = spec.frames[f];
      Node& inner = nodes_[first_frame_ + f];
      inner.parent = frame.parent >= 0 ? first_frame_ + frame.parent : static_cast<int>(b);
      const Gauge& around = nodes_[inner.parent].gauge;
      authored_[f] = {vec3(frame.pos), quat_of(frame, around)};
      inner.gauge = turned(around, authored_[f].quat);
      multiply(inner.gauge, frame);
      inner.depth = nodes_[inner.parent].depth + 1;
    }
  }
}

int Gauges::lowest_common(int place, int other) const {
  while (place != other) {
    int& deeper = nodes_[place].depth >= nodes_[other].depth ? place : other;
    deeper = nodes_[deeper].parent;
  }
  return place;
}

Vec3 Gauges::moved(Vec3 point, int frame, bool is_point) const {
  std::vector<int> chain;  // innermost first
  for (int f = frame; f >= 0; f = spec_.frames[f].parent) chain.push_back(f);
  for (auto f = chain.rbegin(); f != chain.rend(); ++f) {
    const Pose& pose = authored_[*f];
    point = rotate(conjugate(pose.quat), is_point ? point - pose.pos : point);
  }
  for (const int f : chain) {
    const auto& s = spec_.frames[f].scale;
    point = rotate(authored_[f].quat, Vec3{point.x * s[0], point.y * s[1], point.z * s[2]});
    if (is_point) point = point + authored_[f].pos;
  }
  return point;
}

Vec3 Gauges::moved(Vec3 point, int frame) const { return moved(point, frame, true); }
Vec3 Gauges::moved_velocity(Vec3 velocity, int frame) const { return moved(velocity, frame, false); }

double CoordinateGauge::per_unit(int power) const {
  double factor = force;
  for (int k = 0; k < power; ++k) factor /= force_unit;
  return factor;
}

Vec3 unit(Vec3 v) {
  const double n = norm(v);
  return n > 0 ? Vec3{v.x / n, v.y / n, v.z / n} : v;
}

CoordinateGauge joint_gauge(const JointSpec& joint, const Gauge& gauge) {
  const JointKind& kind = joint_kind(joint.type);
  if (kind.is_length()) return length_gauge(gauge, gauge.along(unit(vec3(joint.axis))));
  return kind.floats() ? length_gauge(gauge) : angle_gauge(gauge);
}

CoordinateGauge angle_gauge(const Gauge& gauge) { return {1, 1, gauge.torque()}; }
CoordinateGauge length_gauge(const Gauge& gauge) { return length_gauge(gauge, gauge.length); }
CoordinateGauge length_gauge(const Gauge& gauge, double along) { return {along, gauge.force_length, gauge.force()}; }

}  // namespace pliant
