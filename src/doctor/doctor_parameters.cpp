// Parameters the engine does not use as written, margins and gaps that surprise, and the counters of a trial run.

#include <algorithm>
#include <map>

#include "analysis/clamps.h"
#include "doctor/doctor_case.h"
#include "constraint/impedance_hd.h"

namespace pliant::doctoring {
namespace {

constexpr double kThinShare = 0.02;  // margin as a share of the thinner geom that shows

// One line per value: an element that has it, and how many more do.
struct Users {
  ObjType type;
  int id, count = 0;
};
using ByValue = std::map<std::vector<double>, Users>;

void note(ByValue& values, ObjType type, int id, const double* x, int n) {
  ++values.try_emplace(std::vector<double>(x, x + n), Users{type, id}).first->second.count;
}

std::string list(const std::vector<double>& x) {
  std::string text;
  for (const double value : x) text += (text.empty() ? "" : " ") + number(value);
  return text;
}

std::string with_others(const Model& m, const Users& u) {
  return element_text(m, u.type, u.id) + (u.count > 1 ? " (and " + std::to_string(u.count - 1) + " more)" : "");
}

void report_solref(Case& c, const char* attribute, const ByValue& values, const char* mixed) {
  const Model& m = c.m;
  const double shortest = m.opt.disableflags & kDisableRefSafe ? 0 : 2 * m.opt.timestep;
  for (const auto& [x, u] : values) {
    const std::string start = with_others(m, u) + " has " + attribute + "=\"" + list(x) + "\" (spring and damper)";
    if ((x[0] > 0) != (x[1] > 0)) {
      add(c, "D501", FindingSeverity::kWarning, u.type, u.id,
          start + " with one positive and one negative number: " + mixed, {{"first", x[0], ""}, {"second", x[1], ""}},
          "both positive (time constant, damping ratio) or both negative (stiffness, damping); " +
              std::string(attribute) + "=\"" + (std::string_view(mixed).starts_with("solref") ? "0 0" : "0.02 1") +
              "\" says what is done now",
          5);
    } else if (x[0] > 0 && x[0] < shortest && number(x[0]) != number(shortest)) {
      add(c, "D501", FindingSeverity::kWarning, u.type, u.id,
          start + ", a time constant below two timesteps: it is raised to " + number(shortest) +
              ", softer than written",
          {{"time constant", x[0], "s"}, {"used", shortest, "s"}},
          std::string(attribute) + "=\"" + number(shortest) + " " + number(x[1]) + "\", or timestep=\"" +
              number(x[0] / 2) + "\"",
          shortest / x[0]);
    } else if (x[0] == 0 && x[1] == 0) {
      add(c, "D501", FindingSeverity::kWarning, u.type, u.id,
          start + ": neither spring nor damper, it never pushes back", {}, std::string(attribute) + "=\"0.02 1\"", 5);
    }
  }
}

void report_solimp(Case& c, const char* attribute, const ByValue& values) {
  for (const auto& [x, u] : values) {
    int clamps = 0;
    const Solimp<double> used = checked_solimp<double>(x.data(), clamps);
    const std::string written = list({used.d0, used.dwidth, used.width, used.midpoint, used.power});
    if (!clamps || written == list(x)) continue;
    // 0 and 1 are common and mean almost what is used instead
    const double values[5] = {used.d0, used.dwidth, used.width, used.midpoint, used.power};
    double off = 0;
    for (int i = 0; i < 5; ++i) off = std::max(off, std::abs(values[i] - x[i]));
    add(c, "D502", off > 2e-4 ? FindingSeverity::kWarning : FindingSeverity::kNote, u.type, u.id,
        with_others(c.m, u) + " has " + attribute + "=\"" + list(x) + "\" (impedance), which is clamped to \"" +
            written + "\"",
        {}, std::string(attribute) + "=\"" + written + "\"", 1);
  }
}

void report_friction(Case& c, const ByValue& values) {
  for (const auto& [x, u] : values) {
    if (std::all_of(x.begin(), x.end(), [](double mu) { return mu >= kMinFriction; })) continue;
    const bool negative = std::any_of(x.begin(), x.end(), [](double mu) { return mu < 0; });
    add(c, "D503", negative ? FindingSeverity::kWarning : FindingSeverity::kNote, u.type, u.id,
        with_others(c.m, u) + " has friction=\"" + list(x) + "\", where less than 0.00001 is raised to it", {},
        "condim=\"1\" for contacts without friction", 1);
  }
}

bool collides(const Model& m, int g) { return m.geom_contype[g] || m.geom_conaffinity[g]; }

void report_margin(Case& c, ObjType type, int id, double margin, double gap, double thin) {
  const Model& m = c.m;
  if (margin > kThinShare * thin) {
    add(c, "D504", margin > 0.1 * thin ? FindingSeverity::kWarning : FindingSeverity::kNote, type, id,
        element_text(m, type, id) + " has a margin of " + length_text(margin) +
            ": it is pushed away before it touches, and rests floating at about that distance",
        {{"margin", margin, "m"}, {"smallest half size", thin, "m"}},
        "margin=\"0\"; for contacts that are only listed, gap=\"" + number(margin) + "\"", margin / (0.1 * thin));
  }
  if (gap > 0) {
    const bool old_style = margin > 0;
    add(c, "D505", old_style ? FindingSeverity::kWarning : FindingSeverity::kNote, type, id,
        element_text(m, type, id) +
            (old_style ? " has margin=\"" + number(margin) + "\" and gap=\"" + number(gap) +
                             "\": since MuJoCo 3.9 it pushes from the margin on; before, from margin - gap = " +
                             length_text(margin - gap) + " on"
                       : " has a gap of " + length_text(gap) + ": contacts up to there are listed, but do not push"),
        {{"margin", margin, "m"}, {"gap", gap, "m"}},
        old_style
            ? "margin=\"" + number(std::max(0.0, margin - gap)) + "\" gap=\"" + number(gap) + "\" for the old meaning"
            : "gap=\"0\" unless something reads these contacts",
        old_style ? 1 + gap / margin : 0.5);
  }
}

}  // namespace

void check_parameters(Case& c) {
  const Model& m = c.m;
  ByValue geom_ref, pair_ref, friction_ref, limit_ref, loss_ref, eq_ref, geom_imp, pair_imp, limit_imp, loss_imp,
      eq_imp, mu, pair_mu;
  for (int g = 0; g < m.ngeom; ++g) {
    if (!collides(m, g)) continue;
    note(geom_ref, ObjType::kGeom, g, m.geom_solref + kNumRef * g, kNumRef);
    note(geom_imp, ObjType::kGeom, g, m.geom_solimp + kNumImp * g, kNumImp);
    const int used = m.geom_condim[g] >= 6 ? 3 : m.geom_condim[g] >= 4 ? 2 : m.geom_condim[g] >= 3 ? 1 : 0;
    if (used) note(mu, ObjType::kGeom, g, m.geom_friction + 3 * g, used);
  }
  for (int i = 0; i < m.npair; ++i) {
    note(pair_ref, ObjType::kPair, i, m.pair_solref + kNumRef * i, kNumRef);
    note(pair_imp, ObjType::kPair, i, m.pair_solimp + kNumImp * i, kNumImp);
    const double* ref = m.pair_solreffriction + kNumRef * i;
    if (ref[0] != 0 || ref[1] != 0) note(friction_ref, ObjType::kPair, i, ref, kNumRef);
    const int used = m.pair_dim[i] >= 6 ? 5 : m.pair_dim[i] >= 4 ? 3 : m.pair_dim[i] >= 3 ? 2 : 0;
    if (used) note(pair_mu, ObjType::kPair, i, m.pair_friction + 5 * i, used);
  }
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_limited[j]) continue;
    note(limit_ref, ObjType::kJoint, j, m.jnt_solref + kNumRef * j, kNumRef);
    note(limit_imp, ObjType::kJoint, j, m.jnt_solimp + kNumImp * j, kNumImp);
  }
  for (int i = 0; i < m.nv; ++i) {
    if (m.dof_frictionloss[i] == 0) continue;
    note(loss_ref, ObjType::kJoint, m.dof_jntid[i], m.dof_solref + kNumRef * i, kNumRef);
    note(loss_imp, ObjType::kJoint, m.dof_jntid[i], m.dof_solimp + kNumImp * i, kNumImp);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_limited[t]) {
      note(limit_ref, ObjType::kTendon, t, m.tendon_solref_lim + kNumRef * t, kNumRef);
      note(limit_imp, ObjType::kTendon, t, m.tendon_solimp_lim + kNumImp * t, kNumImp);
    }
    if (m.tendon_frictionloss[t] > 0) {
      note(loss_ref, ObjType::kTendon, t, m.tendon_solref_fri + kNumRef * t, kNumRef);
      note(loss_imp, ObjType::kTendon, t, m.tendon_solimp_fri + kNumImp * t, kNumImp);
    }
  }
  for (int e = 0; e < m.neq; ++e) {
    note(eq_ref, ObjType::kEquality, e, m.eq_solref + kNumRef * e, kNumRef);
    note(eq_imp, ObjType::kEquality, e, m.eq_solimp + kNumImp * e, kNumImp);
  }
  const char* kDefault = "the default 0.02 1 is used";
  report_solref(c, "solref", geom_ref, kDefault);
  report_solref(c, "solref", pair_ref, kDefault);
  report_solref(c, "solreffriction", friction_ref, "solref is used instead");
  report_solref(c, "solreflimit", limit_ref, kDefault);
  report_solref(c, "solreffriction", loss_ref, kDefault);
  report_solref(c, "solref", eq_ref, kDefault);
  report_solimp(c, "solimp", geom_imp);
  report_solimp(c, "solimp", pair_imp);
  report_solimp(c, "solimplimit", limit_imp);
  report_solimp(c, "solimpfriction", loss_imp);
  report_solimp(c, "solimp", eq_imp);
  report_friction(c, mu);
  report_friction(c, pair_mu);
}

