// The observed order: the slope of log(error) over log(step).
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace polhode {

struct ErrorAtStep {
  double step;
  double error;
};

struct FittedOrder {
  double order;
  double from_step, to_step;  // largest and smallest step of the fit
  int points;
  double uncertainty;  // standard error of the slope, from the scatter about the line
};

// The least-squares line through all points, whose errors are positive. Fewer than three support no slope: through two
// a line always fits.
inline std::optional<FittedOrder> fitted_order(std::span<const ErrorAtStep> data) {
  if (data.size() < 3) return std::nullopt;
  const double n = static_cast<double>(data.size());
  FittedOrder fit{0, data[0].step, data[0].step, static_cast<int>(data.size()), 0};
  double x_mean = 0, y_mean = 0;
  for (const auto& [step, error] : data) {
    x_mean += std::log(step) / n;
    y_mean += std::log(error) / n;
    fit.from_step = std::fmax(fit.from_step, step);
    fit.to_step = std::fmin(fit.to_step, step);
  }
  double sxx = 0, sxy = 0, residuals = 0;
  for (const auto& [step, error] : data) {
    const double x = std::log(step) - x_mean, y = std::log(error) - y_mean;
    sxx += x * x;
    sxy += x * y;
  }
  fit.order = sxy / sxx;
  for (const auto& [step, error] : data) {
    const double miss = std::log(error) - y_mean - fit.order * (std::log(step) - x_mean);
    residuals += miss * miss;
  }
  fit.uncertainty = std::sqrt(residuals / ((n - 2) * sxx));
  return fit;
}

// The same over the points whose error is finite, below `ceiling` (where the expansion in the step has not begun) and
// above `floor` (where rounding has taken over). None where a step failed that is finer than one of these: a coarse step
// may be too much for a method, a finer one must not be.
inline std::optional<FittedOrder> observed_order(std::span<const ErrorAtStep> data, double floor, double ceiling) {
  std::vector<ErrorAtStep> between;
  for (const ErrorAtStep& point : data) {
    if (std::isfinite(point.error) && point.error > floor && point.error < ceiling) between.push_back(point);
  }
  for (const ErrorAtStep& point : data) {
    const auto coarser = [&](const ErrorAtStep& other) { return other.step > point.step; };
    if (!std::isfinite(point.error) && std::any_of(between.begin(), between.end(), coarser)) return std::nullopt;
  }
  return fitted_order(between);
}

}  // namespace polhode
