// Masses and moments: tensors no body can have, tensors that do not fit the shape, ratios that make constraints soft or
// stiff.
//
// Moments λ₁ … λ₃ belong to a body if 0 < λᵢ ≤ λⱼ + λₖ: then ½ Σλ - λᵢ = ∫ xᵢ² dm ≥ 0. The nearest such triple is the
// projection on that cone. A stack presses its lowest contact with all the weight above: a row gives way by R f, and R
// belongs to the lighter side, so the depth at rest grows with the ratio of the masses.

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"
#include "base/text.h"
#include "constraint/impedance_hd.h"
#include "math/principal_axes.h"

namespace pliant {

void nearest_moments(const double moments[3], double valid[3]) {
  // by second moments s_i = ∫ x_i² dm = ½ Σλ - λ_i, all at least 0: λ = (s₂+s₃, s₁+s₃, s₁+s₂). Least squares over which
  // of them are zero; three unknowns, so all cases are tried.
  double best = std::numeric_limits<double>::infinity();
  for (int zero = 0; zero < 8; ++zero) {
    double s[3] = {};
    // normal equations of λ = L s with L = 1 - I: L'L = 1 + I restricted to the free ones
    int free = 0;
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
      if (zero >> i & 1) continue;
      ++free;
      sum += moments[0] + moments[1] + moments[2] - moments[i];
    }
    for (int i = 0; i < 3; ++i) {
      if (zero >> i & 1) continue;
      s[i] = moments[0] + moments[1] + moments[2] - moments[i] - sum / (free + 1);
    }
    if (std::min({s[0], s[1], s[2]}) < 0) continue;
    const double trial[3] = {s[1] + s[2], s[0] + s[2], s[0] + s[1]};
    double error = 0;
    for (int i = 0; i < 3; ++i) error += (trial[i] - moments[i]) * (trial[i] - moments[i]);
    if (error < best) best = error, std::copy(trial, trial + 3, valid);
  }
}

