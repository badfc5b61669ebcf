// y' = W(t, y) y and y' = y W(t, y) on every Lie group: orders against an independent solution of the matrix equation,
// what every step keeps, and which steps lead back.
#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <type_traits>
#include <vector>

#include "count_allocations.hpp"
#include "lie_groups.hpp"
#include "polhode/core/groups/product.hpp"
#include "polhode/core/lie_methods.hpp"
#include "polhode/core/lie_taylor.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/commutator_free.hpp"
#include "polhode/methods/lie_composition.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::lie_flow_test {
namespace {

using Real = long double;
using groups::Matrix;
using groups::Meaning;

constexpr double eps = std::numeric_limits<Real>::epsilon();
constexpr double double_eps = std::numeric_limits<double>::epsilon();

// Coordinates of a generator that depend on the time and on every entry of the matrix, and stay below 1.5.
template <class G, class S>
std::array<S, G::dimension> law(const S& t, const groups::MatrixOf<G, S>& M) {
  std::array<S, G::dimension> x;
  for (std::size_t i = 0; i < G::dimension; ++i) {
    S mixed(0);
    for (std::size_t j = 0; j < M.entries.size(); ++j)
      mixed = mixed + S(0.25 * static_cast<double>((3 * i + 5 * j) % 7) - 0.625) * M.entries[j];
    x[i] = sin(S(static_cast<int>(1 + i % 3)) * t + S(2 * static_cast<int>(i))) + S(0.5) * sin(mixed);
  }
  return x;
}

// The same for an element of the group, whose matrix is what it does to the basis vectors.
template <class G>
struct Feedback {
  template <class S>
  AlgebraOf<G, S> operator()(const S& t, const ElementOf<G, S>& y) const {
    const auto x = law<G>(t, groups::of_element<G, S, S>(y));
    AlgebraOf<G, S> w;
    for (std::size_t i = 0; i < G::dimension; ++i) w[i] = x[i];
    return w;
  }
};

template <class G>
groups::MatrixOf<G, Real> rate(Frame frame, const groups::MatrixOf<G, Real>& M, Real t) {
  const groups::MatrixOf<G, Real> W = Meaning<G>::generator(law<G>(t, M).data());
  return frame == Frame::spatial ? W * M : M * W;
}

// The matrix equation by Fehlberg's method of order 8, for which the group is so many numbers like any others.
template <class G>
groups::MatrixOf<G, Real> by_fehlberg(Frame frame, int steps) {
  using State = decltype(groups::MatrixOf<G, Real>::entries);
  const auto equation = [frame](const State& in, State& out, Real t) { out = rate<G>(frame, {in}, t).entries; };
  boost::numeric::odeint::runge_kutta_fehlberg78<State, Real> fehlberg;
  State y = groups::MatrixOf<G, Real>::identity().entries;
  for (int i = 0; i < steps; ++i) fehlberg.do_step(equation, y, Real(i) / Real(steps), 1 / Real(steps));
  return {y};
}

template <class G, class Method, Frame frame>
void expect_order(const groups::MatrixOf<G, Real>& exact) {
  std::vector<ErrorAtStep> errors;
  for (const int steps : {12, 16, 24, 32, 48, 64, 96}) {
    const auto y = integrate<G, Method, frame>(Feedback<G>{}, ElementOf<G, Real>{}, Real(0), Real(1), steps);
    const auto missed = groups::of_element<G, Real, Real>(y) - exact;
    errors.push_back({1.0 / steps, static_cast<double>(std::sqrt(squared_norm(missed)))});
  }
  // At long steps the next term of the error is still seen, the more the higher the order.
  const auto fit = observed_order(errors, 1e-16, Method::order > 6 ? 1e-11 : 0.1);
  ASSERT_TRUE(fit.has_value()) << "order " << Method::order;
  EXPECT_NEAR(fit->order, Method::order, 0.2) << "from step " << fit->from_step << " to " << fit->to_step;
}

// All methods on one group in each form, and on two groups that have little in common; on the others one of each kind.
template <class G, Frame frame>
inline constexpr bool in_full = (std::is_same_v<G, SE3> && frame == Frame::body) ||
                                (std::is_same_v<G, SL2R> && frame == Frame::spatial);

template <class G, Frame frame>
void expect_orders() {
  const auto exact = by_fehlberg<G>(frame, 300);
  ASSERT_LT(groups::distance(exact, by_fehlberg<G>(frame, 200)), 1e-17);  // a tenth of the smallest error fitted
  expect_order<G, lie::MuntheKaas<8>, frame>(exact);
  expect_order<G, lie::CommutatorFree4, frame>(exact);
  expect_order<G, lie::Midpoint, frame>(exact);
  expect_order<G, lie::Taylor<5>, frame>(exact);
  if constexpr (in_full<G, frame>) {
    expect_order<G, lie::Euler, frame>(exact);
    expect_order<G, lie::MuntheKaas<2>, frame>(exact);
    expect_order<G, lie::MuntheKaas<4>, frame>(exact);
    expect_order<G, lie::MuntheKaas<6>, frame>(exact);
    expect_order<G, lie::Composed<lie::Midpoint, lie::Suzuki<2>>, frame>(exact);
    expect_order<G, lie::Composed<lie::Midpoint, lie::KahanLi6>, frame>(exact);
    expect_order<G, lie::Composed<lie::Midpoint, lie::KahanLi8>, frame>(exact);
    expect_order<G, lie::Taylor<1>, frame>(exact);
    expect_order<G, lie::Taylor<2>, frame>(exact);
    expect_order<G, lie::Taylor<8>, frame>(exact);
  }
}

template <class G>
struct LieFlow : ::testing::Test {};
TYPED_TEST_SUITE(LieFlow, groups::All, groups::Names);

TYPED_TEST(LieFlow, OrdersInSpatialForm) { expect_orders<TypeParam, Frame::spatial>(); }
TYPED_TEST(LieFlow, OrdersInBodyForm) { expect_orders<TypeParam, Frame::body>(); }

template <class G>
auto matrix(const ElementOf<G, Real>& g) {
  return groups::of_element<G, Real, Real>(g);
}
template <class G>
double distance(const ElementOf<G, Real>& a, const ElementOf<G, Real>& b) {
  return groups::distance(matrix<G>(a), matrix<G>(b));
}
template <class G>
double size_of(const ElementOf<G, Real>& g) {
  return std::fmax(1.0, largest_entry(matrix<G>(g)));
}

// Whatever the step; the classical method on the entries of the matrix leaves the group at once.
TYPED_TEST(LieFlow, StaysInTheGroup) {
  using G = TypeParam;
  const auto defect_of = [](const ElementOf<G, Real>& y) {
    return groups::defect<G>(matrix<G>(y)) / std::pow(size_of<G>(y), 2);
  };
  const auto w = Feedback<G>{};
  const ElementOf<G, Real> one{};
  EXPECT_LE(defect_of(integrate<G, lie::MuntheKaas<4>>(w, one, Real(0), Real(4), 10)), 10 * 16 * eps);
  EXPECT_LE(defect_of(integrate<G, lie::CommutatorFree4>(w, one, Real(0), Real(4), 10)), 10 * 16 * eps);
  EXPECT_LE(defect_of(integrate<G, lie::Taylor<5>, Frame::body>(w, one, Real(0), Real(4), 10)), 10 * 16 * eps);

  auto M = groups::MatrixOf<G, Real>::identity();
  const Real h = 0.4L;
  for (int n = 0; n < 5; ++n) {
    const auto part = [](auto m, Real s) {
      for (Real& entry : m.entries) entry *= s;
      return m;
    };
    const Real t = Real(n) * h;
    const auto k1 = rate<G>(Frame::spatial, M, t), k2 = rate<G>(Frame::spatial, M + part(k1, h / 2), t + h / 2);
    const auto k3 = rate<G>(Frame::spatial, M + part(k2, h / 2), t + h / 2);
    const auto k4 = rate<G>(Frame::spatial, M + part(k3, h), t + h);
    M = M + part(k1 + k2 + k2 + k3 + k3 + k4, h / 6);
  }
  EXPECT_GE(groups::defect<G>(M), 1e-5);
}

// There and back: how far from the start, per unit of its size.
template <class G, class Method, Frame frame>
double not_returned() {
  ElementOf<G, Real> y{};
  const int steps = 10;
  const Real h = 0.1L;
  double largest = 1;
  for (int n = 0; n < steps; ++n) {
    y = lie_step<G, Method, frame>(Feedback<G>{}, y, Real(n) * h, h);
    largest = std::fmax(largest, size_of<G>(y));
  }
  for (int n = steps; n > 0; --n) y = lie_step<G, Method, frame>(Feedback<G>{}, y, Real(n) * h, -h);
  return distance<G>(y, {}) / (largest * largest);
}
TYPED_TEST(LieFlow, LeadsBackWhereItSaysSo) {
  using G = TypeParam;
  EXPECT_TRUE(lie::Midpoint::symmetric);
  EXPECT_LE((not_returned<G, lie::Midpoint, Frame::spatial>()), 20 * 16 * eps);
  EXPECT_LE((not_returned<G, lie::Midpoint, Frame::body>()), 20 * 16 * eps);
  using Fourth = lie::Composed<lie::Midpoint, lie::Suzuki<2>>;
  EXPECT_TRUE(Fourth::symmetric);
  EXPECT_LE((not_returned<G, Fourth, Frame::spatial>()), 100 * 16 * eps);
  EXPECT_FALSE(lie::MuntheKaas<4>::symmetric || lie::CommutatorFree4::symmetric || lie::Taylor<5>::symmetric);
  EXPECT_GE((not_returned<G, lie::MuntheKaas<4>, Frame::spatial>()), 1e-9);
  EXPECT_GE((not_returned<G, lie::CommutatorFree4, Frame::spatial>()), 1e-9);
  EXPECT_GE((not_returned<G, lie::Taylor<5>, Frame::spatial>()), 1e-12);
}

// y' = y W(t, y) has the inverse z = y^-1 with z' = -W(t, z^-1) z, step for step.
template <class G, class Method>
double gap_of_forms() {
  const auto opposite = [](const auto& t, const auto& z) {
    return std::decay_t<decltype(t)>(-1) * Feedback<G>{}(t, inverse(z));
  };
  const ElementOf<G, Real> one{};
  const auto y = integrate<G, Method, Frame::body>(Feedback<G>{}, one, Real(0), Real(1), 4);
  return distance<G>(inverse(y), integrate<G, Method>(opposite, one, Real(0), Real(1), 4)) / size_of<G>(y);
}
TYPED_TEST(LieFlow, BodyFormIsTheInverseOfTheSpatialForm) {
  using G = TypeParam;
  EXPECT_LE((gap_of_forms<G, lie::MuntheKaas<8>>()), 128 * eps);
  EXPECT_LE((gap_of_forms<G, lie::CommutatorFree4>()), 128 * eps);
  EXPECT_LE((gap_of_forms<G, lie::Midpoint>()), 128 * eps);
  EXPECT_LE((gap_of_forms<G, lie::Taylor<5>>()), 128 * eps);
}

// A generator that does not look at the state: Taylor's method is the product integral, and a constant one is exact.
TYPED_TEST(LieFlow, WithoutTheStateItIsTheProductIntegral) {
  using G = TypeParam;
  const auto of_time = [](const auto& t) { return Feedback<G>{}(t, ElementOf<G, std::decay_t<decltype(t)>>{}); };
  const auto of_state = [&](const auto& t, const auto&) { return of_time(t); };
  const ElementOf<G, Real> one{};
  const auto expected = integrate<G, 5>(of_time, one, Real(0), Real(1), 6);
  EXPECT_LE(distance<G>(integrate<G, lie::Taylor<5>>(of_state, one, Real(0), Real(1), 6), expected), 128 * eps);

  const auto x = of_time(Real(0.75));
  const auto constant = [&x](const auto&, const auto&) { return x; };
  const auto there = exp(Real(1.5) * x);
  const double allowed = 32 * eps * size_of<G>(there);
  EXPECT_LE(distance<G>(integrate<G, lie::Euler>(constant, one, Real(0), Real(1.5), 1), there), allowed);
  EXPECT_LE(distance<G>(integrate<G, lie::MuntheKaas<8>>(constant, one, Real(0), Real(1.5), 1), there), allowed);
  EXPECT_LE(distance<G>(integrate<G, lie::CommutatorFree4>(constant, one, Real(0), Real(1.5), 1), there), allowed);
  EXPECT_LE(distance<G>(integrate<G, lie::Midpoint>(constant, one, Real(0), Real(1.5), 1), there), allowed);
}

TYPED_TEST(LieFlow, AllocatesNothing) {
  using G = TypeParam;
  const long long before = allocations;
  integrate<G, lie::MuntheKaas<8>>(Feedback<G>{}, ElementOf<G, Real>{}, Real(0), Real(1), 2);
  integrate<G, lie::Midpoint>(Feedback<G>{}, ElementOf<G, Real>{}, Real(0), Real(1), 2);
  integrate<G, lie::Taylor<5>>(Feedback<G>{}, ElementOf<G, Real>{}, Real(0), Real(1), 2);
  EXPECT_EQ(allocations, before);
}

// The compiler can make steps, too.
constexpr auto drawn = [](const auto&, const auto& R) {
  using S = std::decay_t<decltype(R.w)>;
  return R * Vec3<S>{0.25, 0.5, -0.125} + Vec3<S>{-0.5, 0, 0.75};
};
constexpr auto first_step = [](const auto& method) {
  return lie_step<SO3, std::decay_t<decltype(method)>>(drawn, Rotation<double>{}, 0.0, 0.0625).v;
};
static_assert(squared_norm(first_step(lie::MuntheKaas<4>{}) - first_step(lie::Taylor<3>{})) < 1e-12);
static_assert(squared_norm(first_step(lie::MuntheKaas<4>{}) - first_step(lie::CommutatorFree4{})) < 1e-12);
static_assert(squared_norm(first_step(lie::MuntheKaas<4>{})) > 1e-4);

// Half a turn a step with a generator that changes by more than itself: the iteration cannot arrive, and says so.
TEST(LieMidpoint, AStepThatIsTooLongIsNotANumber) {
  const auto w = [](const auto&, const auto& y) { return 40.0 * (y * Vec3<double>{1, 2, -1}); };
  const auto y = lie_step<SO3, lie::Midpoint>(w, exp(Vec3<double>{0.3, 0.4, 0}), 0.0, 1.0);
  const auto fed_back = [](const auto&, const auto& z) {
    return Vec3<double>{9 * std::sin(40 * z.v.y), 9 * std::cos(40 * z.v.x), 9 * z.w};
  };
  EXPECT_TRUE(all_finite(y));  // about the axis it turns about, where nothing changes
  EXPECT_FALSE(all_finite(lie_step<SO3, lie::Midpoint>(fed_back, y, 0.0, 1.0)));
  EXPECT_TRUE(all_finite(lie_step<SO3, lie::Midpoint>(fed_back, y, 0.0, 0.001)));
}

// A heavy top as a flow on SO(3) x R^3, with the momentum in space: the library's own commutator-free-4, to rounding.
TEST(ProductGroups, AHeavyTopIsTheCatalogueMethod) {
  using G = ProductGroup<SO3, Shifts<3>>;
  static_assert(LieGroup<G, double> && LieGroup<G, Series<double, 3>>);
  const Body<double> body({0.9, 1.1, 1.7});
  HeavyTop<double> gravity;
  gravity.weight_times_arm = 0.5;
  const System<double, HeavyTop<double>> sys{body, gravity};
  const auto w = [&](double t, const ElementOf<G, double>& y) {
    const Vec3<double> l_S{y.second[0], y.second[1], y.second[2]};
    const Vec3<double> torque_S = y.first * gravity.torque(y.first, t);
    AlgebraOf<G, double> x;
    x.first = y.first * body.velocity(inverse(y.first) * l_S);
    x.second = {{torque_S.x, torque_S.y, torque_S.z}};
    return x;
  };
  State<double> s{exp(Vec3<double>{0.3, -0.5, 0.8}), {0.7, -0.4, 1.9}, 0};
  const Vec3<double> l_S = spatial_momentum(s);
  ElementOf<G, double> y{s.R_SB, {{l_S.x, l_S.y, l_S.z}}};
  Work work;
  const double h = 0.05;
  auto memory = start<CommutatorFree4>(sys, s, h, work);
  for (int n = 0; n < 40; ++n) {
    s = advance<CommutatorFree4>(sys, s, memory, h, work);
    y = lie_step<G, lie::CommutatorFree4>(w, y, n * h, h);
  }
  EXPECT_LE(chordal_distance(y.first, s.R_SB), 40 * 8 * double_eps);
  const Vec3<double> arrived = spatial_momentum(s);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(y.second[i], arrived[i], 40 * 8 * double_eps);
}

}  // namespace
}  // namespace polhode::lie_flow_test
