// The compiled part of the Python module, polhode._core. It translates arguments and answers; python/polhode is what
// people import.
#include <pybind11/pybind11.h>

#include <system_error>

#include "polhode/core/error.hpp"
#include "polhode/core/version.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/setup.hpp"
#include "request.hpp"

namespace polhode::python {
namespace {

PyObject* python_error(const Error& error, PyObject* general) {
  switch (error.kind) {
    case ErrorKind::bad_request:
    case ErrorKind::bad_file: return PyExc_ValueError;
    case ErrorKind::file_missing: return PyExc_FileNotFoundError;
    case ErrorKind::input_output:
    case ErrorKind::broken_pipe: return PyExc_OSError;
    default: return general;
  }
}

// Names of files are bytes, which need not be text.
void set_error(PyObject* type, const std::string& sentence) {
  const auto text = pybind11::reinterpret_steal<pybind11::object>(
      PyUnicode_DecodeUTF8(sentence.data(), static_cast<pybind11::ssize_t>(sentence.size()), "backslashreplace"));
  if (text) PyErr_SetObject(type, text.ptr());
}

}  // namespace
}  // namespace polhode::python

PYBIND11_MODULE(_core, module) {
  using namespace polhode;
  module.doc() = "Compiled part of polhode; import polhode instead.";
  module.attr("version") = version();
  // Of the module as long as the process lives.
  static PyObject* const general = PyErr_NewException("polhode.Error", PyExc_RuntimeError, nullptr);
  module.attr("Error") = pybind11::handle(general);
  pybind11::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Error& error) {
      python::set_error(python::python_error(error, general), error.what());
    } catch (const SetupError& error) {
      python::set_error(PyExc_ValueError, error.key.empty() ? error.what() : error.key + ": " + error.what());
    } catch (const MethodError& error) {
      python::set_error(PyExc_ValueError, error.what());
    } catch (const std::system_error& error) {
      python::set_error(PyExc_OSError, error.what());
    }
  });
  pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&python::end_all_work));
  pybind11::module_::import("os").attr("register_at_fork")(pybind11::arg("after_in_child") =
                                                               pybind11::cpp_function(&python::forget_other_threads));
  python::add_requests(module);
  python::add_motion(module);
  python::add_solve(module);
  python::add_ensemble(module);
  python::add_simulation(module);
  python::add_studies(module);
  python::add_reproduction(module);
  python::add_own_methods(module);
  python::add_catalogue(module);
  python::add_rotor(module);
}
