// What B01 says of its series and of its energy correction, and no run of a method decides: how many terms there are, and in
// which direction the correction goes. experiments/buss-claims names these tests as evidence.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::what_papers_say_of_buss_test {
namespace {

// Polynomials in letters that do not commute, by powers of t. The letter k is W_k, the k-th derivative of the generator.
using Polynomial = std::map<std::string, double>;
using Series = std::vector<Polynomial>;
constexpr std::size_t length = 10;

// y' = W y, y(0) = 1: (n + 1) y_(n+1) = sum of W_k/k! y_(n-k).
Series flow() {
  Series y(length + 1);
  y[0][""] = 1;
  for (std::size_t n = 0; n < length; ++n) {
    double factorial = 1;
    for (std::size_t k = 0; k <= n; ++k) {
      factorial *= k == 0 ? 1 : static_cast<double>(k);
      for (const auto& [word, c] : y[n - k])
        y[n + 1][static_cast<char>('0' + k) + word] += c / factorial / static_cast<double>(n + 1);
    }
  }
  return y;
}

Series product(const Series& a, const Series& b) {
  Series made(length + 1);
  for (std::size_t i = 0; i <= length; ++i)
    for (std::size_t j = 0; i + j <= length; ++j)
      for (const auto& [left, c] : a[i])
        for (const auto& [right, d] : b[j]) made[i + j][left + right] += c * d;
  return made;
}

Series logarithm(Series y) {
  y[0].clear();
  Series sum(length + 1), power = y;
  for (std::size_t m = 1; m <= length; ++m, power = product(power, y))
    for (std::size_t n = 0; n <= length; ++n)
      for (const auto& [word, c] : power[n]) sum[n][word] += (m % 2 == 0 ? -c : c) / static_cast<double>(m);
  return sum;
}

// Smaller than all its rotations. A polynomial made of brackets is known by its coefficients at these words: they are as
// many as a basis of brackets has elements.
bool is_lyndon(const std::string& word) {
  for (std::size_t i = 1; i < word.size(); ++i)
    if (!(word < word.substr(i) + word.substr(0, i))) return false;
  return true;
}

// "the number of terms apparently grows exponentially with the degree"
TEST(WhatPapersSay, TermsOfTheSeriesGrowExponentially) {
  const Series Y = logarithm(flow());
  std::vector<int> terms, possible;
  for (std::size_t n = 1; n <= length; ++n) {
    terms.push_back(0);
    possible.push_back(0);
    for (const auto& [word, c] : Y[n]) {
      if (!is_lyndon(word)) continue;
      ++possible.back();
      if (std::abs(c) > 1e-14) ++terms.back();
    }
  }
  // Y_0 to Y_5 as B01 prints them, the term that is missing in the copy of Y_5 included.
  EXPECT_EQ(std::vector<int>(terms.begin(), terms.begin() + 6), (std::vector<int>{1, 1, 2, 2, 6, 8}));
  // "so far the only cases where a term was unexpectedly dropped": one in Y_3, one in Y_5.
  for (std::size_t n = 0; n < 6; ++n) EXPECT_EQ(possible[n] - terms[n], n == 3 || n == 5 ? 1 : 0) << n;
  for (std::size_t n = 6; n < length; ++n) EXPECT_GT(terms[n], 1.5 * terms[n - 1]) << n;
}

Vec3<double> velocity_after(std::string_view method, const Vec3<double>& from, double step) {
  Scenario scenario = problem_scenario(*find_problem("buss-box"));
  scenario.setup.motion = {MotionData::Kind::angular_velocity_body, from};
  scenario.run.method = method;
  scenario.run.step = step;
  scenario.run.duration = step;
  const auto& w = run(plan(scenario)).end.angular_velocity_body;
  return {w[0].value, w[1].value, w[2].value};
}

// "moving at almost right angles to the path of the correct orientation". On Poinsot's ellipsoid the point rho = W/sqrt(2T)
// moves along the polhode; the correction moves it across.
TEST(WhatPapersSay, TheEnergyCorrectionMovesAcrossThePolhode) {
  const Vec3<double> I{95.0 / 300, 9.0 / 300, 94.0 / 300};
  const auto rho = [&](const Vec3<double>& W) { return W / std::sqrt(dot(W, times(I, W))); };
  const double step = 0.004;
  Vec3<double> W{6.6989063480830815, 70.710678118654755, 0};
  double largest = 0;
  for (int n = 0; n < 200; ++n) {
    const Vec3<double> plain = velocity_after("taylor-2", W, step), corrected = velocity_after("taylor-2+energy", W, step);
    const Vec3<double> across = rho(corrected) - rho(plain);
    const Vec3<double> along = over(cross(times(I, plain), plain), I);  // of W', and of rho' where T is constant
    ASSERT_GT(norm(across), 1e-9);
    largest = std::max(largest, std::abs(dot(across, along)) / (norm(across) * norm(along)));
    W = velocity_after("free-exact", W, step);
  }
  EXPECT_LT(largest, 0.1);  // six degrees from a right angle
}

}  // namespace
}  // namespace polhode::test::what_papers_say_of_buss_test
