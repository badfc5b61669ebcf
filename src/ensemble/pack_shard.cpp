// The catalogue's kernels on packs of bodies, for one instruction set. Compiled with POLHODE_PACK_KERNELS, the function to
// define, POLHODE_PACK_WIDTH, how many doubles go in a register, POLHODE_PACK_METHODS, the names of the methods between
// spaces, or "all", and flags for the set; POLHODE_PACK_FUSED where these let products and sums be fused.
#include <array>
#include <new>
#include <type_traits>
#include <vector>

#include "ensemble/field_numbers.hpp"
#include "ensemble/pack_kernels.hpp"
#include "ensemble/wanted_methods.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/compensated.hpp"
#include "polhode/model/fields/gravity_gradient.hpp"
#include "polhode/model/fields/heavy_top.hpp"
#include "polhode/model/lane_state.hpp"

namespace polhode {
namespace {

using polhode_packs::BodyNumbers;
using polhode_packs::CalledField;
using polhode_packs::Kernel;
using polhode_packs::Steps;

#ifdef POLHODE_PACK_FUSED
constexpr bool is_fused = true;
#else
constexpr bool is_fused = false;
#endif

template <class T>
inline constexpr std::size_t in_a_register = POLHODE_PACK_WIDTH * sizeof(double) / sizeof(T);

// Several registers of bodies: a step waits for its own results, and the processor has another's to work on meanwhile.
// Fused steps are the shorter ones, and wait more. The many sums of a long series do not wait for each other, and need all
// registers for one pack.
template <class M>
inline constexpr std::size_t registers = is_fused ? 3 : 2;
template <std::size_t N>
inline constexpr std::size_t registers<QuaternionSeries<N>> = 1;
template <class M, class T>
using PackFor = Lanes<T, registers<M> * in_a_register<T>, in_a_register<T>>;

// Where bits are not promised, the steps of one advance are merged.
template <class M>
constexpr bool is_chained = is_fused&& Chains<M>;

template <class Pack, class Number>
Pack gathered(const BodyNumbers* bodies, const Number& number) {
  Pack pack;
  for (std::size_t i = 0; i < Pack::size; ++i) pack.set(i, static_cast<typename Pack::Scalar>(number(bodies[i])));
  return pack;
}

// In a field that the library evaluates.
template <class Pack>
class FieldByCalls {
  static constexpr std::size_t width = Pack::size;

 public:
  FieldByCalls(const CalledField& field, std::size_t first) : field_(field), first_(first) {}

  bool depends_on_velocity() const { return field_.depends_on_velocity; }
  [[gnu::noinline]] Vec3<Pack> torque(const Rotation<Pack>& R_SB, const Vec3<Pack>& w_B, const Pack& t) const {
    alignas(64) std::array<std::array<double, width>, 8> motion;
    const std::array<const Pack*, 8> rows{&R_SB.w, &R_SB.v.x, &R_SB.v.y, &R_SB.v.z, &w_B.x, &w_B.y, &w_B.z, &t};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->store(motion[i]);
    alignas(64) std::array<std::array<double, width>, 3> torque;
    field_.torques(field_.context, first_, motion[0].data(), torque[0].data());
    return {Pack::load(torque[0]), Pack::load(torque[1]), Pack::load(torque[2])};
  }

