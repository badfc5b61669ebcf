// The rows of a run with their columns by name, and a run that has all columns there are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "descriptions.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode::test {

inline const R other_space = exp(V{0.4, 1.3, -0.8}), other_body = exp(V{-1.1, 0.7, 0.5});

class Rows {
 public:
  explicit Rows(const Scenario& scenario) : result(run_as_file(scenario, table_)) {
    for (std::size_t i = 0; i < table_.headers.size(); ++i) column_[table_.headers[i]] = i;
  }
  std::size_t size() const { return table_.rows.size(); }
  double value(std::size_t row, const std::string& header) const { return table_.rows[row][column_.at(header)].value; }
  V vector(std::size_t row, const std::string& x, const std::string& y, const std::string& z) const {
    return {value(row, x), value(row, y), value(row, z)};
  }
  R attitude(std::size_t row) const { return {value(row, "qw"), vector(row, "qx", "qy", "qz")}; }
  V velocity(std::size_t row) const { return vector(row, "wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]"); }
  V momentum(std::size_t row) const { return vector(row, "Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"); }
  std::vector<std::string> digits(std::size_t row) const {
    std::vector<std::string> all;
    for (const Number& cell : table_.rows[row]) all.push_back(decimal(cell));
    return all;
  }

 private:
  Table table_;
  std::map<std::string, std::size_t> column_;

 public:
  Result result;
};

// All columns that the situation has.
inline Scenario with_all_columns(const Situation& s, const RunOptions& run, long long every = 1) {
  Scenario scenario = scenario_of(s, run);
  scenario.output.every = every;
  for (const ColumnInfo& group : column_groups()) {
    scenario.output.columns.insert(column(group.name));
    try {
      plan(scenario);
    } catch (const Error&) {
      scenario.output.columns.erase(column(group.name));
    }
  }
  return scenario;
}

}  // namespace polhode::test
