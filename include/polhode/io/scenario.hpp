// A scenario: a physical situation, how to integrate it and what to keep, as a TOML file or a problem's name states it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/core/error.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/columns.hpp"

namespace polhode {

enum class ScalarKind { float_, double_, long_double_, quad_ };

std::string_view scalar_name(ScalarKind kind);
ScalarKind parse_scalar(std::string_view name);  // throws std::invalid_argument with a sentence
int significant_digits(ScalarKind kind);         // enough to read the same number back

// What becomes of a step that fails: the run stops, or takes the step again in halves.
enum class OnFailure { stop, halve };

std::string_view on_failure_name(OnFailure choice);
OnFailure parse_on_failure(std::string_view name);  // throws std::invalid_argument with a sentence

// What a method that is chosen automatically shall save, or keep.
enum class Goal { time, torque_evaluations, energy };

std::string_view goal_name(Goal goal);
Goal parse_goal(std::string_view name);  // throws std::invalid_argument with a sentence

// The name under which a method and its step are chosen for the situation (io/choose.hpp).
inline constexpr std::string_view automatic_method = "auto";

struct RunSettings {
  std::string method;     // empty: not chosen yet
  double step = 0.01;     // [s]
  std::string step_file;  // one step per line; replaces `step`
  std::optional<long long> steps;
  std::optional<double> duration;  // [s], negative backwards; without it and `steps`: 10 s, or the whole step file
  ScalarKind scalar = ScalarKind::double_;
  OnFailure on_failure = OnFailure::stop;
  std::optional<double> tolerance;             // [rad], of the attitude: for methods that take one, and for auto
  std::optional<Goal> goal;                    // of auto; without it: time
  std::map<std::string, double> parameters{};  // of the method, besides those in its name

  friend bool operator==(const RunSettings&, const RunSettings&) = default;
};

struct OutputSettings {
  std::string file;  // empty: none
  long long every = 1;
  Columns columns = standard_columns();

  friend bool operator==(const OutputSettings&, const OutputSettings&) = default;
};

// Where a value was given, for messages: a line of the file, or a flag.
struct Origin {
  int line = 0;
  std::string flag;  // not empty: the value is from the command line
};

struct Scenario {
  std::string source;  // the file as messages name it; empty when a problem was named
  std::string title;   // the problem's name, or the file's without folder and extension
  std::string text;    // verbatim
  const Problem* problem = nullptr;
  Setup setup;
  RunSettings run;
  OutputSettings output;
  std::map<std::string, Origin, std::less<>> origins;  // by dotted key
};

// All three throw Error: bad_scenario with file, line, key, value and remedy, or file_missing.
Scenario read_scenario(const std::string& path);
Scenario parse_scenario(std::string text, const std::string& source);
Scenario problem_scenario(const Problem& problem);

// A flag's value for one key ("run.step", "--step", "0.005"). Throws Error with code usage.
void override_key(Scenario& scenario, std::string_view key, std::string_view flag, const std::string& value);

// Whether the file or a flag says so, and not a problem or a default.
bool is_stated(const Scenario& scenario, std::string_view key);

// The file that says the same: its numbers read back to the same bits.
std::string to_toml(const Scenario& scenario);

// The error with its place in front: "tumble.toml:7: run.step: ...", or "--step: ..." for a value from a flag.
Error located(const Scenario& scenario, const SetupError& error);

// All of a file's bytes. Throws Error (file_missing) for what is absent, a directory or unreadable.
std::string read_text_file(const std::string& path);

}  // namespace polhode
