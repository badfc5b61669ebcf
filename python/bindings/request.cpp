#include "request.hpp"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "argument_names.hpp"
#include "io/scenario_tables.hpp"
#include "polhode/core/names.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/problem.hpp"
#include "text.hpp"
#include "torque_call.hpp"
#include "views.hpp"

namespace polhode::python {
namespace {

constexpr int deepest = 16;

// Dictionaries as the tables of a scenario.
class Given {
 public:
  explicit Given(NamesOfKeys& names) : names_(names) {}

  toml::table table_of(const py::dict& values, const std::string& where, int depth) {
    toml::table table;
    // Items of its own, as what is asked of a value may change the dictionary.
    for (const py::handle item : py::reinterpret_steal<py::list>(PyDict_Items(values.ptr()))) {
      const auto pair = py::reinterpret_borrow<py::tuple>(item);
      const py::object key = pair[0], value = pair[1];
      if (!py::isinstance<py::str>(key))
        throw py::type_error(said(where) + ": the key " + shown(key) + " is not a string");
      if (value.is_none()) continue;
      const std::string name = text_in(key, where);
      const std::string dotted = where.empty() ? name : where + '.' + name;
      names_.note(where, name);
      if (depth > depth_of_torques) note(dotted);
      take_value(value, dotted, depth,
                 [&](auto&& taken) { table.insert_or_assign(name, std::forward<decltype(taken)>(taken)); });
    }
    return table;
  }

  // Of what is there: a key with an origin counts as stated. The reader of the tables notes those that it knows.
  Origins& origins() { return origins_; }

 private:
  static constexpr int depth_of_torques = 2;

  void note(const std::string& where) { origins_[where]; }
  std::string text_in(py::handle text, const std::string& where) const {
    if (auto plain = plain_utf8(text)) return *std::move(plain);
    return utf8(text, said(where));
  }
  std::string said(const std::string& where) const {
    const std::string name = names_.of(where);
    return name.empty() ? where : name;
  }

  toml::array array_of(const py::object& values, const std::string& where, int depth) {
    toml::array array;
    const auto add = [&](auto&& taken) { array.push_back(std::forward<decltype(taken)>(taken)); };
    const py::ssize_t size = py::len_hint(values);
    py::ssize_t i = 0;
    for (const py::handle value : py::reinterpret_borrow<py::iterable>(values)) {
      if (i == size) break;  // a sequence that never ends
      if (py::isinstance<py::dict>(value)) {
        const std::string place = fmt::format("{}[{}]", where, i);
        if (depth >= depth_of_torques) note(place);
        take_value(value, place, depth, add);
      } else {
        take_value(value, where, depth, add);
      }
      ++i;
    }
    return array;
  }

  template <class Take>
  void take_value(py::handle value, const std::string& where, int depth, const Take& take) {
    if (depth > deepest) throw py::value_error(said(where) + ": is nested too deeply");
    if (PyBool_Check(value.ptr())) return take(value.ptr() == Py_True);
    if (PyFloat_Check(value.ptr())) return take(PyFloat_AS_DOUBLE(value.ptr()));
    if (py::isinstance<py::str>(value)) return take(text_in(value, where));
    if (py::isinstance<py::dict>(value))
      return take(table_of(py::reinterpret_borrow<py::dict>(value), where, depth + 1));
    if (PyList_CheckExact(value.ptr()))
      return take(array_of(py::reinterpret_borrow<py::object>(value), where, depth + 1));
    if (py::hasattr(value, "tolist")) {  // numpy
      const py::object list = value.attr("tolist")();
      return take_value(list, where, depth + 1, take);
    }
    if (PyIndex_Check(value.ptr()) != 0) return take(whole_number(value, where));
    if (py::hasattr(value, "__fspath__")) return take(file_name(value, where));
    if (PyNumber_Check(value.ptr()) != 0 && py::hasattr(value, "__float__")) return take(number(value, where));
    if (py::isinstance<py::sequence>(value) && !py::isinstance<py::bytes>(value) && py::hasattr(value, "__len__"))
      return take(array_of(py::reinterpret_borrow<py::object>(value), where, depth + 1));
    throw py::type_error(fmt::format("{}: {} is of the type {}; give numbers, text, or arrays of them", said(where),
                                     shown(value), Py_TYPE(value.ptr())->tp_name));
  }

  std::int64_t whole_number(py::handle value, const std::string& where) const {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!index) {
      if (const py::error_already_set error; !is_about_a_value(error)) throw error;
      throw py::type_error(said(where) + ": " + shown(value, 40) + " is not a whole number");
    }
    int overflow = 0;
    const std::int64_t whole = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
    if (overflow != 0) throw py::value_error(said(where) + ": " + shown(value, 40) + " is too large");
    return whole;
  }
  std::string file_name(py::handle value, const std::string& where) const {
    try {
      const py::object name = py::module_::import("os").attr("fspath")(value);
      return py::isinstance<py::str>(name) ? utf8(name, said(where)) : name.cast<std::string>();
    } catch (py::error_already_set& error) {
      if (!is_about_a_value(error)) throw;
    }
    throw py::type_error(said(where) + ": " + shown(value, 40) + " is not the name of a file");
  }
  double number(py::handle value, const std::string& where) const {
    try {
      return py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>();
    } catch (py::error_already_set& error) {
      if (!is_about_a_value(error)) throw;
    }
    throw py::value_error(said(where) + ": " + shown(value, 40) + " is not a number of double precision");
  }

