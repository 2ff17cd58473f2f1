#pragma once
// Bands: what a simulation may do without anybody asking why. One object watches one run, step by step.

#include <optional>
#include <vector>

#include "pliant/step.h"
#include "pliant/why.h"

namespace pliant::whys {

enum class Band : int {
  kRefused,     ///< a step was not made
  kEnergy,      ///< energy appeared that nobody fed
  kSpeed,       ///< faster than any machine
  kAlternates,  ///< a velocity jumps up and down, every step the other way
  kDepth,       ///< a geom is more than half inside another
  kResidual,    ///< an equality does not hold
  kLimit,       ///< a joint or tendon is beyond its limit
};
inline constexpr int kNumBands = 7;
/// Whether a simulation that does it is worth nothing; the others are wrong in one place.
constexpr bool is_fatal(Band band) { return band <= Band::kAlternates; }

/// A departure with what it is about, for programs.
struct Seen {
  Band band;
  ObjType type = ObjType::kUnknown;
  int id = -1, id2 = -1;
  int dof = -1;      ///< that is moved wrongly, where it is one
  int64_t step = 0;  ///< the step before which it was seen
  Departure text;
};

class Watch {
 public:
  explicit Watch(const Model& m);

  /// A step: the state before, what the step has left in Data, and the state after it. For steps that were refused
  /// `after` is the same state. What leaves its band for the first time is added to seen().
  void look(const State& before, Data& d, const State& after, StepStatus status);

  const std::vector<Seen>& seen() const { return seen_; }
  /// The first of those that matter most: a fatal one, otherwise any; none: nullptr.
  const Seen* worst() const;
  int64_t steps() const { return step_; }
  bool unconverged() const { return 2 * unconverged_ > step_ && step_ > 4; }

 private:
  void add(Band band, Seen seen);
  bool has(Band band) const { return found_[static_cast<int>(band)]; }
  void look_at_energy(const State& before, Data& d, const State& after);
  void look_at_speed(const State& before, const State& after);
  void look_at_rows(const State& before, const Data& d);
  void look_at_contacts(const State& before, const Data& d);

  const Model& m_;
  std::vector<Seen> seen_;
  bool found_[kNumBands] = {};
  int64_t step_ = 0, unconverged_ = 0;
  Data own_;  // for integrators whose Data is not that of the step's beginning
  // energy
  double fed_ = 0, most_kinetic_ = 0, floor_ = 0;
  std::vector<double> gains_, feeds_, kinetics_, potentials_;  // of the last steps
  std::vector<double> mean_, force_;
  // alternation, by dof
  std::vector<double> change_;
  std::vector<int> turns_;
  // how long rows have been out of their band, by equality and by joint and tendon
  std::vector<int> equality_, joint_, tendon_;
};

}  // namespace pliant::whys
