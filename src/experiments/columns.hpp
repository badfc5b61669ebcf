// Quantities that follow from the rows of a run: what the figures of the papers draw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/runs.hpp"

namespace polhode::experiments {

struct Curve {
  std::vector<double> t, values;
};

// A column of the rows, or one derived from them. Throws Error with the nearest name.
Curve curve_of(const Motion& motion, std::string_view column);

// What a picture of Poinsot's construction is drawn from.
std::vector<std::string> poinsot_columns();

// The columns of a run, by their groups, that this one is made of besides the standard ones and the direction.
Columns groups_behind(std::string_view column);

// Columns that need the attitude as the method itself keeps it, a matrix; they integrate on their own.
bool is_matrix_column(std::string_view column);
Curve matrix_curve(const Scenario& scenario, std::string_view column);

// min, max, range, mean, first, last, max_abs, sign_changes, slope, smallest_rise, largest_rise, max_abs_q1 to _q4.
double statistic_of(const Curve& curve, std::string_view statistic);

}  // namespace polhode::experiments
