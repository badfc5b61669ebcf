// The papers measured again: experiments, as `polhode reproduce` conducts them.
#include <pybind11/stl.h>

#include "experiments/conduct.hpp"
#include "experiments/result_file.hpp"
#include "experiments/runs.hpp"
#include "request.hpp"

namespace polhode::python {
namespace {

experiments::Set set_named(const std::string& name) {
  for (const auto set : {experiments::Set::quick, experiments::Set::standard, experiments::Set::long_})
    if (experiments::set_name(set) == name) return set;
  throw py::value_error("set: '" + name + "' is none of quick, standard and long");
}

// result.json of one experiment; empty where the set does not have it.
std::string conducted(const std::string& folder, const std::string& set_name, const std::string& output,
                      unsigned threads) {
  const experiments::Set set = set_named(set_name);
  Trouble trouble;
  std::string json;
  without_lock(trouble, [&] {
    const experiments::Experiment experiment = experiments::read_experiment(folder);
    if (experiment.set > set) return;
    try {
      const experiments::Outcome outcome =
          experiments::conduct(experiment, {set, threads, output, "", &trouble.stop(), {}});
      json = experiments::to_json(experiment, outcome, set, experiments::digest_of(experiment, set, "")).dump();
    } catch (const experiments::Interrupted&) {
      throw Error(ErrorKind::interrupted, "interrupted in " + experiment.name);
    }
  });
  return json;
}

}  // namespace

void add_reproduction(py::module_& module) {
  module.def("conducted", &conducted);
  module.def("experiment_names", &experiments::experiment_names);
}

}  // namespace polhode::python
