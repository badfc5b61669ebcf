// The differentials of exp and of the Cayley map: against sums and inverses of matrices in 50 digits, as derivatives of
// the maps through dual numbers, and by the identities that tie them together.
#include "polhode/core/tangent.hpp"

#include "generators.hpp"
#include "high_precision.hpp"
#include "polhode/core/dual.hpp"

namespace polhode::tangent_test {
namespace {

using random::eps;
using random::pi;
using reference::Big;
using reference::big;
using reference::combine;
using reference::difference;
using reference::inverted;
using reference::Matrix;
using reference::product;

using V = Vec3<double>;

// The matrix whose columns are f(x, e_1), f(x, e_2), f(x, e_3).
template <class T, class Map>
Matrix matrix_of(Map map, const Vec3<T>& x) {
  Matrix m;
  for (std::size_t j = 0; j < 3; ++j) {
    Vec3<T> e{};
    e[j] = T(1);
    const Vec3<T> column = map(x, e);
    for (std::size_t i = 0; i < 3; ++i) m[i][j] = Big(column[i]);
  }
  return m;
}

const auto exp_differential = [](const auto& x, const auto& a) { return dexp(x, a); };
const auto exp_inverse = [](const auto& x, const auto& a) { return dexpinv(x, a); };
const auto cayley_differential = [](const auto& x, const auto& a) { return dcay(x, a); };
const auto cayley_inverse = [](const auto& x, const auto& a) { return dcayinv(x, a); };

// How much rounding dexpinv may show: c f^2 grows without bound at f = 2 pi, where the quotient's divisor sinc(f/2)
// vanishes and passes its absolute error on.
double inverse_scale(double f) {
  const double u = f / 2, sinc = u < 1e-4 ? 1.0 : std::abs(std::sin(u) / u);
  return 1 + f + (1 + std::abs(1 - u / std::tan(u + 1e-300))) / sinc;
}

template <class T>
class Tangent : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, long double>;
TYPED_TEST_SUITE(Tangent, Scalars);

// The angles at which the coefficients change from series to closed form are 0.786 (of f) and 1.572 (of f/2).
TYPED_TEST(Tangent, AgreesWithMatricesIn50Digits) {
  using T = TypeParam;
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const Vec3<T>& n : {Vec3<T>{T(1), T(0), T(0)}, Vec3<T>{T(-0.48), T(0.64), T(0.6)}}) {
    for (const double f : {0.0, 1e-12, 1e-4, 0.3, 0.785, 0.7858, 0.7859, 0.8, 1.57, 1.5716, 1.5717, 1.6, 3.0, 3.2, 5.0,
                           6.0, 6.28, 6.29, 8.0}) {
      const Vec3<T> x = T(f) * n;
      const Matrix d = reference::exponential_sum<1>(big(x));
      EXPECT_LE(difference(matrix_of(exp_differential, x), d), (4 + f) * unit) << "dexp, f = " << f;
      EXPECT_LE(difference(matrix_of(exp_inverse, x), inverted(d)), 4 * inverse_scale(f) * unit)
          << "dexpinv, f = " << f;
      // dcay(x) is the derivative of (1 - X/2)^-1 (1 + X/2): hat(dcay(x) a) = (1 - X/2)^-1 hat(a) (1 + X/2)^-1.
      const Matrix one = reference::identity(), X = reference::hat(big(x));
      const Matrix left = inverted(combine(Big(1), one, Big(-0.5), X));
      const Matrix right = inverted(combine(Big(1), one, Big(0.5), X));
      const Vec3<T> a{T(0.5), T(-0.25), T(0.75)};
      const Matrix want = product(product(left, reference::hat(big(a))), right);
      EXPECT_LE(difference(reference::hat(big(dcay(x, a))), want), 4 * unit) << "dcay, f = " << f;
      EXPECT_LE(difference(matrix_of(cayley_inverse, x), inverted(matrix_of(cayley_differential, x))),
                (8 + f * f) * (4 + f * f) * unit)
          << "dcayinv, f = " << f;
    }
  }
}

// The derivative of a map into rotations, in spatial axes: 2 q' q^-1, column by column.
template <class Map>
Matrix spatial_derivative(Map map, const V& x) {
  using D = Dual<double, 3>;
  const Rotation<D> q = map(Vec3<D>{D::variable(x.x, 0), D::variable(x.y, 1), D::variable(x.z, 2)});
  const Rotation<double> value{q.w.value, {q.v.x.value, q.v.y.value, q.v.z.value}};
  Matrix m;
  for (std::size_t j = 0; j < 3; ++j) {
    const Rotation<double> rate{q.w.d[j], {q.v.x.d[j], q.v.y.d[j], q.v.z.d[j]}};
    const V column = 2.0 * (rate * inverse(value)).v;
    for (std::size_t i = 0; i < 3; ++i) m[i][j] = Big(column[i]);
  }
  return m;
}

RC_GTEST_PROP(TangentMaps, AreTheDerivatives, ()) {
  const V x = *random::rotation_vector(8.0);
  const auto exponential = [](const auto& v) { return exp(v); };
  const auto quotient = [](const auto& v) { return cayley(v); };
  RC_ASSERT(difference(spatial_derivative(exponential, x), matrix_of(exp_differential, x)) <= (16 + 2 * norm(x)) * eps);
  RC_ASSERT(difference(spatial_derivative(quotient, x), matrix_of(cayley_differential, x)) <= 16 * eps);
}

RC_GTEST_PROP(TangentMaps, AreInverseToEachOther, ()) {
  const V x = *random::rotation_vector(2 * pi - 1e-3), a = *random::vector();
  const double f = norm(x), tolerance = 16 * inverse_scale(f) * eps;
  RC_ASSERT(norm(dexpinv(x, dexp(x, a)) - a) <= tolerance);
  RC_ASSERT(norm(dexp(x, dexpinv(x, a)) - a) <= tolerance);
  RC_ASSERT(norm(dcayinv(x, dcay(x, a)) - a) <= 16 * (1 + f * f) * eps);
  RC_ASSERT(norm(dcay(x, dcayinv(x, a)) - a) <= 16 * (1 + f * f) * eps);
}

// exp(x) dexpinv(x) = dexpinv(-x), dexpinv(x) x = x, dexpinv(x)^T = dexpinv(-x), and the same for dexp and for the
// Cayley map.
RC_GTEST_PROP(TangentMaps, Identities, ()) {
  const V x = *random::rotation_vector(6.0), a = *random::vector(), b = *random::vector();
  const double f = norm(x), tolerance = 16 * inverse_scale(f) * eps, square = 16 * (1 + f * f) * eps;
  RC_ASSERT(norm(exp(x) * dexpinv(x, a) - dexpinv(-x, a)) <= tolerance);
  RC_ASSERT(norm(exp(x) * dexp(-x, a) - dexp(x, a)) <= 32 * eps);
  RC_ASSERT(norm(cayley(x) * dcayinv(x, a) - dcayinv(-x, a)) <= square);
  RC_ASSERT(norm(dexpinv(x, x) - x) == 0);
  RC_ASSERT(norm(dexp(x, x) - x) == 0);
  RC_ASSERT(std::abs(dot(b, dexpinv(x, a)) - dot(dexpinv(-x, b), a)) <= tolerance);
  RC_ASSERT(std::abs(dot(b, dexp(x, a)) - dot(dexp(-x, b), a)) <= 32 * eps);
  RC_ASSERT(std::abs(dot(b, dcayinv(x, a)) - dot(dcayinv(-x, b), a)) <= square);
}

// At a full turn dexp loses the plane normal to x, and the coefficient of dexpinv has a pole: it is
// c = (1 - (f/2) cot(f/2))/f^2 = (1 + O(d)) / (f d) at the distance d = 2 pi - f.
TEST(TangentMaps, PoleAtAFullTurn) {
  for (const double distance : {1e-2, 1e-4, 1e-6, 1e-8}) {
    const double f = 2 * pi - distance, c = dexpinv_coefficient(f * f);
    const Big u = Big(f) / 2, exact = (1 - u * cos(u) / sin(u)) / (4 * u * u), to_pole = 8 * atan(Big(1)) - Big(f);
    EXPECT_NEAR(c / static_cast<double>(exact), 1.0, 16 * eps * f / distance) << distance;
    EXPECT_NEAR(c * f * static_cast<double>(to_pole), 1.0, distance + 16 * eps * f / distance) << distance;
  }
}

// Next to zero the coefficient is 1/12 + f^2/720 + f^4/30240 + ...
TEST(TangentMaps, CoefficientNextToZero) {
  for (double f = 1e-10; f < 0.02; f *= 3) {
    const double y = f * f, want = 1.0 / 12 + y * (1.0 / 720 + y * (1.0 / 30240 + y / 1209600));
    EXPECT_NEAR(dexpinv_coefficient(y), want, eps / 12) << f;
  }
  EXPECT_EQ(dexpinv_coefficient(0.0), 1.0 / 12);
}

// The derivative by the squared angle y = f^2 of c = (1 - u cot u)/(4 u^2), u = f/2, is
// (u cot u + u^2/sin^2 u - 2)/(32 u^4): in 50 digits, at zero, across the switch of the series and up to a full turn.
TEST(TangentMaps, SlopeOfTheCoefficient) {
  EXPECT_EQ(dexpinv_coefficient_and_slope(0.0).value, 1.0 / 12);
  EXPECT_NEAR(dexpinv_coefficient_and_slope(0.0).slope, 1.0 / 720, eps / 100);
  for (const double f : {1e-3, 0.1, 0.7, 1.5, 1.57, 1.5716, 1.5717, 1.58, 2.0, 3.0, 4.5, 6.0, 6.2}) {
    const double y = f * f;
    const Big u = sqrt(Big(y)) / 2, b = u * cos(u) / sin(u), s = u / sin(u);
    const Big slope = (b + s * s - 2) / (32 * u * u * u * u);
    const DexpinvCoefficient<double> c = dexpinv_coefficient_and_slope(y);
    // Terms of size 1/9 and 1/15 leave 2/45, and next to the pole sin u passes its absolute error on.
    const double tolerance = 16 * inverse_scale(f) * eps;
    EXPECT_NEAR(c.slope / static_cast<double>(slope), 1.0, tolerance) << f;
    EXPECT_NEAR(c.value / dexpinv_coefficient(y), 1.0, 4 * eps) << f;
  }
}

}  // namespace
}  // namespace polhode::tangent_test
