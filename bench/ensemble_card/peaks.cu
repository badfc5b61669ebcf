#include "peaks.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

namespace polhode::bench {
namespace {

constexpr int chains = 8, products = 4096, threads = 256, blocks = 132 * 16;

// Eight chains of products with sums, each of which waits for its own results alone.
template <class T>
__global__ void multiply_and_add(T* out, T a, T b) {
  T x[chains];
  for (int k = 0; k < chains; ++k) x[k] = static_cast<T>(threadIdx.x + k);
  for (int n = 0; n < products; ++n)
    for (int k = 0; k < chains; ++k) x[k] = fma(x[k], a, b);
  T sum = 0;
  for (int k = 0; k < chains; ++k) sum += x[k];
  if (sum == T(12345)) out[0] = sum;  // never, which the compiler does not know
}

__global__ void pass_over(double* numbers, std::size_t count) {
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    numbers[i] += 1;
}

template <class Work>
double median_seconds(const Work& work) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  work();
  std::vector<float> times;
  for (int round = 0; round < 5; ++round) {
    cudaEventRecord(begin);
    for (int i = 0; i < 10; ++i) work();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    times.push_back(milliseconds / 10);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return static_cast<double>(times[times.size() / 2]) / 1000;
}

template <class T>
double flops() {
  T* out = nullptr;
  cudaMalloc(&out, sizeof(T));
  const double seconds = median_seconds([&] { multiply_and_add<T><<<blocks, threads>>>(out, T(0.999), T(0.001)); });
  cudaFree(out);
  return 2.0 * chains * products * threads * blocks / seconds;
}

}  // namespace

Peaks measured_peaks() {
  constexpr std::size_t count = 250'000'000;
  double* numbers = nullptr;
  cudaMalloc(&numbers, count * sizeof(double));
  const double seconds = median_seconds([&] { pass_over<<<blocks, threads>>>(numbers, count); });
  cudaFree(numbers);
  return {flops<double>(), flops<float>(), 2.0 * count * sizeof(double) / seconds};
}

std::string driver_version() {
  int version = 0;
  cudaDriverGetVersion(&version);
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace polhode::bench
