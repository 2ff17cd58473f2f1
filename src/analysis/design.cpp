// From wanted behaviour to solref and solimp.
//
// With a flat impedance d and an exact estimate, a contact is the oscillator r̈ + c ṙ + s r = −(1 − d) g with solref =
// (−s, −c): s = ω², c = 2 ζ ω; a static press feels s m / (1 − d) newtons per metre. Closed forms give the start,
// halving on the map of one row at the timestep gives the numbers. Two modes:
//   spring   the contact lasts many steps; needs a depth of 3.2 speed · timestep or more
//   impact   the velocity is reversed within a step: c = (1 + e) / timestep, nearly no stiffness, d = 0.9999
// Cost: some hundred impacts of the scalar map, about a millisecond each at worst.

#include "pliant/design.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/numbers.h"
#include "analysis/predict.h"
#include "base/text.h"

namespace pliant {
namespace {

/// Depth of an impact, in speed · timestep, from which a bounce is resolved: ten steps.
constexpr double kResolvedDepth = 3.2;
/// 1 / (ω timestep) of a contact nobody wants shallower: sixteen steps.
constexpr double kEasyLength = 5;
/// A contact deeper than this is not chosen unless it is asked for [m].
constexpr double kUsualDepth = 0.01;
constexpr double kStiffImpedance = 0.9, kImpactImpedance = 0.9999, kSoftestImpedance = 0.01;
/// Share of the limit of stability that designs use.
constexpr double kSafety = 0.8;
/// Largest share of the velocity that damping takes away in a step of the spring mode.
constexpr double kMostDamping = 0.9;
/// Part of the depth that the impact mode corrects per step.
constexpr double kCorrection = 0.02;
constexpr double kRestitutionBound = 0.01;

/// Numbers of a flat row: s, c, d.
struct Flat {
  double omega = 0, zeta = 1, d = kStiffImpedance;
  double s() const { return omega * omega; }
  double c() const { return 2 * zeta * omega; }
};

std::string text(double x) { return short_text(x); }

class Designer {
 public:
  explicit Designer(const DesignRequest& wish) : wish_(wish), part_(wish.timestep / wish.substeps) {}

  DesignResult run() {
    result_.nearest = wish_;
    check();
    take_material();
    if (defined(wish_.restitution) && (wish_.restitution < 0 || wish_.restitution > 1)) {
      result_.nearest.restitution = std::clamp(wish_.restitution, 0.0, 1.0);
      return refuse("a restitution of " + text(wish_.restitution) + " does not exist: the nearest is " +
                    text(result_.nearest.restitution));
    }
    const double step_depth = wish_.impact * wish_.timestep;
    if (defined(wish_.max_depth) && wish_.max_depth < 1.02 * step_depth) {
      result_.nearest.max_depth = 1.05 * step_depth;
      return refuse("a body at " + text(wish_.impact) + " m/s moves " + text(1e3 * step_depth) +
                    " mm per step before the contact is seen: max depth " + text(1e3 * wish_.max_depth) +
                    " mm is out of reach; the nearest is " + text(1e3 * result_.nearest.max_depth) +
                    " mm, or a timestep of " + text(wish_.max_depth / (1.05 * wish_.impact)) + " s");
    }
    return wants_impact_mode() ? impact() : spring();
  }

 private:
  void check() const {
    const auto positive = [](double x, const char* what) {
      if (defined(x) && !(x > 0)) throw std::invalid_argument(std::string(what) + " must be above zero");
    };
    positive(wish_.impact, "impact");
    positive(wish_.max_depth, "max depth");
    positive(wish_.stiffness, "stiffness");
    positive(wish_.mass, "mass");
    positive(wish_.rest_depth, "rest depth");
    positive(wish_.settle, "settling time");
    positive(wish_.timestep, "timestep");
    if (defined(wish_.damping) && wish_.damping < 0) throw std::invalid_argument("damping must not be negative");
    if (wish_.mode != "auto" && wish_.mode != "spring" && wish_.mode != "impact") {
      throw std::invalid_argument("mode is auto, spring or impact");
    }
  }

  void take_material() {
    if (wish_.material.empty()) return;
    std::string names;
    for (const Material& one : materials()) {
      names += std::string(names.empty() ? "" : ", ") + one.name;
      if (wish_.material != one.name) continue;
      if (!defined(wish_.restitution)) wish_.restitution = one.restitution;
      friction_ = one.friction;
      note(std::string(one.name) + ": restitution " + text(one.restitution) + " (" + one.source + ")");
      note("friction " + text(one.friction) +
           " was chosen for Pliant: a rounded number for a dry hard partner, not a measurement");
      return;
    }
    throw std::invalid_argument("no material " + quote(wish_.material) + "; there are " + names);
  }

