// The doctor: runs the table of checks over the poses of a model and a trial run, and sorts what they find.
//
// Cost: one `forward` per pose, a few hundred steps for the trial run, and a sweep of each limited joint.

#include "pliant/doctor.h"

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"

namespace pliant {
namespace doctoring {
namespace {

constexpr int kMostPoses = 64;      // keyframes looked at; animations can have thousands
constexpr double kTrialWork = 4e7;  // bound on steps x (dofs + geoms + 10)^1.5 of the trial run
constexpr int kMostTrialSteps = 5000, kLeastTrialSteps = 20;

// One line per check: its function, by what it looks at.
constexpr void (*kModelChecks[])(Case&) = {check_inertia, check_chains, check_hulls, check_parameters};
constexpr void (*kPoseChecks[])(Case&, const Pose&) = {check_overlaps, check_residuals, check_limits, check_friction};
// the same at every pose, up to the mass matrix: qpos0 is enough
constexpr void (*kFirstPoseChecks[])(Case&, const Pose&) = {check_timestep, check_loops, check_gains, check_margins};
// on the way of the trial run, and at its end
constexpr void (*kMovingChecks[])(Case&, const Pose&) = {check_stacks, check_friction};
constexpr void (*kTrialChecks[])(Case&, const Pose&) = {check_trial, check_counters};

Pose make_pose(const Model& m, std::string name, int key) {
  Pose pose{std::move(name), key, State(m), Data(m)};
  if (key >= 0) pose.state.reset(m, key);
  forward(m, pose.state, pose.data);
  return pose;
}

std::string key_name(const Model& m, int key) {
  const std::string_view name = m.name(ObjType::kKey, key);
  return "keyframe " + (name.empty() ? std::to_string(key) : "'" + std::string(name) + "'");
}

double trial_seconds(const Model& m, double asked) {
  const double work = std::pow(m.nv + m.ngeom + 10.0, 1.5);
  const double steps = std::clamp(kTrialWork / work, double(kLeastTrialSteps), double(kMostTrialSteps));
  return std::min(asked, steps * m.opt.timestep);
}

}  // namespace

// What the loader said, as findings. Clamps of parameters have lines of the doctor's own.
void add_diagnostics(Case& c, const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& d : diagnostics) {
    if (d.severity == Severity::kWarning &&
        (d.code == Code::kSolimpClamped || d.code == Code::kSolrefClamped || d.code == Code::kFrictionClamped)) {
      continue;
    }
    const bool error = d.severity == Severity::kError;
    Finding f;
    f.code = (error ? "E" : "W") + std::to_string(static_cast<int>(d.code));
    f.severity = error                                                            ? FindingSeverity::kError
                 : d.code == Code::kUnitsSuspect || d.code == Code::kBoundApplied ? FindingSeverity::kWarning
                                                                                  : FindingSeverity::kNote;
    for (const CodeInfo& info : code_table()) {
      if (info.code == d.code) f.title = info.title;
    }
    f.element = d.element.empty() ? "the file" : "<" + d.element + ">";
    f.origin = d.file + (d.line > 0 ? ":" + std::to_string(d.line) + ":" + std::to_string(d.column) : "");
    f.message = d.message;
    f.change = d.hint;
    f.weight = error ? 0.5 : 0;  // the doctor's own lines say more about the same thing
    c.findings.push_back(std::move(f));
  }
}

void finish(Case& c, DoctorReport& report) {
  std::stable_sort(c.findings.begin(), c.findings.end(), [](const Finding& a, const Finding& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.weight > b.weight;
  });
  report.findings = std::move(c.findings);
  std::stable_sort(report.budget.begin(), report.budget.end(),
                   [](const TimestepLimit& a, const TimestepLimit& b) { return a.limit < b.limit; });
}

Finding& add(Case& c, const char* code, FindingSeverity severity, const std::string& element, const std::string& origin,
             std::string message, std::vector<Evidence> evidence, std::string change, double weight) {
  Finding f;
  f.code = code;
  f.severity = severity;
  for (const DoctorCode& line : doctor_codes()) {
    if (f.code == line.code) f.title = line.title;
  }
  f.element = element;
  f.origin = origin;
  f.message = std::move(message);
  f.evidence = std::move(evidence);
  f.change = std::move(change);
  f.weight = weight;
  for (Finding& old : c.findings) {
    if (old.code != f.code || old.element != f.element) continue;
    if (std::pair(f.severity, f.weight) > std::pair(old.severity, old.weight)) old = std::move(f);
    return old;
  }
  c.findings.push_back(std::move(f));
  return c.findings.back();
}

}  // namespace doctoring

using namespace doctoring;

const char* severity_name(FindingSeverity severity) {
  constexpr const char* kNames[] = {"note", "warning", "error"};
  return kNames[static_cast<int>(severity)];
}

int DoctorReport::count(FindingSeverity severity) const {
  return static_cast<int>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.severity == severity; }));
}

