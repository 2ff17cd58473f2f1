// Kernels of sensors of accelerations and forces.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kAccelerationSensors);
}
