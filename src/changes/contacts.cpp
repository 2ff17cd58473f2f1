// Points at which geoms touch. Pairs that touch at a state looked at are asked again by the rules of 3.12
// (old_points.h), and where these give other points, the acceleration is computed with them.
//
// Two sets of points are the same but for rounding if each point has one in the other set that is nearer than the
// tolerance of the search allows: both versions stop when the depth is known to within opt.ccd_tolerance, so that
// depths differ by up to twice that, and points on a surface of radius r by up to √(8 r ccd_tolerance). A point less
// deep than that may be missing, none else: as many points belong to the pair.
//
// Pairs with a sphere or ellipsoid have one point by the same law in both versions. Boxes have functions of their own
// for boxes and capsules, and so have planes for all but meshes; they are the same in both.

#include <algorithm>
#include <map>

#include "changes/changes.h"
#include "changes/old_points.h"
#include "collision/contact_params_hd.h"
#include "collision/stages.h"

namespace pliant::changes {
namespace {

bool is_flat(GeomType t) { return t == GeomType::kBox || t == GeomType::kMesh; }
bool is_edged(GeomType t) { return is_flat(t) || t == GeomType::kCylinder || t == GeomType::kCapsule; }

/// The contacts of one pair of geoms.
struct Touching {
  std::vector<int> contacts;
  Points now;
  double margin = 0;
};
using Pair = std::pair<int, int>;

std::map<Pair, Touching> touching_pairs(const Data& d) {
  std::map<Pair, Touching> pairs;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.exclude == ContactExclude::kNoDofs) continue;
    Touching& t = pairs[{contact.geom[0], contact.geom[1]}];
    t.contacts.push_back(i);
    t.margin = contact.includemargin;
    t.now.push_back({contact.dist, {contact.pos[0], contact.pos[1], contact.pos[2]}, {}, {}});
  }
  return pairs;
}

/// How far points of two sets may lie apart.
struct Bound {
  double depth, place, margin;
};

/// Largest distance of a point from the nearest one of another set; 0 where all of it is rounding.
double farthest(const Points& from, const Points& to, const Bound& bound) {
  double most = 0;
  for (const ContactPoint& p : from) {
    if (p.dist > bound.margin - bound.depth) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const ContactPoint& q : to) {
      const double depth = std::abs(p.dist - q.dist), place = norm(p.pos - q.pos);
      const bool same = depth <= bound.depth && place <= bound.place;
      least = std::min(least, same ? 0 : std::max(depth, place));
    }
    most = std::max(most, least);
  }
  return most;
}
/// How far two sets are apart, 0 if all of it is rounding.
double apart(const Points& before, const Points& now, const Bound& bound) {
  const auto sure = [&](const Points& points) {
    return std::count_if(points.begin(), points.end(),
                         [&](const ContactPoint& p) { return p.dist <= bound.margin - bound.depth; });
  };
  const bool more = sure(before) > std::ssize(now) || sure(now) > std::ssize(before);
  return std::max({farthest(now, before, bound), farthest(before, now, bound), more ? bound.place : 0});
}

/// What a pair had in 3.12, if that is something else.
struct Other {
  const char* code = nullptr;
  Points before;
  double moved = 0;  // [m]; infinite: all points of one version are missing in the other
};

Other other_points(const Model& m, const Data& d, Pair pair, const Touching& t) {
  const auto [g, h] = pair;
  const auto type1 = static_cast<GeomType>(m.geom_type[g]), type2 = static_cast<GeomType>(m.geom_type[h]);
  const bool native = !(m.opt.disableflags & kDisableNativeCcd), multi = !(m.opt.disableflags & kDisableMultiCcd);
  const Shape a = geom_shape(m, d, g), b = geom_shape(m, d, h);
  const double radius = a.rbound > 0 && b.rbound > 0 ? std::min(a.rbound, b.rbound) : std::max(a.rbound, b.rbound);
  const double tolerance = std::max(m.opt.ccd_tolerance, kSame);
  Bound bound{2 * tolerance, std::sqrt(8 * radius * tolerance), t.margin};
  const auto compare = [&](const char* code, Points before) {
    Other other{nullptr, std::move(before), 0};
    other.moved = apart(other.before, t.now, bound);
    if (other.moved > 0) other.code = code;
    return other;
  };
  if (type1 == GeomType::kPlane && type2 == GeomType::kMesh) {
    return compare("C201", plane_and_mesh_before(a, b, t.margin));
  }
  if (type1 == GeomType::kCapsule && type2 == GeomType::kCapsule) {
    bound = {kSame, kSame, t.margin};  // a formula, not a search
    Other other = compare("C204", two_capsules_before(a, b, t.margin));
    // (where axes meet, points lie within the radii along a normal that is nobody's choice)
    if (other.before.size() == t.now.size() && t.now[0].dist <= kSame - a.size.x - b.size.x) other.code = nullptr;
    return other;
  }
  const bool own_function =
      (type1 == GeomType::kBox && type2 == GeomType::kBox) || (type1 == GeomType::kCapsule && type2 == GeomType::kBox);
  if (!native || !multi || own_function || !is_edged(type1) || !is_edged(type2)) return {};
  if (is_flat(type1) && is_flat(type2) && t.margin <= 0) {
    Other least;
    for (Points& before : patches_before(a, b)) {
      Other other = compare("C203", std::move(before));
      if (!other.code) return {};
      if (!least.code) least = std::move(other);
    }
    return least;
  }
  // turned points are as far from the true ones as the turn takes them
  bound.place = std::max(bound.place, 0.01 * radius);
  return compare("C202", turned_points_before(a, b, t.margin));
}

