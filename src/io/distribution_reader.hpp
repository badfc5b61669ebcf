// How a scenario file says that a number is drawn.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "io/column_file.hpp"
#include "io/table_reader.hpp"
#include "model/drawable_keys.hpp"

namespace polhode {

class DistributionReader {
 public:
  explicit DistributionReader(Scenario& scenario) : scenario_(scenario) {}

  // The key `name` of the table. Throws SetupError, or Error for what is wrong in a file.
  Distribution read(const TableReader& table, std::string_view name, const DrawableKey& key);

 private:
  Distribution from_table(const TableReader& table, const DrawableKey& key);
  Distribution from_file(const TableReader& table, const DrawableKey& key);

  Scenario& scenario_;
  std::map<std::string, std::unique_ptr<ColumnFile>> files_;  // by path; one may have the columns of several keys
};

}  // namespace polhode
