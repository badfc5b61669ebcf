// The catalogue's kernels on a card, one thread for a body. Compiled with POLHODE_CARD_METHODS, the names of the methods
// between spaces, or "all", and PART of PARTS of them, so that several compilers share the work; POLHODE_CARD_FUSED where
// products and sums are fused.
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "ensemble/card_kernels.hpp"
#include "ensemble/field_numbers.hpp"
#include "ensemble/wanted_methods.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields/gravity_gradient.hpp"
#include "polhode/model/fields/heavy_top.hpp"

namespace polhode {
namespace {

using polhode_card::Bodies;
using polhode_card::Kernel;

constexpr unsigned threads_of_a_block = 128;

template <class M>
inline constexpr std::size_t words_of = std::is_empty_v<MemoryOf<M, double>>
                                            ? 0
                                            : (sizeof(MemoryOf<M, double>) + sizeof(double) - 1) / sizeof(double);

__device__ inline std::size_t this_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

__device__ inline double fixed(const Bodies& all, std::size_t number, std::size_t i) {
  const polhode_card::Row& row = all.fixed[number];
  return row.numbers[i * row.step];
}

__device__ inline double& state_number(const Bodies& all, std::size_t number, std::size_t i) {
  return all.state[number * all.stride + i];
}

template <class F>
__device__ System<double, F> system_of(const Bodies& all, std::size_t i) {
  const auto number = [&](std::size_t k) { return fixed(all, k, i); };
  Body<double> body(Vec3<double>{number(polhode_card::inertia), number(polhode_card::inertia + 1),
                                 number(polhode_card::inertia + 2)});
  body.second = number(polhode_card::second);
  F field;
  if constexpr (!is_free<F>) {
    std::size_t next = polhode_card::field;
    for_each_number(field, [&](double& to) { to = number(next++); });
    if constexpr (requires { field.acts_on(body); }) field.acts_on(body);
  }
  return {body, field};
}

__device__ inline State<double> state_of(const Bodies& all, std::size_t i, double time) {
  const auto number = [&](std::size_t k) { return state_number(all, k, i); };
  return {{number(0), {number(1), number(2), number(3)}}, {number(4), number(5), number(6)}, time};
}

__device__ inline void keep(const Bodies& all, std::size_t i, const State<double>& s) {
  const double numbers[polhode_card::state_numbers] = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z,
                                                       s.pi_B.x, s.pi_B.y,   s.pi_B.z};
  for (std::size_t k = 0; k < polhode_card::state_numbers; ++k) state_number(all, k, i) = numbers[k];
}

// What a method remembers, word by word.
template <class M>
__device__ MemoryOf<M, double> memory_of(const Bodies& all, std::size_t i) {
  MemoryOf<M, double> memory{};
  if constexpr (words_of < M >> 0) {
    double words[words_of<M>];
    for (std::size_t k = 0; k < words_of<M>; ++k) words[k] = state_number(all, polhode_card::state_numbers + k, i);
    std::memcpy(static_cast<void*>(&memory), words, sizeof memory);
  }
  return memory;
}

template <class M>
__device__ void keep_memory(const Bodies& all, std::size_t i, const MemoryOf<M, double>& memory) {
  if constexpr (words_of < M >> 0) {
    double words[words_of<M>] = {};
    std::memcpy(words, &memory, sizeof memory);
    for (std::size_t k = 0; k < words_of<M>; ++k) state_number(all, polhode_card::state_numbers + k, i) = words[k];
  }
}

template <class M, class F>
__global__ void start_bodies(const Bodies all) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  const State<double> s = state_of(all, i, fixed(all, polhode_card::begin, i));
  Work work;
  keep_memory<M>(all, i, polhode::start<M>(system_of<F>(all, i), s, fixed(all, polhode_card::step, i), work));
  all.failed[i] = 0;
}

#ifdef POLHODE_CARD_FUSED
inline constexpr bool is_fused = true;
#else
inline constexpr bool is_fused = false;
#endif

// As many equal steps as there are. Where bits are not promised, those that can be are merged.
template <class M, class F>
__device__ State<double> equal_steps(const System<double, F>& system, State<double> s, MemoryOf<M, double>& memory,
                                     double begin, double h, long long from, long long to, Work& work) {
  if constexpr (is_fused && Chains<M>) {
    if (to > from) {
      s = M::chain(system, s, h, static_cast<std::size_t>(to - from), work);
      s.t = begin + static_cast<double>(to) * h;
    }
  } else {
    for (long long n = from; n < to; ++n) {
      s = advance<M>(system, s, memory, h, work);
      s.t = begin + static_cast<double>(n + 1) * h;
    }
  }
  return s;
}

