// A simulation that is stepped by hand.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "polhode/run/simulation.hpp"
#include "request.hpp"
#include "views.hpp"

namespace polhode::python {
namespace {

class Stepped {
 public:
  explicit Stepped(Request request) : request_(std::move(request)) {
    work([&](const std::atomic<bool>* stop) { simulation_.emplace(polhode::plan(request_.scenario, false, stop)); });
    method_ = simulation_->plan().method.name;
    step_ = simulation_->plan().steps.size;
  }

  void advance_to(double t) {
    work([&](const std::atomic<bool>* stop) { simulation_->advance_to(t, stop); });
  }
  double time() const { return at_rest().time(); }
  // All standard columns: t, attitude, velocity, momentum, energy.
  py::array_t<double> columns() const { return as_array(at_rest().columns()); }
  py::array_t<double> columns_at(double t) {
    std::vector<double> found;
    with_arguments({{"time", "t"}},
                   [&] { work([&](const std::atomic<bool>*) { found = simulation_->columns_at(t); }); });
    return as_array(found);
  }
  bool ended() const { return at_rest().ended(); }
  py::dict work_so_far() const {
    const Work work = at_rest().work();
    py::dict numbers;
    numbers["torque_evaluations"] = work.torque_evaluations;
    numbers["solver_iterations"] = work.solver_iterations;
    return numbers;
  }
  const std::string& method() const { return method_; }
  double step() const { return step_; }
  py::bytes save() const { return at_rest().save(); }
  void restore(const py::bytes& saved) {
    const std::string bytes = saved;
    try {
      work([&](const std::atomic<bool>*) { simulation_->restore(bytes); });
    } catch (const Error& error) {
      if (error.kind != ErrorKind::bad_file) throw;
      throw Error(error.kind, std::string("saved: ") + error.what());
    }
  }
  py::list events() const {
    py::list list;
    for (const Event& event : at_rest().events()) list.append(py::make_tuple(event.name, event.at.time.value));
    return list;
  }

 private:
  // Where nobody is about to change it.
  const Simulation& at_rest() const {
    if (!is_at_work_) return *simulation_;
    throw Error(
        ErrorKind::run_failed,
        "this simulation is at work, in another thread or in the call of its own torque or event; wait until it "
        "has come to rest, or make one for each thread");
  }
  template <class Task>
  void work(const Task& task) {
    if (simulation_) at_rest();
    struct AtWork {
      explicit AtWork(bool& flag) : is_at_work(flag) { is_at_work = true; }
      ~AtWork() { is_at_work = false; }
      AtWork(const AtWork&) = delete;
      AtWork& operator=(const AtWork&) = delete;
      bool& is_at_work;
    } const here(is_at_work_);
    Trouble trouble;
    without_lock(trouble, [&] { task(&trouble.stop()); });
  }
  py::array_t<double> as_array(std::vector<double> cells) const {
    if (!request_.scalar_first) std::rotate(cells.begin() + 1, cells.begin() + 2, cells.begin() + 5);
    return py::array_t<double>(static_cast<py::ssize_t>(cells.size()), cells.data());
  }

  Request request_;
  std::optional<Simulation> simulation_;
  std::string method_;
  double step_ = 0;
  bool is_at_work_ = false;  // read and written with Python's lock
};

}  // namespace

void add_simulation(py::module_& module) {
  py::class_<Stepped>(module, "Stepped")
      .def(py::init<Request>())
      .def("advance_to", &Stepped::advance_to)
      .def_property_readonly("time", &Stepped::time)
      .def("columns", &Stepped::columns)
      .def("columns_at", &Stepped::columns_at)
      .def_property_readonly("ended", &Stepped::ended)
      .def_property_readonly("work", &Stepped::work_so_far)
      .def_property_readonly("method", &Stepped::method)
      .def_property_readonly("step", &Stepped::step)
      .def("events", &Stepped::events)
      .def("save", &Stepped::save)
      .def("restore", &Stepped::restore);
}

}  // namespace polhode::python
