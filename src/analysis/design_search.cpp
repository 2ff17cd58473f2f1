// Searches among rows with a flat impedance.
//
// Cost: a search for a settling time that critical damping cannot have looks at some eight thousand rows, each for at
// most the time wished: 10 ms to a second.

#include "analysis/design_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Phases of an impact looked at in a search, and before anything is promised.
constexpr int kFewPhases = 8, kAllPhases = 32, kSoundPhases = 64;
/// Largest restitution at those: between two of them it may be a little more.
constexpr double kSoundRestitution = 1 + 0.5 * (kMostRestitution - 1);
/// Impedances tried, the usual one first, then those that differ least from it in what they give away.
constexpr double kImpedances[] = {0.9, 0.95, 0.8, 0.5, 0.98, 0.99, 0.2, 0.999, 0.05, 0.01, 0.9999};
/// Where every row's damping has to be found first, by hundreds of impacts: only these many of them.
constexpr int kFewImpedances = 4;
constexpr int kStiffnesses = 44, kDampings = 30;
/// Bounds of s h² and c h that are worth a look: beyond them c h + s h²/2 is above 2, which is unstable.
constexpr double kMostStiffness = 4, kLeastDamping = 5e-3, kMostDamping = 2;

double step_of(const DesignRequest& wish) { return wish.timestep / wish.substeps; }

bool two_sided(const DesignRequest& wish) { return wish.target == "equality" || wish.target == "mimic"; }

double between(double low, double high, double share) { return low * std::pow(high / low, share); }

/// Worst time of a row that everything else agrees with; infinite for the others.
double worst_time(const DesignRequest& wish, const SettleTerms& terms, const Flat& flat, double give_up) {
  if (settling(wish, flat, give_up, kFewPhases).most == kNever) return kNever;
  const double most = settling(wish, flat, give_up, kAllPhases).most;
  return most < kNever && is_sound(wish, flat) && terms.holds(flat) ? most : kNever;
}

/// Rows with critical damping (or the damping that other wishes set) from soft to stiff: the first that is in time.
bool softest(const DesignRequest& wish, const SettleTerms& terms, Settled& out) {
  const double h = step_of(wish), low = 0.3 / wish.settle, high = std::sqrt(kMostStiffness) / h;
  const auto at = [&](double omega, Flat& flat) {
    flat = oscillator(omega, 1, kImpedances[0]);
    return terms.fit(flat) ? worst_time(wish, terms, flat, wish.settle) : kNever;
  };
  if (!(low < high)) return false;
  double before = low;
  for (int i = 0; i <= kStiffnesses; ++i) {
    const double omega = between(low, high, double(i) / kStiffnesses);
    Flat flat;
    if (at(omega, flat) < kNever) {
      double soft = before, stiff = omega;
      for (int k = 0; k < 20; ++k) {
        const double middle = std::sqrt(soft * stiff);
        (at(middle, flat) < kNever ? stiff : soft) = middle;
      }
      out.most = at(stiff, out.flat);
      return true;
    }
    before = omega;
  }
  return false;
}

/// Halves its way towards a faster row from one that is fast already.
void refine(const DesignRequest& wish, const SettleTerms& terms, Settled& best) {
  double step = 0.3;
  for (int turn = 0; turn < 40 && step > 1e-3; ++turn) {
    bool better = false;
    for (const auto& [ds, dc] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}}) {
      if (dc != 0 && !terms.free_damping) continue;
      Flat flat = best.flat;
      flat.s *= std::exp(ds * step);
      flat.c *= std::exp(dc * step);
      if (!terms.fit(flat)) continue;
      const double most = worst_time(wish, terms, flat, best.most);
      if (!(most < best.most)) continue;
      best = {flat, most};
      better = true;
    }
    if (!better) step /= 2;
  }
}

}  // namespace

double Flat::omega() const { return std::sqrt(s); }
double Flat::zeta() const { return s > 0 ? c / (2 * std::sqrt(s)) : kNever; }

Flat oscillator(double omega, double zeta, double d) { return {omega * omega, 2 * zeta * omega, d}; }

ScalarRow flat_row(const DesignRequest& wish, const Flat& flat) {
  ScalarRow row;
  row.solref = {-flat.s, -flat.c};
  row.solimp = {flat.d, flat.d, 0.001, 0.5, 2};
  row.timestep = wish.timestep;
  row.substeps = wish.substeps;
  row.response = row.estimate = 1 / wish.mass;
  row.free_accel = -wish.gravity;
  row.two_sided = two_sided(wish);
  return row;
}

bool is_sound(const DesignRequest& wish, const Flat& flat) {
  const ScalarMap map(flat_row(wish, flat));
  if (map.growth_at_rest(wish.mass * wish.gravity, 1 / wish.mass) > 1 + 1e-9) return false;
  if (two_sided(wish)) return true;  // nothing leaves
  for (int i = 0; i < kSoundPhases; ++i) {
    if (bounce(map, wish.impact, (i + 0.5) / kSoundPhases, false).restitution > kSoundRestitution) return false;
  }
  return true;
}

Settling settling(const DesignRequest& wish, const Flat& flat, double give_up, int phases) {
  const ScalarMap map(flat_row(wish, flat));
  const int longest = static_cast<int>(std::min(give_up / wish.timestep * (1 + 1e-9), 1e9));
  Settling out{kNever, 0};
  for (int i = 0; i < phases; ++i) {
    const double time = bounce(map, wish.impact, (i + 0.5) / phases, true, longest).settle_time;
    out.least = std::min(out.least, time);
    out.most = std::max(out.most, time);
    if (out.most == kNever) break;
  }
  return out;
}

Settled find_settling(const DesignRequest& wish, const SettleTerms& terms) {
  Settled out;
  if (softest(wish, terms, out)) return out;
  const double h = step_of(wish), low = std::pow(0.3 * h / wish.settle, 2);
  Settled fastest{{}, kNever};
  const int impedances = !terms.free_impedance ? 1 : terms.free_damping ? std::size(kImpedances) : kFewImpedances;
  const int dampings = terms.free_damping ? kDampings : 1;
  for (int k = 0; k < impedances; ++k) {
    double nearest = kNever;
    for (int i = 0; i < kStiffnesses; ++i) {
      for (int j = 0; j < dampings; ++j) {
        Flat flat;
        flat.s = between(std::min(low, 1.0), kMostStiffness, (i + 0.5) / kStiffnesses) / (h * h);
        flat.c = between(kLeastDamping, kMostDamping, (j + 0.5) / kDampings) / h;
        flat.d = kImpedances[k];
        if (!terms.fit(flat) || flat.c * h + flat.s * h * h / 2 > 2) continue;
        // what is no faster than the fastest so far is of interest only while it is in time
        const double most =
            worst_time(wish, terms, flat, std::max(wish.settle, std::min(fastest.most, 1e3 * h + 10 * wish.settle)));
        if (most < fastest.most) fastest = {flat, most};
        const double off = std::abs(std::log(flat.zeta()));
        if (most <= wish.settle && off < nearest) nearest = off, out = {flat, most};
      }
    }
    if (nearest < kNever) return out;
  }
  if (fastest.most < kNever) refine(wish, terms, fastest);
  return fastest;
}

}  // namespace pliant
