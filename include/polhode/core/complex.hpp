// Complex numbers over any scalar, without the checks for infinities that std::complex makes in every product.
#pragma once

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class T>
struct Complex {
  T re, im;

  friend constexpr Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  [[gnu::always_inline]] friend constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  [[gnu::always_inline]] friend constexpr Complex operator*(const T& a, const Complex& b) {
    return {a * b.re, a * b.im};
  }
};

template <class T>
[[gnu::always_inline]] constexpr Complex<T> conjugate(const Complex<T>& a) {
  return {a.re, -a.im};
}

template <class T>
[[gnu::always_inline]] constexpr T squared_norm(const Complex<T>& a) {
  return a.re * a.re + a.im * a.im;
}

template <class T>
constexpr Complex<T> normalised(const Complex<T>& a) {
  return T(T(1) / sqrt(squared_norm(a))) * a;
}

// Of length one, at half the angle; of the two, whichever is computed without cancellation.
template <class T>
constexpr Complex<T> halved(const Complex<T>& a) {
  const T r = sqrt(squared_norm(a));
  if (a.re >= T(0)) {
    const T c = sqrt(T(0.5) * (r + a.re) / r);
    return {c, T(0.5) * a.im / (r * c)};
  }
  const T s = sqrt(T(0.5) * (r - a.re) / r);
  return {T(0.5) * a.im / (r * s), s};
}

}  // namespace polhode