  ScalarRow row(const Flat& flat) const {
    ScalarRow row;
    row.solref = {-flat.s(), -flat.c()};
    row.solimp = {flat.d, flat.d, 0.001, 0.5, 2};
    row.timestep = wish_.timestep;
    row.substeps = wish_.substeps;
    row.response = row.estimate = 1 / wish_.mass;
    row.free_accel = -wish_.gravity;
    row.two_sided = wish_.target == "equality" || wish_.target == "mimic";
    return row;
  }
  double mean_restitution(const ScalarRow& row) const {
    const ScalarMap map(row);
    double sum = 0;
    const int phases = 64;
    for (int i = 0; i < phases; ++i) sum += bounce(map, wish_.impact, (i + 0.5) / phases, false).restitution;
    return sum / phases;
  }
  double depth_of(const ScalarRow& row) const {
    const ScalarMap map(row);
    double most = 0;
    for (int i = 0; i < 16; ++i) most = std::max(most, bounce(map, wish_.impact, (i + 0.5) / 16, false).max_depth);
    return most;
  }

  bool wants_stiffness() const { return defined(wish_.stiffness) || defined(wish_.damping); }
  bool wants_impact_mode() {
    if (wish_.mode != "auto") return wish_.mode == "impact";
    if (wants_stiffness() || defined(wish_.rest_depth) || defined(wish_.settle) || !defined(wish_.restitution))
      return false;
    const double depth = defined(wish_.max_depth) ? wish_.max_depth : kUsualDepth;
    return wish_.restitution < 0.05 || wish_.restitution > 0.95 || depth < kEasyLength * wish_.impact * wish_.timestep;
  }

  // ---- a reversal within one step

  DesignResult impact() {
    const double e = defined(wish_.restitution) ? wish_.restitution : 0;
    const double correction = std::min(kCorrection, 0.5 * (1 - e));
    const auto at = [&](double reversed) {
      Flat flat;
      flat.d = kImpactImpedance;
      flat.omega = std::sqrt(correction * flat.d) / part_;
      ScalarRow out = row(flat);
      // an exact estimate makes the share of the wish that comes true d: a little more is asked for
      out.solref = {-correction / (part_ * part_), -(1 + reversed) / part_};
      return out;
    };
    double low = std::max(-1.0, e - 0.3), high = 1;
    for (int i = 0; i < 50 && e < 1; ++i) {
      const double middle = 0.5 * (low + high);
      (mean_restitution(at(middle)) < e ? low : high) = middle;
    }
    // B = c / d must be (1 + e) / (d timestep): damping (1 + e) / timestep exactly, where e = 1
    const ScalarRow chosen = at(e < 1 ? high : 1);
    result_.mode = "impact";
    note("impact mode: the velocity is turned round within one step of " + text(1e3 * part_) +
         " ms; the numbers hold for this timestep only");
    note("it sinks in by up to speed x timestep (" + text(1e3 * wish_.impact * wish_.timestep) +
         " mm), whatever the material");
    note("bounces slower than about gravity x timestep = " + text(wish_.gravity * wish_.timestep) + " m/s end at rest");
    if (e >= 1)
      note("nothing corrects depth at restitution 1: a body laid on the surface sinks by about " +
           text(wish_.gravity * (1 - kImpactImpedance) * part_ / 2) + " m/s");
    finish(chosen);
    // mirrored in time about the reversal, so no height is lost; but a step of parts ends after some more gravity
    const double seen = result_.predict.restitution;
    if (e >= 1 && wish_.substeps > 1 && seen < e - 2 * kRestitutionBound) {
      result_.nearest.restitution = std::floor(1000 * seen) / 1000;
      return refuse("restitution 1 would show as " + text(seen) + ": the solver takes the step in " +
                    std::to_string(wish_.substeps) +
                    " parts, and gravity pulls on in those after the reversal; the nearest is " +
                    text(result_.nearest.restitution) + ", or a timestep below " +
                    text(2 * kRestitutionBound * wish_.impact / wish_.gravity) + " s, or the solver Newton");
    }
    if (e >= 1 && wish_.substeps > 1)
      note("bounces keep their height; at the end of the step the speed is " + text(seen) + " of that before");
    return result_;
  }

  // ---- a contact of many steps