void check_margins(Case& c, const Pose&) {
  const Model& m = c.m;
  const auto thin = [&](int g) {
    const double* half = m.geom_aabb + 6 * g + 3;
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    return type == GeomType::kPlane || type == GeomType::kHfield ? 0.1 : std::min({half[0], half[1], half[2]});
  };
  // geoms that share their numbers have them from one default class: one line
  std::map<std::pair<double, double>, int> seen;
  for (int g = 0; g < m.ngeom; ++g) {
    if (!collides(m, g) || (m.geom_margin[g] == 0 && m.geom_gap[g] == 0)) continue;
    if (seen.try_emplace({m.geom_margin[g], m.geom_gap[g]}, g).second) {
      report_margin(c, ObjType::kGeom, g, m.geom_margin[g], m.geom_gap[g], thin(g));
    }
  }
  for (int i = 0; i < m.npair; ++i) {
    if (m.pair_margin[i] == 0 && m.pair_gap[i] == 0) continue;
    report_margin(c, ObjType::kPair, i, m.pair_margin[i], m.pair_gap[i],
                  std::min(thin(m.pair_geom1[i]), thin(m.pair_geom2[i])));
  }
}

namespace {

// The line that names the cause of what a counter counts, where there may be one.
std::string cause_of(const ClampLine& line) {
  const std::string code = line.code;
  if (code.starts_with("solref") || code == "refsafe") return "D501";
  if (code == "impedance" || code == "width" || code == "power") return "D502";
  if (code == "control-range") return "D507";
  return code.starts_with("friction") ? "D503" : "D106";
}

}  // namespace