namespace doctoring {
namespace {

constexpr double kSlack = 1e-6;                         // files round
constexpr double kMostRadius = 3, kLeastRadius = 0.05;  // radius of gyration against that of the shape
constexpr double kChainRatio = 200, kStackRatio = 15;

bool impossible(const double* x) {
  const double largest = std::max({x[0], x[1], x[2]}), sum = x[0] + x[1] + x[2];
  return std::min({x[0], x[1], x[2]}) < 0 || largest > (sum - largest) * (1 + kSlack) + 1e-15;
}

std::string three(const double* x) { return number(x[0]) + " " + number(x[1]) + " " + number(x[2]); }

void report_impossible(Case& c, FindingSeverity severity, const std::string& element, const std::string& origin,
                       const double* moments, const double* full) {
  double valid[3];
  nearest_moments(moments, valid);
  // a hair inside the cone, so that rounding does not lead out again; a thin body keeps some thickness
  const double floor = 1e-3 * std::max({valid[0], valid[1], valid[2]});
  for (double& x : valid) x = std::max(x, floor) * (1 + 1e-4) + floor * 1e-3;
  const double largest = std::max({moments[0], moments[1], moments[2]});
  const double others = moments[0] + moments[1] + moments[2] - largest;
  add(c, "D301", severity, element, origin,
      element + " has principal moments of inertia " + three(moments) +
          " kg m², which no rigid body can have: the largest, " + number(largest) +
          ", exceeds the sum of the others, " + number(others) + (full ? " (from fullinertia)" : ""),
      {{"largest moment", largest, "kg m^2"}, {"sum of the others", others, "kg m^2"}},
      "nearest valid tensor: diaginertia=\"" + three(valid) + "\"" + (full ? " in the principal frame" : ""),
      10 + largest / std::max(others, 1e-12));
}

// Principal moments of a symmetric 3x3 (xx yy zz xy xz yz).
void principal_moments(const double f[6], double (&moments)[3]) {
  const double full[3][3] = {{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}};
  Quat axes;
  principal_axes(full, moments, axes);
}

// Farthest a point of the body's geoms can be from its centre of mass; 0 if it has none.
double shape_radius(const Model& m, int body) {
  double radius = 0;
  for (int k = 0; k < m.body_geomnum[body]; ++k) {
    const int g = m.body_geomadr[body] + k;
    const double* at = m.geom_pos + 3 * g;
    const double* com = m.body_ipos + 3 * body;
    radius = std::max(radius, std::hypot(at[0] - com[0], at[1] - com[1], at[2] - com[2]) + m.geom_rbound[g]);
  }
  return radius;
}

}  // namespace

GeomsPlace place_of_geoms(const Model& m, int body) {
  GeomsPlace out;
  double weight = 0;
  const int first = m.body_geomadr[body], end = first + m.body_geomnum[body];
  const auto bounded = [&](int g) {
    const auto type = static_cast<GeomType>(m.geom_type[g]);
    return type != GeomType::kPlane && type != GeomType::kHfield;
  };
  for (int g = first; g < end; ++g) {
    if (!bounded(g)) continue;
    for (int k = 0; k < 3; ++k) out.centre[k] += m.geom_rbound[g] * m.geom_pos[3 * g + k];
    weight += m.geom_rbound[g];
  }
  if (!(weight > 0)) return out;
  for (double& x : out.centre) x /= weight;
  const double* com = m.body_ipos + 3 * body;
  out.away = kNever;
  for (int g = first; g < end; ++g) {
    if (!bounded(g)) continue;
    const double* at = m.geom_pos + 3 * g;
    const auto distance = [&](const double* from) {
      return std::hypot(at[0] - from[0], at[1] - from[1], at[2] - from[2]);
    };
    out.radius = std::max(out.radius, distance(out.centre) + m.geom_rbound[g]);
    out.away = std::min(out.away, std::max(0.0, distance(com) - m.geom_rbound[g]));
  }
  return out;
}

void check_spec_inertia(Case& c, const Spec& spec, FindingSeverity severity) {
  for (const BodySpec& body : spec.bodies) {
    if (!body.has_inertial) continue;
    double moments[3] = {body.inertia[0], body.inertia[1], body.inertia[2]};
    const bool full = defined(body.fullinertia[0]);
    if (full) principal_moments(body.fullinertia.data(), moments);
    if (!impossible(moments)) continue;
    const Origin at = spec.origin(body.inertial_source, full ? "fullinertia" : "diaginertia");
    const std::string file = at.file >= 0 && at.file < int(spec.files.size()) ? spec.files[at.file] : "";
    report_impossible(c, severity, "body '" + body.name + "'",
                      file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column), moments,
                      full ? body.fullinertia.data() : nullptr);
  }
}

void check_inertia(Case& c) {
  const Model& m = c.m;
  for (int b = 1; b < m.nbody; ++b) {
    const double *moments = m.body_inertia + 3 * b, mass = m.body_mass[b];
    if (impossible(moments)) {
      report_impossible(c, FindingSeverity::kError, element_text(m, ObjType::kBody, b), m.origin(ObjType::kBody, b),
                        moments, nullptr);
      continue;
    }
    const double shape = shape_radius(m, b);
    if (!can_move(m, b) || mass <= 1e-6 || shape <= 0) continue;
    if (const GeomsPlace geoms = place_of_geoms(m, b); geoms.away > kFarCentre * geoms.radius) {
      add(c, "D302", FindingSeverity::kWarning, ObjType::kBody, b,
          "the centre of mass of " + element_text(m, ObjType::kBody, b) + " is " + length_text(geoms.away) +
              " away from its geoms, which are " + length_text(2 * geoms.radius) + " large",
          {{"distance", geoms.away, "m"}, {"radius of the geoms", geoms.radius, "m"}, {"mass", mass, "kg"}},
          "check units of <inertial>; amid its geoms it is <inertial pos=\"" + number(geoms.centre[0]) + " " +
              number(geoms.centre[1]) + " " + number(geoms.centre[2]) + "\">",
          geoms.away / geoms.radius);
      continue;
    }
    const double radius = std::sqrt(std::max({moments[0], moments[1], moments[2]}) / mass);
    if (radius > kMostRadius * shape || radius < kLeastRadius * shape) {
      const bool large = radius > shape;
      // as a solid of that size would have
      const double typical = 0.4 * mass * shape * shape;
      add(c, "D302", FindingSeverity::kWarning, ObjType::kBody, b,
          element_text(m, ObjType::kBody, b) + " has the inertia of something " +
              (large ? "much larger" : "much smaller") +
              " than its geoms: a radius of gyration (distance at which its mass sits) of " + length_text(radius) +
              ", geoms within " + length_text(shape),
          {{"radius of gyration", radius, "m"}, {"radius of the geoms", shape, "m"}, {"mass", mass, "kg"}},
          "check units of <inertial>; a solid of that size has about diaginertia=\"" + number(typical) + " " +
              number(typical) + " " + number(typical) + "\"",
          large ? radius / shape / kMostRadius : kLeastRadius * shape / radius);
    }
  }
}

