// Numbers in named columns: what a file of measurements holds, as plain data.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polhode {

// Functions of the time by their values. One column is the time "t" [s], which increases from row to row; there are two
// rows or more, and all numbers are finite.
struct DataTable {
  struct Column {
    std::string name;
    std::vector<double> values;
    std::string unit{};  // "N m"; empty where none is said

    friend bool operator==(const Column&, const Column&) = default;
  };
  static constexpr std::size_t most_cells = 10'000'000;

  std::vector<Column> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns.front().values.size(); }
  const Column* find(std::string_view name) const {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
  }
  friend bool operator==(const DataTable&, const DataTable&) = default;
};

// What is wrong with a table, in a sentence; empty where nothing is.
std::string why_no_table(const DataTable& table);

// "t[s]" is a column t in seconds: the column without values. The unit may also be left out.
DataTable::Column column_named(std::string_view header);
std::string header_of(const DataTable::Column& column);

// Data that a scenario names by their file, or a C++ program gives itself. Copies share them.
struct DataFile {
  std::string name;                        // as the scenario has it; empty where there was no file
  std::shared_ptr<const DataTable> table;  // none: not given

  DataFile() = default;
  DataFile(DataTable data) : table(std::make_shared<const DataTable>(std::move(data))) {}
  DataFile(std::string file, DataTable data) : DataFile(std::move(data)) { name = std::move(file); }

  // Where the numbers come from does not matter.
  friend bool operator==(const DataFile& a, const DataFile& b) {
    return a.table == b.table || (a.table && b.table && *a.table == *b.table);
  }
};

}  // namespace polhode
