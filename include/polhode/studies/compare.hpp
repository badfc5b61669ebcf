// A comparison of methods: error against cost over one problem, for what is called a work-precision diagram.
//
// Cost is the wall-clock time of the whole integration and nothing else: no rows, no energies, no errors; the driver
// around the steps is the same for all methods. A timing repeats the run until it has lasted 2 ms, so that the
// resolution of the clock does not matter, and the timings are interleaved: all methods and steps once, then all again,
// so that a machine that slows down slows all of them. Given are the median and the quartiles.
//
// Steps that are not asked for begin where the body turns by two radians in a step and are halved until the error is at
// rounding (its floor is defined in studies/converge.hpp), three of them have not helped, or the next run would last
// longer than a tenth of a second (a second while fewer than four are useful). Steps at which the run fails or is off
// by half a radian or more are left out, with those above.
//
// Methods that are not asked for are the best of each family: all methods without suffix that take the problem's field
// are run, at steps found in the same way but no more than 100000 of them, and of each family the one that needs the
// least time at one error is taken. That error is the geometric middle of those that at least half of all methods
// reach, for all families the same. A method whose largest step is more accurate than that needs the time of this step;
// where no method of a family gets there, the most accurate is taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/measure/work_precision.hpp"
#include "polhode/run/result.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

struct ComparisonRequest : StudyRequest {
  int repeats = 5;  // timings of each run, at least 1
};

struct ComparisonRow {
  std::string method;  // canonical name
  double step = 0;     // [s]
  long long steps = 0;
  std::optional<Number> attitude_error;  // [rad]; none where the run failed
  long long torque_evaluations = 0;
  std::vector<double> timings;  // [s] of one run
  std::string failure;          // why the run ended early; empty: it did not

  // Of the timings; none where the run failed or the study was interrupted before the first.
  std::optional<Quartiles> cost() const { return timings.empty() ? std::nullopt : std::optional(quartiles(timings)); }
};

// Which method stands for its family.
struct FamilyChoice {
  std::string family, method;
  std::size_t of = 0;  // methods of the family that take the problem's field
};

struct Choice {
  std::optional<double> error;  // [rad] at which times were compared; none: no two steps of a method showed one
  std::size_t methods = 0;      // that were compared
  std::vector<FamilyChoice> families;
};

// What methods need for one error, the fastest first.
struct CostsAtError {
  struct Cost {
    std::string method;
    double seconds = 0;
    double ratio = 1;  // to the fastest
  };
  double error = 0;  // [rad]
  std::vector<Cost> costs;
  std::vector<std::string> more_accurate;  // methods whose largest step is
  std::vector<std::string> less_accurate;  // and those whose smallest step is not there yet
};

// How methods are chosen, in words: by time at an error, or where there is none.
std::string rule_of(const Choice& choice);

struct Comparison : StudySubject {
  int repeats = 0;
  std::vector<ComparisonRow> rows;      // method by method, from the largest step to the smallest
  std::optional<Choice> choice;         // when the methods were not asked for
  std::vector<CostsAtError> at_errors;  // 1e-3, 1e-6 and 1e-9 rad, those that two methods or more reach
  bool interrupted = false;
};

// Throws SetupError (run.method, run.step, run.duration) for methods, steps and durations that do not fit the problem, before the first run. A run that
// fails is a row that says so. An interrupted study has the rows and timings that were made.
Comparison compare(const ComparisonRequest& request, const StudyControl& control = {});

std::vector<CostsAtError> costs_at_errors(const std::vector<ComparisonRow>& rows);

}  // namespace polhode