template <class M, class F>
__global__ void __launch_bounds__(threads_of_a_block)
    advance_bodies(const Bodies all, const polhode_packs::Steps steps) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  const System<double, F> system = system_of<F>(all, i);
  const double begin = fixed(all, polhode_card::begin, i), h = fixed(all, polhode_card::step, i);
  State<double> s = state_of(all, i, begin + static_cast<double>(steps.from) * h);
  MemoryOf<M, double> memory = memory_of<M>(all, i);
  Work work;
  const long long equal = steps.to - (steps.last_is_different ? 1 : 0);
  s = equal_steps<M>(system, s, memory, begin, h, steps.from, equal, work);
  if (steps.last_is_different) s = advance<M>(system, s, memory, fixed(all, polhode_card::last_step, i), work);
  keep(all, i, s);
  keep_memory<M>(all, i, memory);
  double sum = 0;
  for (std::size_t k = 0; k < polhode_card::state_numbers; ++k)
    sum += state_number(all, k, i) - state_number(all, k, i);
  if (!work.converged || sum != 0) all.failed[i] = 1;
}

template <class M>
__global__ void read_bodies(const Bodies all, double* rows) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  const State<double> s = state_of(all, i, 0);
  Vec3<double> momentum_S{};
  if constexpr (MemoryOf<M, double>::carries_momentum) {
    momentum_S = memory_of<M>(all, i).momentum_S;
  } else {
    momentum_S = spatial_momentum(s);
  }
  for (std::size_t k = 0; k < polhode_card::state_numbers; ++k) rows[k * all.stride + i] = state_number(all, k, i);
  for (std::size_t k = 0; k < 3; ++k) rows[(polhode_card::state_numbers + k) * all.stride + i] = momentum_S[k];
}

unsigned blocks_of(const Bodies& all) {
  return static_cast<unsigned>((all.count + threads_of_a_block - 1) / threads_of_a_block);
}

template <class M, class F>
void start(const Bodies& all, void* stream) {
  start_bodies<M, F><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all);
}

template <class M, class F>
void advance_all(const Bodies& all, const polhode_packs::Steps& steps, void* stream) {
  advance_bodies<M, F><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all, steps);
}

template <class M>
void read(const Bodies& all, double* rows, void* stream) {
  read_bodies<M><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all, rows);
}

template <class M, class F>
Kernel kernel(int method, polhode_packs::Field field) {
  return {method, field, words_of<M>, &start<M, F>, &advance_all<M, F>, &read<M>};
}

// The closed form's rates are made in long double on a processor, which a card has not.
template <class M>
inline constexpr bool is_for_cards = M::claims.batch && !std::is_same_v<M, FreeExact>;

template <class M>
void add_kernels(const Entry<M>&, int index, std::vector<Kernel>& to) {
  using polhode_packs::Field;
  to.push_back(kernel<M, Free>(index, Field::free));
  if constexpr (takes_any_torque(M::claims)) {
    to.push_back(kernel<M, HeavyTop<double>>(index, Field::heavy_top));
    to.push_back(kernel<M, GravityGradient<double>>(index, Field::gravity_gradient));
  }
}

constexpr WantedMethods wanted(POLHODE_CARD_METHODS);

// Entry number N of the catalogue, if it is of this part.
template <std::size_t N, class M>
void add_if_here(const Entry<M>& entry, std::vector<Kernel>& to) {
  if constexpr (is_for_cards<M> && N % PARTS == PART) add_kernels(entry, static_cast<int>(N), to);
}

template <class... Entries, std::size_t... N>
std::vector<Kernel> kernels_of_part(MethodList<Entries...>, std::index_sequence<N...>) {
  std::vector<Kernel> kernels;
  const auto add = [&]<std::size_t Number>(const auto& entry, std::integral_constant<std::size_t, Number>) {
    if constexpr (wanted.has(std::decay_t<decltype(entry)>::name)) add_if_here<Number>(entry, kernels);
  };
  (add(Entries{}, std::integral_constant<std::size_t, N>{}), ...);
  return kernels;
}

}  // namespace
}  // namespace polhode

namespace polhode_card {

// Declared and joined in card.cpp.
std::span<const Kernel> POLHODE_CARD_KERNELS() {
  static const std::vector<Kernel> kernels =
      polhode::kernels_of_part(polhode::Catalogue{}, std::make_index_sequence<polhode::Catalogue::size>{});
  return kernels;
}

}  // namespace polhode_card
