// The discrete map of one row: its force, its step, its state of rest, its bounce.

#include "analysis/scalar_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Depths beyond this are not looked for [m].
constexpr double kDeepest = 1e3;
constexpr int kLongestContact = 40000, kLongestBounce = 4000;  ///< steps
/// What bounces back faster than this is taken never to settle.
constexpr double kElastic = 0.99;

}  // namespace

ScalarMap::ScalarMap(const ScalarRow& row) : row_(row) {
  RowSettings<double> settings;
  const bool discrete = row.integrator == Integrator::kDiscrete;
  settings.shortest_time = row.refsafe && !discrete ? 2 * row.timestep / row.substeps : 0;
  solimp_ = checked_solimp<double>(row.solimp, clamps_);
  solref_ = checked_solref<double>(row.solref, settings, clamps_);
  given_ = spring_ = spring_damper(solref_, solimp_.dwidth);
  flat_ = solimp_.d0 == solimp_.dwidth;
  flat_impedance_ = solimp_.d0;
  if (discrete) {
    // what is clamped anywhere between the surface and the width
    for (const double d : {solimp_.dwidth, solimp_.d0}) {
      if (row.refsafe) spring_ = resolved_spring(given_, solref_, d, row.timestep, clamps_);
      const double kbip[3] = {spring_.K, spring_.B, d};
      implicit_regularizer(kbip, row.timestep, row.estimate, clamps_);
    }
  }
  const Law flat = law_at(solimp_.d0);
  flat_spring_ = flat.spring;
  flat_compliance_ = flat.R;
  flat_conductance_ = 1 / (row.response + flat.R);
}

ScalarMap::Law ScalarMap::law_at(double d) const {
  if (row_.integrator != Integrator::kDiscrete) return {given_, regularizer(d, row_.estimate)};
  int clamps = 0;
  const double h = row_.timestep;
  const SpringDamper<double> spring = row_.refsafe ? resolved_spring(given_, solref_, d, h, clamps) : given_;
  const double kbip[3] = {spring.K, spring.B, d}, s = implicit_factor(kbip, h);
  return {{spring.K / s, (spring.B + h * spring.K * d) / s}, implicit_regularizer(kbip, h, row_.estimate, clamps)};
}

double ScalarMap::force(RowMotion at) const {
  if (!row_.two_sided && at.r >= 0) return 0;
  const double d = impedance(at.r);
  const Law law = flat_ ? Law{flat_spring_, flat_compliance_} : law_at(d);
  const double net = -law.spring.B * at.v - law.spring.K * d * at.r - row_.free_accel;
  const double f = flat_ ? net * flat_conductance_ : net / (row_.response + law.R);
  return row_.two_sided ? f : std::max(0.0, f);
}

double ScalarMap::lead() const {
  return row_.two_sided || !row_.leads || row_.substeps == 1 ? 0
                                                             : 0.5 * (row_.timestep - row_.timestep / row_.substeps);
}

double ScalarMap::reach(RowMotion at) const {
  constexpr double kBlow = 0.5;  // as in solver/tgs.cpp
  const double h = row_.timestep / row_.substeps;
  if (row_.substeps == 1 || spring_.B * impedance(at.r) * h > kBlow) return 0;
  return 0.5 * h * std::abs(at.v);
}

bool ScalarMap::is_outside(RowMotion at) const {
  if (row_.substeps == 1) return at.r >= 0;
  // a part that begins inside may push nothing: what leaves fast enough is damped by more than its spring gives
  bool pushed = false;
  step_in_parts(at, pushed);
  return !pushed;
}

RowMotion ScalarMap::step_in_parts(RowMotion at, bool& pushed) const {
  const double h = row_.timestep / row_.substeps, start = impedance(at.r);
  const double conductance = flat_ ? flat_conductance_ : 1 / (row_.response + regularizer(start, row_.estimate));
  // positions are ahead of the parts (model/position_lead.h)
  const bool blow = reach({at.r, 1}) == 0;
  at.r -= lead() * at.v;
  for (int k = 0; k < row_.substeps; ++k) {
    const double half = blow || row_.two_sided ? 0 : 0.5 * h * std::abs(at.v);
    double f = 0;
    if (row_.two_sided || at.r < half) {
      // where it comes or goes: the mean over a part (solver/tgs.cpp)
      double share = 1, r = at.r;
      if (!row_.two_sided && at.r > -half) {
        share = (half - at.r) / (2 * half);
        r = -(half - at.r) * (half - at.r) / (4 * half);
      }
      const double d = row_.two_sided ? start : impedance(r), more = d / start;
      f = (-spring_.B * more * share * at.v - spring_.K * more * d * r - row_.free_accel) * conductance;
    }
    if (!row_.two_sided) f = std::max(0.0, f);
    pushed = pushed || f != 0;
    at.v += h * (row_.free_accel + row_.response * f);
    at.r += h * at.v;
  }
  at.r += lead() * at.v;
  return at;
}

