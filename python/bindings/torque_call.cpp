#include "torque_call.hpp"

#include <pybind11/numpy.h>

#include <array>
#include <cmath>
#include <limits>

#include "numbers.hpp"
#include "polhode/core/error.hpp"

namespace polhode::python {
namespace {

using Array = py::array_t<double, py::array::c_style>;
using Moving = CalledTorque::Motion;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Methods that iterate ask for torques on the way to an attitude, too, where its quaternion is not yet a unit one.
bool is_unit(const Rotation<double>& q) {
  return std::abs(squared_norm(q) - 1) <= 8 * std::numeric_limits<double>::epsilon();
}
void write_attitude(const Rotation<double>& given, bool scalar_first, double* to) {
  const Rotation<double> q = is_unit(given) ? given : normalised(given);
  to[scalar_first ? 0 : 3] = q.w;
  std::copy_n(&q.v.x, 3, to + (scalar_first ? 1 : 0));
}
void write(const Vec3<double>& v, double* to) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw py::value_error("torque: " + name + " returned " + what + "; return three numbers, the torque in N m");
}

// Arrays that are handed out again unless the function kept them, or made something else of them.
class Reused {
 public:
  explicit Reused(py::ssize_t size) : size_(size) { make(); }
  const Array& writable() {
    if (array_.ref_count() > 1 || !is_intact()) make();
    return array_;
  }

 private:
  void make() {
    array_ = Array(size_);
    data_ = py::detail::array_proxy(array_.ptr())->data;
  }
  bool is_intact() const {
    using Api = py::detail::npy_api;
    constexpr int wanted = Api::NPY_ARRAY_OWNDATA_ | Api::NPY_ARRAY_WRITEABLE_ | Api::NPY_ARRAY_C_CONTIGUOUS_;
    const auto* array = py::detail::array_proxy(array_.ptr());
    return array->data == data_ && array->nd == 1 && array->dimensions[0] == size_ && array->descr == type_.ptr() &&
           (array->flags & wanted) == wanted;
  }

  py::ssize_t size_;
  py::dtype type_ = py::dtype::of<double>();
  Array array_;
  const void* data_ = nullptr;
};

class Function {
 public:
  Function(const py::object& kept, TorqueMarks marks) : function_(kept), marks_(std::move(marks)) {}

  void one(const Moving& at, Vec3<double>& torque_U) {
    // A function that asks for a run of its own, or is at work in another thread, comes here again: it gets arrays of
    // its own.
    const Busy busy(busy_);
    Reused fresh_q(busy.again ? 4 : 0), fresh_w(busy.again ? 3 : 0);
    const Array& q = busy.again ? fresh_q.writable() : q_.writable();
    const Array& w = busy.again ? fresh_w.writable() : w_.writable();
    write_attitude(at.R_SU, marks_.scalar_first, const_cast<double*>(q.data()));
    write(at.w_U, const_cast<double*>(w.data()));
    const py::object function = function_.get();
    const py::float_ t(at.t);
    const std::array<PyObject*, 3> arguments{t.ptr(), q.ptr(), w.ptr()};
    const auto answer = py::reinterpret_steal<py::object>(
        PyObject_Vectorcall(function.ptr(), arguments.data(), arguments.size(), nullptr));
    if (!answer) throw py::error_already_set();
    torque_U = vector_from(answer);
  }

  void many(std::span<const Moving> at, std::span<Vec3<double>> torques_U) {
    const auto n = static_cast<py::ssize_t>(at.size());
    Array t(n), q({n, py::ssize_t{4}}), w({n, py::ssize_t{3}});
    for (py::ssize_t i = 0; i < n; ++i) {
      const Moving& one = at[static_cast<std::size_t>(i)];
      t.mutable_data()[i] = one.t;
      write_attitude(one.R_SU, marks_.scalar_first, q.mutable_data() + 4 * i);
      write(one.w_U, w.mutable_data() + 3 * i);
    }
    const Doubles answer = as_doubles(function_.get()(t, q, w));
    if (answer.ndim() != 2 || answer.shape(0) != n || answer.shape(1) != 3) {
      refuse(marks_.name, py::str("an array of shape {} for {} nodes, where ({}, 3) is wanted")
                              .format(answer.attr("shape"), n, n)
                              .cast<std::string>());
    }
    for (py::ssize_t i = 0; i < n; ++i)
      torques_U[static_cast<std::size_t>(i)] = {answer.at(i, 0), answer.at(i, 1), answer.at(i, 2)};
  }

 private:
  struct Busy {
    explicit Busy(bool& flag) : again(std::exchange(flag, true)), is_busy(flag) {}
    ~Busy() {
      if (!again) is_busy = false;
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;

    const bool again;
    bool& is_busy;
  };

