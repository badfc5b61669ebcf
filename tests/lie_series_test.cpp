// The Lie series, in exact rational arithmetic: the closed terms of the papers, and the differential equation itself,
// in so(3), in the matrices, and in the free Lie algebra, where nothing holds but what holds in every Lie algebra. Then
// its order, in 50 digits.
#include "polhode/core/lie_series.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "generators.hpp"
#include "high_precision.hpp"
#include "polhode/core/rotation_vector_series.hpp"

namespace polhode::lie_series_test {
namespace {

using reference::Big;
using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;

// 3x3 matrices with the commutator.
struct Square {
  Mat3<Rational> m{};

  friend Square operator+(Square a, const Square& b) {
    for (int i = 0; i < 9; ++i) a.m[i / 3][i % 3] += b.m[i / 3][i % 3];
    return a;
  }
  friend Square operator*(const Rational& s, Square a) {
    for (auto& row : a.m)
      for (Rational& x : row) x *= s;
    return a;
  }
  friend Square operator*(const Square& a, const Square& b) {
    Square p;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) p.m[i][j] += a.m[i][k] * b.m[k][j];
    return p;
  }
  friend Square bracket(const Square& a, const Square& b) { return a * b + Rational(-1) * (b * a); }
  friend bool operator==(const Square&, const Square&) = default;
};

// Polynomials in letters that do not commute, as the coefficients of their words. With the commutator they contain the
// free Lie algebra: what is true of them is true of any generators in any Lie algebra.
struct Words {
  std::map<std::string, Rational> coefficient;

  void add(const std::string& word, const Rational& c) {
    if ((coefficient[word] += c) == 0) coefficient.erase(word);
  }
  friend Words operator+(Words a, const Words& b) {
    for (const auto& [word, c] : b.coefficient) a.add(word, c);
    return a;
  }
  friend Words operator*(const Rational& s, const Words& a) {
    Words r;
    for (const auto& [word, c] : a.coefficient) r.add(word, s * c);
    return r;
  }
  friend Words operator*(const Words& a, const Words& b) {
    Words p;
    for (const auto& [u, c] : a.coefficient)
      for (const auto& [v, d] : b.coefficient) p.add(u + v, c * d);
    return p;
  }
  friend Words bracket(const Words& a, const Words& b) { return a * b + Rational(-1) * (b * a); }
  friend bool operator==(const Words&, const Words&) = default;
};

template <class Algebra>
Algebra unit() {
  Algebra one;
  if constexpr (std::is_same_v<Algebra, Words>) {
    one.add("", 1);
  } else {
    for (int i = 0; i < 3; ++i) one.m[i][i] = 1;
  }
  return one;
}

// Any algebra with its bracket reversed.
template <class Algebra>
struct Opposite {
  Algebra value{};

