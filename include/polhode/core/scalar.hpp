// The vocabulary of a scalar: what kernels may ask of a number.
//
// A kernel is written once, for any scalar T, with + - * /, sqrt, sin, cos, abs, min, max, copysign, select and every.
// Built-in types get these from <cmath>; multiprecision numbers, duals and power series bring their own by
// argument-dependent lookup. Comparisons yield a mask: `bool` for one number, a lane mask for a SIMD pack.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace polhode {

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::copysign;
using std::cos;
using std::exp;
using std::isfinite;
using std::log;
using std::max;
using std::min;
using std::pow;
using std::sin;
using std::sqrt;
using std::tan;
using std::tanh;

// mask ? a : b, written so that packs can overload it. Both sides are evaluated.
template <class T>
constexpr T select(bool mask, const T& a, const T& b) {
  return mask ? a : b;
}

constexpr bool every(bool mask) { return mask; }

// every(a <= b), for which packs have an instruction.
template <class T>
constexpr bool every_at_most(const T& a, const T& b) {
  return every(a <= b);
}

// Whether any number of a pack is meant.
template <class Mask>
constexpr bool any(const Mask& mask) {
  return !every(!mask);
}

// The plain number behind a scalar: T itself, or the value type of a dual, a series, a pack.
template <class T>
struct ValueOf {
  using type = T;
};
template <class T>
using value_of = typename ValueOf<T>::type;

// The number without its derivatives.
template <class T>
constexpr const T& plain(const T& x) {
  return x;
}

// How many derivatives a scalar carries: none for a plain number, one for a dual, N for a series.
template <class T>
inline constexpr std::size_t derivatives_of = 0;

// Whether sums and products are a few instructions and no calls: five turns of a step in line are then no lot of code.
template <class T>
inline constexpr bool has_inlined_products = std::is_floating_point_v<T>;

// The rounding unit of the plain number behind T.
template <class T>
constexpr value_of<T> epsilon() {
  return std::numeric_limits<value_of<T>>::epsilon();
}

// Sets an operand of a mixed expression aside from template argument deduction, so that 2.0 * series converts.
template <class T>
using Same = std::type_identity_t<T>;

}  // namespace polhode
