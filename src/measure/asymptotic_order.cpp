#include "polhode/measure/asymptotic_order.hpp"

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double falling = 0.5;                                // what local slopes of a falling error have at least
constexpr double agreement = 0.15, agreement_of_three = 0.25;  // how far they may differ
constexpr double scatter = 0.05, settling = 0.85;              // how much they may change, in itself and next to before
constexpr double clear_of_floor = 10, caution = 4;             // a floor is so many times what is commonly found

using Data = std::span<const BoundedError>;

// Steps begin to end - 1, coarse to fine.
struct Range {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

// From after the finest step that is saturated.
Range below(double ceiling, Data data) {
  Range range{data.size(), data.size()};
  while (range.begin > 0 && data[range.begin - 1].error < ceiling) --range.begin;
  return range;
}

// Up to the first step whose error is not above so many times its floor.
Range above_floors(double times, Data data, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (data[i].error <= times * data[i].floor) range.end = i;
  }
  return range;
}

// What the errors at the fine end no longer fall below; 0 if they do fall.
double level_of(Data data, Range range) {
  double level = 0;
  for (; range.size() >= 2 && local_slope(data[range.end - 2], data[range.end - 1]) < falling; --range.end) {
    level = std::max(level, data[range.end - 1].error);
  }
  return level;
}

Range above_level(double level, Data data, Range range) {
  while (range.size() > 0 && data[range.end - 1].error <= level) --range.end;
  return range;
}

struct Slopes {
  double least, greatest;
};

Slopes local_slopes(Data data, Range range) {
  Slopes slopes{HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = range.begin; i + 1 < range.end; ++i) {
    const double slope = local_slope(data[i], data[i + 1]);
    slopes = {std::min(slopes.least, slope), std::max(slopes.greatest, slope)};
  }
  return slopes;
}

double slope_above(Data data, std::size_t fine) { return local_slope(data[fine - 1], data[fine]); }

// Whether the last three local slopes change the same way, and the last two about as much as those before or more.
bool still_changing(Data data, Range range) {
  if (range.size() < 4) return false;
  const BoundedError &coarse = data[range.end - 2], &fine = data[range.end - 1];
  const double last = slope_above(data, range.end - 1) - slope_above(data, range.end - 2);
  const double before = slope_above(data, range.end - 2) - slope_above(data, range.end - 3);
  const double rounding =
      (coarse.floor / coarse.error + fine.floor / fine.error) / caution / std::log(coarse.step / fine.step);
  return last * before > 0 && std::abs(last) > std::max(scatter, settling * std::abs(before)) + rounding;
}

// The longest stretch up from the finest step whose local slopes agree; empty if it supports no slope.
Range agreeing(Data data, Range range) {
  if (range.size() < 3 || still_changing(data, range)) return {range.end, range.end};
  Range found{range.end - 1, range.end};
  while (found.begin > range.begin) {
    const Slopes slopes = local_slopes(data, {found.begin - 1, found.end});
    if (slopes.greatest - slopes.least > (found.size() < 3 ? agreement_of_three : agreement)) break;
    --found.begin;
  }
  return found.size() < 3 ? Range{range.end, range.end} : found;
}

FittedOrder fit(Data data, Range range) {
  std::vector<ErrorAtStep> points;
  for (std::size_t i = range.begin; i < range.end; ++i) points.push_back({data[i].step, data[i].error});
  FittedOrder fitted = *fitted_order(points);
  const std::size_t last = range.end - 1;
  const double slope = slope_above(data, last), change = slope - slope_above(data, last - 1);
  const double limit = slope + change / (data[last - 1].step / data[last].step - 1);
  fitted.uncertainty = std::max(fitted.uncertainty, std::abs(limit - fitted.order));
  return fitted;
}

// Of steps all of which came to their end.
AsymptoticOrder order_of_finished(std::vector<BoundedError> data, double ceiling) {
  AsymptoticOrder found{std::vector<Standing>(data.size(), Standing::saturated), {}, {}};
  const auto mark = [&](std::size_t begin, std::size_t end, Standing standing) {
    for (std::size_t i = begin; i < end; ++i) found.standing[i] = standing;
  };
  const auto none = [&](NoOrder why) {
    found.why_none = why;
    return found;
  };

  const Range bounded = above_floors(1, data, below(ceiling, data));
  mark(bounded.begin, bounded.end, Standing::unsettled);
  mark(bounded.end, data.size(), Standing::rounding);
  if (bounded.end == 0) return none(NoOrder::all_rounding);
  if (bounded.begin == data.size()) return none(NoOrder::all_saturated);

  const double level = level_of(data, bounded);
  const Range usable = above_level(clear_of_floor * level, data, bounded);
  mark(usable.end, bounded.end, Standing::levelled);
  if (usable.end == 0) return none(NoOrder::level);
  if (usable.size() < 3) return none(NoOrder::too_few);

  for (BoundedError& point : data) point.floor = std::max(point.floor, caution * level);
  const Range clear = above_floors(clear_of_floor, data, usable);
  Range asymptotic = agreeing(data, clear);
  if (asymptotic.size() == 0 && !still_changing(data, clear)) asymptotic = agreeing(data, usable);
  if (asymptotic.size() == 0) {
    const Slopes slopes = local_slopes(data, usable);
    found.least_slope = slopes.least;
    found.greatest_slope = slopes.greatest;
    return none(NoOrder::changing);
  }
  mark(asymptotic.end, usable.end, Standing::rounding);
  mark(asymptotic.begin, asymptotic.end, Standing::fitted);
  found.fit = fit(data, asymptotic);
  return found;
}

}  // namespace

double local_slope(const BoundedError& coarse, const BoundedError& fine) {
  return std::log(coarse.error / fine.error) / std::log(coarse.step / fine.step);
}

AsymptoticOrder asymptotic_order(Data data, double ceiling) {
  std::vector<BoundedError> finished;
  for (const BoundedError& point : data) {
    if (std::isfinite(point.error)) finished.push_back(point);
  }
  AsymptoticOrder found;
  if (finished.empty()) {
    found.why_none = NoOrder::all_failed;
  } else {
    found = order_of_finished(finished, ceiling);
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!std::isfinite(data[i].error)) {
      found.standing.insert(found.standing.begin() + static_cast<std::ptrdiff_t>(i), Standing::failed);
    }
  }
  return found;
}

}  // namespace polhode
