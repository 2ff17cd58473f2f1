#pragma once
// Where energy comes from and goes to, step by step and element by element.

#include <memory>
#include <string>
#include <vector>

#include "pliant/state.h"

namespace pliant {

/// Work that one element has done on the bodies.
struct EnergyEntry {
  std::string kind;  ///< "actuator", "spring", "damper", "contact normal", "contact friction", "limit", "equality", …
  std::string element;               ///< "actuator 'elbow'", "joint 'knee'", "floor – ball"
  std::string origin;                ///< "robot.xml:12:7"; "" when it has none
  double work = 0;                   ///< over all steps [J]
  double most_fed = 0;               ///< in one step [J]; 0 if it only took
  double fed_at = 0;                 ///< when that was [s]
  double last = 0;                   ///< in the step that was added last [J]
  ObjType type = ObjType::kUnknown;  ///< of the element; a contact is two geoms
  int id = -1, id2 = -1;
};

/// What the steps made (or lost) of kinetic energy, by its reason [J]. `turning` and `implicit` shrink with the
/// timestep, `solver` with iterations and tolerance; `rest` is roundings where the steps are the model's own.
struct EnergyOfIntegration {
  /// Coriolis and gyroscopic forces act as they are at the start of a step, and the mass matrix changes during it: what
  /// the two leave of each other. Zero where the mass matrix is constant.
  double turning = 0;
  /// What the integrator adds to accelerations: forces that it takes at the end of the step (Euler: of dampers), spins
  /// that it conserves.
  double implicit = 0;
  /// What the solver left of the equations of motion: it stopped before they held.
  double solver = 0;
  /// What none of this explains: a trajectory that is not what the model does.
  double rest = 0;
  double sum() const { return turning + implicit + solver + rest; }
};

/// Accounts for steps. The work of a force in a step is its product with the mean of the velocities before and after,
/// times the timestep; forces are those at the start of the step, with Runge-Kutta the mean over its stages. The sum
/// of all works and of the parts of integration is the change of kinetic energy to the last digits, for every
/// integrator. Springs and dampers of tendons are counted at the joints on which they act, friction loss with the
/// limits' rows of its own kind. "force range" is what `actuatorfrcrange` of a joint takes from its actuators.
class EnergyLedger {
 public:
  explicit EnergyLedger(const Model& model);
  ~EnergyLedger();
  EnergyLedger(EnergyLedger&&) noexcept;

  /// The step from one state, with the inputs it was made with, to the next. Throws std::invalid_argument for states of
  /// other sizes. Makes the step again: costs about two steps.
  void add(const State& before, const State& after);

  int64_t steps() const;
  double kinetic_change() const;                     ///< [J]
  double works() const;                              ///< of all entries [J]
  double integration() const;                        ///< kinetic_change = works + integration, but for roundings [J]
  EnergyOfIntegration parts_of_integration() const;  ///< integration is their sum
  double flow() const;  ///< sum of the sizes of all works of all steps [J]: what errors are to be compared with
  /// By size of their work, the largest first.
  std::vector<EnergyEntry> entries() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The largest entries and the sums as a table.
std::string energy_text(const EnergyLedger& ledger, size_t most = 12);

}  // namespace pliant
