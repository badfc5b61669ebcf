// Rotations as unit quaternions: the group, its action, the maps from and to rotation vectors, and conversions.
// Quaternions are compared up to sign, errors are counted in spacings of 1.
#include "polhode/core/rotation.hpp"

#include "generators.hpp"
#include "high_precision.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/series.hpp"

namespace polhode::rotation_test {
namespace {

using random::eps;
using random::pi;
using reference::Big;
using reference::big;
using reference::combine;
using reference::determinant;
using reference::difference;
using reference::inverted;
using reference::product;
using reference::transpose;

using Q = Rotation<double>;
using V = Vec3<double>;

// The distance on the sphere of quaternions, q and -q being one.
double gap(const Q& a, const Q& b) {
  const auto norm4 = [](const Q& q) { return std::sqrt(squared_norm(q)); };
  return std::min(norm4({a.w - b.w, a.v - b.v}), norm4({a.w + b.w, a.v + b.v}));
}

RC_GTEST_PROP(Rotation, FormsAGroup, ()) {
  const Q a = *random::rotation(), b = *random::rotation(), c = *random::rotation();
  RC_ASSERT(Q{} * a == a);
  RC_ASSERT(a * Q{} == a);
  RC_ASSERT(gap(a * inverse(a), Q{}) <= 4 * eps);
  RC_ASSERT(gap(inverse(a) * a, Q{}) <= 4 * eps);
  RC_ASSERT(gap((a * b) * c, a * (b * c)) <= 8 * eps);
  RC_ASSERT(gap(inverse(a * b), inverse(b) * inverse(a)) <= 4 * eps);
  RC_ASSERT(std::abs(squared_norm(a * b) - 1) <= 16 * eps);
}

// A quaternion and its matrix do the same to a vector; products of matrices are matrices of products.
RC_GTEST_PROP(Rotation, ActsLikeItsMatrix, ()) {
  const Q a = *random::rotation(), b = *random::rotation();
  const V u = *random::vector(), v = *random::vector();
  RC_ASSERT(norm(a * u - matrix(a) * u) <= 8 * eps);
  RC_ASSERT(norm((a * b) * u - a * (b * u)) <= 16 * eps);
  RC_ASSERT(std::abs(dot(a * u, a * v) - dot(u, v)) <= 32 * eps);
  RC_ASSERT(norm(cross(a * u, a * v) - a * cross(u, v)) <= 32 * eps);
  RC_ASSERT(difference(big(matrix(a * b)), product(big(matrix(a)), big(matrix(b)))) <= 16 * eps);
  RC_ASSERT(difference(product(big(matrix(a)), transpose(big(matrix(a)))), reference::identity()) <= 8 * eps);
  RC_ASSERT(determinant(big(matrix(a))) > 0.5);
}

TEST(Rotation, IsActiveAndRightHanded) {
  const Q quarter_turn = exp(V{0, 0, pi / 2});
  EXPECT_LE(norm(quarter_turn * V{1, 0, 0} - V{0, 1, 0}), 2 * eps);
  EXPECT_LE(norm(quarter_turn * V{0, 1, 0} - V{-1, 0, 0}), 2 * eps);
  EXPECT_EQ((quarter_turn * V{0, 0, 1}), (V{0, 0, 1}));
}

template <class T>
class Exponential : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, long double, quad>;
TYPED_TEST_SUITE(Exponential, Scalars);

// Against the matrix exponential summed in 50 digits. Beyond the switch of the half-angle functions (|x| = 1.57) the
// rounding of the angle itself counts, in proportion to it.
TYPED_TEST(Exponential, IsTheMatrixExponential) {
  using T = TypeParam;
  const Vec3<T> directions[] = {{T(1), T(0), T(0)}, {T(0.6), T(0), T(-0.8)}, {T(-0.48), T(0.64), T(0.6)}};
  for (const Vec3<T>& n : directions) {
    for (const double angle :
         {0.0, 1e-30, 1e-9, 1e-3, 0.1, 0.7, 1.5, 1.57, 1.5715, 1.5717, 1.58, 2.0, 3.1, 3.2, 6.2, 9.5}) {
      const Vec3<T> x = T(angle) * n;
      const double error = difference(big(matrix(exp(x))), reference::exponential_sum(big(x)));
      EXPECT_LE(error, (4 + 2 * angle) * static_cast<double>(std::numeric_limits<T>::epsilon())) << "angle " << angle;
    }
  }
}

RC_GTEST_PROP(Rotation, ExponentialIsTheMatrixExponential, ()) {
  const V x = *random::rotation_vector(12.0);
  RC_ASSERT(difference(big(matrix(exp(x))), reference::exponential_sum(big(x))) <= (4 + 2 * norm(x)) * eps);
}

RC_GTEST_PROP(Rotation, LogarithmInvertsTheExponential, ()) {
  const V x = *random::rotation_vector(pi * (1 - 4 * eps));
  RC_ASSERT(norm(log(exp(x)) - x) <= 4 * eps * norm(x));
}

RC_GTEST_PROP(Rotation, ExponentialInvertsTheLogarithm, ()) {
  const Q q = *random::rotation();
  const V x = log(q);
  RC_ASSERT(norm(x) <= pi * (1 + 2 * eps));
  RC_ASSERT(gap(exp(x), q) <= 8 * eps);
  RC_ASSERT(norm(log(Q{-q.w, -q.v}) - x) == 0 || q.w == 0);
}

// The logarithm of a power series of attitudes, at the identity and on the way to a half turn: exp(s x) exp(t0 x) has
// the logarithm (s + t0) x, with no coefficient beyond the first.
TEST(Rotation, LogarithmOfAPowerSeries) {
  using S = Series<double, 10>;
  const V x{0.3, -0.5, 0.8};
  for (const double t0 : {0.0, 1e-8, 1e-3, 0.2, 0.4, 0.6, 1.0, 1.5, 2.5}) {
    const S t = S::variable(t0);
    const Vec3<S> l = log(exp(Vec3<S>{x.x * t, x.y * t, x.z * t}));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t n = 0; n <= 10; ++n)
        EXPECT_NEAR(l[i].c[n], n == 0 ? t0 * x[i] : n == 1 ? x[i] : 0.0, 100 * eps) << "s^" << n << " at t0 = " << t0;
  }
}

// Every branch of Spurrier's rule, reached through the component that is largest, and the ties between them.
RC_GTEST_PROP(Rotation, MatrixAndBack, ()) {
  const Q q = *random::rotation();
  const int turn = *rc::gen::inRange(0, 4);
  const double c[4] = {q.w, q.v.x, q.v.y, q.v.z};
  const Q turned{c[turn], {c[(turn + 1) % 4], c[(turn + 2) % 4], c[(turn + 3) % 4]}};
  RC_CLASSIFY(std::abs(turned.w) >= 0.71, "w leads");
  RC_ASSERT(gap(from_matrix(matrix(turned)), turned) <= 8 * eps);
  RC_ASSERT(std::abs(squared_norm(from_matrix(matrix(turned))) - 1) <= 4 * eps);
}

TEST(Rotation, MatrixAndBackForHalfTurnsAndTies) {
  for (const double w : {0.0, 1e-9, -1.0, 1.0})
    for (const double x : {0.0, 1e-9, -1.0, 1.0})
      for (const double y : {0.0, 1e-9, -1.0, 1.0})
        for (const double z : {0.0, 1e-9, -1.0, 1.0}) {
          if (std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)}) < 1) continue;
          const Q q = normalised(Q{w, {x, y, z}});
          EXPECT_LE(gap(from_matrix(matrix(q)), q), 4 * eps) << w << ' ' << x << ' ' << y << ' ' << z;
        }
}

