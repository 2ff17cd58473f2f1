// Every pair function as device code, in single and in double precision: that it compiles is the test.

#include "collision/collide_pair_hd.h"

namespace pliant {

template <class R>
__global__ void collide_pairs(const ShapeT<R>* first, const ShapeT<R>* second, const R* margin, int pairs,
                              ContactPointT<R>* points, int* counts) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= pairs) return;
  ContactPointT<R> found[kMaxPairPoints];
  counts[k] = collide_pair(first[k], second[k], margin[k], found);
  for (int i = 0; i < counts[k]; ++i) points[kMaxPairPoints * k + i] = found[i];
}

template __global__ void collide_pairs<float>(const ShapeT<float>*, const ShapeT<float>*, const float*, int,
                                              ContactPointT<float>*, int*);
template __global__ void collide_pairs<double>(const ShapeT<double>*, const ShapeT<double>*, const double*, int,
                                               ContactPointT<double>*, int*);

}  // namespace pliant