  friend Opposite operator+(const Opposite& a, const Opposite& b) { return {a.value + b.value}; }
  friend Opposite operator*(const Rational& s, const Opposite& a) { return {s * a.value}; }
  friend Opposite bracket(const Opposite& a, const Opposite& b) { return {bracket(b.value, a.value)}; }
};

template <class Algebra>
Algebra random_element() {
  const auto digit = rc::gen::inRange(-5, 6);
  Algebra a;
  if constexpr (std::is_same_v<Algebra, Square>) {
    for (auto& row : a.m)
      for (Rational& x : row) x = *digit;
  } else {
    a = {Rational(*digit), Rational(*digit), Rational(*digit)};
  }
  return a;
}
template <class Algebra, std::size_t N>
std::array<Algebra, N> random_elements() {
  std::array<Algebra, N> w;
  for (Algebra& a : w) a = random_element<Algebra>();
  return w;
}

// W_0, W_1, ... as the letters a, b, ...
template <std::size_t N>
std::array<Words, N> letters() {
  std::array<Words, N> w;
  for (std::size_t n = 0; n < N; ++n) w[n].add(std::string(1, static_cast<char>('a' + n)), 1);
  return w;
}

TEST(Bernoulli, NumbersOverFactorials) {
  const Rational known[] = {1,
                            Rational(-1, 2),
                            Rational(1, 6),
                            0,
                            Rational(-1, 30),
                            0,
                            Rational(1, 42),
                            0,
                            Rational(-1, 30),
                            0,
                            Rational(5, 66),
                            0,
                            Rational(-691, 2730)};
  const auto exact = bernoulli_over_factorial<Rational, 12>();
  const auto rounded = bernoulli_over_factorial<double, 12>();
  Rational factorial = 1;
  for (int k = 0; k <= 12; ++k) {
    if (k > 0) factorial *= k;
    EXPECT_EQ(exact[k] * factorial, known[k]) << k;
    EXPECT_LE(reference::relative_error(rounded[k], Big(exact[k])), 4.0) << k;
  }
}

// Y = sum Y_n t^(n+1)/(n+1)! and W = sum W_n t^n/n!. Brackets nest to the right: [a, b, c] = [a, [b, c]]. Which n are
// not as printed, -1 for a constant term.
template <class Algebra>
std::vector<int> wrong_terms(const std::array<Algebra, 6>& W) {
  auto w = W;
  Rational factorial = 1;
  for (int n = 1; n < 6; ++n) w[n] = Rational(1 / (factorial *= n)) * W[n];
  const auto y = lie_series<6, Frame::spatial, Rational>(w);
  const auto b = [](const auto&... e) {
    const std::array<Algebra, sizeof...(e)> list{e...};
    Algebra nested = list.back();
    for (std::size_t i = list.size() - 1; i-- > 0;) nested = bracket(list[i], nested);
    return nested;
  };
  const auto frac = [](int p, int q) { return Rational(p, q); };
  const Algebra Y[6] = {W[0],
                        W[1],
                        W[2] + frac(1, 2) * b(W[1], W[0]),
                        W[3] + b(W[2], W[0]),
                        W[4] + frac(3, 2) * b(W[3], W[0]) + b(W[2], W[1]) + frac(1, 2) * b(W[1], W[1], W[0]) +
                            frac(-1, 6) * b(W[0], W[2], W[0]) + frac(-1, 6) * b(W[0], W[0], W[1], W[0]),
                        W[5] + frac(5, 2) * b(W[3], W[1]) + frac(2, 1) * b(W[4], W[0]) +
                            frac(2, 1) * b(W[2], W[1], W[0]) + frac(1, 2) * b(W[1], W[2], W[0]) +
                            frac(-1, 2) * b(W[0], W[3], W[0]) + frac(-1, 2) * b(W[0], W[0], W[2], W[0]) +
                            frac(-1, 1) * b(W[0], W[1], W[1], W[0])};
  std::vector<int> wrong;
  factorial = 1;
  for (int n = 0; n < 6; ++n)
    if ((factorial *= n + 1) * y[n + 1] != Y[n]) wrong.push_back(n);
  if (y[0] != Algebra{}) wrong.push_back(-1);
  return wrong;
}
const std::vector<int> none;
RC_GTEST_PROP(LieSeries, ClosedTermsOfRotations, ()) {
  RC_ASSERT(wrong_terms(random_elements<Vec3<Rational>, 6>()) == none);
}
RC_GTEST_PROP(LieSeries, ClosedTermsOfMatrices, ()) { RC_ASSERT(wrong_terms(random_elements<Square, 6>()) == none); }
TEST(LieSeries, ClosedTermsOfTheFreeLieAlgebra) { EXPECT_EQ(wrong_terms(letters<6>()), none); }

RC_GTEST_PROP(LieSeries, BodyFormIsTheSpatialFormWithBracketsReversed, ()) {
  constexpr std::size_t N = 9;
  const auto w = random_elements<Vec3<Rational>, N>();
  std::array<Opposite<Vec3<Rational>>, N> opposite;
  for (std::size_t n = 0; n < N; ++n) opposite[n].value = w[n];
  const auto body = lie_series<N, Frame::body, Rational>(w);
  const auto spatial = lie_series<N, Frame::spatial, Rational>(opposite);
  for (std::size_t n = 0; n <= N; ++n) RC_ASSERT(body[n] == spatial[n].value);
}

// Coefficient by coefficient, to whatever length.
RC_GTEST_PROP(LieSeries, OfRotationsClosesAfterTwoBrackets, ()) {
  constexpr std::size_t N = 12;
  const auto w = random_elements<Vec3<Rational>, N>();
  const auto expected = lie_series<N, Frame::body, Rational>(w);
  for (const std::size_t n : {std::size_t{1}, std::size_t{5}, N}) {
    const auto y = rotation_vector_series(w, n);
    for (std::size_t k = 0; k <= n; ++k) RC_ASSERT(y[k] == expected[k]);
  }
}

// exp(Y(t)) = sum Y^k/k! solves y' = W y, or y' = y W, coefficient by coefficient: no rounding, no closed term.
template <Frame frame, class Algebra, std::size_t N>
bool solves_equation(const std::array<Algebra, N>& w) {
  const auto y = lie_series<N, frame, Rational>(w);
  const auto product = [](const auto& a, const auto& b) {
    std::array<Algebra, N + 1> p{};
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; i + j <= N && j < b.size(); ++j) p[i + j] = p[i + j] + a[i] * b[j];
    return p;
  };
  std::array<Algebra, N + 1> power{}, exponential{};
  exponential[0] = power[0] = unit<Algebra>();
  for (std::size_t k = 1; k <= N; ++k) {
    power = product(power, y);
    for (std::size_t n = 0; n <= N; ++n) {
      power[n] = Rational(1, static_cast<int>(k)) * power[n];
      exponential[n] = exponential[n] + power[n];
    }
  }
  const auto rate = frame == Frame::spatial ? product(w, exponential) : product(exponential, w);
  bool solves = true;
  for (std::size_t n = 0; n < N; ++n)
    solves = solves && Rational(static_cast<int>(n + 1)) * exponential[n + 1] == rate[n];
  return solves;
}
RC_GTEST_PROP(LieSeries, SolvesItsEquation, ()) {
  RC_ASSERT(solves_equation<Frame::spatial>(random_elements<Square, 1>()));
  RC_ASSERT(solves_equation<Frame::body>(random_elements<Square, 2>()));
  RC_ASSERT(solves_equation<Frame::spatial>(random_elements<Square, 3>()));
  RC_ASSERT(solves_equation<Frame::spatial>(random_elements<Square, 5>()));
  if (*rc::gen::arbitrary<unsigned>() % 8 == 0)  // a hundred times the work
    RC_ASSERT(solves_equation<Frame::body>(random_elements<Square, 8>()));
}
TEST(LieSeries, SolvesItsEquationInTheFreeLieAlgebra) {
  EXPECT_TRUE(solves_equation<Frame::spatial>(letters<8>()));
  EXPECT_TRUE(solves_equation<Frame::body>(letters<8>()));
}