void check_counters(Case& c, const Pose& end) {
  const Model& m = c.m;
  const Data& d = end.data;
  for (int i = 0; i < m.nactuator; ++i) {
    for (int u = m.actuator_ctrladr[i]; u < m.actuator_ctrladr[i] + m.actuator_ctrlnum[i]; ++u) {
      if (!d.ctrl_clamped[u]) continue;
      const double* range = m.actuator_ctrlrange + 2 * u;
      add(c, "D507", FindingSeverity::kNote, ObjType::kActuator, i,
          element_text(m, ObjType::kActuator, i) + " has the control " + number(end.state.ctrl[u]) +
              ", outside its range " + number(range[0]) + " … " + number(range[1]) + ": it is clamped",
          {{"control", end.state.ctrl[u], ""}}, "a keyframe with ctrl inside the range, or a range that has 0 in it",
          0.5);
    }
  }
  for (const ClampLine& line : clamp_table()) {
    const bool row = std::string(line.counter) == "clamps";
    const int64_t count = clamp_count(line, m, d);
    const std::string cause = cause_of(line);
    const auto named = [&](const Finding& f) { return f.code == cause; };
    if (count == 0 || std::any_of(c.findings.begin(), c.findings.end(), named)) continue;
    add(c, "D506", row ? FindingSeverity::kNote : FindingSeverity::kWarning, std::string("counter ") + line.code, "",
        std::string(line.meaning) + ": " + std::to_string(count) + " times in the trial run",
        {{"count", double(count), ""}}, line.cure, 0.1);
  }
}

}  // namespace pliant::doctoring
