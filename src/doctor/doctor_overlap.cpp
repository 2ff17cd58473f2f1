// What is violated before the first step: geoms inside each other, equalities that do not hold.

#include <algorithm>
#include <map>

#include "doctor/doctor_case.h"

namespace pliant::doctoring {
namespace {

constexpr double kShallow = 0.01;     // depth as a share of the smaller geom that is still a resting contact
constexpr double kDeep = 0.1;         // … that no contact reaches by itself
constexpr double kHopeless = 0.5;     // … that cannot be meant
constexpr double kLeastDepth = 5e-4;  // [m]
constexpr double kViolentPush = 50;   // acceleration in units of gravity that nobody means
constexpr double kRestingPush = 5;    // … that a foot set down a little too deep gets

// Size of a geom across: its smallest half size, as what can be penetrated.
double thickness(const Model& m, int g) {
  const double* half = m.geom_aabb + 6 * g + 3;
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  if (type == GeomType::kPlane || type == GeomType::kHfield) return kNever;
  return std::min({half[0], half[1], half[2]});
}

struct Overlap {
  double depth = 0;  // deepest [m]
  double force = 0;  // of all its contacts along their normals [N]
  int contact = -1;
};

bool is_ground(const Model& m, int g) {
  const auto type = static_cast<GeomType>(m.geom_type[g]);
  return type == GeomType::kPlane || type == GeomType::kHfield;
}

// A tree that only contacts hold and something that cannot move: one start to lift, however many geoms touch.
// (tree, geom that cannot move), or two geoms.
std::pair<int, int> pair_of(const Model& m, const Contact& c) {
  for (int side = 0; side < 2; ++side) {
    const int body = m.geom_bodyid[c.geom[side]], other = m.geom_bodyid[c.geom[1 - side]];
    if (floats(m, body) && !can_move(m, other)) return {-1 - m.body_treeid[body], c.geom[1 - side]};
  }
  return {c.geom[0], c.geom[1]};
}

/// The one to move apart: what floats before what hangs on joints, the second before the first.
int moving_body(const Model& m, const Contact& c) {
  const int first = m.geom_bodyid[c.geom[0]], second = m.geom_bodyid[c.geom[1]];
  if (floats(m, first) != floats(m, second)) return floats(m, second) ? second : first;
  return can_move(m, second) ? second : first;
}

// Where to start instead.
std::string start_apart(const Model& m, const Pose& pose, const Contact& contact, double depth) {
  const int body = moving_body(m, contact), root = m.body_rootid[body];
  const bool second = body == m.geom_bodyid[contact.geom[1]];
  const std::string where = length_text(depth) + " along " + direction_text(contact.frame, second ? 1 : -1);
  if (!floats(m, body)) {
    return pose.key < 0 ? "move " + element_text(m, ObjType::kBody, root) + " by " + where
                        : "other joint positions in " + pose.name + ", or move " +
                              element_text(m, ObjType::kBody, root) + " by " + where;
  }
  const std::string whole = element_text(m, ObjType::kBody, root);
  return "start " + whole + (body == root ? "" : ", and with it all of its tree,") + " further off by " + where +
         (pose.key < 0 ? " (its pos)" : " (qpos of " + pose.name + ")");
}

// Acceleration with which a force along the normal parts the two: by the bodies' inverse weights.
double parting(const Model& m, const Contact& c, double force) {
  return force * (m.body_invweight0[2 * m.geom_bodyid[c.geom[0]]] + m.body_invweight0[2 * m.geom_bodyid[c.geom[1]]]);
}

}  // namespace

void check_overlaps(Case& c, const Pose& pose) {
  const Model& m = c.m;
  const Data& d = pose.data;
  std::map<std::pair<int, int>, Overlap> pairs;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.dist >= 0 || contact.row < 0) continue;
    Overlap& overlap = pairs[pair_of(m, contact)];
    double force[6];
    contact_force(d, i, force);
    overlap.force += force[0];
    if (-contact.dist > overlap.depth) overlap.depth = -contact.dist, overlap.contact = i;
  }
  for (const auto& [key, overlap] : pairs) {
    const Contact& contact = d.contact[overlap.contact];
    const std::pair<int, int> geoms(contact.geom[0], contact.geom[1]);
    const double thin = std::min(thickness(m, geoms.first), thickness(m, geoms.second));
    const double share = overlap.depth / thin;
    // a tree that only contacts hold moves as a whole
    const double whole = key.first < 0 ? overlap.force / std::max(tree_mass(m, moving_body(m, contact)), 1e-9) : 0;
    const double push = (key.first < 0 ? whole : parting(m, contact, overlap.force)) / std::max(gravity_size(m), 1.0);
    if (overlap.depth < kLeastDepth || share < kShallow) continue;
    const int body1 = m.geom_bodyid[geoms.first], body2 = m.geom_bodyid[geoms.second];
    const bool fixed = !can_move(m, body1) || !can_move(m, body2);
    const bool ground = is_ground(m, geoms.first) || is_ground(m, geoms.second);
    // what stands on something and is hardly pushed: feet at rest
    const bool rests = fixed && share < kDeep && push < kRestingPush;
    if (rests && (floats(m, body1) || floats(m, body2))) continue;
    auto severity = FindingSeverity::kNote;
    if (share > kDeep || push > kViolentPush) severity = FindingSeverity::kWarning;
    // many robots are meant to start at a keyframe, and their qpos0 is never run
    const bool starts_here = pose.key >= 0 || m.nkey == 0;
    if (share > kHopeless && push > kViolentPush && starts_here) severity = FindingSeverity::kError;
    std::string change = exclude_line(m, body1, body2);
    // nobody wants feet that fall through the floor, or boxes of a stack that fall through each other
    if (!fixed && m.body_treeid[body1] != m.body_treeid[body2]) {
      change = start_apart(m, pose, contact, overlap.depth);
    } else if (fixed && (ground || floats(m, body1) || floats(m, body2))) {
      change = start_apart(m, pose, contact, overlap.depth);
    } else if (fixed) {
      change = start_apart(m, pose, contact, overlap.depth) + "; or " + change;
    }
    const std::string other = element_text(m, ObjType::kGeom, geoms.first);
    add(c, "D201", severity, geom_pair_text(m, geoms.first, geoms.second), m.origin(ObjType::kGeom, geoms.second),
        other + " at " + m.origin(ObjType::kGeom, geoms.first) + " and " +
            element_text(m, ObjType::kGeom, geoms.second) + " overlap by " + length_text(overlap.depth) + " at " +
            pose.name + ", " + percent(share) + " of the thinner one; they are pushed apart with " +
            number(overlap.force) + " N, an acceleration of " + number(push) + " g",
        {{"depth", overlap.depth, "m"}, {"force", overlap.force, "N"}, {"acceleration / gravity", push, ""}}, change,
        share / kDeep + push / kViolentPush);
  }
}

