// Kernels of stages that follow from positions.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kPosition);
}