RC_GTEST_PROP(Rotation, ModifiedRodriguesParameters, ()) {
  const V n = *random::direction();
  const double angle = *random::real(0, pi);
  const V s = mrp(exp(angle * n));
  RC_ASSERT(norm(s - std::tan(angle / 4) * n) <= 4 * eps);
  const Q q = *random::rotation();
  RC_ASSERT(norm(mrp(q)) <= 1 + 4 * eps);
  RC_ASSERT(gap(from_mrp(mrp(q)), q) <= 8 * eps);
  const V any = *random::vector(3.0);
  RC_PRE(norm(any) > 1e-3);
  RC_ASSERT(gap(from_mrp(any), from_mrp(-any / squared_norm(any))) <= 8 * eps);  // the shadow set
}

// (1 - X/2) cay(x) = 1 + X/2, as matrices.
RC_GTEST_PROP(Rotation, CayleyIsTheQuotient, ()) {
  const V x = *random::rotation_vector(20.0);
  const auto one = reference::identity(), X = reference::hat(big(x));
  const auto minus = combine(1, one, -0.5, X), plus = combine(1, one, 0.5, X);
  RC_ASSERT(difference(big(matrix(cayley(x))), product(inverted(minus), plus)) <= 8 * eps);
}

// The direction arrives, and the axis is normal to it: no rotation that does the same is by a smaller angle.
bool is_shortest_arc(const Q& q, const V& a, const V& b) {
  return norm(q * (a / norm(a)) - b / norm(b)) <= 16 * eps && std::abs(squared_norm(q) - 1) <= 4 * eps &&
         std::abs(dot(q.v, a)) <= 8 * eps * norm(a) && q.w >= 0;
}

