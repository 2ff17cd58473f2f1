// Budget of the timestep h: the longest one that each stiff element allows, and which of them is the shortest.
//
// Constraint rows. A row alone moves by v̇ = -b v - k r with b = d_e B, k = d_e d K, d_e = A d / (A d + (1-d) Â); a
// step of semi-implicit Euler keeps it stable while b h + k h²/2 < 2. A = J inv(M) J', Â its estimate, d impedance (the
// largest of the row), K and B from solref, which itself depends on h where refsafe raises its time constant to 2 h.
// Springs, dampers and actuator gains. Along p = inv(M) j, k and c per unit of inertia, of all elements together; c is
// split into the part the integrator takes implicitly (c_i) and the rest (c_e): stable while 2 h c_e + h² k < 4 + 2 h
// c_i; for RK4 while |R(h λ)| ≤ 1 at both roots of λ² + c λ + k. What breaks its bound is simulated before it is called
// an error: rows of contacts and limits alone, everything else by the growth of a small disturbance of the whole model.

#include <algorithm>
#include <array>
#include <map>

#include "constraint/metric_terms.h"
#include "doctor/doctor_smooth.h"
#include "collision/contact_params_hd.h"
#include "constraint/impedance_hd.h"

namespace pliant::doctoring {
namespace {

constexpr double kShortest = 1e-7, kLongest = 1, kFactor = 1.01;  // scan of h
constexpr double kNear = 1.25;        // limits within this factor of the timestep are worth a note
constexpr size_t kMostConfirmed = 4;  // elements simulated per kind
constexpr double kGrowing = 1.01;     // a disturbance that grows by more per step is no rounding
constexpr double kBeyondPhysics = 1.5;
constexpr double kFarTimestep = 0.05;  // of the timestep: shorter ones are no cure that anybody wants

// ---- rows

struct RowNumbers {
  double solref[2], solimp[5];
  double A = 1, estimate = 1;  // J inv(M) J' and Â
};

struct RowRates {
  double b, k;
};

RowSettings<double> settings_at(const Model& m, double h) {
  RowSettings<double> settings;
  settings.shortest_time = m.opt.disableflags & kDisableRefSafe ? 0 : 2 * h;
  return settings;
}

RowRates rates(const RowNumbers& law, const RowSettings<double>& settings) {
  int clamps = 0;
  const Solimp<double> imp = checked_solimp<double>(law.solimp, clamps);
  const SpringDamper<double> spring = spring_damper(checked_solref<double>(law.solref, settings, clamps), imp.dwidth);
  const bool flat = imp.d0 == imp.dwidth || imp.width <= kTiny;
  const double d = flat ? 0.5 * (imp.d0 + imp.dwidth) : std::max(imp.d0, imp.dwidth);
  const double share = law.A * d / (law.A * d + (1 - d) * law.estimate);
  return {share * spring.B, share * d * spring.K};
}

// Longest h below which the element is stable, by trying ever longer ones.
template <class Stable>
double longest(Stable&& stable) {
  for (double h = kShortest; h < kLongest; h *= kFactor) {
    if (!stable(h)) return h;
  }
  return kNever;
}

double row_limit(const Model& m, const RowNumbers& law) {
  if (is_discrete(m.opt)) return kNever;  // h b < 1 and h² k < 1 whatever solref says
  return longest([&](double h) {
    const RowRates r = rates(law, settings_at(m, h));
    return r.b * h + 0.5 * r.k * h * h < 2;
  });
}

// A mass of inverse inertia A thrown at the row under gravity, at several phases of a step: does it gain energy?
bool row_shakes(const Model& m, const RowNumbers& law, double h) {
  int clamps = 0;
  const Solimp<double> imp = checked_solimp<double>(law.solimp, clamps);
  const SpringDamper<double> spring =
      spring_damper(checked_solref<double>(law.solref, settings_at(m, h), clamps), imp.dwidth);
  constexpr int kSteps = 4000, kPhases = 8;
  constexpr double kGravity = 9.81, kSpeed = 0.1, kGain = 4;
  int gained = 0;
  for (int phase = 0; phase < kPhases; ++phase) {
    double r = kSpeed * h * phase / kPhases, v = -kSpeed, most = 0;
    const double start = 0.5 * v * v + kGravity * r;
    for (int i = 0; i < kSteps && most < kGain * start; ++i) {
      double a = -kGravity;
      if (r < 0) {
        const double d = impedance_at(imp, r).d;
        const double aref = -spring.B * v - spring.K * d * r;
        const double force = (aref + kGravity) / (law.A + regularizer(d, law.estimate));
        if (force > 0) a += law.A * force;
      }
      v += h * a;
      r += h * v;
      if (r >= 0) most = 0.5 * v * v + kGravity * r;  // in flight there is no spring to hide it
    }
    gained += most >= kGain * start;
  }
  return 2 * gained > kPhases;
}

// ---- findings

const char* code_of(const std::string& kind) {
  return kind == "contact"                       ? "D101"
         : kind == "limit"                       ? "D102"
         : kind == "equality" || kind == "mimic" ? "D103"
         : kind == "actuator"                    ? "D104"
                                                 : "D105";
}

struct Entry {
  TimestepLimit line;
  std::string change;
  std::vector<Evidence> evidence;
  RowNumbers law;                 // contacts and limits
  std::vector<double> direction;  // the rest: where a disturbance is put
};

bool unilateral(const Entry& e) { return e.line.kind == "contact" || e.line.kind == "limit"; }

/// What cures it, first what is usual: nobody simulates with a thousandth of a timestep.
std::string change_of(const Entry& e, double h) {
  const double stable = 0.5 * e.line.limit;
  if (stable > kFarTimestep * h) return "timestep=\"" + number(stable) + "\", or " + e.change;
  return e.change + "; without it a timestep of " + time_text(stable) + " would be needed";
}

void report(Case& c, const Pose& pose, std::vector<Entry>& entries) {
  const double h = c.m.opt.timestep;
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.line.limit < b.line.limit; });
  std::map<std::string, size_t> confirmed;
  for (Entry& e : entries) {
    if (e.line.limit < kNever) c.budget->push_back(e.line);
    if (!(e.line.limit < kNear * h)) continue;
    auto severity = FindingSeverity::kNote;
    std::string verdict = "the timestep of " + time_text(h) + " is close to that";
    if (e.line.limit <= h) {
      severity = FindingSeverity::kWarning;
      verdict = "the timestep is " + time_text(h);
      if (confirmed[e.line.kind]++ < kMostConfirmed) {
        const double growth = unilateral(e) ? 0 : disturbance_growth(c.m, pose.state, e.direction);
        // semi-implicit steps overshoot: what grows changes sign. Runge-Kutta's need not, but grow faster than any
        // physics
        const bool unstable = unilateral(e) ? row_shakes(c.m, e.law, h) : growth < -kGrowing || growth > kBeyondPhysics;
        if (unstable) severity = FindingSeverity::kError;
        verdict +=
            unstable ? "; a simulation confirms that it shakes ever more" : "; a simulation of it did not blow up";
        if (growth != 0) e.evidence.push_back({"growth per step", std::abs(growth), ""});
      }
    }
    e.evidence.insert(e.evidence.begin(), {"stable timestep", e.line.limit, "s"});
    add(c, code_of(e.line.kind), severity, e.line.element, e.line.origin,
        e.line.element + " (" + e.line.kind + ") allows a timestep of at most " + time_text(e.line.limit) + "; " +
            verdict,
        e.evidence, change_of(e, h), h / e.line.limit);
  }
}

