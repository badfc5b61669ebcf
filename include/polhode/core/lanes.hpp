// N numbers side by side, for the same formula at N nodes: of any scalar, or of double in the vectors of the compiler.
//
// Sums and products are rounded one by one in both, so that which vectors do the work changes no bit.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class T, std::size_t N>
struct Lanes {
  using Scalar = T;
  static constexpr std::size_t size = N;
  std::array<T, N> at{};

  static Lanes load(const std::array<value_of<T>, N>& a) {
    Lanes r;
    for (std::size_t i = 0; i < N; ++i) r.at[i] = T(a[i]);
    return r;
  }
  const T& operator[](std::size_t i) const { return at[i]; }
  const T& back() const { return at[N - 1]; }

  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a.at[i] + b.at[i]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a.at[i] - b.at[i]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a.at[i] * b.at[i]; });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a.at[i] / b.at[i]; });
  }
  friend Lanes operator+(const T& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a + b.at[i]; });
  }
  friend Lanes operator-(const T& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a - b.at[i]; });
  }
  friend Lanes operator*(const T& a, const Lanes& b) {
    return each([&](std::size_t i) -> T { return a * b.at[i]; });
  }

 private:
  template <class Function>
  static Lanes each(Function function) {
    Lanes r;
    for (std::size_t i = 0; i < N; ++i) r.at[i] = function(i);
    return r;
  }
};

// The same N doubles as N / Width vectors of Width. Everything is put in line, so that the instructions are those of
// the function it ends up in; a vector is never passed or returned by a call.
template <std::size_t Width, std::size_t N>
struct VectorLanes {
  using Scalar = double;
  static constexpr std::size_t size = N, parts = N / Width;
  typedef double Vector __attribute__((vector_size(Width * sizeof(double))));
  Vector part[parts];

  [[gnu::always_inline]] static VectorLanes load(const std::array<double, N>& a) {
    VectorLanes r;
    __builtin_memcpy(r.part, a.data(), sizeof(r.part));
    return r;
  }
  [[gnu::always_inline]] double operator[](std::size_t i) const { return part[i / Width][i % Width]; }
  [[gnu::always_inline]] double back() const { return part[parts - 1][Width - 1]; }

  [[gnu::always_inline]] friend VectorLanes operator+(const VectorLanes& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] + b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator-(const VectorLanes& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] - b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator*(const VectorLanes& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] * b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator/(const VectorLanes& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] / b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator+(const double& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a + b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator-(const double& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a - b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend VectorLanes operator*(const double& a, const VectorLanes& b) {
    VectorLanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a * b.part[i];
    return r;
  }
};

// In pairs, whatever holds the lanes: the order of the sum is part of the result.
template <class L>
[[gnu::always_inline]] inline typename L::Scalar sum_of(const L& a) {
  using T = typename L::Scalar;
  if constexpr (L::size == 8) {
    const T low = (T(a[0]) + T(a[1])) + (T(a[2]) + T(a[3])), high = (T(a[4]) + T(a[5])) + (T(a[6]) + T(a[7]));
    return low + high;
  } else {
    static_assert(L::size == 4);
    return (T(a[0]) + T(a[1])) + (T(a[2]) + T(a[3]));
  }
}

}  // namespace polhode
