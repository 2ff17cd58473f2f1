// Kernels of stages that follow from velocities.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kVelocity);
}