// In a chain, what a joint carries against what it adds: the mass matrix loses digits, and forces between them ring.
void check_chains(Case& c) {
  const Model& m = c.m;
  for (int b = 1; b < m.nbody; ++b) {
    if (m.body_weldid[b] != b || m.body_dofnum[b] == 0) continue;
    // mass of the rigid group, and of everything hinged to it
    double own = 0, carried = 0;
    int heaviest = -1;
    for (int i = b; i < m.nbody; ++i) {
      if (m.body_weldid[i] == b) own += m.body_mass[i];
      if (m.body_weldid[i] == i && i != b && m.body_weldid[m.body_parentid[i]] == b) {
        carried += m.body_subtreemass[i];
        if (heaviest < 0 || m.body_subtreemass[i] > m.body_subtreemass[heaviest]) heaviest = i;
      }
    }
    if (heaviest < 0) continue;
    double armature = kNever;
    for (int k = 0; k < m.body_dofnum[b]; ++k) armature = std::min(armature, m.dof_armature[m.body_dofadr[b] + k]);
    const double ratio = carried / std::max(own, 1e-12);
    if (ratio < kChainRatio || armature > 0) continue;
    add(c, "D303", own > 0 ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kBody, b,
        element_text(m, ObjType::kBody, b) + " weighs " + number(own) + " kg and carries " + number(carried) + " kg (" +
            element_text(m, ObjType::kBody, heaviest) + " and what follows), a mass ratio of " + number(ratio) +
            "; constraints on it will be soft or shake",
        {{"mass", own, "kg"}, {"mass carried", carried, "kg"}, {"ratio", ratio, ""}},
        "mass=\"" + number(carried / 100) + "\" or more, or armature (rotor inertia) at its joint",
        ratio / kChainRatio);
  }
}

namespace {

// Trees that rest on one another: who carries whom, from the contacts whose normals are upright.
struct Stack {
  struct Edge {
    int lower, upper, contact;
  };
  std::vector<Edge> edges;   // one per pair of trees
  std::vector<double> load;  // mass that lies on each tree
  std::vector<int> root, supports;
};

Stack stack_of(const Model& m, const Data& d, const double* up) {
  Stack s;
  s.load.assign(m.ntree, 0);
  s.supports.assign(m.ntree, 0);
  s.root.assign(m.ntree, 0);
  std::map<std::pair<int, int>, int> pairs;  // (lower, upper), the lower -1 if it cannot move
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.row < 0) continue;
    double upright = 0;
    for (int k = 0; k < 3; ++k) upright += contact.frame[k] * up[k];
    if (std::abs(upright) < 0.5) continue;
    // the normal points from the first geom to the second
    const int above = upright > 0 ? 1 : 0;
    const int lower = m.geom_bodyid[contact.geom[1 - above]], upper = m.geom_bodyid[contact.geom[above]];
    if (!can_move(m, upper) || m.body_treeid[lower] == m.body_treeid[upper]) continue;
    if (pairs.try_emplace({m.body_treeid[lower], m.body_treeid[upper]}, i).second) ++s.supports[m.body_treeid[upper]];
    s.root[m.body_treeid[upper]] = m.body_rootid[upper];
    if (can_move(m, lower)) s.root[m.body_treeid[lower]] = m.body_rootid[lower];
  }
  for (const auto& [trees, contact] : pairs) {
    if (trees.first >= 0) s.edges.push_back({trees.first, trees.second, contact});
  }
  // from the top down, each tree after all that lie on it; what has several supports is shared by them. Trees that lie
  // on each other in a ring are no stack: they and what is below them keep what was counted so far
  std::vector<int> waits(m.ntree, 0), ready;
  for (const auto& edge : s.edges) ++waits[edge.lower];
  for (int tree = 0; tree < m.ntree; ++tree) {
    if (waits[tree] == 0) ready.push_back(tree);
  }
  for (size_t i = 0; i < ready.size(); ++i) {
    for (const auto& [lower, upper, contact] : s.edges) {
      if (upper != ready[i]) continue;
      s.load[lower] += (m.body_subtreemass[s.root[upper]] + s.load[upper]) / s.supports[upper];
      if (--waits[lower] == 0) ready.push_back(lower);
    }
  }
  return s;
}

