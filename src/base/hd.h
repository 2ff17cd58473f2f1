#pragma once
// PLIANT_HD marks functions that compile for host and device.
//
// They are inlined by force. On the host, kernels are called once per body or dof, and outside of the loop they
// would load the addresses of a dozen arrays again for each (measured: 8 to 12 % of a step). On a device, views of
// Model and Data are structs of hundreds of addresses, which must dissolve into registers.
// PLIANT_HD_NOINLINE is for large function templates, which would fill the caller: the compiler decides; on a device
// they are calls.
// PLIANT_HD_FREE is for those that are given views of Model or Data: the compiler decides; on a device they are
// inlined, since a call would need the views in memory.
// PLIANT_HD_HOT is for large ones in the innermost loop: inlined by force on the host, a call on a device, where
// copies of them take minutes to compile.
// PLIANT_UNROLL before a loop: on a device its arrays then live in registers.
// PLIANT_UNROLL_SOME: a few rounds at once, which hides that each waits for the one before.
// PLIANT_ROLLED: one copy of the loop's body, whatever the compiler would like.
// PLIANT_HD_APART is for what is rarely needed in such a loop, and for large parts that are needed in several places: a
// call everywhere. (The solver of a team had 55 000 instructions with all of them inlined, and waited for their
// loading.)
// PLIANT_INLINED follows the parameters of a lambda that is the body of a loop, for the same reason.

#if defined(__has_feature)
#define PLIANT_CLANG_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define PLIANT_CLANG_SANITIZER 0
#endif

#if defined(__CUDACC__)
#define PLIANT_HD __host__ __device__ __forceinline__
#define PLIANT_HD_NOINLINE __host__ __device__ __noinline__
#define PLIANT_HD_FREE __host__ __device__ __forceinline__
#define PLIANT_UNROLL _Pragma("unroll")
#define PLIANT_UNROLL_SOME _Pragma("unroll 4")
#define PLIANT_ROLLED _Pragma("unroll 1")
#define PLIANT_HD_HOT __host__ __device__ __noinline__
#define PLIANT_HD_APART __host__ __device__ __noinline__
#define PLIANT_INLINED __attribute__((always_inline))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || PLIANT_CLANG_SANITIZER
// checks in every access: inlined by force, single files took ten minutes
#define PLIANT_HD inline
#define PLIANT_HD_NOINLINE
#define PLIANT_HD_FREE
#define PLIANT_UNROLL
#define PLIANT_UNROLL_SOME
#define PLIANT_ROLLED
#define PLIANT_HD_HOT inline
#define PLIANT_HD_APART [[gnu::noinline]]
#define PLIANT_INLINED
#else
#define PLIANT_HD [[gnu::always_inline]] inline
#define PLIANT_HD_NOINLINE
#define PLIANT_HD_FREE
#define PLIANT_UNROLL
#define PLIANT_UNROLL_SOME
#define PLIANT_ROLLED
#define PLIANT_HD_HOT [[gnu::always_inline]] inline
#define PLIANT_HD_APART [[gnu::noinline]]
#define PLIANT_INLINED __attribute__((always_inline))
#endif
