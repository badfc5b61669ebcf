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

constexpr unsigned ordinary_block = 128;

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

// What needs many registers at once.
template <class M>
constexpr bool is_series = false;
template <std::size_t Order>
constexpr bool is_series<QuaternionSeries<Order>> = true;

// The code of the closed form is long and passed through once: the more threads begin together, the more find an instruction
// there when they need it. In small blocks fewer wait for the slowest.
template <class M>
constexpr unsigned threads_of_a_block = is_closed_form<M> ? 512 : is_series<M> || is_chained<M> ? ordinary_block : 64;

template <class M, class S>
constexpr bool remembers = !std::is_empty_v<MemoryOf<M, S>> && !is_closed_form<M> && !is_chained<M>;

// A part may have none of the wanted methods.
[[maybe_unused]] __device__ std::size_t this_body() { return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; }

// The same, in an order in which bodies of a kind are neighbours: those that go different ways wait for each other. Every thread of
// the block calls it, whether it has a body or not.
template <unsigned Threads>
__device__ std::size_t body_beside_its_kind(bool kind) {
  constexpr unsigned of_a_warp = 32, warps = Threads / of_a_warp;
  __shared__ unsigned of_kind[warps];
  __shared__ unsigned short body_of[Threads];
  const unsigned thread = threadIdx.x, warp = thread / of_a_warp;
  const unsigned in_warp = __ballot_sync(~0U, kind);
  if (thread % of_a_warp == 0) of_kind[warp] = static_cast<unsigned>(__popc(in_warp));
  __syncthreads();
  unsigned before = static_cast<unsigned>(__popc(in_warp & ((1U << thread % of_a_warp) - 1))), all = 0;
  for (unsigned w = 0; w < warps; ++w) {
    if (w < warp) before += of_kind[w];
    all += of_kind[w];
  }
  body_of[kind ? before : all + (thread - before)] = static_cast<unsigned short>(thread);
  __syncthreads();
  return this_body() - thread + body_of[thread];
}

// Which of the two series the closed form takes, as far as floats know.
[[maybe_unused]] __device__ bool passes_near_the_middle_axis(const Bodies& all, std::size_t i) {
  const BodyInRows<float> body(all, i);
  const Vec3<float> inertia = body.inertia(), pi_B = body.state(0).pi_B;
  const AxesByMoment axis = axes_by_moment(inertia);
  const MiddleExcess<float> middle(inertia, pi_B, axis);
  return Polhode<float>(inertia, pi_B, axis, middle.first - middle.second).parameter > 0.5F;
}

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

// How many blocks a multiprocessor shall hold: more threads wait for memory side by side, but what finds no register is in
// memory itself. Measured by bench/ensemble_card.
template <class M, class F>
constexpr unsigned blocks_at_once = is_closed_form<M> ? 1
                                    : is_series<M>    ? 2
                                    : !is_chained<M>  ? 8
                                    : is_free<F>      ? 8
                                                      : 6;

template <class M, class S, class F>
__global__ void __launch_bounds__(threads_of_a_block<M>, (blocks_at_once<M, F>))
    advance_bodies(const Bodies all, const polhode_packs::Steps steps) {
  std::size_t i = this_body();
  if constexpr (is_closed_form<M>)
    i = body_beside_its_kind<threads_of_a_block<M>>(i < all.count && passes_near_the_middle_axis(all, i));
  if (i >= all.count) return;
  const BodyInRows<S> body(all, i);
  State<S> s = body.state(S(0));  // asked for before what is divided by waits for memory
  const System<S, F> system = body.template system<F>();
  const S begin = body.fixed(polhode_card::begin), h = body.fixed(polhode_card::step);
  s.t = begin + static_cast<S>(steps.from) * h;
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

[[maybe_unused]] unsigned blocks_of(const Bodies& all, unsigned threads) {
  return static_cast<unsigned>((all.count + threads - 1) / threads);
}

template <class M, class S, class F>
void start_all(const Bodies& all, void* stream) {
  start_bodies<M, S, F><<<blocks_of(all, ordinary_block), ordinary_block, 0, static_cast<cudaStream_t>(stream)>>>(all);
}

template <class M, class S, class F>
void advance_all(const Bodies& all, const polhode_packs::Steps& steps, void* stream) {
  constexpr unsigned threads = threads_of_a_block<M>;
  advance_bodies<M, S, F><<<blocks_of(all, threads), threads, 0, static_cast<cudaStream_t>(stream)>>>(all, steps);
}

template <class M, class S>
void read_all(const Bodies& all, double* rows, void* stream) {
  read_bodies<M, S>
      <<<blocks_of(all, ordinary_block), ordinary_block, 0, static_cast<cudaStream_t>(stream)>>>(all, rows);
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
