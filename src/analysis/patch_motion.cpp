// Linear motion of a contact patch about rest, and the timestep at which it becomes unstable.

#include "analysis/patch_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/contact_params_hd.h"
#include "collision/pair_table.h"
#include "math/field_values.h"

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Step of differences, relative to the depth at rest.
constexpr double kDifference = 1e-4;
/// Squarings of the map of a step: growth is that over 2^40 steps.
constexpr int kSquarings = 40;
/// Growth per step that is not called unstable yet: e-fold in five hundred steps.
constexpr double kSlowest = 2e-3;
/// Growth per second of a motion that tips over or rolls away by itself, below which it counts as none [1/s].
constexpr double kAtEase = 0.5;
/// Timesteps between which the limit is looked for [s].
constexpr double kShortest = 1e-7, kLongest = 10;

Vec3 linear(const Six& x) { return {x[0], x[1], x[2]}; }
Vec3 angular(const Six& x) { return {x[3], x[4], x[5]}; }

Six product(const SixBySix& m, const Six& x) {
  Six y{};
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 6; ++k) y[i] += m[i][k] * x[k];
  }
  return y;
}

/// A vector turned by a small rotation (to its third power: pair functions take axes for orthonormal).
Vec3 turned(Vec3 v, Vec3 turn) {
  const double square = dot(turn, turn);
  const Vec3 once = cross(turn, v);
  return v + once * (1 - square / 6) + cross(turn, once) * (0.5 - square / 24);
}

