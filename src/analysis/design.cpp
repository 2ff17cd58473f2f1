// From wanted behaviour to solref and solimp.
//
// With a flat impedance d and an exact estimate, a contact is the oscillator r̈ + c ṙ + s r = −(1 − d) g with solref =
// (−s, −c); a static press feels s m / (1 − d) newtons per metre. Closed forms give the start, halving and searches
// (design_search.h) on the map of one row at the timestep give the numbers. Two modes:
//   spring   the contact lasts many steps; needs a depth of 3.2 speed · timestep or more
//   impact   the velocity is reversed within a step: c = (1 + e) / timestep, nearly no stiffness, d = 0.9999; under the
//            integrator discrete it can only be stopped
// Whatever is proposed has been run on that map: what would shake at rest or come back faster than it came is refused.
// A refusal names the nearest wish that is possible: one that has been through all of this and was accepted.
// Cost: some hundred to some hundred thousand impacts of the scalar map, a microsecond each: 1 to 500 ms.

#include "pliant/design.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "analysis/design_search.h"
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
constexpr double kStiffImpedance = 0.9, kImpactImpedance = 0.9999;
/// ω timestep of the softest contact that is chosen so that the integrator discrete lets it bounce: 300 steps.
constexpr double kSoftestBounce = 0.01;
/// What is chosen, over the stiffest that bounces as wished: the rest of its damping is written, for friction's sake.
constexpr double kBounceShare = 0.8;
/// Share of a velocity that a step of the integrator discrete takes away in the mode impact.
constexpr double kStop = 0.98;
/// Share of the limit of stability that designs use.
constexpr double kSafety = 0.8;
/// Largest share of the velocity that damping takes away in a step of the spring mode.
constexpr double kMostDamping = 0.9;
/// Part of the depth that the impact mode corrects per step.
constexpr double kCorrection = 0.02;
constexpr double kRestitutionBound = 0.01;
/// Damping ratio of a blow below which damping that nobody asked for is not chosen while there is a choice.
constexpr double kLeastRatio = 0.5;
/// In place of a damping ratio: critical for a press; the least with which steps go to the state of rest without
/// passing it, c h + s h² = 2 √(s h²).
constexpr double kCriticalPress = 0, kNoOvershoot = -1;
/// Time to settle that is promised, over the longest that was seen, where it bounces.
constexpr double kBounceMargin = 1.04;
/// From a depth at which nothing settles to the next that is tried.
constexpr double kDeeper = 1.3;
/// Damping ratio at which nothing comes back; ω timestep that is as good as any shorter one.
constexpr double kMostRatio = 2, kFineStep = 0.004;
/// k h² / m below which a stiffness is not too much.
constexpr double kSoftStiffness = 1e-4;
/// Bounds of the work: wishes tried in turn for a nearest one, steps to settle up to which shorter timesteps are tried.
constexpr int kMostTurns = 4;
constexpr double kMostSteps = 2e3;
constexpr double kNever = std::numeric_limits<double>::infinity();

std::string text(double x) { return short_text(x); }

double part_of(const DesignRequest& wish) { return wish.timestep / wish.substeps; }

double mean_restitution(const DesignRequest& wish, const Flat& flat, int most_phases = 64) {
  ScalarRow row = flat_row(wish, flat);
  // a contact of thousands of steps is the same in fewer
  if (flat.s > 0 && flat.zeta() <= kMostRatio * (1 + 1e-9))
    row.timestep = std::max(row.timestep, kFineStep / flat.omega());
  const ScalarMap map(row);
  const int phases = enough_phases(wish, flat, most_phases);
  double sum = 0;
  // what has to settle must have left by then
  const int longest = defined(wish.settle) ? static_cast<int>(std::min(1 + wish.settle / row.timestep, 1e9)) : 1 << 30;
  for (int i = 0; i < phases; ++i) sum += bounce(map, wish.impact, (i + 0.5) / phases, false, longest).restitution;
  return sum / phases;
}

double depth_of(const DesignRequest& wish, const Flat& flat, double enough = kNever) {
  const ScalarMap map(flat_row(wish, flat));
  const int phases = enough_phases(wish, flat, 16);
  double most = 0;
  for (int i = 0; i < phases; ++i) {
    most = std::max(most, deepest(map, wish.impact, (i + 0.5) / phases, enough));
    if (most > enough) break;
  }
  return most;
}

bool is_discrete(const DesignRequest& wish) { return wish.integrator == Integrator::kDiscrete; }

