// What auto chose, in sentences.
#include <fmt/format.h>

#include "polhode/run/choose.hpp"

namespace polhode {
namespace {

constexpr double long_choice = 1;  // [s], worth mentioning

}  // namespace

std::string explanation(const Selection& selection) {
  const auto goal = [&] {
    switch (selection.goal) {
      case Goal::time: return "the fastest";
      case Goal::torque_evaluations: return "the one with the fewest torque evaluations";
      case Goal::energy: break;
    }
    return "the fastest that keeps the energy within bounds";
  };
  std::string text = fmt::format("auto chose {} at steps of {:.6g} s for {:.3g} rad{}", selection.method.name,
                                 selection.step, selection.tolerance, selection.by_default ? " (the default)" : "");
  if (selection.methods == 0) {
    text += fmt::format(": the body is free, and this is exact but for rounding, about {:.1e} rad",
                        selection.predicted_error);
  } else {
    if (selection.by_halving) {
      text += fmt::format(", found by {} runs with half the step each", selection.runs);
    } else {
      text += fmt::format(": of {} methods tried, {}", selection.methods,
                          selection.predicted_error <= selection.tolerance ? goal() : "the most accurate");
    }
    if (!selection.next_best.empty())
      text += fmt::format(", next {} at {:.2f} times the cost", selection.next_best, selection.next_best_ratio);
    text += fmt::format("; expected error {:.1e} rad", selection.predicted_error);
    if (selection.amplifies)
      text += fmt::format(" after the first {:.3g} s", selection.horizon);
    else if (selection.extrapolated)
      text += fmt::format(", from the first {:.3g} s and growth like t^{:.1f}", selection.horizon, selection.growth);
  }
  if (selection.seconds > long_choice) text += fmt::format(" (the choice took {:.1f} s)", selection.seconds);
  return text;
}

std::string warning(const Selection& selection) {
  if (selection.reaches) return "";
  if (selection.amplifies) {
    return fmt::format(
        "this motion amplifies small errors exponentially: beyond about {:.3g} s no attitude error of {:.3g} rad can "
        "be promised in this scalar, and what comes later is one of many motions; shorten the run, or choose a wider "
        "scalar",
        selection.horizon, selection.tolerance);
  }
  return fmt::format(
      "no method tried reaches {:.3g} rad in this run: {} is the most accurate, and an error of about {:.1e} rad is to "
      "be expected; a wider scalar or a shorter run may help",
      selection.tolerance, selection.method.name, selection.predicted_error);
}

}  // namespace polhode
