// R^n under addition, and the product of two groups: motions with momenta carried along, several bodies at once.
#pragma once

#include <array>

#include "polhode/core/lie_group.hpp"

namespace polhode {

// A velocity in R^n, which commutes with every other one.
template <class T, std::size_t n>
struct ShiftRate {
  std::array<T, n> x{};

  constexpr T& operator[](std::size_t i) { return x[i]; }
  constexpr const T& operator[](std::size_t i) const { return x[i]; }

  friend constexpr ShiftRate operator+(ShiftRate a, const ShiftRate& b) {
    for (std::size_t i = 0; i < n; ++i) a.x[i] = a.x[i] + b.x[i];
    return a;
  }
  friend constexpr ShiftRate operator*(const T& s, ShiftRate a) {
    for (T& rate : a.x) rate = s * rate;
    return a;
  }
  friend constexpr bool operator==(const ShiftRate&, const ShiftRate&) = default;
};

template <class T, std::size_t n>
constexpr ShiftRate<T, n> bracket(const ShiftRate<T, n>&, const ShiftRate<T, n>&) {
  return {};
}

// A point of R^n, moved by shifts.
template <class T, std::size_t n>
struct Point {
  std::array<T, n> x{};
  friend constexpr bool operator==(const Point&, const Point&) = default;
};

template <class T, std::size_t n>
struct Shift {
  std::array<T, n> x{};

  constexpr T& operator[](std::size_t i) { return x[i]; }
  constexpr const T& operator[](std::size_t i) const { return x[i]; }

  friend constexpr Shift operator*(Shift a, const Shift& b) {
    for (std::size_t i = 0; i < n; ++i) a.x[i] = a.x[i] + b.x[i];
    return a;
  }
  friend constexpr Point<T, n> operator*(const Shift& a, Point<T, n> p) {
    for (std::size_t i = 0; i < n; ++i) p.x[i] = p.x[i] + a.x[i];
    return p;
  }
  friend constexpr bool operator==(const Shift&, const Shift&) = default;
};

template <class T, std::size_t n>
constexpr Shift<T, n> inverse(Shift<T, n> a) {
  for (T& x : a.x) x = -x;
  return a;
}
template <class T, std::size_t n>
constexpr Shift<T, n> exp(const ShiftRate<T, n>& a) {
  return {a.x};
}
template <class T, std::size_t n>
constexpr ShiftRate<T, n> adjoint(const Shift<T, n>&, const ShiftRate<T, n>& a) {
  return a;
}
template <class To, class From, std::size_t n>
constexpr Shift<To, n> cast(const Shift<From, n>& a) {
  Shift<To, n> made;
  for (std::size_t i = 0; i < n; ++i) made.x[i] = static_cast<To>(a.x[i]);
  return made;
}

template <std::size_t n>
struct Shifts {
  static constexpr std::size_t dimension = n;
  template <class T>
  using Algebra = ShiftRate<T, n>;
  template <class T>
  using Element = Shift<T, n>;
  template <class T>
  using Vector = Point<T, n>;
};

// One of each, every operation side by side.
template <class G, class H, class T>
struct GeneratorPair {
  AlgebraOf<G, T> first{};
  AlgebraOf<H, T> second{};

  constexpr T& operator[](std::size_t i) { return i < G::dimension ? first[i] : second[i - G::dimension]; }
  constexpr const T& operator[](std::size_t i) const { return i < G::dimension ? first[i] : second[i - G::dimension]; }

  friend constexpr GeneratorPair operator+(const GeneratorPair& a, const GeneratorPair& b) {
    return {a.first + b.first, a.second + b.second};
  }
  friend constexpr GeneratorPair operator*(const T& s, const GeneratorPair& a) { return {s * a.first, s * a.second}; }
  friend constexpr bool operator==(const GeneratorPair&, const GeneratorPair&) = default;
};

template <class G, class H, class T>
struct VectorPair {
  VectorOf<G, T> first{};
  VectorOf<H, T> second{};
  friend constexpr bool operator==(const VectorPair&, const VectorPair&) = default;
};

template <class G, class H, class T>
struct ElementPair {
  ElementOf<G, T> first{};
  ElementOf<H, T> second{};

  friend constexpr ElementPair operator*(const ElementPair& a, const ElementPair& b) {
    return {a.first * b.first, a.second * b.second};
  }
  friend constexpr VectorPair<G, H, T> operator*(const ElementPair& a, const VectorPair<G, H, T>& v) {
    return {a.first * v.first, a.second * v.second};
  }
  friend constexpr bool operator==(const ElementPair&, const ElementPair&) = default;
};

template <class G, class H, class T>
constexpr GeneratorPair<G, H, T> bracket(const GeneratorPair<G, H, T>& a, const GeneratorPair<G, H, T>& b) {
  return {bracket(a.first, b.first), bracket(a.second, b.second)};
}
template <class G, class H, class T>
constexpr ElementPair<G, H, T> inverse(const ElementPair<G, H, T>& a) {
  return {inverse(a.first), inverse(a.second)};
}
template <class G, class H, class T>
constexpr ElementPair<G, H, T> exp(const GeneratorPair<G, H, T>& a) {
  return {exp(a.first), exp(a.second)};
}
template <class G, class H, class T>
constexpr GeneratorPair<G, H, T> adjoint(const ElementPair<G, H, T>& a, const GeneratorPair<G, H, T>& x) {
  return {adjoint(a.first, x.first), adjoint(a.second, x.second)};
}
template <class G, class H, class T>
constexpr ElementPair<G, H, T> renormalised(const ElementPair<G, H, T>& a) {
  return {kept_in_group(a.first), kept_in_group(a.second)};
}
template <class To, class G, class H, class From>
constexpr ElementPair<G, H, To> cast(const ElementPair<G, H, From>& a) {
  return {cast<To>(a.first), cast<To>(a.second)};
}

template <class G, class H>
struct ProductGroup {
  static constexpr std::size_t dimension = G::dimension + H::dimension;
  template <class T>
  using Algebra = GeneratorPair<G, H, T>;
  template <class T>
  using Element = ElementPair<G, H, T>;
  template <class T>
  using Vector = VectorPair<G, H, T>;
};

}  // namespace polhode
