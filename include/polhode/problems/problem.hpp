// Benchmark problems as their papers state them: named situations with a customary step and duration.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/setup.hpp"

namespace polhode {

struct Problem {
  std::string_view name, cite, about;
  Setup setup;
  double step, duration;                 // customary
  double reference_duration = duration;  // a reference solution is defined for as long, forwards and backwards
};

const std::vector<Problem>& problems();

// nullptr when there is none of that name.
const Problem* find_problem(std::string_view name);

}  // namespace polhode
