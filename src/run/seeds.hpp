// The numbers of a Setup as independent variables.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "model/prepare.hpp"
#include "polhode/core/jet.hpp"
#include "run/differentiable.hpp"

namespace polhode {

// Up to six of them; the rest are constants. Used in the place of PlainNumbers (model/prepare.hpp).
class SeededNumbers {
 public:
  using Scalar = Jet;

  void seed(const SeedPlace& place, std::size_t direction) {
    for (const double* at : place.places) seeds_.emplace_back(at, direction);
    if (place.turn) turn_[*place.turn] = Jet::variable(0, direction);
  }

  Jet operator()(const double& number) const {
    for (const auto& [place, direction] : seeds_)
      if (place == &number) return Jet::variable(number, direction);
    return Jet(number);
  }
  Jet mean(const double& a, const double& b) const { return Jet(0.5) * ((*this)(a) + (*this)(b)); }
  Rotation<Jet> turned(const Rotation<Jet>& R_SU) const { return R_SU * exp(turn_); }

  // Principal axes and moments to first order. With N = R_UB^T (I + dI) R_UB, moments change by dN_ii and the axes turn by
  // phi, dR_UB = R_UB hat(phi), with phi_3 = dN_12/(I_1 - I_2) and so on around.
  Body<Jet> diagonalised(const Mat3<Jet>& tensor) const {
    Mat3<double> value;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) value[i][k] = tensor[i][k].value;
    const Body<double> body = detail::PlainNumbers<double>{}.diagonalised(value);
    const Rotation<Jet> R_UB = cast<Jet>(body.principal_axes);
    const Mat3<Jet> N = detail::in_principal_axes(tensor, R_UB);
    Vec3<Jet> moments, phi;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      moments[i] = Jet(body.inertia[i], N[i][i].d);
      if (N[j][k].d == Slopes{}) continue;
      const double gap = body.inertia[j] - body.inertia[k];
      if (std::abs(gap) < 1e-8 * body.inertia[j])
        throw SetupError("body.inertia",
                         "two principal moments of the tensor are equal: its axes jump at the slightest change, and a "
                         "run has no derivative by its entries; give principal moments, or leave the inertia out of "
                         "the sensitivities",
                         {"run.sensitivities"});
      phi[i] = Jet(0, (1 / gap) * N[j][k].d);
    }
    return Body<Jet>(moments, R_UB * exp(phi));
  }

 private:
  std::vector<std::pair<const double*, std::size_t>> seeds_;
  Vec3<Jet> turn_{};
};

}  // namespace polhode
