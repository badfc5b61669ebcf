#include "run/stretch_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace polhode {
namespace {

constexpr std::array stretch_degrees{8, 16, 32};
constexpr double stretch_rounding = 4e-15;
constexpr std::size_t followed = 7;  // quaternion and angular velocity

double node(int j, int degree) { return std::cos(std::numbers::pi * j / degree); }

using Values = std::vector<std::array<double, followed>>;

// Of the polynomials that have these values at cos(pi j / n), j = 0 ... n.
Values chebyshev_coefficients(const Values& values) {
  const int n = static_cast<int>(values.size()) - 1;
  Values c(values.size());
  for (int k = 0; k <= n; ++k) {
    for (std::size_t i = 0; i < followed; ++i) {
      double sum = 0.5 * (values.front()[i] + (k % 2 == 0 ? values.back()[i] : -values.back()[i]));
      for (int j = 1; j < n; ++j) sum += values[static_cast<std::size_t>(j)][i] * node(j * k % (2 * n), n);
      c[static_cast<std::size_t>(k)][i] = sum * (k == 0 || k == n ? 1.0 : 2.0) / n;
    }
  }
  return c;
}

// The last coefficients against the largest, of the quaternion (which is of length one) and of the velocity.
bool fallen_to_rounding(const Values& c) {
  double tail_q = 0, tail_w = 0, size_w = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    for (std::size_t i = 0; i < followed; ++i) {
      const double size = std::abs(c[k][i]);
      if (i >= 4) size_w = std::max(size_w, size);
      if (k + 3 >= c.size()) (i < 4 ? tail_q : tail_w) = std::max(i < 4 ? tail_q : tail_w, size);
    }
  }
  return tail_q <= stretch_rounding && tail_w <= stretch_rounding * size_w;
}

}  // namespace

StretchMotion::StretchMotion(const std::function<Sample(double)>& sample) {
  begin_ = sample(0)[0];
  length_ = sample(1)[0] - begin_;
  for (const int degree : stretch_degrees) {
    Values values;
    for (int j = 0; j <= degree; ++j) {
      const Sample here = sample(j == 0 ? 1 : j == degree ? 0 : 0.5 * (1 + node(j, degree)));
      std::array<double, followed> value{};
      std::copy(here.begin() + 1, here.end(), value.begin());
      if (!values.empty()) {
        double along = 0;
        for (std::size_t i = 0; i < 4; ++i) along += value[i] * values.back()[i];
        if (along < 0) std::transform(value.begin(), value.begin() + 4, value.begin(), std::negate<>());
      }
      values.push_back(value);
    }
    coefficients_ = chebyshev_coefficients(values);
    if (fallen_to_rounding(coefficients_)) return;
  }
}

std::array<double, 17> StretchMotion::at(double s) const {
  const double x = 2 * s - 1;
  std::array<double, followed> next{}, after{};
  for (std::size_t k = coefficients_.size() - 1; k > 0; --k) {
    for (std::size_t i = 0; i < followed; ++i) {
      const double here = 2 * x * next[i] - after[i] + coefficients_[k][i];
      after[i] = next[i];
      next[i] = here;
    }
  }
  std::array<double, followed> value{};
  for (std::size_t i = 0; i < followed; ++i) value[i] = x * next[i] - after[i] + coefficients_[0][i];
  const double length =
      std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
  return motion_inputs<double>(begin_ + s * length_,
                               {value[0] / length, value[1] / length, value[2] / length, value[3] / length},
                               {value[4], value[5], value[6]});
}

}  // namespace polhode
