// The catalogue's kernels on a card, one thread for a body. Compiled with POLHODE_CARD_METHODS, the names of the methods
// between spaces, or "all", and PART of PARTS of them, so that several compilers share the work; POLHODE_CARD_FUSED where
// products and sums are fused.
#include <string_view>
#include <utility>
#include <vector>

#include "ensemble/wanted_methods.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields/gravity_gradient.hpp"
#include "polhode/model/fields/heavy_top.hpp"
#include "rows.cuh"

namespace polhode {
namespace {

using polhode_card::Bodies;
using polhode_card::Kernel;

constexpr unsigned threads_of_a_block = 128;

#ifdef POLHODE_CARD_FUSED
constexpr bool is_fused = true;
#else
constexpr bool is_fused = false;
#endif

// The closed form is set up anew for every reading: to remember it would cost more than that.
template <class M>
constexpr bool is_closed_form = std::is_same_v<M, FreeExact>;

// Where bits are not promised, the steps of one launch are merged.
template <class M>
constexpr bool is_chained = is_fused&& Chains<M>;

template <class M, class S>
constexpr bool remembers = !std::is_empty_v<MemoryOf<M, S>> && !is_closed_form<M> && !is_chained<M>;

// A part may have none of the wanted methods.
[[maybe_unused]] __device__ std::size_t this_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

template <class M, class S, class F>
__global__ void start_bodies(const Bodies all) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  all.failed[i] = 0;
  if constexpr (remembers<M, S>) {
    const BodyInRows<S> body(all, i);
    Work work;
    body.keep_memory(start<M>(body.template system<F>(), body.state(body.fixed(polhode_card::begin)),
                              body.fixed(polhode_card::step), work));
  }
}

template <class M, class S>
__device__ MemoryOf<M, S> memory_of(const BodyInRows<S>& body) {
  if constexpr (remembers<M, S>) {
    return body.template memory<MemoryOf<M, S>>();
  } else {
    return {};
  }
}

template <class M, class S, class F>
__device__ State<S> equal_steps(const System<S, F>& system, State<S> s, MemoryOf<M, S>& memory, S begin, S h,
                                long long from, long long to, Work& work) {
  if constexpr (is_chained<M>) {
    if (to > from) s = M::chain(system, s, h, static_cast<std::size_t>(to - from), work);
    s.t = begin + static_cast<S>(to) * h;
  } else {
    for (long long n = from; n < to; ++n) {
      s = advance<M>(system, s, memory, h, work);
      s.t = begin + static_cast<S>(n + 1) * h;
    }
  }
  return s;
}

// What needs many registers at once.
template <class M>
constexpr bool is_series = false;
template <std::size_t Order>
constexpr bool is_series<QuaternionSeries<Order>> = true;

// How many blocks a multiprocessor shall hold: more threads wait for memory side by side, but what finds no register is in
// memory itself. Measured by bench/ensemble_card.
template <class M, class F>
constexpr unsigned blocks_at_once = is_series<M> || is_closed_form<M> ? 2
                                    : !is_chained<M>                  ? 4
                                    : is_free<F>                      ? 8
                                                                      : 6;

template <class M, class S, class F>
__global__ void __launch_bounds__(threads_of_a_block, (blocks_at_once<M, F>))
    advance_bodies(const Bodies all, const polhode_packs::Steps steps) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  const BodyInRows<S> body(all, i);
  const System<S, F> system = body.template system<F>();
  const S begin = body.fixed(polhode_card::begin), h = body.fixed(polhode_card::step);
  State<S> s = body.state(begin + static_cast<S>(steps.from) * h);
  Work work;
  if constexpr (is_closed_form<M>) {
    const S end = steps.last_is_different ? body.fixed(polhode_card::end_time) : begin + static_cast<S>(steps.to) * h;
    const S elapsed = end - s.t;
    s = FreeRotor<S>(system.body.inertia, s, elapsed).after(elapsed);
  } else {
    MemoryOf<M, S> memory = memory_of<M>(body);
    const long long equal = steps.to - (steps.last_is_different ? 1 : 0);
    s = equal_steps<M>(system, s, memory, begin, h, steps.from, equal, work);
    if (steps.last_is_different) {
      const S last = body.fixed(polhode_card::last_step);
      if constexpr (is_chained<M>) memory = start<M>(system, s, last, work);
      s = advance<M>(system, s, memory, last, work);
    }
    if constexpr (remembers<M, S>) body.keep_memory(memory);
  }
  body.keep(s);
  if (!work.converged) all.failed[i] = 1;
}