  NamesOfKeys& names_;
  Origins origins_;
};

CalledTorque torque_from(const py::dict& one, bool scalar_first) {
  TorqueMarks marks;
  marks.name = for_messages(py::str(one["name"]));
  marks.depends_on_velocity = one["velocity"].cast<bool>();
  marks.takes_many = one["many"].cast<bool>();
  marks.scalar_first = scalar_first;
  if (!one.contains("address")) return torque_of_function(one["function"], marks);
  const py::object address = one["address"];
  const auto at = PyLong_Check(address.ptr()) ? PyLong_AsUnsignedLongLong(address.ptr()) : 0;
  PyErr_Clear();
  if (at == 0 || at == std::numeric_limits<decltype(at)>::max())
    throw py::value_error("torque: " + shown(address) + " is no address of a function");
  const py::object data = one["user_data"];
  if (data.is_none()) return torque_at_address(static_cast<std::uintptr_t>(at), std::nullopt, marks);
  const auto data_at = PyLong_Check(data.ptr()) ? PyLong_AsUnsignedLongLong(data.ptr()) : 0;
  if (PyErr_Occurred() != nullptr || !PyLong_Check(data.ptr())) {
    PyErr_Clear();
    throw py::value_error("torque: " + shown(data) + " is no address of user data");
  }
  return torque_at_address(static_cast<std::uintptr_t>(at), static_cast<std::uintptr_t>(data_at), marks);
}

EventData event_from(const py::dict& one, bool scalar_first) {
  EventData event;
  event.name = utf8(one["name"], "events");
  event.direction = parse_crossing(one["direction"].cast<std::string>());
  event.terminal = one["terminal"].cast<bool>();
  const std::shared_ptr<KeptFunction> function(new KeptFunction(one["function"]), &delete_with_lock<KeptFunction>);
  event.function = [function, name = event.name, scalar_first](const State<double>& s, const Vec3<double>& w_B) {
    double value = 1;
    with_lock([&] {
      py::array_t<double> y(7);
      write_motion(s.R_SB, w_B, scalar_first, y.mutable_data());
      const py::object answer = function->get()(s.t, y);
      value = PyFloat_AsDouble(answer.ptr());
      if (PyErr_Occurred() == nullptr) return;
      value = 1;
      if (const py::error_already_set error; !is_about_a_value(error)) throw error;
      throw py::type_error("events: " + name + " returned " + shown(answer) + "; return a number");
    });
    return value;
  };
  return event;
}

}  // namespace

Request make_request(const py::dict& tables, const std::map<std::string, std::string, std::less<>>& names,
                     const py::list& torques, const py::list& events, bool scalar_first) {
  Request request;
  request.scalar_first = scalar_first;
  const std::size_t tables_of_torques = tables.contains("torque") ? py::len(tables["torque"]) : 0;
  const auto called = std::make_shared<NamesOfKeys>(names, tables_of_torques);
  Given given(*called);
  const toml::table given_tables = given.table_of(tables, "", 0);
  request.scenario = scenario_from(given_tables, std::move(given.origins()),
                                   [called](std::string_view key) { return called->of(key); });
  Scenario& scenario = request.scenario;
  if (tables.contains("quantities")) {
    // In the order in which they were given; a TOML table sorts its keys.
    std::vector<QuantityData> ordered;
    for (const py::handle key : py::reinterpret_steal<py::list>(PyDict_Keys(py::dict(tables["quantities"]).ptr())))
      for (QuantityData& one : scenario.quantities)
        if (one.name == for_messages(key)) ordered.push_back(one);
    scenario.quantities = std::move(ordered);
  }
  for (const py::handle one : torques)
    scenario.setup.called_torques.push_back(torque_from(one.cast<py::dict>(), scalar_first));
  for (const py::handle one : events) scenario.events.push_back(event_from(one.cast<py::dict>(), scalar_first));
  return request;
}

std::string text_of(const Scenario& scenario) { return scenario.text.empty() ? to_toml(scenario) : scenario.text; }

Request request_of(const std::string& file_or_problem) {
  Request request;
  if (!file_or_problem.starts_with("problem:")) {
    request.scenario = read_scenario(file_or_problem);
    return request;
  }
  const std::string name = file_or_problem.substr(8);
  const Problem* problem = find_problem(name);
  if (problem == nullptr) {
    std::vector<std::string> all;
    for (const Problem& one : problems()) all.emplace_back(one.name);
    const std::string nearest = nearest_name(name, all);
    throw Error(ErrorKind::bad_request,
                fmt::format("no problem named '{}'; {}", name,
                            nearest.empty() ? "polhode.problems() lists them" : "nearest: " + nearest));
  }
  request.scenario = problem_scenario(*problem);
  return request;
}

void refuse_at_work() {
  if (anybody_at_work())
    throw Error(
        ErrorKind::run_failed,
        "methods are not listed while a run is under way, in another thread or around this call; wait for its end");
}

void add_requests(py::module_& module) {
  py::class_<Request, std::shared_ptr<Request>>(module, "Request", py::dynamic_attr())
      .def_property_readonly("toml", [](const Request& request) { return text_of(request.scenario); })
      .def_property_readonly("setup_json", [](const Request& request) { return to_json(request.scenario.setup); })
      .def_property_readonly("method", [](const Request& request) { return request.scenario.run.method; })
      .def_property_readonly("title", [](const Request& request) { return request.scenario.title; })
      .def("override", [](Request& request, const std::string& key, const std::string& given_as,
                          const std::string& value) { override_key(request.scenario, key, given_as, value); });
  module.def("make_request", &make_request, py::arg("tables"), py::arg("names"), py::arg("torques"), py::arg("events"),
             py::arg("scalar_first"));
  module.def("request_of", &request_of);
}

}  // namespace polhode::python
