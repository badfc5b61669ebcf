#include "run/run_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

double attempted(const FailedStep& step) { return std::abs(step.size) / static_cast<double>(step.pieces); }

// A step of the method is then several of another one, and a share of one of them is not a share of the step.
bool composed(const MethodSpec& method) {
  return std::any_of(method.suffixes.begin(), method.suffixes.end(),
                     [](const Suffix& suffix) { return suffixes()[suffix.index].stages > 1; });
}

// How far the solution could be followed, from the one that is known at no step at all.
std::string where_the_solution_ends(const FailedStep& step) {
  const double share = step.work.share_reached;
  if (!(share < 1)) return "";
  if (!(share > 0)) return ", and no solution was found for smaller steps either";
  if (composed(step.method))
    return fmt::format("; no solution exists that continues the motion beyond {:.3g} of a part of this step", share);
  return fmt::format("; no solution exists that continues the motion beyond h = {:.4g} s at this momentum",
                     share * attempted(step));
}

std::string residual(const FailedStep& step) {
  const double left = step.work.residual;
  if (left == 0) return "";
  return std::isfinite(left) ? fmt::format(": a residual of {:.2g} relative to the terms is left", left)
                             : ": its residual is not finite";
}

}  // namespace

std::string what_failed(const FailedStep& step) {
  const bool converged = step.work.converged;
  std::string text = fmt::format("{} {} in step {} of {:.6g} s, which begins at t = {:.9g} s", step.method.name,
                                 converged ? "left the finite numbers" : "did not converge", step.number,
                                 std::abs(step.size), step.begin);
  if (step.pieces > 1) text += fmt::format(", not even in 1/{} of it", step.pieces);
  if (!converged) text += residual(step) + where_the_solution_ends(step);
  return text;
}

RunFailure run_failure(const FailedStep& step) {
  const bool could_halve = step.method.claims.variable_steps && step.pieces == 1;
  RunFailure failure;
  failure.what = what_failed(step);
  failure.sentence = failure.what;
  failure.sentence += could_halve ? "; try a smaller step, or on_failure = \"halve\"" : "; try a smaller step";
  failure.step = step.number;
  if (!step.work.converged) {
    failure.residual = step.work.residual;
    if (step.work.share_reached < 1 && !composed(step.method))
      failure.largest_step = step.work.share_reached * attempted(step);
  }
  return failure;
}

}  // namespace polhode
