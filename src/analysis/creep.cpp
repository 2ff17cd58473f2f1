// Creep: how fast a body slides down a slope that friction ought to hold.
//
// Soft friction holds a load only by moving: a tangential row without acceleration pushes with B v / R. Unknowns are
// the depth, two small tilts (for a body that can tilt) and the speed; equations are the balance of forces along and
// across the slope and of the two moments. Forces are the engine's laws of the cones at zero acceleration. Solved by
// Newton's method with differences; the slope is lowered until there is a solution (a tall body tips over before it
// slides).

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "analysis/contact_patch.h"
#include "math/field_values.h"

namespace pliant {
namespace {

/// Part of the friction angle's tangent at which creep is measured: just below sliding.
constexpr double kAlmost = 0.99;
/// Part of the slope on which it tips over up to which it counts as holding.
constexpr double kFromTipping = 0.8;

struct PointForce {
  double normal = 0, tangent = 0;
};

/// Force of one contact at depth x that slides with speed v along its first tangent.
class PointLaw {
 public:
  PointLaw(const ContactPatch& patch, const ScalarMap& map, double friction_damping)
      : patch_(patch), map_(map), damping_(friction_damping) {}

  PointForce operator()(double depth, double speed) const {
    if (depth <= 0) return {};
    const SpringDamper<double> spring = map_.acting(-depth);
    const double push = -spring.K * map_.impedance(-depth) * depth;
    const double R = map_.row_compliance(-depth, patch_.row_estimate), mu = patch_.contact.friction[0];
    return patch_.elliptic ? elliptic(push, damping_ * speed, R, mu) : pyramid(push, spring.B * speed, R, mu);
  }

 private:
  // jar of the normal and of the tangent; zones of the cone as in solver/laws_hd.h
  PointForce elliptic(double n, double t, double R, double mu) const {
    const double slope = mu / std::sqrt(patch_.impratio), N = slope * n, T = mu * std::abs(t);
    if (N >= slope * T) return {};
    if (slope * N + T <= 0) return {-n / R, t * patch_.impratio / R};
    const double normal = -(N - slope * T) / (R * slope * (1 + slope * slope));
    return {normal, normal * mu * (t < 0 ? -1 : 1)};
  }
  PointForce pyramid(double n, double t, double R, double mu) const {
    const double edge = 2 * mu * mu / patch_.impratio * R;
    const auto push = [&](double jar) { return std::max(0.0, -jar / edge); };
    const double ahead = push(n - mu * t), behind = push(n + mu * t), other = push(n);
    return {ahead + behind + 2 * (patch_.contact.dim - 2) * other, mu * (ahead - behind)};
  }

  const ContactPatch& patch_;
  const ScalarMap& map_;
  double damping_;
};

using Four = std::array<double, 4>;

/// Gaussian elimination with pivots of the leading n x n part; false if singular.
bool solve(std::array<Four, 4> a, Four b, int n, Four& x) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i) best = std::abs(a[i][k]) > std::abs(a[best][k]) ? i : best;
    if (!(std::abs(a[best][k]) > 1e-14)) return false;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (int i = k + 1; i < n; ++i) {
      const double part = a[i][k] / a[k][k];
      for (int j = k; j < n; ++j) a[i][j] -= part * a[k][j];
      b[i] -= part * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    double sum = b[k];
    for (int j = k + 1; j < n; ++j) sum -= a[k][j] * x[j];
    x[k] = sum / a[k][k];
  }
  return true;
}

/// The balance of a body on a slope. Unknowns in units that make them comparable: (depth, speed, tilts) over their
/// scales.
struct Slope {
  const PointLaw& law;
  std::vector<std::array<double, 2>> arms;  // of the points, from below the centre of mass, along the two tangents
  double height;                            // of the centre of mass above the points
  double load, tangent;                     // load across the slope, tangent of its angle
  double depth_scale, speed_scale, arm_scale;
  int tilts;

  Four imbalance(const Four& x) const {
    Four out{};
    for (const auto& arm : arms) {
      double depth = x[0] * depth_scale, lean[2] = {};
      for (int k = 0; k < tilts; ++k) {
        lean[k] = x[2 + k] * depth_scale / arm_scale;
        depth += std::sin(lean[k]) * arm[k];
      }
      const PointForce f = law(depth, x[1] * speed_scale);
      out[0] += f.normal / load;
      out[1] += f.tangent / load;
      // about the centre of mass, which leans over the points; forces act midway between the surfaces
      for (int k = 0; k < tilts; ++k) {
        const double reach = arm[k] * std::cos(lean[k]) - height * std::sin(lean[k]);
        out[2 + k] += (f.normal * reach - (k == 0 ? f.tangent * (height - 0.5 * depth) : 0)) / (arm_scale * load);
      }
    }
    out[0] -= 1;
    out[1] -= tangent;
    return out;
  }

