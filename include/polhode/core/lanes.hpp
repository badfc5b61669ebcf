// Several numbers that go through the same arithmetic side by side: the nodes of a collocation, say. For double and
// float they are one register where the processor has such (instruction_set.hpp), for any other scalar an array.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "polhode/core/rotation.hpp"

namespace polhode {

namespace detail {

template <class T, std::size_t N>
struct LaneStorage {
  using type = std::array<T, N>;
};
// The attribute wants a size that depends on the template's parameters by way of a typedef.
template <std::size_t N>
struct LaneStorage<double, N> {
  typedef double type __attribute__((vector_size(N * sizeof(double))));
};
template <std::size_t N>
struct LaneStorage<float, N> {
  typedef float type __attribute__((vector_size(N * sizeof(float))));
};

template <class T>
inline constexpr bool in_registers = std::is_same_v<T, double> || std::is_same_v<T, float>;

}  // namespace detail

template <class T, std::size_t N>
struct Lanes {
  using Storage = typename detail::LaneStorage<T, N>::type;
  Storage lane{};

  static constexpr std::size_t size = N;

  Lanes() = default;
  // Not left to the compiler, so that lanes go from function to function in memory: in registers they would travel in
  // one way in code for one instruction set and in another in code for the next.
  Lanes(const Lanes& other) : lane(other.lane) {}
  Lanes& operator=(const Lanes& other) {
    lane = other.lane;
    return *this;
  }
  Lanes(const T& same) {
    if constexpr (detail::in_registers<T>) {
      lane = same - Storage{};
    } else {
      lane.fill(same);
    }
  }
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, T>)
  Lanes(A same) : Lanes(static_cast<T>(same)) {}

  static Lanes of(const Storage& storage) {
    Lanes made;
    made.lane = storage;
    return made;
  }

  T operator[](std::size_t i) const { return lane[i]; }
  void set(std::size_t i, const T& x) { lane[i] = x; }

  // The J-th in all lanes.
  template <std::size_t J>
  [[gnu::always_inline]] Lanes spread() const {
    if constexpr (detail::in_registers<T>) {
      return spread_in_register<J>(std::make_index_sequence<N>{});
    } else {
      return Lanes(lane[J]);
    }
  }

  // The sum of all lanes, halves first.
  [[gnu::always_inline]] T sum() const {
    if constexpr (N == 1) {
      return lane[0];
    } else if constexpr (detail::in_registers<T>) {
      return halves_added(std::make_index_sequence<N / 2>{}).sum();
    } else {
      T total = lane[0];
      for (std::size_t i = 1; i < N; ++i) total = total + lane[i];
      return total;
    }
  }

  // f of every lane.
  template <class Function>
  static Lanes each(const Function& f) {
    Lanes made;
    for (std::size_t i = 0; i < N; ++i) made.lane[i] = f(i);
    return made;
  }

  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) {
    if constexpr (detail::in_registers<T>) {
      return of(a.lane + b.lane);
    } else {
      return each([&](std::size_t i) { return T(a.lane[i] + b.lane[i]); });
    }
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) {
    if constexpr (detail::in_registers<T>) {
      return of(a.lane - b.lane);
    } else {
      return each([&](std::size_t i) { return T(a.lane[i] - b.lane[i]); });
    }
  }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) {
    if constexpr (detail::in_registers<T>) {
      return of(a.lane * b.lane);
    } else {
      return each([&](std::size_t i) { return T(a.lane[i] * b.lane[i]); });
    }
  }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) {
    if constexpr (detail::in_registers<T>) {
      return of(a.lane / b.lane);
    } else {
      return each([&](std::size_t i) { return T(a.lane[i] / b.lane[i]); });
    }
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) { return Lanes(T(0)) - a; }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  Lanes& operator*=(const Lanes& b) { return *this = *this * b; }

 private:
  template <std::size_t J, std::size_t... I>
  [[gnu::always_inline]] Lanes spread_in_register(std::index_sequence<I...>) const {
    return of(__builtin_shufflevector(lane, lane, static_cast<int>(J + 0 * I)...));
  }
  template <std::size_t... I>
  [[gnu::always_inline]] Lanes<T, N / 2> halves_added(std::index_sequence<I...>) const {
    return Lanes<T, N / 2>::of(__builtin_shufflevector(lane, lane, static_cast<int>(I)...) +
                               __builtin_shufflevector(lane, lane, static_cast<int>(I + N / 2)...));
  }
};