/// The contacts of a state, with those of 3.12 in place of the pairs' that had others.
std::vector<Contact> contacts_before(const Model& m, const Data& d, const std::map<Pair, Touching>& pairs,
                                     const std::map<Pair, Other>& others) {
  std::vector<Contact> contacts;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& now = d.contact[i];
    const Pair pair{now.geom[0], now.geom[1]};
    const auto other = others.find(pair);
    if (other == others.end()) {
      contacts.push_back(now);
    } else if (pairs.at(pair).contacts[0] == i) {
      for (const ContactPoint& point : other->second.before) {
        Contact old = now;
        if (dot(point.normal, point.normal) > 0.25) set_frame(point, old);
        set_place(point, old);
        if (surfaces_move(m, old.geom[0], old.geom[1])) set_surface_velocity(m, d, old);
        contacts.push_back(old);
      }
    }
  }
  return contacts;
}

/// The acceleration of a state with given contacts; false if there is none.
bool forward_with(const Model& m, const State& s, const std::vector<Contact>& contacts, Data& d) {
  const auto stages = pipeline();
  const auto collision =
      std::find_if(stages.begin(), stages.end(), [](const StageInfo& i) { return i.run == run_collision; });
  const int place = static_cast<int>(collision - stages.begin());
  d.probe = [&](const Model&, const State&, Data& data, int stage) {
    if (stage != place) return;
    data.ncon = static_cast<int>(contacts.size());
    data.contact = contacts.empty() ? nullptr : data.arena.take<Contact>(contacts.size());
    if (!contacts.empty() && !data.contact) data.ncon = 0;
    std::copy_n(contacts.begin(), data.ncon, data.contact);
  };
  const bool ok = forward(m, s, d).ok();
  d.probe = nullptr;
  return ok;
}

struct Found {
  const char* code;
  int before, after;  // points
  double moved;
  std::string where;
};

std::string count_text(int n) { return std::to_string(n) + (n == 1 ? " point" : " points"); }

}  // namespace

void find_contacts(Case& c) {
  const Model& m = c.m;
  std::map<Pair, Found> found;
  Largest all;
  Data d(m);
  for (const Look& look : c.looks) {
    const std::map<Pair, Touching> pairs = touching_pairs(look.data);
    std::map<Pair, Other> others;
    for (const auto& [pair, t] : pairs) {
      Other other = other_points(m, look.data, pair, t);
      if (!other.code) continue;
      const Found next{other.code, static_cast<int>(other.before.size()), static_cast<int>(t.now.size()), other.moved,
                       look.name};
      const auto [old, is_new] = found.emplace(pair, next);
      if (!is_new && old->second.before == old->second.after && next.before != next.after) old->second = next;
      others.emplace(pair, std::move(other));
    }
    if (others.empty()) continue;
    if (!forward_with(m, look.state, contacts_before(m, look.data, pairs, others), d)) continue;
    all.see(difference(d.qacc, look.data.qacc, m.nv), look.name);
  }
  for (const auto& [pair, f] : found) {
    const auto [g, h] = pair;
    const std::string both = doctoring::geom_pair_text(m, g, h);
    Change& change =
        add(c.changes, f.code, both, m.origin(ObjType::kGeom, h),
            both + " touch at " + f.where + ": " + count_text(f.before) + " in 3.12, " + count_text(f.after) +
                " in 4.0" + (f.before == f.after ? ", up to " + doctoring::length_text(f.moved) + " apart" : "") +
                ". All such pairs together: " + all.text());
    change.seen = all.seen();
    change.size = all.size;
    change.numbers = {{"contact points", double(f.before), double(f.after), ""}};
  }
}

}  // namespace pliant::changes