// The second vector is anywhere, or along or opposite to the first but for a tilt of any size down to none.
RC_GTEST_PROP(Rotation, ShortestArcIsAnArcAndShortest, ()) {
  const V a = *random::magnitude(1e-3, 1e3) * *random::direction(), n = norm(a) * *random::direction();
  const double tilt = *rc::gen::oneOf(random::magnitude(1e-18, 1.0), rc::gen::just(0.0));
  const V b = *random::magnitude(1e-3, 1e3) * *rc::gen::element(n, a, -a, tilt * n - a, tilt * n + a);
  RC_PRE(norm(b) > 0);
  RC_ASSERT(is_shortest_arc(shortest_arc(a, b), a, b));
}

// Opposite but for a few units in the last place, where the cross product is all rounding.
TEST(Rotation, ShortestArcNextToAHalfTurn) {
  for (int i = 0; i < 500; ++i) {
    const double f = i * 0.618, z = 1 - i / 250.0;
    const V a{std::cos(f), std::sin(f), z};
    for (int units = -4; units <= 4; ++units) {
      const V b{-a.x * (1 + units * eps), -a.y * (1 - i % 3 * eps), -a.z * (1 + i % 4 * eps)};
      EXPECT_TRUE(is_shortest_arc(shortest_arc(a, b), a, b)) << i << ' ' << units;
    }
  }
}

// Newton's step squares the defect; the direction of the quaternion stays.
RC_GTEST_PROP(Rotation, Normalising, ()) {
  const Q q = *random::rotation();
  const double defect = *rc::gen::oneOf(random::real(-1e-3, 1e-3), random::magnitude(1e-15, 1e-3));
  const Q off{(1 + defect) * q.w, (1 + defect) * q.v};
  RC_ASSERT(std::abs(std::sqrt(squared_norm(renormalised(off))) - 1) <= 1.51 * defect * defect + 4 * eps);
  RC_ASSERT(gap(normalised(renormalised(off)), q) <= 4 * eps);
  RC_ASSERT(gap(normalised(Q{1e3 * q.w, 1e3 * q.v}), q) <= 4 * eps);
}

// Both distances are metrics on rotations, not on quaternions, and know no preferred frame.
RC_GTEST_PROP(Distance, IsABiInvariantMetric, ()) {
  const Q a = *random::rotation(), b = *random::rotation(), c = *random::rotation();
  const auto check = [&](auto distance, double largest) {
    const double d = distance(a, b);
    RC_ASSERT(d >= 0 && d <= largest * (1 + 4 * eps));
    RC_ASSERT(distance(a, a) == 0);
    RC_ASSERT(distance(a, Q{-a.w, -a.v}) == 0);
    RC_ASSERT(std::abs(distance(b, a) - d) <= 16 * eps);
    RC_ASSERT(std::abs(distance(a, Q{-b.w, -b.v}) - d) <= 16 * eps);
    RC_ASSERT(distance(a, c) <= d + distance(b, c) + 32 * eps);
    RC_ASSERT(std::abs(distance(c * a, c * b) - d) <= 32 * eps);
    RC_ASSERT(std::abs(distance(a * c, b * c) - d) <= 32 * eps);
  };
  check([](const Q& p, const Q& q) { return angle_between(p, q); }, pi);
  check([](const Q& p, const Q& q) { return chordal_distance(p, q); }, std::sqrt(8.0));
}

// A turn by x is |x| away, in relative terms down to the smallest; the chord is the Frobenius norm of the difference.
RC_GTEST_PROP(Distance, MeasuresTheAngle, ()) {
  const V x = *random::rotation_vector(pi * (1 - 4 * eps));
  const double angle = norm(x);
  RC_PRE(angle == 0 || angle > 1e-150);  // its square is a normal number
  RC_ASSERT(std::abs(angle_between(Q{}, exp(x)) - angle) <= 4 * eps * angle);
  RC_ASSERT(std::abs(chordal_distance(Q{}, exp(x)) - std::sqrt(8.0) * std::sin(angle / 2)) <= 8 * eps * angle);
  const Q a = *random::rotation(), b = a * exp(x);
  RC_ASSERT(std::abs(angle_between(a, b) - angle) <= 32 * eps);
  Big sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += pow(Big(matrix(a)[i][j]) - Big(matrix(b)[i][j]), 2);
  RC_ASSERT(std::abs(chordal_distance(a, b) - static_cast<double>(Big(sqrt(sum)))) <= 32 * eps);
}

}  // namespace
}  // namespace polhode::rotation_test
