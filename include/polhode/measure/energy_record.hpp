// The energy error of a long run, and whether it stays: an oscillation that every method shows is told from a drift.
//
// A claim that energy is not kept must be seen, and the largest error of a window hides a slow drift under an oscillation.
// So eight windows are looked at: their largest errors, their means, and soft means, in which an oscillation cancels to
// rounding.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "polhode/measure/claims.hpp"
#include "polhode/measure/drift.hpp"

namespace polhode {

using Windows = std::array<double, 8>;

// The slope of a straight line through eight means, in units of its own uncertainty (Student's t). A bounded error moves
// the means by chance; one that grows, however slowly, moves them on.
inline double trend(const Windows& mean) {
  double slope = 0, average = 0, scatter = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    slope += (static_cast<double>(i) - 3.5) * mean[i] / 42;  // 42 = sum (i - 3.5)^2
    average += mean[i] / 8;
  }
  for (std::size_t i = 0; i < 8; ++i)
    scatter += std::pow(mean[i] - average - slope * (static_cast<double>(i) - 3.5), 2) / 6;
  return std::abs(slope) * std::sqrt(42 / scatter);
}

// How much a moment of a window counts in a soft mean, 0 < x < 1. Where a window begins and ends softly, next to nothing
// is left of an oscillation: a regular motion has its mean to rounding, and a creep of a billionth of its size shows.
inline double softness(double x) { return std::exp(-1 / (x * (1 - x))); }

struct EnergyRecord {
  Windows largest{}, mean{}, soft{};
  std::optional<Drift> drift{};  // of the error, per unit of the stepper's time
  double step = 0;               // in that unit
  int steps = 0;

  double overall() const { return *std::max_element(largest.begin(), largest.end()); }

  // How far the mean moves, compared with the largest error; and how much that grows.
  double moved() const { return std::abs(mean[7] - mean[0]) / overall(); }
  double growth() const { return std::max(largest[6], largest[7]) / std::max(largest[0], largest[1]); }

  // A slow modulation moves the means a little with a clear trend, or further without one.
  bool stays() const { return growth() < 1.5 && (moved() < 0.01 || trend(mean) < 20); }
  bool drifts() const { return growth() > 2 || (moved() > 0.015 && trend(mean) > 60); }
  // Far above rounding, if far below the oscillation.
  bool creeps(double scale) const { return std::abs(soft[7] - soft[0]) > 1e-11 * scale && trend(soft) > 60; }
};

using EnergyOf = std::function<double(const State<double>&)>;
using EnergySeen = std::function<void(double time, double error)>;

// `seen`: told of every error, if there is one to be told.
inline EnergyRecord energy_record(Stepper<double>& stepper, const State<double>& start, double h, int steps,
                                  const EnergyOf& energy_of, const EnergySeen& seen = {}) {
  const double at_start = energy_of(start), infinity = std::numeric_limits<double>::infinity();
  EnergyRecord record;
  Windows weights{};
  DriftFit fit;
  const int length = steps / 8;
  record.step = h;
  record.steps = 8 * length;
  stepper.start(start, h);
  for (int n = 0; n < 8 * length; ++n) {
    stepper.state.t = start.t + n * h;
    stepper.step(h);
    const auto window = static_cast<std::size_t>(n / length);
    const double error = energy_of(stepper.state) - at_start;
    record.largest[window] = worse(record.largest[window], stepper.work.converged ? std::abs(error) : infinity);
    if (!std::isfinite(record.largest[window])) break;
    record.mean[window] += error / length;
    const double weight = softness((n % length + 0.5) / length);
    record.soft[window] += weight * error;
    weights[window] += weight;
    fit.add((n + 1) * h, error);
    if (seen) seen((n + 1) * h, error);
  }
  for (std::size_t i = 0; i < 8; ++i) record.soft[i] /= weights[i];
  if (std::isfinite(record.overall())) record.drift = fit.fit();
  return record;
}

// A long run: so many steps, not larger than this, at which the error is at most this share of the energy.
struct LongRun {
  double largest_step;
  int steps;
  double largest_error = 0.01;
};

// At the largest step at which the error stays small compared with what energy can do: growth has room to show.
inline EnergyRecord with_room_to_grow(Stepper<double>& stepper, const State<double>& start, const LongRun& run,
                                      double scale, const EnergyOf& energy_of) {
  double h = run.largest_step;
  EnergyRecord record = energy_record(stepper, start, h, run.steps, energy_of);
  // Where there is next to none and it does not grow, at a larger step.
  if (record.overall() < 1e-8 * scale && !record.drifts())
    record = energy_record(stepper, start, h *= 2, run.steps, energy_of);
  const double smallest = 1e-4 * run.largest_step;
  while (!(record.overall() < run.largest_error * scale) && h > smallest)
    record = energy_record(stepper, start, h /= 2, run.steps, energy_of);
  return record;
}

}  // namespace polhode
