// A whole run, with its rows as arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "motion.hpp"
#include "polhode/io/json.hpp"
#include "polhode/run/simulation.hpp"
#include "request.hpp"
#include "row_block.hpp"
#include "views.hpp"

namespace polhode::python {
namespace {

// Rows one after the other in one block of memory, which numpy looks into.
class Rows final : public ResultWriter {
 public:
  explicit Rows(bool scalar_first) : scalar_first_(scalar_first) {}

  void begin(const Provenance& about) override {
    headers_ = column_headers(about);
    if (about.columns.contains(column("attitude_wxyz"))) attitude_ = 1;
  }
  void row(std::span<const Number> cells) override {
    double* const to = numbers_.longer_by(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) to[i] = cells[i].value;
    if (!scalar_first_ && attitude_) std::rotate(to + *attitude_, to + *attitude_ + 1, to + *attitude_ + 4);
  }
  void end(const Result&) override {}

  const std::vector<std::string>& headers() const { return headers_; }
  // (rows, columns), without a copy.
  py::array_t<double> taken() { return numbers_.taken(headers_.size()); }

 private:
  bool scalar_first_;
  std::vector<std::string> headers_;
  std::optional<std::ptrdiff_t> attitude_;
  RowBlock numbers_;
};

using Times = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::dict event_of(const Event& event, bool scalar_first) {
  py::array_t<double> y(7);
  const Snapshot& at = event.at;
  const Rotation<double> q{at.attitude_wxyz[0].value,
                           {at.attitude_wxyz[1].value, at.attitude_wxyz[2].value, at.attitude_wxyz[3].value}};
  const auto& w = at.angular_velocity_body;
  write_motion(q, {w[0].value, w[1].value, w[2].value}, scalar_first, y.mutable_data());
  py::dict seen;
  seen["name"] = event.name;
  seen["t"] = at.time.value;
  seen["y"] = y;
  seen["rising"] = event.rising;
  seen["terminal"] = event.terminal;
  return seen;
}

// Kept for whoever asks for all of it.
struct Outcome {
  Result result;
  std::shared_ptr<const Request> request;

  using Error = std::optional<double>;
  // Of the attitude and the momentum at the end, where a reference is known.
  std::pair<Error, Error> errors() {
    measure_errors(result, request->scenario.setup);
    const auto value = [](const std::optional<Number>& error) { return error ? Error(error->value) : Error(); };
    return {value(result.attitude_error), value(result.momentum_error)};
  }
  std::string json() {
    measure_errors(result, request->scenario.setup);
    if (result.about.scenario.empty()) result.about.scenario = text_of(request->scenario);
    return to_json(result);
  }
};

// The request is of this run alone, which completes it.
py::dict solve(const std::shared_ptr<Request>& asked, bool record, const std::optional<Times>& times, long long every) {
  const bool scalar_first = asked->scalar_first;
  Scenario& scenario = asked->scenario;
  Rows rows(scalar_first);
  std::optional<Result> result;
  std::string explained;
  std::optional<Motion> motion;
  scenario.output.every = every;
  if (times) {
    scenario.output.times.assign(times->data(), times->data() + times->size());
    scenario.origins["output.times"].given_as = "t_eval";
  }
  Trouble trouble;
  without_lock(trouble, [&] {
    const Plan planned = plan(scenario, true, &trouble.stop());
    // What is left of a function that failed while the run was planned is not a result.
    if (trouble.any()) return;
    if (planned.selection) explained = explanation(*planned.selection);
    RunControl control;
    control.stop = &trouble.stop();
    control.record = record;
    control.errors_later = true;
    result = run(planned, &rows, control);
    if (record) motion = motion_of(*result, scenario, planned, scalar_first);
  });
  py::dict answer;
  answer["rows"] = rows.taken();
  answer["headers"] = rows.headers();
  answer["method"] = result->about.method;
  answer["step"] = result->about.step;
  answer["steps"] = result->steps;
  py::list events;
  for (const Event& event : result->events) events.append(event_of(event, scalar_first));
  answer["events"] = events;
  answer["status"] = std::string(status_name(result->status));
  answer["failure"] = result->failure ? py::object(py::str(result->failure->sentence)) : py::none();
  answer["incomplete"] = result->incomplete;
  answer["warnings"] = result->warnings;
  answer["explanation"] = explained;
  answer["torque_evaluations"] = result->work.torque_evaluations;
  answer["seconds"] = result->seconds;
  answer["energy_conserved"] = result->about.energy_conserved;
  answer["motion"] = motion;
  answer["outcome"] = Outcome{std::move(*result), asked};
  return answer;
}

}  // namespace

void add_solve(py::module_& module) {
  py::class_<Outcome>(module, "Outcome").def("errors", &Outcome::errors).def("json", &Outcome::json);
  module.def("solve", &solve, py::arg("request"), py::arg("record"), py::arg("times"), py::arg("every"));
}

}  // namespace polhode::python
