// A situation and a method, set going: what the program, the studies and the experiments all run. SI units, the user's
// body axes.
//
//   Simulation simulation(setup, "lie-verlet", {.step = 0.01});
//   simulation.advance_to(1.0);
//   simulation.state().R_SB;
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/run/plan.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

struct Progress {
  long long step = 0, steps = 0;
  double time = 0;           // [s] reached
  double seconds = 0;        // of wall clock so far
  double energy_change = 0;  // relative to the first energy, where that is not zero
};

struct RunControl {
  std::function<void(const Progress&)> progress;  // called about ten times a second
  const std::atomic<bool>* stop = nullptr;        // ends the run after the step under way
  // Called with a sentence, once each: a step turns the body by more than a radian, times are rounded to a part of a
  // step, a step is halved.
  std::function<void(const std::string&)> warn;
  // Takes the same rows, thinned to no more than figure_rows: enough for a figure. Rows left out hide no peak of the
  // energy.
  ResultWriter* sketch = nullptr;
  bool record = false;        // keep what answers for any time of the run afterwards
  bool errors_later = false;  // leave errors of a free body to measure_errors(): the closed form takes 20 microseconds
  std::function<std::string()> stopped_by;  // who set `stop`, for the record: "SIGTERM"
  // Of a reference that has to be computed, after the last step. It also ends by `stop`, and warns by `warn`.
  std::function<void(double seconds)> announce_reference;  // about how long it takes
  std::function<void(double done, double seconds)> reference_progress;
};

inline constexpr long long figure_rows = 20000;

class Simulation {
 public:
  // Throws SetupError: for a setup, a method or options that do not go together.
  Simulation(const Setup& setup, std::string_view method, RunOptions options = {});
  explicit Simulation(Plan plan);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  Simulation(Simulation&&) = default;
  Simulation& operator=(Simulation&&) = default;

  // Whole steps of its own size, on from where it is, until the time [s] is reached or passed; a step that would end past
  // it by rounding alone is not taken. Times lie in the direction of the duration: forwards, unless that is negative.
  // Throws Error (run_failed) for a step that does not converge or leaves the finite numbers, and stays before it. When
  // `stop` is set it returns after the step under way.
  void advance_to(double t, const std::atomic<bool>* stop = nullptr);

  double time() const;          // [s] reached
  State<double> state() const;  // there
  // Within the last step, at the order of the method (dense_output.hpp). Throws SetupError outside of it.
  State<double> at(double t) const;
  std::vector<double> columns(const Columns& groups = standard_columns()) const;  // as column_headers() lists them
  // The same within the last step; a rotation increment is that since its beginning.
  std::vector<double> columns_at(double t, const Columns& groups = standard_columns()) const;
  // What RunOptions ask for of derivatives, from the start to where it stands; empty where they ask for none.
  Sensitivities sensitivities() const;
  Work work() const;
  // Events on the way so far. One that is terminal ends the simulation where it is: there it stays.
  std::vector<Event> events() const;
  bool ended() const;

  // Everything that a simulation made alike needs to go on from here with the same bits, as restore() takes it: for the
  // same version of the library, on the same kind of processor.
  std::string save() const;
  // Throws Error (bad_file) for what save() did not write, or wrote for another situation, method, step or version; the
  // simulation then stays where it is.
  void restore(std::string_view saved);

  // The whole of what was planned, from the start: the start, every K-th step and the last one are rows. A step that does
  // not converge or leaves the finite numbers is taken again in halves where the options say so. Where they do not, or
  // that fails too, the run ends: the result then says so, and the rows up to there have been written.
  Result run(ResultWriter* rows = nullptr, const RunControl& control = {}) const;

  const Plan& plan() const { return plan_; }

 private:
  Plan plan_;
};

// The same in one go.
Result run(const Plan& plan, ResultWriter* rows = nullptr, const RunControl& control = {});

// The errors that a run with RunControl::errors_later has left, to the same bits; of one that has left none, nothing.
void measure_errors(Result& result, const Setup& setup);

}  // namespace polhode