  bool solve_for(Four& x) const {
    const int n = 2 + tilts;
    const auto size = [&](const Four& e) {
      return std::max({std::abs(e[0]), std::abs(e[1]), std::abs(e[2]), std::abs(e[3])});
    };
    Four error = imbalance(x);
    for (int turn = 0; turn < 200; ++turn) {
      if (size(error) < 1e-9) return true;
      std::array<Four, 4> jac{};
      for (int k = 0; k < n; ++k) {
        Four y = x;
        const double step = 1e-6 * std::max(1.0, std::abs(x[k]));
        y[k] += step;
        const Four e = imbalance(y);
        for (int i = 0; i < n; ++i) jac[i][k] = (e[i] - error[i]) / step;
      }
      Four dx{};
      if (!solve(jac, error, n, dx)) return false;
      // shorten the step until it helps
      double part = 1;
      for (; part > 1e-4; part /= 2) {
        Four y = x;
        for (int k = 0; k < n; ++k) y[k] -= part * dx[k];
        const Four e = imbalance(y);
        if (size(e) < (1 - 0.1 * part) * size(error)) {
          x = y;
          error = e;
          break;
        }
      }
      if (part <= 1e-4) return false;
    }
    return false;
  }
};

}  // namespace

Creep creep(const ContactPatch& patch, const Model& m) {
  const double never = std::numeric_limits<double>::infinity();
  if (patch.contact.dim == 1 || patch.load <= 0) return {0, never};
  const ScalarMap map(patch.row(m));
  // friction may have a solref of its own
  ScalarRow friction = patch.row(m);
  const double *own = patch.contact.solreffriction, mu = patch.contact.friction[0];
  if ((own[0] > 0) == (own[1] > 0) && (own[0] != 0 || own[1] != 0)) friction.solref = {own[0], own[1]};
  const PointLaw law(patch, map, ScalarMap(friction).sliding_damping());
  const double depth = map.rest_depth(patch.load), n = static_cast<double>(patch.points.size());
  if (!std::isfinite(depth) || !(map.damping() > 0)) return {0, never};

  Slope slope{law, {}, 0, 0, 0, depth, 1, 0, 0};
  const Vec3 normal = vec3(patch.contact.frame, 0) * (patch.pressing_side ? 1.0 : -1.0);
  const Vec3 axes[2] = {vec3(patch.contact.frame, 1), vec3(patch.contact.frame, 2)};
  double reach[2] = {};
  for (const Vec3& point : patch.slope_points) {
    const Vec3 arm = point - patch.centre;
    slope.arms.push_back({dot(arm, axes[0]), dot(arm, axes[1])});
    slope.height -= dot(arm, normal) / n;
    for (int k = 0; k < 2; ++k) reach[k] = std::max(reach[k], std::abs(slope.arms.back()[k]));
  }
  slope.arm_scale = std::max(reach[0], reach[1]);
  const bool can_tilt = patch.free_body && slope.arm_scale > 1e-6 * std::abs(slope.height);
  slope.tilts = can_tilt && reach[0] > 1e-6 * slope.arm_scale ? (reach[1] > 1e-6 * slope.arm_scale ? 2 : 1) : 0;
  if (slope.arm_scale == 0) slope.arm_scale = 1;
  const double R = map.row_compliance(-depth, patch.row_estimate), damping = map.acting(-depth).B;

  // from a gentle slope to the steepest: each solution is the start of the next
  std::vector<Creep> held;
  Four x{1, 0, 0, 0};
  for (double share = 0.03; share <= 1.0001; share += 0.03) {
    const double tangent = kAlmost * mu * std::min(1.0, share / 0.99);
    slope.load = patch.load / std::sqrt(1 + tangent * tangent);
    slope.tangent = tangent;
    slope.speed_scale = slope.load / n * R / damping;
    Four y = x;
    if (!slope.solve_for(y)) {
      // it would tip over: some distance is kept from that
      while (!held.empty() && held.back().slope > kFromTipping * tangent) held.pop_back();
      break;
    }
    x = y;
    held.push_back({tangent, x[1] * slope.speed_scale});
  }
  if (held.empty()) return {0, never};
  // anchored friction comes to rest where it would creep
  return patch.contact.anchored ? Creep{held.back().slope, 0} : held.back();
}

}  // namespace pliant
