// Runs as studies make them: of one problem, by many methods and steps, measured against its reference.
#pragma once

#include <string>
#include <vector>

#include "polhode/run/simulation.hpp"
#include "polhode/studies/study.hpp"
#include "run/error_bounds.hpp"

namespace polhode {

// What was asked for, or the problem's own as far as its reference reaches [s].
double study_duration(const StudyRequest& request);

// The problem with the request's scalar and duration, and without a method yet.
RunRequest study_run(const StudyRequest& request);

StudySubject subject_of(const StudyRequest& request);

// The motion as a whole: how far the body turns [rad], and its largest momentum [kg m^2/s].
struct Motion {
  double rotation = 0, momentum = 0;
};

// Throws SetupError for a duration without a reference.
Motion motion_of(const StudyRequest& request);

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
