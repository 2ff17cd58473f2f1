// Searches among rows with a flat impedance.
//
// Cost: a search for a settling time that critical damping cannot have looks at some ten thousand rows, each for at
// most the time wished: 10 to 300 ms.

#include "analysis/design_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pliant {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Phases of an impact looked at in a search, and before anything is promised.
constexpr int kFewPhases = 8, kMorePhases = 64, kSoundPhases = 256;
/// Largest restitution at those: between two of them it may be a little more.
constexpr double kSoundRestitution = 1 + 0.5 * (kMostRestitution - 1);
/// Impedances tried, the usual one first, then those that differ least from it in what they give away.
constexpr double kImpedances[] = {0.9, 0.95, 0.8, 0.5, 0.98, 0.99, 0.2, 0.999, 0.05, 0.01, 0.9999};
/// Where every row's damping has to be found first, by hundreds of impacts: only these many of them.
constexpr int kFewImpedances = 4;
constexpr int kStiffnesses = 44, kDampings = 20;
/// From one s h² to the next: the same ones whatever is wished, so that what was found once is found again.
constexpr double kNextStiffness = 1.5;
/// Bounds of s h² and c h that are worth a look: beyond them c h + s h²/2 is above 2, which is unstable.
constexpr double kMostStiffness = 4, kLeastDamping = 5e-3, kMostDamping = 2;

double step_of(const DesignRequest& wish) { return wish.timestep / wish.substeps; }

bool is_discrete(const DesignRequest& wish) { return wish.integrator == Integrator::kDiscrete; }

bool two_sided(const DesignRequest& wish) { return wish.target == "equality" || wish.target == "mimic"; }

double between(double low, double high, double share) { return low * std::pow(high / low, share); }

/// Worst time of a row that everything else agrees with; infinite for the others.
double worst_time(const DesignRequest& wish, const SettleTerms& terms, const Flat& flat, double give_up) {
  // the cheap questions first
  if (!can_be_written(wish, flat)) return kNever;
  if (settling(wish, flat, give_up, 1).most == kNever || terms.too_deep(flat)) return kNever;
  if (settling(wish, flat, give_up, kFewPhases).most == kNever) return kNever;
  if (!is_sound(wish, flat) || !terms.holds(flat)) return kNever;
  if (settling(wish, flat, give_up, kMorePhases).most == kNever) return kNever;
  return settling(wish, flat, give_up, kPromisedPhases).most;
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
  row.integrator = is_discrete(wish) ? Integrator::kEuler : wish.integrator;
  return row;
}

ScalarRow written_row(const DesignRequest& wish, const Flat& flat) {
  if (!is_discrete(wish)) return flat_row(wish, flat);
  const double h = step_of(wish), u = 1 / (1 - flat.c * h);
  Flat at_the_end{flat.s * u, std::max(0.0, flat.c - flat.s * h) * u, 1 - (1 - flat.d) * u};
  ScalarRow row = flat_row(wish, at_the_end);
  row.integrator = Integrator::kDiscrete;
  return row;
}

double least_damping(const DesignRequest& wish, const Flat& flat) {
  return is_discrete(wish) ? flat.s * step_of(wish) : 0;
}

double most_damping(const DesignRequest& wish, const Flat& flat) {
  if (!is_discrete(wish)) return kNever;
  return (1 - (1 - flat.d) / (1 - kSoftestImpedance)) / step_of(wish);
}

double most_yielding(const DesignRequest& wish, const Flat& flat) {
  return (1 - kSoftestImpedance) * (is_discrete(wish) ? 1 - flat.c * step_of(wish) : 1);
}

bool can_be_written(const DesignRequest& wish, const Flat& flat) {
  constexpr double kRounding = 1 + 1e-9;
  return flat.c * kRounding >= least_damping(wish, flat) && flat.c <= most_damping(wish, flat) * kRounding;
}

double press_damping(const DesignRequest& wish, const Flat& flat) {
  return (flat.c - least_damping(wish, flat)) * wish.mass / (1 - flat.d);
}

double damping_for_press(const DesignRequest& wish, const Flat& flat, double damping) {
  return damping * (1 - flat.d) / wish.mass + least_damping(wish, flat);
}

int enough_phases(const DesignRequest& wish, const Flat& flat, int phases) {
  const double h = step_of(wish);
  return flat.omega() * h < 0.02 && flat.c * h < 0.04 ? std::min(phases, 4) : phases;
}

bool is_sound(const DesignRequest& wish, const Flat& flat) {
  const ScalarMap map(flat_row(wish, flat));
  if (map.growth_at_rest(wish.mass * wish.gravity, 1 / wish.mass) > 1 + 1e-9) return false;
  if (two_sided(wish)) return true;  // nothing leaves
  // what takes many steps and is damped comes back far slower than it came
  const double h = step_of(wish);
  if (flat.zeta() > 0.3 && flat.s * h * h < 0.01 && flat.c * h < 0.5) return true;
  const int most = enough_phases(wish, flat, kSoundPhases);
  // most of what is unsound shows at a few places
  for (const int phases : {kFewPhases, most}) {
    for (int i = 0; i < phases; ++i) {
      if (bounce(map, wish.impact, (i + 0.5) / phases, false).restitution > kSoundRestitution) return false;
    }
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
  const double h = step_of(wish), low = std::min(1.0, std::pow(0.3 * h / wish.settle, 2));
  // bounces take their time, whatever the row
  const double e = defined(wish.restitution) ? std::min(wish.restitution, 0.99) : 0;
  const double longest = 1e3 * h + 10 * wish.settle + 3 * 2 * wish.impact * e / (wish.gravity * (1 - e));
  Settled fastest{{}, kNever};
  const int impedances = !terms.free_impedance ? 1 : terms.free_damping ? std::size(kImpedances) : kFewImpedances;
  const int dampings = terms.free_damping ? kDampings : 1;
  for (int k = 0; k < impedances; ++k) {
    std::vector<Flat> rows;
    for (double stiffness = kMostStiffness; stiffness > low; stiffness /= kNextStiffness) {
      for (int j = 0; j < dampings; ++j) {
        Flat flat;
        flat.s = stiffness / (h * h);
        flat.c = between(kLeastDamping, kMostDamping, (j + 0.5) / kDampings) / h;
        flat.d = kImpedances[k];
        if (flat.s * h * h / 2 < 2 && terms.fit(flat) && flat.c * h + flat.s * h * h / 2 <= 2) rows.push_back(flat);
      }
    }
    // the first in time is the answer
    const auto off = [](const Flat& flat) { return std::abs(std::log(flat.zeta())); };
    std::stable_sort(rows.begin(), rows.end(), [&](const Flat& a, const Flat& b) { return off(a) < off(b); });
    for (const Flat& flat : rows) {
      const double bound = terms.only_in_time ? 0 : std::min(longest, fastest.most - 0.5 * wish.timestep);
      const double most = worst_time(wish, terms, flat, std::max(wish.settle, bound));
      if (most <= wish.settle) return {flat, most};
      if (most < fastest.most) fastest = {flat, most};
    }
  }
  if (fastest.most < kNever) refine(wish, terms, fastest);
  return fastest;
}

}  // namespace pliant
