// Newmark's method with the attitude as a matrix that is multiplied up, as the programs of [KE05] do it: rounding takes
// it off the rotation group, slowly and for good, unless every step brings it back. The quaternion of the state is read
// off the matrix.
#pragma once

#include <string_view>

#include "polhode/methods/newmark.hpp"

namespace polhode {

template <class T>
constexpr Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> product{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) product[i][j] = product[i][j] + a[i][k] * b[k][j];
  return product;
}

// M^T M - 1: how far M is from a rotation, or twice the stretch that it contains.
template <class T>
constexpr Mat3<T> orthogonality_defect(const Mat3<T>& m) {
  Mat3<T> defect{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) defect[i][j] = defect[i][j] + m[k][i] * m[k][j];
    defect[i][i] = defect[i][i] - T(1);
  }
  return defect;
}

// One Newton step towards the nearest rotation, for a matrix that is off by rounding only: the defect is squared.
template <class T>
constexpr Mat3<T> orthogonalised(const Mat3<T>& m) {
  const Mat3<T> excess = m * orthogonality_defect(m);
  Mat3<T> nearest = m;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) nearest[i][j] = m[i][j] - T(0.5) * excess[i][j];
  return nearest;
}

template <bool Orthogonalise>
struct NewmarkMatrix {
  static constexpr std::string_view family = "newmark";
  static constexpr std::string_view cite = "KE05, Sec. 3.3";
  static constexpr std::string_view about =
      Orthogonalise ? "Newmark's method with the attitude as a matrix, brought back to a rotation in every step"
                    : "Newmark's method with the attitude as a matrix multiplied up: rounding takes it off the group";
  static constexpr std::string_view good_for =
      Orthogonalise ? "comparing matrices with quaternions" : "seeing how a matrix leaves the rotation group";
  static constexpr std::string_view not_for = "anything that newmark, the same with a quaternion, does";
  static constexpr Claims claims = [] {
    Claims c = newmark::claims;
    c.batch = false;  // the way from a matrix to a quaternion goes by cases
    return c;
  }();

  template <class T>
  struct Memory : KeptTorque<T> {
    Mat3<T> attitude{};
    bool attitude_known = false;

    constexpr void attitude_changed() { this->torque_known = attitude_known = false; }
    constexpr Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    if (!memory.attitude_known) memory.attitude = matrix(s.R_SB);
    memory.attitude_known = true;
    const auto at = newmark::predict(sys, s, memory, h, work);
    memory.attitude = memory.attitude * matrix(exp(h * sys.body.velocity(at.pi_p)));
    if constexpr (Orthogonalise) memory.attitude = orthogonalised(memory.attitude);
    return newmark::arrive(sys, at, from_matrix(memory.attitude), at.pi_p, T(T(0.5) * h), T(s.t + h), memory, work);
  }
};

}  // namespace polhode
