// Kernels in double precision.

#include "cuda/launch.cuh"

namespace pliant {
template const char* launch<double>(const BatchArgs<double>&, const LaunchPlan&, int, void*);
}
