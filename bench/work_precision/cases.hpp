// The situations that are compared, and the goals set for some of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "integrator.hpp"

namespace polhode::bench {

inline constexpr std::array errors{1e-2, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12};  // [rad], at which costs are compared
inline constexpr std::size_t random_starts = 16;

// What the best peer's cost should be, over ours, at these errors.
struct Goal {
  std::optional<std::array<double, errors.size()>> time{}, evaluations{};
  bool conserves = false;  // also: momentum along the field to 1e-14, and an energy error that does not grow
};

struct CaseSpec {
  std::string name, problem;
  double duration;
  double torque_seconds = 0;  // that the torque idles, where it is expensive
  std::optional<Goal> goal{};
};

// Those with a goal first, then every other problem of the catalogue that peers can be given.
std::vector<CaseSpec> case_list();

Case make_case(const CaseSpec& spec);

}  // namespace polhode::bench
