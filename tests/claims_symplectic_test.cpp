// Every method is symplectic, or is not, as it claims.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polhode/methods/catalogue.hpp"
#include "symplectic_defect.hpp"

namespace polhode::test::claims_symplectic_test {
namespace {

// At steps of more than a radian, where the defect of order 12 stands clear of rounding, or as large as can be solved.
template <class M>
double defect_at_large_steps(const ParametersOf<M>& parameters) {
  double h = 0.6, defect = symplectic_defect<M>(h, 7, parameters);
  while (!std::isfinite(defect) && h > 0.1) defect = symplectic_defect<M>(h /= 2, 7, parameters);
  // A high order shows it at larger steps, and one without an error of the free motion at yet larger ones.
  if (!M::claims.symplectic && defect < 1e-9)
    defect = symplectic_defect<M>(M::claims.order_free.attitude == exact_order ? 2.4 : 1.5 * h, 7, parameters);
  return defect;
}

// The defaults, and each parameter at several values.
template <class M>
std::vector<ParametersOf<M>> tested_parameters() {
  std::vector<ParametersOf<M>> all{{}};
  for_each_parameter<M>([&](const auto& parameter) {
    for (const double share : tested_shares) {
      all.emplace_back();
      all.back().*(parameter.member) = parameter.lowest + share * (parameter.highest - parameter.lowest);
    }
  });
  return all;
}

TEST(Symplectic, TheExactFlowIs) {
  // Order 12 at a small step stands for the exact flow: the two-form, its sign and the frame are right.
  EXPECT_LT(symplectic_defect<Taylor<12>>(0.01, 7), 1e-13);
}

TEST(Symplectic, EveryMethodAsClaimed) {
  Catalogue::for_each([](auto entry) {
    using Entry = decltype(entry);
    using M = typename Entry::Method;
    if constexpr (M::claims.space == Space::rotations) {
      for (const ParametersOf<M>& parameters : tested_parameters<M>()) {
        const double defect = defect_at_large_steps<M>(parameters);
        if (claims_of<M>(parameters).symplectic) {
          EXPECT_LT(defect, 1e-13) << Entry::name;
        } else {
          EXPECT_GT(defect, 1e-9) << Entry::name;
          EXPECT_LT(defect, 10) << Entry::name;
        }
      }
    }
  });
}

// [KE05] expects Newmark's method to be symplectic, as others do of other symmetric methods of order 2. What is lost in
// a step is of third order, no less.
TEST(Symplectic, SymmetricMethodsLoseByThirdOrder) {
  const auto order = []<class M>(M) {
    return std::log2(symplectic_defect<M>(0.04, 2) / symplectic_defect<M>(0.02, 2));
  };
  EXPECT_NEAR(order(Newmark<>{}), 3, 0.1);
  EXPECT_NEAR(order(ImplicitMidpoint<>{}), 3, 0.1);
  EXPECT_NEAR(order(EnergyMomentum{}), 3, 0.1);
  EXPECT_NEAR(order(LieMidpoint<1>{}), 3, 0.1);
  EXPECT_NEAR(order(NewmarkGamma{}), 2, 0.1) << "and one that is not symmetric by second";
}

}  // namespace
}  // namespace polhode::test::claims_symplectic_test
