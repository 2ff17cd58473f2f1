#pragma once
// What options may be. Anybody may write them between steps; a step with options outside their range is refused.

#include <string>
#include <string_view>

#include "pliant/options.h"

namespace pliant {

/// Bits of Options::disableflags and Options::enableflags that mean something.
inline constexpr int kNumDisableFlags = 20, kNumEnableFlags = 10;
/// The most substeps, and the most sweeps in each, of the solver TGS.
inline constexpr int kMostSubsteps = 10000;

/// An option outside its range: its name ("opt.solver"), its value, and where it is an array the place.
struct OptionProblem {
  const char* option = "";
  double value = 0;
  int index = -1;
  explicit operator bool() const { return *option != 0; }
};
/// The first option that no step can use; of all, or of the member of this name. A step with such options is refused
/// (Fault::kBadOption).
OptionProblem option_problem(const Options& options, std::string_view only = {});
/// What an option ("opt.solver") may be: "it must be 0 to 4".
std::string option_range(std::string_view option);
/// "opt.solver is 10; it must be 0 to 4"
std::string to_text(const OptionProblem& problem);

}  // namespace pliant