// Depth at rest of a contact under `ratio` times the weight of its lighter side: r = a (1 - d) / (d² K).
double depth_at_rest(const Model& m, const Contact& contact, double ratio) {
  int clamps = 0;
  RowSettings<double> settings;
  settings.shortest_time = m.opt.disableflags & kDisableRefSafe ? 0 : 2 * m.opt.timestep;
  const Solimp<double> imp = checked_solimp<double>(contact.solimp, clamps);
  const auto spring = spring_damper(checked_solref<double>(contact.solref, settings, clamps), imp.dwidth);
  return ratio * gravity_size(m) * (1 - imp.dwidth) / (imp.dwidth * imp.dwidth * std::max(spring.K, 1e-12));
}

}  // namespace

void check_stacks(Case& c, const Pose& pose) {
  const Model& m = c.m;
  const double g = gravity_size(m);
  // (the flag diagstack cures it)
  if (g == 0 || m.opt.enableflags & kEnableDiagStack) return;
  const double up[3] = {-m.opt.gravity[0] / g, -m.opt.gravity[1] / g, -m.opt.gravity[2] / g};
  const Stack s = stack_of(m, pose.data, up);
  for (const auto& [lower, upper, i] : s.edges) {
    const int light = s.root[lower], heavy = s.root[upper];
    const double mass = m.body_subtreemass[light], ratio = s.load[lower] / std::max(mass, 1e-12);
    if (ratio < kStackRatio) continue;
    const Contact& contact = pose.data.contact[i];
    const int side = m.body_treeid[m.geom_bodyid[contact.geom[0]]] == lower ? 0 : 1;
    const double* half = m.geom_aabb + 6 * contact.geom[side] + 3;
    const double thin = std::min({half[0], half[1], half[2]}), depth = depth_at_rest(m, contact, ratio);
    add(c, "D304", depth > thin ? FindingSeverity::kError : FindingSeverity::kWarning, ObjType::kBody, light,
        element_text(m, ObjType::kBody, light) + " of " + number(mass) + " kg carries " + number(s.load[lower]) +
            " kg (" + element_text(m, ObjType::kBody, heavy) + " of " + number(m.body_subtreemass[heavy]) +
            " kg lies on it), a mass ratio of " + number(ratio) +
            ": a contact is as soft as its lighter side, so it sinks in by about " + length_text(depth) + " at rest",
        {{"ratio", ratio, ""}, {"predicted depth", depth, "m"}, {"depth now", -contact.dist, "m"}},
        "<flag diagstack=\"enable\"/> in <option>; for MuJoCo a heavier body below, mass=\"" +
            number(s.load[lower] / kStackRatio * 1.1) +
            "\"; or for this pair a stiffer contact, solimp=\"0.99 0.999\" and solref=\"" + number(2 * m.opt.timestep) +
            " 1\"",
        ratio / kStackRatio);
  }
}

}  // namespace doctoring
}  // namespace pliant
