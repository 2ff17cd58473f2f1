#pragma once
// Rows with a flat impedance, and searches among them: which are sound, which settle in time.
//
// With a flat impedance d and an exact estimate a row is the oscillator r̈ + c ṙ + s r = −(1 − d) g, one-sided for
// contacts. Every solref is such an s and c, in either format: timeconst and dampratio mean s = 1 / (timeconst ·
// dampratio)², c = 2 / timeconst. What is searched is therefore s · h², c · h and d over all that is stable at the
// timestep h. Impedances that rise with depth are not searched: they can settle faster still.
//
// Under the integrator discrete spring and damper act at the end of the step. With u = 1 + c h + s h² that is the step
// of another row, s/u, (c + s h)/u, 1 − (1 − d)/u, which acts at the start. Searches are among these, so that they need
// not know about it; `written_row` goes back: u = 1 / (1 − c h). Not every row can be had so: c h < 1, and at least
// s h², which is the damping that such a step has by itself.

#include <functional>

#include "analysis/scalar_map.h"
#include "pliant/design.h"

namespace pliant {

/// Numbers of a flat row.
struct Flat {
  double s = 0;    ///< stiffness of solref [1/s²]
  double c = 0;    ///< damping of solref [1/s]
  double d = 0.9;  ///< impedance
  double omega() const;
  double zeta() const;  ///< damping ratio of a blow
};
/// By frequency and damping ratio.
Flat oscillator(double omega, double zeta, double d);

/// The row of the wish: mass, gravity, timestep. Under discrete one that acts at the start of the step and moves alike.
ScalarRow flat_row(const DesignRequest& wish, const Flat& flat);
/// The row to write down: the same but under discrete.
ScalarRow written_row(const DesignRequest& wish, const Flat& flat);

/// Smallest impedance that is written.
inline constexpr double kSoftestImpedance = 0.01;
/// Damping that a row of this stiffness has at least, and may have at most for this impedance: all that is positive but
/// under discrete.
double least_damping(const DesignRequest& wish, const Flat& flat);
double most_damping(const DesignRequest& wish, const Flat& flat);
/// Largest 1 − d of a row with this damping.
double most_yielding(const DesignRequest& wish, const Flat& flat);
/// Whether there are numbers to write for it.
bool can_be_written(const DesignRequest& wish, const Flat& flat);
/// Damping of a slow press [N·s/m], and the c that it asks for.
double press_damping(const DesignRequest& wish, const Flat& flat);
double damping_for_press(const DesignRequest& wish, const Flat& flat, double damping);

/// Of so many places in a step where an impact can fall those worth a look: few where it lasts hundreds of steps.
int enough_phases(const DesignRequest& wish, const Flat& flat, int phases);

/// Largest restitution of any impact that does not count as a gain of energy.
inline constexpr double kMostRestitution = 1.02;
/// Whether the state of rest is stable, and no impact comes back faster than it came, wherever in a step it falls.
bool is_sound(const DesignRequest& wish, const Flat& flat);

/// Times to settle over the places in a step where the impact can fall [s].
struct Settling {
  double least = 0, most = 0;
};
/// Places looked at before a settling time is promised.
inline constexpr int kPromisedPhases = 1024;
/// Infinite as soon as one takes longer than `give_up`.
Settling settling(const DesignRequest& wish, const Flat& flat, double give_up, int phases);

/// A row for a wished settling time, and how long it takes at most.
struct Settled {
  Flat flat;
  double most = 0;
};
/// What else is wanted, for the search of a settling time.
struct SettleTerms {
  std::function<bool(Flat&)> fit;             ///< sets what other wishes decide (c, d); false: this one cannot
  std::function<bool(const Flat&)> too_deep;  ///< deeper than wished
  std::function<bool(const Flat&)> holds;     ///< the other wishes hold
  bool free_damping = true;                   ///< c is not set by `fit`
  bool free_impedance = true;                 ///< d is not set by `fit`
  bool only_in_time = false;                  ///< where none is in time, the fastest is of no interest
};
/// The softest critically damped row that settles within `wish.settle`; where there is none, any that does, with a
/// damping ratio near 1 and an impedance near the usual one first; where there is none either, the fastest.
Settled find_settling(const DesignRequest& wish, const SettleTerms& terms);

}  // namespace pliant
