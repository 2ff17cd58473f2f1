// Mimics by name: residual, force, power.
//
// reads qpos qvel qacc rows · allocates: not for use within a step
// The force of a mimic with a row is that of the row. An exact one has none; it is what the equations of motion of its
// follower lack once everything else is known. With the forces of all joints, before they are reduced,
//   M qacc - qfrc_smooth - J' f = Σ (1, gear)' λ
// and followers that nobody follows give their λ at once, their leaders after them (the order of elimination).

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "constraint/kinds/mimic_soft_hd.h"
#include "constraint/reference_hd.h"
#include "inertia/inertia.h"
#include "joint/followers_hd.h"
#include "pliant/kinds.h"
#include "pliant/mimic.h"
#include "pliant/place.h"
#include "pliant/step.h"

namespace pliant {
namespace {

// λ of every mimic; exact ones from the equations of motion of the joints as they were before elimination.
std::vector<double> mimic_forces(const Model& m, const State& s, const Data& d) {
  std::vector<double> force(static_cast<size_t>(m.nmimic), 0.0);
  for (int i = 0; i < d.rows.ne; ++i) {
    if (const int mimic = m.eq_mimicid[d.rows.row_id[i]]; mimic >= 0) force[mimic] = d.rows.row_force[i];
  }
  if (!has_followers(m)) return force;
  State free = s;
  for (int k = 0; k < m.nfollower; ++k) free.eq_active[Follower<Model>(m, k).equality] = false;
  Data all(m);
  run_phases(m, free, all, Phase::kPosition, Phase::kForce);
  // forces of all joints: qfrc_smooth without elimination, rows with their full columns
  std::vector<double> rest(static_cast<size_t>(m.nv), 0.0);
  multiply_mass(m, all, d.qacc, rest.data());
  for (int i = 0; i < m.nv; ++i) {
    rest[i] -= d.qfrc_passive[i] - d.qfrc_bias[i] + s.qfrc_applied[i] + d.qfrc_actuator[i];
  }
  std::vector<double> body(static_cast<size_t>(m.nv), 0.0);
  for (int b = 1; b < m.nbody; ++b) {
    const Spatial wrench = spatial(s.xfrc_applied, b);  // force first, torque second
    add_force_at(m, all, b, vec3(all.xipos, b), wrench.ang, wrench.lin, body);
  }
  for (int i = 0; i < m.nv; ++i) rest[i] -= body[i];
  for (int i = 0; i < d.rows.n && all.rows.n == d.rows.n; ++i) {
    add_row_times(all.rows, i, -d.rows.row_force[i], rest.data());
  }
  each_follower(m, s, [&](const Follower<Model>& follower) {
    const double lambda = force[follower.mimic] = rest[follower.dof];
    for (int i = 0; i < follower.leaders(); ++i) rest[follower.leader(i)] += follower.ratio(i) * lambda;
  });
  return force;
}

std::string joint_text(const Model& m, int joint) {
  const std::string_view name = m.name(ObjType::kJoint, joint);
  return name.empty() ? "joint " + std::to_string(joint) : std::string(name);
}

std::string size_text(double x, const char* format) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, format, std::abs(x));
  return buffer;
}

}  // namespace

const char* mimic_mode_text(MimicMode mode) {
  constexpr const char* kModes[] = {"exact", "hard", "soft"};
  return kModes[static_cast<int>(mode)];
}

// q(follower) = −Σ gear q(leader) − offset
std::string mimic_sentence(const Model& m, int mimic) {
  const MimicChain<Model> chain{m, mimic};
  std::string out = joint_text(m, chain.joint(0)) + " =";
  for (int i = 1; i < chain.count(); ++i) {
    const bool minus = chain.coefficient(i) > 0;
    out += (i == 1 ? (minus ? " −" : " ") : (minus ? " − " : " + ")) + size_text(chain.coefficient(i), "%.3f");
    out += "·" + joint_text(m, chain.joint(i));
  }
  const double offset = -m.mimic_offset[mimic];
  const bool slide = joint_kind(m.jnt_type[chain.joint(0)]).is_length();
  if (offset != 0) out += (offset < 0 ? " − " : " + ") + size_text(offset, "%.4g") + (slide ? " m" : " rad");
  return out;
}

double mimic_residual(const Model& m, const State& s, int mimic) {
  const MimicChain<Model> chain{m, mimic};
  double residual = m.mimic_offset[mimic];
  for (int k = 0; k < chain.count(); ++k) residual += chain.coefficient(k) * s.qpos[m.jnt_qposadr[chain.joint(k)]];
  return residual;
}

std::vector<MimicReport> mimic_reports(const Model& m, const State& s, const Data& d) {
  const std::vector<double> force = mimic_forces(m, s, d);
  std::vector<MimicReport> reports;
  for (int i = 0; i < m.nmimic; ++i) {
    const int equality = m.mimic_eqid[i];
    const MimicChain<Model> chain{m, i};
    MimicReport report;
    report.name = m.name(ObjType::kEquality, equality);
    if (report.name.empty()) report.name = object_text(m, {ObjType::kEquality, equality});
    report.follower = m.name(ObjType::kJoint, chain.joint(0));
    report.origin = m.origin(ObjType::kEquality, equality);
    report.mode = static_cast<MimicMode>(m.mimic_mode[i]);
    report.active = s.eq_active[equality] && !(m.opt.disableflags & (kDisableConstraint | kDisableEquality));
    report.sentence = mimic_sentence(m, i);
    report.residual = mimic_residual(m, s, i);
    for (int k = 0; k < chain.count(); ++k) report.rate += chain.coefficient(k) * s.qvel[chain.dof(k)];
    report.force = force[i];
    report.power = report.force * report.rate;
    reports.push_back(std::move(report));
  }
  return reports;
}

MimicReport mimic_report(const Model& m, const State& s, const Data& d, const std::string& name) {
  std::string known;
  for (MimicReport& report : mimic_reports(m, s, d)) {
    if (report.name == name || report.follower == name) return report;
    known += (known.empty() ? "" : ", ") + report.name;
  }
  throw std::invalid_argument("mimic_report: there is no mimic \"" + name + "\"; there are " +
                              (known.empty() ? "none" : known));
}

}  // namespace pliant
