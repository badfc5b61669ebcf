// A run that can be asked about any time of it, for as long as anybody asks.
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <string>
#include <vector>

#include "polhode/io/scenario.hpp"
#include "polhode/run/result.hpp"

namespace polhode::python {

namespace py = pybind11;

struct Motion {
  std::shared_ptr<const Recording> recording;
  std::shared_ptr<const Scenario> again;  // with which the same steps are made
  bool scalar_first;

  // (7, n)
  py::array_t<double> at(const std::vector<double>& times) const;
  // The file of `again`, for another process. Throws TypeError where a file cannot say all of it.
  std::string toml() const;
};

// Of a result that has a recording.
Motion motion_of(const Result& result, const Scenario& scenario, const Plan& planned, bool scalar_first);

}  // namespace polhode::python
