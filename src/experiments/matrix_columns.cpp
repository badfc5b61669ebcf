// What [KE05], Fig. 9 draws: the momentum along the axis of a top, formed with the attitude matrix as the method keeps
// it. The rows of a run have the nearest rotation instead, which shows nothing of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/columns.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/newmark_matrix.hpp"
#include "polhode/run/run.hpp"

namespace polhode::experiments {
namespace {

constexpr std::string_view axis_momentum = "matrix_axis_momentum_error", defect = "matrix_defect";

double largest_entry(const Mat3<double>& m) {
  double largest = 0;
  for (const auto& row : m)
    for (const double x : row) largest = larger(largest, std::abs(x));
  return largest;
}

// (R pi_B) . (R e3)
double along_third_axis(const Mat3<double>& R, const Vec3<double>& pi_B) {
  double sum = 0;
  for (const auto& row : R) sum += (row[0] * pi_B.x + row[1] * pi_B.y + row[2] * pi_B.z) * row[2];
  return sum;
}

template <class Method>
Curve integrate(const Scenario& scenario, std::string_view column) {
  const Prepared<double> prepared = prepare<double>(scenario.setup);
  const System<double, FieldSum<double>> system{prepared.body, prepared.field};
  const long long steps = plan(scenario).steps.count;
  const double h = prepared.time_in(scenario.run.step);
  State<double> s = prepared.start;
  Work work;
  auto memory = Method::start(system, s, h, work);
  const Mat3<double> first = matrix(s.R_SB);
  const double beginning = along_third_axis(first, s.pi_B);
  Curve curve;
  const auto keep = [&](const Mat3<double>& R, long long n) {
    curve.t.push_back(static_cast<double>(n) * scenario.run.step);
    curve.values.push_back(
        column == defect ? largest_entry(orthogonality_defect(R))
                         : std::ldexp(along_third_axis(R, s.pi_B) - beginning, prepared.units.momentum_exponent()));
  };
  keep(first, 0);
  for (long long n = 1; n <= steps; ++n) {
    s = Method::step(system, s, memory, h, work);
    keep(memory.attitude, n);
  }
  return curve;
}

}  // namespace

bool is_matrix_column(std::string_view column) { return column == axis_momentum || column == defect; }

Curve matrix_curve(const Scenario& scenario, std::string_view column) {
  if (scenario.run.method == "newmark-matrix") return integrate<NewmarkMatrix<false>>(scenario, column);
  if (scenario.run.method == "newmark-matrix-orthogonal") return integrate<NewmarkMatrix<true>>(scenario, column);
  throw Error(ErrorKind::bad_file,
              fmt::format("column = '{}' belongs to newmark-matrix and newmark-matrix-orthogonal, not to {}", column,
                          scenario.run.method));
}

}  // namespace polhode::experiments
