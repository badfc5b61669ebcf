// The models of a Lie group: algebra, exponential, adjoint and action, against matrices that share nothing with them.
#include "polhode/core/lie_group.hpp"

#include <random>

#include "generators.hpp"
#include "high_precision.hpp"
#include "lie_groups.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/series.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::lie_group_test {
namespace {

using groups::Meaning;
using reference::Big;

constexpr double eps = std::numeric_limits<double>::epsilon();

// Whole numbers, so that sums and products have no rounding.
template <class G>
AlgebraOf<G, double> whole_generator() {
  AlgebraOf<G, double> x;
  for (std::size_t i = 0; i < G::dimension; ++i) x[i] = *rc::gen::inRange(-9, 10);
  return x;
}
template <class G>
AlgebraOf<G, double> random_generator() {
  const double size = *random::magnitude(1e-3, 2);
  AlgebraOf<G, double> x;
  for (std::size_t i = 0; i < G::dimension; ++i) x[i] = *random::real(-size, size);
  return x;
}
template <class G>
VectorOf<G, double> random_vector() {
  auto components = Meaning<G>::components(VectorOf<G, double>{});
  for (double& c : components) c = *random::real(-1, 1);
  return Meaning<G>::vector(components);
}

// The largest difference of two vectors' components, and that of two generators' coordinates.
template <class G>
double gap(const VectorOf<G, double>& a, const VectorOf<G, double>& b) {
  const auto u = Meaning<G>::components(a), v = Meaning<G>::components(b);
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) largest = groups::larger_size(largest, u[i] - v[i]);
  return largest;
}
template <class G, class T, class Z>
double generator_gap(const T& a, const Z& b) {
  double largest = 0;
  for (std::size_t i = 0; i < G::dimension; ++i) largest = groups::larger_size(largest, a[i] - b[i]);
  return largest;
}

template <class G>
auto matrix(const AlgebraOf<G, double>& x) {
  return groups::of_generator<G, double, double>(x);
}
template <class G>
auto element_matrix(const ElementOf<G, double>& g) {
  return groups::of_element<G, double, double>(g);
}
template <class Matrix>
double size_of(const Matrix& m) {
  return std::fmax(1.0, largest_entry(m));
}
template <class G>
double distance(const ElementOf<G, double>& a, const ElementOf<G, double>& b) {
  return groups::distance(element_matrix<G>(a), element_matrix<G>(b));
}

// sum X^k / k!, until nothing is added.
template <class Matrix>
Matrix power_sum(const Matrix& X) {
  Matrix term = Matrix::identity(), sum = term;
  for (int k = 1; k <= 200 && largest_entry(term) > 1e-60; ++k) {
    term = term * X / Big(k);
    sum = sum + term;
  }
  return sum;
}

// In rounding units. The diagonal is of size 1 and larger; off it the exponential is of the size of x, and so is what
// rounding may do to it.
template <class G, class T>
double error_of_exponential(const AlgebraOf<G, T>& x) {
  const auto exact = power_sum(groups::of_generator<G, Big, T>(x));
  const auto computed = groups::of_element<G, Big, T>(exp(x));
  double s = 0, largest = 0;
  for (std::size_t i = 0; i < G::dimension; ++i) s = larger(s, std::abs(static_cast<double>(x[i])));
  for (std::size_t i = 0; i < Meaning<G>::size; ++i)
    for (std::size_t j = 0; j < Meaning<G>::size; ++j) {
      const double allowed = (i == j ? 1.0 : 0.0) + s * (1 + s) * size_of(exact);
      const double error =
          static_cast<double>(Big((computed(i, j) - exact(i, j)) / Big(std::numeric_limits<T>::epsilon())));
      largest = groups::larger_size(largest, error / allowed);
    }
  return largest;
}

template <class G>
struct LieGroups : ::testing::Test {};
TYPED_TEST_SUITE(LieGroups, groups::All, groups::Names);

TYPED_TEST(LieGroups, SatisfyTheConceptForEveryScalar) {
  EXPECT_TRUE((LieGroup<TypeParam, float> && LieGroup<TypeParam, double> && LieGroup<TypeParam, long double>));
  EXPECT_TRUE((LieGroup<TypeParam, quad> && LieGroup<TypeParam, Series<double, 3>>));
}

