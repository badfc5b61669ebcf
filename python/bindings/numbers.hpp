// Numbers of Python's.
#pragma once

#include <pybind11/numpy.h>

#include <optional>
#include <string_view>

#include "text.hpp"

namespace polhode::python {

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What numpy makes of a value; nothing of what is no real numbers. It would read words, and drop imaginary parts.
inline std::optional<Doubles> doubles_from(const py::object& value) {
  constexpr std::string_view kinds = "biufO";  // the last are objects that may be made numbers, one by one
  try {
    const py::array any(value);
    if (kinds.find(any.dtype().kind()) != std::string_view::npos) return Doubles(any);
  } catch (py::error_already_set& error) {
    if (!is_about_a_value(error)) throw;
  }
  return std::nullopt;
}

}  // namespace polhode::python
