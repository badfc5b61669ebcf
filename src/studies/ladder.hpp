// One method's runs over a problem at smaller and smaller steps, as a comparison of methods makes them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "polhode/studies/compare.hpp"
#include "run/course.hpp"
#include "studies/study_runs.hpp"

namespace polhode {

struct Rung {
  PlannedRun planned;
  ComparisonRow row{};
  double floor = 0;    // what rounding may contribute to the error [rad]
  double seconds = 0;  // that the run took which measured the error
  long long runs = 1;  // in one timing
  double timing = 0;   // [s] that one takes, roughly

  double error() const { return row.attitude_error->value; }  // only if the run came to its end
  bool useful() const { return row.failure.empty() && row.attitude_error && error() < saturated_angle; }
};

class Ladder {
 public:
  explicit Ladder(std::string of_method) : method(std::move(of_method)) {}

  // Rungs below the last that is of no use: angles come round again.
  std::size_t first_useful() const {
    std::size_t first = rungs.size();
    while (first > 0 && rungs[first - 1].useful()) --first;
    return first;
  }
  std::size_t count_useful() const { return rungs.size() - first_useful(); }

  // Whether smaller steps would gain nothing: the error is at rounding, or three of them have not made it smaller.
  bool at_the_bottom() const {
    if (rungs.empty() || !rungs.back().useful()) return false;
    if (rungs.back().error() <= rungs.back().floor) return true;
    constexpr std::ptrdiff_t patience = 3;
    if (count_useful() <= static_cast<std::size_t>(patience)) return false;
    const auto begin = rungs.begin() + static_cast<std::ptrdiff_t>(first_useful());
    const auto least = [](auto from, auto to) {
      return std::min_element(from, to, [](const Rung& a, const Rung& b) { return a.error() < b.error(); })->error();
    };
    return least(begin, rungs.end() - patience) <= least(rungs.end() - patience, rungs.end());
  }

  // Useless rungs are left out; if all are, the last one stays, as evidence.
  void trim() {
    const std::size_t first = std::min(first_useful(), rungs.empty() ? 0 : rungs.size() - 1);
    rungs.erase(rungs.begin(), rungs.begin() + static_cast<std::ptrdiff_t>(first));
  }

  // Error and median time of the useful rungs; NaN for a time that was not taken.
  std::vector<WorkPoint> curve() const;

  std::string method;       // canonical name
  std::vector<Rung> rungs;  // from the largest step to the smallest
};

}  // namespace polhode
