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

/// Accounts for steps. The work of a force in a step is its product with the mean of the velocities before and after,
/// times the timestep; forces are those at the start of the step. With a constant mass matrix and explicit forces the
/// sum of all works is then the change of kinetic energy to the last digits. What remains is `integration`: the force
/// that an implicit integrator adds (of Euler's implicit dampers, too), Runge-Kutta's stages, the substeps of TGS, and
/// what Coriolis forces and the change of the mass matrix leave of each other. Springs and dampers of tendons are
/// counted at the joints on which they act, friction loss with the limits' rows of its own kind.
class EnergyLedger {
 public:
  explicit EnergyLedger(const Model& model);
  ~EnergyLedger();
  EnergyLedger(EnergyLedger&&) noexcept;

  /// The step from one state, with the inputs it was made with, to the next. Throws std::invalid_argument for states of
  /// other sizes. Computes the forces again: costs about two steps.
  void add(const State& before, const State& after);

  int64_t steps() const;
  double kinetic_change() const;  ///< [J]
  double works() const;           ///< of all entries [J]
  double integration() const;     ///< kinetic_change = works + integration, but for roundings [J]
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
