// Compiled with PACK_NAME, PACK_BODIES, PACK_WIDTH (how many of them go in a register) and flags for one instruction set,
// and with the library's namespace renamed, so that no function compiled for one processor is linked where another was
// meant.
#include "kernels.hpp"

#include <array>
#include <chrono>

#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields.hpp"
#include "polhode/model/lane_state.hpp"

namespace packs {
namespace {

using namespace polhode;

#if PACK_BODIES == 1
using Number = double;
#else
using Number = Lanes<double, PACK_BODIES, PACK_WIDTH>;
#endif

Number load(const double* from) {
#if PACK_BODIES == 1
  return *from;
#else
  Number x;
  for (std::size_t i = 0; i < x.parts; ++i) __builtin_memcpy(&x.part[i], from + i * x.width, sizeof x.part[i]);
  return x;
#endif
}
void store(const Number& x, double* to) {
#if PACK_BODIES == 1
  *to = x;
#else
  for (std::size_t i = 0; i < x.parts; ++i) __builtin_memcpy(to + i * x.width, &x.part[i], sizeof x.part[i]);
#endif
}

template <class F>
F field() {
  if constexpr (std::is_same_v<F, HeavyTop<Number>>) {
    F gravity;
    gravity.weight_times_arm = Number(0.5);
    gravity.axis_body = {Number(1.0 / 3), Number(2.0 / 3), Number(2.0 / 3)};
    return gravity;
  } else {
    return {};
  }
}

template <class M, class F>
[[gnu::flatten]] void run(double* numbers, std::size_t bodies, double h, int steps) {
  for (std::size_t i = 0; i < bodies; i += PACK_BODIES) {
    const auto at = [&](std::size_t row) { return numbers + row * bodies + i; };
    State<Number> s{
        {load(at(0)), {load(at(1)), load(at(2)), load(at(3))}}, {load(at(4)), load(at(5)), load(at(6))}, Number(0)};
    const System<Number, F> system{Body<Number>({load(at(7)), load(at(8)), load(at(9))}), field<F>()};
    Work work;
    auto memory = start<M>(system, s, Number(h), work);
    for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, Number(h), work);
    const Number out[7] = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z, s.pi_B.x, s.pi_B.y, s.pi_B.z};
    for (std::size_t row = 0; row < 7; ++row) store(out[row], at(row));
  }
}

using Top = HeavyTop<Number>;
constexpr Kernel kernels[] = {
    {"mclachlan-reich-231", "free", &run<AxisSplitting<2, 3, 1>, Free>},
    {"mclachlan-reich-231", "heavy-top", &run<AxisSplitting<2, 3, 1>, Top>},
    {"no-squish", "free", &run<NoSquish, Free>},
    {"rotor-verlet", "free", &run<RotorVerlet, Free>},
    {"rotor-verlet", "heavy-top", &run<RotorVerlet, Top>},
    {"taylor-2-augmented", "free", &run<Taylor<2, Rule::augmented>, Free>},
    {"taylor-4", "free", &run<Taylor<4>, Free>},
    {"taylor-4", "heavy-top", &run<Taylor<4>, Top>},
    {"taylor-6", "free", &run<Taylor<6>, Free>},
    {"rkmk-4", "heavy-top", &run<MuntheKaas4, Top>},
    {"newmark", "heavy-top", &run<Newmark<>, Top>},
    {"lie-verlet", "heavy-top", &run<LieVerlet, Top>},
    {"variational-legendre", "heavy-top", &run<VariationalLegendre, Top>},
};

}  // namespace

std::span<const Kernel> PACK_NAME() { return kernels; }

#ifdef PACK_PEAK
// Sixteen chains of products and sums, more than the units and their delay can take.
[[gnu::optimize("fp-contract=fast")]] double PACK_PEAK() {
  typedef double Vector __attribute__((vector_size(PACK_WIDTH * 8)));
  constexpr int chains = 16;
  constexpr long rounds = 20000000;
  Vector x[chains];
  for (int i = 0; i < chains; ++i) x[i] = Vector{} + (1.0 + i * 1e-3);
  Vector factor = Vector{} + 0.999999, summand = Vector{} + 1e-9;
  asm volatile("" : "+m"(factor), "+m"(summand));
  const auto begin = std::chrono::steady_clock::now();
  for (long n = 0; n < rounds; ++n)
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) x[i] = x[i] * factor + summand;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (int i = 0; i < chains; ++i) asm volatile("" : : "m"(x[i]));
  return 2e-9 * chains * PACK_WIDTH * static_cast<double>(rounds) / seconds;
}
#endif

}  // namespace packs
