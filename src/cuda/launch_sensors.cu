// Kernels of sensors.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kSensors);
}
