// Elliptic functions and integrals against Boost.Math in 50 digits, and against each other where they meet.
#include "polhode/core/elliptic.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_3.hpp>
#include <boost/math/special_functions/ellint_rj.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

namespace polhode::test::elliptic_test {
namespace {

using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using std::abs;

template <class T>
class Elliptic : public testing::Test {};
using Scalars = testing::Types<double, long double>;
TYPED_TEST_SUITE(Elliptic, Scalars);

template <class T>
Big relative(const T& a, const Big& exact) {
  return abs((Big(a) - exact) / exact);
}

// Relative to themselves, even where cn and dn are as small as kc: the argument is rounded to u eps, and they change by
// at most 1/kc times that next to the quarter period, from which u keeps away here.
TYPED_TEST(Elliptic, JacobiFunctions) {
  using T = TypeParam;
  const Big eps(std::numeric_limits<T>::epsilon());
  for (const double kc2 : {1.0, 0.9, 0.3, 1e-2, 1e-5, 1e-10, 1e-15}) {
    const JacobiFunctions<T> functions{T(kc2)};
    const Big k = sqrt(Big(1) - Big(kc2));
    for (const double share : {1e-12, 1e-3, 0.1, 0.3, 0.5, 0.8, 0.95, -0.4}) {
      const T u = T(share) * functions.quarter_period();
      const Jacobi<T> v = functions.at_angle(functions.angle(u));
      Big cn, dn;
      const Big sn = boost::math::jacobi_elliptic(k, Big(u), &cn, &dn);
      const Big tolerance = eps * (8 + 40 * Big(abs(u)));
      EXPECT_LT(relative(v.sn, sn), tolerance) << kc2 << " " << share;
      EXPECT_LT(relative(v.cn, cn), tolerance) << kc2 << " " << share;
      EXPECT_LT(relative(v.dn, dn), tolerance) << kc2 << " " << share;
    }
  }
}

TYPED_TEST(Elliptic, QuarterPeriod) {
  using T = TypeParam;
  for (const double kc2 : {1.0, 0.7, 1e-3, 1e-9, 1e-15, 1e-30}) {
    const Big expected = boost::math::ellint_1(Big(sqrt(Big(1) - Big(kc2))));
    EXPECT_LT(relative(JacobiFunctions<T>(T(kc2)).quarter_period(), expected),
              4 * Big(std::numeric_limits<T>::epsilon()))
        << kc2;
  }
}

TYPED_TEST(Elliptic, HyperbolicLimit) {
  using T = TypeParam;
  for (const double u : {1e-9, 0.3, -2.0, 20.0, 300.0}) {
    const Jacobi<T> v = hyperbolic(T(u));
    EXPECT_LT(relative(v.sn, tanh(Big(u))), Big(1e-7));  // next to zero 1 - exp(-2u) cancels, which is harmless here
    EXPECT_LT(abs(Big(v.sn) - tanh(Big(u))), 2 * Big(std::numeric_limits<T>::epsilon()));
    EXPECT_LT(relative(v.cn, 1 / cosh(Big(u))), 4 * Big(std::numeric_limits<T>::epsilon()) * (1 + abs(Big(u)))) << u;
    EXPECT_EQ(v.cn, v.dn);
  }
  EXPECT_EQ(hyperbolic(T(1e9)).sn, T(1));
  EXPECT_EQ(hyperbolic(T(1e9)).cn, T(0));
}

// cel(kc, p, 1, 1) is the complete integral of the third kind with characteristic 1 - p.
TYPED_TEST(Elliptic, CompleteIntegral) {
  using T = TypeParam;
  for (const double kc : {1.0, 0.5, 1e-2, 1e-6}) {
    for (const double p : {1e-3, 0.2, 1.0, 7.0, 1e6}) {
      const Big k = sqrt(Big(1) - Big(kc) * Big(kc));
      const Big expected = boost::math::ellint_3(k, Big(1 - Big(p)));
      const T one(1), zero(0);
      EXPECT_LT(relative(complete_integral(T(kc), T(p), one, one), expected),
                8 * Big(std::numeric_limits<T>::epsilon()))
          << kc << " " << p;
      const T parts = complete_integral(T(kc), T(p), one, zero) + complete_integral(T(kc), T(p), zero, one);
      EXPECT_LT(relative(parts, expected), 8 * Big(std::numeric_limits<T>::epsilon())) << kc << " " << p;
    }
  }
}

TYPED_TEST(Elliptic, CarlsonsThirdKind) {
  using T = TypeParam;
  for (const double x : {0.0, 1e-18, 1e-6, 0.3, 1.0}) {
    for (const double y : {1e-12, 1e-3, 0.6, 1.0}) {
      if (y < x) continue;
      for (const double p : {1.0, 1.5, 40.0, 1e9}) {
        const Big expected = boost::math::ellint_rj(Big(x), Big(y), Big(1), Big(p));
        EXPECT_LT(relative(carlson_rj(T(x), T(y), T(1), T(p)), expected), 8 * Big(std::numeric_limits<T>::epsilon()))
            << x << " " << y << " " << p;
      }
    }
  }
}

// In 50 digits the library's own functions serve as references: they must be good to all of them.
TEST(EllipticInFiftyDigits, AgreeWithBoost) {
  const Big kc2("0.37"), u("1.1"), k = sqrt(1 - kc2);
  const JacobiFunctions<Big> functions(kc2);
  const Jacobi<Big> v = functions.at_angle(functions.angle(u));
  Big cn, dn;
  const Big sn = boost::math::jacobi_elliptic(k, u, &cn, &dn);
  EXPECT_LT(abs(v.sn - sn), Big(1e-48));
  EXPECT_LT(abs(v.cn - cn), Big(1e-48));
  EXPECT_LT(abs(v.dn - dn), Big(1e-48));
  EXPECT_LT(abs(carlson_rj(Big("0.2"), Big("0.6"), Big(1), Big(3)) -
                boost::math::ellint_rj(Big("0.2"), Big("0.6"), Big(1), Big(3))),
            Big(1e-48));
  EXPECT_LT(abs(complete_integral(sqrt(kc2), Big(3), Big(1), Big(1)) - boost::math::ellint_3(k, Big(-2))), Big(1e-48));
}

}  // namespace
}  // namespace polhode::test::elliptic_test
