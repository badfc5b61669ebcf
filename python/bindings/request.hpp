// What Python asks for, as the library's own data.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "polhode/io/scenario.hpp"
#include "without_lock.hpp"

namespace polhode::python {

// A scenario whose torques and events may be Python's functions.
struct Request {
  Scenario scenario;
  bool scalar_first = true;
};

// `tables`: as a scenario file has them, in dictionaries. `names`: what the caller calls further keys, for messages.
// `torques`: dictionaries {"function" or "address" and "user_data", "name", "velocity", "many"}; `events`: dictionaries {"name",
// "function", "direction", "terminal"}. Functions belong to whoever asks (KeptFunction), as long as he asks.
Request make_request(const py::dict& tables, const std::map<std::string, std::string, std::less<>>& names,
                     const py::list& torques, const py::list& events, bool scalar_first);

// Keys of the library, and what the arguments are called that become them.
using ArgumentNames = std::vector<std::pair<std::string, std::string>>;
template <class Call>
void with_arguments(const ArgumentNames& names, const Call& call) {
  try {
    call();
  } catch (const SetupError& error) {
    for (const auto& [key, name] : names)
      if (error.key == key) throw SetupError(name, error.what());
    throw;
  }
}

// As a file has it: verbatim, or one that says the same.
std::string text_of(const Scenario& scenario);

// Of a scenario file or a problem, "problem:NAME".
Request request_of(const std::string& file_or_problem);

// Throws Error while any work is under way, which may be looking methods up: for whoever lists one.
void refuse_at_work();

void add_requests(py::module_& module);
void add_solve(py::module_& module);
void add_motion(py::module_& module);
void add_ensemble(py::module_& module);
void add_simulation(py::module_& module);
void add_studies(py::module_& module);
void add_own_methods(py::module_& module);
void add_reproduction(py::module_& module);
void add_catalogue(py::module_& module);
void add_rotor(py::module_& module);

}  // namespace polhode::python
