#pragma once
// PLIANT_HD marks functions that compile for host and device.

#if defined(__CUDACC__)
#define PLIANT_HD __host__ __device__ inline
#else
#define PLIANT_HD inline
#endif
