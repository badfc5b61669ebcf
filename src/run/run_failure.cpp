#include "run/run_failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/tangent.hpp"

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

bool has_no_scale(const Work& work) { return !(work.step_scale > 0) || !std::isfinite(work.step_scale); }
bool has_no_step(const Work& work) {
  return has_no_scale(work) || !(work.step_variable > 0) || !std::isfinite(work.step_variable);
}

// Of a method that chooses its steps.
std::string no_step_after(const FailedStep& step) {
  const Work& work = step.work;
  std::string why;
  if (has_no_scale(work)) {
    why = fmt::format("the scale of its steps is {:.4g} there, and must be positive", work.step_scale);
  } else if (std::isinf(work.step_variable)) {
    why = fmt::format("it has shrunk to {:.2g} s, which times cannot tell from nothing", std::abs(step.size));
  } else {
    why = fmt::format("the variable by which it divides {:.6g} s has become {:.4g}, and must be positive",
                      std::abs(step.size), work.step_variable);
  }
  return fmt::format("{} found no length for step {}, which begins at t = {:.9g} s: {}", step.method.name, step.number,
                     step.begin, why);
}

std::string remedy(const FailedStep& step) {
  const bool could_halve = step.method.claims.variable_steps && step.pieces == 1;
  const Work& work = step.work;
  std::string what = "try a smaller step";
  if (has_no_step(work))
    what = has_no_scale(work) || std::isinf(work.step_variable) ? "give another step_scale"
                                                                : what + ", or another step_scale";
  return what + (could_halve ? ", or on_failure = \"halve\"" : "");
}

}  // namespace

std::string what_failed(const FailedStep& step) {
  const bool converged = step.work.converged;
  if (!converged && has_no_step(step.work)) return no_step_after(step);
  std::string text = fmt::format("{} {} in step {} of {:.6g} s, which begins at t = {:.9g} s", step.method.name,
                                 converged ? "left the finite numbers" : "did not converge", step.number,
                                 std::abs(step.size), step.begin);
  if (step.pieces > 1) text += fmt::format(", not even in 1/{} of it", step.pieces);
  if (!converged) text += residual(step) + where_the_solution_ends(step);
  return text;
}

RunFailure run_failure(const FailedStep& step) {
  RunFailure failure;
  failure.what = what_failed(step);
  failure.sentence = failure.what + "; " + remedy(step);
  failure.step = step.number;
  if (!step.work.converged && !has_no_step(step.work)) {
    failure.residual = step.work.residual;
    if (step.work.share_reached < 1 && !composed(step.method))
      failure.largest_step = step.work.share_reached * attempted(step);
  }
  return failure;
}

RunFailure failure_of_derivatives(const FailedStep& step) {
  RunFailure failure;
  failure.step = step.number;
  failure.what = fmt::format(
      "the derivatives grew beyond some {:.0e} in step {} of {:.6g} s, which begins at t = {:.9g} s: those of a "
      "chaotic motion "
      "grow exponentially",
      TangentStepper::largest, step.number, std::abs(step.size), step.begin);
  failure.sentence = failure.what +
                     "; end the run before, or ask for the largest Lyapunov exponent alone, which is found however far "
                     "they grow";
  return failure;
}

}  // namespace polhode