DoctorReport doctor(const Model& m, const std::vector<Diagnostic>* diagnostics, const DoctorOptions& options) {
  DoctorReport report;
  report.timestep = m.opt.timestep;
  report.loaded = true;
  Case c{m, &report.budget, {}, {}};
  for (const auto check : kModelChecks) check(c);
  for (int key = -1; key < std::min(m.nkey, kMostPoses); ++key) {
    const Pose pose = make_pose(m, key < 0 ? "the start (qpos0)" : key_name(m, key), key);
    if (key < 0) {
      for (const auto check : kFirstPoseChecks) check(c, pose);
    }
    for (const auto check : kPoseChecks) check(c, pose);
    ++report.poses;
  }
  if (options.trial_seconds > 0 && m.nv > 0) {
    // a keyframe is where the author means the model to start
    Pose end = make_pose(m, "", m.nkey > 0 ? 0 : -1);
    const double seconds = trial_seconds(m, options.trial_seconds), start = end.state.time[0];
    c.trial = run_trial(m, seconds, end, [&](const Pose& pose) {
      for (const auto check : kMovingChecks) check(c, pose);
      if (options.progress) options.progress(pose.state.time[0] - start, seconds);
    });
    end.name = "after " + number(end.state.time[0]) + " s";
    report.trial_steps = c.trial.steps;
    for (const auto check : kTrialChecks) check(c, end);
    if (c.trial.steps == 0) report.no_trial = "the first step was refused";
  } else {
    report.no_trial = m.nv == 0 ? "nothing in the model can move" : "none was asked for";
  }
  if (diagnostics) add_diagnostics(c, *diagnostics);
  finish(c, report);
  return report;
}

const std::vector<DoctorCode>& doctor_codes() {
  static const std::vector<DoctorCode> kCodes = {
      {"D101", "timestep too long for a contact",
       "The spring and damper of a contact (solref, solimp) are too stiff for the timestep: b h + k h²/2 must stay "
       "below 2."},
      {"D102", "timestep too long for a limit", "As D101, for the limit of a joint or tendon."},
      {"D103", "timestep too long for an equality", "As D101, for an equality or mimic constraint."},
      {"D104", "timestep too long for an actuator gain",
       "The gain of an actuator and the inertia it moves make a vibration faster than the timestep can follow."},
      {"D105", "timestep too long for a spring or damper", "As D104, for a spring or damper of a joint or tendon."},
      {"D106", "trial run went wrong", "A simulation from the start was refused, or gained energy from nowhere."},
      {"D107", "solver did not converge", "In many steps the solver stopped before it reached its tolerance."},
      {"D201", "geoms overlap at the start",
       "Geoms are inside each other at qpos0 or a keyframe and are pushed apart at once."},
      {"D202", "constraint violated at the start",
       "An equality does not hold at qpos0 or a keyframe and is pulled straight at once."},
      {"D301", "inertia no body can have",
       "Principal moments must be positive, and none larger than the sum of the other two."},
      {"D302", "inertia does not fit the shape",
       "The moments of a body belong to something far larger or smaller than its geoms."},
      {"D303", "mass ratio in a chain",
       "A light body carries a heavy one, without armature (rotor inertia) at the joint."},
      {"D304", "mass ratio in a stack",
       "A heavy body lies on a light one: contacts are as soft as their lighter side."},
      {"D401", "hull much larger than its mesh", "Meshes collide as their convex hulls: hollows are filled."},
      {"D501", "solref clamped or replaced", "The engine does not use the spring and damper (solref) as written."},
      {"D502", "solimp clamped",
       "The engine does not use the impedance (solimp, how firmly a constraint insists) as written."},
      {"D503", "friction raised", "Friction below 0.00001 is raised to it; negative friction too."},
      {"D504", "margin pushes before touching",
       "Within their margin geoms push each other although they do not touch."},
      {"D505", "gap has a new meaning", "Since MuJoCo 3.9 the gap lies beyond the margin; before it was a part of it."},
      {"D506", "clamped while running", "The engine clamped, replaced or refused something in the trial run."},
      {"D507", "control out of range", "A control is outside its range and is clamped."},
      {"D601", "start beyond a limit", "A joint or tendon is beyond its limit at qpos0 or a keyframe."},
      {"D602", "range in the wrong unit", "The range of a joint looks like degrees read as radians, or the reverse."},
      {"D603", "limit out of reach",
       "Geoms collide, or another constraint stops the joint, before it comes to its limit."},
      {"D604", "target out of reach", "A position actuator can be asked for positions beyond the limits of its joint."},
      {"D605", "limit always on",
       "The margin of a limit covers the whole range, or the range is empty: it always pushes."},
      {"D701", "undamped loop", "A closed chain of joints without damping, friction or armature rings."},
      {"D702", "undamped actuator", "A position actuator without damping swings about its target."},
      {"D703", "gain too high for the inertia",
       "A period of the actuator's vibration has too few timesteps to be followed."},
      {"D704", "actuator too weak",
       "The actuator cannot hold its joint against gravity, or sags far below its target."},
      {"D801", "friction cannot hold", "More force along the surface is needed than friction can give: it slips."},
      {"D802", "creeps under load", "Soft friction lets what it holds creep."},
      {"D803", "friction without effect",
       "A contact takes the larger friction of its two geoms; the smaller one never counts."},
  };
  return kCodes;
}

}  // namespace pliant