/// Sets the damping that gives the wished restitution; otherwise returns the nearest restitution that can be had.
std::optional<double> fit_restitution(const DesignRequest& wish, Flat& flat, int phases = 64, int halvings = 30) {
  const double h = part_of(wish);
  // more than this and a step's damping would turn the velocity round by itself
  double low = least_damping(wish, flat);
  double high = std::min(
      {std::max(0.0, kMostDamping - flat.s * h * h / 2) / h, kMostRatio * 2 * flat.omega(), most_damping(wish, flat)});
  if (low > 0) {
    flat.c = low;
    const double most = mean_restitution(wish, flat, phases);
    if (most < wish.restitution - kRestitutionBound || low >= high) return most;
  }
  flat.c = high;
  const double least = mean_restitution(wish, flat, phases);
  if (least > wish.restitution + kRestitutionBound) return least;
  for (int i = 0; i < halvings; ++i) {
    flat.c = 0.5 * (low + high);
    (mean_restitution(wish, flat, phases) > wish.restitution ? low : high) = flat.c;
  }
  return {};
}

/// Sets the impedance that gives the wished depth at rest, (1 − d) g / s.
bool fit_rest_depth(const DesignRequest& wish, Flat& flat) {
  const double share = flat.s * wish.rest_depth / wish.gravity;
  flat.d = 1 - std::max(share, 1 - kMaxImpedance);
  return share >= 0.999 * (1 - kMaxImpedance) && share <= most_yielding(wish, flat);
}

/// What a settling time has to go together with.
SettleTerms settle_terms(const DesignRequest& wish) {
  SettleTerms terms;
  terms.free_damping = !defined(wish.restitution);
  terms.free_impedance = !defined(wish.rest_depth);
  terms.fit = [&wish](Flat& flat) {
    if (defined(wish.rest_depth) && !fit_rest_depth(wish, flat)) return false;
    return !defined(wish.restitution) || !fit_restitution(wish, flat, 16, 20);
  };
  terms.too_deep = [&wish](const Flat& flat) {
    return defined(wish.max_depth) && depth_of(wish, flat, 1.02 * wish.max_depth) > 1.02 * wish.max_depth;
  };
  terms.holds = [&wish](const Flat& flat) {
    return !defined(wish.restitution) || std::abs(mean_restitution(wish, flat) - wish.restitution) <= kRestitutionBound;
  };
  return terms;
}

/// How far a row is beyond the depth and the time wished, as a share of them; nothing or less: it is not. What is worse
/// than `best` may be infinite.
double excess(const DesignRequest& wish, const Flat& flat, double best) {
  double out = -1;
  if (defined(wish.max_depth)) out = depth_of(wish, flat) / (1.02 * wish.max_depth) - 1;
  if (defined(wish.settle) && out < best) {
    const double give_up = best < kNever ? (1 + std::max(0.0, best)) * wish.settle : kNever;
    for (const int phases : {4, 64}) {
      if (settling(wish, flat, give_up, phases).most == kNever) return kNever;
    }
    out = std::max(out, settling(wish, flat, give_up, kPromisedPhases).most / wish.settle - 1);
  }
  return out;
}

/// A sound row, and how far it is beyond other wishes.
struct Stiff {
  Flat flat;
  double excess = kNever;
};

/// A sound row of that stiffness (and damping, unless it is NaN) of a press: as little impedance as can be, so that a
/// blow feels the same spring as a press. Damping that is not given is critical for a press, then for a blow, then
/// just so much that its steps do not overshoot, then less. Where none agrees with the depth and the time wished, the
/// one that comes nearest.
std::optional<Stiff> stiff_row(const DesignRequest& wish, double k, double b) {
  const double m = wish.mass, h = part_of(wish), least = 1 - kMaxImpedance;
  const bool bounded = defined(wish.max_depth) || defined(wish.settle);
  std::optional<Stiff> best;
  const auto fits = [&](double share, double zeta, Flat& flat) {
    flat = {k * share / m, 0, 1 - share};
    if (defined(b) || zeta == kCriticalPress) {
      flat.c = damping_for_press(wish, flat, defined(b) ? b : 2 * std::sqrt(k * m));
    } else {
      const double ratio = zeta == kNoOvershoot ? 1 - 0.5 * h * flat.omega() : zeta;
      flat.c = std::max(2 * ratio * flat.omega(), least_damping(wish, flat));
    }
    // damping that nobody asked for does not turn the velocity round by itself
    const double bound = defined(b) || defined(wish.restitution) ? 2 * kSafety : 1;
    const auto held = [&] {
      return flat.c * h <= bound && flat.c * h + flat.s * h * h / 2 < 2 * kSafety && can_be_written(wish, flat);
    };
    if (!defined(b) && defined(wish.restitution)) {
      flat.c = least_damping(wish, flat);
      if (!held() || fit_restitution(wish, flat, 16, 20)) return false;
    }
    if (defined(wish.restitution) && std::abs(mean_restitution(wish, flat) - wish.restitution) > kRestitutionBound)
      return false;
    // a press is damped critically by what a much softer blow hardly feels
    if (!defined(b) && !defined(wish.restitution) && zeta == kCriticalPress && flat.zeta() < kLeastRatio) return false;
    if (!held()) return false;
    // far cheaper than whether it is sound
    if (best && defined(wish.max_depth) &&
        deepest(ScalarMap(flat_row(wish, flat)), wish.impact, 0.5, kNever) > 1.02 * wish.max_depth * (1 + best->excess))
      return false;
    if (!is_sound(wish, flat)) return false;
    const double beyond = bounded ? excess(wish, flat, best ? best->excess : kNever) : -1;
    if (!best || beyond < best->excess) best = {flat, beyond};
    return beyond <= 0;
  };
  for (const double zeta : {kCriticalPress, 1.0, kNoOvershoot, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05}) {
    double before = 1 - kSoftestImpedance;
    for (double share = before;; share = std::max(least, 0.8 * share)) {
      if (Flat flat; fits(share, zeta, flat)) {
        Flat chosen = flat;
        double stays = share;
        for (int i = 0; i < 8 && before > stays; ++i) {
          const double middle = 0.5 * (stays + before);
          if (fits(middle, zeta, flat)) {
            stays = middle, chosen = flat;
          } else {
            before = middle;
          }
        }
        return Stiff{chosen, -1};
      }
      before = share;
      if (share <= least) break;
    }
    if (defined(b) || defined(wish.restitution)) break;
  }
  return best;
}

