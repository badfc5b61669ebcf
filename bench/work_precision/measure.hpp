// Errors and times of integrators over smaller and smaller steps or tolerances, and what they cost at an error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "polhode/measure/work_precision.hpp"

namespace polhode::bench {

struct Effort {
  int repetitions;
  double least_timing;        // [s]
  double longest_repetition;  // [s] for all repetitions of a run, but for three
  double longest_run;         // [s], finer settings are not tried
  double longest_of_peers;    // [s]
  double most_calls;          // of an expensive torque in a run of ours that is timed; peers have twice as many
  bool contenders_only;
};

// One setting of one method. Of the random starts the error is the largest; what a setting costs there is the nominal
// cost times the ratio of the evaluations, which for equal steps is one.
struct Rung {
  double setting = 0;           // steps or tolerance
  double error = 0, worst = 0;  // [rad]
  double evaluations = 0;       // of the torque; 0 where they are not counted
  double more = 1;              // evaluations from a random start, on average, over the nominal
  double seconds = 0;           // of one run, roughly, without idling
  long runs = 1;                // in one timing
  std::vector<double> times{};  // [s] of one run
  Quartiles units{};            // cost in steps of runge_kutta4; 0 where it was not timed
  double roughly = 0;           // the same from a single run
  bool too_long = false;        // to be timed, for a torque so expensive
};

enum class Look { nominal, worst };
enum class Currency { units, evaluations };

struct Front {
  std::string name;
  Side side;
  Freedom freedom;
  bool cut_short = false;   // by the time a run may take: it might reach smaller errors
  std::vector<Rung> rungs;  // from coarse to fine

  std::string label() const { return side == Side::kernel ? name + " (kernel)" : name; }
  // From the first rung after which every one is of use to the most accurate one.
  std::vector<WorkPoint> curve(Look look, Currency currency) const;
  // The cost of reaching an error, between two settings that bracket it; that of the coarsest setting if it is better
  // already. Never extrapolated.
  std::optional<double> cost(double error, Look look, Currency currency) const;
  // What an error costs at least that was not reached; infinite where rounding is what prevents it.
  double least_cost(Look look, Currency currency) const;
};

struct Best {
  const Front* front = nullptr;
  double cost = 0;
};

// What auto chooses for a tolerance, beside the best listed method.
struct Automatic {
  double tolerance = 0, error = 0;  // [rad], asked for, and achieved in the last quarter of the time
  std::string method, best;         // best: at the error achieved; empty where none of them reaches it
  double ratio = 0;                 // of the times, auto over the best; 0 where there is none
};
inline constexpr double goal_of_auto = 2;

struct Measured {
  CaseSpec spec;
  std::string about;
  std::size_t other_starts = 0;  // none: the worst is the nominal one
  Quartiles unit;                // [s], one step of runge_kutta4
  std::vector<Front> fronts;
  std::vector<Automatic> automatic{};
  std::vector<double> torque_calls{};     // [s] that an expensive torque idles, in each integrator, before and after
  std::vector<std::string> complaints{};  // premises that do not hold: nothing is judged then

  // Of the peers, or of ours.
  std::optional<Best> best(bool peers, double error, Look look, Currency currency) const;
  // What peers need at least for an error that none reaches.
  double least_cost_of_peers(Look look, Currency currency) const;
};

Measured measure(const CaseSpec& spec, const Effort& effort);

}  // namespace polhode::bench