void check_residuals(Case& c, const Pose& pose) {
  const Model& m = c.m;
  for (const Residual& r : constraint_residuals(m, pose.data)) {
    const bool limit = r.kind.ends_with("limit");
    if (limit) continue;  // D601
    const double size = std::abs(r.value);
    const bool angle = r.kind == "weld rotation";
    // of the model's own size, so that millimetres count in a watch and not in a crane
    const double bound = angle ? 0.02 : 2e-3 * std::max(m.stat.extent, 0.1);
    if (!(size > bound)) continue;
    const double force = std::abs(r.force);
    const double weight = std::max(m.body_subtreemass[0] * gravity_size(m), 1e-9);
    add(c, "D202", size > 20 * bound && force > 50 * weight ? FindingSeverity::kError : FindingSeverity::kWarning,
        "equality '" + r.name + "'", r.origin,
        "the " + r.kind + " equality '" + r.name + "' is off by " +
            (angle ? number(size) + " rad" : number(size) + " m or rad") + " at " + pose.name + "; it pulls with " +
            number(force) + " N or N m at once",
        {{"violation", r.value, "m|rad"}, {"force", r.force, "N|N m"}},
        "start where it holds (pos, ref, keyframe), or change the anchor or polycoef of the equality", size / bound);
  }
}

}  // namespace pliant::doctoring