/// Rounded to the four digits that are printed, so that the number that is read can be had.
double rounded(double x, bool up) {
  if (!(x > 0) || !std::isfinite(x)) return x;
  const double unit = std::pow(10, std::floor(std::log10(x)) - 3), n = x / unit;
  // through its text, so that typing the number gives the same bits
  return std::stod(text(unit * (up ? std::ceil(n * (1 - 1e-9)) : std::floor(n * (1 + 1e-9)))));
}

/// One attempt at a wish. What it refuses has a nearest wish that is likely to be possible, or none.
class Designer {
 public:
  /// `only_whether`: a refusal needs no nearest.
  explicit Designer(const DesignRequest& wish, bool only_whether = false)
      : wish_(wish), part_(part_of(wish)), only_whether_(only_whether) {}

  DesignResult run() {
    result_.nearest = wish_;
    check();
    take_material();
    if (defined(wish_.restitution) && (wish_.restitution < 0 || wish_.restitution > 1)) {
      result_.nearest.restitution = std::clamp(wish_.restitution, 0.0, 1.0);
      return refuse("a restitution of " + text(wish_.restitution) + " does not exist");
    }
    const double step_depth = wish_.impact * wish_.timestep;
    if (defined(wish_.max_depth) && wish_.max_depth < 1.02 * step_depth) {
      result_.nearest.max_depth = rounded(1.05 * step_depth, true);
      return refuse("a body at " + text(wish_.impact) + " m/s moves " + text(1e3 * step_depth) +
                    " mm per step before the contact is seen, which puts a max depth of " +
                    text(1e3 * wish_.max_depth) + " mm out of reach");
    }
    return wants_impact_mode() ? impact() : spring();
  }
  /// Wished, or of the material.
  double restitution() const { return wish_.restitution; }
  /// Another way out of a refusal: ", or …".
  const std::string& other() const { return other_; }

