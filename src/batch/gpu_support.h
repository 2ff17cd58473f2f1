#pragma once
// What worlds on a GPU cannot do. Nothing of CUDA: the answers are tested where there is no GPU.

#include <string>

#include "pliant/model.h"

namespace pliant {

bool has_constraints(const Model& m);

/// What of this Model's options is not computed on a GPU, and what helps; "" if there is nothing.
std::string not_on_gpu(const Model& m);

}  // namespace pliant
