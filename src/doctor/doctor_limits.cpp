// Limits: starts beyond them, ranges in the wrong unit, limits that nothing can reach, limits that always push.

#include <algorithm>
#include <cmath>
#include <set>

#include "constraint/equality_kinds_hd.h"
#include "doctor/doctor_case.h"

namespace pliant::doctoring {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSweepSteps = 16;  // positions tried between the start and a limit
constexpr int kMostSwept = 100;  // joints; more of them: not tried

bool is_angle(const Model& m, int j) { return joint_kind(m.jnt_type[j]).is_angle(); }
const char* unit_name(const Model& m, int j) { return is_angle(m, j) ? "rad" : "m"; }
std::string unit(const Model& m, int j) { return is_angle(m, j) ? " rad" : " m"; }

std::string range_text(const double* range) { return number(range[0]) + " … " + number(range[1]); }

void check_start(Case& c, const Pose& pose, int j) {
  const Model& m = c.m;
  const double *range = m.jnt_range + 2 * j, q = pose.state.qpos[m.jnt_qposadr[j]], span = range[1] - range[0];
  const double beyond = std::max(range[0] - q, q - range[1]);
  if (beyond < std::max(1e-3, 0.01 * span)) return;
  // many robots have their pose in a keyframe and qpos0 outside: that is seen, but not meant to run
  const auto severity = pose.key < 0 && m.nkey > 0 ? FindingSeverity::kNote : FindingSeverity::kWarning;
  add(c, "D601", severity, ObjType::kJoint, j,
      element_text(m, ObjType::kJoint, j) + " starts at " + number(q) + unit(m, j) + " at " + pose.name +
          ", beyond its limits " + range_text(range) + " by " + number(beyond) + unit(m, j) +
          ": the limit pushes it back at once",
      {{"position", q, is_angle(m, j) ? "rad" : "m"}, {"beyond", beyond, is_angle(m, j) ? "rad" : "m"}},
      pose.key < 0 ? "a keyframe that starts it between " + range_text(range) + ", or a wider range; ref=\"" +
                         number(0.5 * (range[0] + range[1])) + "\" if the pose as drawn is meant to have that position"
                   : "a start inside: qpos of the keyframe between " + range_text(range),
      1 + beyond / std::max(span, 1e-6));
}

// Joints that turn many times have limits of whole turns; degrees are whole numbers.
bool counts_turns(const double* range) {
  for (int side = 0; side < 2; ++side) {
    const double turns = range[side] / kPi;
    if (std::abs(turns - std::round(turns)) > 0.01) return false;
    if (range[side] != 0 && range[side] == std::round(range[side])) return false;
  }
  return true;
}

void check_units(Case& c, int j) {
  const Model& m = c.m;
  const double *range = m.jnt_range + 2 * j, span = range[1] - range[0];
  const std::string name = element_text(m, ObjType::kJoint, j);
  const std::vector<Evidence> evidence = {{"range", span, is_angle(m, j) ? "rad" : "m"}};
  if (is_angle(m, j) && span > 8 * kPi && !counts_turns(range)) {
    add(c, "D602", span > 40 ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kJoint, j,
        name + " has limits " + range_text(range) + " rad, " + number(span / (2 * kPi)) +
            " turns: they look like degrees read as radians, and are never reached",
        evidence,
        "angle=\"degree\" in <compiler>, or range=\"" + number(range[0] * kPi / 180) + " " +
            number(range[1] * kPi / 180) + "\"",
        span / 40);
  } else if (is_angle(m, j) && span > 0 && span < 2 * kPi * kPi / 180 && span * 180 / kPi > 0.3) {
    add(c, "D602", FindingSeverity::kWarning, ObjType::kJoint, j,
        name + " has limits " + range_text(range) + " rad, only " + number(span * 180 / kPi) +
            " degrees apart: they look like radians read as degrees",
        evidence,
        "angle=\"radian\" in <compiler>, or range=\"" + number(range[0] * 180 / kPi * 180 / kPi) + " " +
            number(range[1] * 180 / kPi * 180 / kPi) + "\"",
        0.2 / span);
  } else if (!is_angle(m, j) && span > 100 * std::max(m.stat.extent, 0.1)) {
    add(c, "D602", FindingSeverity::kWarning, ObjType::kJoint, j,
        name + " slides over " + length_text(span) + ", " + number(span / std::max(m.stat.extent, 1e-9)) +
            " times the size of the model: it looks like millimetres read as metres, and the limit is never reached",
        evidence, "range=\"" + number(range[0] / 1000) + " " + number(range[1] / 1000) + "\"",
        span / (100 * m.stat.extent));
  }
}

void check_always_on(Case& c, int j) {
  const Model& m = c.m;
  const double *range = m.jnt_range + 2 * j, span = range[1] - range[0], margin = m.jnt_margin[j];
  if (span <= 0 || 2 * margin >= span) {
    add(c, "D605", FindingSeverity::kWarning, ObjType::kJoint, j,
        element_text(m, ObjType::kJoint, j) +
            (span <= 0 ? " has an empty range " + range_text(range) + ": both limits push all the time"
                       : " has a margin of " + number(margin) + unit(m, j) + " on limits only " + number(span) +
                             unit(m, j) + " apart: one of them pushes at every position"),
        {{"margin", margin, unit_name(m, j)}, {"range", span, unit_name(m, j)}},
        span <= 0 ? "a range whose first number is below its second"
                  : "margin=\"" + number(0.01 * span) + "\", or a wider range",
        2);
  }
}

// Pairs of geoms that overlap noticeably: of one tree, or of a tree that cannot move away and something fixed.
std::set<std::pair<int, int>> overlapping(const Model& m, const Data& d) {
  std::set<std::pair<int, int>> pairs;
  for (int i = 0; i < d.ncon; ++i) {
    const Contact& contact = d.contact[i];
    if (contact.dist > -1e-3 || contact.exclude != ContactExclude::kNone) continue;
    const int body1 = m.geom_bodyid[contact.geom[0]], body2 = m.geom_bodyid[contact.geom[1]];
    // what can be pushed away, or steps back itself, is no end of the way
    const bool apart = m.body_treeid[body1] != m.body_treeid[body2];
    if (apart && can_move(m, body1) && can_move(m, body2)) continue;
    if (floats(m, body1) != floats(m, body2)) continue;
    pairs.insert({contact.geom[0], contact.geom[1]});
  }
  return pairs;
}

// Moves one joint towards its limits, all others where they start: what does it run into?
void sweep(Case& c, const Pose& pose, int j, const std::set<std::pair<int, int>>& before, Data& d) {
  const Model& m = c.m;
  State s = pose.state;
  double& q = s.qpos[m.jnt_qposadr[j]];
  const double start = q, *range = m.jnt_range + 2 * j;
  for (int side = 0; side < 2; ++side) {
    if (start < range[0] || start > range[1] || std::abs(range[side] - start) < 0.02 * (range[1] - range[0])) continue;
    const auto blocked_at = [&](double share) {
      q = start + share * (range[side] - start);
      run_phases(m, s, d, Phase::kPosition, Phase::kPosition, false);
      for (const auto& pair : overlapping(m, d)) {
        if (!before.count(pair)) return pair;
      }
      return std::pair(-1, -1);
    };
    // what touches only at the limit itself has reached it
    for (int k = 1; k < kSweepSteps; ++k) {
      const auto pair = blocked_at(double(k) / kSweepSteps);
      if (pair.first < 0) continue;
      const double share = double(k) / kSweepSteps;
      // links that meet in the middle of their ranges are a robot's daily life; a wall is not
      const auto is_ground = [&](int g) {
        const auto type = static_cast<GeomType>(m.geom_type[g]);
        return type == GeomType::kPlane || type == GeomType::kHfield;
      };
      const bool ground = is_ground(pair.first) || is_ground(pair.second);
      const bool wall = !can_move(m, m.geom_bodyid[pair.first]) || !can_move(m, m.geom_bodyid[pair.second]);
      add(c, "D603", share <= 0.25 || (wall && share <= 0.5) ? FindingSeverity::kWarning : FindingSeverity::kNote,
          ObjType::kJoint, j,
          element_text(m, ObjType::kJoint, j) + " cannot reach its limit of " + number(range[side]) + unit(m, j) +
              " from " + pose.name + ": at " + number(q) + unit(m, j) + " " +
              geom_pair_text(m, pair.first, pair.second) + " collide",
          {{"limit", range[side], unit_name(m, j)}, {"stopped at", q, unit_name(m, j)}},
          "range=\"" + (side ? number(range[0]) + " " + number(q) : number(q) + " " + number(range[1])) + "\"" +
              // what is blocked almost at once overlaps by its shapes; what meets later really does
              (ground || share > 0.25
                   ? " if it is to stop there; nothing if they may meet"
                   : ", or " + exclude_line(m, m.geom_bodyid[pair.first], m.geom_bodyid[pair.second])),
          1 - share);
      break;
    }
    q = start;
  }
}

// Where a follower would be with its leader at q; NaN if the equality is no such coupling.
double follower_at(const Model& m, int e, double q) {
  return with_equality(m.eq_type[e], [&](auto kind) { return kind.follower_at(m, e, q); });
}

bool couples_two(const Model& m, int e) {
  return m.eq_active0[e] && equality_kind(m.eq_type[e]).ties_joints() && !std::isnan(follower_at(m, e, 0));
}

// Coupled joints: whose limits stop the other?
void check_coupled(Case& c, int e) {
  const Model& m = c.m;
  const int follower = m.eq_obj1id[e], leader = m.eq_obj2id[e];
  if (!m.jnt_limited[follower] || !m.jnt_limited[leader]) return;
  const double *stop = m.jnt_range + 2 * follower, *range = m.jnt_range + 2 * leader, span = stop[1] - stop[0];
  for (int side = 0; side < 2; ++side) {
    const double q = follower_at(m, e, range[side]);
    const double beyond = std::max(stop[0] - q, q - stop[1]);
    if (beyond < 0.02 * span) continue;
    add(c, "D603", beyond > 0.1 * span ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kJoint, leader,
        element_text(m, ObjType::kJoint, leader) + " cannot reach its limit of " + number(range[side]) +
            unit(m, leader) + ": " + element_text(m, ObjType::kEquality, e) + " couples " +
            element_text(m, ObjType::kJoint, follower) + " to it, which would be at " + number(q) + unit(m, follower) +
            ", beyond its own limits " + range_text(stop),
        {{"follower at", q, unit_name(m, follower)}, {"beyond", beyond, unit_name(m, follower)}},
        "limits that agree through the coupling, or none on the follower", beyond / std::max(span, 1e-9));
  }
}

// Position actuators: positions they can be asked for against what their joint can reach.
void check_targets(Case& c) {
  const Model& m = c.m;
  for (int i = 0; i < m.nactuator; ++i) {
    const int j = m.actuator_trnid[2 * i], u = m.actuator_ctrladr[i];
    const double* bias = m.actuator_biasprm + kNumBias * i;
    if (static_cast<TransmissionType>(m.actuator_trntype[i]) != TransmissionType::kJoint || !scalar_joint(m, j) ||
        static_cast<GainType>(m.actuator_gaintype[i]) != GainType::kFixed ||
        static_cast<BiasType>(m.actuator_biastype[i]) != BiasType::kAffine || m.actuator_ctrlnum[i] != 1 ||
        !m.jnt_limited[j] || !m.actuator_ctrllimited[u] || bias[1] >= 0 ||
        static_cast<DynType>(m.actuator_dyntype[i]) == DynType::kIntegrator) {
      continue;
    }
    const double gear = m.actuator_gear[6 * m.actuator_outadr[i]], gain = m.actuator_gainprm[kNumGain * i];
    if (gear == 0) continue;
    double target[2];
    for (int side = 0; side < 2; ++side) {
      target[side] = (gain * m.actuator_ctrlrange[2 * u + side] + bias[0]) / -bias[1] / gear;
    }
    if (target[0] > target[1]) std::swap(target[0], target[1]);
    const double *range = m.jnt_range + 2 * j, width = target[1] - target[0], span = range[1] - range[0];
    const double inside = std::min(target[1], range[1]) - std::max(target[0], range[0]);
    const double beyond = std::max(range[0] - target[0], target[1] - range[1]);
    if (beyond < 0.05 * span || width <= 0) continue;
    add(c, "D604", inside < 0.5 * width ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kActuator, i,
        element_text(m, ObjType::kActuator, i) + " can be asked for " + range_text(target) + unit(m, j) +
            ", but the limits of " + element_text(m, ObjType::kJoint, j) + " are " + range_text(range) +
            ": targets beyond are out of reach, it presses against the limit",
        {{"beyond", beyond, unit_name(m, j)}},
        "inheritrange=\"1\", or ctrlrange=\"" + number(range[0] * gear) + " " + number(range[1] * gear) + "\"",
        beyond / std::max(span, 1e-9));
  }
}

// Lengths a fixed tendon can have while its joints stay within their limits.
void check_tendon(Case& c, const Pose& pose, int t) {
  const Model& m = c.m;
  const double* range = m.tendon_range + 2 * t;
  const double now = pose.data.ten_length[t], beyond = std::max(range[0] - now, now - range[1]),
               span = range[1] - range[0];
  if (beyond > std::max(1e-3, 0.02 * span)) {
    add(c, "D601", pose.key < 0 && m.nkey > 0 ? FindingSeverity::kNote : FindingSeverity::kWarning, ObjType::kTendon, t,
        element_text(m, ObjType::kTendon, t) + " has the length " + number(now) + " at " + pose.name +
            ", beyond its limits " + range_text(range) + " by " + number(beyond),
        {{"length", now, "m|rad"}, {"beyond", beyond, "m|rad"}}, "a range that has the length at the start in it",
        1 + beyond / std::max(span, 1e-9));
  }
  double least = 0, most = 0;
  for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
    if (static_cast<WrapType>(m.wrap_type[w]) != WrapType::kJoint || !m.jnt_limited[m.wrap_objid[w]]) return;
    const double a = m.wrap_prm[w] * m.jnt_range[2 * m.wrap_objid[w]],
                 b = m.wrap_prm[w] * m.jnt_range[2 * m.wrap_objid[w] + 1];
    least += std::min(a, b), most += std::max(a, b);
  }
  if (most <= least) return;
  for (int side = 0; side < 2; ++side) {
    if (range[side] >= least && range[side] <= most) continue;
    const bool forbids = side ? range[1] < least : range[0] > most;
    add(c, forbids ? "D605" : "D603", forbids ? FindingSeverity::kWarning : FindingSeverity::kNote, ObjType::kTendon, t,
        element_text(m, ObjType::kTendon, t) + " has a limit of " + number(range[side]) +
            ", but its joints let its length be " + number(least) + " … " + number(most) + " only: the limit is " +
            (forbids ? "always violated" : "out of reach"),
        {{"limit", range[side], "m|rad"}}, "range=\"" + number(least) + " " + number(most) + "\", or none",
        forbids ? 2 : 0.5);
  }
}

}  // namespace

void check_limits(Case& c, const Pose& pose) {
  const Model& m = c.m;
  if (m.opt.disableflags & (kDisableLimit | kDisableConstraint)) return;
  const bool first = pose.key < 0;
  const bool sweeps = first && !(m.opt.disableflags & kDisableContact) && m.njnt <= kMostSwept;
  const auto before = sweeps ? overlapping(m, pose.data) : std::set<std::pair<int, int>>{};
  Data d(m);
  for (int j = 0; j < m.njnt; ++j) {
    if (!m.jnt_limited[j] || !scalar_joint(m, j)) continue;
    check_start(c, pose, j);
    if (!first) continue;
    check_units(c, j);
    check_always_on(c, j);
    if (sweeps) sweep(c, pose, j, before, d);
  }
  for (int t = 0; t < m.ntendon; ++t) {
    if (m.tendon_limited[t]) check_tendon(c, pose, t);
  }
  if (!first) return;
  for (int e = 0; e < m.neq; ++e) {
    if (couples_two(m, e)) check_coupled(c, e);
  }
  check_targets(c);
}

}  // namespace pliant::doctoring