 private:
  CalledField field_;
  std::size_t first_;
};

template <class F, class Pack>
F field_from(const BodyNumbers* bodies, const Body<Pack>& body) {
  F field;
  // The numbers are those of a field that knows its body: to free a radius of roundings anew would leave others.
  if constexpr (requires { field.acts_on(body); }) field.acts_on(body);
  std::size_t next = 0;
  for_each_number(field, [&](Pack& number) {
    number = gathered<Pack>(bodies, [next](const BodyNumbers& one) { return one.field[next]; });
    ++next;
  });
  return field;
}

template <class M, class Pack, class F>
struct Bodies {
  System<Pack, F> system;
  State<Pack> state;
  MemoryOf<M, Pack> memory;
  Pack begin, step, last_step, end;
};

template <class M, class Pack, class F>
void start_pack(void* at, const BodyNumbers* bodies, [[maybe_unused]] const CalledField* called,
                [[maybe_unused]] std::size_t first) {
  const auto row = [&](const auto& number) { return gathered<Pack>(bodies, number); };
  const auto three = [&](const auto member) {
    return Vec3<Pack>{row([&](const BodyNumbers& b) { return (b.*member)[0]; }),
                      row([&](const BodyNumbers& b) { return (b.*member)[1]; }),
                      row([&](const BodyNumbers& b) { return (b.*member)[2]; })};
  };
  Body<Pack> body(three(&BodyNumbers::inertia));
  body.second = row([](const BodyNumbers& b) { return b.second; });
  const auto attitude = [&](std::size_t k) { return row([k](const BodyNumbers& b) { return b.attitude[k]; }); };
  const Pack time = row([](const BodyNumbers&b) { return b.time; }),
             h = row([](const BodyNumbers&b) { return b.step; });
  const State<Pack> s{{attitude(0), {attitude(1), attitude(2), attitude(3)}}, three(&BodyNumbers::momentum_B), time};
  const System<Pack, F> system{body, [&] {
                                 if constexpr (std::is_same_v<F, FieldByCalls<Pack>>) {
                                   return F(*called, first);
                                 } else if constexpr (is_free<F>) {
                                   return Free{};
                                 } else {
                                   return field_from<F>(bodies, body);
                                 }
                               }()};
  Work work;
  auto memory = polhode::start<M>(system, s, h, work);
  new (at) Bodies<M, Pack, F>{
      system, s, memory, time, h, row([](const BodyNumbers& b) { return b.last_step; }), row([](const BodyNumbers& b) {
        return b.end_time;
      })};
}

// Not inlined: it is called for the steps of one size and for the last one, and is most of what there is to compile.
template <class M, class Pack, class F>
[[gnu::flatten, gnu::noinline]] bool equal_steps(Bodies<M, Pack, F>& bodies, long long from, long long to,
                                                 const Pack& h) {
  const System<Pack, F> system = bodies.system;
  State<Pack> s = bodies.state;
  const Pack begin = bodies.begin;
  const auto time_after = [&](long long steps) { return begin + Pack(static_cast<double>(steps)) * h; };
  Work work;
  if constexpr (is_chained<M>) {
    if (to > from) s = M::chain(system, s, h, static_cast<std::size_t>(to - from), work);
    s.t = time_after(to);
  } else {
    auto memory = bodies.memory;
    for (long long n = from; n < to; ++n) {
      s = advance<M>(system, s, memory, h, work);
      s.t = time_after(n + 1);
    }
    bodies.memory = memory;
  }
  bodies.state = s;
  return work.converged;
}

template <class M, class Pack, class F>
bool advance_pack(void* at, const Steps& steps) {
  auto& bodies = *static_cast<Bodies<M, Pack, F>*>(at);
  const long long equal = steps.to - (steps.last_is_different ? 1 : 0);
  bool converged = equal_steps(bodies, steps.from, equal, bodies.step);
  if (steps.last_is_different) {
    converged = equal_steps(bodies, equal, steps.to, bodies.last_step) && converged;
    bodies.state.t = bodies.end;
  }
  return converged;
}

template <class M, class Pack, class F>
void read_pack(const void* at, std::size_t i, double* numbers) {
  const auto& bodies = *static_cast<const Bodies<M, Pack, F>*>(at);
  const auto s = lane(bodies.state, i);
  const auto momentum_S = [&] {
    if constexpr (MemoryOf<M, Pack>::carries_momentum) {
      return lane(bodies.memory.momentum_S, i);
    } else {
      return spatial_momentum(s);
    }
  }();
  const std::array all{s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y,   s.R_SB.v.z,   s.pi_B.x,
                       s.pi_B.y, s.pi_B.z,   momentum_S.x, momentum_S.y, momentum_S.z};
  for (std::size_t k = 0; k < all.size(); ++k) numbers[k] = all[k];
}

template <class M, class Pack, class F>
Kernel kernel(int method, polhode_packs::Field field) {
  using All = Bodies<M, Pack, F>;
  static_assert(std::is_trivially_destructible_v<All>);
  constexpr std::size_t bytes = (sizeof(All) + 63) / 64 * 64;
  return {method,
          field,
          std::is_same_v<typename Pack::Scalar, float>,
          Pack::size,
          bytes,
          &start_pack<M, Pack, F>,
          &advance_pack<M, Pack, F>,
          &read_pack<M, Pack, F>};
}

constexpr WantedMethods wanted(POLHODE_PACK_METHODS);

// In fields that kernels know.
template <class M, class T>
void add_kernels_in(int index, std::vector<Kernel>& to) {
  using Pack = PackFor<M, T>;
  using Summed = std::conditional_t<is_fused, M, KernelIn<M, Pack>>;
  using polhode_packs::Field;
  to.push_back(kernel<Summed, Pack, Free>(index, Field::free));
  if constexpr (takes_any_torque(M::claims)) {
    to.push_back(kernel<Summed, Pack, HeavyTop<Pack>>(index, Field::heavy_top));
    if constexpr (wanted.all())
      to.push_back(kernel<Summed, Pack, GravityGradient<Pack>>(index, Field::gravity_gradient));
  }
}

// Steps by power series take as long to compile as all others together: in double and unfused, unless all are wanted.
template <class M>
constexpr bool in_every_kind = wanted.all() || M::claims.needs != Needs::series;
// The closed form is summed up once: it has nothing to gain from fused sums, and its series are those of doubles.
template <>
constexpr bool in_every_kind<FreeExact> = false;

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> kernels;
  int method = 0;
  Catalogue::for_each([&](auto entry) {
    using M = typename decltype(entry)::Method;
    const int index = method++;
    if constexpr (M::claims.batch && wanted.has(decltype(entry)::name)) {
      if constexpr (!is_fused || in_every_kind<M>) add_kernels_in<M, double>(index, kernels);
      if constexpr (in_every_kind<M>) add_kernels_in<M, float>(index, kernels);
      if constexpr (!is_fused && takes_any_torque(M::claims) && M::claims.needs == Needs::values) {
        using Pack = PackFor<M, double>;
        kernels.push_back(kernel<M, Pack, FieldByCalls<Pack>>(index, polhode_packs::Field::called));
      }
    }
  });
  return kernels;
}

}  // namespace
}  // namespace polhode

namespace polhode_packs {

std::span<const Kernel> POLHODE_PACK_KERNELS() {
  static const std::vector<Kernel> kernels = polhode::all_kernels();
  return kernels;
}

}  // namespace polhode_packs