// What a comparison of lanes gives; every() asks whether all agree.
template <std::size_t N>
struct LaneMask {
  std::array<bool, N> lane{};
};
template <std::size_t N>
bool every(const LaneMask<N>& mask) {
  bool all = true;
  for (const bool one : mask.lane) all = all && one;
  return all;
}
template <class T, std::size_t N>
Lanes<T, N> select(const LaneMask<N>& mask, const Lanes<T, N>& a, const Lanes<T, N>& b) {
  return Lanes<T, N>::each([&](std::size_t i) { return mask.lane[i] ? a[i] : b[i]; });
}
template <class T, std::size_t N>
LaneMask<N> operator<(const Lanes<T, N>& a, const Lanes<T, N>& b) {
  LaneMask<N> mask;
  for (std::size_t i = 0; i < N; ++i) mask.lane[i] = a[i] < b[i];
  return mask;
}
template <class T, std::size_t N>
LaneMask<N> operator>=(const Lanes<T, N>& a, const Lanes<T, N>& b) {
  LaneMask<N> mask;
  for (std::size_t i = 0; i < N; ++i) mask.lane[i] = a[i] >= b[i];
  return mask;
}
template <class T, std::size_t N>
LaneMask<N> operator<=(const Lanes<T, N>& a, const Lanes<T, N>& b) {
  return b >= a;
}
template <class T, std::size_t N>
LaneMask<N> operator>(const Lanes<T, N>& a, const Lanes<T, N>& b) {
  return b < a;
}

template <class S>
inline constexpr bool is_lanes = false;
template <class T, std::size_t N>
inline constexpr bool is_lanes<Lanes<T, N>> = true;

template <class T, std::size_t N>
struct ValueOf<Lanes<T, N>> {
  using type = value_of<T>;
};

template <class T, std::size_t N>
Lanes<T, N> sqrt(const Lanes<T, N>& a) {
  return Lanes<T, N>::each([&](std::size_t i) { return T(sqrt(a[i])); });
}
template <class T, std::size_t N>
Lanes<T, N> sin(const Lanes<T, N>& a) {
  return Lanes<T, N>::each([&](std::size_t i) { return T(sin(a[i])); });
}
template <class T, std::size_t N>
Lanes<T, N> cos(const Lanes<T, N>& a) {
  return Lanes<T, N>::each([&](std::size_t i) { return T(cos(a[i])); });
}
template <class T, std::size_t N>
Lanes<T, N> exp(const Lanes<T, N>& a) {
  return Lanes<T, N>::each([&](std::size_t i) { return T(exp(a[i])); });
}
template <class T, std::size_t N>
Lanes<T, N> abs(const Lanes<T, N>& a) {
  return Lanes<T, N>::each([&](std::size_t i) { return T(abs(a[i])); });
}

// Vectors of lanes go in line always: a call in the middle of a kernel would take them all through memory.
template <class T, std::size_t N, class U>
[[gnu::always_inline]] inline Vec3<Lanes<T, N>> cross(const Vec3<Lanes<T, N>>& a, const Vec3<U>& b) {
  return inlined::cross(a, b);
}
template <class T, std::size_t N>
[[gnu::always_inline]] inline Rotation<Lanes<T, N>> inverse(const Rotation<Lanes<T, N>>& q) {
  return {q.w, {-q.v.x, -q.v.y, -q.v.z}};
}
template <class T, std::size_t N, class U>
[[gnu::always_inline]] inline Vec3<Lanes<T, N>> operator*(const Rotation<Lanes<T, N>>& q, const Vec3<U>& a) {
  return inlined::product(q, a);
}

}  // namespace polhode
