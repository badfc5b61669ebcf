// A scenario: a physical situation, how to integrate it and what to keep, as a TOML file or a problem's name states it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/core/error.hpp"
#include "polhode/run/ensemble_settings.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct OutputSettings {
  std::string file;  // empty: none
  long long every = 1;
  std::vector<double> times{};  // [s] of the rows, in place of `every`; or
  std::string times_file{};     // where they stand
  Columns columns = standard_columns();
  std::optional<std::vector<std::string>> quantities{};  // that are columns; not said: all of them

  friend bool operator==(const OutputSettings&, const OutputSettings&) = default;
};

// Where a value was given, for messages: a line of the file, or something that took its place.
struct Origin {
  int line = 0;
  std::string given_as;  // not empty: what the one who gave the value calls it, "--step" on the command line
};

using Origins = std::map<std::string, Origin, std::less<>>;  // by dotted key

// What the one who gave all of it calls a key; empty: nothing else than a file would.
using CallersNames = std::function<std::string(std::string_view key)>;

struct Scenario {
  std::string source;  // the file as messages name it; empty when a problem was named
  std::string title;   // the problem's name, or the file's without folder and extension
  std::string text;    // verbatim
  const Problem* problem = nullptr;
  Setup setup;
  RunOptions run;
  OutputSettings output;
  std::vector<QuantityData> quantities;
  std::vector<EventData> events;
  std::optional<EnsembleSettings> ensemble{};
  Origins origins;
  CallersNames callers_names{};  // of keys that have an origin, which says none
};

// All three throw Error: bad_file with file, line, key, value and remedy, or file_missing. A result in HDF5 is read as the
// scenario that it holds, without the file that its rows went to.
Scenario read_scenario(const std::string& path);
Scenario parse_scenario(std::string text, const std::string& source);
Scenario problem_scenario(const Problem& problem);

// Another value for one key ("run.step", "--step", "0.005"). Throws Error (bad_request).
void override_key(Scenario& scenario, std::string_view key, std::string_view given_as, const std::string& value);

// Whether the file or an override says so, and not a problem or a default.
bool is_stated(const Scenario& scenario, std::string_view key);

// The file that says the same: its numbers read back to the same bits.
std::string to_toml(const Scenario& scenario);

// What it asks for, with the numbers of its files; `rows` as below. Throws Error for a file, SetupError for what it says.
RunRequest run_request(const Scenario& scenario, bool rows = false);

// The run it asks for, checked and built; `rows`: rows will be kept although the scenario names no file for them. Throws
// Error. `stop` ends the trials of auto.
Plan plan(const Scenario& scenario, bool rows = false, const std::atomic<bool>* stop = nullptr);

// A reference of its motion, kept in references_folder(scenario).
std::shared_ptr<MotionReference> reference_of(const Scenario& scenario);

// The error with its place in front: "tumble.toml:7: run.step: ...", or "--step: ..." for a value given so. Where keys do
// not go together, the one that was overridden is at fault: the file alone was fine.
Error located(const Scenario& scenario, const SetupError& error);

// One positive number of seconds per line; '#' starts a comment. Throws Error with file, line and value.
std::vector<double> read_step_file(const std::string& path);

// One time in seconds per line, or in the first column of a CSV file with or without a heading. Throws as above.
std::vector<double> read_times_file(const std::string& path);

// All of a file's bytes. Throws Error (file_missing) for what is absent, a directory or unreadable.
std::string read_text_file(const std::string& path);

}  // namespace polhode
