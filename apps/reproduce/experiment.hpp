// An experiment as its folder describes it: experiment.toml, published.csv, verdicts.csv.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "csv_table.hpp"
#include "parameters.hpp"

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
  std::string criterion, note;
  std::string test, verdict;  // a unit test that carries the verdict
  Set set = Set::quick;
};

// When a measured number counts as the published one although not all its digits agree.
struct Comparison {
  std::optional<double> relative, absolute, low, high;
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
  struct Scan {
    std::string label;
    std::vector<double> x;
    std::vector<std::string> y;  // expressions
  };
  std::vector<Scan> scans;
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
  std::optional<CsvTable> published;
  std::string table_rows, table_columns;  // of a pivot table; empty: none
  std::string caption;
  int figure_columns = 0;
  std::vector<Panel> panels;
};

// Throws Error (bad_scenario) with file, line, key and what would be valid.
Experiment read_experiment(const std::string& folder);

// The names of the folders below `root` that have an experiment.toml, sorted.
std::vector<std::string> experiment_names(const std::string& root);

}  // namespace polhode::experiments
