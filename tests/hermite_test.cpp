// Hermite's polynomial is the polynomial that gave the values, up to the degree that they determine.
#include "polhode/core/hermite.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/core/quad.hpp"

namespace polhode::hermite_test {
namespace {

// x^n, and its derivative.
template <class T>
T power(const T& x, int n) {
  T product(1);
  for (int i = 0; i < n; ++i) product = product * x;
  return product;
}

template <class T>
void expect_powers(const std::vector<double>& points, double rounding) {
  const int determined = 2 * static_cast<int>(points.size()) - 1;
  for (int n = 0; n <= determined; ++n) {
    HermitePolynomial<T, 2> polynomial;
    polynomial.add(T(7), {T(1), T(1)}, {T(1), T(1)});
    polynomial.clear();  // what was there before is gone
    for (const double point : points) {
      const T x(point), slope = n == 0 ? T(0) : T(T(n) * power(x, n - 1));
      polynomial.add(x, {power(x, n), T(3)}, {slope, T(0)});
    }
    polynomial.finish();
    for (const double x : {0.0, 0.123, 0.5, 0.77, 1.0}) {
      const auto at = polynomial.at(T(x));
      EXPECT_LT(std::abs(static_cast<double>(T(at[0] - power(T(x), n)))), rounding) << "x^" << n << " at " << x;
      EXPECT_EQ(static_cast<double>(at[1]), 3);
    }
  }
}

TEST(Hermite, IsThePolynomialThatGaveTheValues) {
  expect_powers<double>({0}, 1e-15);
  expect_powers<double>({0, 1}, 1e-14);
  expect_powers<double>({0, 0.5, 1}, 1e-13);
  expect_powers<double>({0, 0.1, 0.35, 0.65, 0.9, 1}, 1e-11);
  expect_powers<quad>({0, 0.1, 0.35, 0.65, 0.9, 1}, 1e-29);
}

// One degree beyond, the error is (x - x_0)^2 (x - x_1)^2, which vanishes twice at each point.
TEST(Hermite, MissesTheNextPowerByTheProductOfItsPoints) {
  HermitePolynomial<double, 1> cubic;
  cubic.add(0, {0}, {0});
  cubic.add(1, {1}, {4});
  cubic.finish();
  for (const double x : {0.1, 0.4, 0.8}) {
    EXPECT_NEAR(std::pow(x, 4) - cubic.at(x)[0], x * x * (x - 1) * (x - 1), 1e-15);
  }
}

}  // namespace
}  // namespace polhode::hermite_test
