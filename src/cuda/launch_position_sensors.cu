// Kernels of sensors of positions.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kPositionSensors);
}