  Doubles as_doubles(const py::object& answer) const {
    if (answer.is_none()) refuse(marks_.name, "None");
    if (const auto numbers = doubles_from(answer)) return *numbers;
    refuse(marks_.name, shown(answer, 80));
  }

  Vec3<double> vector_from(const py::object& answer) const {
    PyObject* const object = answer.ptr();
    if (PyTuple_CheckExact(object) || PyList_CheckExact(object)) {
      if (PySequence_Fast_GET_SIZE(object) == 3) {
        // Owned, as the list may change while its items are made numbers.
        std::array<py::object, 3> items;
        for (std::size_t i = 0; i < 3; ++i)
          items[i] = py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(object, static_cast<py::ssize_t>(i)));
        Vec3<double> v;
        for (std::size_t i = 0; i < 3 && PyErr_Occurred() == nullptr; ++i) v[i] = PyFloat_AsDouble(items[i].ptr());
        if (PyErr_Occurred() == nullptr) return v;
        if (const py::error_already_set error; !is_about_a_value(error)) throw error;
        refuse(marks_.name, shown(answer, 80));
      }
    } else if (py::isinstance<Array>(answer)) {
      const auto numbers = py::reinterpret_borrow<Array>(answer);
      if (numbers.ndim() == 1 && numbers.size() == 3) {
        const double* x = numbers.data();
        return {x[0], x[1], x[2]};
      }
    }
    const Doubles numbers = as_doubles(answer);
    if (numbers.ndim() != 1 || numbers.size() != 3) {
      refuse(marks_.name, py::str("an array of shape {}").format(numbers.attr("shape")).cast<std::string>());
    }
    return {numbers.at(0), numbers.at(1), numbers.at(2)};
  }

  KeptFunction function_;
  TorqueMarks marks_;
  Reused q_{4}, w_{3};
  bool busy_ = false;
};

template <class Call>
CalledTorque compiled_torque(const Call& function, const TorqueMarks& marks) {
  CalledTorque torque;
  torque.name = marks.name;
  torque.depends_on_velocity = marks.depends_on_velocity;
  torque.torques = [function, first = marks.scalar_first](std::span<const Moving> at,
                                                          std::span<Vec3<double>> torques_U) {
    // Their own memory is what such a function takes: copies of it would be read before they are written.
    static_assert(sizeof(Vec3<double>) == 3 * sizeof(double) && sizeof(Rotation<double>) == 4 * sizeof(double));
    for (std::size_t i = 0; i < at.size(); ++i) {
      torques_U[i] = {nan, nan, nan};
      std::array<double, 4> other;
      const double* q = &at[i].R_SU.w;
      if (!first || !is_unit(at[i].R_SU)) {
        write_attitude(at[i].R_SU, first, other.data());
        q = other.data();
      }
      function(at[i].t, q, &at[i].w_U.x, &torques_U[i].x);
    }
  };
  return torque;
}

}  // namespace

py::object KeptFunction::get() const {
  const auto owner = py::reinterpret_borrow<py::object>(PyWeakref_GetObject(owner_.ptr()));
  if (owner.is_none()) throw Error(ErrorKind::run_failed, "the function is gone with the solution that had it");
  return owner.attr("function");
}

std::shared_ptr<py::object> kept_for_cpp(const py::object& object) {
  return {new py::object(object), &delete_with_lock<py::object>};
}

CalledTorque torque_of_function(const py::object& kept, const TorqueMarks& marks) {
  const std::shared_ptr<Function> call(new Function(kept, marks), &delete_with_lock<Function>);
  CalledTorque torque;
  torque.name = marks.name;
  torque.depends_on_velocity = marks.depends_on_velocity;
  torque.takes_many = marks.takes_many;
  torque.torques = [call, many = marks.takes_many](std::span<const Moving> at, std::span<Vec3<double>> torques_U) {
    for (Vec3<double>& torque_U : torques_U) torque_U = {nan, nan, nan};
    with_lock([&] {
      if (many) return call->many(at, torques_U);
      for (std::size_t i = 0; i < at.size(); ++i) call->one(at[i], torques_U[i]);
    });
  };
  return torque;
}

CalledTorque torque_at_address(std::uintptr_t address, std::optional<std::uintptr_t> user_data,
                               const TorqueMarks& marks) {
  using Plain = void (*)(double, const double*, const double*, double*);
  using WithData = void (*)(double, const double*, const double*, double*, void*);
  if (!user_data) return compiled_torque(reinterpret_cast<Plain>(address), marks);
  const auto function = reinterpret_cast<WithData>(address);
  auto* const data = reinterpret_cast<void*>(*user_data);
  return compiled_torque(
      [=](double t, const double* q, const double* w, double* torque) { function(t, q, w, torque, data); }, marks);
}

}  // namespace polhode::python
