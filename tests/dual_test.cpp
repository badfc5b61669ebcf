// Dual numbers as a scalar: gradients against Boost's automatic differentiation in long double, nested duals against
// second derivatives, the rules that decide by value, and a Jacobian of a rotation.
#include "polhode/core/dual.hpp"

#include <boost/math/differentiation/autodiff.hpp>

#include "generators.hpp"

namespace polhode::dual_test {
namespace {

using random::eps;
using D = Dual<double, 3>;

static_assert(std::is_same_v<value_of<Dual<Dual<float, 2>, 2>>, float>);
static_assert(derivatives_of<D> == 1 && derivatives_of<Dual<Dual<float, 2>, 2>> == 2);

// The value and the gradient of f(x, y, z) by both. Rounding is measured against the size of the function's terms.
template <class Function>
void expect_like_boost(const char* name, Function function, const Vec3<double>& p, double size) {
  const D got = function(D::variable(p.x, 0), D::variable(p.y, 1), D::variable(p.z, 2));
  const auto [x, y, z] = boost::math::differentiation::make_ftuple<long double, 1, 1, 1>(p.x, p.y, p.z);
  const auto want = function(x, y, z);
  RC_LOG() << name << '\n';
  const auto check = [size](double g, long double w) { RC_ASSERT(std::abs(g - w) <= 8 * eps * size); };
  check(got.value, want.derivative(0, 0, 0));
  check(got.d[0], want.derivative(1, 0, 0));
  check(got.d[1], want.derivative(0, 1, 0));
  check(got.d[2], want.derivative(0, 0, 1));
}

RC_GTEST_PROP(DualFunctions, AgreeWithBoost, ()) {
  const auto sign = rc::gen::element(-1.0, 1.0);
  const Vec3<double> p{*sign * *random::real(1, 2), *sign * *random::real(1, 2), *sign * *random::real(1, 2)};
  const auto sum = [](auto x, auto y, auto z) { return x + 2 * y - z * 0.5 - (3 - x) + (-y); };
  const auto product = [](auto x, auto y, auto z) { return x * y * z - 2.5 * x * x; };
  const auto quotient = [](auto x, auto y, auto z) { return x / y + 1.0 / z - z / 3; };
  expect_like_boost("sum", sum, p, 16);
  expect_like_boost("product", product, p, 32);
  expect_like_boost("quotient", quotient, p, 16);
  expect_like_boost(
      "sqrt", [](auto x, auto y, auto z) { return sqrt(x * x + y * y + z * z); }, p, 16);
  expect_like_boost(
      "exp", [](auto x, auto y, auto z) { return exp(x * y / 2 - z); }, p, 4 * std::exp(4.0));
  expect_like_boost(
      "log", [](auto x, auto y, auto z) { return log(x * x + y * y * z * z); }, p, 16);
  expect_like_boost(
      "sin", [](auto x, auto y, auto z) { return sin(x * y + z); }, p, 16);
  expect_like_boost(
      "cos", [](auto x, auto y, auto z) { return cos(x * y + z); }, p, 16);
  expect_like_boost(
      "atan2", [](auto x, auto y, auto z) { return z * atan2(y, x); }, p, 16);
  expect_like_boost(
      "abs", [](auto x, auto y, auto z) { return abs(x) + abs(y * z); }, p, 16);
}

RC_GTEST_PROP(DualArithmetic, Identities, ()) {
  const Vec3<double> p = *random::vector(2.0);
  const D a = sin(D::variable(p.x, 0)) + D::variable(p.z, 2), b = 3.0 + cos(D::variable(p.y, 1));
  const auto near = [](const D& u, const D& v) {
    RC_ASSERT(std::abs(u.value - v.value) <= 64 * eps);
    for (std::size_t i = 0; i < 3; ++i) RC_ASSERT(std::abs(u.d[i] - v.d[i]) <= 64 * eps);
  };
  near((a / b) * b, a);
  near(a - b, -(b - a));
  near(sin(a) * sin(a) + cos(a) * cos(a), D(1));
  near(log(exp(a)), a);
  near(sqrt(b) * sqrt(b), b);
  near(atan2(b * sin(a / 3.0), b * cos(a / 3.0)), a / 3.0);
  D c = a;
  c += b;
  c *= b;
  c -= a;
  c /= b;
  near(c, ((a + b) * b - a) / b);
}

// A dual of duals has second derivatives: d^2/dx dy of sin(x y) = cos(x y) - x y sin(x y).
TEST(DualOfDuals, SecondDerivatives) {
  using DD = Dual<Dual<double, 2>, 2>;
  const double x = 0.7, y = 1.3;
  DD a(Dual<double, 2>::variable(x, 0)), b(Dual<double, 2>::variable(y, 1));
  a.d[0] = Dual<double, 2>(1.0);
  b.d[1] = Dual<double, 2>(1.0);
  const DD f = sin(a * b);
  EXPECT_NEAR(f.d[0].d[1], std::cos(x * y) - x * y * std::sin(x * y), 4 * eps);
  EXPECT_NEAR(f.d[1].d[0], std::cos(x * y) - x * y * std::sin(x * y), 4 * eps);
  EXPECT_NEAR(f.d[0].d[0], -y * y * std::sin(x * y), 4 * eps);
}

TEST(DualFunctions, ChooseByValue) {
  const D low = -D::variable(2.0, 0), high = D::variable(3.0, 1);
  const auto same = [](const D& a, const D& b) { return a.value == b.value && a.d == b.d; };
  EXPECT_TRUE(low < high && low <= high && high > low && high >= low);
  EXPECT_FALSE(high < low || high <= low || low > high || low >= high);
  EXPECT_TRUE(same(min(low, high), low) && same(min(high, low), low));
  EXPECT_TRUE(same(max(low, high), high) && same(max(high, low), high));
  EXPECT_TRUE(same(abs(low), -low) && same(abs(high), high));
  EXPECT_TRUE(same(copysign(low, high), -low) && same(copysign(high, low), -high));
  EXPECT_TRUE(same(copysign(high, D(-0.0)), -high) && same(copysign(low, low), low));
  EXPECT_TRUE(same(select(true, low, high), low) && same(select(false, low, high), high));
}

TEST(DualFunctions, NoticeWhatIsNotFinite) {
  D a = D::variable(1.0, 0);
  EXPECT_TRUE(isfinite(a));
  a.d[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(isfinite(a));
  a.d[2] = 0;
  a.value = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(isfinite(a));
}

// The Jacobian of v -> R v is the matrix of R; that of |v|^2 is 2 v.
RC_GTEST_PROP(DualFunctions, JacobianOfARotation, ()) {
  const Rotation<double> q = *random::rotation();
  const Vec3<double> v = *random::vector();
  const Vec3<D> u{D::variable(v.x, 0), D::variable(v.y, 1), D::variable(v.z, 2)};
  const Vec3<D> rotated = q * u, cast_and_rotated = cast<D>(q) * u;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      RC_ASSERT(std::abs(rotated[i].d[j] - matrix(q)[i][j]) <= 8 * eps);
      RC_ASSERT(rotated[i].d[j] == cast_and_rotated[i].d[j]);
    }
    RC_ASSERT(squared_norm(u).d[i] == 2 * v[i]);
  }
}

}  // namespace
}  // namespace polhode::dual_test
