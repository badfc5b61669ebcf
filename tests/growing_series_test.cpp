// Power series that grow by one coefficient at a time, against truncated ones.
#include "polhode/core/growing_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "polhode/core/angle_series.hpp"
#include "polhode/core/elementary.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::growing_series_test {
namespace {

// A program of random operations: the same for every scalar, since branches look at values only. Arguments are kept where
// functions and their derivatives are tame.
template <class S, class T>
class RandomProgram {
 public:
  RandomProgram(unsigned seed, const std::vector<S>& inputs) : random_(seed), pool_(inputs) {
    for (int i = 0; i < 25; ++i) pool_.push_back(operation());
  }
  const std::vector<S>& results() const { return pool_; }

 private:
  S any() { return pool_[random_() % pool_.size()]; }
  T number() { return T(static_cast<int>(random_() % 7) - 3) / T(4); }

  S operation() {
    const S a = any(), b = any();
    const T c = number();
    switch (random_() % 26) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return T(0.5) * a * b;
      case 3: return a / (T(2) + b * b);
      case 4: return c / (T(2) + b * b);
      case 5: return sqrt(T(1) + a * a);
      case 6: return exp(sin(a));
      case 7: return log(T(2) + a * a);
      case 8: return sin(a) * c;
      case 9: return cos(a) + c;
      case 10: return atan2(a, T(1) + b * b);
      case 11: return atan2(S(c), T(2) + a * a);
      case 12: return atan2(a, S(T(1.5)));
      case 13: return select(a < b, a, b - c);
      case 14: return min(a, b) + max(a, S(c));
      case 15: return abs(a) - c;
      case 16: return copysign(a, b) / T(2);
      case 17: return c - a;
      case 18: return -a + 2.0;
      case 19: return tan(a / (T(1) + a * a));
      case 20: return asin(a / (T(2) + a * a)) + c;
      case 21: return acos(a / (T(2) + a * a));
      case 22: return atan(a) + c;
      case 23: return tanh(a) - b;
      case 24: return power(T(1) + a * a, sin(b));
      default: return 0.5 * a - 1;
    }
  }

  std::mt19937 random_;
  std::vector<S> pool_;
};

template <class T>
void expect_same_coefficients(unsigned seed) {
  constexpr std::size_t N = std::min<std::size_t>(longest_series<T>, 18), inputs = 3;
  using Truncated = Series<T, N>;
  using Growing = GrowingSeries<T>;
  std::mt19937 random(seed + 1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Truncated> given(inputs);
  for (Truncated& a : given)
    for (std::size_t n = 0; n <= N; ++n) a.c[n] = T(uniform(random) * std::pow(0.5, static_cast<double>(n)));
  const RandomProgram<Truncated, T> expected(seed, given);

  SeriesTape<T> tape(inputs);
  std::vector<Growing> grown;
  for (std::size_t i = 0; i < inputs; ++i) grown.emplace_back(tape, tape.input(i));
  for (std::size_t n = 0; n <= N; ++n) {
    for (std::size_t i = 0; i < inputs; ++i) tape.input(i).set(n, given[i].c[n]);
    tape.begin_run(n);
    const RandomProgram<Growing, T> program(seed, grown);
    // Rounding is of the size of the largest number that went into a coefficient.
    double largest = 1;
    for (const Truncated& a : expected.results())
      for (std::size_t m = 0; m <= n; ++m) largest = larger(largest, std::abs(static_cast<double>(a.c[m])));
    for (std::size_t i = 0; i < expected.results().size(); ++i) {
      const double off = static_cast<double>(abs(T(program.results()[i].coefficient(n) - expected.results()[i].c[n])));
      EXPECT_LT(off, 1e3 * static_cast<double>(epsilon<T>()) * largest)
          << "seed " << seed << ", " << i << ", order " << n;
    }
  }
}

TEST(GrowingSeries, HasTheCoefficientsOfATruncatedOne) {
  for (unsigned seed = 0; seed < 200; ++seed) expect_same_coefficients<double>(seed);
  for (unsigned seed = 0; seed < 20; ++seed) {
    expect_same_coefficients<float>(seed);
    expect_same_coefficients<long double>(seed);
    expect_same_coefficients<quad>(seed);
  }
}

TEST(GrowingSeries, IsAsLongAsRoundingAllows) {
  EXPECT_EQ(longest_series<float>, 9U);
  EXPECT_EQ(longest_series<double>, 20U);
  EXPECT_EQ(longest_series<long double>, 23U);
  EXPECT_EQ(longest_series<quad>, 40U);
}

// Functions of an angle are polynomials near zero, with terms enough for all the derivatives that a series carries. The
// coefficients in s of cos(sqrt(y)) and sin(sqrt(y))/sqrt(y) at y = a + b s, against truncated series in quad.
TEST(GrowingSeries, FunctionsOfSmallAnglesHaveAllTheirCoefficients) {
  constexpr std::size_t N = longest_series<double>;
  static_assert(derivatives_of<GrowingSeries<double>> >= N);
  for (const double a : {0.0, 0.01, 0.3, 0.6}) {
    const double b = 0.5;
    Series<quad, N> y{quad(a)};
    y.c[1] = quad(b);
    const CosSinc<Series<quad, N>> exact = cos_sinc_sqrt(y);
    SeriesTape<double> tape(1);
    auto& row = tape.input(0);
    for (std::size_t k = 0; k <= N; ++k) {
      row.set(k, k == 0 ? a : k == 1 ? b : 0.0);
      tape.begin_run(k);
      const CosSinc<GrowingSeries<double>> grown = cos_sinc_sqrt(GrowingSeries<double>(tape, row));
      for (const auto& [found, wanted] : {std::pair(grown.cosine.coefficient(k), exact.cosine.c[k]),
                                          std::pair(grown.sinc.coefficient(k), exact.sinc.c[k])}) {
        const double size = std::abs(static_cast<double>(wanted));
        EXPECT_NEAR(found, static_cast<double>(wanted), 1e-13 * size) << "order " << k << " at " << a;
      }
    }
  }
}

}  // namespace
}  // namespace polhode::growing_series_test