 private:
  void check() const {
    const auto positive = [](double x, const char* what) {
      if (defined(x) && !(x > 0 && std::isfinite(x)))
        throw std::invalid_argument(std::string(what) + " must be a number above zero");
    };
    positive(wish_.impact, "impact");
    positive(wish_.max_depth, "max depth");
    positive(wish_.stiffness, "stiffness");
    positive(wish_.mass, "mass");
    positive(wish_.rest_depth, "rest depth");
    positive(wish_.settle, "settling time");
    positive(wish_.timestep, "timestep");
    if (defined(wish_.damping) && !(wish_.damping >= 0 && std::isfinite(wish_.damping)))
      throw std::invalid_argument("damping must not be negative");
    if (wish_.substeps < 1) throw std::invalid_argument("substeps must be 1 or more");
    if (wish_.substeps > 1 && (is_discrete(wish_) || wish_.integrator == Integrator::kRk4)) {
      throw std::invalid_argument(
          "under the integrators discrete and RK4 the solver TGS takes no substeps: leave them at 1");
    }
    if (!(wish_.gravity >= 0 && std::isfinite(wish_.gravity)))
      throw std::invalid_argument("gravity must not be negative");
    if (wish_.gravity == 0 && (defined(wish_.rest_depth) || defined(wish_.settle)))
      throw std::invalid_argument("without gravity there is no depth at rest and nothing settles");
    const std::string& target = wish_.target;
    if (target != "geom" && target != "pair" && target != "limit" && target != "equality" && target != "mimic") {
      throw std::invalid_argument("the attributes are for geom, pair, limit, equality or mimic, not " + quote(target));
    }
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

  bool wants_stiffness() const { return defined(wish_.stiffness) || defined(wish_.damping); }
  bool wants_impact_mode() {
    if (wish_.mode != "auto") return wish_.mode == "impact";
    if (wants_stiffness() || defined(wish_.rest_depth) || defined(wish_.settle)) return false;
    if (!defined(wish_.restitution)) return wish_.max_depth < kResolvedDepth * wish_.impact * wish_.timestep;
    if (is_discrete(wish_)) return wish_.restitution <= kRestitutionBound;
    const double depth = defined(wish_.max_depth) ? wish_.max_depth : kUsualDepth;
    return wish_.restitution < 0.05 || wish_.restitution > 0.95 || depth < kEasyLength * wish_.impact * wish_.timestep;
  }

  // ---- a reversal within one step

  DesignResult impact() {
    const double e = defined(wish_.restitution) ? wish_.restitution : 0;
    const double correction = std::min(kCorrection, 0.5 * (1 - e));
    if (is_discrete(wish_) && e > kRestitutionBound) {
      result_.nearest.restitution = 0;
      other_ = ", or mode spring";
      return refuse("the integrator discrete stops a velocity within one step, but cannot turn it round there");
    }
    const auto at = [&](double reversed) {
      if (is_discrete(wish_)) return Flat{correction / (part_ * part_), kStop / part_, kImpactImpedance};
      // an exact estimate makes the share of the wish that comes true d: a little more is asked for
      return Flat{correction / (part_ * part_), (1 + reversed) / part_, kImpactImpedance};
    };
    double low = std::max(-1.0, e - 0.3), high = 1;
    for (int i = 0; i < 50 && e < 1 && !is_discrete(wish_); ++i) {
      const double middle = 0.5 * (low + high);
      (mean_restitution(wish_, at(middle)) < e ? low : high) = middle;
    }
    // B = c / d must be (1 + e) / (d timestep): damping (1 + e) / timestep exactly, where e = 1
    const Flat chosen = at(e < 1 ? high : 1);
    result_.mode = "impact";
    note(std::string("impact mode: the velocity is ") + (is_discrete(wish_) ? "stopped" : "turned round") +
         " within one step of " + text(1e3 * part_) + " ms; the numbers hold for this timestep only");
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
      other_ = ", or the solver Newton";
      return refuse("restitution 1 would show as " + text(seen) + ", because the solver takes the step in " +
                    std::to_string(wish_.substeps) + " parts, and gravity pulls on in those after the reversal");
    }
    if (e >= 1 && wish_.substeps > 1)
      note("bounces keep their height; at the end of the step the speed is " + text(seen) + " of that before");
    return result_;
  }

  // ---- a contact of many steps

  DesignResult spring() {
    Flat flat = oscillator(1 / (kEasyLength * wish_.timestep), 1, kStiffImpedance);
    if (wants_stiffness()) {
      if (!choose_stiffness(flat)) return result_;
    } else if (defined(wish_.settle)) {
      if (!choose_settling(flat)) return result_;
    } else {
      // contacts begin and end at whole steps, whatever parts the solver takes
      if (is_discrete(wish_) && defined(wish_.max_depth))
        flat = oscillator(std::min(flat.omega(), wish_.impact / wish_.max_depth), 1, flat.d);
      if (!choose_damping(flat)) return result_;
      if (defined(wish_.max_depth) && !choose_frequency(flat)) return result_;
      if (defined(wish_.rest_depth) && !choose_impedance(flat)) return result_;
    }
    result_.mode = "spring";
    if (flat.d < kStiffImpedance) {
      note("impedance " + text(flat.d) + ": a blow feels " + text(flat.s * wish_.mass) + " N/m, a static press " +
           text(flat.s * wish_.mass / (1 - flat.d)) + " N/m");
    }
    return finish(flat);
  }

