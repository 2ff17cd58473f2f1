#pragma once
// Candidates for contact that follow from the tree alone.

#include "pliant/model.h"

namespace pliant {

/// Fills rank_bodyid and rank_first from body_weldid and body_dofnum.
void write_contact_candidates(Model& model);

}  // namespace pliant