TYPED_TEST(LieGroups, BracketIsTheCommutatorOfTheMatrices) {
  using G = TypeParam;
  const bool held = random::holds([] {
    const auto x = whole_generator<G>(), y = whole_generator<G>(), z = whole_generator<G>();
    const auto X = matrix<G>(x), Y = matrix<G>(y);
    RC_ASSERT(matrix<G>(bracket(x, y)) == X * Y - Y * X);
    RC_ASSERT(bracket(x, y) == -1.0 * bracket(y, x));
    const auto jacobi = bracket(x, bracket(y, z)) + bracket(y, bracket(z, x)) + bracket(z, bracket(x, y));
    RC_ASSERT(jacobi == (AlgebraOf<G, double>{}));
    RC_ASSERT(bracket(x + 3.0 * y, z) == bracket(x, z) + 3.0 * bracket(y, z));
  });
  EXPECT_TRUE(held);
}

// From the tiny to several radians, in steps that meet both sides of every switch from series to closed form.
template <class G, class T>
void expect_matrix_exponential() {
  std::mt19937 source(2001);
  std::uniform_real_distribution<double> component(-1, 1);
  for (double size = 1e-30; size < 6; size *= size < 1e-3 ? 37 : 1.04) {
    AlgebraOf<G, T> x;
    for (std::size_t i = 0; i < G::dimension; ++i) x[i] = T(size * component(source));
    EXPECT_LE((error_of_exponential<G, T>(x)), 8.0) << "size " << size;
  }
}
TYPED_TEST(LieGroups, ExponentialIsTheMatrixExponential) {
  expect_matrix_exponential<TypeParam, float>();
  expect_matrix_exponential<TypeParam, double>();
  expect_matrix_exponential<TypeParam, long double>();
  expect_matrix_exponential<TypeParam, quad>();
}

// Rounding in what follows: a few units for each product, times the size of its factors.
TYPED_TEST(LieGroups, ExponentialIsAOneParameterGroup) {
  using G = TypeParam;
  const bool held = random::holds([] {
    const auto x = random_generator<G>();
    const double a = *random::real(-2, 2), b = *random::real(-2, 2);
    const auto ga = exp(a * x), gb = exp(b * x);
    const double scale = size_of(element_matrix<G>(ga)) * size_of(element_matrix<G>(gb));
    RC_ASSERT(distance<G>(ga * gb, exp((a + b) * x)) <= 64 * eps * scale);
    RC_ASSERT(distance<G>(exp(-1.0 * x), inverse(exp(x))) <= 8 * eps * size_of(element_matrix<G>(exp(x))));
    RC_ASSERT(distance<G>(exp(0.0 * x), ElementOf<G, double>{}) == 0);
  });
  EXPECT_TRUE(held);
}

TYPED_TEST(LieGroups, ElementsStayInTheGroup) {
  using G = TypeParam;
  const bool held = random::holds([] {
    const auto g = exp(random_generator<G>()), h = exp(random_generator<G>());
    const double scale = std::pow(size_of(element_matrix<G>(g)) * size_of(element_matrix<G>(h)), 2);
    RC_ASSERT(groups::defect<G>(element_matrix<G>(g)) <= 32 * eps * scale);
    RC_ASSERT(groups::defect<G>(element_matrix<G>(g * h)) <= 64 * eps * scale);
    RC_ASSERT(distance<G>(g * inverse(g), ElementOf<G, double>{}) <= 32 * eps * scale);
  });
  EXPECT_TRUE(held);
}

