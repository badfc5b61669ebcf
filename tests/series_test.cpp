// Truncated power series as a scalar: exact arithmetic over the integers, elementary functions against Boost's
// automatic differentiation in long double and against closed expansions.
#include "polhode/core/series.hpp"

#include <boost/math/differentiation/autodiff.hpp>

#include "generators.hpp"
#include "polhode/core/dual.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::series_test {
namespace {

using random::eps;

constexpr std::size_t order = 8;
using S = Series<double, order>;
using Z = Series<long long, order>;
using Reference = decltype(boost::math::differentiation::make_fvar<long double, order>(0.0L));

static_assert(std::is_same_v<value_of<Series<Dual<float, 2>, 3>>, float>);
static_assert(derivatives_of<S> == order && derivatives_of<Series<Dual<double, 2>, 3>> == 4);

rc::Gen<Z> integers() {
  return rc::gen::map(rc::gen::container<std::array<int, order + 1>>(rc::gen::inRange(-9, 10)), [](const auto& digits) {
    Z a;
    for (std::size_t i = 0; i <= order; ++i) a.c[i] = digits[i];
    return a;
  });
}

RC_GTEST_PROP(SeriesArithmetic, IsThatOfTruncatedPolynomials, ()) {
  const Z a = *integers(), b = *integers(), c = *integers();
  Z want;
  for (std::size_t i = 0; i <= order; ++i)
    for (std::size_t j = 0; i + j <= order; ++j) want.c[i + j] += a.c[i] * b.c[j];
  RC_ASSERT(a * b == want);
  RC_ASSERT(a * b == b * a);
  RC_ASSERT((a * b) * c == a * (b * c));
  RC_ASSERT(a * (b + c) == a * b + a * c);
  RC_ASSERT(a + b == b + a);
  RC_ASSERT(a - b == a + (-b));
  RC_ASSERT(a - a == Z(0LL));
  RC_ASSERT(a * Z(1LL) == a);
}

// With a constant term of 1 or -1 the quotient of integer series is one.
RC_GTEST_PROP(SeriesArithmetic, DivisionUndoesMultiplication, ()) {
  const Z a = *integers();
  Z b = *integers();
  b.c[0] = *rc::gen::element(-1, 1);
  RC_ASSERT((a * b) / b == a);
  RC_ASSERT((a / b) * b == a);
}

RC_GTEST_PROP(SeriesArithmetic, TakesPlainNumbers, ()) {
  const Z a = *integers();
  const long long k = *rc::gen::inRange(-9, 10);
  RC_ASSERT(a + k == a + Z(k));
  RC_ASSERT(k + a == a + Z(k));
  RC_ASSERT(a - k == a - Z(k));
  RC_ASSERT(k - a == Z(k) - a);
  RC_ASSERT(a * k == a * Z(k));
  RC_ASSERT(k * a == a * Z(k));
  RC_ASSERT(3 * a == a + a + a);
  RC_PRE(k != 0);
  RC_ASSERT((a * k) / k == a);
  Z unit = a;
  unit.c[0] = 1;
  RC_ASSERT(k / unit == Z(k) / unit);
  Z b = a;
  b += unit;
  b *= unit;
  b -= a;
  b /= unit;
  RC_ASSERT(b == ((a + unit) * unit - a) / unit);
}

// f(c0 + c1 s + c2 s^2 + c3 s^3) by Boost: derivatives of every order, divided by factorials.
template <class Function>
void expect_like_boost(const char* name, Function function, const std::array<double, 4>& c) {
  const auto cubic = [&c](const auto& s) { return ((c[3] * s + c[2]) * s + c[1]) * s + c[0]; };
  const S got = function(cubic(S::variable(0.0)));
  const Reference want = function(cubic(boost::math::differentiation::make_fvar<long double, order>(0.0L)));
  long double factorial = 1;
  double largest = 1;
  for (std::size_t n = 0; n <= order; ++n) {
    if (n > 0) factorial *= static_cast<long double>(n);
    const long double coefficient = want.derivative(n) / factorial;
    largest = larger(largest, std::abs(static_cast<double>(coefficient)));
    RC_LOG() << name << ", coefficient " << n << '\n';
    RC_ASSERT(std::abs(static_cast<long double>(got.c[n]) - coefficient) <= 64 * eps * largest);
  }
}

RC_GTEST_PROP(SeriesFunctions, AgreeWithBoost, ()) {
  const auto slope = random::real(-0.5, 0.5);
  const double positive = *random::real(1.0, 3.0), negative = *random::real(-3.0, -1.0);
  const std::array<double, 4> c{positive, *slope, *slope, *slope}, d{negative, *slope, *slope, *slope};
  expect_like_boost(
      "sqrt", [](const auto& x) { return sqrt(x); }, c);
  expect_like_boost(
      "log", [](const auto& x) { return log(x); }, c);
  expect_like_boost(
      "reciprocal", [](const auto& x) { return 1.0 / x; }, d);
  expect_like_boost(
      "quotient", [](const auto& x) { return x / (x * x + 1.0); }, d);
  for (const auto& e : {c, d}) {
    expect_like_boost(
        "exp", [](const auto& x) { return exp(x); }, e);
    expect_like_boost(
        "sin", [](const auto& x) { return sin(x); }, e);
    expect_like_boost(
        "cos", [](const auto& x) { return cos(x); }, e);
    expect_like_boost(
        "abs", [](const auto& x) { return abs(x); }, e);
    expect_like_boost(
        "atan2(x, y)", [](const auto& x) { return atan2(x, x * x + 0.5); }, e);
    expect_like_boost(
        "atan2(y, x)", [](const auto& x) { return atan2(x * x - 0.25, x); }, e);
  }
}

// With coefficients up to 1 those of exp, sin and cos are at most those of exp(1 + s + s^2 + ...), which reach 27 at
// s^8; a product of two such series sums 9 products of them.
RC_GTEST_PROP(SeriesFunctions, Identities, ()) {
  S a = 0.0, b = 0.0;
  for (std::size_t i = 0; i <= order; ++i) a.c[i] = *random::real(-1, 1), b.c[i] = *random::real(-1, 1);
  const auto near = [](const S& x, const S& y) {
    for (std::size_t i = 0; i <= order; ++i) RC_ASSERT(std::abs(x.c[i] - y.c[i]) <= 9 * 27 * 27 * eps);
  };
  near(sin(a) * sin(a) + cos(a) * cos(a), S(1.0));
  near(sin(a + b), sin(a) * cos(b) + cos(a) * sin(b));
  near(exp(a + b) / exp(b), exp(a));
  near(log(exp(a)), a);
  near(sqrt(a * a + 2.0) * sqrt(a * a + 2.0), a * a + 2.0);
  near(atan2(sin(a), cos(a)), a);
}

// exp s = sum s^n/n!, log(1+s) = sum (-1)^(n+1) s^n/n, sqrt(1+s): binomial coefficients of 1/2.
TEST(SeriesFunctions, ClosedExpansions) {
  const S s = S::variable(0.0), e = exp(s), l = log(1.0 + s), r = sqrt(1.0 + s), p = atan2(s, S(1.0));
  double factorial = 1, binomial = 1;
  for (std::size_t n = 0; n <= order; ++n) {
    const double k = static_cast<double>(n);
    if (n > 0) factorial *= k, binomial *= (1.5 - k) / k;
    EXPECT_NEAR(e.c[n] * factorial, 1.0, 4 * eps) << n;
    EXPECT_NEAR(l.c[n], n == 0 ? 0.0 : (n % 2 == 1 ? 1 : -1) / k, 4 * eps) << n;
    EXPECT_NEAR(r.c[n], binomial, 4 * eps) << n;
    EXPECT_NEAR(p.c[n], n % 2 == 0 ? 0.0 : (n % 4 == 1 ? 1 : -1) / k, 4 * eps) << n;
  }
}

// Order, sign and choice look at the value at s = 0 and take the whole series along.
TEST(SeriesFunctions, ChooseByValue) {
  S low = -2.0, high = 3.0;
  low.c[1] = 7;
  high.c[1] = -7;
  EXPECT_TRUE(low < high && low <= high && high > low && high >= low);
  EXPECT_FALSE(high < low || high <= low || low > high || low >= high);
  EXPECT_EQ(min(low, high), low);
  EXPECT_EQ(min(high, low), low);
  EXPECT_EQ(max(low, high), high);
  EXPECT_EQ(max(high, low), high);
  EXPECT_EQ(abs(low), -low);
  EXPECT_EQ(abs(high), high);
  EXPECT_EQ(copysign(low, high), -low);
  EXPECT_EQ(copysign(high, low), -high);
  EXPECT_EQ(copysign(high, S(-0.0)), -high);
  EXPECT_EQ(copysign(low, low), low);
  EXPECT_EQ(select(true, low, high), low);
  EXPECT_EQ(select(false, low, high), high);
}

TEST(SeriesFunctions, NoticeWhatIsNotFinite) {
  S a = 1.0;
  EXPECT_TRUE(isfinite(a));
  a.c[order] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(isfinite(a));
  a.c[order] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(isfinite(a));
}

// Without a power of s a series is its number, to the bit.
RC_GTEST_PROP(SeriesOfOrderZero, IsANumber, ()) {
  using N = Series<double, 0>;
  const double x = *random::real(0.1, 9), y = *random::real(-9, -0.1);
  const N a = x, b = y;
  RC_ASSERT((a + b).c[0] == x + y && (a - b).c[0] == x - y && (a * b).c[0] == x * y && (a / b).c[0] == x / y);
  RC_ASSERT(sqrt(a).c[0] == std::sqrt(x) && exp(b).c[0] == std::exp(y) && log(a).c[0] == std::log(x));
  const auto circle = cos_and_sin(y);
  RC_ASSERT(sin(b).c[0] == circle.sine && cos(b).c[0] == circle.cosine && atan2(a, b).c[0] == std::atan2(x, y));
  RC_ASSERT(N::variable(x) == a && abs(b).c[0] == -y && min(a, b) == b && copysign(a, b) == -a);
}

// Series of duals: sin(p s) = sum of sin^(n)(0) p^n s^n/n!, differentiated by p.
TEST(SeriesOfDuals, DifferentiateByAParameter) {
  using D = Dual<double, 1>;
  const D p = D::variable(1.25, 0);
  const auto f = sin(p * Series<D, 5>::variable(D(0.0)));
  const double p2 = 1.25 * 1.25;
  EXPECT_NEAR(f.c[1].d[0], 1.0, 2 * eps);
  EXPECT_NEAR(f.c[3].d[0], -3 * p2 / 6, 2 * eps);
  EXPECT_NEAR(f.c[5].d[0], 5 * p2 * p2 / 120, 2 * eps);
  EXPECT_EQ(f.c[2].d[0], 0.0);
  const auto scaled = 2.0 * f + f * 2.0 - f / 0.25;
  EXPECT_EQ(scaled.c[3].d[0], 0.0);
}

}  // namespace
}  // namespace polhode::series_test