template <class M, class S>
__global__ void read_bodies(const Bodies all, double* rows) {
  const std::size_t i = this_body();
  if (i >= all.count) return;
  const BodyInRows<S> body(all, i);
  Vec3<S> momentum_S{};
  if constexpr (MemoryOf<M, S>::carries_momentum && remembers<M, S>) {
    momentum_S = memory_of<M>(body).momentum_S;
  } else {
    momentum_S = spatial_momentum(body.state(S(0)));
  }
  constexpr std::size_t own = polhode_card::state_numbers;
  for (std::size_t k = 0; k < own; ++k) rows[k * all.stride + i] = all.state[k * all.stride + i];
  for (std::size_t k = 0; k < 3; ++k) rows[(own + k) * all.stride + i] = static_cast<double>(momentum_S[k]);
}

[[maybe_unused]] unsigned blocks_of(const Bodies& all) {
  return static_cast<unsigned>((all.count + threads_of_a_block - 1) / threads_of_a_block);
}

template <class M, class S, class F>
void start_all(const Bodies& all, void* stream) {
  start_bodies<M, S, F><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all);
}

template <class M, class S, class F>
void advance_all(const Bodies& all, const polhode_packs::Steps& steps, void* stream) {
  advance_bodies<M, S, F><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all, steps);
}

template <class M, class S>
void read_all(const Bodies& all, double* rows, void* stream) {
  read_bodies<M, S><<<blocks_of(all), threads_of_a_block, 0, static_cast<cudaStream_t>(stream)>>>(all, rows);
}

template <class M, class S, class F>
Kernel kernel(int method, polhode_packs::Field field) {
  constexpr std::size_t words = remembers<M, S> ? BodyInRows<S>::template words_of<MemoryOf<M, S>> : 0;
  return {method,
          field,
          sizeof(S) == sizeof(float),
          is_closed_form<M>,
          words,
          &start_all<M, S, F>,
          &advance_all<M, S, F>,
          &read_all<M, S>};
}

template <class M, class S>
void add_kernels_in(int index, std::vector<Kernel>& to) {
  using polhode_packs::Field;
  to.push_back(kernel<M, S, Free>(index, Field::free));
  if constexpr (takes_any_torque(M::claims)) {
    to.push_back(kernel<M, S, HeavyTop<S>>(index, Field::heavy_top));
    // As in packs: of methods that need more than values, only the two above.
    if constexpr (M::claims.needs == Needs::values)
      to.push_back(kernel<M, S, GravityGradient<S>>(index, Field::gravity_gradient));
  }
}

// Named are the names of the catalogue, which are no arguments of a kernel: M is.
template <class M>
void add_kernels(const Entry<M>&, int index, std::vector<Kernel>& to) {
  add_kernels_in<M, double>(index, to);
  if constexpr (is_fused && !is_closed_form<M>) add_kernels_in<M, float>(index, to);
}

constexpr WantedMethods wanted(POLHODE_CARD_METHODS);

template <std::size_t N, class M>
void add_if_here(const Entry<M>& entry, std::vector<Kernel>& to) {
  if constexpr (M::claims.batch && N % PARTS == PART) add_kernels(entry, static_cast<int>(N), to);
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
