#include "run/monodromy.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "polhode/measure/error.hpp"

namespace polhode {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

// The symplectic form at a momentum, for changes (theta, pi) in body axes: pi_1 . theta_2 - pi_2 . theta_1
// - pi . (theta_1 x theta_2) is x_1^T J x_2.
Matrix6 symplectic_form(const Vec3<double>& pi) {
  Matrix6 J = Matrix6::Zero();
  J(0, 1) = -pi.z;
  J(0, 2) = pi.y;
  J(1, 0) = pi.z;
  J(1, 2) = -pi.x;
  J(2, 0) = -pi.y;
  J(2, 1) = pi.x;
  for (int i = 0; i < 3; ++i) {
    J(i, 3 + i) = -1;
    J(3 + i, i) = 1;
  }
  return J;
}

}  // namespace

Monodromy monodromy_of(const Monodromy::Matrix& scaled, const State<double>& start, const State<double>& end,
                       double momentum_scale) {
  Matrix6 M;
  Monodromy made;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      M(static_cast<int>(i), static_cast<int>(k)) = scaled[i][k];
      made.matrix[i][k] = scaled[i][k] * (i < 3 ? 1 : momentum_scale) / (k < 3 ? 1 : momentum_scale);
    }
  }
  const Matrix6 defect =
      M.transpose() * symplectic_form(end.pi_B / momentum_scale) * M - symplectic_form(start.pi_B / momentum_scale);
  made.symplectic_defect = defect.cwiseAbs().maxCoeff() / std::max(1.0, M.squaredNorm());
  const Eigen::EigenSolver<Matrix6> solver(M, false);
  for (int i = 0; i < 6; ++i) made.multipliers[static_cast<std::size_t>(i)] = solver.eigenvalues()(i);
  std::sort(made.multipliers.begin(), made.multipliers.end(), [](const auto& a, const auto& b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) > std::abs(b) : a.imag() > b.imag();
  });
  made.return_angle = attitude_error(end, start);
  made.return_momentum = norm(end.pi_B - start.pi_B);
  return made;
}

}  // namespace polhode
