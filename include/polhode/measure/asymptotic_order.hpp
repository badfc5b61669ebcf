// Which errors of a convergence study show the order of a method, and what order that is.
//
// Errors follow a power of the step between two ends. At large steps the expansion in the step has not begun: the error
// is of the size of the thing itself, or its local slopes still change. At small steps rounding, or the error of the
// reference, takes over. So the steps are judged:
//   1. An error at or above the ceiling is saturated. Coarser steps are left out with it, even where their error is
//      smaller: angles come round again.
//   2. An error at or below the floor of its step is rounding, and finer steps are left out with it.
//   3. Where errors at the fine end no longer fall with the step (local slope below 1/2), they have levelled off at a
//      floor that was not foreseen. Errors up to 10 times as large are left out too, and for the others it is a floor.
//   4. From the finest step that remains, the fit takes in coarser ones as long as local slopes agree to within 0.15,
//      or 0.25 for the first three. The finest step to begin with is the last one whose error is more than 10 times its
//      floor; if fewer than three agree from there, it is the last one above its floor.
//   5. Local slopes have to settle. If the last two differ by more than 0.05 and what rounding explains, in the
//      direction and by about the amount (0.85 or more) of the two before, they are on their way to another order, as
//      when a term c h^p so far hidden below d h^(p+1) begins to show: they support no slope.
// Fewer than three steps do not either.
//
// The uncertainty of the fit is the standard error of the line, or the distance to the slope that local slopes tend to
// if that is larger: with p + a h for their law, the last two slopes of halved steps tend to s_n + (s_n - s_(n-1)).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polhode/measure/order.hpp"

namespace polhode {

struct BoundedError {
  double step;
  double error;  // not finite: the run failed
  double floor;  // what rounding may contribute to it
};

// What became of a step, by the rules above; `unsettled` is too coarse though not saturated.
enum class Standing { fitted, failed, saturated, unsettled, levelled, rounding };

enum class NoOrder {
  all_failed,
  all_rounding,
  all_saturated,
  level,    // the error does not fall with the step
  too_few,  // steps between the two ends
  changing  // local slopes
};

struct AsymptoticOrder {
  std::vector<Standing> standing;  // of each step
  std::optional<FittedOrder> fit;
  std::optional<NoOrder> why_none;             // set when there is no fit
  double least_slope = 0, greatest_slope = 0;  // local ones, where they change
};

// Steps in falling order, all different.
AsymptoticOrder asymptotic_order(std::span<const BoundedError> data, double ceiling);

// The slope between two neighbours; not finite where an error is zero or none.
double local_slope(const BoundedError& coarse, const BoundedError& fine);

}  // namespace polhode
