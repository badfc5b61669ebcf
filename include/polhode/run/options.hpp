// How a situation is to be integrated and what is to be kept, as plain data.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/setup.hpp"
#include "polhode/problems/motion_reference.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/columns.hpp"
#include "polhode/run/events.hpp"
#include "polhode/run/scalar_kind.hpp"

namespace polhode {

// What becomes of a step that fails: the run stops, or takes the step again in halves.
enum class OnFailure { stop, halve };

std::string_view on_failure_name(OnFailure choice);
OnFailure parse_on_failure(std::string_view name);  // throws std::invalid_argument with a sentence

// What a method that is chosen automatically should save, or keep.
enum class Goal { time, torque_evaluations, energy };

std::string_view goal_name(Goal goal);
Goal parse_goal(std::string_view name);  // throws std::invalid_argument with a sentence

// The name under which a method and its step are chosen for the situation (run/choose.hpp).
inline constexpr std::string_view automatic_method = "auto";

struct RunOptions {
  // Every member has a default, so that {.step = 0.02} draws no warning.
  std::string method{};                // empty: not chosen yet
  double step = 0.01;                  // [s]
  std::string step_file{};             // where `listed_steps` are from; replaces `step`
  std::vector<double> listed_steps{};  // [s]
  std::optional<long long> steps{};
  std::optional<double> duration{};  // [s], negative backwards; without it and `steps`: 10 s, or all listed steps
  ScalarKind scalar = ScalarKind::double_;
  OnFailure on_failure = OnFailure::stop;
  std::optional<double> tolerance{};           // [rad], of the attitude: for methods that take one, and for auto
  std::optional<Goal> goal{};                  // of auto; without it: time
  std::map<std::string, double> parameters{};  // of the method, besides those in its name
  std::string step_scale{};                    // of a method that chooses its steps: in proportion to this expression
  std::string stop_when{};                     // a condition that ends the run where it comes true; empty: none
  std::optional<long long> max_steps{};        // guards that end a run before its time: so many steps,
  std::optional<double> max_time{};            // and so many seconds of wall clock
  std::vector<std::string> sensitivities{};    // what the motion is differentiated by: start, inertia, torque, or parts
  bool monodromy = false;                      // the derivative of the flow over the run
  bool lyapunov = false;                       // the largest Lyapunov exponent
  bool reference = false;  // errors at the end, where no closed form and no problem has them: computed to rounding

  friend bool operator==(const RunOptions&, const RunOptions&) = default;
};

// What would be valid, in messages.
inline constexpr std::string_view step_wanted = "a positive number of seconds, e.g. 0.01";
inline constexpr std::string_view steps_wanted = "a whole number of steps, at least 1";
inline constexpr std::string_view duration_wanted = "a number of seconds other than zero (negative runs backwards)";
inline constexpr std::string_view on_failure_wanted = "stop, or halve to take a step that fails again in halves";
inline constexpr std::string_view tolerance_wanted = "a positive number of radians, e.g. 1e-8";
inline constexpr std::string_view goal_wanted = "time, torque-evaluations or energy";
inline constexpr std::string_view step_scale_wanted =
    "an expression of the motion that stays positive, such as \"1/sqrt(1 + wx^2 + wy^2 + wz^2)\"";
inline constexpr std::string_view stop_when_wanted = "a condition, such as \"wz < 0.1 and t > 5\"";
inline constexpr std::string_view max_steps_wanted = "the largest number of steps, at least 1";
inline constexpr std::string_view max_time_wanted = "a positive number of seconds of wall clock";
inline constexpr std::string_view sensitivities_wanted =
    "what to differentiate by: start, inertia, torque, or numbers of them such as torque.weight_times_arm";
inline constexpr std::string_view reference_wanted = "true, or false not to compute a reference for the errors";
inline constexpr std::string_view times_wanted = "the times of the rows in seconds, such as [0.5, 1, 2.5]";
inline constexpr std::string_view every_wanted = "a whole number of steps between rows, at least 1";

// Throws SetupError for a number that no run can have; plan() finds what depends on method and situation.
void check(const RunOptions& options);

// Everything that decides a run.
struct RunRequest {
  Setup setup;
  RunOptions run;
  Columns columns = standard_columns();
  std::vector<QuantityData> quantities{};       // each may use those before and after it
  std::vector<std::string> shown_quantities{};  // that are columns as well
  std::vector<EventData> events{};
  long long every = 1;               // steps from row to row
  std::vector<double> times{};       // [s] of rows, in any order, in place of `every`; the steps stay as they are
  std::string times_file{};          // where `times` are from, if they are from a file
  bool keeps_rows = false;           // rows will be kept
  bool says_where_rows_are = true;   // `step` and `steps` were asked for and are not defaults
  const Problem* problem = nullptr;  // whose situation this is, for its reference
  // Of this situation, for what the problem's does not reach; runs may share it. Without one plan() makes it where
  // run.reference asks for it.
  std::shared_ptr<MotionReference> reference{};
  std::string title, text;  // for the record: a name, and the scenario verbatim
};

}  // namespace polhode
