// Why no order was found and how methods were chosen, in words.
#include <fmt/format.h>

#include <algorithm>

#include "polhode/studies/compare.hpp"
#include "polhode/studies/converge.hpp"

namespace polhode {
namespace {

std::string too_few(const AsymptoticOrder& order) {
  const auto count = [&](Standing s) { return std::count(order.standing.begin(), order.standing.end(), s); };
  const auto coarse = count(Standing::saturated) + count(Standing::failed);
  const auto fine = count(Standing::rounding) + count(Standing::levelled);
  const auto between = count(Standing::unsettled);
  if (coarse == 0 && fine == 0) return fmt::format("{} step sizes support no slope; give at least three", between);
  const std::string digits = count(Standing::levelled) > 0 ? "" : ", or more digits";
  const std::string remedy = fine == 0     ? "take smaller steps"
                             : coarse == 0 ? "take larger steps" + digits
                                           : "take more steps between" + digits;
  return fmt::format("{} of {} steps {} between saturation and rounding, and a slope needs three; {}", between,
                     order.standing.size(), between == 1 ? "lies" : "lie", remedy);
}

}  // namespace

std::string reason(const AsymptoticOrder& order) {
  if (!order.why_none) return "";
  switch (*order.why_none) {
    case NoOrder::all_failed: return "no run came to its end";
    case NoOrder::all_rounding:
      return "every error is at rounding: solved exactly, or the steps are too small to show an order";
    case NoOrder::all_saturated: return "every error is of the size of the motion itself; take smaller steps";
    case NoOrder::level: return "the error does not fall with the step";
    case NoOrder::too_few: return too_few(order);
    case NoOrder::changing: break;
  }
  return fmt::format("the slope still changes from step to step, between {:.2f} and {:.2f}; take smaller steps",
                     order.least_slope, order.greatest_slope);
}

std::string reason(const MethodOrders& orders) {
  std::string attitude = reason(orders.attitude);
  const std::string momentum = reason(orders.momentum);
  if (attitude == momentum) return attitude;
  if (attitude.empty()) return "momentum: " + momentum;
  if (momentum.empty()) return "attitude: " + attitude;
  return fmt::format("attitude: {}. momentum: {}", attitude, momentum);
}

std::string rule_of(const Choice& choice) {
  if (!choice.error) return "the smallest error at the smallest step";
  return fmt::format(
      "the least time at an error of {:.2g} rad, the middle of the errors that at least half of {} methods reach",
      *choice.error, choice.methods);
}

}  // namespace polhode
