// Error against cost: timings in three numbers, and what it costs to reach an error.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace polhode {

struct Quartiles {
  double lower = 0, median = 0, upper = 0;

  double range() const { return upper - lower; }  // between the quartiles
};

// Of at least one sample. Between two of them a quartile is interpolated: that of n sorted samples at a fraction p lies
// at place p (n - 1), counted from 0.
inline Quartiles quartiles(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double fraction) {
    const double place = fraction * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, samples.size() - 1);
    return samples[below] + (place - static_cast<double>(below)) * (samples[above] - samples[below]);
  };
  return {at(0.25), at(0.5), at(0.75)};
}

// One run of a method; a curve is its runs from the largest step to the smallest.
struct WorkPoint {
  double error, cost;
};

// The neighbours between which errors fall below `error`: i and i + 1, for the last time if that happens more often.
inline std::optional<std::size_t> bracket(std::span<const WorkPoint> curve, double error) {
  for (std::size_t i = curve.size(); i-- > 1;) {
    if (curve[i].error <= error && curve[i - 1].error > error) return i - 1;
  }
  return std::nullopt;
}

// What it costs to reach `error`, on the line between these neighbours in double logarithmic scale; never extrapolated.
// A point without any error says nothing about the slope: the cost is then that of this point.
inline std::optional<double> cost_at(std::span<const WorkPoint> curve, double error) {
  const std::optional<std::size_t> place = bracket(curve, error);
  if (!place) return std::nullopt;
  const WorkPoint &coarse = curve[*place], &fine = curve[*place + 1];
  if (!(fine.error > 0)) return fine.cost;
  const double part = std::log(coarse.error / error) / std::log(coarse.error / fine.error);
  return coarse.cost * std::pow(fine.cost / coarse.cost, part);
}

// Errors from `low` to `high`.
struct ErrorRange {
  double low = 0, high = 0;

  double middle() const { return std::sqrt(low) * std::sqrt(high); }  // geometric
};

// The errors that lie within at least half of these ranges, or within as many as any error does; where that is not one
// range, the widest in logarithmic scale. Ranges begin above zero.
inline std::optional<ErrorRange> common_range(const std::vector<ErrorRange>& ranges) {
  std::vector<double> ends;
  for (const ErrorRange& range : ranges) ends.insert(ends.end(), {range.low, range.high});
  std::sort(ends.begin(), ends.end());
  const auto covering = [&](double low, double high) {
    return std::count_if(ranges.begin(), ranges.end(),
                         [&](const ErrorRange& range) { return range.low <= low && high <= range.high; });
  };
  std::ptrdiff_t most = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) most = std::max(most, covering(ends[i - 1], ends[i]));
  const std::ptrdiff_t enough = std::min(most, static_cast<std::ptrdiff_t>((ranges.size() + 1) / 2));
  std::optional<ErrorRange> widest, current;
  for (std::size_t i = 1; i < ends.size() && enough > 0; ++i) {
    if (covering(ends[i - 1], ends[i]) < enough) {
      current.reset();
      continue;
    }
    current = ErrorRange{current ? current->low : ends[i - 1], ends[i]};
    if (!widest || current->high / current->low > widest->high / widest->low) widest = current;
  }
  return widest;
}

}  // namespace polhode
