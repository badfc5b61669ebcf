#include "polhode/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "polhode/core/error.hpp"
#include "polhode/core/version.hpp"
#include "polhode/model/setup_json.hpp"
#include "run/course.hpp"
#include "run/differentiable.hpp"

namespace polhode {
namespace {

RunRequest request_of(const Setup& setup, std::string_view method, RunOptions options) {
  options.method = method;
  RunRequest request;
  request.setup = setup;
  request.run = std::move(options);
  return request;
}

Provenance provenance(const Plan& plan) {
  const RunRequest& request = plan.request;
  Provenance about;
  about.version = version();
  about.method = plan.method.name;
  about.problem = request.title;
  about.scalar = request.run.scalar;
  if (plan.steps.listed.empty()) about.step = plan.steps.size;
  about.tolerance = plan.tolerance;
  about.step_scale = request.run.step_scale;
  about.selection = plan.selection;
  about.step_file = request.run.step_file;
  about.scenario = request.text;
  about.space = plan.method.space == Space::sphere ? Space::sphere : space_of(request.setup);
  about.columns = request.columns;
  about.quantities = request.shown_quantities;
  if (plan.tangent) about.derived = derived_columns(request.setup, *plan.tangent);
  if (about.space == Space::sphere && about.columns == standard_columns()) about.columns.insert(column("direction"));
  about.has_wheels = !request.setup.wheels.empty();
  for (const WheelData& wheel : request.setup.wheels)
    if (wheel.torque.value_or(0) != 0) about.energy_conserved = false;
  if (!request.setup.called_torques.empty()) about.energy_conserved = false;
  for (const FieldData<double>& torque : request.setup.torques) {
    std::visit(
        [&](const auto& field) {
          using Field = std::decay_t<decltype(field)>;
          if constexpr (Conservative<Field, double> || TimeDependentPotential<Field, double>)
            about.has_potential = true;
          if (!conserves_energy<double>(field)) about.energy_conserved = false;
        },
        torque);
  }
  return about;
}

// All that is carried along besides the motion, in one line.
std::string differentiated_in(const RunOptions& run) {
  return fmt::format("{}{}{}", fmt::join(run.sensitivities, ","), run.monodromy ? " monodromy" : "",
                     run.lyapunov ? " lyapunov" : "");
}

constexpr std::string_view saved_by_polhode = "Polhode simulation\n";

// Events and condition in one line.
std::string watched_in(const RunRequest& request) {
  std::string text = fmt::format("until '{}'", request.run.stop_when);
  for (const EventData& event : request.events) {
    fmt::format_to(std::back_inserter(text), ", {} '{}' {}{}", event.name, event.when, crossing_name(event.direction),
                   event.terminal ? " ends" : "");
  }
  for (const QuantityData& quantity : request.quantities)
    fmt::format_to(std::back_inserter(text), ", {} = '{}'", quantity.name, quantity.text);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// What must be the same for a simulation to go on where another was, a line each.
std::string identity(const Plan& plan) {
  const Steps& steps = plan.steps;
  std::string sizes = steps.listed.empty() ? fmt::format("{}", steps.size) : "listed";
  for (const double size : steps.listed) sizes += fmt::format(" {}", size);
  return fmt::format(
      "{}version {}\nmethod {}\nscalar {}\nstep {}{}\ntolerance {}\nstep scale '{}'\non failure {}\nwatched "
      "{}\nderivatives {}\nsituation {}\n",
      saved_by_polhode, version(), plan.method.name, scalar_name(plan.request.run.scalar), steps.backwards ? "-" : "",
      sizes, plan.tolerance.value_or(0), plan.request.run.step_scale,
      plan.request.run.on_failure == OnFailure::halve ? "halve" : "stop", watched_in(plan.request),
      differentiated_in(plan.request.run), to_json(plan.request.setup));
}

// "method rkmk-4, and this simulation is of method newmark".
std::string first_difference(std::string_view saved, std::string_view own) {
  std::string_view there, here;
  do {
    const auto next = [](std::string_view& text) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      return line;
    };
    there = next(saved);
    here = next(own);
  } while (there == here && !own.empty());
  return fmt::format("a simulation of {}, and this one is of {}", there, here);
}

constexpr std::size_t digest_size = 16;

// FNV-1a, 64 bits: numbers that were damaged on the way could be anything, places in memory of a method among them.
std::string digest_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

SetupError outside_last_step(double t, double end) {
  return SetupError(
      "time", fmt::format("{:.9g} s is not within the last step, which ends at {:.9g} s; advance to it first", t, end));
}

std::string why_incomplete(const Result& result, const Plan& plan, const RunControl& control) {
  const RunOptions& run = plan.request.run;
  std::string reason;
  switch (result.status) {
    case RunStatus::finished:
    case RunStatus::event: return "";
    case RunStatus::failed: return result.failure->what;
    case RunStatus::interrupted:
      reason = "interrupted" + (control.stopped_by ? " by " + control.stopped_by() : "");
      break;
    case RunStatus::max_steps: reason = fmt::format("ended by the guard of {} steps", *run.max_steps); break;
    case RunStatus::max_time: reason = fmt::format("ended by the guard of {} s of wall clock", *run.max_time); break;
  }
  const bool counted = !plan.steps.chosen || !plan.steps.length;
  return fmt::format("{} after {}{} steps, at t = {:.9g} s", reason, result.steps,
                     counted ? fmt::format(" of {}", plan.steps.count) : "", result.end.time.value);
}

}  // namespace

std::vector<std::string> column_headers(const Provenance& about) {
  std::vector<std::string> headers = column_headers(about.columns);
  headers.insert(headers.end(), about.quantities.begin(), about.quantities.end());
  for (const DerivedColumns& derived : about.derived)
    headers.insert(headers.end(), derived.headers.begin(), derived.headers.end());
  return headers;
}

std::string_view status_name(RunStatus status) {
  switch (status) {
    case RunStatus::finished: return "finished";
    case RunStatus::event: return "event";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: return "interrupted";
    case RunStatus::max_steps: return "max-steps";
    case RunStatus::max_time: break;
  }
  return "max-time";
}

std::string_view energy_terms(const Provenance& about) {
  if (about.has_wheels) return about.has_potential ? "kinetic without wheels + potential" : "kinetic without wheels";
  return about.has_potential ? "kinetic + potential" : "kinetic";
}

Simulation::Simulation(const Setup& setup, std::string_view method, RunOptions options)
    : Simulation(polhode::plan(request_of(setup, method, std::move(options)))) {}

Simulation::Simulation(Plan plan) : plan_(std::move(plan)) {
  plan_.course = plan_.course->clone();  // this one's own, wherever else the plan is used
  plan_.course->begin(plan_);
}

void Simulation::advance_to(double t, const std::atomic<bool>* stop) {
  if (const std::optional<RunFailure> failure = plan_.course->advance_to(t, stop))
    throw Error(ErrorKind::run_failed, failure->sentence);
}

double Simulation::time() const { return state().t; }
State<double> Simulation::state() const { return plan_.course->state(); }

State<double> Simulation::at(double t) const {
  if (const std::optional<State<double>> found = plan_.course->at(t)) return *found;
  throw outside_last_step(t, time());
}
std::vector<double> Simulation::columns_at(double t, const Columns& groups) const {
  if (const std::optional<std::vector<double>> found = plan_.course->columns_at(t, groups)) return *found;
  throw outside_last_step(t, time());
}

std::vector<double> Simulation::columns(const Columns& groups) const { return plan_.course->columns(groups); }
Sensitivities Simulation::sensitivities() const { return plan_.course->sensitivities().value_or(Sensitivities{}); }
Work Simulation::work() const { return plan_.course->work(); }
std::vector<Event> Simulation::events() const { return plan_.course->events(); }
bool Simulation::ended() const { return plan_.course->ended(); }

std::string Simulation::save() const {
  Archive archive;
  plan_.course->transfer(archive);
  return identity(plan_) + archive.bytes() + digest_of(archive.bytes());
}

void Simulation::restore(std::string_view saved) {
  const std::string own = identity(plan_);
  if (!saved.starts_with(saved_by_polhode))
    throw Error(ErrorKind::bad_file, "this was not saved by a simulation of Polhode");
  if (!saved.starts_with(own)) throw Error(ErrorKind::bad_file, "this was saved by " + first_difference(saved, own));
  saved.remove_prefix(own.size());
  const std::string_view numbers = saved.substr(0, saved.size() - std::min(saved.size(), digest_size));
  Archive archive(numbers);
  Simulation restored(plan_);
  const bool whole = saved.substr(numbers.size()) == digest_of(numbers);
  if (whole) restored.plan_.course->transfer(archive);
  if (!whole || !archive.exhausted())
    throw Error(ErrorKind::bad_file, "what was saved is cut short, damaged or has something added; save it once more");
  *this = std::move(restored);
}

Result Simulation::run(ResultWriter* rows, const RunControl& control) const {
  return polhode::run(plan_, rows, control);
}

Result run(const Plan& plan, ResultWriter* rows, const RunControl& control) {
  Result result = plan.course->clone()->run(plan, provenance(plan), rows, control);
  if (plan.selection && !plan.selection->reaches)
    result.warnings.insert(result.warnings.begin(), warning(*plan.selection));
  result.incomplete = why_incomplete(result, plan, control);
  for (ResultWriter* writer : {rows, control.sketch})
    if (writer != nullptr) writer->end(result);
  return result;
}

}  // namespace polhode
