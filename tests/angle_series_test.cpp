// The smooth functions of a squared angle, in every scalar, against 50 digits: at zero, among denormals, densely on
// both sides of the switch from series to closed form, and beyond a full turn.
#include "polhode/core/angle_series.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "high_precision.hpp"
#include "polhode/core/dual.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/series.hpp"

namespace polhode::angle_series_test {
namespace {

using reference::Big;
using reference::relative_error;

// The functions and, as combinations of them, their derivatives by y.
constexpr std::size_t functions = 5;

struct Exact {
  Big cosine, sinc, sinc1, sinc2, sinc3;

  std::array<Big, functions> values() const { return {cosine, sinc, sinc1, sinc2, sinc3}; }
};

template <class T>
std::array<T, functions> computed(const T& y) {
  return {cos_sqrt(y), sinc_sqrt(y), sinc1_sqrt(y), sinc2_sqrt(y), sinc3_sqrt(y)};
}

Exact closed_forms(const Big& y) {
  const Big x = sqrt(y), sine = sin(x), cosine = cos(x);
  return {cosine, sine / x, (1 - sine / x) / y, (sine - x * cosine) / (x * y),
          ((3 - y) * sine - 3 * x * cosine) / (x * y * y)};
}

// The n-th derivatives of the power series in y, summed until nothing is added.
Exact power_series(const Big& y, int derivative = 0) {
  Exact sum{0, 0, 0, 0, 0};
  Big term = 1;  // (-1)^k y^(k-d) k!/(k-d)! / (2k)!
  for (int k = 1; k <= derivative; ++k) term *= Big(-k) / ((2 * k - 1) * (2 * k));
  for (int k = derivative; k < derivative + 60; ++k) {
    const Big odd = term / (2 * k + 1), next = odd / ((2 * k + 2) * (2 * k + 3));
    sum.cosine += term;
    sum.sinc += odd;
    sum.sinc1 += next;
    sum.sinc2 += next * (2 * k + 2);
    sum.sinc3 += next * (2 * k + 2) / (2 * k + 5);
    term *= -y * (k + 1) / (k + 1 - derivative) / ((2 * k + 1) * (2 * k + 2));
  }
  return sum;
}

Exact exact(const Big& y) { return y < 1 ? power_series(y) : closed_forms(y); }

TEST(AngleSeriesReference, SeriesAndClosedFormsAgree) {
  for (double y = 0.01; y < 30; y *= 1.1) {
    const auto a = power_series(y).values(), b = closed_forms(y).values();
    for (std::size_t i = 0; i < functions; ++i)
      EXPECT_LT(abs(a[i] - b[i]), Big("1e-35")) << "function " << i << " at " << y;
  }
}

// What rounding allows, in spacings relative to the value. The coefficients of the series fall so fast that two are
// ample; sinc3, which lies just above a power of two where the others are a third or more beyond, is charged for that.
// The closed forms inherit the error of the root, and those of sine and cosine there: of float and double, one and a half spacings; of
// other scalars what their libraries make of this very y. Each further operation adds half a spacing, and the differences
// 1 - sinc, sinc - cos and 3 sinc2 - sinc pass absolute errors on.
template <class T>
std::array<double, functions> allowed(const T& y, const Exact& e) {
  if (detail::within_series(y)) return {2.0, 2.0, 2.0, 2.0, 2.0 * 4 / 3};
  const T x = sqrt(y);
  const Big root = sqrt(Big(y)), u = Big(std::numeric_limits<T>::epsilon()) / 2;
  const auto off_at = [&](const Big& of_root, const Big& exact_there, const T& from_library) -> Big {
    if constexpr (detail::has_even_polynomials<T>) return abs(exact_there - of_root) + 3 * u * abs(exact_there);
    return abs(Big(from_library) - of_root);
  };
  const Big cosine_off = off_at(cos(root), cos(Big(x)), T(cos(x)));
  const Big sinc_off = off_at(sin(root), sin(Big(x)), T(sin(x))) / root + 2 * u * abs(e.sinc);
  const Big sinc1_off = (sinc_off + u * abs(1 - e.sinc)) / Big(y) + u * abs(e.sinc1);
  const Big sinc2_off = (sinc_off + cosine_off + u * abs(e.sinc - e.cosine)) / Big(y) + u * abs(e.sinc2);
  const Big sinc3_off =
      (3 * sinc2_off + sinc_off + u * (3 * abs(e.sinc2) + abs(3 * e.sinc2 - e.sinc))) / Big(y) + u * abs(e.sinc3);
  const std::array<Big, functions> off{cosine_off, sinc_off, sinc1_off, sinc2_off, sinc3_off}, value = e.values();
  std::array<double, functions> spacings;
  for (std::size_t i = 0; i < functions; ++i)
    spacings[i] = 1e-6 + static_cast<double>(Big(off[i] / abs(value[i]) / (2 * u)));  // products of errors
  return spacings;
}

template <class T>
std::vector<T> samples() {
  const T limit = T(series_limit), spacing = std::numeric_limits<T>::epsilon() / 2;
  std::vector<T> y{T(0), std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min()};
  for (T tiny = std::numeric_limits<T>::min(); tiny < T(1e-3); tiny *= T(1e4)) y.push_back(tiny);
  for (int k = -300; k <= 300; ++k) y.push_back(T(limit + T(k) * spacing));
  for (int k = -300; k <= 300; ++k) y.push_back(T(T(ordinary_limit) * (T(1) + T(k) * spacing)));
  for (int k = -500; k <= 500; ++k) y.push_back(T(limit * (T(1) + T(k) / T(1000))));
  for (int k = 1; k <= 400; ++k) y.push_back(T(T(k) / T(10)));
  return y;
}

template <class T>
class AngleSeries : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, long double, quad>;
TYPED_TEST_SUITE(AngleSeries, Scalars);

TYPED_TEST(AngleSeries, ErrorIsRoundingOnly) {
  using T = TypeParam;
  for (const T& y : samples<T>()) {
    const Exact e = exact(Big(y));
    const auto want = e.values();
    const auto limit = allowed(y, e);
    const auto got = computed(y);
    for (std::size_t i = 0; i < functions; ++i)
      EXPECT_LE(relative_error(got[i], want[i]), limit[i]) << "function " << i << " at y = " << y;
  }
}

// Sine and cosine by quarter turns: within one and a half spacings, up to where the library takes over and beyond; next to
// their zeros too, but for floats below 1/256, which have a fixed error there.
template <class T>
void expect_sine_and_cosine() {
  using std::nextafter;
  const T most = detail::QuarterTurn<T>::most;
  std::vector<T> angles{T(0), most, nextafter(most, T(1e30)), T(2) * most, T(1e6) * most};
  for (int k = 1; k < 400; ++k) {
    angles.push_back(T(0.05) * T(k));
    const T quarter = static_cast<T>(k * 1.5707963267948966);  // next to a zero of one of them
    for (const T& x : {nextafter(quarter, T(0)), quarter, nextafter(quarter, T(1e6))}) angles.push_back(x);
    angles.push_back(T(most * T(k) / T(401)));
  }
  for (const T& x : angles) {
    const auto f = detail::cos_sin_of_any(x);
    const auto within = [&](const T& got, const Big& want) {
      const Big unit = Big(std::numeric_limits<T>::epsilon()), least = std::is_same_v<T, float> ? Big(1) / 256 : Big(0);
      return abs(Big(got) - want) <= Big(1.5) * unit * (abs(want) > least ? abs(want) : least);
    };
    EXPECT_TRUE(within(f.cosine, cos(Big(x)))) << x;
    EXPECT_TRUE(within(f.sine, sin(Big(x)))) << x;
    // Of either sign: the cosine is even, the sine is odd.
    const auto positive = cos_and_sin(x), negative = cos_and_sin(T(-x));
    EXPECT_EQ(positive.cosine, f.cosine) << x;
    EXPECT_EQ(positive.sine, f.sine) << x;
    EXPECT_EQ(negative.cosine, f.cosine) << x;
    EXPECT_EQ(negative.sine, -f.sine) << x;
  }
}
TEST(SineAndCosine, AreWithinOneAndAHalfSpacings) {
  expect_sine_and_cosine<float>();
  expect_sine_and_cosine<double>();
}

// A lane has the bits of its number alone, whatever is beside it.
TEST(AngleLanes, HaveTheirOwnBits) {
  const std::array<double, 8> y{0.0, 1e-9, 0.3, 0.6175, 0.61751, 40.0, 1e14, 1e-300};
  const auto all = Lanes<double, 8>::load(y);
  const auto got = computed(all);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto alone = computed(y[i]);
    for (std::size_t k = 0; k < functions; ++k) EXPECT_EQ(got[k][i], alone[k]) << "function " << k << " at " << y[i];
  }
}

TYPED_TEST(AngleSeries, ZeroGivesTheLimits) {
  using T = TypeParam;
  EXPECT_EQ(cos_sqrt(T(0)), T(1));
  EXPECT_EQ(sinc_sqrt(T(0)), T(1));
  EXPECT_EQ(sinc1_sqrt(T(0)), T(1) / T(6));
  EXPECT_EQ(sinc2_sqrt(T(0)), T(1) / T(3));
  EXPECT_EQ(sinc3_sqrt(T(0)), T(1) / T(15));
}

// The last number on one side of the switch and the first on the other see the same function.
TYPED_TEST(AngleSeries, NoJumpAtTheSwitch) {
  using T = TypeParam;
  using std::nextafter;
  const T below = T(series_limit), above = nextafter(below, T(1));
  ASSERT_TRUE(detail::within_series(below));
  ASSERT_FALSE(detail::within_series(above));
  const Exact e = exact(Big(above));
  const auto limit = allowed(above, e);
  const auto high = computed(above), low = computed(below);
  const auto slope = power_series(Big(above), 1).values(), value = e.values();
  for (std::size_t i = 0; i < functions; ++i) {
    const Big step = Big(T(high[i] - low[i])) - slope[i] * (Big(above) - Big(below));
    const double in_spacings = static_cast<double>(Big(abs(step / value[i]) / Big(std::numeric_limits<T>::epsilon())));
    EXPECT_LE(in_spacings, limit[i] + 2.0) << "function " << i;
  }
}

// One term fewer would leave more than an eighth of a spacing of the cosine, and what is left out is less than that.
TYPED_TEST(AngleSeries, NumberOfTermsIsEnoughAndNotMore) {
  using T = TypeParam;
  constexpr int n = static_cast<int>(detail::angle_terms<T>());
  const auto omitted = [](int terms) {
    Big term = 1;
    for (int k = 1; k <= terms; ++k) term *= Big(series_limit) / ((2 * k - 1) * (2 * k));
    return term;
  };
  const Big eighth = Big(std::numeric_limits<T>::epsilon()) / 8;
  EXPECT_LT(omitted(n), eighth);
  EXPECT_GT(omitted(n - 1), eighth);
}

// The first derivative passes through both branches. In the closed form it is a difference of terms of size 1, divided
// by y > 0.6: what rounding leaves is absolute. That of sinc3 is made of the others once more, (3 sinc2' - sinc')/y.
TYPED_TEST(AngleSeries, FirstDerivative) {
  using T = TypeParam;
  using D = Dual<T, 1>;
  for (const T& y : {T(0), T(1e-20), T(1e-3), T(0.3), T(0.6), T(series_limit), T(0.62), T(0.9), T(2), T(7)}) {
    const D d = D::variable(y, 0);
    const auto got = computed(d);
    const auto want = power_series(Big(y), 1).values();
    for (std::size_t i = 0; i < functions; ++i) {
      const double error = relative_error(got[i].d[0], want[i]);
      const double scale = y <= T(series_limit) ? 1.0 : std::abs(static_cast<double>(want[i]));
      EXPECT_LE(error * scale, y <= T(series_limit) ? 3.0
                               : i < 4              ? 10.0
                                                    : 40.0 / static_cast<double>(y))
          << "function " << i << " at " << y;
    }
  }
}

// Taylor coefficients of any order, in the branch of the series: y(s) = y0 + s.
TYPED_TEST(AngleSeries, HigherDerivatives) {
  using T = TypeParam;
  constexpr int order = 12;
  using S = Series<T, order>;
  for (const T& y0 : {T(0), T(1e-6), T(0.1), T(0.4), T(series_limit)}) {
    const S y = S::variable(y0);
    const auto got = computed(y);
    Big factorial = 1;
    for (int n = 0; n <= order; ++n) {
      if (n > 0) factorial *= n;
      const auto want = power_series(Big(y0), n).values();
      for (std::size_t i = 0; i < functions; ++i)
        EXPECT_LE(relative_error(got[i].c[n], Big(want[i] / factorial)), 8.0)
            << "coefficient " << n << " of function " << i << " at " << y0;
    }
  }
}

}  // namespace
}  // namespace polhode::angle_series_test
