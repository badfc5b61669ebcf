// What is known of an ensemble: before it runs, of some of its bodies, and at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "polhode/ensemble/statistics.hpp"

namespace polhode {

// For the record, and to join files by.
struct EnsembleAbout {
  std::string version, title, scenario;  // the scenario verbatim
  std::string method;
  double step = 0;  // [s]
  long long steps = 0;
  double begin = 0, end = 0;          // [s]
  std::uint64_t bodies = 0;           // of the whole ensemble
  std::uint64_t first = 0, last = 0;  // those that are here, without the last
  unsigned long long seed = 0;
  std::string data{};                     // a name of the numbers that bodies are drawn from, tables included
  int threads = 1, ranks = 1;            // of each of so many processes
  std::string instruction_set = "none";  // of packs; none: bodies went one by one
  std::string why_no_packs{};            // a sentence, where they did
  std::string device = "cpu", card{};    // or cuda, and the card's name
  bool fused = false;  // products and sums were, by a card or by fast packs: bits differ from those of runs
  bool free = false, energy_conserved = false, has_attitude_error = false;
  std::vector<double> snapshots{};        // [s], in the direction of the run, without the end
  std::vector<std::string> passages{};    // names of events, of which the first is kept for every body
  std::vector<std::string> quantities{};  // names, each with a value for every body at the end
};

struct BodyRange {
  std::uint64_t first = 0, last = 0;  // without the last

  friend bool operator==(const BodyRange&, const BodyRange&) = default;
};

// Bodies at one time, in SI units: attitudes from the user's body axes to space, scalar first. Row after row. A body that
// failed before has NaN.
struct BodyStates {
  std::vector<double> attitude_wxyz, angular_velocity_body, angular_momentum_spatial, energy;

  void resize(std::size_t bodies);
};

// Why a body did not get to the end: the step that failed, when it began, and a sentence.
struct BodyFailure {
  std::uint64_t body = 0;
  long long step = 0;
  double time = 0;  // [s]
  std::string reason;
};

// Some bodies in a row.
struct EnsembleChunk {
  std::uint64_t first = 0;
  std::size_t count = 0;
  BodyStates start, end;         // the end of a body that failed: its last good state
  std::vector<double> end_time;  // [s], that of the run but for bodies that failed or that an event stopped
  std::vector<BodyStates> snapshots;
  std::vector<double> energy_error;             // relative to the start's energy, or [J] where that is zero
  std::vector<double> momentum_error;           // |L - L_0|/|L_0|, or without the division where that is zero
  std::vector<double> attitude_error;           // [rad] against the closed form, of free bodies; else empty
  std::vector<std::vector<double>> passages;    // by event: the first time [s], NaN where there was none
  std::vector<std::vector<double>> quantities;  // by quantity
  std::vector<BodyFailure> failures;            // by body

  // Room for bodies `first`, `first` + 1, ..., all of them not a number, and at the end of the run.
  EnsembleChunk(const EnsembleAbout& about, std::uint64_t first, std::size_t count);
};

struct NamedTally {
  std::string quantity;
  std::optional<double> time;  // [s] of a snapshot; none: at the end
  Tally tally;
};
struct NamedQuantiles {
  std::string quantity;
  std::optional<double> time;
  std::vector<double> probabilities, values;
  std::vector<double> of{};  // the numbers themselves in any order, where they are in memory: to join them with others
};

struct EnsembleResult {
  EnsembleAbout about;
  std::uint64_t followed = 0;         // bodies that were; fewer than asked for where it was interrupted
  std::uint64_t kept = 0;             // of these, from files
  std::uint64_t failed = 0;           // of these
  std::vector<BodyFailure> failures;  // the first hundred, by body
  std::vector<NamedTally> statistics;
  std::vector<NamedQuantiles> quantiles;
  double seconds = 0, body_steps_per_second = 0;
  bool interrupted = false;
  std::string incomplete;  // why, in a few words
};

// Takes chunks one at a time, in any order.
class EnsembleWriter {
 public:
  virtual ~EnsembleWriter() = default;
  virtual void begin(const EnsembleAbout& about) = 0;
  virtual void chunk(const EnsembleChunk& chunk) = 0;
  virtual void end(const EnsembleResult& result) = 0;  // the file takes its place
};

}  // namespace polhode
