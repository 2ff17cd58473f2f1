#pragma once
// State: what must be kept to continue a simulation bit for bit. Data: what a step computes, disposable.
//
// Both are blocks of memory whose arrays are declared once, in state_fields.def and data_fields.def;
// members, allocation, snapshots, hashes and the Python views come from those lists.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "pliant/arena.h"
#include "pliant/contact.h"
#include "pliant/model.h"
#include "pliant/row_memory.h"
#include "pliant/rows.h"
#include "pliant/separations.h"
#include "pliant/solver_report.h"

namespace pliant {

/// How a batch on a device stores an array: worlds innermost, or one world after the other.
enum class Layout : uint8_t { interleaved, per_world };

/// One line of state_fields.def or data_fields.def.
struct StateFieldInfo {
  const char* owner;  ///< stage that writes it; "state" for arrays of State
  const char* name;
  Scalar scalar;
  const char* count_name;
  const char* width_name;
  Layout layout;
  const char* unit;
  const char* meaning;
  int (*count)(const ModelSizes&);
  int (*width)(const ModelSizes&);
};

/// Memory of State and Data: the arrays of a field list, one after the other in one block.
class FieldBlock {
 public:
  /// Size of the block.
  size_t bytes() const { return bytes_; }
  /// Whether it was made for a model of these sizes.
  bool fits(const ModelSizes& sizes) const;
  int field_count(int field) const { return fields_[field].count(sizes_); }
  int field_width(int field) const { return fields_[field].width(sizes_); }

 protected:
  FieldBlock() = default;
  explicit FieldBlock(std::span<const StateFieldInfo> fields) : fields_(fields) {}
  FieldBlock(FieldBlock&&) noexcept = default;
  FieldBlock& operator=(FieldBlock&&) noexcept = default;
  /// Zeroed memory for all fields.
  void allocate(const ModelSizes& sizes);
  /// Bytes of one field, the gap to the next included.
  size_t field_bytes(int field) const;

  std::span<const StateFieldInfo> fields_;
  ModelSizes sizes_;
  std::unique_ptr<std::byte[]> block_;
  std::byte* start_ = nullptr;
  size_t bytes_ = 0;
};

std::span<const StateFieldInfo> state_fields();
std::span<const StateFieldInfo> data_fields();

/// Copying a State is a snapshot; assigning it back restores.
class State : public FieldBlock {
 public:
  using Real = double;

  State() : FieldBlock(state_fields()) {}
  /// The state in which a model starts: qpos0, everything at rest.
  explicit State(const Model& model);
  State(const State& other);
  State& operator=(const State& other);
  State(State&&) noexcept = default;
  State& operator=(State&&) noexcept = default;

#define FIELD(type, name, count, width, layout, unit, meaning) scalar::type* name = nullptr;
#include "pliant/state_fields.def"
#undef FIELD

  /// Forces of constraint rows, for the solver TGS; empty for the others.
  RowMemory row_memory;

  /// Back to the start.
  void reset(const Model& model);
  /// To a keyframe; throws std::invalid_argument if there is none of that number.
  void reset(const Model& model, int key);

  /// 64-bit hash of all arrays: equal states have equal hashes.
  uint64_t hash() const;

  void* field_data(int field) const;

 private:
  void place_fields();
};

/// What can go wrong in a step, as bits of StepStatus.
enum class Fault : int {
  kBadPosition,      ///< qpos or plastic holds NaN, infinity or a number beyond 1e10
  kBadVelocity,      ///< likewise qvel
  kBadControl,       ///< likewise ctrl
  kBadAppliedForce,  ///< likewise qfrc_applied or xfrc_applied
  kBadActivation,    ///< likewise act
  kBadMocap,         ///< likewise mocap_pos or mocap_quat
  kBadAcceleration,  ///< likewise qacc
  kSingularInertia,  ///< a mass matrix that is not positive definite
  kNullQuaternion,   ///< a quaternion of length zero was read as no rotation
  kContactOverflow,  ///< contacts were dropped: the arena is fixed and full
  kBadContact,       ///< a contact that is not finite was dropped
  kFrictionFloor,    ///< a friction coefficient below 1e-5 was raised to it
  kRowOverflow,      ///< the arena is fixed and too small for the constraint rows: there are none
  kBadRow,           ///< a constraint row holds NaN or infinity: there are no constraint forces; a step is refused
  kSolverFailed,     ///< the solver met a matrix that is not positive definite: the best point so far was used
  kFollowerIgnored,  ///< qpos or qvel of an exact follower disagreed with its leaders, and was taken from them
  kBadTime,          ///< time is NaN, infinite or beyond 1e10
  kBadWarmstart,     ///< likewise qacc_warmstart
  kBadHistory,       ///< the cursor of a history is not one of its places
  kBadReading,       ///< a sensor reads NaN or infinity; a step is refused
  kBadOption,        ///< an option is outside its range; nothing is computed
  kBadParameter,     ///< a parameter of the Model is not one of its allowed values; a step is refused
  kRowMiscount,      ///< constraint rows were not those counted before: there are none; a step is refused
};
inline constexpr int kNumFaults = 23;

/// One number that was wrong.
struct Offence {
  const char* field = "";  ///< the array
  int index = -1;          ///< place in it
  double value = 0;
  double time = 0;  ///< simulated time
  int row = -1;     ///< constraint row, where one is meant
  int geom2 = -1;   ///< second geom, where that row is a contact's
};

struct FaultRecord {
  int64_t count = 0;  ///< how often
  Offence first, last;
};

/// What Data remembers about having been computed already.
struct Done {
  bool energy_pos = false, energy_vel = false, subtree = false, body_forces = false;
};

/// Time spent in a stage.
struct StageTime {
  int64_t nanoseconds = 0;
  int64_t calls = 0;
};
inline constexpr int kMaxStages = 32;

/// The matrix that forces accelerate under the integrator discrete, M̂ = M + h D + h² K: its part in the pattern of M,
/// and terms s w wᵀ of tendons and actuators that reach beyond it. Those stand in Data::rows behind the rows, as
/// equalities with J = w and D = s that ask for no acceleration. F: an array, as the world has them.
template <class F>
struct MetricT {
  bool discrete = false;          ///< false: M, and nothing else is set
  bool coupled = false;           ///< terms of tendons or actuators couple dofs
  F matrix{}, LD{}, inverse_D{};  ///< in the pattern of M, and its factors
  /// Factors of M + the diagonal of all terms + fluid: what noslip and diagexact work with, as in the reference.
  F backbone_LD{}, backbone_inverse_D{};
  int nterm = 0;             ///< rows rows.n … of Data::rows
  int nefmT = 0, nefmA = 0;  ///< tendons in efm_tid, actuators in efm_aid
  bool plain = false;        ///< M̂ is M
};
using Metric = MetricT<const double*>;

class Data : public FieldBlock {
 public:
  using Real = double;

