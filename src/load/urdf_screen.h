#pragma once
// What a URDF file carries beside URDF.

#include "load/source.h"
#include "pliant/ledger.h"

namespace pliant {

/// Takes everything that the schema does not know out of the tree: attributes, elements with all they contain, stray
/// text. Each piece ends in the ledger as ignored; findings name every kind once, with its count. The content of
/// <mujoco> stays.
void screen_urdf(Element& robot, Ledger& ledger, Diagnostics& diagnostics);

}  // namespace pliant
