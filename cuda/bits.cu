// Compares where a device takes the bodies of bits.hpp to with the file of bits_processor: bits FILE. Compiled with
// -fmad=false; PART of PARTS of the catalogue, so that several compilers share the work.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bits.hpp"

namespace polhode::bits {
namespace {

template <class M, class F>
__global__ void run(const Vec3<double>* moments, const F field, State<double>* states) {
  const int i = static_cast<int>(threadIdx.x);
  const System<double, F> system{Body<double>(moments[i]), field};
  State<double> s = states[i];
  const double h = step;
  Work work;
  auto memory = start<M>(system, s, h, work);
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, h, work);
  states[i] = s;
}

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); }

int compared = 0, differing = 0;

template <class M, class F>
void compare(std::string_view name, const char* where, const F& field, const double* expected) {
  std::vector<Vec3<double>> moments;
  std::vector<State<double>> states;
  for (int i = 0; i < bodies; ++i) {
    moments.push_back(moments_of(i));
    states.push_back(start_of(i));
  }
  Vec3<double>* device_moments = nullptr;
  State<double>* device_states = nullptr;
  cudaMalloc(&device_moments, bodies * sizeof(Vec3<double>));
  cudaMalloc(&device_states, bodies * sizeof(State<double>));
  cudaMemcpy(device_moments, moments.data(), bodies * sizeof(Vec3<double>), cudaMemcpyHostToDevice);
  cudaMemcpy(device_states, states.data(), bodies * sizeof(State<double>), cudaMemcpyHostToDevice);
  run<M><<<1, bodies>>>(device_moments, field, device_states);
  const cudaError_t error =
      cudaMemcpy(states.data(), device_states, bodies * sizeof(State<double>), cudaMemcpyDeviceToHost);
  cudaFree(device_moments);
  cudaFree(device_states);
  if (error != cudaSuccess) {
    std::printf("%s, %s: %s\n", std::string(name).c_str(), where, cudaGetErrorString(error));
    ++differing;
    return;
  }
  int other = 0;
  double largest = 0;
  for (int i = 0; i < bodies; ++i) {
    double got[numbers];
    put(got, states[static_cast<std::size_t>(i)]);
    bool all = true;
    for (std::size_t k = 0; k < numbers; ++k) {
      const double want = expected[static_cast<std::size_t>(i) * numbers + k];
      all = all && same(got[k], want);
      if (k < 4 && got[k] - want > largest) largest = got[k] - want;
    }
    if (!all) ++other;
  }
  ++compared;
  if (other == 0) return;
  ++differing;
  std::printf("%s, %s: %d of %d bodies have other bits, by up to %.2g\n", std::string(name).c_str(), where, other,
              bodies, largest);
}

template <std::size_t N, class M>
void compare_entry(const Entry<M>&, std::string_view name, const std::vector<double>& expected) {
  if constexpr (is_compared<M> && N % PARTS == PART) {
    compare<M>(name, "free", Free{}, expected.data() + place(N, 0));
    if constexpr (M::claims.needs != Needs::no_torque)
      compare<M>(name, "heavy top", gravity(), expected.data() + place(N, 1));
  }
}

}  // namespace
}  // namespace polhode::bits

int main(int, char** arguments) {
  using namespace polhode;
  using namespace polhode::bits;
  std::vector<double> expected(place(Catalogue::size, 0));
  std::FILE* file = std::fopen(arguments[1], "rb");
  if (file == nullptr || std::fread(expected.data(), sizeof(double), expected.size(), file) != expected.size())
    return 2;
  std::fclose(file);
  for_each([&](const auto& named, auto n) {
    const std::string_view name = std::decay_t<decltype(named)>::name;
    compare_entry<decltype(n)::value>(named, name, expected);
  });
  std::printf("part %d: %d kernels, %d with other bits\n", PART, compared, differing);
  return differing == 0 ? 0 : 1;
}
