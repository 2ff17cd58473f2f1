#pragma once
// Simulating again from before the trouble, with something changed.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "why/past.h"
#include "why/watch.h"

namespace pliant::whys {

/// A change to try, and how a model file says it.
struct Variant {
  std::string what;
  std::vector<MjcfEdit> edits;
  std::function<void(Model&)> change = {};               ///< of the model
  std::function<void(const Model&, State&)> start = {};  ///< of the state that it starts from
  std::pair<int, int> apart = {-1, -1};                  ///< bodies whose contacts are left out
  bool own_truth = false;                                ///< the model is not meant as it is: compared with itself
  int off = -1;                                          ///< an equality that is inactive throughout
  int parts = 1;                                         ///< of the timestep
  bool good_inputs = false;  ///< inputs that are no numbers are replaced by the last ones that were
};

/// Between the names of two changes that are made together.
inline constexpr const char* kAnd = "; and ";
/// Both changes at once; none where they cannot be made together.
std::optional<Variant> both(const Variant& a, const Variant& b);

struct Outcome {
  bool tried = false;
  std::string refused;  ///< why it could not be tried
  bool finite = false;
  std::vector<Seen> seen;
  std::vector<double> path;  ///< qpos at the times of the original steps, one after the other
  int64_t steps = 0;         ///< original ones that were made
};

class Rerun {
 public:
  /// From state `from` of the past over `steps` steps; `budget` is how many steps may be made in all.
  Rerun(const Model& m, const Past& past, size_t from, int64_t steps, int64_t& budget);

  /// `finer`: parts of a timestep besides those of the variant. Stops at the first departure that is fatal.
  Outcome run(const Variant& variant, int finer = 1) const;
  /// Largest distance of two paths as a share of how far the second went; infinite where one is shorter.
  double distance(const Outcome& a, const Outcome& truth) const;

  size_t from() const { return from_; }
  int64_t steps() const { return steps_; }

 private:
  const Model& m_;
  const Past& past_;
  size_t from_;
  int64_t steps_;
  int64_t& budget_;
};

}  // namespace pliant::whys
