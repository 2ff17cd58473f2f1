#pragma once
// Settings of two models of which one is attached to the other; see mjcf_conflict.cpp for the rules.

#include <functional>
#include <set>
#include <string>

#include "pliant/spec.h"

namespace pliant {

/// Settings that a file writes out, whatever their value: attachment asks who set what.
struct GivenSettings {
  std::set<std::string, std::less<>> names;  ///< of <option>, <visual><global> and <visual><map>
  int disableflags = 0, enableflags = 0;     ///< bits that <flag> speaks of
};

/// Names of settings, separated by commas.
struct MergedSettings {
  std::string kept;     ///< of the attached model, not used
  std::string taken;    ///< replaced by those of the attached model
  std::string refused;  ///< in contradiction; then the result is not to be used
  bool keeps_own = false;
};

/// Changes `ours` as its <compiler conflict="…"> says. Where neither has given a setting, it counts as given when it
/// differs from its default.
MergedSettings merge_settings(Spec& ours, const GivenSettings& own, const Spec& theirs, const GivenSettings& other);

}  // namespace pliant
