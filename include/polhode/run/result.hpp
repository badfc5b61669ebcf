// What a run leaves: where it came from, rows of numbers with units, the state it ended in and the work it took.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/measure/drift.hpp"
#include "polhode/model/field.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/choose.hpp"
#include "polhode/run/columns.hpp"
#include "polhode/run/number.hpp"
#include "polhode/run/recording.hpp"
#include "polhode/run/sensitivities.hpp"

namespace polhode {

// Columns that are not of a group: derivatives by one number, and what else goes with them.
struct DerivedColumns {
  std::string name;
  std::vector<std::string> headers;  // with units
  std::string frame, about;          // body, spatial or empty; a sentence
};

struct Provenance {
  std::string version;
  std::string method;  // canonical name
  std::string problem;
  ScalarKind scalar = ScalarKind::double_;
  std::optional<double> step;            // [s], of methods that choose it the first; none when the steps are listed
  std::optional<double> tolerance{};     // [rad], of a method that takes one
  std::string step_scale{};              // of a method that chooses its steps; empty: its own
  std::optional<Selection> selection{};  // by auto
  std::string step_file;
  std::string scenario;  // verbatim; the equivalent file when a problem was named or values were changed
  Space space = Space::rotations;
  Columns columns;
  std::vector<std::string> quantities{};  // columns with names of their own, after the others
  std::vector<DerivedColumns> derived{};  // after all others
  bool energy_conserved = true;  // by the exact motion; where it is not, a change of the energy is not an error
  bool has_potential = false;    // without one the energy is the kinetic one
  bool has_wheels = false;       // whose own energy is no part of it
};

// What the energy of a result is made of: "kinetic", or "kinetic + potential"; with wheels, "kinetic without wheels".
std::string_view energy_terms(const Provenance& about);

// "t[s]", the headers of the groups and the names of the quantities: one per cell of a row.
std::vector<std::string> column_headers(const Provenance& about);

// One moment of the motion in SI units; body quantities in the axes the scenario's inertia was given in.
struct Snapshot {
  Number time;
  std::array<Number, 4> attitude_wxyz;
  std::array<std::array<Number, 3>, 3> rotation_matrix;
  std::array<Number, 3> direction;  // of the third axis
  std::array<Number, 3> angular_velocity_body;
  std::array<Number, 3> angular_momentum_body;
  std::array<Number, 3> angular_momentum_spatial;
  Number energy;
  Number kinetic_energy;
};

// How a run ended: at its time, at an event or a condition that ends it, by a failure, by a signal, or by a guard.
enum class RunStatus { finished, event, failed, interrupted, max_steps, max_time };

std::string_view status_name(RunStatus status);

// An event that happened.
struct Event {
  std::string name;
  bool rising = false;  // the sign changed from negative to positive, in the direction of the run
  bool terminal = false;
  Snapshot at;
};

// Why a run ended before its time.
struct RunFailure {
  std::string what;                    // happened
  std::string sentence;                // the same, and what to try
  long long step = 0;                  // the one that failed, counted from 1
  std::optional<double> residual;      // of the equation that was not solved, relative to its terms
  std::optional<double> largest_step;  // [s], up to which its solution could be followed
};

// What errors were measured against.
struct ReferenceUse {
  ReferenceSource source = ReferenceSource::built_in;
  double attitude_uncertainty = 0;  // [rad]
  double momentum_uncertainty = 0;  // [kg m^2/s]
  double seconds = 0;               // of wall clock that it took here
};

struct Result {
  Provenance about;
  RunStatus status = RunStatus::finished;
  std::vector<Event> events;       // in the order of the run
  std::vector<Number> quantities;  // at the end, as about.quantities names them
  Snapshot start, end;             // end: the last state that is finite and converged
  long long steps = 0;             // taken
  // Of a method that chooses its steps: the smallest and the largest [s], but for one that was shortened to end the run.
  std::optional<std::array<double, 2>> step_range;
  long long steps_halved = 0;  // of these, taken in halves because they failed whole
  long most_pieces = 1;        // the smallest piece was 1/most_pieces of a step
  Work work;                   // attempts that failed included
  double energy_change = 0;    // E - E0 [J], taken in the run's own scalar
  double momentum_change = 0;  // |L - L0| in space [kg m^2/s]
  // Where the exact motion conserves energy: the slope of E - E0 over time [J/s], of eight samples or more, and the
  // largest |E - E0| among them [J].
  std::optional<Drift> energy_drift;
  std::optional<double> energy_error_max;
  std::optional<Number> attitude_error, momentum_error;  // on the sphere the former is the angle between directions
  std::optional<Sensitivities> sensitivities;            // at the end, where they were asked for
  std::optional<ReferenceUse> reference;                 // where there are errors
  bool errors_left = false;  // measure_errors() is to measure them (RunControl::errors_later)
  std::string no_reference;  // why not, where one was to be computed; empty: there is one, or none was
  std::optional<RunFailure> failure;
  std::vector<std::string> warnings;  // sentences about a result that may not be what was wanted
  bool interrupted = false;
  std::string incomplete;                      // why the rows end before their time, in a few words; empty: they do not
  double seconds = 0;                          // of wall clock
  std::shared_ptr<const Recording> recording;  // where RunControl asks for one
};

// Takes a result while it comes into being. Numbers stay numbers until a writer makes text of them.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  virtual void begin(const Provenance& about) = 0;
  virtual void row(std::span<const Number> cells) = 0;  // one for each of column_headers(about)
  virtual void end(const Result& result) = 0;
};

// Keeps the rows in memory.
struct Table : ResultWriter {
  std::vector<std::string> headers;
  std::vector<std::vector<Number>> rows;

  void begin(const Provenance& about) override { headers = column_headers(about); }
  void row(std::span<const Number> cells) override { rows.emplace_back(cells.begin(), cells.end()); }
  void end(const Result&) override {}
};

}  // namespace polhode
