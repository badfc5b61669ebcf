// y' = W(t) y and y' = y W(t) on every Lie group: the order of the steps against an independent solution, closed forms,
// and what one step must do exactly.
#include "polhode/core/product_integral.hpp"

#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "lie_groups.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/taylor.hpp"

namespace polhode::product_integral_test {
namespace {

using Real = long double;
using groups::Meaning;

constexpr double eps = std::numeric_limits<double>::epsilon();

// A generator of any group that does not commute with itself at other times: sines, exponentials and polynomials with
// other numbers in every coordinate. For times of any scalar.
template <class G>
struct Wandering {
  template <class S>
  AlgebraOf<G, S> operator()(const S& t) const {
    AlgebraOf<G, S> w;
    for (std::size_t i = 0; i < G::dimension; ++i) {
      const int k = static_cast<int>(i);
      const S phase = S(1 + k % 3) * t + S(2 * k);
      w[i] =
          sin(phase) + S(0.5) * exp(S(-0.5 * (k % 2)) * t) * cos(S(k) * t) + S(0.25 * (k - 2)) * t * t - S(0.125) * t;
    }
    return w;
  }
};

// The matrix equation by Fehlberg's method of order 8, for which the group is sixteen numbers like any others.
template <class G>
groups::MatrixOf<G, Real> by_fehlberg(Frame frame, int steps) {
  using Matrix = groups::MatrixOf<G, Real>;
  using State = decltype(Matrix::entries);
  const auto equation = [frame](const State& in, State& out, Real t) {
    const Matrix W = groups::of_generator<G, Real, Real>(Wandering<G>{}(t));
    const Matrix M{in};
    out = (frame == Frame::spatial ? W * M : M * W).entries;
  };
  boost::numeric::odeint::runge_kutta_fehlberg78<State, Real> fehlberg;
  State y = Matrix::identity().entries;
  for (int i = 0; i < steps; ++i) fehlberg.do_step(equation, y, Real(i) / Real(steps), 1 / Real(steps));
  return {y};
}

// The error in the Frobenius norm: unlike the largest entry it is smooth in the step.
template <class G, class T>
double error(const ElementOf<G, T>& y, const groups::MatrixOf<G, Real>& exact) {
  return static_cast<double>(std::sqrt(squared_norm(groups::of_element<G, Real, T>(y) - exact)));
}

template <class G>
struct ProductIntegral : ::testing::Test {};
TYPED_TEST_SUITE(ProductIntegral, groups::All, groups::Names);

template <class G, std::size_t N, Frame frame, class W>
void expect_order(const W& w, const groups::MatrixOf<G, Real>& exact) {
  std::vector<ErrorAtStep> errors;
  for (const int steps : {12, 16, 24, 32, 48, 64, 96, 128}) {
    const auto y = integrate<G, N, frame>(w, ElementOf<G, Real>{}, Real(0), Real(1), steps);
    errors.push_back({1.0 / steps, error<G, Real>(y, exact)});
  }
  const auto fit = observed_order(errors, 1e-16, 0.1);
  ASSERT_TRUE(fit.has_value()) << "order " << N;
  EXPECT_NEAR(fit->order, static_cast<double>(N), 0.2) << "from step " << fit->from_step << " to " << fit->to_step;
}

template <class G, Frame frame, class W, std::size_t... Orders>
void expect_orders(const W& w, const groups::MatrixOf<G, Real>& exact, std::index_sequence<Orders...>) {
  (expect_order<G, Orders, frame>(w, exact), ...);
}

// All orders on two groups that have little in common, the ends of the range on the others: the steps are the same
// template, and every term of it is in the last order.
template <class G>
inline constexpr bool in_full = std::is_same_v<G, SE3> || std::is_same_v<G, SL2R>;
template <class G>
using OrdersOn = std::conditional_t<in_full<G>, std::index_sequence<1, 2, 3, 4, 5, 6, 7, 8>, std::index_sequence<1, 8>>;

template <class G, Frame frame>
void expect_orders_against_fehlberg() {
  const auto exact = by_fehlberg<G>(frame, 300);
  ASSERT_LT(groups::distance(exact, by_fehlberg<G>(frame, 200)), 1e-17);  // a tenth of the smallest error fitted
  expect_orders<G, frame>(Wandering<G>{}, exact, OrdersOn<G>());
}
TYPED_TEST(ProductIntegral, OrdersInSpatialForm) { expect_orders_against_fehlberg<TypeParam, Frame::spatial>(); }
TYPED_TEST(ProductIntegral, OrdersInBodyForm) { expect_orders_against_fehlberg<TypeParam, Frame::body>(); }

// A solution known in closed form: y = exp(sin(t) a) exp(t^2 b) has the spatial generator cos(t) a + 2 t Ad_g b with
// g = exp(sin(t) a), and the body generator cos(t) Ad_g a + 2 t b with g = exp(-t^2 b).
template <class G, Frame frame>
struct TwoFactors {
  template <class S>
  static AlgebraOf<G, S> a() {
    AlgebraOf<G, S> x;
    for (std::size_t i = 0; i < G::dimension; ++i) x[i] = S(0.75 - 0.5 * static_cast<double>(i));
    return x;
  }
  template <class S>
  static AlgebraOf<G, S> b() {
    AlgebraOf<G, S> x;
    for (std::size_t i = 0; i < G::dimension; ++i) x[i] = S(0.25 + (i % 2 == 0 ? 0.5 : -0.75) * static_cast<double>(i));
    return x;
  }
  template <class S>
  static ElementOf<G, S> solution(const S& t) {
    return exp(S(sin(t)) * a<S>()) * exp(S(t * t) * b<S>());
  }
  template <class S>
  AlgebraOf<G, S> operator()(const S& t) const {
    const AlgebraOf<G, S> da = S(cos(t)) * a<S>(), db = S(S(2) * t) * b<S>();
    if constexpr (frame == Frame::spatial) return da + adjoint(exp(S(sin(t)) * a<S>()), db);
    return adjoint(exp(S(-t * t) * b<S>()), da) + db;
  }
};
template <class G, Frame frame>
void expect_orders_against_closed_form() {
  using Case = TwoFactors<G, frame>;
  const auto exact = groups::of_element<G, Real, Real>(Case::solution(Real(1)));
  expect_orders<G, frame>(Case{}, exact, std::index_sequence<3, 8>());
}
TYPED_TEST(ProductIntegral, OrdersAgainstAClosedForm) {
  expect_orders_against_closed_form<TypeParam, Frame::spatial>();
  expect_orders_against_closed_form<TypeParam, Frame::body>();
}

// One step is exact where W does not change, and where it commutes with itself and is a polynomial of degree N - 1.
TYPED_TEST(ProductIntegral, OneStepIsExactWhereNothingIsLeftOut) {
  using G = TypeParam;
  const auto x = Wandering<G>{}(0.3);
  const auto scaled = [&x](const auto& factor) {
    using S = std::decay_t<decltype(factor)>;
    AlgebraOf<G, S> w;
    for (std::size_t i = 0; i < G::dimension; ++i) w[i] = factor * x[i];
    return w;
  };
  const auto constant = [&](const auto& t) { return scaled(decltype(t * t)(1)); };
  const auto cubic = [&](const auto& t) { return scaled(1.0 - t + 0.75 * t * t + 2.0 * t * t * t); };
  const ElementOf<G, double> one{};
  const auto matrix = [](const auto& g) { return groups::of_element<G, double, double>(g); };
  const auto distance = [&](const auto& g, const auto& h) { return groups::distance(matrix(g), matrix(h)); };
  EXPECT_LE(distance(integrate<G, 1>(constant, one, 0.0, 1.0, 1), exp(x)), 16 * eps);
  EXPECT_LE(distance(integrate<G, 8>(constant, one, 0.0, 1.0, 1), exp(x)), 16 * eps);
  EXPECT_LE(distance(integrate<G, 4>(cubic, one, 0.0, 1.0, 1), exp(1.25 * x)), 32 * eps);
  EXPECT_LE(distance(integrate<G, 8, Frame::body>(cubic, one, 0.0, 1.0, 1), exp(1.25 * x)), 32 * eps);
  EXPECT_GE(distance(integrate<G, 3>(cubic, one, 0.0, 1.0, 1), exp(1.25 * x)), 0.01);
}

// A vector is moved by the same steps as an element.
TYPED_TEST(ProductIntegral, VectorsFollowElements) {
  using G = TypeParam;
  auto components = Meaning<G>::components(VectorOf<G, double>{});
  for (std::size_t i = 0; i < components.size(); ++i) components[i] = 0.5 - 0.375 * static_cast<double>(i);
  const auto v0 = Meaning<G>::vector(components);
  const auto y = integrate<G, 5>(Wandering<G>{}, ElementOf<G, double>{}, 0.0, 1.0, 20);
  const auto moved = Meaning<G>::components(integrate<G, 5>(Wandering<G>{}, v0, 0.0, 1.0, 20));
  const auto expected = Meaning<G>::components(y * v0);
  for (std::size_t i = 0; i < moved.size(); ++i) EXPECT_NEAR(moved[i], expected[i], 20 * 16 * eps);
}

// y' = y W has the inverse z = y^-1 with z' = -W z, step for step.
TYPED_TEST(ProductIntegral, BodyFormIsTheInverseOfTheSpatialForm) {
  using G = TypeParam;
  const auto opposite = [](const auto& t) { return decltype(t * t)(-1) * Wandering<G>{}(t); };
  const auto y = integrate<G, 6, Frame::body>(Wandering<G>{}, ElementOf<G, double>{}, 0.0, 1.0, 4);
  const auto z = integrate<G, 6>(opposite, ElementOf<G, double>{}, 0.0, 1.0, 4);
  EXPECT_LE(
      groups::distance(groups::of_element<G, double, double>(inverse(y)), groups::of_element<G, double, double>(z)),
      4 * 16 * eps);
}

// From t = 1 back to 0, and to the same place from another start: y(1) y0.
TYPED_TEST(ProductIntegral, BackwardsAndFromAnyStart) {
  using G = TypeParam;
  const ElementOf<G, Real> one{};
  const auto exact = by_fehlberg<G>(Frame::spatial, 200);
  const auto there = integrate<G, 8>(Wandering<G>{}, one, Real(0), Real(1), 60);
  const auto back = integrate<G, 8>(Wandering<G>{}, there, Real(1), Real(0), 60);
  const groups::MatrixOf<G, Real> identity = groups::MatrixOf<G, Real>::identity();
  EXPECT_LT((error<G, Real>(there, exact)), 1e-14);
  EXPECT_LT((error<G, Real>(back, identity)), 1e-14);
  const auto start = exp(Wandering<G>{}(Real(2)));
  const auto moved = integrate<G, 8>(Wandering<G>{}, start, Real(0), Real(1), 60);
  EXPECT_LT((error<G, Real>(moved, exact * groups::of_element<G, Real, Real>(start))), 1e-13);
}

// Every scalar reaches its own rounding, a few units for each of the steps; in double the truncation is below that.
template <class G, class T>
void expect_rounding(const groups::MatrixOf<G, Real>& exact) {
  const auto y = integrate<G, 8>(Wandering<G>{}, ElementOf<G, T>{}, T(0), T(1), 80);
  EXPECT_LE((error<G, T>(y, exact)), 80 * 4 * static_cast<double>(std::numeric_limits<T>::epsilon()));
}
TYPED_TEST(ProductIntegral, FloatAndDouble) {
  const auto exact = by_fehlberg<TypeParam>(Frame::spatial, 200);
  expect_rounding<TypeParam, float>(exact);
  expect_rounding<TypeParam, double>(exact);
}

// However many steps: elements stored with a constraint are kept on it. In SL(2,R) rounding may add up.
TYPED_TEST(ProductIntegral, StaysInTheGroup) {
  using G = TypeParam;
  constexpr int steps = 50000;
  const auto y = integrate<G, 2>(Wandering<G>{}, ElementOf<G, double>{}, 0.0, 2.0, steps);
  const auto matrix = groups::of_element<G, double, double>(y);
  EXPECT_LE(groups::defect<G>(matrix), (requires { renormalised(y); } ? 16 : steps * squared_norm(matrix)) * eps);
}

// Rabi's formula: in a field that turns with the rate n about axis 3, H = b (cos(n t) s1 + sin(n t) s2) + c s3, a spin
// that starts up is found up with the probability 1 - (b/f)^2 sin^2(f t), f^2 = b^2 + (c - n/2)^2.
TEST(Spins, FlipAsRabiSays) {
  const double n = 3, b = 1, c = 0.5, end = 10;
  const auto field = [=](const auto& t) { return pauli(b * cos(n * t), b * sin(n * t), c); };
  const Spinor<double> psi = integrate<SU2, 8>(field, Spinor<double>{{1, 0}, {0, 0}}, 0.0, end, 1000);
  const double f = std::sqrt(b * b + (c - n / 2) * (c - n / 2)), flip = b / f * std::sin(f * end);
  EXPECT_NEAR(squared_norm(psi.up), 1 - flip * flip, 1000 * 4 * eps);
  EXPECT_NEAR(squared_norm(psi.down), flip * flip, 1000 * 4 * eps);
}

// A free symmetric body has a velocity known in closed form. One step of the Taylor method, which finds its derivatives
// from the equations of motion, is one step of the product integral.
template <std::size_t N>
void expect_taylor_step() {
  using M = Taylor<N>;
  const System<double, Free> sys{Body<double>({2, 2, 1}), {}};
  const State<double> s{exp(Vec3<double>{0.3, -0.2, 0.5}), {1.0, 0.0, 1.5}, 0};
  Work work;
  const double h = 0.3;
  auto memory = start<M>(sys, s, h, work);
  const State<double> next = advance<M>(sys, s, memory, h, work);
  const auto w_B = [](const auto& t) {  // d w_1/dt = n w_2, d w_2/dt = -n w_1 with n = (I_1 - I_3)/I_1 w_3
    using S = std::decay_t<decltype(t)>;
    return Vec3<S>{0.5 * cos(0.75 * t), -0.5 * sin(0.75 * t), S(1.5)};
  };
  const auto same = integrate<SO3, N, Frame::body>(w_B, s.R_SB, 0.0, h, 1);
  EXPECT_LE(chordal_distance(next.R_SB, same), 8 * eps) << "order " << N;
}
TEST(TaylorMethod, IsTheProductIntegralOnRotations) {
  expect_taylor_step<1>();
  expect_taylor_step<2>();
  expect_taylor_step<3>();
  expect_taylor_step<4>();
  expect_taylor_step<5>();
  expect_taylor_step<6>();
  expect_taylor_step<7>();
  expect_taylor_step<8>();
}

}  // namespace
}  // namespace polhode::product_integral_test
