// The numbers of a Setup as independent variables.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "model/prepare.hpp"
#include "polhode/core/jet.hpp"
#include "run/differentiable.hpp"

namespace polhode {

// Up to N of them; the rest are constants. Used in the place of PlainNumbers (model/prepare.hpp).
template <std::size_t N>
class SeededNumbers {
 public:
  using Scalar = Jet<N>;

  void seed(const SeedPlace& place, std::size_t direction) {
    for (const double* at : place.places) seeds_.emplace_back(at, direction);
    if (place.turn) turn_[*place.turn] = Scalar::variable(0, direction);
  }

  Scalar operator()(const double& number) const {
    for (const auto& [place, direction] : seeds_)
      if (place == &number) return Scalar::variable(number, direction);
    return Scalar(number);
  }
  Scalar mean(const double& a, const double& b) const { return Scalar(0.5) * ((*this)(a) + (*this)(b)); }
  Rotation<Scalar> turned(const Rotation<Scalar>& R_SU) const { return R_SU * exp(turn_); }

  // Principal axes and moments to first order. With M = R_UB^T (I + dI) R_UB, moments change by dM_ii and the axes turn by
  // phi, dR_UB = R_UB hat(phi), with phi_3 = dM_12/(I_1 - I_2) and so on around.
  Body<Scalar> diagonalised(const Mat3<Scalar>& tensor) const {
    Mat3<double> value;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) value[i][k] = tensor[i][k].value();
    const Body<double> body = detail::PlainNumbers<double>{}.diagonalised(value);
    const Rotation<Scalar> R_UB = cast<Scalar>(body.principal_axes);
    const Mat3<Scalar> M = detail::in_principal_axes(tensor, R_UB);
    Vec3<Scalar> moments, phi;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      moments[i] = Scalar(body.inertia[i], M[i][i].d);
      if (M[j][k].d == Slopes<N>{}) continue;
      const double gap = body.inertia[j] - body.inertia[k];
      if (std::abs(gap) < 1e-8 * body.inertia[j])
        throw SetupError("body.inertia",
                         "two principal moments of the tensor are equal: its axes jump at the slightest change, and a "
                         "run has no derivative by its entries; give principal moments, or leave the inertia out of "
                         "the sensitivities",
                         {"run.sensitivities"});
      phi[i] = Scalar(0, (1 / gap) * M[j][k].d);
    }
    return Body<Scalar>(moments, R_UB * exp(phi));
  }

 private:
  std::vector<std::pair<const double*, std::size_t>> seeds_;
  Vec3<Scalar> turn_{};
};

}  // namespace polhode
