// Methods whose steps are functions of Python.
#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <limits>

#include "numbers.hpp"
#include "polhode/core/error.hpp"
#include "polhode/methods/plugin.hpp"
#include "request.hpp"
#include "torque_call.hpp"

namespace polhode::python {
namespace {

py::array_t<double> array_of_vector(const Vec3<double>& v) {
  py::array_t<double> array(3);
  for (py::ssize_t i = 0; i < 3; ++i) array.mutable_at(i) = v[static_cast<std::size_t>(i)];
  return array;
}
py::array_t<double> array_of_rotation(const Rotation<double>& q) {
  py::array_t<double> array(4);
  const std::array<double, 4> numbers{q.w, q.v.x, q.v.y, q.v.z};
  std::copy(numbers.begin(), numbers.end(), array.mutable_data());
  return array;
}
template <py::ssize_t N>
std::array<double, N> numbers_from(py::handle value, const char* whose) {
  const auto array = doubles_from(py::reinterpret_borrow<py::object>(value));
  if (!array || array->ndim() != 1 || array->size() != N)
    throw py::value_error("step: " + shown(value) + " for the " + whose +
                          fmt::format(", where {} numbers are wanted", N));
  std::array<double, N> numbers;
  std::copy(array->data(), array->data() + N, numbers.begin());
  return numbers;
}

struct System {
  Body<double> body;
  FieldSum<double> field;
};

// Body and torque as a step of Python sees them: principal axes, and units in which the largest moment is near one. It
// may be kept for longer than the step.
class SystemView {
 public:
  explicit SystemView(std::shared_ptr<const System> system) : system_(std::move(system)) {}

  py::array_t<double> inertia() const { return array_of_vector(system_->body.inertia); }
  py::array_t<double> velocity(const py::object& pi_B) const {
    const auto pi = numbers_from<3>(pi_B, "momentum");
    return array_of_vector(system_->body.velocity({pi[0], pi[1], pi[2]}));
  }
  py::array_t<double> torque(const py::object& q, const py::object& w_B, double t) {
    const auto r = numbers_from<4>(q, "attitude");
    const auto w = numbers_from<3>(w_B, "angular velocity");
    ++evaluations_;
    Trouble trouble;  // what a torque of Python throws comes out here
    Vec3<double> torque_B;
    without_lock(trouble, [&] {
      torque_B = system_->field.torque(Rotation<double>{r[0], {r[1], r[2], r[3]}}, Vec3<double>{w[0], w[1], w[2]}, t);
    });
    return array_of_vector(torque_B);
  }
  long evaluations() const { return evaluations_; }

 private:
  std::shared_ptr<const System> system_;
  long evaluations_ = 0;
};

class FunctionStepper final : public Stepper<double> {
 public:
  FunctionStepper(std::shared_ptr<py::object> function, const Body<double>& body, const FieldSum<double>& field)
      : function_(std::move(function)), system_(new System{body, field}) {}

  void start(const State<double>& s, const double&) override {
    state = s;
    work = {};
  }
  void step(const double& h) override {
    const bool done = with_lock([&] {
      const auto system = std::make_shared<SystemView>(system_);
      const py::object answer =
          (*function_)(array_of_rotation(state.R_SB), array_of_vector(state.pi_B), state.t, h, system);
      work.torque_evaluations += system->evaluations();
      if (!py::isinstance<py::tuple>(answer) || py::len(answer) != 2)
        throw py::type_error("step: it returned " + shown(answer) + "; return a tuple (q, pi)");
      const auto moved = py::reinterpret_borrow<py::tuple>(answer);
      const auto q = numbers_from<4>(moved[0], "attitude");
      const auto pi = numbers_from<3>(moved[1], "momentum");
      state.R_SB = normalised(Rotation<double>{q[0], {q[1], q[2], q[3]}});
      state.pi_B = {pi[0], pi[1], pi[2]};
      state.t += h;
    });
    if (!done) state.pi_B.x = std::numeric_limits<double>::quiet_NaN();
  }
  void reverse() override {}
  void turn(const Rotation<double>& C) override {
    state.R_SB = renormalised(state.R_SB * C);
    state.pi_B = inverse(C) * state.pi_B;
  }
  Vec3<double> momentum_S() const override { return spatial_momentum(state); }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<FunctionStepper>(*this); }
  void copy_from(const Stepper<double>& other) override {
    state = other.state;
    work = other.work;
  }
  MotionRates<double> rates() const override {
    const Vec3<double> w_B = system_->body.velocity(state.pi_B);
    return {w_B, state.R_SB * system_->field.torque(state.R_SB, w_B, state.t)};
  }

 private:
  std::shared_ptr<py::object> function_;
  std::shared_ptr<const System> system_;
};

Keeps keeps_from(const std::string& word) {
  if (word == "exact") return Keeps::exact;
  if (word == "bounded") return Keeps::bounded;
  if (word == "no") return Keeps::no;
  throw py::value_error("'" + word + "' is none of exact, bounded and no");
}

void list_method_of_python(const py::str& name, const py::str& about, const py::object& step, const py::dict& claimed) {
  refuse_at_work();
  OwnMethod method{utf8(name, "name"), for_messages(about), {}, {}};
  Claims& c = method.claims;
  c.order_attitude = claimed["order_attitude"].cast<int>();
  c.order_momentum = claimed["order_momentum"].cast<int>();
  c.symmetric = claimed["symmetric"].cast<bool>();
  c.symplectic = claimed["symplectic"].cast<bool>();
  c.momentum_free = keeps_from(claimed["momentum_free"].cast<std::string>());
  c.momentum_along_field = keeps_from(claimed["momentum_along_field"].cast<std::string>());
  c.energy_free = keeps_from(claimed["energy_free"].cast<std::string>());
  c.energy = keeps_from(claimed["energy"].cast<std::string>());
  c.torque_evaluations = claimed["torque_evaluations"].cast<double>();
  c.variable_steps = claimed["variable_steps"].cast<bool>();
  method.make = [function = kept_for_cpp(step)](const Body<double>& body, const FieldSum<double>& field) {
    return std::make_unique<FunctionStepper>(function, body, field);
  };
  list_own_method(std::move(method));
}

}  // namespace

void add_own_methods(py::module_& module) {
  py::class_<SystemView, std::shared_ptr<SystemView>>(module, "SystemView",
                                                      "Body and torque as a step sees them: principal axes, units in "
                                                      "which the largest moment lies between one and two.")
      .def_property_readonly("inertia", &SystemView::inertia, "the principal moments")
      .def("velocity", &SystemView::velocity, "the angular velocity at a momentum, in body axes")
      .def("torque", &SystemView::torque, py::arg("q"), py::arg("w"), py::arg("t"), "in body axes");
  module.def("list_method", &list_method_of_python);
}

}  // namespace polhode::python
