#include "text.hpp"

namespace polhode::python {

// Where it is UTF-8 as it is, which Python then keeps with it.
std::optional<std::string> plain_utf8(py::handle text) {
  py::ssize_t size = 0;
  if (const char* const begin = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return std::string(begin, static_cast<std::size_t>(size));
  PyErr_Clear();
  return std::nullopt;
}

std::string for_messages(py::handle text) {
  if (auto found = plain_utf8(text)) return *found;
  const auto bytes =
      py::reinterpret_steal<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes) throw py::error_already_set();
  return bytes;
}

std::string shown(py::handle value, py::ssize_t longest) {
  const auto text = py::reinterpret_steal<py::object>(PyObject_Repr(value.ptr()));
  if (!text) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
    PyErr_Clear();
    return std::string("an object of the type ") + Py_TYPE(value.ptr())->tp_name;
  }
  if (PyUnicode_GetLength(text.ptr()) <= longest) return for_messages(text);
  return for_messages(py::reinterpret_steal<py::object>(PyUnicode_Substring(text.ptr(), 0, longest))) + "...";
}

std::string utf8(py::handle text, const std::string& where) {
  if (auto found = plain_utf8(text)) return *found;
  throw py::value_error(where + ": " + shown(text) + " has characters that are none; write it anew");
}

bool is_about_a_value(const py::error_already_set& error) {
  return error.matches(PyExc_TypeError) || error.matches(PyExc_ValueError) || error.matches(PyExc_OverflowError);
}

}  // namespace polhode::python