  /// c from the restitution, or from nothing. Where the step itself damps too much, s too, unless a depth fixes it.
  bool choose_damping(Flat& flat) {
    if (!defined(wish_.restitution)) return true;
    auto nearest = fit_restitution(wish_, flat);
    if (nearest && *nearest < wish_.restitution && !defined(wish_.max_depth)) nearest = soften(flat);
    if (!nearest) return true;
    if (*nearest < wish_.restitution) {
      result_.nearest.restitution = std::floor(100 * *nearest) / 100;
      refuse("restitution " + text(wish_.restitution) +
             " needs less damping than the integrator discrete has by itself at this timestep" +
             (defined(wish_.max_depth) ? " and this depth" : " in contacts of up to 300 steps"));
      other_ = ", or another integrator";
      return false;
    }
    result_.nearest.restitution = std::ceil(100 * *nearest) / 100;
    refuse("restitution " + text(wish_.restitution) + " needs more damping than is stable at this timestep");
    return false;
  }

  /// So soft that the damping that a step of the integrator discrete has by itself, a ratio of ω h / 2, leaves the
  /// wished restitution; otherwise the largest restitution there is.
  std::optional<double> soften(Flat& flat) const {
    const auto at = [&](double omega, Flat& out) {
      out = oscillator(omega, 1, flat.d);
      return fit_restitution(wish_, out);
    };
    double high = flat.omega(), low = kSoftestBounce / part_;
    Flat soft;
    if (const auto nearest = at(low, soft)) return nearest;
    for (int i = 0; i < 12; ++i) {
      const double middle = std::sqrt(low * high);
      (at(middle, soft) ? high : low) = middle;
    }
    return at(std::max(kBounceShare * low, kSoftestBounce / part_), flat);
  }

  /// s from the depth of the impact; c follows.
  bool choose_frequency(Flat& flat) {
    const double least = kResolvedDepth * wish_.impact * wish_.timestep;
    if (wish_.max_depth < least) {
      result_.nearest.max_depth = rounded(least, true);
      refuse("a bounce of many steps needs a depth of 3.2 x speed x timestep = " + text(1e3 * least) + " mm, not " +
             text(1e3 * wish_.max_depth) + " mm");
      return false;
    }
    for (int turn = 0; turn < 12; ++turn) {
      const double depth = depth_of(wish_, flat);
      if (std::abs(depth / wish_.max_depth - 1) < 0.005) break;
      flat = oscillator(std::min(flat.omega() * depth / wish_.max_depth, 1 / (0.7 * part_)), flat.zeta(), flat.d);
      if (!choose_damping(flat)) return false;
    }
    return true;
  }

  /// Everything from the time to settle, together with what else is wanted.
  bool choose_settling(Flat& flat) {
    // when a row of bounces ends varies more than all the places looked at may show
    DesignRequest wish = wish_;
    const double margin = wish_.restitution > 0 ? kBounceMargin : 1;
    wish.settle /= margin;
    SettleTerms terms = settle_terms(wish);
    terms.only_in_time = only_whether_;
    const Settled found = find_settling(wish, terms);
    flat = found.flat;
    if (found.most <= wish.settle * (1 + 1e-9)) return true;
    result_.nearest.settle = rounded(margin * found.most, true);
    if (found.most == kNever && defined(wish_.max_depth)) {
      // nothing so shallow settles at all
      result_.nearest.settle = wish_.settle;
      result_.nearest.max_depth = rounded(kDeeper * wish_.max_depth, true);
    }
    refuse("settling within " + text(wish_.settle) +
           " s is too fast for this timestep and an impedance that is the same at every depth" +
           (defined(wish_.restitution) || defined(wish_.max_depth) || defined(wish_.rest_depth)
                ? ", together with the rest"
                : ""));
    return false;
  }

  /// d from the depth at rest; where the usual frequency is too low for it, all from the stiffness that it means.
  bool choose_impedance(Flat& flat) {
    if (!defined(wish_.max_depth)) {
      // nothing else fixes the frequency: keep d, move ω as far as the timestep allows
      const double wanted = std::sqrt(wish_.gravity * (1 - kStiffImpedance) / wish_.rest_depth);
      flat = oscillator(std::min(wanted, flat.omega()), flat.zeta(), flat.d);
    }
    // what a slow impact does depends on the impedance as well
    bool fits = false;
    for (int turn = 0; turn < 4; ++turn) {
      const Flat before = flat;
      if (!choose_damping(flat)) return false;
      fits = fit_rest_depth(wish_, flat);
      if (!fits || (flat.s == before.s && flat.c == before.c && flat.d == before.d)) break;
    }
    if (fits) return true;
    const double share = flat.s * wish_.rest_depth / wish_.gravity;
    if (share > most_yielding(wish_, flat)) {
      result_.nearest.rest_depth = rounded(0.99 * wish_.gravity * most_yielding(wish_, flat) / flat.s, false);
      refuse("a depth at rest of " + text(1e3 * wish_.rest_depth) + " mm is too soft for " +
             (defined(wish_.max_depth) ? "a max depth of " + text(1e3 * wish_.max_depth) + " mm" : "this timestep"));
      return false;
    }
    const double k = wish_.mass * wish_.gravity / wish_.rest_depth;
    if (const auto found = stiff_row(wish_, k, kUndefined)) {
      flat = found->flat;
      return found->excess <= 0 || refuse_bounds(*found);
    }
    result_.nearest.rest_depth = rounded(wish_.mass * wish_.gravity / stiffest_below(k, kUndefined), true);
    refuse("a depth at rest of " + text(1e3 * wish_.rest_depth) + " mm is out of reach at this timestep");
    return false;
  }

