// A rigid body that moves in space, alone or in an ideal fluid: its momenta, and its state on SE(3).
//
// In body axes, about a point fixed in the body, the kinetic energy of body and fluid is a quadratic form of the angular
// velocity w and the velocity v of that point [L32, Ch. VI],
//
//   T = w . J w / 2 + w . D v + v . M v / 2,   l = J w + D v,   p = D^T w + M v,
//
// with the added inertia of the fluid in J and M, and a coupling D for bodies like a propeller. (l, p) are Kirchhoff's
// impulses, or without a fluid the momenta. About the centre of mass a body alone has D = 0 and M = mass.
//
// The pose x_S = R x_B + r is the element y_SB of SE(3) with y' = y (w_B, v_B): twist and momenta are left-trivialised,
// that is in body axes. Kirchhoff's equations with a torque n and a force f in body axes about the same point are
//
//   l' = l x w + p x v + n,   p' = p x w + f.
//
// Free, they are of Lie-Poisson form on se(3)*: |p|^2 and p . l are Casimir functions, T is kept, and so are all six
// components of the momenta in space, y_SB (l, p).
#pragma once

#include <array>
#include <concepts>

#include "polhode/core/error.hpp"
#include "polhode/core/groups/se3.hpp"

namespace polhode {

template <class T>
struct MovingState {
  RigidMotion<T> y_SB{};
  Cotwist<T> mu_B{};  // (l, p)
  T t{};
};

// (l, p) in space, about its origin.
template <class T>
constexpr Cotwist<T> spatial_momentum(const MovingState<T>& s) {
  return s.y_SB * s.mu_B;
}

template <class To, class From>
constexpr MovingState<To> cast(const MovingState<From>& s) {
  return {cast<To>(s.y_SB), cast<To>(s.mu_B), static_cast<To>(s.t)};
}

template <class T>
constexpr Mat3<T> diagonal(const Vec3<T>& d) {
  return {{{d.x, T(0), T(0)}, {T(0), d.y, T(0)}, {T(0), T(0), d.z}}};
}

template <class T>
class MovingBody {
 public:
  constexpr MovingBody(const Mat3<T>& J, const Mat3<T>& D, const Mat3<T>& M) : J_(J), D_(D), M_(M) {
    for (const Vec3<T>& m : inverse_roots(M)) {
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) mobility_[i][j] = mobility_[i][j] + m[i] * m[j];
    }
    // w = (J - D M^-1 D^T)^-1 (l - D M^-1 p)
    Mat3<T> rest = J;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) rest[i][j] = rest[i][j] - dot(row(D, i), mobility_ * row(D, j));
    const std::array<Vec3<T>, 3> roots = inverse_roots(rest);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3<T>& c = roots[k];
      screws_[k] = {c, -(mobility_ * (c.x * row(D, 0) + c.y * row(D, 1) + c.z * row(D, 2)))};
    }
  }
  // About the centre of mass, in principal axes; in a fluid that of a body with three planes of symmetry.
  constexpr MovingBody(const Vec3<T>& moments, const Vec3<T>& masses)
      : MovingBody(diagonal(moments), Mat3<T>{}, diagonal(masses)) {}
  constexpr MovingBody(const Vec3<T>& moments, const T& mass) : MovingBody(moments, Vec3<T>{mass, mass, mass}) {}

  // Scalars with derivatives may be asked about by a body without.
  template <class S>
  constexpr Cotwist<S> momentum(const Twist<S>& x) const {
    const Vec3<S>&w = x.angular, &v = x.linear;
    Cotwist<S> m;
    for (std::size_t i = 0; i < 3; ++i) {
      m.angular[i] = dot(row(J_, i), w) + dot(row(D_, i), v);
      m.linear[i] = dot(Vec3<T>{D_[0][i], D_[1][i], D_[2][i]}, w) + dot(row(M_, i), v);
    }
    return m;
  }
  template <class S>
  constexpr Twist<S> velocity(const Cotwist<S>& m) const {
    Twist<S> x{{}, glide(m.linear)};
    for (const Twist<T>& a : screws_) {
      const S rate = pairing(m, a);
      for (std::size_t i = 0; i < 6; ++i) x[i] = x[i] + rate * a[i];
    }
    return x;
  }
  template <class S>
  constexpr S kinetic_energy(const Cotwist<S>& m) const {
    return S(0.5) * pairing(m, velocity(m));
  }

  // The energy as squares, T = sum_k <m, a_k>^2 / 2 + p . M^-1 p / 2: three screws a_k, and M^-1 as v = glide(p).
  constexpr const std::array<Twist<T>, 3>& screws() const { return screws_; }
  template <class S>
  constexpr Vec3<S> glide(const Vec3<S>& p) const {
    return {dot(row(mobility_, 0), p), dot(row(mobility_, 1), p), dot(row(mobility_, 2), p)};
  }

 private:
  static constexpr Vec3<T> row(const Mat3<T>& m, std::size_t i) { return {m[i][0], m[i][1], m[i][2]}; }

  // Vectors c_k with A^-1 = sum c_k c_k^T: the rows of the inverse of Cholesky's factor.
  static constexpr std::array<Vec3<T>, 3> inverse_roots(const Mat3<T>& A) {
    Mat3<T> L{};
    std::array<Vec3<T>, 3> inverse{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        T sum = A[i][j];
        for (std::size_t k = 0; k < j; ++k) sum = sum - L[i][k] * L[j][k];
        if (j < i) {
          L[i][j] = sum / L[j][j];
        } else if (sum > T(0)) {
          L[i][i] = sqrt(sum);
        } else {
          throw Error(ErrorKind::bad_request,
                      "the kinetic energy of a moving body is not positive for every motion; "
                      "give symmetric, positive definite matrices J, M and a coupling D that is smaller than both");
        }
      }
      inverse[i][i] = T(1) / L[i][i];
      for (std::size_t j = 0; j < i; ++j) {
        T sum(0);
        for (std::size_t k = j; k < i; ++k) sum = sum - L[i][k] * inverse[k][j];
        inverse[i][j] = sum / L[i][i];
      }
    }
    return inverse;
  }

  Mat3<T> J_, D_, M_, mobility_{};
  std::array<Twist<T>, 3> screws_{};
};

// A field of forces on a body that moves: wrench(y_SB, t) is (torque, force) in body axes about the body's point. One with
// a potential has potential(y_SB) [J], whose negative derivative by (a, b) in y_SB exp(a, b) the wrench is.
template <class F, class T>
concept WrenchField = requires(const F field, const RigidMotion<T>& y_SB, const T& t) {
  { field.wrench(y_SB, t) } -> std::same_as<Cotwist<T>>;
};

struct NoWrench {
  template <class S>
  constexpr Cotwist<S> wrench(const RigidMotion<S>&, const S&) const {
    return {};
  }
  template <class S>
  constexpr S potential(const RigidMotion<S>&) const {
    return S(0);
  }
};

template <class T, class F = NoWrench>
struct MovingSystem {
  MovingBody<T> body;
  F field{};
};
template <class T>
MovingSystem(MovingBody<T>) -> MovingSystem<T, NoWrench>;
template <class T, class F>
MovingSystem(MovingBody<T>, F) -> MovingSystem<T, F>;

template <class T, class F>
constexpr T energy(const MovingSystem<T, F>& sys, const MovingState<T>& s) {
  return sys.body.kinetic_energy(s.mu_B) + sys.field.potential(s.y_SB);
}

}  // namespace polhode
