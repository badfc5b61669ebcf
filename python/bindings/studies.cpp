// Studies, whose answers are the JSON that the program prints.
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "polhode/io/study_scenario.hpp"
#include "polhode/io/study_text.hpp"
#include "request.hpp"

namespace polhode::python {
namespace {

const ArgumentNames names_in_study = {
    {"run.method", "methods"}, {"run.step", "step_sizes"}, {"run.duration", "t_span"}};
const ArgumentNames names_in_diagnosis = {{"run.method", "method"}};

// Calls a function of Python with how much is done.
std::function<void(const StudyProgress&)> told(const py::object& progress) {
  if (progress.is_none()) return {};
  return [progress = std::make_shared<py::object>(progress)](const StudyProgress& at) {
    with_lock([&] { (*progress)(at.done, at.seconds); });
  };
}

void refuse_functions(const Scenario& scenario) {
  if (scenario.setup.called_torques.empty()) return;
  throw Error(ErrorKind::bad_request,
              "torque: a study measures errors against a reference to rounding, which there is none of for a torque "
              "that is a function; write the torque as an expression");
}

StudyRequest study(const Request& request, std::vector<std::string> methods, std::vector<double> steps) {
  refuse_functions(request.scenario);
  StudyRequest made = study_request(request.scenario);
  if (request.scenario.problem == nullptr && !made.situation) {
    const RunOptions& run = request.scenario.run;
    made.situation = {request.scenario.title, request.scenario.setup,
                      run.steps ? static_cast<double>(*run.steps) * run.step : duration_of(run)};
    made.duration = made.situation->duration;
    made.reference = std::make_shared<MotionReference>(request.scenario.setup);
  }
  made.methods = std::move(methods);
  made.steps = std::move(steps);
  return made;
}

template <class Asked, class Made>
std::string measured(const Asked& asked, const py::object& progress, const ArgumentNames& names,
                     Made (*measure)(const Asked&, const StudyControl&)) {
  std::string json;
  Trouble trouble;
  StudyControl control;
  control.progress = told(progress);
  control.stop = &trouble.stop();
  with_arguments(names, [&] { without_lock(trouble, [&] { json = to_json(measure(asked, control)); }); });
  return json;
}

std::string converge_as_json(const Request& request, std::vector<std::string> methods, std::vector<double> steps,
                             const py::object& progress) {
  return measured(study(request, std::move(methods), std::move(steps)), progress, names_in_study, &converge);
}

std::string compare_as_json(const Request& request, std::vector<std::string> methods, std::vector<double> steps,
                            int repeats, const py::object& progress) {
  ComparisonRequest asked;
  static_cast<StudyRequest&>(asked) = study(request, std::move(methods), std::move(steps));
  asked.repeats = repeats;
  return measured(asked, progress, names_in_study, &compare);
}

std::string diagnose_as_json(const Request& request, const std::string& method, const py::object& progress) {
  refuse_functions(request.scenario);
  const DiagnosisRequest asked{request.scenario.setup, request.scenario.title, method};
  return measured(asked, progress, names_in_diagnosis, &diagnose);
}

}  // namespace

void add_studies(py::module_& module) {
  module.def("converge", &converge_as_json);
  module.def("compare", &compare_as_json);
  module.def("diagnose", &diagnose_as_json);
}

}  // namespace polhode::python