  /// A row is sound, but deeper or slower than wished.
  bool refuse_bounds(const Stiff& found) {
    const double depth = depth_of(wish_, found.flat);
    const bool deep = depth > 1.02 * wish_.max_depth;
    if (deep) result_.nearest.max_depth = rounded(depth, true);
    double time = 0;
    if (defined(wish_.settle)) time = settling(wish_, found.flat, kNever, kPromisedPhases).most;
    const bool slow = time > wish_.settle * (1 + 1e-9);
    if (slow) result_.nearest.settle = rounded(time, true);
    refuse((deep ? "a max depth of " + text(1e3 * wish_.max_depth) + " mm" : std::string()) +
           (deep && slow ? " and " : "") + (slow ? "settling within " + text(wish_.settle) + " s" : "") +
           " cannot be had together with the rest");
    return false;
  }

  /// The largest stiffness below `k` that a sound row has; damping keeps its proportion to it. NaN: there is none.
  double stiffest_below(double k, double b) const {
    if (only_whether_) return kUndefined;
    const double h = part_, ratio = b / k;
    DesignRequest wish = wish_;
    wish.max_depth = wish.settle = kUndefined;
    const auto sound = [&](double x) { return stiff_row(wish, x, ratio * x).has_value(); };
    // beyond this not even a press without damping is stable
    double high = std::min(k, 4 * wish_.mass / ((1 - kMaxImpedance) * h * h)), low = high;
    while (!sound(low)) {
      if (low < kSoftStiffness * wish_.mass / (h * h)) return kUndefined;
      high = low, low *= 0.5;
    }
    for (int i = 0; i < 12; ++i) {
      const double middle = std::sqrt(low * high);
      (sound(middle) ? low : high) = middle;
    }
    return low;
  }

  /// s and c from newtons per metre.
  bool choose_stiffness(Flat& flat) {
    const double m = wish_.mass, h = part_;
    const double k = defined(wish_.stiffness) ? wish_.stiffness : m / (kEasyLength * kEasyLength * h * h);
    if (defined(wish_.rest_depth) && std::abs(wish_.rest_depth * k / (m * wish_.gravity) - 1) > 0.02) {
      result_.nearest.rest_depth = rounded(m * wish_.gravity / k, true);
      refuse("stiffness and weight give another depth at rest than " + text(1e3 * wish_.rest_depth) + " mm");
      return false;
    }
    const auto found = stiff_row(wish_, k, wish_.damping);
    if (!found) {
      const double nearest = rounded(stiffest_below(k, wish_.damping), false);
      if (defined(wish_.stiffness)) result_.nearest.stiffness = nearest;
      if (defined(wish_.damping)) result_.nearest.damping = rounded(nearest / k * wish_.damping, false);
      refuse("at this timestep a stiffness of " + text(k) + " N/m" +
             (defined(wish_.damping) ? " with a damping of " + text(wish_.damping) + " N s/m" : "") +
             (defined(wish_.restitution) ? " and a restitution of " + text(wish_.restitution) : "") +
             " shakes at rest or gains energy in impacts");
      return false;
    }
    if (found->excess > 0) return refuse_bounds(*found);
    flat = found->flat;
    if (!defined(wish_.damping) && !defined(wish_.restitution)) {
      const double b = press_damping(wish_, flat);
      note("damping was not given: " + text(b) + " N s/m, " +
           (b > 1.99 * std::sqrt(k * m) && b < 2.01 * std::sqrt(k * m)
                ? "critical for a press"
                : "a damping ratio of " + text(flat.zeta()) + " for a blow; critical for a press would be " +
                      text(2 * std::sqrt(k * m))));
    }
    note("per contact point: a body that stands on four points feels four of these springs");
    return true;
  }

  // ---- the answer

  DesignResult refuse(const std::string& reason) {
    result_.possible = false;
    result_.refusal = reason;
    result_.notes.clear();
    return result_;
  }
  void note(const std::string& line) { result_.notes.push_back(line); }

