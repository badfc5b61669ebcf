// An experiment as its folder describes it: experiment.toml, published.csv, verdicts.csv.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/csv_table.hpp"
#include "experiments/parameters.hpp"
#include "experiments/tolerance.hpp"

namespace polhode::experiments {

// From the smallest to the largest; each holds those before it.
enum class Set { quick, standard, long_ };

std::string_view set_name(Set set);  // "quick", "default", "long"

// One number, or one for each element of its lists.
struct Measure {
  std::string name;
  Set set = Set::quick;
  Parameters parameters;
  std::vector<std::string> methods, step_sizes, durations;  // empty: not a list
};

// What a measure with lists stands for: a variable for every element.
struct Instance {
  std::string variable;
  Parameters parameters;
};
std::vector<Instance> instances(const Measure& measure);

struct Claim {
  std::string id, claim, place;
  std::vector<std::string> measured;  // "name = expression"
  std::string holds, partly;          // expressions
  std::string missing;                // what it would take to decide a claim that cannot be decided
  std::string criterion, note;
  std::string test, filter, verdict;  // a test program, which of its tests, and what these prove
  Set set = Set::quick;
};

// When a measured number counts as the published one although not all its digits agree.
struct Comparison {
  std::optional<double> relative, absolute, low, high;
  std::string reason;
};

// How far the numbers of some rows may be from the recorded ones, and why it is not as little as for the others. A row is
// an item, a claim ("order": all its numbers) or one of its numbers ("order.ratio"); * stands for any letters.
struct RowTolerance {
  std::vector<std::string> rows;
  Tolerance tolerance;
  std::string reason;
};

struct Explanation {
  std::string verdict, reason;
};

struct Panel {
  std::string title, kind;
  Parameters parameters;  // problem or scenario, duration, every
  std::vector<std::string> methods, step_sizes, columns;
  std::string x_label, y_label, log, reference;
  std::optional<double> reference_slope;
  // Points by expressions for their coordinates; or one each in s, which takes `count` values from `from` to `to`.
  struct Scan {
    std::string label;
    std::vector<std::string> x, y;
    double from = 0, to = 0;
    int count = 0;
  };
  std::vector<Scan> scans;
  std::vector<double> levels;  // of the potential, as surfaces among rotation vectors
  struct Mark {
    std::string label;
    std::vector<double> at;
  };
  std::vector<Mark> marks;
  Set set = Set::quick;
};

struct Experiment {
  std::string name, folder;
  std::string title, paper, place, about;
  Set set = Set::quick;
  std::vector<Measure> measures;
  std::vector<Claim> claims;
  std::map<std::string, Comparison> comparisons;
  std::map<std::string, Explanation> explanations;  // by item
  std::vector<RowTolerance> tolerances;
  std::optional<CsvTable> published;
  std::string table_rows, table_columns;  // of a pivot table; empty: none
  std::string caption;
  int figure_columns = 0;
  std::vector<Panel> panels;
};

// Throws Error (bad_file) with file, line, key and what would be valid.
Experiment read_experiment(const std::string& folder);

// The items and claims in the order in which they are reported and recorded.
std::vector<std::string> row_names(const Experiment& experiment);

// That of the first of the experiment's tolerances which names the row, or the default. `number` is empty for an item.
Tolerance tolerance_of(const Experiment& experiment, const std::string& row, const std::string& number = "");

// Whether `pattern`, of a RowTolerance, names the row.
bool names_row(const std::string& pattern, const std::string& row, const std::string& number);

// The names of the folders below `root` that have an experiment.toml, sorted.
std::vector<std::string> experiment_names(const std::string& root);

}  // namespace polhode::experiments
