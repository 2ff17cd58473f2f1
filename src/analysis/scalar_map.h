#pragma once
// One constraint row as the engine steps it: the exact discrete map (r, v) → (r', v') of a single row, or of contacts
// that all push alike.
//
//   a₁ = a₀ + A F,   F = max(0, (aref − a₀) / (A + R)),   aref = −B v − K d(r) r,   R = (1 − d)/d · Â
//
// r is the violation (negative inside), F the force of all rows together. K, B, d and every clamp come from
// constraint/impedance_hd.h, the functions a step uses. Cost: some ten floating point operations per step.
//
// Under the integrator discrete spring and damper act at the end of the step, which is the same map with
//   K/s,   (B + h K d)/s,   R/s,      s = 1 + h B + h² K d

#include "constraint/impedance_hd.h"
#include "pliant/types.h"

namespace pliant {

/// What decides how a row behaves.
struct ScalarRow {
  Reals<kNumRef> solref = kDefaultSolref;
  Reals<kNumImp> solimp = kDefaultSolimp;
  double timestep = 0.002;
  bool refsafe = true;  ///< timeconst is at least two timesteps; discrete: h² K d at most 1
  Integrator integrator = Integrator::kEuler;
  double response = 1;        ///< A: acceleration along the row per newton [1/kg]
  double estimate = 1;        ///< Â of all rows together: what R is made of [1/kg]
  double free_accel = -9.81;  ///< a₀: acceleration without the row, negative into it [m/s²]
  bool two_sided = false;     ///< equality: it pulls as well
  int substeps = 1;           ///< of the solver TGS: parts of a step, with R as at its start
  bool leads = true;  ///< TGS: positions are ahead of the parts, as in models without equalities (position_lead.h)
};

struct RowMotion {
  double r = 0, v = 0;
};

/// The law of a row at one timestep.
class ScalarMap {
 public:
  explicit ScalarMap(const ScalarRow& row);

  double stiffness() const { return spring_.K; }  ///< K at the surface [1/s²]
  double damping() const { return spring_.B; }    ///< B at the surface [1/s]
  /// The spring and damper that act at a violation r, of the step's end where the integrator is discrete.
  SpringDamper<double> acting(double r) const { return flat_ ? flat_spring_ : law_at(impedance(r)).spring; }
  int clamps() const { return clamps_; }  ///< bits of RowClamp
  const ScalarRow& row() const { return row_; }
  /// solref after its clamps.
  Solref<double> used_solref() const { return solref_; }
  const Solimp<double>& used_solimp() const { return solimp_; }

  double impedance(double r) const { return flat_ ? flat_impedance_ : impedance_at(solimp_, r).d; }
  /// d(d² r)/dr / d: how what the row asks for changes where R stays and impedance follows the violation (TGS).
  double following_impedance(double r) const {
    return flat_ ? flat_impedance_ : impedance(r) + 2 * r * impedance_at(solimp_, r).slope;
  }
  /// Of TGS: the time by which positions are ahead of the parts.
  double lead() const;
  /// R of all rows together.
  double compliance(double r) const { return flat_ ? flat_compliance_ : law_at(impedance(r)).R; }
  /// R of one row whose part of the estimate is given.
  double row_compliance(double r, double estimate) const { return compliance(r) * (estimate / row_.estimate); }
  /// Damping of a row without stiffness and with this solref: friction along elliptic cones.
  double sliding_damping() const {
    return row_.integrator == Integrator::kDiscrete ? given_.B / (1 + row_.timestep * given_.B) : given_.B;
  }
  double force(RowMotion at) const;
  double acceleration(RowMotion at) const { return row_.free_accel + row_.response * force(at); }
  RowMotion step(RowMotion at) const;
  /// Whether nothing touches where a step begins; of TGS, whether no part of the step pushes.
  bool is_outside(RowMotion at) const;
  /// Goes on for as many steps as certainly stay outside, and says how many these are.
  int free_steps(RowMotion& at) const;
  /// Twice the energy per mass of a motion about the state of rest at `depth`, rather too much than too little: what is
  /// below that of a place does not reach it any more. Infinite where the impedance is not flat, which has no such law.
  double energy_about(double depth, RowMotion at) const;

  /// Steps after which what has not left is taken to stay: two periods where they are known.
  int longest_contact() const;

  /// Force that holds a violation of this size still: F = K d |r| / R [N].
  double static_force(double depth) const;
  /// Depth at which the force holds against `load` newtons; infinite where nothing holds.
  double rest_depth(double load) const;
  /// How much small disturbances of the state of rest grow per step: stable below 1. `response` may be that of another
  /// mode.
  double growth_at_rest(double load, double response) const;

 private:
  struct Law {
    SpringDamper<double> spring;
    double R;
  };
  Law law_at(double d) const;
  /// Of TGS: how far from the surface a part begins to touch.
  double reach(RowMotion at) const;
  /// A step in parts, as the solver TGS takes it; `pushed` becomes true where a part has a force.
  RowMotion step_in_parts(RowMotion at, bool& pushed) const;
  ScalarRow row_;
  Solimp<double> solimp_;
  Solref<double> solref_;
  SpringDamper<double> given_, spring_;  // as solref says, and after refsafe
  int clamps_ = 0;
  bool flat_ = false;  // the impedance is the same at every depth; then:
  double flat_impedance_ = 0;
  SpringDamper<double> flat_spring_{};
  double flat_compliance_ = 0, flat_conductance_ = 0;  // R, 1 / (A + R)
};

/// One impact: from just above the surface until it leaves it again.
struct Bounce {
  double restitution = 0;  ///< speed of the first state outside over the speed of arrival; 0 if it stays
  double steps = 0;        ///< steps in contact; infinite if it stays
  double max_depth = 0, max_force = 0;
  double settle_time = 0;  ///< from the touch until the depth stays within a share of the depth at rest
};

/// An impact at `speed` that begins `phase` (0 … 1) of a step above the surface. `settle`: go on until it rests, or
/// until it has not settled `longest` steps after the touch (then it never does).
Bounce bounce(const ScalarMap& map, double speed, double phase, bool settle, int longest = 1 << 30);

/// How deep that impact goes until it is turned round for the first time; what goes deeper than `enough` is not
/// followed any further.
double deepest(const ScalarMap& map, double speed, double phase, double enough);

/// Share of the depth at rest within which motion counts as settled.
inline constexpr double kSettledShare = 0.05;

}  // namespace pliant