/// Gaussian elimination with pivots; the system is never singular (I + a product of two semidefinite matrices).
Six solve(SixBySix a, Six b) {
  for (int k = 0; k < 6; ++k) {
    int best = k;
    for (int i = k + 1; i < 6; ++i) best = std::abs(a[i][k]) > std::abs(a[best][k]) ? i : best;
    std::swap(a[k], a[best]);
    std::swap(b[k], b[best]);
    for (int i = k + 1; i < 6; ++i) {
      const double part = a[i][k] / a[k][k];
      for (int j = k; j < 6; ++j) a[i][j] -= part * a[k][j];
      b[i] -= part * b[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

using Step = std::array<std::array<double, 12>, 12>;

/// ln ‖M^(2^k)‖ / 2^k, by repeated squaring.
double log_radius(Step m) {
  double log_scale = 0;  // of the power, per step
  double steps = 1;
  for (int turn = 0; turn <= kSquarings; ++turn) {
    double size = 0;
    for (const auto& line : m) {
      for (const double x : line) size = std::max(size, std::abs(x));
    }
    if (!(size > 0)) return -kNever;
    if (!std::isfinite(size)) return kNever;
    log_scale += std::log(size) / steps;
    for (auto& line : m) {
      for (double& x : line) x /= size;
    }
    if (turn == kSquarings) break;
    Step squared{};
    for (int i = 0; i < 12; ++i) {
      for (int k = 0; k < 12; ++k) {
        for (int j = 0; j < 12; ++j) squared[i][j] += m[i][k] * m[k][j];
      }
    }
    m = squared;
    steps *= 2;
  }
  return log_scale;
}

struct Motion {
  Six x{}, w{};
};

Motion advanced(Motion at, const MotionSlopes& s, double h, int substeps, double lead, Integrator integrator) {
  const auto plus = [](const Six& a, const Six& b, double t) {
    Six c = a;
    for (int i = 0; i < 6; ++i) c[i] += t * b[i];
    return c;
  };
  const auto acceleration = [&](const Motion& m) {
    return plus(product(s.by_place, m.x), product(s.by_speed, m.w), 1);
  };
  if (integrator == Integrator::kRk4) {
    // the classical four slopes
    const auto slope = [&](const Motion& m) { return Motion{m.w, acceleration(m)}; };
    const auto moved = [&](const Motion& k, double t) { return Motion{plus(at.x, k.x, t), plus(at.w, k.w, t)}; };
    const Motion k1 = slope(at), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)), k4 = slope(moved(k3, h));
    for (int i = 0; i < 6; ++i) {
      at.x[i] += h / 6 * (k1.x[i] + 2 * k2.x[i] + 2 * k3.x[i] + k4.x[i]);
      at.w[i] += h / 6 * (k1.w[i] + 2 * k2.w[i] + 2 * k3.w[i] + k4.w[i]);
    }
    return at;
  }
  // (positions are ahead of the parts of a step)
  Six way = plus({}, at.w, -lead);
  const Six held = product(s.by_place, at.x);
  const double part = h / substeps;
  for (int k = 0; k < substeps; ++k) {
    at.w = plus(at.w, plus(plus(held, product(s.by_path, way), 1), product(s.by_speed, at.w), 1), part);
    way = plus(way, at.w, part);
  }
  at.x = plus(plus(at.x, way, 1), at.w, lead);
  return at;
}

/// Largest sum of a line, rotations measured as lengths.
double norm_of(const SixBySix& m, double size) {
  double largest = 0;
  for (int i = 0; i < 6; ++i) {
    double sum = 0;
    for (int k = 0; k < 6; ++k) sum += std::abs(m[i][k]) * (i < 3 ? 1 : size) / (k < 3 ? 1 : size);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

/// Sums over the points.
struct PatchMotion::Balance {
  SixBySix left{};   // I + C S
  Six rest{};        // C (W + Σ Jᵀ D aref) without velocity
  SixBySix speed{};  // C Σ Jᵀ D B J
  SixBySix path{};   // C Σ Jᵀ D K d J of the normals, d following them
};

PatchMotion::PatchMotion(const ContactPatch& patch, const Model& model) : patch_(patch), row_(patch.row(model)) {
  size_ = 0;
  for (const ContactPoint& point : patch.touching) size_ = std::max(size_, norm(point.pos - patch.pivot));
  if (size_ == 0) size_ = 1;
}

ScalarRow PatchMotion::row_at(double timestep) const {
  ScalarRow row = row_;
  row.timestep = timestep;
  return row;
}

std::vector<PatchMotion::Touch> PatchMotion::touches(const Six& x, double depth) const {
  const double sign = patch_.pressing_side ? 1 : -1;
  const Vec3 down = vec3(patch_.contact.frame, 0) * -sign;
  std::vector<ContactPoint> points(kMaxPairPoints);
  ShapeT<double> shapes[2] = {patch_.shapes[0], patch_.shapes[1]};
  ShapeT<double>& moving = shapes[patch_.pressing_side];
  const Vec3 centre = patch_.pivot;
  // by how much the nearest point has to come nearer
  double nearest = kNever;
  for (const ContactPoint& point : patch_.touching) nearest = std::min(nearest, point.dist);
  const double margin = patch_.contact.includemargin;
  const Vec3 turn = angular(x), sunk = down * (depth - margin + nearest);
  if (shapes[0].type == GeomType::kPlane) {
    moving.pos = centre + sunk + linear(x) + turned(moving.pos - centre, turn);
    for (int k = 0; k < 3; ++k) {
      const Vec3 column = turned(moving.mat.column(k), turn);
      for (int i = 0; i < 3; ++i) moving.mat(i, k) = column[i];
    }
    points.resize(pair_function<double>(shapes[0].type, shapes[1].type)(shapes[0], shapes[1], margin, points.data()));
  } else {
    // curvature is not looked at: the points stay
    points = patch_.touching;
    for (ContactPoint& point : points) {
      point.pos = point.pos + sunk * 0.5;
      const Vec3 way = sunk + linear(x) + cross(turn, point.pos - centre - sunk);
      point.dist += sign * dot(point.normal, way);
    }
  }
  std::vector<Touch> out;
  for (const ContactPoint& point : points) {
    Contact frame{};
    set_frame(point, frame);
    Touch touch{point.pos - centre - sunk - linear(x), {}, point.dist - margin};
    for (int k = 0; k < 3; ++k) touch.axes[k] = vec3(frame.frame, k) * sign;
    out.push_back(touch);
  }
  return out;
}

PatchMotion::Balance PatchMotion::balance(const std::vector<Touch>& points, const ScalarMap& map,
                                          double friction_damping) const {
  Balance out;
  SixBySix S{}, damped{}, path{};
  Six wrench{};
  const auto add = [&](Vec3 axis, Vec3 arm, bool turning, double D, double B, double along, double aref) {
    Six J{};
    const Vec3 about = turning ? axis : cross(arm, axis);
    for (int i = 0; i < 3; ++i) J[i] = turning ? 0 : axis[i], J[3 + i] = about[i];
    for (int i = 0; i < 6; ++i) {
      wrench[i] += J[i] * D * aref;
      for (int k = 0; k < 6; ++k)
        S[i][k] += J[i] * D * J[k], damped[i][k] += J[i] * D * B * J[k], path[i][k] += J[i] * D * along * J[k];
    }
  };
  const Contact& c = patch_.contact;
  const double mu = c.friction[0];
  for (const Touch& point : points) {
    const SpringDamper<double> spring = map.acting(point.r);
    const double K = spring.K * map.impedance(point.r), R = map.row_compliance(point.r, patch_.row_estimate);
    const bool pyramid = c.dim > 1 && !patch_.elliptic;
    // an edge: 2 μ²/impratio R; two edges per direction
    const double edge = pyramid ? 2 * mu * mu / patch_.impratio * R : 0,
                 normal = pyramid ? 2 * (c.dim - 1) / edge : 1 / R;
    add(point.axes[0], point.arm, false, normal, spring.B, spring.K * map.following_impedance(point.r), -K * point.r);
    for (int k = 1; k < c.dim; ++k) {
      const double own = c.friction[k - 1], share = own / mu;
      const double D = pyramid ? 2 * own * own / edge : patch_.impratio / R * share * share;
      add(point.axes[k % 3], point.arm, k > 2, D, pyramid ? spring.B : friction_damping, 0, 0);
    }
  }
  const Vec3 load = vec3(c.frame, 0) * (patch_.pressing_side ? -patch_.load : patch_.load);
  for (int i = 0; i < 3; ++i) wrench[i] += load[i];
  const SixBySix& C = patch_.twist_response;
  out.rest = product(C, wrench);
  for (int i = 0; i < 6; ++i) {
    out.left[i][i] = 1;
    for (int k = 0; k < 6; ++k) {
      for (int j = 0; j < 6; ++j) {
        out.left[i][k] += C[i][j] * S[j][k];
        out.speed[i][k] += C[i][j] * damped[j][k];
        out.path[i][k] += C[i][j] * path[j][k];
      }
    }
  }
  return out;
}

MotionSlopes PatchMotion::slopes(double timestep) const {
  const ScalarRow row = row_at(timestep);
  const ScalarMap map(row);
  ScalarRow friction = row;
  const double* own = patch_.contact.solreffriction;
  if ((own[0] > 0) == (own[1] > 0) && (own[0] != 0 || own[1] != 0)) friction.solref = {own[0], own[1]};
  const double B = ScalarMap(friction).sliding_damping();

  MotionSlopes out;
  const double found = map.rest_depth(patch_.load), depth = std::isfinite(found) ? found : 0;
  const Balance rest = balance(touches({}, depth), map, B);
  for (int k = 0; k < 6; ++k) {
    Six speed{}, path{};
    for (int i = 0; i < 6; ++i) speed[i] = -rest.speed[i][k], path[i] = -rest.path[i][k];
    speed = solve(rest.left, speed);
    path = solve(rest.left, path);
    const double step = kDifference * std::max(depth, 1e-9) / (k < 3 ? 1 : size_);
    Six x{};
    x[k] = step;
    const Balance ahead = balance(touches(x, depth), map, B);
    x[k] = -step;
    const Balance behind = balance(touches(x, depth), map, B);
    const Six a1 = solve(ahead.left, ahead.rest), a0 = solve(behind.left, behind.rest);
    for (int i = 0; i < 6; ++i) {
      out.by_speed[i][k] = speed[i];
      out.by_path[i][k] = path[i];
      out.by_place[i][k] = (a1[i] - a0[i]) / (2 * step);
    }
  }
  return out;
}

double PatchMotion::log_growth(const MotionSlopes& s, double h, int substeps, Integrator integrator) const {
  ScalarRow row = row_at(h);
  row.substeps = substeps;
  const double lead = ScalarMap(row).lead();
  Step step{};
  // in units that make all numbers comparable: displacements per step, rotations as lengths
  const auto unit = [&](int i) { return (i % 6 < 3 ? 1 : 1 / size_) * (i < 6 ? h : 1); };
  for (int k = 0; k < 12; ++k) {
    Motion at;
    (k < 6 ? at.x[k] : at.w[k - 6]) = unit(k);
    const Motion next = advanced(at, s, h, substeps, lead, integrator);
    for (int i = 0; i < 12; ++i) step[i][k] = (i < 6 ? next.x[i] : next.w[i - 6]) / unit(i);
  }
  return log_radius(step);
}

double PatchMotion::growth(double timestep) const {
  return log_growth(slopes(timestep), timestep, row_.substeps, row_.integrator);
}

double PatchMotion::tipping_rate() const {
  const double rate = log_growth(slopes(kShortest), kShortest, 1, Integrator::kRk4) / kShortest;
  return rate > kAtEase ? rate : 0;
}

double PatchMotion::stable_timestep() const {
  // what tips over or rolls away in continuous time is not the timestep's fault
  const MotionSlopes free = slopes(kShortest);
  const double allowed = 1.5 * tipping_rate();
  const auto stable = [&](double h) { return growth(h) <= kSlowest + allowed * h; };
  // far below what the slopes can do there is no limit
  const double by_speed = norm_of(free.by_speed, size_), by_place = norm_of(free.by_place, size_);
  double low = kShortest;
  while (low < kLongest && low * by_speed + low * low * by_place < 0.2) low *= 2;
  low = std::max(kShortest, low / 2);
  while (low > kShortest && !stable(low)) low = std::max(kShortest, low / 2);
  double high = low;
  while (stable(high)) {
    low = high;
    high *= 1.05;
    // refsafe makes contacts softer with the timestep: what has sunk in altogether does not rest on anything
    if (high > kLongest || ScalarMap(row_at(high)).rest_depth(patch_.load) > patch_.thickness) return kNever;
  }
  for (int i = 0; i < 40 && high > low; ++i) {
    const double middle = 0.5 * (low + high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace pliant
