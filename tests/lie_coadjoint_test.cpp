// What a group moves besides itself: covectors on their orbits, matrices with their spectra. Closed forms are those of
// Euler's equations in Jacobi's functions and of Toda's lattice by orthogonalisation.
#include "polhode/core/coadjoint.hpp"

#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <vector>

#include "lie_groups.hpp"
#include "polhode/core/lie_methods.hpp"
#include "polhode/core/lie_taylor.hpp"
#include "polhode/measure/order.hpp"

namespace polhode::lie_coadjoint_test {
namespace {

using Real = long double;
constexpr double eps = std::numeric_limits<Real>::epsilon();

template <class G>
AlgebraOf<G, Real> generator(int seed) {
  AlgebraOf<G, Real> x;
  for (std::size_t i = 0; i < G::dimension; ++i)
    x[i] = std::sin(Real(seed) + Real(1.7L) * Real(i * i + 1)) * Real(0.75);
  return x;
}
template <class G>
Covector<G, Real> covector(int seed) {
  Covector<G, Real> m;
  for (std::size_t i = 0; i < G::dimension; ++i) m[i] = std::cos(Real(seed) + Real(2.3L) * Real(i * i + 1));
  return m;
}
template <class G>
double gap(const Covector<G, Real>& a, const Covector<G, Real>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < G::dimension; ++i)
    largest = groups::larger_size(largest, static_cast<double>(a[i] - b[i]));
  return largest;
}

// Functions that are constant on every orbit, from the invariant forms of the algebras. On so(4) there are two, on se(3)
// those of angular and linear momentum.
template <class G>
std::vector<Real> casimirs(const Covector<G, Real>& m) {
  const auto dot3 = [&m](std::size_t i, std::size_t j) {
    return m[i] * m[j] + m[i + 1] * m[j + 1] + m[i + 2] * m[j + 2];
  };
  if constexpr (std::is_same_v<G, SL2R>) {
    return {m[0] * m[0] + 4 * m[1] * m[2]};
  } else if constexpr (std::is_same_v<G, SE3>) {
    return {dot3(3, 3), dot3(0, 3)};
  } else if constexpr (std::is_same_v<G, SO4>) {
    return {dot3(0, 0), dot3(3, 3)};
  } else {
    return {dot3(0, 0)};
  }
}

// H = sum c_i m_i^2 / 2, a free body on the group.
struct QuadraticEnergy {
  template <class G, class S>
  static S value(const Covector<G, S>& m) {
    S sum(0);
    for (std::size_t i = 0; i < G::dimension; ++i) sum = sum + S(0.5) * S(weight(i)) * m[i] * m[i];
    return sum;
  }
  static double weight(std::size_t i) { return 0.375 + 0.25 * static_cast<double>((5 * i) % 7); }
};
template <class G>
struct BodyForm {
  template <class S>
  AlgebraOf<G, S> operator()(const S&, const Covector<G, S>& m) const {
    AlgebraOf<G, S> w;
    for (std::size_t i = 0; i < G::dimension; ++i) w[i] = S(-QuadraticEnergy::weight(i)) * m[i];
    return w;
  }
};

template <class G>
struct Coadjoint : ::testing::Test {};
TYPED_TEST_SUITE(Coadjoint, groups::All, groups::Names);

TYPED_TEST(Coadjoint, PairsWithTheAdjointAction) {
  using G = TypeParam;
  const auto g = exp(generator<G>(1)), h = exp(generator<G>(2));
  const auto m = covector<G>(3);
  EXPECT_NEAR(static_cast<double>(pairing(g * m, adjoint(g, generator<G>(4))) - pairing(m, generator<G>(4))), 0,
              512 * eps);
  EXPECT_LE(gap<G>((g * h) * m, g * (h * m)), 512 * eps);
  EXPECT_EQ((ElementOf<G, Real>{} * m), m);
}

// (exp(s w) m)' = -<m, [w, .]> at s = 0: the sign of the equations of motion.
TYPED_TEST(Coadjoint, GeneratesTheBracket) {
  using G = TypeParam;
  using S = Series<Real, 1>;
  AlgebraOf<G, S> path;
  const auto w = generator<G>(5);
  for (std::size_t i = 0; i < G::dimension; ++i) path[i] = w[i] * S::variable(0);
  const auto m = covector<G>(6);
  const auto moved = exp(path) * cast<S>(m);
  for (std::size_t i = 0; i < G::dimension; ++i) {
    AlgebraOf<G, Real> unit{};
    unit[i] = 1;
    EXPECT_NEAR(static_cast<double>(moved[i].c[1] + pairing(m, bracket(w, unit))), 0, 64 * eps);
  }
}

// Casimir functions are kept by every method at every step; the energy only as well as the motion is followed.
template <class G, class Method>
void expect_orbit() {
  const auto m0 = covector<G>(7);
  auto m = m0;
  double largest = 1;
  for (int n = 0; n < 40; ++n) {
    m = lie_step<G, Method>(BodyForm<G>{}, m, Real(n) / 5, Real(0.2L));
    largest = std::fmax(largest, gap<G>(m, {}));
  }
  ASSERT_LT(largest, 4);
  const double rounding = 40 * 64 * eps * largest * largest;
  const auto before = casimirs<G>(m0), after = casimirs<G>(m);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(static_cast<double>(after[i] - before[i]), 0, rounding) << "Casimir " << i;
  EXPECT_GE(gap<G>(m, m0), 0.1);
  EXPECT_GE(std::abs(static_cast<double>(QuadraticEnergy::value(m) - QuadraticEnergy::value(m0))), 1e-12);
}
TYPED_TEST(Coadjoint, OrbitsAreKept) {
  expect_orbit<TypeParam, lie::MuntheKaas<2>>();
  expect_orbit<TypeParam, lie::MuntheKaas<4>>();
  expect_orbit<TypeParam, lie::CommutatorFree4>();
  expect_orbit<TypeParam, lie::Midpoint>();
  expect_orbit<TypeParam, lie::Taylor<3>>();
}

// The special covectors of SE(3) are the general ones.
TEST(Cotwists, MoveAsCovectors) {
  const auto g = exp(generator<SE3>(8));
  const auto m = covector<SE3>(9);
  Cotwist<Real> special;
  for (std::size_t i = 0; i < 6; ++i) special[i] = m[i];
  const auto moved = g * m;
  const auto moved_special = g * special;
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(static_cast<double>(moved_special[i] - moved[i]), 0, 16 * eps);
  EXPECT_NEAR(static_cast<double>(pairing(special, generator<SE3>(4)) - pairing(m, generator<SE3>(4))), 0, 4 * eps);
}

template <class Method, class Error>
void expect_order(const Error& error) {
  std::vector<ErrorAtStep> errors;
  for (const int steps : {16, 24, 32, 48, 64, 96, 128, 192}) errors.push_back({1.0 / steps, error(steps)});
  const auto fit = observed_order(errors, 1e-16, Method::order > 6 ? 1e-8 : 0.1);
  ASSERT_TRUE(fit.has_value()) << "order " << Method::order;
  EXPECT_NEAR(fit->order, Method::order, 0.2) << "from step " << fit->from_step << " to " << fit->to_step;
}

// Euler's equations m' = m x w in Jacobi's functions, from a start with m_2 = 0.
struct FreeBody {
  Vec3<Real> inertia{0.9L, 1.1L, 1.7L}, start{0.5L, 0, 2};

