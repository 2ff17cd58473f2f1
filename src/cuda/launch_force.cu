// Kernels of stages that follow from forces, up to accelerations without constraints.

#include "cuda/launch.cuh"

namespace pliant {
PLIANT_LAUNCH_PART(LaunchPart::kForce);
}