  DesignResult spring() {
    Flat flat;
    if (wants_stiffness()) {
      if (!choose_stiffness(flat)) return result_;
    } else {
      // contacts begin and end at whole steps, whatever parts the solver takes
      flat.omega = 1 / (kEasyLength * wish_.timestep);
      if (defined(wish_.settle)) flat.omega = std::min(flat.omega, 6 / wish_.settle);
      if (!choose_damping(flat)) return result_;
      if (defined(wish_.max_depth) && !choose_frequency(flat)) return result_;
      if (defined(wish_.settle) && !choose_settling(flat)) return result_;
      if (defined(wish_.rest_depth) && !choose_impedance(flat)) return result_;
    }
    result_.mode = "spring";
    if (flat.d < kStiffImpedance) {
      note("impedance " + text(flat.d) + ": a blow feels " + text(flat.s() * wish_.mass) + " N/m, a static press " +
           text(flat.s() * wish_.mass / (1 - flat.d)) + " N/m");
    }
    return finish(row(flat));
  }

  /// ζ from the restitution, or from nothing.
  bool choose_damping(Flat& flat) {
    if (!defined(wish_.restitution)) return true;
    // more than this and a step's damping would turn the velocity round by itself
    double low = 0, high = (kMostDamping - flat.s() * part_ * part_ / 2) / (2 * flat.omega * part_);
    Flat most = flat;
    most.zeta = std::max(0.0, high);
    const double least = mean_restitution(row(most));
    if (least > wish_.restitution + kRestitutionBound) {
      result_.nearest.restitution = std::ceil(100 * least) / 100;
      refuse("restitution " + text(wish_.restitution) +
             " needs more damping than is stable at this timestep: the nearest is " +
             text(result_.nearest.restitution) + ", or mode impact");
      return false;
    }
    for (int i = 0; i < 50; ++i) {
      flat.zeta = 0.5 * (low + high);
      (mean_restitution(row(flat)) > wish_.restitution ? low : high) = flat.zeta;
    }
    return true;
  }

  /// ω from the depth of the impact; ζ follows.
  bool choose_frequency(Flat& flat) {
    const double least = kResolvedDepth * wish_.impact * wish_.timestep;
    if (wish_.max_depth < least) {
      result_.nearest.max_depth = least;
      refuse("a bounce of many steps needs a depth of 3.2 x speed x timestep = " + text(1e3 * least) + " mm; " +
             text(1e3 * wish_.max_depth) + " mm is possible in mode impact, or with a timestep of " +
             text(wish_.max_depth / (kResolvedDepth * wish_.impact)) + " s");
      return false;
    }
    for (int turn = 0; turn < 6; ++turn) {
      const double depth = depth_of(row(flat));
      if (std::abs(depth / wish_.max_depth - 1) < 0.005) break;
      flat.omega = std::min(flat.omega * depth / wish_.max_depth, 1 / (0.7 * part_));
      if (!choose_damping(flat)) return false;
    }
    return true;
  }

  /// ω from the time to settle.
  bool choose_settling(Flat& flat) {
    const auto time = [&](double omega) {
      Flat one = flat;
      one.omega = omega;
      const ScalarMap map(row(one));
      double sum = 0;
      for (int i = 0; i < 8; ++i) sum += bounce(map, wish_.impact, (i + 0.5) / 8, true).settle_time / 8;
      return sum;
    };
    double low = 1e-3 / part_, high = 1 / (1.5 * part_);
    if (time(high) > wish_.settle) {
      result_.nearest.settle = time(high);
      refuse("settling within " + text(wish_.settle) + " s is too fast for this timestep: the nearest is " +
             text(result_.nearest.settle) + " s");
      return false;
    }
    for (int i = 0; i < 60; ++i) {
      const double middle = std::sqrt(low * high);
      (time(middle) > wish_.settle ? low : high) = middle;
    }
    flat.omega = high;
    return true;
  }

  /// d from the depth at rest: depth = (1 − d) g / s.
  bool choose_impedance(Flat& flat) {
    double rest = flat.s() * wish_.rest_depth / wish_.gravity;
    const double most = 1 - kMinImpedance * 100, least = 1 - kMaxImpedance;
    if (!defined(wish_.max_depth) && !defined(wish_.settle)) {
      // nothing else fixes the frequency: keep d, move ω as far as the timestep allows
      const double wanted = std::sqrt(wish_.gravity * (1 - kStiffImpedance) / wish_.rest_depth);
      flat.omega = std::min(wanted, flat.omega);
      if (!choose_damping(flat)) return false;
      rest = flat.s() * wish_.rest_depth / wish_.gravity;
    }
    if (rest < 0.999 * least || rest > most) {
      const double nearest = std::clamp(rest, least, most);
      result_.nearest.rest_depth = wish_.gravity * nearest / flat.s();
      refuse("a depth at rest of " + text(1e3 * wish_.rest_depth) +
             " mm is out of reach at this timestep: the nearest is " + text(1e3 * result_.nearest.rest_depth) + " mm");
      return false;
    }
    flat.d = 1 - std::max(rest, least);
    return true;
  }

