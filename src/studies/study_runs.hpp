// Runs as studies make them: of one problem, by many methods and steps, measured against its reference.
#pragma once

#include <string>
#include <vector>

#include "polhode/run/run.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {

// An attitude error as large as this [rad] says nothing about the step.
inline constexpr double saturated_angle = 0.5;

// What was asked for, or the problem's own as far as its reference reaches [s].
double study_duration(const StudyRequest& request);

// The problem with the request's scalar and duration, and without a method yet.
Scenario study_scenario(const StudyRequest& request);

StudySubject subject_of(const StudyRequest& request);

// The motion as a whole: how far the body turns [rad], and its largest momentum [kg m^2/s].
struct Motion {
  double rotation = 0, momentum = 0;
};

// Throws Error (usage) for a duration without a reference.
Motion motion_of(const StudyRequest& request);

// A run in double by a method that takes every field.
Result trial(const StudyRequest& request, const char* method, double step, RowSink* rows = nullptr);

// What rounding may contribute to an attitude error [rad]; the rule is explained in polhode/studies/converge.hpp.
double attitude_floor(ScalarKind scalar, double rotation, long long steps);

struct PlannedRun {
  Scenario scenario;
  Plan plan;
  double work;  // steps times what one of them costs, roughly
};

// Throws Error (usage) when the method or the step does not fit.
PlannedRun planned_run(const Scenario& base, const std::string& method, double step);

// Without those given twice.
std::vector<double> in_falling_order(std::vector<double> steps);

}  // namespace polhode
