// Friction that cannot hold: slopes steeper than the friction, grips weaker than the weight, creep, and values that
// never count.
//
// On a slope of angle θ a contact needs μ ≥ tan θ. A grip of normal forces fᵢ holds at most Σ μ fᵢ along the surfaces.
// Below that, soft friction creeps at v = f R / B with f its force, R the give of the row and B its damping.

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kFlat = 0.03, kSteep = 1.4;  // [rad] slopes worth a line
constexpr int kHeap = 20;                     // trees: in a heap something always slides, and nobody minds
constexpr double kMostFriction = 1.5;         // rubber on dry concrete; beyond it a surface is sticky
constexpr double kFastCreep = 0.005;          // [m/s]

// Contacts of a free body, each with its normal towards the body.
struct Touch {
  int contact, body;
  double normal[3], force, mu;
};
using Touches = std::map<int, std::vector<Touch>>;  // by tree

Touches touches_of(const Model& m, const Data& d) {
  Touches out;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.row < 0) continue;
    double force[6];
    contact_force(d, i, force);
    for (int side = 0; side < 2; ++side) {
      const int body = m.geom_bodyid[contact.geom[side]], root = m.body_rootid[body];
      if (!floats(m, body)) continue;
      if (m.body_treeid[body] == m.body_treeid[m.geom_bodyid[contact.geom[1 - side]]]) continue;
      Touch t{i, root, {}, force[0], contact.dim == 1 ? 0 : contact.friction[0]};
      for (int k = 0; k < 3; ++k) t.normal[k] = (side ? 1 : -1) * contact.frame[k];
      out[m.body_treeid[body]].push_back(t);
    }
  }
  return out;
}