// a time constant of 4 h at critical damping is far from every bound
std::string softer_solref(const char* attribute, double h) {
  return std::string(attribute) + "=\"" + number(std::max(4 * h, 0.02)) + " 1\" (time constant, damping ratio)";
}

Entry row_entry(const Model& m, const char* kind, std::string element, std::string origin, const RowNumbers& law,
                const char* attribute) {
  Entry e{{kind, std::move(element), std::move(origin), row_limit(m, law)},
          softer_solref(attribute, m.opt.timestep),
          {},
          law,
          {}};
  const RowRates r = rates(law, settings_at(m, m.opt.timestep));
  e.evidence = {{"stiffness k", r.k, "1/s^2"},
                {"damping b", r.b, "1/s"},
                {"b h + k h^2/2 (bound 2)", r.b * m.opt.timestep + 0.5 * r.k * m.opt.timestep * m.opt.timestep, ""}};
  return e;
}

RowNumbers law_of(const double* solref, const double* solimp, double A, double estimate) {
  RowNumbers law;
  std::copy(solref, solref + kNumRef, law.solref);
  std::copy(solimp, solimp + kNumImp, law.solimp);
  law.A = A > 0 ? A : 1;
  law.estimate = estimate > 0 ? estimate : law.A;
  return law;
}

