// Changes of tendons: side sites outside of what they go round, limits that need no switch.

#include <algorithm>

#include "changes/changes.h"
#include "kinematics/tendon_hd.h"
#include "math/field_values.h"

namespace pliant::changes {
namespace {

struct Planar {
  double x = 0, y = 0;
};
double dot2(Planar a, Planar b) { return a.x * b.x + a.y * b.y; }
double cross2(Planar a, Planar b) { return a.x * b.y - a.y * b.x; }
double length(Planar a) { return std::sqrt(dot2(a, a)); }

bool crossing(Planar a0, Planar a1, Planar b0, Planar b1) {
  const Planar a{a1.x - a0.x, a1.y - a0.y}, b{b1.x - b0.x, b1.y - b0.y}, between{b0.x - a0.x, b0.y - a0.y};
  const double det = cross2(a, b);
  if (std::abs(det) < 1e-15) return false;
  const double s = cross2(between, b) / det, t = cross2(between, a) / det;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/// Length around a circle at the origin by 3.12: of the two ways round the one whose middle is nearer to the side site,
/// and none at all if the straight line passes on the side of the site. -1: straight.
double half_plane_length(Planar p, Planar q, Planar side, double r) {
  const double pp = dot2(p, p), qq = dot2(q, q);
  if (pp < r * r || qq < r * r) return -1;
  const Planar span{q.x - p.x, q.y - p.y};
  const double square = dot2(span, span);
  if (square < 1e-15) return -1;
  const double t = std::clamp(-dot2(span, p) / square, 0.0, 1.0);
  const Planar nearest{p.x + t * span.x, p.y + t * span.y};
  if (dot2(nearest, nearest) > r * r && dot2(side, nearest) >= 0) return -1;
  double best_score = 0, best = -1;
  for (int way = 0; way < 2; ++way) {
    const double turn = way == 0 ? 1 : -1;
    const auto tangent = [&](Planar e, double sense) {
      const double ee = dot2(e, e), root = r * std::sqrt(ee - r * r) / ee;
      return Planar{e.x * r * r / ee + sense * root * e.y, e.y * r * r / ee - sense * root * e.x};
    };
    const Planar a = tangent(p, turn), b = tangent(q, -turn);
    const bool knot = crossing(p, a, q, b);
    Planar middle{a.x + b.x, a.y + b.y};
    const double size = length(middle);
    middle = size < 1e-15 ? Planar{1, 0} : Planar{middle.x / size, middle.y / size};
    const double score = knot ? -10000 : dot2(middle, side);
    if (way == 1 && best_score > score) continue;
    best_score = score;
    double angle = std::atan2(-turn * cross2(a, b), dot2(a, b));
    if (angle < 0) angle += 2 * kPi;
    best = knot ? -1 : std::sqrt(pp - r * r) + std::sqrt(qq - r * r) + r * angle;
  }
  return best;
}

/// By 4.0: past the side site, in the sense in which it lies. -1: straight.
double past_side_length(Planar p, Planar q, Planar side, double r) {
  const double pl = length(p), ql = length(q);
  if (pl < r || ql < r) return -1;
  const auto between = [](Planar a, Planar b) { return std::atan2(cross2(a, b), dot2(a, b)); };
  const double arc = std::abs(between(p, side) + between(side, q)) - std::acos(r / pl) - std::acos(r / ql);
  if (arc <= 0) return -1;
  return std::sqrt(pl * pl - r * r) + std::sqrt(ql * ql - r * r) + r * arc;
}

/// Lengths of one piece of a path round a geom by both rules.
void piece_lengths(const Model& m, const Data& d, int wrap, double& before, double& after) {
  const int geom = m.wrap_objid[wrap], side = side_site(m, wrap);
  const Mat3 axes = mat3(d.geom_xmat, geom);
  const Vec3 centre = vec3(d.geom_xpos, geom);
  const auto local = [&](int site) { return transposed_times(axes, vec3(d.site_xpos, site) - centre); };
  const Vec3 p = local(m.wrap_objid[wrap - 1]), q = local(m.wrap_objid[wrap + 1]), s = local(side);
  const double r = m.geom_size[3 * geom], straight = norm(q - p);
  const bool sphere = static_cast<WrapType>(m.wrap_type[wrap]) == WrapType::kSphere;
  before = after = straight;
  if ((sphere ? norm(s) : std::sqrt(s.x * s.x + s.y * s.y)) < r) return;  // inside: as before
  // the plane of the path
  Vec3 x{1, 0, 0}, y{0, 1, 0};
  if (sphere) {
    const double pl = norm(p);
    if (pl < 1e-15) return;
    x = p * (1 / pl);
    Vec3 normal = cross(p, q);
    const double size = norm(normal);
    if (size < 1e-15) return;
    y = cross(normal * (1 / size), x);
  }
  const auto flat = [&](Vec3 v) { return Planar{dot(v, x), dot(v, y)}; };
  Planar side2 = flat(s);
  const double reach = length(side2);
  if (reach < 1e-15) return;
  side2 = {side2.x * r / reach, side2.y * r / reach};
  const double height = sphere ? 0 : q.z - p.z;
  const auto whole = [&](double planar) {
    return planar < 0 ? straight : std::sqrt(planar * planar + height * height);
  };
  before = whole(half_plane_length(flat(p), flat(q), side2, r));
  after = whole(past_side_length(flat(p), flat(q), side2, r));
}

}  // namespace

void find_side_sites(Case& c) {
  const Model& m = c.m;
  for (int t = 0; t < m.ntendon; ++t) {
    Largest most;
    double before = 0, after = 0;
    bool concerned = false;
    for (const Look& look : c.looks) {
      double change = 0, divisor = 1;
      for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
        const auto type = static_cast<WrapType>(m.wrap_type[w]);
        if (type == WrapType::kPulley) divisor = m.wrap_prm[w];
        if (!is_wrapped_geom(m, w) || side_site(m, w) < 0) continue;
        concerned = true;
        double old_length, new_length;
        piece_lengths(m, look.data, w, old_length, new_length);
        change += (new_length - old_length) / divisor;
      }
      if (std::abs(change) > most.size) after = look.data.ten_length[t], before = after - change;
      most.see(std::abs(change), look.name);
    }
    if (!concerned || !most.seen()) continue;
    Change& change = add(c, "C303", ObjType::kTendon, t,
                         "its side site is outside of what it goes round: 4.0 leads the path past the site, 3.12 asked "
                         "on which side of the middle it lies; length " +
                             number(before) + " → " + number(after) + " at " + most.where);
    change.seen = true;
    change.size = most.size;
    change.numbers = {{"ten_length", before, after, "m"}};
  }
}

void find_tendon_armature(Case& c) {
  const Model& m = c.m;
  for (int t = 0; t < m.ntendon; ++t) {
    if (static_cast<TendonType>(m.tendon_type[t]) != TendonType::kFixed || m.tendon_armature[t] == 0) continue;
    // 3.12 took bodies that stand alone for simple, and their inverse weights without this armature
    Model without = m;
    without.tendon_armature[t] = 0;
    set_const(without);
    Model before = m;
    double most = 0, now = 0, then = 0;
    for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
      const int joint = m.wrap_objid[w], dof = m.jnt_dofadr[joint], body = m.jnt_bodyid[joint];
      if (m.tree_bodynum[m.body_treeid[body]] != 1) continue;
      before.dof_invweight0[dof] = without.dof_invweight0[dof];
      for (int k = 0; k < 2; ++k) before.body_invweight0[2 * body + k] = without.body_invweight0[2 * body + k];
      const double change = std::abs(without.dof_invweight0[dof] - m.dof_invweight0[dof]);
      if (change > most) most = change, now = m.dof_invweight0[dof], then = without.dof_invweight0[dof];
    }
    if (!(most > 1e-12 * now)) continue;
    const Largest effect = effect_on_acceleration(c, before);
    Change& change = add(c, "C108", ObjType::kTendon, t,
                         "its armature counts in the inverse weights of the bodies it moves: limits, friction and "
                         "contacts of theirs are of another softness; " +
                             effect.text());
    change.seen = effect.seen();
    change.size = effect.size;
    change.numbers = {{"dof_invweight0", then, now, "1/kg|1/(kg m^2)"}};
  }
}

