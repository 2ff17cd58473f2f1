#pragma once
// What attachments of other models (mjcf_attach.cpp) and of parts of the model itself
// (mjcf_self_attach.cpp) share.

#include "pliant/diagnostics.h"
#include "pliant/spec.h"

namespace pliant {

/// Keyframes given as plain lists are tied to the joints, actuators and mocap bodies the model has
/// now, so that they survive having more of them.
void tie_keyframes(Spec& model, Diagnostics& diagnostics);

}  // namespace pliant