  Covector<SO3, Real> at(Real t) const {
    const auto [I1, I2, I3] = std::array{inertia.x, inertia.y, inertia.z};
    const Real square = start.x * start.x + start.z * start.z;
    const Real twice_energy = start.x * start.x / I1 + start.z * start.z / I3;
    const Real high = twice_energy * I3 - square, low = square - twice_energy * I1;
    const Real rate = std::sqrt((I3 - I2) * low / (I1 * I2 * I3));
    const Real k = std::sqrt((I2 - I1) * high / ((I3 - I2) * low));
    Real cn = 0, dn = 0;
    const Real sn = boost::math::jacobi_elliptic(k, rate * t, &cn, &dn);
    return {{I1 * std::sqrt(high / (I1 * (I3 - I1))) * cn, I2 * std::sqrt(high / (I2 * (I3 - I2))) * sn,
             I3 * std::sqrt(low / (I3 * (I3 - I1))) * dn}};
  }
};
template <class Method>
void expect_order_on_free_body() {
  const FreeBody body;
  const auto w = [&](const auto&, const auto& m) {
    using S = std::decay_t<decltype(m[0])>;
    return Vec3<S>{-m[0] / S(body.inertia.x), -m[1] / S(body.inertia.y), -m[2] / S(body.inertia.z)};
  };
  expect_order<Method>(
      [&](int steps) { return gap<SO3>(integrate<SO3, Method>(w, body.at(0), Real(0), Real(4), steps), body.at(4)); });
}
TEST(EulersEquations, OrdersAgainstJacobisFunctions) {
  expect_order_on_free_body<lie::MuntheKaas<4>>();
  expect_order_on_free_body<lie::MuntheKaas<8>>();
  expect_order_on_free_body<lie::CommutatorFree4>();
  expect_order_on_free_body<lie::Midpoint>();
  expect_order_on_free_body<lie::Taylor<6>>();
}

// A type of one's own that rotations act on: symmetric matrices, L -> R L R^T.
template <class T>
struct Symmetric3 {
  SquareMatrix<T, 3> m;

