// The wider scalar that a delicate formula is evaluated in, so that what it returns is right to the last bits of T.
//
// A long double is widened to quad, which core/quad.hpp adds: without it Wider<long double> is incomplete on purpose.
#pragma once

#include "polhode/core/dual.hpp"

namespace polhode {

template <class T>
struct Wider {
  using type = T;
};
template <>
struct Wider<float> {
  using type = double;
};
template <>
struct Wider<double> {
#if defined(__CUDACC__)
  using type = double;  // a device has no other
#else
  using type = long double;
#endif
};
template <>
struct Wider<long double>;
template <class T, std::size_t N>
struct Wider<Dual<T, N>> {
  using type = Dual<typename Wider<T>::type, N>;
};

template <class T>
using wider = typename Wider<T>::type;

// The same where the processor has it, and T itself beyond double.
template <class T>
using wider_built_in = typename std::conditional_t<std::is_same_v<T, float> || std::is_same_v<T, double>, Wider<T>,
                                                   std::type_identity<T>>::type;

}  // namespace polhode
