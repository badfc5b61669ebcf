#include "motion.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>

#include "polhode/run/simulation.hpp"
#include "request.hpp"
#include "views.hpp"

namespace polhode::python {
namespace {

// The numbers of files stay, and the files may go.
void forget_files(FieldData<double>& torque) {
  std::visit(
      [](auto& field) {
        const auto forget = [&](const auto& key) {
          auto& value = field.*(key.member);
          if constexpr (requires { value.table; }) value.name.clear();
        };
        std::apply([&](const auto&... key) { (forget(key), ...); }, field.keys());
      },
      torque);
}

// With the method that was chosen, until the step at which the time was over, and without what only adds to the answer.
Scenario for_the_same_steps(const Scenario& scenario, const Plan& planned, const Result& result) {
  Scenario again = scenario;
  again.output = {};
  again.ensemble.reset();
  for (FieldData<double>& torque : again.setup.torques) forget_files(torque);
  RunOptions& run = again.run;
  run.reference = run.monodromy = run.lyapunov = false;
  run.sensitivities.clear();
  run.max_time.reset();
  if (result.status == RunStatus::max_time) run.max_steps = std::max(1LL, result.steps);
  if (planned.selection) {
    run.duration = run.steps ? static_cast<double>(*run.steps) * run.step : duration_of(run);
    run.steps.reset();
    run.method = planned.method.name;
    run.step = planned.steps.size;
    run.tolerance.reset();
    run.goal.reset();
  }
  return again;
}

Motion made_again(const std::string& toml, bool scalar_first) {
  const auto scenario = std::make_shared<const Scenario>(parse_scenario(toml, "a motion that was pickled"));
  std::shared_ptr<const Recording> recording;
  Trouble trouble;
  without_lock(trouble, [&] {
    RunControl control;
    control.stop = &trouble.stop();
    control.record = true;
    control.errors_later = true;
    recording = run(plan(*scenario, true, control.stop), nullptr, control).recording;
  });
  return {recording, scenario, scalar_first};
}

}  // namespace

py::array_t<double> Motion::at(const std::vector<double>& times) const {
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

std::string Motion::toml() const {
  const auto calls = [](const EventData& event) { return event.function != nullptr; };
  const bool is_called =
      !again->setup.called_torques.empty() || std::any_of(again->events.begin(), again->events.end(), calls);
  if (is_called || !again->run.step_file.empty())
    throw py::type_error(
        std::string("the motion between the rows, sol, ") +
        (is_called ? "asks a function of yours for the torque or an event" : "has its steps from a file") +
        ", and cannot be pickled; solve with dense_output=False, or set sol = None in the solution");
  return to_toml(*again);
}

Motion motion_of(const Result& result, const Scenario& scenario, const Plan& planned, bool scalar_first) {
  return {result.recording, std::make_shared<const Scenario>(for_the_same_steps(scenario, planned, result)),
          scalar_first};
}

void add_motion(py::module_& module) {
  py::class_<Motion>(module, "Motion").def("at", &Motion::at).def("toml", &Motion::toml);
  module.def("made_again", &made_again);
}

}  // namespace polhode::python
