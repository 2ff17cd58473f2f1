// Kernels in single precision.

#include "cuda/launch.cuh"

namespace pliant {
template const char* launch<float>(const BatchArgs<float>&, const LaunchPlan&, int, void*);
}