RowMotion ScalarMap::step(RowMotion at) const {
  const double h = row_.timestep;
  bool pushed = false;
  if (row_.substeps > 1) return step_in_parts(at, pushed);
  if (row_.integrator != Integrator::kRk4) {
    const double v = at.v + h * acceleration(at);
    return {at.r + h * v, v};
  }
  // the classical four slopes
  const auto slope = [&](RowMotion x) { return RowMotion{x.v, acceleration(x)}; };
  const auto moved = [&](RowMotion k, double t) { return RowMotion{at.r + t * k.r, at.v + t * k.v}; };
  const RowMotion k1 = slope(at), k2 = slope(moved(k1, h / 2)), k3 = slope(moved(k2, h / 2)), k4 = slope(moved(k3, h));
  return {at.r + h / 6 * (k1.r + 2 * k2.r + 2 * k3.r + k4.r), at.v + h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v)};
}

int ScalarMap::free_steps(RowMotion& at) const {
  // (of TGS without a lead free flight is in parts as well)
  const int parts = lead() > 0 ? 1 : row_.substeps;
  const double h = row_.timestep / parts, a = row_.free_accel;
  if (row_.two_sided || row_.integrator == Integrator::kRk4 || !(at.r >= 0) || !is_outside(at) || !(a < 0)) return 0;
  // after n steps: r + n h v + n (n + 1)/2 h² a; one step too few rather than one too many (of TGS two: it looks ahead)
  const double b = at.v / (-a * h) - 0.5;
  const double all = b + std::sqrt(b * b + 2 * at.r / (-a * h * h));
  const int steps = static_cast<int>(std::min(all / parts, 1e6)) - (row_.substeps > 1 ? 2 : 1);
  if (steps <= 0) return 0;
  const double n = static_cast<double>(steps) * parts;
  at = {at.r + n * h * at.v + 0.5 * n * (n + 1) * h * h * a, at.v + n * h * a};
  return steps;
}

double ScalarMap::energy_about(double depth, RowMotion at) const {
  if (!flat_) return kNever;
  const double s = flat_spring_.K * flat_impedance_ * row_.response * flat_conductance_, x = at.r + depth;
  // v² + s x² ∓ h s x v is what a step of an undamped row keeps
  return at.v * at.v + s * x * x + row_.timestep * s * std::abs(x * at.v);
}

int ScalarMap::longest_contact() const {
  if (!flat_) return kLongestBounce;
  const double s = flat_spring_.K * flat_impedance_ * row_.response * flat_conductance_;
  const double steps = 2 * (2 * M_PI) / (std::sqrt(s) * row_.timestep);
  return static_cast<int>(std::clamp<double>(steps, kLongestBounce, kLongestContact));
}

double ScalarMap::static_force(double depth) const {
  if (depth <= 0) return 0;
  return acting(-depth).K * impedance(-depth) * depth / compliance(-depth);
}

double ScalarMap::rest_depth(double load) const {
  if (load <= 0) return 0;
  if (flat_) {
    const double depth = load * flat_compliance_ / (flat_spring_.K * flat_impedance_);
    return depth <= kDeepest ? depth : kNever;
  }
  // the first depth that is enough: a coarse search upwards, then halving
  double low = 0, high = 1e-12;
  while (static_force(high) < load) {
    low = high;
    high *= 1.1;
    if (high > kDeepest) return kNever;
  }
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (static_force(middle) < load ? low : high) = middle;
  }
  return high;
}

