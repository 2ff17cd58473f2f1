#pragma once
// Predictions from the scalar map: what a row does at rest, in an impact, and up to which timestep.

#include "analysis/contact_patch.h"
#include "pliant/explain.h"

namespace pliant {

/// Impacts per prediction: where in a step the touch falls, evenly spread.
inline constexpr int kPhases = 256;
/// Those that are followed until the motion has settled.
inline constexpr int kSettlePhases = 32;

/// Predictions that every row has. `stiffest`: response of the mode that answers most.
Prediction predict_row(const ScalarRow& row, double load, double impact, double stiffest);
/// Those of a contact: friction as well.
Prediction predict_contact(const ContactPatch& patch, const Model& model, double impact);

/// The timestep above which a row at rest under `load` is unstable; infinite if refsafe or weakness keeps it stable.
double stable_timestep(ScalarRow row, double load, double response);

}  // namespace pliant