void limit_entries(const Model& m, const Pose& pose, std::vector<Entry>& out) {
  if (m.opt.disableflags & (kDisableLimit | kDisableConstraint)) return;
  std::vector<double> x(m.nv);
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_limited[j] || joint_kind(m.jnt_type[j]).floats()) continue;
    const int dof = m.jnt_dofadr[j];
    x.assign(m.nv, 0);
    x[dof] = 1;
    to_leaders(m, x);
    const RowNumbers law = law_of(m.jnt_solref + kNumRef * j, m.jnt_solimp + kNumImp * j,
                                  inverse_inertia(m, pose.data, x), m.dof_invweight0[dof]);
    out.push_back(row_entry(m, "limit", "limit of " + element_text(m, ObjType::kJoint, j), m.origin(ObjType::kJoint, j),
                            law, "solreflimit"));
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (!m.tendon_limited[t]) continue;
    const int adr = m.ten_J_rowadr[t];
    x = sparse_row(m.nv, m.ten_J_colind + adr, pose.data.ten_J + adr, m.ten_J_rownnz[t]);
    const RowNumbers law = law_of(m.tendon_solref_lim + kNumRef * t, m.tendon_solimp_lim + kNumImp * t,
                                  inverse_inertia(m, pose.data, x), m.tendon_invweight0[t]);
    out.push_back(row_entry(m, "limit", "limit of " + element_text(m, ObjType::kTendon, t),
                            m.origin(ObjType::kTendon, t), law, "solreflimit"));
  }
}

void equality_entries(const Model& m, const Pose& pose, std::vector<Entry>& out) {
  const Rows& rows = pose.data.rows;
  std::map<int, Entry> worst;
  for (int i = 0; i < rows.ne; ++i) {
    const int eq = rows.row_id[i];
    if (m.eq_mimicid[eq] >= 0) continue;  // their compliance is not that of solref
    const std::vector<double> x = row_vector(m, rows, i);
    std::vector<double> p;
    const double A = inverse_inertia(m, pose.data, x, &p);
    const RowNumbers law = law_of(m.eq_solref + kNumRef * eq, m.eq_solimp + kNumImp * eq, A, rows.row_diagA[i]);
    const bool couples = equality_kind(m.eq_type[eq]).ties_joints() && m.eq_obj2id[eq] >= 0;
    Entry e = row_entry(m, couples ? "mimic" : "equality", element_text(m, ObjType::kEquality, eq),
                        m.origin(ObjType::kEquality, eq), law, "solref");
    e.direction = std::move(p);
    const auto [at, fresh] = worst.try_emplace(eq, e);
    if (!fresh && e.line.limit < at->second.line.limit) at->second = std::move(e);
  }
  for (auto& [eq, e] : worst) out.push_back(std::move(e));
}

// What geoms may differ in: those that agree stand for one another.
using GeomClass = std::array<double, 13>;
GeomClass class_of(const Model& m, int g) {
  GeomClass key = {
      double(m.geom_contype[g]), double(m.geom_conaffinity[g]), double(m.geom_priority[g]),           m.geom_solmix[g],
      m.geom_solref[2 * g],      m.geom_solref[2 * g + 1],      double(can_move(m, m.geom_bodyid[g]))};
  std::copy(m.geom_solimp + kNumImp * g, m.geom_solimp + kNumImp * (g + 1), key.begin() + 7);
  return key;
}

void contact_entry(const Model& m, int geom1, int geom2, int pair, std::vector<Entry>& out) {
  Contact contact;
  set_parameters(m, geom1, geom2, pair, contact);
  const double weight = m.body_invweight0[2 * m.geom_bodyid[geom1]] + m.body_invweight0[2 * m.geom_bodyid[geom2]];
  const RowNumbers law = law_of(contact.solref, contact.solimp, weight, weight);
  // the geom whose own numbers are the stiffer ones is the one to look at
  const int decides = pair >= 0 ? geom1
                      : m.geom_priority[geom1] != m.geom_priority[geom2]
                          ? (m.geom_priority[geom1] > m.geom_priority[geom2] ? geom1 : geom2)
                      : row_limit(m, law_of(m.geom_solref + 2 * geom1, m.geom_solimp + 5 * geom1, 1, 1)) <
                              row_limit(m, law_of(m.geom_solref + 2 * geom2, m.geom_solimp + 5 * geom2, 1, 1))
                          ? geom1
                          : geom2;
  out.push_back(row_entry(m, "contact", "contact of " + geom_pair_text(m, geom1, geom2),
                          pair >= 0 ? m.origin(ObjType::kPair, pair) : m.origin(ObjType::kGeom, decides), law,
                          "solref"));
}

