// Kernels of what a step begins and ends with.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kEnds);
}