TYPED_TEST(LieGroups, ActAsTheirMatrices) {
  using G = TypeParam;
  const bool held = random::holds([] {
    const auto g = exp(random_generator<G>()), h = exp(random_generator<G>());
    const auto v = random_vector<G>();
    const auto M = element_matrix<G>(g), N = element_matrix<G>(h);
    const double scale = size_of(M) * size_of(N);
    RC_ASSERT(gap<G>((g * h) * v, g * (h * v)) <= 64 * eps * scale);
    RC_ASSERT(groups::distance(element_matrix<G>(g * h), M * N) <= 64 * eps * scale);
    RC_ASSERT(gap<G>(ElementOf<G, double>{} * v, v) == 0);
    RC_ASSERT(gap<G>(inverse(g) * (g * v), v) <= 64 * eps * size_of(M) * size_of(M));
  });
  EXPECT_TRUE(held);
}

// Ad_g x = g x g^-1, with the matrices and with the exponential.
TYPED_TEST(LieGroups, AdjointIsConjugation) {
  using G = TypeParam;
  const bool held = random::holds([] {
    const auto g = exp(random_generator<G>());
    const auto x = random_generator<G>();
    const auto M = element_matrix<G>(g), inverse_M = element_matrix<G>(inverse(g)), X = matrix<G>(x);
    const double scale = size_of(M) * size_of(inverse_M);
    const auto conjugated = adjoint(g, x);
    RC_ASSERT(groups::distance(matrix<G>(conjugated), M * X * inverse_M) <= 64 * eps * scale * size_of(X));
    const auto turned = g * exp(x) * inverse(g);
    const double turned_scale = scale * size_of(matrix<G>(conjugated)) * size_of(element_matrix<G>(exp(x)));
    RC_ASSERT(distance<G>(exp(conjugated), turned) <= 256 * eps * turned_scale * size_of(element_matrix<G>(turned)));
  });
  EXPECT_TRUE(held);
}

// The bracket is the derivative of Ad along the exponential: Ad_exp(s x) z = z + s [x, z] + s^2/2 [x, [x, z]] + ...
TYPED_TEST(LieGroups, BracketIsTheDerivativeOfAdjoint) {
  using G = TypeParam;
  using S = Series<double, 3>;
  const bool held = random::holds([] {
    const auto x = whole_generator<G>(), z = whole_generator<G>();
    AlgebraOf<G, S> sx, constant_z;
    for (std::size_t i = 0; i < G::dimension; ++i) {
      sx[i] = x[i] * S::variable(0.0);
      constant_z[i] = S(z[i]);
    }
    const auto moved = adjoint(exp(sx), constant_z);
    auto expected = z;
    double factorial = 1, scale = 1;
    for (std::size_t n = 0; n <= 3; ++n) {
      AlgebraOf<G, double> coefficient;
      for (std::size_t i = 0; i < G::dimension; ++i) coefficient[i] = moved[i].c[n];
      RC_ASSERT(generator_gap<G>(factorial * coefficient, expected) <= 64 * eps * scale);
      expected = bracket(x, expected);
      factorial *= static_cast<double>(n + 1);
      scale *= 100;  // of a bracket with coordinates up to 9
    }
  });
  EXPECT_TRUE(held);
}

// The factor between the two: a generator u of S^3 turns R^3 with the angular velocity 2 u.
RC_GTEST_PROP(UnitQuaternions, CoverTheRotationsTwice, ()) {
  const PureQuaternion<double> u{*random::vector(2)}, z{*random::vector(2)};
  const auto g = exp(u), h = exp(z);
  RC_ASSERT(chordal_distance(rotation(g), exp(2.0 * u.v)) <= 16 * eps);
  RC_ASSERT(chordal_distance(rotation(g * h), rotation(g) * rotation(h)) <= 16 * eps);
  RC_ASSERT(norm(2.0 * bracket(u, z).v - cross(2.0 * u.v, 2.0 * z.v)) <= 16 * eps);
  RC_ASSERT((rotation(UnitQuaternion<double>{-1.0 * g.q}) * z.v) == rotation(g) * z.v);
}
TEST(UnitQuaternions, AFullTurnIsMinusOne) {
  const auto full = exp(PureQuaternion<double>{{0, 0, random::pi}});
  EXPECT_NEAR(full.q.w, -1, 2 * eps);
  EXPECT_NEAR(norm(full.q.v), 0, 2 * eps);
}