  DesignResult finish(const Flat& flat) {
    const ScalarRow row = written_row(wish_, flat);
    result_.solref = row.solref;
    result_.solimp = row.solimp;
    result_.predict = predict_row(row, wish_.mass * wish_.gravity, wish_.impact, row.response);
    result_.attributes = attributes(row);
    result_.possible = true;
    const Prediction& p = result_.predict;
    if (wish_.timestep > p.stable_dt || (!row.two_sided && p.restitution_range[1] > kMostRestitution)) {
      return refuse("what comes nearest would shake at rest or gain energy in impacts (restitution up to " +
                    text(p.restitution_range[1]) + ", stable below a timestep of " + text(p.stable_dt) + " s)");
    }
    if (defined(wish_.restitution) && std::abs(p.restitution - wish_.restitution) > 2 * kRestitutionBound) {
      result_.nearest.restitution = std::round(1e4 * p.restitution) / 1e4;
      return refuse("restitution " + text(wish_.restitution) + " cannot be had together with the rest");
    }
    if (defined(wish_.max_depth) && p.max_depth > 1.05 * wish_.max_depth) {
      result_.nearest.max_depth = rounded(p.max_depth, true);
      return refuse("a max depth of " + text(1e3 * wish_.max_depth) + " mm cannot be had together with the rest");
    }
    // the mode impact has a stiffness, damping and depth at rest of its own
    const auto other = [](double wished, double made) {
      return defined(wished) && !(std::abs(made - wished) <= 0.02 * std::abs(wished));
    };
    if (other(wish_.stiffness, p.stiffness) || other(wish_.damping, p.damping) ||
        other(wish_.rest_depth, p.rest_depth)) {
      if (defined(wish_.stiffness)) result_.nearest.stiffness = rounded(p.stiffness, false);
      if (defined(wish_.damping)) result_.nearest.damping = rounded(p.damping, false);
      if (defined(wish_.rest_depth)) result_.nearest.rest_depth = rounded(p.rest_depth, true);
      return refuse("stiffness, damping and depth at rest cannot be chosen together with the rest");
    }
    if (defined(wish_.settle)) {
      const Settling time = settling(wish_, flat, kNever, kPromisedPhases);
      if (time.most > wish_.settle + 1.01 * wish_.timestep) {
        result_.nearest.settle = rounded(time.most, true);
        return refuse("settling within " + text(wish_.settle) + " s cannot be had together with the rest");
      }
      note("where in a step the impact falls, it settles within " + text(time.least) + " to " + text(time.most) + " s");
    }
    if (p.restitution_range[1] - p.restitution_range[0] > 0.04) {
      note("where in a step the impact falls matters: restitution " + text(p.restitution_range[0]) + " to " +
           text(p.restitution_range[1]));
    }
    if (is_discrete(wish_)) note_timesteps(row);
    note("for " + text(wish_.mass) + " kg on the contact: stiffness and damping are in proportion to that mass, " +
         "bounces and the depth under its weight do not depend on it");
    if (wish_.target == "geom") {
      note("priority 1 decides as long as the other geom has less; with as much, the numbers of both are mixed");
    }
    if (row.solref[1] > -1e-9 && wish_.target != "equality") note("without damping friction does not hold either");
    return result_;
  }