double ScalarMap::growth_at_rest(double load, double response) const {
  ScalarRow row = row_;
  row.response = response;
  row.free_accel = -response * load;
  const double depth = rest_depth(load);
  if (!std::isfinite(depth)) return 0;
  // (in the parts of TGS impedance follows the depth of contacts, not the residual of equalities)
  row.two_sided = row_.two_sided || row.substeps == 1 || depth == 0;
  const ScalarMap map(row);
  // derivative of the step at rest, by differences
  const double dr = 1e-5 * std::max(depth, 1e-9), dv = dr / row.timestep;
  const RowMotion r1 = map.step({-depth + dr, 0}), r0 = map.step({-depth - dr, 0});
  const RowMotion v1 = map.step({-depth, dv}), v0 = map.step({-depth, -dv});
  const double a = (r1.r - r0.r) / (2 * dr), b = (v1.r - v0.r) / (2 * dv);
  const double c = (r1.v - r0.v) / (2 * dr), e = (v1.v - v0.v) / (2 * dv);
  const double trace = a + e, det = a * e - b * c, root = trace * trace / 4 - det;
  if (root < 0) return std::sqrt(det);
  return std::abs(trace) / 2 + std::sqrt(root);
}

Bounce bounce(const ScalarMap& map, double speed, double phase, bool settle, int longest) {
  Bounce out;
  const double h = map.row().timestep, load = -map.row().free_accel / map.row().response;
  const double rest = map.rest_depth(load), band = kSettledShare * rest;
  out.steps = out.settle_time = kNever;
  // energies below which a motion stays in the band, or in contact: half the way there, to be sure
  const double in_band = map.energy_about(rest, {0.5 * band - rest, 0});
  const double in_contact = map.energy_about(rest, {-0.5 * rest, 0});
  const int contact = std::min(longest, map.longest_contact());
  RowMotion at{phase * speed * h, -speed};
  double arrived = speed;
  int touched = -1, unsettled = 0, quiet = 0;
  bool left = false, resting = false;
  for (int n = 0; n < kLongestContact; ++n) {
    // the largest speed up to the first state inside, which (but for Runge-Kutta) has not felt the contact yet
    if (touched < 0) arrived = std::max(arrived, -at.v);
    // Runge-Kutta may turn it round between two states outside
    if (touched < 0 && (at.r < 0 || at.v > 0)) touched = n;
    if (touched >= 0) {
      if (!left && at.r >= 0 && (at.v < 0 || map.is_outside(at))) {
        left = true;
        out.restitution = std::max(0.0, at.v / arrived);
        out.steps = n - touched;
      }
      if (!left) {
        out.max_depth = std::max(out.max_depth, -at.r);
        out.max_force = std::max(out.max_force, map.force(at));
      }
      const bool near = std::abs(at.r + rest) <= band;
      if (!near) unsettled = n;
      if (settle && unsettled + 1 - touched > longest) return out;
      quiet = near ? quiet + 1 : 0;
      // at rest: near, and so slow that it cannot leave the band again
      const bool slow = near && std::abs(at.v) * h < 1e-9 * band && quiet > 50;
      const double energy = map.energy_about(rest, at);
      resting = slow || energy < in_band;
      if (resting || out.restitution > kElastic) break;
      // without leaving it is at rest long before that
      const bool stays =
          n - touched > contact || (quiet > 20 && std::abs(at.v) < 1e-3 * speed) || (at.v >= 0 && energy < in_contact);
      if (!settle && (left || stays)) break;
      if (quiet > 20000) break;
    }
    if (left && settle) {
      if (const int steps = map.free_steps(at)) {
        // outside is not near, but where the band reaches the surface, which it never does
        n += steps, unsettled = n, quiet = 0;
        if (unsettled + 1 - touched > longest) return out;
      }
    }
    at = map.step(at);
    if (!std::isfinite(at.r) || std::abs(at.r) > kDeepest) return out;
  }
  if (resting || quiet > 50) out.settle_time = (unsettled + 1 - touched) * h;
  return out;
}

double deepest(const ScalarMap& map, double speed, double phase, double enough) {
  RowMotion at{phase * speed * map.row().timestep, -speed};
  double depth = 0;
  for (int n = 0; n < kLongestContact && at.v < 0 && depth <= enough; ++n) {
    at = map.step(at);
    depth = std::max(depth, -at.r);
    // what only creeps on ends at rest
    if (at.r < 0 && at.v > -1e-3 * speed)
      return std::max(depth, map.rest_depth(-map.row().free_accel / map.row().response));
  }
  return depth;
}

}  // namespace pliant
