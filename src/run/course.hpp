// One method in one situation, in a scalar of its own that callers need not know.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "polhode/run/simulation.hpp"

namespace polhode {

class Course {
 public:
  virtual ~Course() = default;
  virtual std::unique_ptr<Course> clone() const = 0;

  // The whole of the plan, from the start.
  virtual Result run(const Plan& plan, const Provenance& about, ResultWriter* rows, const RunControl& control) = 0;

  // Wall-clock seconds of so many runs one after the other, from the start of the method to its last step,
  // unobserved: for a run that is known to come to its end. When `stop` is set on the way, the time means nothing.
  virtual double seconds(long long runs, const std::atomic<bool>* stop) = 0;

  // A step at a time, for Simulation; SI units and the user's axes.
  virtual void begin(const Plan& plan) = 0;
  // Says why where a step failed; the course stands before it.
  virtual std::optional<RunFailure> advance_to(double t, const std::atomic<bool>* stop) = 0;
  virtual State<double> state() const = 0;
  virtual std::optional<State<double>> at(double t) = 0;  // none outside the last step
  virtual std::vector<double> columns(const Columns& groups) const = 0;
  virtual std::optional<std::vector<double>> columns_at(double t, const Columns& groups) = 0;
  virtual std::optional<Sensitivities> sensitivities() = 0;  // of a plan that asks for them
  virtual Work work() const = 0;
  virtual bool ended() const = 0;  // by an event
  virtual std::vector<Event> events() const = 0;
  // Stores how far it has come, or loads it.
  virtual void transfer(Archive& archive) = 0;
};

struct CourseRequest {
  const Setup& setup;
  const MethodSpec& method;
  const Steps& steps;
  std::optional<double> tolerance{};        // [rad], for a method that takes one
  const TangentRequest* tangent = nullptr;  // what it is differentiated by, in double alone
};

// Throws SetupError and MethodError.
std::unique_ptr<Course> make_course(ScalarKind scalar, const CourseRequest& request);

// Of errors that the reference is not good enough for, in a sentence.
std::optional<std::string> below_uncertainty(const Result& result);

// Compiled apart, and optimised less: the time of these is in the steps, not in the loop over them.
std::unique_ptr<Course> make_course_in_float(const CourseRequest& request);
std::unique_ptr<Course> make_course_in_long_double(const CourseRequest& request);
std::unique_ptr<Course> make_course_in_quad(const CourseRequest& request);

// Finds out how many runs a timing needs to last so many seconds, beginning with `runs`; returns how long it lasts.
double calibrate(Course& course, double least_seconds, long long& runs, const std::atomic<bool>* stop = nullptr);

// What one run of each takes [s]: the median of so many timings, one after the other and then all again, or of one where
// that lasts long.
std::vector<double> median_seconds(const std::vector<std::unique_ptr<Course>>& courses, double least_seconds,
                                   int repeats);

}  // namespace polhode