  /// Stable at any timestep does not mean the same at any.
  void note_timesteps(ScalarRow row) {
    std::string bounces;
    for (const double factor : {0.5, 2.0}) {
      row.timestep = factor * wish_.timestep;
      const ScalarMap map(row);
      constexpr int kPlaces = 16;
      double sum = 0;
      for (int i = 0; i < kPlaces; ++i) sum += bounce(map, wish_.impact, (i + 0.5) / kPlaces, false).restitution;
      bounces += (bounces.empty() ? "" : ", ") + text(sum / kPlaces) + " at " + text(1e3 * row.timestep) + " ms";
    }
    note("for the integrator discrete: spring and damper act at the end of the step, which is stable at any timestep" +
         (row.two_sided ? "" : "; the same numbers bounce back with " + bounces));
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
  bool only_whether_;
  std::string other_;  ///< another way out of a refusal
  double friction_ = 0;
  DesignResult result_;
};

/// The wishes of `nearest` that are not those of `wish`, each with its number; empty if there are none.
std::string differences(const DesignRequest& wish, const DesignRequest& nearest) {
  std::string out;
  const auto add = [&](double before, double after, const char* name, double unit, const char* unit_name) {
    if (before == after || !defined(after)) return;
    out += (out.empty() ? "" : " with ") + std::string(name) + " " + text(unit * after) + unit_name;
  };
  add(wish.restitution, nearest.restitution, "a restitution of", 1, "");
  add(wish.stiffness, nearest.stiffness, "a stiffness of", 1, " N/m");
  add(wish.damping, nearest.damping, "a damping of", 1, " N s/m");
  add(wish.max_depth, nearest.max_depth, "a max depth of", 1e3, " mm");
  add(wish.rest_depth, nearest.rest_depth, "a depth at rest of", 1e3, " mm");
  add(wish.settle, nearest.settle, "settling within", 1, " s");
  return out;
}

/// Whether every wish that was there is one still.
bool is_whole(const DesignRequest& wish, const DesignRequest& nearest) {
  const auto kept = [](double before, double after) { return !defined(before) || std::isfinite(after); };
  return kept(wish.restitution, nearest.restitution) && kept(wish.stiffness, nearest.stiffness) &&
         kept(wish.damping, nearest.damping) && kept(wish.max_depth, nearest.max_depth) &&
         kept(wish.rest_depth, nearest.rest_depth) && kept(wish.settle, nearest.settle);
}

/// Follows the nearest of each refusal to one that is possible; false: there is none on this way.
bool follow(const DesignRequest& wish, DesignRequest& nearest) {
  for (int turn = 0; turn < kMostTurns; ++turn) {
    if (!is_whole(wish, nearest) || differences(wish, nearest).empty()) return false;
    const DesignResult made = Designer(nearest).run();
    if (made.possible) return true;
    if (differences(nearest, made.nearest).empty()) return false;
    nearest = made.nearest;
  }
  return false;
}

/// The least change of one number of the wish that makes it possible, of some tried; false: none does.
bool change_one(const DesignRequest& wish, DesignRequest& nearest) {
  struct Change {
    double DesignRequest::* number;
    double sign;  // of the power of the factor
  };
  constexpr Change kChanges[] = {{&DesignRequest::settle, 1},     {&DesignRequest::max_depth, 1},
                                 {&DesignRequest::rest_depth, 1}, {&DesignRequest::stiffness, -1},
                                 {&DesignRequest::damping, -1},   {&DesignRequest::restitution, -1},
                                 {&DesignRequest::restitution, 1}};
  const auto changed = [&](const Change& change, double factor) {
    DesignRequest out = wish;
    double& x = out.*change.number;
    x = rounded(x * std::pow(factor, change.sign), change.sign > 0);
    if (change.number == &DesignRequest::restitution) x = std::min(x, 1.0);
    return out;
  };
  double before = 1;
  for (const double factor : {1.2, 1.6, 2.5, 5.0, 20.0, 100.0}) {
    for (const Change& change : kChanges) {
      if (!defined(wish.*change.number)) continue;
      nearest = changed(change, factor);
      if (!Designer(nearest, true).run().possible) continue;
      double low = before, high = factor;
      for (int i = 0; i < 3; ++i) {
        const double middle = std::sqrt(low * high);
        const DesignRequest nearer = changed(change, middle);
        const bool possible = Designer(nearer, true).run().possible;
        (possible ? high : low) = middle;
        if (possible) nearest = nearer;
      }
      return true;
    }
    before = factor;
  }
  return false;
}

/// ", or a timestep of … s": the longest of some shorter ones at which it is possible.
std::string timestep_for(DesignRequest wish) {
  // bounces take the time they take, and a spring the way, whatever the timestep
  if (defined(wish.settle) && defined(wish.restitution)) return "";
  const bool spring = defined(wish.stiffness) || defined(wish.damping) || defined(wish.rest_depth);
  if (spring && (defined(wish.settle) || defined(wish.max_depth))) return "";
  if (wish.stiffness * wish.timestep * wish.timestep < kSoftStiffness * wish.mass) return "";
  const double timestep = wish.timestep;
  for (const double share : {0.5, 0.2, 0.1, 0.05, 0.01}) {
    wish.timestep = rounded(share * timestep, false);
    if (wish.settle > kMostSteps * wish.timestep) break;
    if (Designer(wish, true).run().possible) return ", or a timestep of " + text(wish.timestep) + " s";
  }
  return "";
}

}  // namespace

DesignResult design(const DesignRequest& request) {
  Designer designer(request);
  DesignResult result = designer.run();
  if (result.possible) return result;
  DesignRequest wish = request;
  // what a material wishes counts as well
  if (!defined(wish.restitution)) wish.restitution = designer.restitution();
  std::string ways;
  if (follow(wish, result.nearest) || change_one(wish, result.nearest)) {
    ways = "the nearest is " + differences(wish, result.nearest) + designer.other();
  } else {
    result.nearest = request;
    ways = "no single number is at fault, so that none is the nearest: leave out a wish" + designer.other();
  }
  result.refusal += ": " + ways;
  wish = request;
  wish.mode = "impact";
  if (request.mode != "impact" && Designer(wish, true).run().possible) result.refusal += ", or mode impact";
  result.refusal += timestep_for(request);
  return result;
}

}  // namespace pliant
