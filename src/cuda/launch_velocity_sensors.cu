// Kernels of sensors of velocities.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kVelocitySensors);
}
