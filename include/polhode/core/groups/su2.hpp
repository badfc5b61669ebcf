// SU(2), the unitary 2x2 matrices of determinant 1, acting on the spinors of C^2: quantum mechanics of a spin one half.
//
// Generators are the matrices X with X^* = -X and trace 0. The Schroedinger equation psi' = -i H psi with the
// Hamiltonian H = x s1 + y s2 + z s3 in Pauli's matrices has X = -i H, which is pauli(x, y, z) below. As X^2 =
// -det(X) 1, the exponential is cos f + (sin f / f) X with f^2 = det X.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/lie_group.hpp"

namespace polhode {

// std::complex is for built-in numbers only; this one is for any scalar.
template <class T>
struct Complex {
  T re{}, im{};

  friend constexpr Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr Complex operator*(const T& s, const Complex& a) { return {s * a.re, s * a.im}; }
  friend constexpr Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend constexpr bool operator==(const Complex&, const Complex&) = default;
};

template <class T>
constexpr Complex<T> conjugate(const Complex<T>& a) {
  return {a.re, -a.im};
}
template <class T>
constexpr T squared_norm(const Complex<T>& a) {
  return a.re * a.re + a.im * a.im;
}

// (i a, b; -b^*, -i a): anti-Hermitian, of trace 0.
template <class T>
struct AntiHermitian2 {
  T a{};
  Complex<T> b{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? a : i == 1 ? b.re : b.im; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? a : i == 1 ? b.re : b.im; }

  friend constexpr AntiHermitian2 operator+(const AntiHermitian2& x, const AntiHermitian2& z) {
    return {x.a + z.a, x.b + z.b};
  }
  friend constexpr AntiHermitian2 operator*(const T& s, const AntiHermitian2& x) { return {s * x.a, s * x.b}; }
  friend constexpr bool operator==(const AntiHermitian2&, const AntiHermitian2&) = default;
};

// -i (x s1 + y s2 + z s3)
template <class T>
constexpr AntiHermitian2<T> pauli(const T& x, const Same<T>& y, const Same<T>& z) {
  return {-z, {-y, -x}};
}

// The commutator of the matrices.
template <class T>
constexpr AntiHermitian2<T> bracket(const AntiHermitian2<T>& x, const AntiHermitian2<T>& z) {
  const Complex<T> d = x.a * z.b - z.a * x.b;
  return {T(2) * (x.b.re * z.b.im - x.b.im * z.b.re), {T(-2) * d.im, T(2) * d.re}};
}

template <class T>
struct Spinor {
  Complex<T> up{}, down{};

  friend constexpr Spinor operator+(const Spinor& a, const Spinor& b) { return {a.up + b.up, a.down + b.down}; }
  friend constexpr bool operator==(const Spinor&, const Spinor&) = default;
};

// (alpha, beta; -beta^*, alpha^*)
template <class T>
struct Unitary2 {
  Complex<T> alpha{T(1), T(0)}, beta{};

  friend constexpr Unitary2 operator*(const Unitary2& g, const Unitary2& h) {
    return {g.alpha * h.alpha - g.beta * conjugate(h.beta), g.alpha * h.beta + g.beta * conjugate(h.alpha)};
  }
  friend constexpr Spinor<T> operator*(const Unitary2& g, const Spinor<T>& psi) {
    return {g.alpha * psi.up + g.beta * psi.down, conjugate(g.alpha) * psi.down - conjugate(g.beta) * psi.up};
  }
  friend constexpr bool operator==(const Unitary2&, const Unitary2&) = default;
};

template <class T>
constexpr Unitary2<T> inverse(const Unitary2<T>& g) {
  return {conjugate(g.alpha), T(-1) * g.beta};
}

// One Newton step towards |alpha|^2 + |beta|^2 = 1.
template <class T>
constexpr Unitary2<T> renormalised(const Unitary2<T>& g) {
  const T s = T(1.5) - T(0.5) * (squared_norm(g.alpha) + squared_norm(g.beta));
  return {s * g.alpha, s * g.beta};
}

template <class T>
constexpr Unitary2<T> exp(const AntiHermitian2<T>& x) {
  const CosSinc<T> f = cos_sinc_sqrt(T(x.a * x.a + squared_norm(x.b)));
  return {{f.cosine, f.sinc * x.a}, f.sinc * x.b};
}

// The product of the matrices g x g^*, of which the first row is needed.
template <class T>
constexpr AntiHermitian2<T> adjoint(const Unitary2<T>& g, const AntiHermitian2<T>& x) {
  const Complex<T> ia{T(0), x.a};
  const Complex<T> first = g.alpha * ia - g.beta * conjugate(x.b), second = g.alpha * x.b - g.beta * ia;
  return {(first * conjugate(g.alpha) + second * conjugate(g.beta)).im, second * g.alpha - first * g.beta};
}

template <class To, class From>
constexpr Complex<To> cast(const Complex<From>& a) {
  return {static_cast<To>(a.re), static_cast<To>(a.im)};
}
template <class To, class From>
constexpr Spinor<To> cast(const Spinor<From>& a) {
  return {cast<To>(a.up), cast<To>(a.down)};
}
template <class To, class From>
constexpr Unitary2<To> cast(const Unitary2<From>& g) {
  return {cast<To>(g.alpha), cast<To>(g.beta)};
}

struct SU2 {
  static constexpr std::size_t dimension = 3;
  template <class T>
  using Algebra = AntiHermitian2<T>;
  template <class T>
  using Element = Unitary2<T>;
  template <class T>
  using Vector = Spinor<T>;
};

}  // namespace polhode
