// Torques that are functions: of Python, or compiled ones known by their address.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "polhode/model/setup.hpp"
#include "without_lock.hpp"

namespace polhode::python {

struct TorqueMarks {
  std::string name;
  bool depends_on_velocity = true;
  bool takes_many = false;   // arrays of times, attitudes and velocities in one call
  bool scalar_first = true;  // quaternions
};

// A function that belongs to an object of Python, polhode._kept.Kept. The library must not own it: a solution whose torque
// is a method of the object that has the solution could never be collected.
class KeptFunction {
 public:
  explicit KeptFunction(const py::object& kept) : owner_(kept) {}
  py::object get() const;

 private:
  py::weakref owner_;
};

// kept.function(t, q, w) -> three numbers; with takes_many (n,), (n, 4), (n, 3) -> (n, 3).
CalledTorque torque_of_function(const py::object& kept, const TorqueMarks& marks);

// void (*)(double t, const double* q, const double* w, double* torque), for as long as the caller keeps what it is of; with
// `user_data`, which may be null, as a fifth argument.
CalledTorque torque_at_address(std::uintptr_t address, std::optional<std::uintptr_t> user_data,
                               const TorqueMarks& marks);

// Of an object that has some of Python's: by code that does not hold Python's lock, or after Python has ended.
template <class Object>
void delete_with_lock(Object* last) {
  if (Py_IsInitialized() == 0) return;
  const py::gil_scoped_acquire lock;
  delete last;
}

// A Python object for code that does not hold Python's lock.
std::shared_ptr<py::object> kept_for_cpp(const py::object& object);

}  // namespace polhode::python
