// Where functions change their sign: against roots that are known.
#include "polhode/core/sign_changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace polhode::sign_changes_test {
namespace {

// Each root in its own bracket, in order, rising and falling in turn.
void expect_roots(const std::function<double(double)>& f, const std::vector<double>& roots, const std::string& what) {
  const auto found = sign_changes(f);
  ASSERT_TRUE(found) << what;
  ASSERT_EQ(found->size(), roots.size()) << what;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const SignChange& change = (*found)[i];
    EXPECT_LE(change.from - 1e-9, roots[i]) << what;
    EXPECT_GE(change.to + 1e-9, roots[i]) << what;
    EXPECT_LT(change.from, change.to) << what;
    EXPECT_EQ(change.rising, f(change.to) >= 0) << what;
    if (i > 0) {
      EXPECT_GE(change.from, (*found)[i - 1].to) << what;
      EXPECT_NE(change.rising, (*found)[i - 1].rising) << what;
    }
  }
}

TEST(SignChanges, OfPolynomialsWithKnownRoots) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> somewhere(0.01, 0.99);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> roots;
    for (int i = 0; i < trial % 6; ++i) {
      const double root = somewhere(random);
      const bool near_another =
          std::any_of(roots.begin(), roots.end(), [&](double r) { return std::abs(r - root) < 1e-3; });
      if (!near_another) roots.push_back(root);
    }
    std::sort(roots.begin(), roots.end());
    expect_roots(
        [&](double x) {
          double p = 1;
          for (const double root : roots) p *= x - root;
          return p;
        },
        roots, "trial " + std::to_string(trial));
  }
}

TEST(SignChanges, OfTwoRootsCloseTogether) {
  for (const double gap : {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    for (const double middle : {0.123, 0.5, 0.77, 1 - 2e-6}) {
      const double a = middle - gap / 2, b = middle + gap / 2;
      if (b > 1) continue;
      expect_roots([&](double x) { return (x - a) * (x - b); }, {a, b}, "a parabola");
      expect_roots([&](double x) { return std::cos(gap) - std::cos(2 * (x - middle)); }, {a, b}, "a cosine");
      expect_roots([&](double x) { return std::exp(3 * x) * (x - a) * (b - x) * (2 + std::sin(9 * x)); }, {a, b},
                   "a product");
    }
  }
}

TEST(SignChanges, OfFastOscillationsAreAllThere) {
  for (const double waves : {0.3, 1.7, 5.0, 20.25, 60.1}) {
    std::vector<double> roots;
    for (int k = 1; k - 0.5 < 2 * waves; ++k) roots.push_back((k - 0.5) / (2 * waves));
    expect_roots([&](double x) { return std::cos(2 * std::numbers::pi * waves * x); }, roots,
                 std::to_string(waves) + " waves");
  }
}

TEST(SignChanges, AreNoneWhereTheFunctionOnlyTouchesZeroOrKeepsAway) {
  expect_roots([](double x) { return (x - 0.3) * (x - 0.3); }, {}, "touches from above");
  expect_roots([](double x) { return (x - 0.3) * (x - 0.3) + 1e-12; }, {}, "stays above");
  expect_roots([](double) { return 4.0; }, {}, "a constant");
  expect_roots([](double) { return -4.0; }, {}, "a negative constant");
  expect_roots([](double) { return 0.0; }, {}, "zero throughout");
}

TEST(SignChanges, CountZeroAsPositiveAtTheEnds) {
  expect_roots([](double x) { return x - 1; }, {1.0}, "rises to zero at the end");
  expect_roots([](double x) { return x; }, {}, "leaves zero upwards");
  expect_roots([](double x) { return 1 - x; }, {}, "falls to zero at the end");
  expect_roots([](double x) { return -x; }, {0.0}, "leaves zero downwards");
}

TEST(SignChanges, AreLeftToSamplingWhereTheFunctionIsNotSmooth) {
  const auto step = [](double x) { return x < 0.3 ? -1.0 : 1.0; };
  EXPECT_FALSE(sign_changes(step));
  EXPECT_FALSE(sign_changes([](double) { return std::numeric_limits<double>::quiet_NaN(); }));
  const auto found = sampled_sign_changes(step, 16);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].from, 0.3);
  EXPECT_GE(found[0].to, 0.3);
  EXPECT_NEAR(found[0].to - found[0].from, 1.0 / 16, 1e-15);
  EXPECT_TRUE(found[0].rising);
}

}  // namespace
}  // namespace polhode::sign_changes_test
