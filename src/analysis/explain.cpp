// Explanations: a constraint's parameters, where they come from, what was clamped, and what it will do.
//
// reads Model State · cost: one forward, a few solves with the mass matrix, some ten thousand steps of the scalar map

#include "pliant/explain.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/clamps.h"
#include "analysis/numbers.h"
#include "analysis/predict.h"
#include "analysis/tuning_numbers.h"
#include "collision/contact_params_hd.h"
#include "constraint/reference_hd.h"
#include "model/position_lead.h"
#include "pliant/kinds.h"
#include "pliant/query.h"
#include "pliant/step.h"

namespace pliant {
namespace {

std::string name_of(const Model& m, ObjType type, int id, const char* kind) {
  const std::string_view name = m.name(type, id);
  return name.empty() ? std::string(kind) + " " + std::to_string(id) : std::string(name);
}

void take_row(const ScalarRow& row, Explanation& out) {
  const ScalarMap map(row);
  out.timestep = row.timestep;
  out.solref = {map.used_solref().time, map.used_solref().ratio};
  const Solimp<double>& s = map.used_solimp();
  out.solimp = {s.d0, s.dwidth, s.width, s.midpoint, s.power};
  out.row_stiffness = map.stiffness();
  out.row_damping = map.damping();
  out.response = row.response;
  out.estimate = row.estimate;
  out.substeps = row.substeps;
  out.runge_kutta = row.integrator == Integrator::kRk4;
  out.discrete = row.integrator == Integrator::kDiscrete;
  out.two_sided = row.two_sided;
}

void add_note(Explanation& out, const std::string& sentence) { out.note += (out.note.empty() ? "" : " ") + sentence; }

/// Remarks that predictions need.
void add_notes(const Model& m, Explanation& out) {
  const Prediction& p = out.predict;
  if (out.discrete) {
    add_note(out,
             "Under the integrator discrete spring and damper act at the end of the step: solref sets no limit to the "
             "timestep, and the longer it is, the more the motion is damped; stiffness, damping and their ratio below "
             "are those at this timestep.");
  }
  if (m.opt.integrator == Integrator::kMidpoint) {
    add_note(out,
             "Under the integrator midpoint rows see where things are half a step ahead: the same motion as under "
             "Euler, half a step earlier.");
  }
  if (out.timestep > p.stable_dt) {
    add_note(out, "The timestep is above the limit of stability (" + short_text(p.stable_dt) +
                      " s): it will shake instead of resting.");
  }
  if (p.tipping_rate > 0) {
    add_note(out, "It does not stay as it lies: it tips over or rolls off, e-fold in " +
                      short_text(1 / p.tipping_rate) + " s, at any timestep.");
  }
  if (p.load <= 0) add_note(out, "Nothing presses these together now: depth at rest and settling have no meaning.");
  if (!std::isfinite(p.rest_depth)) add_note(out, "Nothing holds the load: there is no stiffness, it sinks slowly.");
  if (p.restitution > 1.02) add_note(out, "Impacts gain speed: the timestep is too long for this stiffness.");
  if (std::isfinite(p.contact_steps) && p.contact_steps < 10) {
    add_note(out, "The contact lasts only " + short_text(p.contact_steps) +
                      " steps: the bounce depends on where in a step the impact falls (see the range).");
  }
}

ContactParameter parameter(const std::string& name, const double* values, int n, const std::string& origin) {
  return {name, {values, values + n}, "own", {origin}};
}

/// A row of the step as a ScalarRow: the numbers of the element, responses from Data.
ScalarRow element_row(const Model& m, const double* solref, const double* solimp) {
  ScalarRow row;
  std::copy_n(solref, kNumRef, row.solref.begin());
  std::copy_n(solimp, kNumImp, row.solimp.begin());
  row.timestep = m.opt.timestep;
  row.refsafe = !(m.opt.disableflags & kDisableRefSafe);
  row.integrator = m.opt.integrator;
  row.substeps = solver_substeps(m.opt);
  row.leads = position_lead(m) > 0;
  return row;
}

void check_impact(double impact) {
  if (!(impact > 0) || !std::isfinite(impact))
    throw std::invalid_argument("the speed of impact must be a number above zero");
}

/// The same positions without velocities.
struct AtRest {
  State s;
  Data d;
  AtRest(const Model& m, const State& state) : s(state), d(m) {
    std::fill(s.qvel, s.qvel + m.nv, 0.0);
    forward(m, s, d);
  }
};

Explanation about(const Model& m, ObjType type, int id, const char* kind, const char* noun) {
  Explanation out;
  out.kind = kind;
  out.title = name_of(m, type, id, noun);
  out.origin = m.origin(type, id);
  return out;
}

}  // namespace

Explanation explain_contact(const Model& m, const State& s, int geom1, int geom2, double impact, const Spec* spec) {
  if (geom1 < 0 || geom1 >= m.ngeom || geom2 < 0 || geom2 >= m.ngeom) throw std::invalid_argument("no such geom");
  check_impact(impact);
  const ContactPatch patch = find_patch(m, s, geom1, geom2);
  const Contact& c = patch.contact;
  const ScalarRow row = patch.row(m);

  Explanation out;
  out.kind = "contact";
  out.title = name_of(m, ObjType::kGeom, c.geom[0], "geom") + " – " + name_of(m, ObjType::kGeom, c.geom[1], "geom");
  out.origin = m.origin(ObjType::kGeom, c.geom[0]) + " , " + m.origin(ObjType::kGeom, c.geom[1]);
  out.sentence = "parameters by " + contact_rule(m, c);
  take_row(row, out);
  out.contacts = static_cast<int>(patch.points.size());
  out.residual = -patch.distance;
  out.sources = contact_parameters(m, c, spec);

  // clamps of the row, of friction's own solref, and of friction itself
  int clamps = ScalarMap(row).clamps();
  RowSettings<double> settings;
  settings.shortest_time = row.refsafe && !is_discrete(m.opt) ? 2 * row.timestep / row.substeps : 0;
  if (c.dim > 1) checked_solreffriction<double>(c.solreffriction, settings, clamps);
  Contact again{};
  if (set_parameters(m, c.geom[0], c.geom[1], c.pair, again) > 0) clamps |= static_cast<int>(RowClamp::kFriction);
  if (patch.row_estimate * (1 - out.solimp[1]) <= kTiny) clamps |= static_cast<int>(RowClamp::kRegularizer);
  out.clamped = clamp_notes(clamps);

  out.predict = predict_contact(patch, m, impact);
  add_notes(m, out);
  const double error = patch.response > 0 ? patch.row_estimate / (patch.response * out.contacts) : 1;
  if (c.dim > 1 && m.opt.resolution == Resolution::kSignorini) {
    add_note(out, "Sliding does not lift it, at any speed: resolution signorini.");
  }
  if (!patch.elliptic && c.dim > 1 && std::abs(c.friction[0] - 1) > 0.1) {
    add_note(
        out,
        "Friction pyramids change the softness along the normal with the friction coefficient; elliptic cones do not.");
  } else if (error > 2 || error < 0.5) {
    add_note(out, "The estimate of the inverse mass differs from the true one by a factor " + short_text(error) +
                      " (flag diagexact cures it).");
  }
  if (c.adhesion > 0) add_note(out, "Adhesion is not part of the predictions.");
  out.tuning = tuning_numbers(patch, m);
  return out;
}

Explanation explain_limit(const Model& m, const State& state, int joint, double impact) {
  if (joint < 0 || joint >= m.njnt) throw std::invalid_argument("no such joint");
  const JointKind& kind = joint_kind(m.jnt_type[joint]);
  if (!m.jnt_limited[joint]) throw std::invalid_argument("this joint has no limits");
  check_impact(impact);
  const AtRest rest(m, state);
  const State& s = rest.s;
  const Data& d = rest.d;
  Explanation out = about(m, ObjType::kJoint, joint, "joint limit", "joint");
  ScalarRow row = element_row(m, m.jnt_solref + kNumRef * joint, m.jnt_solimp + kNumImp * joint);
  const int dof = m.jnt_dofadr[joint];
  std::vector<double> unit(m.nv, 0.0);
  unit[dof] = 1;
  solve_mass(m, d, unit.data());
  row.response = unit[dof];
  row.estimate = m.opt.enableflags & kEnableDiagExact ? unit[dof] : m.dof_invweight0[dof];
  row.free_accel = -std::abs(d.qacc_smooth[dof]);
  const double load = -row.free_accel / row.response;
  take_row(row, out);
  out.range[0] = m.jnt_range[2 * joint], out.range[1] = m.jnt_range[2 * joint + 1];
  if (kind.is_scalar()) {
    const double q = s.qpos[m.jnt_qposadr[joint]];
    out.residual = std::max(out.range[0] - q, q - out.range[1]);
  }
  out.sources = {parameter("solreflimit", m.jnt_solref + kNumRef * joint, kNumRef, out.origin),
                 parameter("solimplimit", m.jnt_solimp + kNumImp * joint, kNumImp, out.origin),
                 parameter("range", m.jnt_range + 2 * joint, 2, out.origin)};
  out.clamped = clamp_notes(ScalarMap(row).clamps());
  out.predict = predict_row(row, load, impact, row.response);
  out.sentence = kind.is_length() ? "lengths in m, forces in N" : "angles in rad, torques in N·m";
  add_notes(m, out);
  out.tuning = tuning_numbers(row);
  return out;
}

Explanation explain_equality(const Model& m, const State& state, int equality, double impact) {
  if (equality < 0 || equality >= m.neq) throw std::invalid_argument("no such equality");
  check_impact(impact);
  const AtRest rest(m, state);
  const Data& d = rest.d;
  Explanation out = about(m, ObjType::kEquality, equality, "equality", "equality");
  ScalarRow row = element_row(m, m.eq_solref + kNumRef * equality, m.eq_solimp + kNumImp * equality);
  row.two_sided = true;
  if (is_discrete(m.opt)) row.refsafe = false;  // it lets equalities be as stiff as they are written
  // of its rows the one that carries most
  double load = -1, residual = 0;
  for (int i = 0; i < d.rows.ne; ++i) {
    if (d.rows.row_id[i] != equality) continue;
    ++out.contacts;
    residual += d.rows.row_pos[i] * d.rows.row_pos[i];
    std::vector<double> line(m.nv, 0.0);
    add_row_times(d.rows, i, 1.0, line.data());
    std::vector<double> solved = line;
    solve_mass(m, d, solved.data());
    double response = 0, accel = 0;
    for (int k = 0; k < m.nv; ++k) response += line[k] * solved[k], accel += line[k] * d.qacc_smooth[k];
    if (!(response > 0) || std::abs(accel) / response <= load) continue;
    load = std::abs(accel) / response;
    row.response = response;
    row.estimate = d.rows.row_diagA[i];
    row.free_accel = -std::abs(accel);
    // a mimic's row has a law of its own (mimic_soft_hd.h): the same one with a flat impedance
    if (m.eq_mimicid[equality] >= 0) {
      const double *law = d.rows.row_KBIP + 4 * i, share = law[2];
      row.solref = {-law[0] * share * share, -law[1] * share};
      row.solimp = {share, share, 0.001, 0.5, 2};
    }
  }
  if (out.contacts == 0 || load < 0)
    throw std::invalid_argument("this equality is not active, or nothing in it can move");
  take_row(row, out);
  out.residual = std::sqrt(residual);
  out.sources = {parameter("solref", m.eq_solref + kNumRef * equality, kNumRef, out.origin),
                 parameter("solimp", m.eq_solimp + kNumImp * equality, kNumImp, out.origin)};
  out.clamped = clamp_notes(ScalarMap(row).clamps());
  out.predict = predict_row(row, load, impact, row.response);
  out.sentence = "of its " + std::to_string(out.contacts) + " rows the one that carries most";
  out.tuning = tuning_numbers(row);
  return out;
}

}  // namespace pliant
