// What clang needs of CUDA to check kernels without an installation of it: the words for where a function runs, the
// mathematical functions of a device, and the numbers of threads and blocks. `make cuda-check` puts it in front.
#pragma once

#define __CUDACC__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __global__ __attribute__((global))

#include <__clang_cuda_math_forward_declares.h>  // before <cmath>, which must find them

extern "C" __device__ void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes);  // before <cstring>, likewise

#include <cmath>
#include <cstdlib>

struct Index3 {
  unsigned x, y, z;
};
extern __device__ const Index3 blockIdx, blockDim, threadIdx;