// The product integral of a smooth rotation rate as the power series of a quaternion, q' = (0, w) q / 2 or q (0, w) /
// 2.
Rotation<Big> product_integral(const std::array<Vec3<Big>, 13>& w, Frame frame, const Big& h) {
  std::array<Rotation<Big>, 61> q{};
  q[0] = {Big(1), {}};
  Rotation<Big> sum = q[0];
  Big power = 1;
  for (std::size_t n = 0; n < 60; ++n) {
    q[n + 1] = {Big(0), {}};
    for (std::size_t j = 0; j <= std::min<std::size_t>(n, 12); ++j) {
      const Rotation<Big> rate{Big(0), w[j]};
      const Rotation<Big> term = frame == Frame::spatial ? rate * q[n - j] : q[n - j] * rate;
      q[n + 1].w += term.w / (2 * (n + 1));
      q[n + 1].v += term.v / Big(2 * (n + 1));
    }
    power *= h;
    sum = {sum.w + power * q[n + 1].w, sum.v + power * q[n + 1].v};
  }
  return sum;
}

template <std::size_t N, Frame frame>
double local_error_order() {
  std::array<Vec3<Big>, 13> w;
  for (int n = 0; n < 13; ++n) w[n] = {Big(1) / (n + 2), Big(2 - n % 5) / (n + 1), Big(n % 3 - 1) + Big(1) / 3};
  std::array<Vec3<Big>, N> leading;
  std::copy_n(w.begin(), N, leading.begin());
  const auto y = lie_series<N, frame, Big>(leading);
  const auto error = [&](const Big& h) {
    Vec3<Big> sum{};
    for (std::size_t n = N + 1; n-- > 0;) sum = y[n] + h * sum;
    return angle_between(exp(sum), product_integral(w, frame, h));
  };
  return static_cast<double>(Big(log(error(Big(1) / 512) / error(Big(1) / 1024)) / log(Big(2))));
}

// Truncated after t^N the local error is of order N + 1.
template <std::size_t N>
void expect_order() {
  EXPECT_NEAR((local_error_order<N, Frame::spatial>()), N + 1.0, 0.05);
  EXPECT_NEAR((local_error_order<N, Frame::body>()), N + 1.0, 0.05);
}
TEST(LieSeries, OrderOfTheTruncation) {
  expect_order<1>();
  expect_order<2>();
  expect_order<3>();
  expect_order<4>();
  expect_order<6>();
  expect_order<9>();
  expect_order<12>();
}

}  // namespace
}  // namespace polhode::lie_series_test
