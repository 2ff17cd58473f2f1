// Kernels of sensors with delays.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kDelayedSensors);
}