  /// s and c from newtons per metre: as little impedance as is stable, so that a blow feels the same spring as a press.
  bool choose_stiffness(Flat& flat) {
    const double m = wish_.mass, h = part_;
    const double k = defined(wish_.stiffness) ? wish_.stiffness : m / (kEasyLength * kEasyLength * h * h);
    const double b = defined(wish_.damping) ? wish_.damping : 2 * std::sqrt(k * m);
    if (defined(wish_.rest_depth) && std::abs(wish_.rest_depth * k / (m * wish_.gravity) - 1) > 0.02) {
      result_.nearest.rest_depth = m * wish_.gravity / k;
      refuse("stiffness and weight give a depth at rest of " + text(1e3 * result_.nearest.rest_depth) +
             " mm: leave one of them out");
      return false;
    }
    // stable: (1 − d) (b h + k h²/2) / m < 2
    const double demand = (b * h + k * h * h / 2) / m, share = std::min(1 - kSoftestImpedance, 2 * kSafety / demand);
    if (share < 1 - kMaxImpedance) {
      result_.nearest.stiffness = 0.99 * k * share / (1 - kMaxImpedance);
      result_.nearest.damping = 0.99 * b * share / (1 - kMaxImpedance);
      refuse("this stiffness is unstable at this timestep: the nearest is " + text(result_.nearest.stiffness) +
             " N/m with " + text(result_.nearest.damping) + " N s/m");
      return false;
    }
    flat.d = 1 - share;
    flat.omega = std::sqrt(k * share / m);
    flat.zeta = b * share / m / (2 * flat.omega);
    if (!defined(wish_.damping)) {
      if (!defined(wish_.restitution))
        note("damping was not given: critical damping of a press, " + text(b) + " N s/m");
      if (!choose_damping(flat)) return false;
    }
    note("per contact point: a body that stands on four points feels four of these springs");
    return true;
  }

  // ---- the answer

  DesignResult refuse(const std::string& reason) {
    result_.possible = false;
    result_.refusal = reason;
    return result_;
  }
  void note(const std::string& line) { result_.notes.push_back(line); }

  DesignResult finish(const ScalarRow& row) {
    result_.solref = row.solref;
    result_.solimp = row.solimp;
    result_.predict = predict_row(row, wish_.mass * wish_.gravity, wish_.impact, row.response);
    result_.attributes = attributes(row);
    result_.possible = true;
    const Prediction& p = result_.predict;
    if (defined(wish_.restitution) && std::abs(p.restitution - wish_.restitution) > 2 * kRestitutionBound) {
      result_.nearest.restitution = p.restitution;
      return refuse("restitution " + text(wish_.restitution) +
                    " cannot be had together with the rest: the nearest is " + text(p.restitution));
    }
    if (defined(wish_.max_depth) && p.max_depth > 1.05 * wish_.max_depth) {
      result_.nearest.max_depth = p.max_depth;
      return refuse("max depth " + text(1e3 * wish_.max_depth) +
                    " mm cannot be had together with the rest: the nearest is " + text(1e3 * p.max_depth) + " mm");
    }
    if (p.restitution_range[1] - p.restitution_range[0] > 0.04) {
      note("where in a step the impact falls matters: restitution " + text(p.restitution_range[0]) + " to " +
           text(p.restitution_range[1]));
    }
    if (row.solref[1] > -1e-9 && wish_.target != "equality") note("without damping friction does not hold either");
    return result_;
  }

  std::string attributes(const ScalarRow& row) const {
    const bool limit = wish_.target == "limit";
    std::string out = std::string(limit ? "solreflimit" : "solref") + "=\"" + number_text(row.solref[0]) + " " +
                      number_text(row.solref[1]) + "\" " + (limit ? "solimplimit" : "solimp") + "=\"";
    for (int i = 0; i < kNumImp; ++i) out += (i ? " " : "") + number_text(row.solimp[i]);
    out += "\"";
    if (friction_ > 0 && wish_.target == "geom") out += " friction=\"" + number_text(friction_) + "\"";
    if (wish_.target == "geom") out += " priority=\"1\"";
    return out;
  }

  DesignRequest wish_;
  double part_;  ///< the timestep the solver sees
  double friction_ = 0;
  DesignResult result_;
};

}  // namespace

DesignResult design(const DesignRequest& request) { return Designer(request).run(); }

}  // namespace pliant