  friend Symmetric3 operator*(const Rotation<T>& R, const Symmetric3& L) {
    const Mat3<T> rows = matrix(R);
    SquareMatrix<T, 3> Q;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) Q(i, j) = rows[i][j];
    return {Q * L.m * transpose(Q)};
  }
};
template <class To, class From>
Symmetric3<To> cast(const Symmetric3<From>& L) {
  Symmetric3<To> made;
  for (std::size_t i = 0; i < 9; ++i) made.m.entries[i] = static_cast<To>(L.m.entries[i]);
  return made;
}

// Toda's lattice, after Flaschka: L' = [B, L] where the skew B has minus the lower part of L for its own. Its solution,
// after Symes, is L(t) = Q^T L(0) Q with exp(t L(0)) = Q R, R upper triangular.
const auto toda = [](const auto&, const auto& L) {
  return Vec3<std::decay_t<decltype(L.m(0, 0))>>{-L.m(2, 1), L.m(2, 0), -L.m(1, 0)};
};
const Symmetric3<Real> lattice{{{0.5L, 0.8L, 0, 0.8L, -0.25L, -0.6L, 0, -0.6L, 1.0L}}};

SquareMatrix<Real, 3> toda_solution(Real t) {
  auto term = SquareMatrix<Real, 3>::identity(), E = term;
  for (int k = 1; k < 80; ++k) {
    term = term * lattice.m;
    for (Real& entry : term.entries) entry *= t / Real(k);
    E = E + term;
  }
  SquareMatrix<Real, 3> Q;
  for (std::size_t j = 0; j < 3; ++j) {  // Gram and Schmidt, twice over for the last digits
    std::array<Real, 3> column{E(0, j), E(1, j), E(2, j)};
    for (std::size_t k = 0; k < 2 * j; ++k) {
      Real along = 0;
      for (std::size_t i = 0; i < 3; ++i) along += Q(i, k % j) * column[i];
      for (std::size_t i = 0; i < 3; ++i) column[i] -= along * Q(i, k % j);
    }
    const Real length = std::hypot(column[0], column[1], column[2]);
    for (std::size_t i = 0; i < 3; ++i) Q(i, j) = column[i] / length;
  }
  return transpose(Q) * lattice.m * Q;
}
Real trace(const SquareMatrix<Real, 3>& m) { return m(0, 0) + m(1, 1) + m(2, 2); }

template <class Method>
void expect_order_on_lattice() {
  const auto exact = toda_solution(2);
  expect_order<Method>([&](int steps) {
    return groups::distance(integrate<SO3, Method>(toda, lattice, Real(0), Real(2), steps).m, exact);
  });
}
TEST(TodaLattice, OrdersAgainstOrthogonalisation) {
  expect_order_on_lattice<lie::MuntheKaas<4>>();
  expect_order_on_lattice<lie::CommutatorFree4>();
  expect_order_on_lattice<lie::Midpoint>();
  expect_order_on_lattice<lie::Taylor<6>>();
}

// The spectrum is kept even by Euler's method at large steps, where the matrix itself is far off.
TEST(TodaLattice, KeepsTheSpectrum) {
  const auto L = integrate<SO3, lie::Euler>(toda, lattice, Real(0), Real(2), 5).m;
  const auto &L0 = lattice.m, square = L * L, square0 = L0 * L0;
  EXPECT_GE(groups::distance(L, toda_solution(2)), 0.01);
  EXPECT_NEAR(static_cast<double>(trace(L) - trace(L0)), 0, 128 * eps);
  EXPECT_NEAR(static_cast<double>(trace(square) - trace(square0)), 0, 128 * eps);
  EXPECT_NEAR(static_cast<double>(trace(square * L) - trace(square0 * L0)), 0, 128 * eps);
}

// After a long time L is diagonal, with its eigenvalues in order: the largest first.
TEST(TodaLattice, SortsTheEigenvalues) {
  const auto L = integrate<SO3, lie::MuntheKaas<4>>(toda, lattice, Real(0), Real(60), 600).m;
  EXPECT_GT(L(0, 0), L(1, 1));
  EXPECT_GT(L(1, 1), L(2, 2));
  EXPECT_LE(std::abs(L(1, 0)) + std::abs(L(2, 1)) + std::abs(L(2, 0)), 1e-15L);
  EXPECT_NEAR(static_cast<double>(L(0, 0) * L(1, 1) * L(2, 2) - determinant(lattice.m)), 0, 1e-15);
}

}  // namespace
}  // namespace polhode::lie_coadjoint_test
