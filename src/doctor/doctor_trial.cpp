// Simulations the doctor runs: the model from its start, and small disturbances of one state.

#include <algorithm>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {
namespace {

constexpr int kLooks = 64;             // at the trial run
constexpr int kGrowthSteps = 80;       // of the power iteration; the last half is measured
constexpr double kDisturbance = 1e-7;  // relative to a speed of 1

double total_energy(const Model& m, const State& s, Data& d) {
  d.done = {};
  potential_energy(m, s, d);
  kinetic_energy(m, s, d);
  return d.energy[0] + d.energy[1];
}

// Difference of two states: positions as displacements, then velocities, then activations.
std::vector<double> difference(const Model& m, const State& a, const State& b) {
  std::vector<double> x(2 * m.nv + m.na);
  differentiate_pos(m, x.data(), m.opt.timestep, b.qpos, a.qpos);  // over h: then it is a speed, too
  for (int i = 0; i < m.nv; ++i) x[m.nv + i] = a.qvel[i] - b.qvel[i];
  for (int i = 0; i < m.na; ++i) x[2 * m.nv + i] = a.act[i] - b.act[i];
  return x;
}

void disturb(const Model& m, State& s, const std::vector<double>& x) {
  integrate_pos(m, s.qpos, x.data(), m.opt.timestep);
  for (int i = 0; i < m.nv; ++i) s.qvel[i] += x[m.nv + i];
  for (int i = 0; i < m.na; ++i) s.act[i] += x[2 * m.nv + i];
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void scale(std::vector<double>& x, double size) {
  const double length = std::sqrt(dot(x, x));
  for (double& value : x) value *= size / length;
}

}  // namespace

double disturbance_growth(const Model& model, const State& start, const std::vector<double>& direction) {
  // what is one-sided or dry has no slope: it is left out
  Model m = model;
  m.opt.disableflags |= kDisableContact | kDisableLimit | kDisableFrictionLoss | kDisableSensor;
  Data d(m);
  State base = start;
  if (!step(m, base, d).ok()) return 0;
  std::vector<double> x(2 * m.nv + m.na);
  std::copy(direction.begin(), direction.end(), x.begin() + m.nv);
  if (!(dot(x, x) > 0)) return 0;
  scale(x, kDisturbance);
  double logs = 0, cosine = 0;
  int counted = 0;
  for (int i = 0; i < kGrowthSteps; ++i) {
    State s = start;
    disturb(m, s, x);
    if (!step(m, s, d).ok()) return 0;
    std::vector<double> next = difference(m, s, base);
    const double before = dot(x, x), after = dot(next, next);
    if (!(after > 0) || !std::isfinite(after)) return 0;
    if (2 * i >= kGrowthSteps) {
      logs += 0.5 * std::log(after / before);
      cosine += dot(x, next) / std::sqrt(before * after);
      ++counted;
    }
    x = std::move(next);
    scale(x, kDisturbance);
  }
  const double growth = std::exp(logs / counted);
  return cosine < 0 ? -growth : growth;
}

Trial run_trial(const Model& m, double seconds, Pose& pose, const std::function<void(const Pose&)>& look) {
  Trial trial;
  pose.key = kTrialKey;
  Data& d = pose.data;
  State& s = pose.state;
  trial.start_energy = trial.most_energy = total_energy(m, s, d);
  const int steps = std::max(1, static_cast<int>(std::lround(seconds / m.opt.timestep)));
  for (; trial.steps < steps; ++trial.steps) {
    const double before = s.time[0];
    trial.status = step(m, s, d);
    // whatever the reason: a step that was refused leaves the state, and with it the time, as it was
    trial.refused = !trial.status.ok() && s.time[0] == before;
    if (trial.refused) break;
    if (!d.solver.converged()) ++trial.unconverged;
    double speed = 0;
    for (int i = 0; i < m.nv; ++i) speed = std::max(speed, std::abs(s.qvel[i]));
    trial.speed = std::max(trial.speed, speed);
    trial.seconds += m.opt.timestep;
    // often: what slides hops, and is in the air half of the time. Contacts and forces are those of the step's
    // beginning
    if ((trial.steps + 1) % std::max(1, steps / kLooks) == 0) {
      pose.name = "t = " + number(s.time[0]) + " s";
      look(pose);
    }
  }
  forward(m, s, d);
  trial.most_energy = std::max(trial.most_energy, total_energy(m, s, d));
  return trial;
}

void check_trial(Case& c, const Pose& end) {
  const Model& m = c.m;
  const Trial& t = c.trial;
  const bool known = std::any_of(c.findings.begin(), c.findings.end(),
                                 [](const Finding& f) { return f.severity == FindingSeverity::kError; });
  // a cause that has a line of its own stands before its effect
  const double weight = known ? 0.1 : 1;
  const auto shortest =
      std::min_element(c.budget->begin(), c.budget->end(), [](auto& a, auto& b) { return a.limit < b.limit; });
  // where everything is stable at this timestep, a shorter one is no cure
  const std::string advice = shortest == c.budget->end() ? "a shorter timestep"
                             : shortest->limit < m.opt.timestep
                                 ? "a shorter timestep; the shortest is needed by " + shortest->element
                                 : "see the other findings, or `pliant why`: the timestep "
                                   "is short enough for every spring and damper";
  constexpr double kRunaway = 1e4;  // m/s or rad/s: no machine does that
  int fastest = 0;
  for (int i = 0; i < m.nv; ++i) {
    if (std::abs(end.state.qvel[i]) > std::abs(end.state.qvel[fastest])) fastest = i;
  }
  if (t.refused) {
    add(c, "D106", FindingSeverity::kError, ObjType::kJoint, m.dof_jntid[fastest],
        "the trial run was refused after " + std::to_string(t.steps) +
            " steps: " + describe_status(m, end.data, t.status),
        {{"steps", double(t.steps), ""}}, advice, weight);
  } else if (t.speed > kRunaway) {
    add(c, "D106", FindingSeverity::kError, ObjType::kJoint, m.dof_jntid[fastest],
        "in the trial run it moved at " + number(t.speed) + " m/s or rad/s", {{"speed", t.speed, "m/s|rad/s"}}, advice,
        weight);
  }
  if (t.steps > 0 && 4 * t.unconverged > t.steps && m.opt.iterations > 0) {
    add(c, "D107", FindingSeverity::kNote, "<option>", "",
        "in " + percent(double(t.unconverged) / t.steps) +
            " of the steps of the trial run the solver stopped before its tolerance",
        {{"steps", double(t.unconverged), ""}},
        m.opt.solver == SolverType::kNewton
            ? "iterations=\"" + std::to_string(2 * m.opt.iterations) + "\", or a larger tolerance"
            : std::string("more iterations, or the solver Newton"),
        0);
  }
}

}  // namespace pliant::doctoring
