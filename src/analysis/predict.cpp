// Predictions: the scalar map run over many phases of impact, its state of rest, its linearisation.

#include "analysis/predict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/patch_motion.h"

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Timesteps between which the limit of stability is looked for [s].
constexpr double kShortest = 1e-7, kLongest = 10;

/// Mean over the phases; infinite as soon as one is.
struct Mean {
  double sum = 0;
  int n = 0;
  void add(double x) { sum += x, ++n; }
  double value() const { return n ? sum / n : 0; }
};

void predict_impacts(const ScalarMap& map, Prediction& out) {
  Mean restitution, steps, settle;
  out.restitution_range = {kNever, -kNever};
  for (int i = 0; i < kPhases; ++i) {
    const bool settles = i % (kPhases / kSettlePhases) == kPhases / kSettlePhases / 2;
    const Bounce b = bounce(map, out.impact, (i + 0.5) / kPhases, settles);
    restitution.add(b.restitution);
    steps.add(b.steps);
    if (settles) settle.add(b.settle_time);
    out.restitution_range[0] = std::min(out.restitution_range[0], b.restitution);
    out.restitution_range[1] = std::max(out.restitution_range[1], b.restitution);
    out.max_depth = std::max(out.max_depth, b.max_depth);
    out.max_force = std::max(out.max_force, b.max_force);
  }
  out.restitution = restitution.value();
  out.contact_steps = steps.value();
  out.settle_time = settle.value();
}

}  // namespace

namespace {

/// The first timestep at which `stable(h)` fails.
template <class F>
double first_unstable(F&& stable) {
  double low = kShortest, high = low;
  while (stable(high)) {
    low = high;
    high *= 1.05;
    if (high > kLongest) return kNever;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (stable(middle) ? low : high) = middle;
  }
  return low;
}

/// The same for friction: rows with damping only, v' = v - h d_e B v.
double stable_sliding(const ContactPatch& patch, const Model& m) {
  const double n = static_cast<double>(patch.points.size());
  return first_unstable([&](double h) {
    ScalarRow row = patch.row(m);
    row.timestep = h;
    const ScalarMap map(row);
    const double depth = map.rest_depth(patch.load);
    if (!std::isfinite(depth)) return true;
    const double R = map.row_compliance(-depth, patch.row_estimate) / (n * patch.impratio);
    const double B = patch.elliptic ? map.sliding_damping() : map.acting(-depth).B;
    const double A = patch.sliding_response, z = -h * B * A / (A + R);
    // a step in parts is stable when each part is
    const double factor =
        row.integrator == Integrator::kRk4 ? 1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4))) : 1 + z / row.substeps;
    return std::abs(factor) <= 1 + 1e-9;
  });
}

}  // namespace

double stable_timestep(ScalarRow row, double load, double response) {
  return first_unstable([&](double h) {
    row.timestep = h;
    return ScalarMap(row).growth_at_rest(load, response) <= 1 + 1e-9;
  });
}

Prediction predict_row(const ScalarRow& row, double load, double impact, double stiffest) {
  const ScalarMap map(row);
  Prediction out;
  out.load = load;
  out.mass = 1 / row.response;
  out.impact = impact;
  out.rest_depth = map.rest_depth(load);
  predict_impacts(map, out);

  // at rest, or at the surface where nothing presses
  const double at = std::isfinite(out.rest_depth) ? out.rest_depth : 0;
  const double d = map.impedance(-at), R = map.compliance(-at), A = row.response;
  const SpringDamper<double> spring = map.acting(-at);
  out.stiffness = spring.K * d / R;
  // (discrete: force per speed of the step's end, as a recording shows it)
  const double of_the_step = row.integrator == Integrator::kDiscrete ? row.timestep * spring.K * d : 0;
  out.damping = (spring.B - of_the_step) / R;
  out.impact_stiffness = spring.K * d / (A + R);
  out.impact_damping = spring.B / (A + R);
  // about the state of rest: slopes of the acceleration
  ScalarRow linear = row;
  linear.two_sided = true;
  linear.free_accel = -A * load;
  const ScalarMap about(linear);
  const double step = 1e-5 * std::max(at, 1e-9);
  const double k = (about.acceleration({-at - step, 0}) - about.acceleration({-at + step, 0})) / (2 * step);
  const double b = (about.acceleration({-at, -1}) - about.acceleration({-at, 1})) / 2;
  const double omega = std::sqrt(std::max(0.0, k));
  out.frequency = omega / (2 * M_PI);
  out.dampratio = omega > 0 ? b / (2 * omega) : kNever;
  out.stable_dt = stable_timestep(row, load, std::max(stiffest, A));
  out.stable_dt_sliding = kNever;
  out.creep_speed = kNever;
  return out;
}

Prediction predict_contact(const ContactPatch& patch, const Model& m, double impact) {
  Prediction out = predict_row(patch.row(m), patch.load, impact, patch.stiffest_response);
  out.rest_depth -= patch.contact.includemargin;
  const Creep slow = creep(patch, m);
  if (patch.contact.dim > 1) out.stable_dt_sliding = stable_sliding(patch, m);
  const PatchMotion motion(patch, m);
  out.stable_dt = motion.stable_timestep();
  out.tipping_rate = motion.tipping_rate();
  out.creep_speed = slow.speed;
  out.creep_slope = slow.slope;
  return out;
}

}  // namespace pliant
