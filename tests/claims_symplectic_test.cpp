// Every method is symplectic, or is not, as it claims.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "symplectic_defect.hpp"

namespace polhode::test::claims_symplectic_test {
namespace {

// At steps of more than a radian, where the defect of order 12 stands clear of rounding, or as large as can be solved.
double defect_at_large_steps(const std::string& method) {
  const Claims claims = parse_method(method).claims;
  double h = 0.6, defect = symplectic_defect(method, h, 7);
  while (!std::isfinite(defect) && h > 0.1) defect = symplectic_defect(method, h /= 2, 7);
  // A high order shows it at larger steps, and one without an error of the free motion at yet larger ones.
  if (!claims.symplectic && defect < 1e-9)
    defect = symplectic_defect(method, claims.order_free.attitude == exact_order ? 2.4 : 1.5 * h, 7);
  return defect;
}

TEST(SymplecticDefect, OfTheExactFlowIsNone) {
  // Order 16 at a small step stands for the exact flow: the two-form, its sign and the frame are right.
  EXPECT_LT(symplectic_defect("picard-lobatto-16", 0.01, 7), symplectic_rounding);
}

class Symplectic : public testing::TestWithParam<std::string> {};
TEST_P(Symplectic, AsClaimed) {
  const double defect = defect_at_large_steps(GetParam());
  if (parse_method(GetParam()).claims.symplectic) {
    EXPECT_LT(defect, symplectic_rounding);
  } else {
    EXPECT_GT(defect, 1e-9);
    EXPECT_LT(defect, 10);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, Symplectic, testing::ValuesIn(tested_names()), test_name);

// [KE05] expects Newmark's method to be symplectic, as others do of other symmetric methods of order 2. What is lost in
// a step is of third order, no less.
TEST(SymplecticDefect, OfSymmetricMethodsIsOfThirdOrder) {
  const auto order = [](const char* method) {
    return std::log2(symplectic_defect(method, 0.04, 2) / symplectic_defect(method, 0.02, 2));
  };
  EXPECT_NEAR(order("newmark"), 3, 0.1);
  EXPECT_NEAR(order("implicit-midpoint"), 3, 0.1);
  EXPECT_NEAR(order("energy-momentum"), 3, 0.1);
  EXPECT_NEAR(order("lie-midpoint"), 3, 0.1);
  EXPECT_NEAR(order("newmark-gamma"), 2, 0.1) << "and one that is not symmetric by second";
}

}  // namespace
}  // namespace polhode::test::claims_symplectic_test
