// What there is: methods, problems, kinds of torque, and bodies.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "io/method_words.hpp"
#include "io/problem_words.hpp"
#include "model/setup_keys.hpp"
#include "polhode/methods/plugin.hpp"
#include "request.hpp"

namespace polhode::python {
namespace {

std::string methods_as_json() {
  auto list = nlohmann::ordered_json::array();
  for (const MethodInfo& method : methods()) list.push_back(entry_of(method, method.claims));
  return list.dump();
}

// With parameters and suffixes.
std::string method_as_json(const std::string& name) {
  const MethodSpec spec = parse_method(name);
  nlohmann::ordered_json entry = entry_of(methods()[spec.index], spec.claims);
  entry["name"] = spec.name;
  return entry.dump();
}

std::string problems_as_json() {
  auto list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems()) list.push_back(entry_of(problem));
  return list.dump();
}

// {kind: [keys]}, for help.
std::string torque_kinds_as_json() {
  nlohmann::ordered_json kinds;
  for_each_field_kind([&](const auto& field) {
    auto keys = nlohmann::ordered_json::object();
    std::apply([&](const auto&... key) { ((keys[std::string(key.name)] = key.meaning), ...); },
               std::decay_t<decltype(field)>::keys());
    kinds[std::string(field.kind)] = {{"about", field.about}, {"keys", keys}};
  });
  return kinds.dump();
}

}  // namespace

void add_catalogue(py::module_& module) {
  module.def("methods_as_json", &methods_as_json);
  module.def("method_as_json", &method_as_json);
  module.def("problems_as_json", &problems_as_json);
  module.def("torque_kinds_as_json", &torque_kinds_as_json);
  module.def("load_plugin", [](const std::string& file) {
    refuse_at_work();
    return load_plugin(file);
  });
}

}  // namespace polhode::python