// A point on the axis is shifted along it, and turned by nothing; after a full turn every point is.
RC_GTEST_PROP(RigidMotions, ScrewAboutAnAxis, ()) {
  const Vec3<double> axis = *random::direction(), point = *random::vector(2), other = *random::vector(2);
  const double pitch = *random::real(-1, 1), angle = *random::real(-3, 3);
  const auto turn = screw(axis, point, pitch);
  const Vec3<double> shift = angle * pitch * axis, full_shift = 2 * random::pi * pitch * axis;
  RC_ASSERT(norm(exp(angle * turn) * point - (point + shift)) <= 128 * eps);
  RC_ASSERT(chordal_distance(exp(angle * turn).rotation, exp(angle * axis)) <= 16 * eps);
  RC_ASSERT(norm(exp(2 * random::pi * turn) * other - (other + full_shift)) <= 128 * eps);
}

RC_GTEST_PROP(Rotations4, SkewMatrixFromItsEntries, ()) {
  const Vec3<double> e{*rc::gen::inRange(-9, 10) * 1.0, *rc::gen::inRange(-9, 10) * 1.0,
                       *rc::gen::inRange(-9, 10) * 1.0};
  const Vec3<double> m{*rc::gen::inRange(-9, 10) * 1.0, *rc::gen::inRange(-9, 10) * 1.0,
                       *rc::gen::inRange(-9, 10) * 1.0};
  const SquareMatrix<double, 4> expected{
      {0, -e.x, -e.y, -e.z, e.x, 0, -m.z, m.y, e.y, m.z, 0, -m.x, e.z, -m.y, m.x, 0}};
  RC_ASSERT(matrix<SO4>(skew4(e, m)) == expected);
}

// s1 s2 = i s3 and so on around; s3 is +1 on a spin that points up.
TEST(Spins, PauliMatrices) {
  const auto x = pauli(1.0, 0.0, 0.0), y = pauli(0.0, 1.0, 0.0), z = pauli(0.0, 0.0, 1.0);
  EXPECT_EQ(bracket(x, y), 2.0 * z);
  EXPECT_EQ(bracket(y, z), 2.0 * x);
  EXPECT_EQ(bracket(z, x), 2.0 * y);
  // (0, -i; -i, 0) and (-i, 0; 0, i)
  const SquareMatrix<double, 4> minus_i_s1{{0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0, -1, 0, 0, 0}};
  const SquareMatrix<double, 4> minus_i_s3{{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0}};
  EXPECT_EQ(matrix<SU2>(x), minus_i_s1);
  EXPECT_EQ(matrix<SU2>(z), minus_i_s3);
}

// The determinant passes through zero and through every switch of the exponential, to the last number on either side.
template <class T>
void expect_exponential_across_switches() {
  using std::nextafter;
  for (const double limit : {0.0, near_limit, ordinary_limit, series_limit, 9.0, 30.0})
    for (const double sign : {-1.0, 1.0}) {
      const T at = T(sign * limit);
      for (const T& determinant : {T(nextafter(at, T(-100))), at, T(nextafter(at, T(100)))}) {
        EXPECT_LE((error_of_exponential<SL2R, T>({T(0), T(-1), determinant})), 8.0) << determinant;
        EXPECT_LE((error_of_exponential<SL2R, T>({T(0), -determinant, T(1)})), 8.0) << determinant;
        EXPECT_LE((error_of_exponential<SL2R, T>({T(0.5), T(1), -determinant - T(0.25)})), 8.0) << determinant;
      }
    }
}
TEST(AreaPreservingMaps, ExponentialAcrossItsSwitches) {
  expect_exponential_across_switches<float>();
  expect_exponential_across_switches<double>();
  expect_exponential_across_switches<long double>();
  expect_exponential_across_switches<quad>();
}
TEST(AreaPreservingMaps, AShearIsItsGenerator) {
  EXPECT_EQ(exp(Traceless2<double>{0, 3, 0}), (Unimodular2<double>{1, 3, 0, 1}));
  EXPECT_EQ(exp(Traceless2<double>{2, 4, -1}), (Unimodular2<double>{3, 4, -1, -1}));
}

}  // namespace
}  // namespace polhode::lie_group_test
