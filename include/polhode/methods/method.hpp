// What a method is: a struct with its claims, its sources and a pure step.
//
//   struct SomeMethod {
//     static constexpr std::string_view family, cite, about, good_for, not_for;
//     static constexpr Claims claims{...};
//     template <class T> struct Memory {  // trivially copyable
//       static constexpr bool carries_momentum;
//       void attitude_changed();
//       Memory reversed() const;
//     };
//     template <class T, class F> static Memory<T> start(const System<T, F>&, const State<T>&, T h, Work&);
//     template <class T, class F> static State<T> step(const System<T, F>&, State<T>, Memory<T>&, T h, Work&);
//   };
//
// The step takes a state and returns one; it allocates nothing, throws nothing and knows of no files, threads or time
// loops. It is written for any scalar T. Memory is what passes from one step to the next (a carried momentum, the last
// torque, a multistep history); a method that needs none leaves Memory and start out and takes no memory argument.
//
// carries_momentum says that the memory has the spatial momentum, as `momentum_S`: the state's own follows from it.
// attitude_changed() tells the memory that someone (a projection) turned the body between two steps at unchanged
// spatial momentum. The memory of a method that takes a tolerance has a member `tolerance` [rad]: the attitude error
// that each of its own steps may make, zero for one step as it comes. That of a method that knows the work of the
// torque has `work_of_torque` [J] in the last step, and `work_known` where it could be found.
//
// A method with numbers for its user to choose declares them as parameters.hpp says; its step takes them after the memory.
//
// A splitting may offer n steps at once, with what ends one step and what begins the next merged into one:
//     template <class T, class F> static State<T> chain(const System<T, F>&, State<T>, T h, std::size_t n, Work&);
// It equals n steps from a fresh start to rounding but not to the bit, so that it is for loops that promise no bits.
//
// concept Method says all this to the compiler; the catalogue asserts it of every entry. Chains says that there is a chain.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "polhode/methods/claims.hpp"
#include "polhode/methods/parameters.hpp"
#include "polhode/model/field.hpp"

