// What methods need to reach a few errors.
#include <algorithm>

#include "polhode/studies/compare.hpp"

namespace polhode {

std::vector<CostsAtError> costs_at_errors(const std::vector<ComparisonRow>& rows) {
  std::vector<std::string> names;
  std::vector<std::vector<WorkPoint>> curves;
  for (const ComparisonRow& row : rows) {
    const std::optional<Quartiles> cost = row.cost();
    if (!cost || !row.attitude_error) continue;
    if (names.empty() || names.back() != row.method) {
      names.push_back(row.method);
      curves.emplace_back();
    }
    curves.back().push_back({row.attitude_error->value, cost->median});
  }
  std::vector<CostsAtError> all;
  for (const double error : {1e-3, 1e-6, 1e-9}) {
    CostsAtError at;
    at.error = error;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (const std::optional<double> seconds = cost_at(curves[i], error)) {
        at.costs.push_back({names[i], *seconds});
      } else {
        (curves[i].back().error > error ? at.less_accurate : at.more_accurate).push_back(names[i]);
      }
    }
    if (at.costs.size() < 2) continue;
    std::stable_sort(at.costs.begin(), at.costs.end(),
                     [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    for (CostsAtError::Cost& cost : at.costs) cost.ratio = cost.seconds / at.costs.front().seconds;
    all.push_back(std::move(at));
  }
  return all;
}

}  // namespace polhode
