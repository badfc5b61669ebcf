// Text of Python's for messages and for the library.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

namespace polhode::python {

namespace py = pybind11;

// A value as a message shows it: short, and whatever its own __repr__ does.
std::string shown(py::handle value, py::ssize_t longest = 60);
// A str in UTF-8; nothing where it has characters that UTF-8 has no bytes for.
std::optional<std::string> plain_utf8(py::handle text);
// A str in UTF-8, with \ud800 for what UTF-8 has no bytes for.
std::string for_messages(py::handle text);
// A str in UTF-8. Throws ValueError in the name of `where` for what UTF-8 has no bytes for.
std::string utf8(py::handle text, const std::string& where);
// Whether the exception says that a value is of a wrong kind, rather than that something happened on the way.
bool is_about_a_value(const py::error_already_set& error);

}  // namespace polhode::python
