#include "studies/study_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/version.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode {
namespace {

// A study states the steps, which auto would choose.
void refuse_auto(const std::string& method) {
  if (method != automatic_method) return;
  throw SetupError(
      "run.method",
      "auto chooses a method and a step for a tolerance, and a study needs methods by their names; a run by "
      "auto says which one it chooses");
}

// What errors are measured against, in words.
std::string words_on(ReferenceSource source, const std::string& name) {
  switch (source) {
    case ReferenceSource::closed_form: return "closed form of the free body";
    case ReferenceSource::built_in:
      return fmt::format("reference solution of {}; 'polhode problems --json' says how it is computed", name);
    case ReferenceSource::computed: break;
    case ReferenceSource::cache: return "two integrations to rounding, as they were kept; see docs/references.md";
  }
  return "two integrations to rounding, made for this study; see docs/references.md";
}

constexpr double trial_rows = 1000;

std::string name_of(const StudyRequest& request) {
  return request.situation ? request.situation->name : std::string(request.problem->name);
}

bool is_built_in(const StudyRequest& request, long double end) {
  return request.problem != nullptr && cached_reference_at<long double>(*request.problem, end);
}

// Before the first run, so that whoever waits knows for what; the runs then find it.
template <class T>
void make_reference(const StudyRequest& request, const StudyControl& control) {
  const double begin = setup_of(request).time, duration = study_duration(request);
  const T end = T(begin) + T(duration);
  if (moves_freely(setup_of(request)) || is_built_in(request, static_cast<long double>(end))) return;
  ReferenceControl of_reference{control.announce_reference, {}, control.stop, control.warn};
  if (control.progress)
    of_reference.progress = [&](double done, double seconds) { control.progress({done, seconds, "reference", {}, 0}); };
  try {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(begin + duration);
    request.reference->at<T>(end, rounding, of_reference);
  } catch (const Error& error) {
    if (error.kind == ErrorKind::interrupted) throw;
    throw Error(error.kind, fmt::format("{} has no reference at t = {:.9g} s to measure errors against: {}",
                                        name_of(request), begin + duration, error.what()));
  }
}

}  // namespace

const Setup& setup_of(const StudyRequest& request) {
  return request.situation ? request.situation->setup : request.problem->setup;
}

double study_duration(const StudyRequest& request) {
  if (request.duration) return *request.duration;
  if (request.situation) return request.situation->duration;
  return std::min(request.problem->duration, request.problem->reference_duration);
}

RunRequest study_run(const StudyRequest& request) {
  RunRequest run;
  run.setup = setup_of(request);
  run.problem = request.problem;
  run.reference = request.reference;
  run.title = name_of(request);
  run.run.scalar = request.scalar;
  run.run.duration = study_duration(request);
  return run;
}

StudySubject subject_of(const StudyRequest& request) {
  StudySubject subject;
  subject.version = version();
  subject.problem = name_of(request);
  subject.scalar = request.scalar;
  subject.duration = study_duration(request);
  return subject;
}

Result trial(const StudyRequest& request, const char* method, double step, ResultWriter* rows) {
  RunRequest wanted = study_run(request);
  wanted.run.scalar = ScalarKind::double_;
  wanted.run.method = method;
  wanted.run.step = step;
  wanted.columns = parse_columns({"angular_velocity_body", "angular_momentum_spatial"});
  return run(plan(std::move(wanted)), rows);
}

Motion motion_of(const StudyRequest& request, const StudyControl& control, StudySubject& subject) {
  check(study_run(request).run);
  planned_run(study_run(request), "taylor-adaptive", std::abs(study_duration(request)));  // or why there can be no run
  const bool wide = request.scalar == ScalarKind::long_double_ || request.scalar == ScalarKind::quad_;
  const auto begin = std::chrono::steady_clock::now();
  wide ? make_reference<quad>(request, control) : make_reference<long double>(request, control);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  Table table;
  const Result result = request.situation
                            ? trial(request, "taylor-adaptive", std::abs(study_duration(request)) / trial_rows, &table)
                            : trial(request, "rkmk-4", request.problem->step, &table);
  if (!result.reference) {
    throw Error(ErrorKind::run_failed,
                fmt::format("{} has no reference at t = {:.9g} s to measure errors against: {}", subject.problem,
                            result.end.time.value, result.failure ? result.failure->what : result.no_reference));
  }
  subject.against = result.reference;
  subject.against->seconds += elapsed.count();
  subject.reference = words_on(result.reference->source, subject.problem);
  Motion motion;
  for (const std::vector<Number>& row : table.rows) {
    motion.rotation += std::hypot(row[1].value, row[2].value, row[3].value) / static_cast<double>(table.rows.size());
    motion.momentum = larger(motion.momentum, std::hypot(row[4].value, row[5].value, row[6].value));
  }
  motion.rotation *= std::abs(study_duration(request));
  return motion;
}

void check(const StudyRequest& request) {
  const RunRequest base = study_run(request);
  const std::vector<double> steps =
      request.steps.empty() ? std::vector{std::abs(study_duration(request))} : request.steps;
  for (const std::string& method : request.methods)
    for (const double step : steps) planned_run(base, method, step);
}

PlannedRun planned_run(const RunRequest& base, const std::string& method, double step) {
  refuse_auto(method);
  RunRequest wanted = base;
  wanted.run.method = method;
  wanted.run.step = step;
  Plan made = plan(std::move(wanted));
  const double work = static_cast<double>(made.steps.count) * (1 + made.method.claims.torque_evaluations);
  return {std::move(made), work};
}

std::vector<double> in_falling_order(std::vector<double> steps) {
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace polhode