void find_tendon_limits(Case& c) {
  const Model& m = c.m;
  for (size_t i = 0; i < c.spec.tendons.size() && static_cast<int>(i) < m.ntendon; ++i) {
    const TendonSpec& spec = c.spec.tendons[i];
    const bool ranged = spec.actuatorfrcrange[0] != 0 || spec.actuatorfrcrange[1] != 0;
    if (!ranged || !m.tendon_actfrclimited[i] || c.spec.has_attribute(spec.source, "actuatorfrclimited")) continue;
    if (spec.actuatorfrclimited == Limited::kTrue) continue;
    Model before = m;
    before.tendon_actfrclimited[i] = false;
    const Largest effect = effect_on_acceleration(c, before);
    Change& change = add(c, "C105", ObjType::kTendon, static_cast<int>(i),
                         "actuatorfrcrange now limits without actuatorfrclimited=\"true\"; " + effect.text());
    change.seen = effect.seen();
    change.size = effect.size;
    change.numbers = {{"tendon_actfrclimited", 0, 1, ""}};
  }
}

void find_lost_ranges(const Spec& spec, const std::vector<Diagnostic>& errors, std::vector<Change>& changes) {
  for (const ActuatorSpec& actuator : spec.actuators) {
    if (actuator.trntype != TransmissionType::kTendon) continue;
    const auto tendon = std::find_if(spec.tendons.begin(), spec.tendons.end(),
                                     [&](const TendonSpec& t) { return t.name == actuator.target; });
    if (tendon == spec.tendons.end() ||
        std::none_of(tendon->path.begin(), tendon->path.end(), [](const WrapSpec& w) { return !w.sidesite.empty(); })) {
      continue;
    }
    const Origin at = spec.origin(actuator.source);
    for (const Diagnostic& d : errors) {
      if (d.severity != Severity::kError || d.code != Code::kBadActuator || d.line != at.line ||
          d.column != at.column || d.message.find("length range") == std::string::npos) {
        continue;
      }
      add(changes, "C303", "actuator '" + actuator.name + "'", origin_text(spec, at),
          "3.12 found its length range; past the side site of tendon '" + tendon->name +
              "' the path of 4.0 has none: give it lengthrange, or move the side site")
          .seen = true;
      break;
    }
  }
}

}  // namespace pliant::changes