double along(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

int other_geom(const Model& m, const Contact& contact, int tree) {
  return m.body_treeid[m.geom_bodyid[contact.geom[0]]] == tree ? contact.geom[1] : contact.geom[0];
}

void report_slope(Case& c, const Pose& pose, int tree, const std::vector<Touch>& touches, const double* up) {
  const Model& m = c.m;
  const Touch& t = touches[0];
  const double angle = std::acos(std::clamp(along(t.normal, up), -1.0, 1.0));
  if (angle < kFlat || angle > kSteep) return;
  double mu = 0;
  for (const Touch& touch : touches) mu = std::max(mu, touch.mu);
  const Contact& contact = pose.data.contact[t.contact];
  const int surface = other_geom(m, contact, tree);
  if (can_move(m, m.geom_bodyid[surface])) return;
  const double needed = std::tan(angle);
  const std::string body = element_text(m, ObjType::kBody, t.body), on = element_text(m, ObjType::kGeom, surface);
  if (mu < needed) {
    const bool holds = 1.2 * needed <= kMostFriction;
    add(c, "D801", FindingSeverity::kWarning, geom_pair_text(m, contact.geom[0], contact.geom[1]),
        m.origin(ObjType::kGeom, contact.geom[1]),
        body + " lies on " + on + ", a slope of " + number(angle * 180 / kPi) + " degrees, which needs friction " +
            number(needed) + "; there is " + number(mu) + (contact.dim == 1 ? " (condim 1: none)" : "") +
            ", so it slides",
        {{"friction", mu, ""}, {"needed", needed, ""}, {"slope", angle, "rad"}},
        holds ? "friction=\"" + number(1.2 * needed) + "\" on one of the two geoms (the larger counts)" +
                    (contact.dim == 1 ? " and condim=\"3\"" : "")
              : "a slope of " + number(std::atan(kMostFriction / 1.2) * 180 / kPi) +
                    " degrees or less, or something that holds it: no dry surface has that friction",
        1 + needed / std::max(mu, 0.05));
    return;
  }
  // v = f R / B along the surface, the load shared by its contacts
  const Rows& rows = pose.data.rows;
  double give = 0;
  for (const Touch& touch : touches) {
    const int row = pose.data.contact[touch.contact].row;
    const bool elliptic = static_cast<RowType>(rows.row_type[row]) == RowType::kContactElliptic;
    const int at = elliptic ? row + 1 : row;
    // two opposite edges of a pyramid share a direction, each along μ t
    const double r = elliptic ? rows.row_R[at] : rows.row_R[at] / (2 * touch.mu * touch.mu);
    give += rows.row_KBIP[4 * at + 1] / r;
  }
  const double creep = give > 0 ? m.body_subtreemass[t.body] * gravity_size(m) * std::sin(angle) / give : 0;
  if (creep > kFastCreep && !contact.anchored) {
    add(c, "D802", FindingSeverity::kNote, geom_pair_text(m, contact.geom[0], contact.geom[1]),
        m.origin(ObjType::kGeom, contact.geom[1]),
        body + " holds on " + on + ", but creeps down at about " + length_text(creep) + "/s: friction is soft",
        {{"creep speed", creep, "m/s"}},
        "friction=\"anchored\" in <option>, or friction_law=\"anchored\" on one of the two geoms; for MuJoCo "
        "cone=\"elliptic\" impratio=\"10\", or noslip_iterations=\"3\"",
        creep / kFastCreep);
  }
}

void report_grip(Case& c, const Pose& pose, const std::vector<Touch>& touches, const double* up) {
  const Model& m = c.m;
  double most = 0, squeeze = 0, opposing = 1;
  for (const Touch& t : touches) {
    most += t.mu * t.force + std::max(0.0, along(t.normal, up)) * t.force;
    squeeze += t.force;
    for (const Touch& other : touches) opposing = std::min(opposing, along(t.normal, other.normal));
  }
  const int body = touches[0].body;
  const double weight = m.body_subtreemass[body] * gravity_size(m);
  // what is hardly touched is not held, and falls anyhow
  if (opposing > -0.5 || most >= weight || !(squeeze > 0.02 * weight)) return;
  const Contact& contact = pose.data.contact[touches[0].contact];
  const double mu = 1.5 * weight / squeeze;
  add(c, "D801", FindingSeverity::kWarning, geom_pair_text(m, contact.geom[0], contact.geom[1]),
      m.origin(ObjType::kGeom, contact.geom[1]),
      element_text(m, ObjType::kBody, body) + " is held from the sides with " + number(squeeze) + " N at " + pose.name +
          "; friction can carry " + number(most) + " N of its weight of " + number(weight) + " N, so it slips",
      {{"friction can carry", most, "N"}, {"weight", weight, "N"}, {"squeeze", squeeze, "N"}},
      (mu <= kMostFriction ? "friction of " + number(mu) + ", " : std::string()) + "a grip of " +
          number(squeeze * 1.5 * weight / std::max(most, 1e-9)) + " N, or a lighter body",
      1 + weight / std::max(most, 1e-3 * weight));
}

// A geom whose low friction no partner can have.
void report_unused(Case& c) {
  const Model& m = c.m;
  for (int g = 0; g < m.ngeom; ++g) {
    const double mu = m.geom_friction[3 * g];
    if (mu > 0.3 || m.geom_condim[g] == 1 || !(m.geom_contype[g] || m.geom_conaffinity[g])) continue;
    double least = kNever;
    int priority = m.geom_priority[g];
    bool counts = false;
    for (int f = 0; f < m.ngeom; ++f) {
      const bool meet = (m.geom_contype[g] & m.geom_conaffinity[f]) || (m.geom_contype[f] & m.geom_conaffinity[g]);
      if (f == g || !meet || m.geom_bodyid[f] == m.geom_bodyid[g]) continue;
      if (!can_move(m, m.geom_bodyid[f]) && !can_move(m, m.geom_bodyid[g])) continue;
      counts |= m.geom_priority[g] > m.geom_priority[f] || m.geom_friction[3 * f] <= mu;
      least = std::min(least, m.geom_friction[3 * f]);
      priority = std::max(priority, m.geom_priority[f]);
    }
    if (counts || !(least < kNever)) continue;
    add(c, "D803", FindingSeverity::kNote, ObjType::kGeom, g,
        element_text(m, ObjType::kGeom, g) + " has friction " + number(mu) + ", but all it can touch has at least " +
            number(least) + ", and the larger of the two counts",
        {{"friction", mu, ""}, {"used", least, ""}}, "priority=\"" + std::to_string(priority + 1) + "\" on it",
        least / std::max(mu, 0.01));
  }
}

}  // namespace

void check_friction(Case& c, const Pose& pose) {
  const Model& m = c.m;
  const double g = gravity_size(m);
  if (pose.key == -1) report_unused(c);
  if (g == 0 || (pose.key == kTrialKey && m.ntree > kHeap)) return;
  const double up[3] = {-m.opt.gravity[0] / g, -m.opt.gravity[1] / g, -m.opt.gravity[2] / g};
  for (const auto& entry : touches_of(m, pose.data)) {
    const auto& tree = entry.first;
    const auto& touches = entry.second;  // no structured binding: lambdas take it
    const auto all = [&](auto&& test) { return std::all_of(touches.begin(), touches.end(), test); };
    const bool one_surface = all([&](const Touch& t) { return along(t.normal, touches[0].normal) > 0.99; });
    const bool from_sides = all([&](const Touch& t) { return std::abs(along(t.normal, up)) < 0.5; });
    if (one_surface)
      report_slope(c, pose, tree, touches, up);
    else if (from_sides)
      report_grip(c, pose, touches, up);
  }
}

}  // namespace pliant::doctoring
