// What dense output adds to a run: a row of a CSV file at a time within every step in place of one at its end, and the state
// alone to the steps alone.
//
// Runs with and without take turns, so that a machine that slows down slows both; times are those of the processor, and a
// ratio is that of two medians. Before anything is timed the states within steps are compared with those of shorter steps.
//
//   dense_cost             the table
//   dense_cost --summary   the methods with an interpolant of their own; exit code 1 if rows of one cost 15 % more
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "machine.hpp"
#include "polhode/io/csv.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/dense_output.hpp"
#include "polhode/run/simulation.hpp"

namespace {

using namespace polhode;

constexpr int repetitions = 15;
constexpr double most_added = 0.15, step = 0.02, within_step = 0.6, least_seconds = 0.01;

double sink = 0;  // what no compiler can leave out

// A state within every step.
class OneWithin : public Observer<double> {
 public:
  explicit OneWithin(DenseOutput<double>& dense) : dense_(dense) {}

  bool before_step(const Stepper<double>& stepper, const double& h) { return dense_.before_step(stepper, h); }
  bool after_step(Stepper<double>& stepper, const double& h) {
    const PassedState<double> seen = dense_.passed(stepper.state.t - (1 - within_step) * h);
    sink += seen.state.R_SB.w + seen.state.pi_B.x + seen.momentum_S.y;
    return true;
  }

 private:
  DenseOutput<double>& dense_;
};

struct Case {
  MethodSpec method;
  Setup setup;
  Prepared<double> prepared = prepare<double>(setup);
  bool keeps = false;
  long long steps = 256;         // in a timing of steps
  long long row_steps = 10'000;  // in one of rows

  double h() const { return prepared.time_in(step); }
  std::unique_ptr<Stepper<double>> started() const {
    auto stepper = make_stepper(method, prepared.body, prepared.field);
    stepper->start(prepared.start, h());
    return stepper;
  }
  Simulation simulation(bool timed) const {
    RunRequest request;
    request.setup = setup;
    request.run.method = method.name;
    request.run.step = step;
    request.run.steps = row_steps;
    for (long long n = 0; timed && n < row_steps; ++n)
      request.times.push_back(setup.time + (static_cast<double>(n) + within_step) * step);
    return Simulation(plan(std::move(request)));
  }
};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}
template <class Function>
double seconds(const Function& function) {
  const double begin = processor_seconds();
  function();
  return processor_seconds() - begin;
}

double steps_alone(const Case& of) {
  const auto stepper = of.started();
  EqualTimes<double> times(of.prepared.start.t, of.h(), of.steps);
  const double time = seconds([&] { drive(*stepper, times); });
  sink += stepper->state.pi_B.x;
  return time;
}
double steps_looked_into(const Case& of) {
  const auto stepper = of.started();
  EqualTimes<double> times(of.prepared.start.t, of.h(), of.steps);
  DenseOutput<double> dense(of.method, of.prepared.field, *stepper);
  OneWithin within(dense);
  return seconds([&] { drive(*stepper, times, within); });
}
// Written out as CSV, to nowhere.
double rows_of(const Simulation& simulation) {
  CsvFile rows("/dev/null");
  return seconds([&] { simulation.run(&rows); });
}

// The largest distance between what is kept and what shorter steps give, over twenty steps.
double premise(const Case& of) {
  const auto kept_stepper = of.started(), stepper = of.started();
  DenseOutput<double> kept(of.method, of.prepared.field, *kept_stepper);
  DenseOutput<double> stepped(of.method, of.prepared.field, *stepper, false);
  EqualTimes<double> times(of.prepared.start.t, of.h(), 20), same = times;
  double largest = 0;
  for (int n = 1; n <= 20; ++n) {
    drive_to(n, *kept_stepper, times, kept);
    drive_to(n, *stepper, same, stepped);
    const State<double> a = kept.after_share(within_step, 0).state, b = stepped.after_share(within_step, 0).state;
    largest = std::max({largest, angle_between(a.R_SB, b.R_SB), norm(a.pi_B - b.pi_B) / norm(b.pi_B)});
  }
  return largest;
}

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  return times[repetitions / 2];
}

// True if the method keeps what is promised of it.
bool measure(const char* problem, Case of) {
  while (steps_alone(of) < least_seconds) of.steps *= 2;
  const Simulation at_steps = of.simulation(false), within_steps = of.simulation(true);
  std::vector<double> alone, looked, rows, timed;
  for (int i = 0; i < repetitions; ++i) {
    alone.push_back(steps_alone(of));
    looked.push_back(steps_looked_into(of));
    rows.push_back(rows_of(at_steps));
    timed.push_back(rows_of(within_steps));
  }
  const double ns = 1e9 / static_cast<double>(of.steps), ns_of_row = 1e9 / static_cast<double>(of.row_steps);
  const double added_to_steps = median(looked) / median(alone) - 1, added = median(timed) / median(rows) - 1;
  const bool missed = of.keeps && added > most_added;
  fmt::print("{:<22} {:<22} {:>8.1f} {:>8.1f} {:>7.1f}  {:>8.1f} {:>8.1f} {:>7.1f}  {}{}\n", problem, of.method.name,
             ns * median(alone), ns * median(looked), 100 * added_to_steps, ns_of_row * median(rows),
             ns_of_row * median(timed), 100 * added, of.keeps ? "its own interpolant" : "",
             missed ? ", above 15 %" : "");
  return !missed;
}

}  // namespace

int main(int argc, char** argv) {
  const bool summary = argc > 1 && std::string(argv[1]) == "--summary";
  fmt::print("ns per step of {} s: alone, and with a state within each; with a row at its end, and within it; {}\n\n",
             step, bench::machine_name());
  fmt::print("{:<22} {:<22} {:>8} {:>8} {:>7}  {:>8} {:>8} {:>7}\n", "", "", "alone", "state", "adds %", "row", "row",
             "adds %");
  fmt::print("{:<22} {:<22} {:>8} {:>8} {:>7}  {:>8} {:>8}\n", "", "", "", "within", "", "at end", "within");
  bool kept = true;
  for (const char* problem : {"free-mclachlan-zanna", "asymmetric-top-tilted"}) {
    const Setup& setup = find_problem(problem)->setup;
    for (const MethodInfo& info : methods()) {
      if (info.space != Space::rotations || (info.claims.needs == Needs::no_torque && !setup.torques.empty())) continue;
      Case of{parse_method(info.name), setup};
      of.keeps = of.started()->keep_steps();
      if (summary && !of.keeps) continue;
      if (const double apart = premise(of); !(apart < 1e-2)) {
        fmt::print(stderr, "{}: {} away from shorter steps\n", info.name, apart);
        return 1;
      }
      kept = measure(problem, std::move(of)) && kept;
    }
  }
  return (summary && !kept) || std::isnan(sink) ? 1 : 0;
}
