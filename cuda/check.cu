// Every method of the catalogue as a kernel of a device, for a body without torque, a heavy top, a satellite and a body
// with drag: compiled to see that it can be (`make cuda-check`), and not run.
#include <array>

#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields/gravity_gradient.hpp"
#include "polhode/model/fields/heavy_top.hpp"
#include "polhode/model/fields/two_masses.hpp"
#include "polhode/model/fields/uniform_field.hpp"
#include "rows.cuh"

namespace polhode {

// What is not for a device.
template <class M>
inline constexpr bool runs_on_device = true;
// These share one body among the lanes of a processor, in code for its instruction set.
template <std::size_t K>
inline constexpr bool runs_on_device<RotorAdams<K>> = false;
template <>
inline constexpr bool runs_on_device<TaylorAdaptive> = false;

// One thread steps one body.
template <class M, class F>
__global__ void step_bodies(const Vec3<double>* inertia, F field, State<double>* states, int count, double h,
                            int steps) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const System<double, F> sys{Body<double>(inertia[i]), field};
  State<double> s = states[i];
  Work work;
  auto memory = start<M>(sys, s, h, work);
  for (int n = 0; n < steps; ++n) s = advance<M>(sys, s, memory, h, work);
  if constexpr (Chains<M>) s = M::chain(sys, s, h, static_cast<std::size_t>(steps), work);
  states[i] = s;
}

// What ensembles on a card read and write.
template <class S, class F>
__global__ void pass_rows(const polhode_card::Bodies all) {
  const BodyInRows<S> body(all, threadIdx.x);
  const System<S, F> sys = body.template system<F>();
  State<S> s = body.state(body.fixed(polhode_card::begin));
  s.pi_B = sys.field.torque(s.R_SB, s.t);
  body.keep(s);
  body.keep_memory(body.template memory<MemoryOf<LieVerlet, S>>());
}

struct Drag {
  double coefficient;
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>&, const Vec3<S>& w_B, const S&) const {
    return S(-coefficient) * w_B;
  }
};

[[maybe_unused]] const void* const rows[] = {reinterpret_cast<const void*>(&pass_rows<double, HeavyTop<double>>),
                            reinterpret_cast<const void*>(&pass_rows<double, GravityGradient<double>>),
                            reinterpret_cast<const void*>(&pass_rows<float, HeavyTop<float>>)};

using Kernels = std::array<const void*, 4>;

template <class M, class F>
const void* kernel() {
  return reinterpret_cast<const void*>(&step_bodies<M, F>);
}

template <class M>
Kernels kernels_of(const Entry<M>&) {
  Kernels kernels{};
  if constexpr (runs_on_device<M>) {
    kernels[0] = kernel<M, Free>();
    if constexpr (M::claims.space == Space::sphere) kernels[1] = kernel<M, UniformField<double>>();
    if constexpr (M::claims.needs == Needs::direction_potential) kernels[2] = kernel<M, TwoMasses<double>>();
    if constexpr (takes_any_torque(M::claims)) {
      kernels[1] = kernel<M, HeavyTop<double>>();
      kernels[2] = kernel<M, GravityGradient<double>>();
      kernels[3] = kernel<M, Drag>();
    }
  }
  return kernels;
}

// Called by nobody: it is there to name them all.
std::array<Kernels, Catalogue::size> kernels() {
  std::array<Kernels, Catalogue::size> all{};
  std::size_t next = 0;
  Catalogue::for_each([&](const auto& entry) { all[next++] = kernels_of(entry); });
  return all;
}

}  // namespace polhode
