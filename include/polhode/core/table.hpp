// Tables of constants, each made once for a scalar: in the compiler for the built-in ones, at its first use for others,
// whose arithmetic the compiler may not know.
//
//   struct Halves {
//     template <class T> static constexpr std::array<T, 2> make() { return {T(1) / T(2), T(1) / T(4)}; }
//   };
//   const auto& halves = table_of<Halves, T>();
//
// A maker of a polynomial's coefficients says so by `static constexpr bool of_polynomial = true;`.
#pragma once

#include <type_traits>

namespace polhode {

#if defined(__CUDACC__)
namespace detail {
// Coefficients of polynomials, which instructions take from the memory of constants. As part of the code each half of one
// would be an instruction of its own, one for every three that compute.
template <class Maker, class T>
__constant__ auto coefficients_on_card = Maker::template make<T>();
}  // namespace detail

// On a device a constant of a namespace has no address, but one within a function has. Such a function may not be
// constexpr, so that this one says where it runs.
template <class Maker, class T>
__host__ __device__ const auto& table_of() {
  static constexpr auto table = Maker::template make<T>();
#ifdef __CUDA_ARCH__
  if constexpr (requires { requires Maker::of_polynomial; })
    return detail::coefficients_on_card<Maker, T>;
  else
    return table;
#else
  return table;
#endif
}
#else
namespace detail {
template <class Maker, class T>
inline constexpr auto constant_table = Maker::template make<T>();

// Not constexpr, and so no business of the compiler, which would work out whatever it can: in quad for half a minute.
template <class Maker, class T>
auto make_at_first_use() {
  return Maker::template make<T>();
}
template <class Maker, class T>
const auto& made_table() {
  static const auto table = make_at_first_use<Maker, T>();
  return table;
}
}  // namespace detail

template <class Maker, class T>
constexpr const auto& table_of() {
  if constexpr (std::is_floating_point_v<T>) {
    return detail::constant_table<Maker, T>;
  } else {
    return detail::made_table<Maker, T>();
  }
}
#endif

}  // namespace polhode
