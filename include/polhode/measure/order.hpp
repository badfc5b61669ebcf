// The observed order: the slope of log(error) over log(step).
#pragma once

#include <cmath>
#include <optional>
#include <span>

namespace polhode {

struct ErrorAtStep {
  double step;
  double error;
};

struct FittedOrder {
  double order;
  double from_step, to_step;  // largest and smallest step of the fit
  int points;
};

// Least squares over the points whose error is finite, below `ceiling` (where the expansion in the step has not begun)
// and above `floor` (where rounding has taken over). Fewer than three such points support no slope.
inline std::optional<FittedOrder> observed_order(std::span<const ErrorAtStep> data, double floor, double ceiling) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  FittedOrder fit{0, 0, 0, 0};
  for (const auto& [step, error] : data) {
    if (!(std::isfinite(error) && error > floor && error < ceiling)) continue;
    const double x = std::log(step), y = std::log(error);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
    fit.from_step = fit.points == 0 ? step : std::fmax(fit.from_step, step);
    fit.to_step = fit.points == 0 ? step : std::fmin(fit.to_step, step);
    ++fit.points;
  }
  if (fit.points < 3) return std::nullopt;
  fit.order = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return fit;
}

}  // namespace polhode
