#pragma once
// Where `pliant run` gets its controls from: nothing, a CSV file, or noise.

#include <cstdint>
#include <string>
#include <vector>

#include "pliant/pliant.h"

namespace pliant::app {

class Controls {
 public:
  /// "" for none, "noise:SIGMA[,SEED]", or a CSV file. Throws std::invalid_argument with file and
  /// line.
  Controls(const Model& model, const std::string& source);

  /// Writes the controls of step number `step`, at the time of the state.
  void apply(const Model& model, int64_t step, State& state);

  /// What happened that the user may not expect, such as a file that ended early; "" if nothing.
  std::string note(int64_t steps, double time) const;

 private:
  void read_noise(const std::string& source);
  void read_csv(const Model& model, const std::string& path);
  double normal();

  std::string source_;
  bool noise_ = false;
  double sigma_ = 0;
  uint64_t seed_ = 0;

  // CSV: rows of nu controls; with a time column a row holds from its time on, else row i is for
  // step i
  std::vector<double> rows_, times_;
  int64_t row_count_ = 0, row_ = 0;
};

}  // namespace pliant::app
