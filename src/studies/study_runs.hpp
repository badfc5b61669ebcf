// Runs as studies make them: of one situation, by many methods and steps, measured against its reference.
#pragma once

#include <string>
#include <vector>

#include "polhode/run/simulation.hpp"
#include "polhode/studies/study.hpp"
#include "run/error_bounds.hpp"

namespace polhode {

const Setup& setup_of(const StudyRequest& request);

// The request with a reference that its runs share.
template <class Request>
Request with_reference(Request request) {
  if (!request.reference) request.reference = std::make_shared<MotionReference>(setup_of(request));
  return request;
}

// What was asked for, or the situation's own, as far as a built-in reference reaches [s].
double study_duration(const StudyRequest& request);

// The situation with the request's scalar and duration, and without a method yet.
RunRequest study_run(const StudyRequest& request);

StudySubject subject_of(const StudyRequest& request);

// The motion as a whole: how far the body turns [rad], and its largest momentum [kg m^2/s].
struct Motion {
  double rotation = 0, momentum = 0;
};

// Makes the reference first, where it has to be computed, and notes in the subject what errors are measured against. Throws
// Error: run_failed where there is no reference, or interrupted.
Motion motion_of(const StudyRequest& request, const StudyControl& control, StudySubject& subject);

// A run in double by a method that takes every field.
Result trial(const StudyRequest& request, const char* method, double step, ResultWriter* rows = nullptr);

struct PlannedRun {
  Plan plan;
  double work;  // steps times what one of them costs, roughly
};

// Throws SetupError when the method or the step does not fit.
PlannedRun planned_run(const RunRequest& base, const std::string& method, double step);

// Without those given twice.
std::vector<double> in_falling_order(std::vector<double> steps);

}  // namespace polhode
