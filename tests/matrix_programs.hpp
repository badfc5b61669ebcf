// For programs written as the papers print them, in Eigen's matrices: they share nothing with the kernels.
#pragma once

#include <Eigen/Dense>

#include "kernel_measures.hpp"

namespace polhode::test {

using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

inline Vector vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Matrix hat(const Vector& v) {
  Matrix m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}
inline Matrix exponential(const Vector& x) { return Eigen::AngleAxisd(x.norm(), x.normalized()).toRotationMatrix(); }
inline Matrix cayley_matrix(const Vector& x) {
  return (Matrix::Identity() - hat(x) / 2).inverse() * (Matrix::Identity() + hat(x) / 2);
}
inline Matrix matrix_of(const Rotation<double>& q) {
  return Eigen::Quaterniond(q.w, q.v.x, q.v.y, q.v.z).toRotationMatrix();
}

// The body of spun_top(): attitude and body velocity, with the spatial torque of its field.
struct MatrixTop {
  Matrix I = vector(three_moments().inertia).asDiagonal();
  Matrix R = Matrix::Identity();
  Vector W = Vector::Zero();

  void set(const State<double>& s) {
    R = matrix_of(s.R_SB);
    W = I.inverse() * vector(s.pi_B);
  }
  State<double> state() const {
    const Eigen::Quaterniond q(R);
    const Vector P = I * W;
    return {{q.w(), {q.x(), q.y(), q.z()}}, {P.x(), P.y(), P.z()}, 0};
  }

  // Momentum comes from R^T L: where R is not quite a rotation the error grows with the square of the number of steps.
  void turn(const Vector& x) { R = Eigen::Quaterniond(R * exponential(x)).normalized().toRotationMatrix(); }

  static Vector torque_S(const Matrix& R_SB) {
    const Vector arm_S = R_SB * Vector(1, 2, 2) / 3;
    return -0.125 * arm_S.cross(Vector(0, 0, 1));
  }
  Vector acceleration() const { return I.inverse() * (R.transpose() * torque_S(R) - W.cross(I * W)); }
};

// After a hundred steps of a fifth of a radian: some 1e-16 a step on both sides, which the motion amplifies little.
inline constexpr double rounding = 2e-13;

// Between a hundred steps of the method and of a program with start(state), step(h) and state().
template <class M, class Program>
double distance_to(Program program) {
  program.start(start_state(2));
  for (int n = 0; n < 100; ++n) program.step(0.1);
  Work work;
  return distance(integrate<M>(spun_top(), start_state(2), 0.1, 100, work), program.state());
}

template <class M, class N>
double distance_between() {
  Work work;
  return distance(integrate<M>(spun_top(), start_state(2), 0.1, 100, work),
                  integrate<N>(spun_top(), start_state(2), 0.1, 100, work));
}

}  // namespace polhode::test