namespace polhode {

struct NoMemory {
  static constexpr bool carries_momentum = false;
  constexpr void attitude_changed() {}
  constexpr NoMemory reversed() const { return {}; }
};

template <class M>
concept Remembers = requires {
  typename M::template Memory<double>;
};

template <class M, class T>
struct MemoryFor {
  using type = NoMemory;
};
template <Remembers M, class T>
struct MemoryFor<M, T> {
  using type = typename M::template Memory<T>;
};
template <class M, class T>
using MemoryOf = typename MemoryFor<M, T>::type;

// What each part of the two concepts asks for, so that a method that lacks one is told which.
namespace detail {

template <class X>
concept Text = std::convertible_to<X, std::string_view>;

template <class M>
concept HasFamily = requires {
  { M::family } -> Text;
};
template <class M>
concept HasSources = requires {
  { M::cite } -> Text;
};
template <class M>
concept HasAbout = requires {
  { M::about } -> Text;
};
template <class M>
concept HasPurpose = requires {
  { M::good_for } -> Text;
  { M::not_for } -> Text;
};
template <class M>
concept DescribesItself = HasFamily<M> && HasSources<M> && HasAbout<M> && HasPurpose<M>;
template <class M>
concept HasClaims = requires {
  { M::claims } -> std::same_as<const Claims&>;
};

template <class Memory>
concept ToldOfTurns = requires(Memory memory) {
  memory.attitude_changed();
};
template <class Memory>
concept Reversible = requires(const Memory memory) {
  { memory.reversed() } -> std::same_as<Memory>;
};
template <class Memory>
concept SaysIfMomentumIsCarried = requires {
  { Memory::carries_momentum } -> std::convertible_to<bool>;
};
template <class Memory, class T>
concept HasMomentum = requires(Memory memory) {
  { memory.momentum_S } -> std::same_as<Vec3<T>&>;
};
template <class Memory, class T>
concept CarriesMomentumAsItSays = SaysIfMomentumIsCarried<Memory> &&
    (HasMomentum<Memory, T> == bool(Memory::carries_momentum));

template <class Memory, class T>
concept HasTolerance = requires(Memory memory) {
  { memory.tolerance } -> std::same_as<T&>;
};
template <class Memory, class T>
concept HasWork = requires(Memory memory) {
  { memory.work_known } -> std::same_as<bool&>;
  { memory.work_of_torque } -> std::same_as<T&>;
};
template <class M>
concept RemembersTolerance = (!M::claims.takes_tolerance || HasTolerance<MemoryOf<M, double>, double>);
template <class M>
concept RemembersWork = (!M::claims.knows_work || HasWork<MemoryOf<M, double>, double>);

template <class M, class T>
concept Starts = !Remembers<M> || requires(const System<T, Free>& sys, const State<T>& s, const T& h, Work& work) {
  { M::start(sys, s, h, work) } -> std::same_as<MemoryOf<M, T>>;
};
// With its memory and its parameters, if it has any.
template <class M, class T, class... Own>
concept StepsWith = requires(const System<T, Free>& sys, const State<T>& s, Own&... own, const T& h, Work& work) {
  { M::step(sys, s, own..., h, work) } -> std::same_as<State<T>>;
};
template <class M, class T>
constexpr bool steps() {
  using Memory = MemoryOf<M, T>;
  using Parameters = const ParametersOf<M>;
  if constexpr (Remembers<M>) {
    return HasParameters<M> ? StepsWith<M, T, Memory, Parameters> : StepsWith<M, T, Memory>;
  } else {
    return HasParameters<M> ? StepsWith<M, T, Parameters> : StepsWith<M, T>;
  }
}
template <class M, class T>
concept Steps = steps<M, T>();

template <class M, class T>
concept HasChain = requires(const System<T, Free>& sys, const State<T>& s, const T& h, std::size_t n, Work& work) {
  { M::chain(sys, s, h, n, work) } -> std::same_as<State<T>>;
};

template <class M>
concept DeclaresParameters = requires(const ParametersOf<M>& parameters) {
  M::parameters();
  { M::claims_for(parameters) } -> std::same_as<Claims>;
};
// The defaults are within the bounds, and have the claims that the method makes where none are given.
template <class M>
constexpr bool defaults_hold() {
  const ParametersOf<M> defaults{};
  bool hold = claims_of<M>(defaults) == M::claims;
  for_each_parameter<M>([&](const auto& parameter) {
    const double value = defaults.*(parameter.member);
    hold = hold && parameter.lowest <= value && value <= parameter.highest;
  });
  return hold;
}
template <class M>
concept HasSoundParameters = !HasParameters<M> || (DeclaresParameters<M> && defaults_hold<M>());

}  // namespace detail

template <class Memory, class T = double>
concept MethodMemory = std::is_trivially_copyable_v<Memory> && std::default_initializable<Memory> &&
    detail::ToldOfTurns<Memory> && detail::Reversible<Memory> && detail::CarriesMomentumAsItSays<Memory, T>;

namespace detail {
template <class M>
concept HasSoundMemory = MethodMemory<MemoryOf<M, double>> && RemembersTolerance<M> && RemembersWork<M>;
}  // namespace detail

template <class M, class T>
concept StepsOn = detail::Starts<M, T> && detail::Steps<M, T>;

template <class M>
concept Method = detail::DescribesItself<M> && detail::HasClaims<M> && detail::HasSoundMemory<M> &&
    detail::HasSoundParameters<M> && StepsOn<M, double>;

template <class M, class T = double>
concept Chains = Method<M> && detail::HasChain<M, T>;

// Says what a method lacks, where one is listed.
template <class M>
constexpr bool assert_method() {
  using namespace detail;
  using Memory = MemoryOf<M, double>;
  static_assert(HasFamily<M>, "a method says in `family` what heading it is listed under");
  static_assert(HasSources<M>, "a method names its sources in `cite`, by their keys in docs/bibliography.bib");
  static_assert(HasAbout<M>, "a method has a sentence on itself, `about`");
  static_assert(HasPurpose<M>, "a method says what it is `good_for` and `not_for`");
  static_assert(HasClaims<M>, "a method makes its `claims`, a constant of type Claims");
  static_assert(std::is_trivially_copyable_v<Memory>,
                "a Memory is trivially copyable: saving one is copying its bytes");
  static_assert(std::default_initializable<Memory>, "a Memory can be made before its start");
  static_assert(ToldOfTurns<Memory>, "a Memory has attitude_changed(), for whoever turns the body between two steps");
  static_assert(Reversible<Memory>, "a Memory has reversed() const, which returns that of the other direction of time");
  static_assert(SaysIfMomentumIsCarried<Memory>, "a Memory says whether it carries_momentum");
  static_assert(CarriesMomentumAsItSays<Memory, double>,
                "a Memory has a `momentum_S` of type Vec3<T> if it says that it carries_momentum, and none if not");
  static_assert(RemembersTolerance<M>,
                "the Memory of a method that claims to take a tolerance has a `tolerance` of type T");
  static_assert(RemembersWork<M>,
                "the Memory of a method that claims to know the work of the torque has `work_known` and a "
                "`work_of_torque` of type T");
  static_assert(!HasParameters<M> || DeclaresParameters<M>,
                "a method with Parameters has parameters(), a tuple of their declarations, and claims_for(parameters)");
  static_assert(HasSoundParameters<M>,
                "the defaults of Parameters are within their bounds, and claims_for them are the `claims`");
  static_assert(Starts<M, double>, "a method with a Memory has start(system, state, h, work), which returns it");
  static_assert(Steps<M, double>,
                "a method has step(system, state, memory, parameters, h, work), without what it has not got of memory "
                "and parameters, which returns the next state");
  return Method<M>;
}

template <class M, class T, class F>
constexpr MemoryOf<M, T> start(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
  if constexpr (Remembers<M>) {
    return M::start(sys, s, h, work);
  } else {
    return {};
  }
}

// Inlined: a state returned through a call is copied through memory, a quarter of the cost of a short step.
template <class M, class T, class F>
POLHODE_INLINED constexpr State<T> advance(const System<T, F>& sys, const State<T>& s, MemoryOf<M, T>& memory,
                                           const T& h, Work& work,
                                           [[maybe_unused]] const ParametersOf<M>& parameters = {}) {
  if constexpr (Remembers<M> && HasParameters<M>) {
    return M::step(sys, s, memory, parameters, h, work);
  } else if constexpr (Remembers<M>) {
    return M::step(sys, s, memory, h, work);
  } else if constexpr (HasParameters<M>) {
    return M::step(sys, s, parameters, h, work);
  } else {
    return M::step(sys, s, h, work);
  }
}

// What is left of a method's claims in a field of type F. Symplecticity and energy are claims about conservative
// fields; a torque that depends on the angular velocity is no kick of a Hamiltonian, and the order may be lower there.
template <class M, class T, class F>
constexpr Claims claims_in() {
  Claims claims = M::claims;
  if constexpr (!Conservative<F, T>) {
    claims.symplectic = false;
    claims.energy = Keeps::no;
    claims.momentum_along_field = Keeps::no;
  }
  if constexpr (!AttitudeTorqueField<F, T>) {
    claims.symmetric = claims.symmetric && claims.gains_with_velocity == Gains::all;
    const Orders orders = orders_with_velocity(claims);
    claims.order_attitude = orders.attitude;
    claims.order_momentum = orders.momentum;
  }
  return claims;
}

}  // namespace polhode