  Data() : FieldBlock(data_fields()) {}
  explicit Data(const Model& model);
  Data(const Data& other);
  Data& operator=(const Data& other);
  Data(Data&&) noexcept = default;
  Data& operator=(Data&&) noexcept = default;

#define FIELD(owner, type, name, count, width, layout, unit, meaning) scalar::type* name = nullptr;
#include "pliant/data_fields.def"
#undef FIELD

  /// Contacts and rows of the last step. Emptied when the stage "collision" begins.
  Arena arena;
  int ncon = 0;
  Contact* contact = nullptr;
  bool anchored = false;  ///< friction of some contact is anchored; set where rows are made
  int npair_tested = 0;   ///< pairs of geoms whose shapes were compared in the last step
  Rows rows;
  Islands islands;
  Metric metric;
  SolverReports solver;
  /// How often what RowClamp's bits stand for happened, in rows, since the Data was made.
  std::array<int64_t, kNumRowClamps> clamps{};
  /// Integrator discrete: free bodies whose gyroscopic terms were taken at the start of the step, in bodies, and
  /// tendons and actuators whose stiffness was, since the Data was made. Option discrete_full takes them at its end.
  int64_t gyroscopic_explicit = 0, terms_explicit = 0;
  /// Integrator midpoint: steps of trees whose energy was left as the rule without correction has it. Option
  /// resolution="signorini": islands whose answer is the convex one. Both since the Data was made.
  int64_t energy_uncorrected = 0, signorini_convex = 0;
  /// Constraints whose forces State's row memory had no room for (fixed arena), since the Data was made.
  int64_t row_memory_dropped = 0;

  Done done;
  /// State of an intermediate stage of an integrator.
  State trial;
  /// The given State with exact followers where their leaders put them; empty in models without.
  State followed;
  /// Faults since the Data was made or reset, by Fault.
  std::array<FaultRecord, kNumFaults> faults;
  /// Called after every stage with its place in the pipeline, while set: for tests and tools that look at what a stage
  /// has left, or change it. Not copied.
  std::function<void(const Model&, const State&, Data&, int stage)> probe;
  /// What makes "no contact" quick to find; changes no result.
  Separations separations;
  /// Time per stage, filled while `timing` is set.
  bool timing = false;
  std::array<StageTime, kMaxStages> times;

  /// Everything to zero, counters included.
  void reset();
  void* field_data(int field) const;

  /// 64-bit hash of all arrays, contacts, rows and islands; not of working memory.
  uint64_t hash() const;

 private:
  void place_fields();
  void copy_contacts(const Data& other);
  void copy_rows(const Data& other);
};

/// An array whose length a step finds out: a number of all contacts, or an array of rows or islands.
struct StepArray {
  const char *owner, *name;  ///< as in the field lists; numbers of contacts as "contact.dist"
  void* data;
  size_t bytes, stride;  ///< of an element, and from one to the next
  int count;
};
/// Visits those of contact_fields.def, row_fields.def and island_fields.def that have elements.
void for_each_step_array(const Data& data, const ModelSizes& sizes, const std::function<void(const StepArray&)>& visit);

/// The state in which a model starts, and room for what a step computes.
State make_state(const Model& model);
Data make_data(const Model& model);

}  // namespace pliant
