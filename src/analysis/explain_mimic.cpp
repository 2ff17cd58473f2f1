// Mimics in words, and everything that a model has to explain.

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <vector>

#include "analysis/numbers.h"
#include "analysis/tuning_numbers.h"
#include "pliant/explain.h"
#include "pliant/mimic.h"
#include "pliant/query.h"
#include "pliant/step.h"

namespace pliant {
namespace {

std::string joint_name(const Model& m, int joint) {
  const std::string_view name = m.name(ObjType::kJoint, joint);
  return name.empty() ? "joint " + std::to_string(joint) : std::string(name);
}

/// J M⁻¹ Jᵀ of a mimic's row: acceleration of the residual per force along it.
double row_response(const Model& m, const State& s, int mimic) {
  Data d(m);
  forward(m, s, d);
  std::vector<double> line(m.nv, 0.0);
  line[m.jnt_dofadr[m.eq_obj1id[m.mimic_eqid[mimic]]]] += 1;
  for (int i = 0; i < m.mimic_leadnum[mimic]; ++i) {
    const int lead = m.mimic_leadadr[mimic] + i;
    line[m.jnt_dofadr[m.mimic_leadid[lead]]] += m.mimic_gear[lead];
  }
  std::vector<double> solved = line;
  solve_mass(m, d, solved.data());
  double response = 0;
  for (int k = 0; k < m.nv; ++k) response += line[k] * solved[k];
  return response;
}

}  // namespace

Explanation explain_mimic(const Model& m, const State& s, int equality, double impact) {
  if (equality < 0 || equality >= m.neq || m.eq_mimicid[equality] < 0) throw std::invalid_argument("this is no mimic");
  const int mimic = m.eq_mimicid[equality], follower = m.eq_obj1id[equality];
  const auto mode = static_cast<MimicMode>(m.mimic_mode[mimic]);
  Explanation out;
  if (mode == MimicMode::kSoft) {
    try {
      out = explain_equality(m, s, equality, impact);
    } catch (const std::invalid_argument&) {
      out.note = "It is not active now.";
    }
    out.predict.frequency = m.mimic_naturalfreq[mimic] / (2 * M_PI);
    out.predict.dampratio = m.mimic_dampratio[mimic];
    // the spring is implicit
    out.predict.stable_dt = std::numeric_limits<double>::infinity();
    out.sources.clear();
  }
  out.kind = "mimic";
  const std::string_view name = m.name(ObjType::kEquality, equality);
  out.title = name.empty() ? "mimic of " + joint_name(m, follower) : std::string(name);
  out.origin = m.origin(ObjType::kEquality, equality);
  out.timestep = m.opt.timestep;
  out.sentence = mimic_sentence(m, mimic);
  out.residual = mimic_residual(m, s, mimic);
  switch (mode) {
    case MimicMode::kExact:
      out.note += "Exact: the follower has no freedom of its own; the residual stays at rounding.";
      break;
    case MimicMode::kHard:
      out.note +=
          "Hard: every step removes " + short_text(100 * m.mimic_erp[mimic]) + " % of the residual, with any force.";
      break;
    case MimicMode::kSoft:
      out.note += "Soft: a spring of " + short_text(m.mimic_naturalfreq[mimic]) + " rad/s and damping ratio " +
                  short_text(m.mimic_dampratio[mimic]) + ".";
      break;
  }
  out.tuning = tuning_numbers(m, mimic, mode == MimicMode::kExact ? 0 : row_response(m, s, mimic));
  return out;
}

std::vector<Explanation> explain_all(const Model& m, const State& s, double impact, const Spec* spec,
                                     const std::function<void(double done, double total)>& progress) {
  std::vector<Explanation> out;
  double done = 0, total = 0;
  const auto add = [&](auto&& make) {
    if (progress) progress(done++, total);
    try {
      out.push_back(make());
    } catch (const std::invalid_argument&) {
      // what cannot be explained (inactive, immovable) has nothing to say here
    }
  };
  Data d(m);
  forward(m, s, d);
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < d.ncon; ++i) pairs.insert({d.contact[i].geom[0], d.contact[i].geom[1]});
  for (int p = 0; p < m.npair; ++p) {
    pairs.insert({std::min(m.pair_geom1[p], m.pair_geom2[p]), std::max(m.pair_geom1[p], m.pair_geom2[p])});
  }
  total = static_cast<double>(pairs.size()) +
          static_cast<double>(std::count(m.jnt_limited, m.jnt_limited + m.njnt, true)) + m.neq;
  for (const auto& [a, b] : pairs) add([&, a = a, b = b] { return explain_contact(m, s, a, b, impact, spec); });
  for (int j = 0; j < m.njnt; ++j) {
    if (m.jnt_limited[j]) add([&] { return explain_limit(m, s, j, impact); });
  }
  for (int e = 0; e < m.neq; ++e) {
    const bool mimic = m.eq_mimicid[e] >= 0;
    add([&] { return mimic ? explain_mimic(m, s, e, impact) : explain_equality(m, s, e, impact); });
  }
  return out;
}

}  // namespace pliant