void contact_entries(const Model& m, std::vector<Entry>& out) {
  if (m.opt.disableflags & (kDisableContact | kDisableConstraint)) return;
  for (int i = 0; i < m.npair; ++i) contact_entry(m, m.pair_geom1[i], m.pair_geom2[i], i, out);
  std::map<GeomClass, int> classes;
  for (int g = 0; g < m.ngeom; ++g) {
    if (m.geom_contype[g] || m.geom_conaffinity[g]) classes.try_emplace(class_of(m, g), g);
  }
  std::vector<int> geoms;
  for (const auto& [key, g] : classes) geoms.push_back(g);
  std::sort(geoms.begin(), geoms.end());
  constexpr size_t kMostClasses = 200;
  if (geoms.size() > kMostClasses) geoms.resize(kMostClasses);
  for (size_t a = 0; a < geoms.size(); ++a) {
    for (size_t b = a; b < geoms.size(); ++b) {
      const int g = geoms[a], f = geoms[b];
      const bool meet = (m.geom_contype[g] & m.geom_conaffinity[f]) || (m.geom_contype[f] & m.geom_conaffinity[g]);
      if (!meet || (!can_move(m, m.geom_bodyid[g]) && !can_move(m, m.geom_bodyid[f]))) continue;
      // a class alone: there must be a second geom for it to touch
      if (a == b) {
        bool other = false;
        for (int i = 0; i < m.ngeom && !other; ++i) other = i != g && class_of(m, i) == class_of(m, g);
        if (!other) continue;
      }
      contact_entry(m, g, f, -1, out);
    }
  }
}

void smooth_entries(const Model& m, const Pose& pose, std::vector<Entry>& out) {
  const bool rk4 = m.opt.integrator == Integrator::kRk4;
  const std::vector<Smooth> all = smooth_elements(m, pose);
  const bool alone = double(all.size()) * all.size() * m.nv > 3e8;
  // discrete takes stiffness and damping at the end of the step; as in the reference PGS does so for joints only
  const bool discrete = is_discrete(m.opt), terms = has_metric_terms(m);
  for (const Smooth& own : all) {
    if (discrete && (terms || (own.type != ObjType::kTendon && own.type != ObjType::kActuator))) continue;
    std::vector<double> p;
    const double a = inverse_inertia(m, pose.data, own.j, &p);
    if (!(a > 0)) continue;
    const SmoothRates r = rates_along(all, p, a, alone, own), mine = rates_along(all, p, a, true, own);
    // what another element does along the same way is that one's line
    if (mine.k < 0.5 * r.k || (mine.k == 0 && mine.c_explicit < 0.5 * r.c_explicit) || (mine.k == 0 && own.implicit))
      continue;
    const double limit = longest([&](double h) { return smooth_stable(r, h, rk4); });
    const double inertia = 1 / a;
    std::string change = "more armature at the joint, or a smaller value";
    if (own.k <= 0 && own.b > 0 && limit < kNever) {
      const double h = m.opt.timestep;
      change = std::string(own.type == ObjType::kActuator ? "kv" : "damping") + "=\"" +
               number(0.25 * own.b * std::min(1.0, limit / h)) + "\" or less, or armature=\"" + number(2 * own.b * h) +
               "\" or more at the joint, or integrator=\"implicitfast\"";
    }
    if (own.k > 0 && limit < kNever) {
      const double h = m.opt.timestep;
      const std::string name = own.type == ObjType::kActuator ? "kp" : "stiffness";
      change = name + "=\"" + number(0.25 * own.k * std::min(1.0, limit * limit / (h * h))) +
               "\" or less, or armature=\"" + number(std::max(own.k * h * h, 2 * own.b * h)) +
               "\" or more at the joint, or integrator=\"discrete\"" + (discrete ? " with solver Newton" : "");
    }
    Entry e{{own.kind, element_text(m, own.type, own.id), m.origin(own.type, own.id), limit}, change, {}, {}, p};
    e.evidence = {{own.type == ObjType::kActuator ? "gain kp" : "stiffness", own.k, "N/m|N m/rad"},
                  {"damping", own.b, "N s/m|N m s/rad"},
                  {"inertia felt", inertia, "kg|kg m^2"}};
    out.push_back(std::move(e));
  }
}

}  // namespace

void check_timestep(Case& c, const Pose& pose) {
  std::vector<Entry> entries;
  if (c.m.nv == 0) return;
  smooth_entries(c.m, pose, entries);
  if (!(c.m.opt.disableflags & kDisableConstraint)) equality_entries(c.m, pose, entries);
  limit_entries(c.m, pose, entries);
  contact_entries(c.m, entries);
  report(c, pose, entries);
}

}  // namespace pliant::doctoring
