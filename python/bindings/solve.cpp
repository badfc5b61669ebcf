// A whole run, with its rows as arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "polhode/io/json.hpp"
#include "polhode/run/simulation.hpp"
#include "request.hpp"
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
    const std::size_t at = numbers_.size();
    numbers_.resize(at + cells.size());
    double* const to = numbers_.data() + at;
    for (std::size_t i = 0; i < cells.size(); ++i) to[i] = cells[i].value;
    if (!scalar_first_ && attitude_) std::rotate(to + *attitude_, to + *attitude_ + 1, to + *attitude_ + 4);
  }
  void end(const Result&) override {}

  const std::vector<std::string>& headers() const { return headers_; }
  // (rows, columns), without a copy.
  py::array_t<double> taken() {
    const std::size_t width = headers_.size();
    auto* const kept = new std::vector<double>(std::move(numbers_));
    const py::capsule owner(kept, [](void* last) { delete static_cast<std::vector<double>*>(last); });
    return py::array_t<double>({kept->size() / width, width}, kept->data(), owner);
  }

 private:
  bool scalar_first_;
  std::vector<std::string> headers_;
  std::optional<std::ptrdiff_t> attitude_;
  std::vector<double> numbers_;
};

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

// The run at any time, for as long as anybody asks.
struct Motion {
  std::shared_ptr<const Recording> recording;
  bool scalar_first;

  // (7, n)
  py::array_t<double> at(const std::vector<double>& times) const {
    std::vector<Recording::Moment> moments;
    Trouble trouble;
    with_arguments({{"time", "t"}},
                   [&] { without_lock(trouble, [&] { moments = recording->at(times, &trouble.stop()); }); });
    const auto n = static_cast<py::ssize_t>(times.size());
    py::array_t<double> y({py::ssize_t{7}, n});
    for (py::ssize_t i = 0; i < n; ++i) {
      const Recording::Moment& moment = moments[static_cast<std::size_t>(i)];
      std::array<double, 7> values;
      write_motion(moment.state.R_SB, moment.w_B, scalar_first, values.data());
      for (py::ssize_t k = 0; k < 7; ++k) *y.mutable_data(k, i) = values[static_cast<std::size_t>(k)];
    }
    return y;
  }
};

// Kept for whoever asks for all of it.
struct Outcome {
  Result result;
  Scenario scenario;

  std::string json() {
    if (result.about.scenario.empty()) result.about.scenario = text_of(scenario);
    return to_json(result);
  }
};

py::dict solve(const Request& request, bool record, const std::vector<double>& times, long long every) {
  Rows rows(request.scalar_first);
  std::optional<Result> result;
  std::string explained;
  Scenario scenario = request.scenario;
  Trouble trouble;
  without_lock(trouble, [&] {
    if (!times.empty()) {
      scenario.output.times = times;
      scenario.origins["output.times"].given_as = "t_eval";
    }
    scenario.output.every = every;
    const Plan planned = plan(scenario, true, &trouble.stop());
    // What is left of a function that failed while the run was planned is not a result.
    if (trouble.any()) return;
    if (planned.selection) explained = explanation(*planned.selection);
    RunControl control;
    control.stop = &trouble.stop();
    control.record = record;
    result = Simulation(planned).run(&rows, control);
  });
  py::dict answer;
  answer["rows"] = rows.taken();
  answer["headers"] = rows.headers();
  answer["method"] = result->about.method;
  answer["step"] = result->about.step;
  answer["steps"] = result->steps;
  answer["attitude_error"] =
      result->attitude_error ? py::object(py::float_(result->attitude_error->value)) : py::object(py::none());
  answer["momentum_error"] =
      result->momentum_error ? py::object(py::float_(result->momentum_error->value)) : py::object(py::none());
  py::list events;
  for (const Event& event : result->events) events.append(event_of(event, request.scalar_first));
  answer["events"] = events;
  answer["status"] = std::string(status_name(result->status));
  answer["failure"] = result->failure ? py::object(py::str(result->failure->sentence)) : py::none();
  answer["incomplete"] = result->incomplete;
  answer["warnings"] = result->warnings;
  answer["no_reference"] = result->no_reference;
  answer["explanation"] = explained;
  answer["torque_evaluations"] = result->work.torque_evaluations;
  answer["seconds"] = result->seconds;
  answer["energy_conserved"] = result->about.energy_conserved;
  answer["motion"] =
      result->recording ? py::cast(Motion{result->recording, request.scalar_first}) : py::object(py::none());
  answer["outcome"] = Outcome{std::move(*result), std::move(scenario)};
  return answer;
}

}  // namespace

void add_solve(py::module_& module) {
  py::class_<Outcome>(module, "Outcome").def("json", &Outcome::json);
  py::class_<Motion>(module, "Motion").def("at", &Motion::at);
  module.def("solve", &solve, py::arg("request"), py::arg("record"), py::arg("times"), py::arg("every"));
}

}  // namespace polhode::python
