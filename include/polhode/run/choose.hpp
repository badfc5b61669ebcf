// A method and a step for a situation, an attitude error and a purpose: what `--method auto` stands for.
//
// Nothing is looked up. Methods are tried on the situation itself and measured against the motion by Lie-Taylor steps in
// a wider scalar, over the whole duration, or over the part in which the body turns by 300 rad. First every method of the
// catalogue that takes the situation is run at steps of about two radians; compositions of a few symmetric methods join
// in, those of mclachlan-reich with the order of the axes that errs least. From error, order and cost of the last runs
// follows what each would need for the tolerance, and the one that promises the least is run again at the steps it would
// need, until the cheapest is also known to reach it. The error is the largest in the last quarter of the time and must
// be half the tolerance. What is saved is
//   time                the cheapest few are timed, in turn, and the least median decides
//   torque-evaluations  counted; the choice is the same every time
//   energy              time, but only by methods whose energy error is bounded: by claim, and as measured in the trial
// The best few are tried again on the whole of a longer run, if the body turns by no more than 2500 rad in it; for one
// that is longer still, the growth of the error is continued as a power of time, and an
// eighth of the tolerance is aimed at: a forecast, not a measurement. Where a motion amplifies rounding beyond
// the tolerance, trials end before that, and the choice says so.
//
// A free body needs no trial: free-exact in one step.
//
// Of a torque that the program around computes nothing is known but values in double, each of which may be dear. One method
// is tried then, rotor-adams-8 where it takes the situation and rkmk-4 elsewhere, at twice as many steps until two runs
// agree (choose_called.hpp).
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "polhode/methods/registry.hpp"
#include "polhode/run/options.hpp"

namespace polhode {

inline constexpr double default_tolerance = 1e-6;  // [rad]

struct SelectionRequest {
  Setup setup;
  double duration = 0;  // [s], negative backwards
  double tolerance = default_tolerance;
  Goal goal = Goal::time;
  ScalarKind scalar = ScalarKind::double_;
  std::optional<double> interval{};  // [s], at whose multiples rows are wanted: a whole number of steps each
  bool variable_steps = false;       // the method must take steps of different sizes
};

struct Selection {
  MethodSpec method;
  double step = 0;  // [s], positive
  double tolerance = 0;
  bool by_default = false;  // the tolerance was not given
  Goal goal = Goal::time;
  double predicted_error = 0;  // [rad], at the end
  bool reaches = true;         // the tolerance, by this prediction
  double cost = 0;             // of the whole run: seconds, or torque evaluations; 0: not measured
  std::string next_best;       // the next cheapest method; empty: none was found
  double next_best_ratio = 0;  // what it costs, over the cost of the one chosen
  bool by_halving = false;     // one method at smaller and smaller steps
  std::size_t methods = 0;     // that were tried
  std::size_t runs = 0;
  double horizon = 0;         // [s] of the trials
  bool extrapolated = false;  // the run is longer than that
  bool amplifies = false;     // and beyond it rounding has grown beyond the tolerance: the error is that at the horizon
  double growth = 0;          // of the error with time, the exponent
  double seconds = 0;         // of wall clock that the choice took
};

// Throws SetupError for a goal that the situation does not allow, and where no method can be tried, and Error (interrupted).
Selection choose_method(const SelectionRequest& request, const std::atomic<bool>* stop = nullptr);

// What was chosen and why, in a sentence.
std::string explanation(const Selection& selection);

// That the tolerance will not be reached, where that is so; empty otherwise.
std::string warning(const Selection& selection);

}  // namespace polhode
