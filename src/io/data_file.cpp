#include "io/data_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "io/csv_lines.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {
namespace {

// One file while it is read.
class DataReader {
 public:
  explicit DataReader(const std::string& path) : path_(path) {}

  void take(const std::vector<std::string_view>& cells, int line) {
    line_ = line;
    if (table_.columns.empty()) {
      take_header(cells);
    } else {
      take_row(cells);
    }
  }

  DataTable finished() {
    if (table_.columns.empty())
      fail("is empty; write the names of the columns in the first line, such as t[s],x,y,z, and rows of numbers below");
    if (table_.rows() < 2)
      fail(fmt::format("{} below the header; give two rows or more",
                       table_.rows() == 0 ? "there are no numbers" : "there is one row"));
    return std::move(table_);
  }

 private:
  void take_header(const std::vector<std::string_view>& cells) {
    double number = 0;
    if (std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) { return read_number(cell, number); }))
      fail_here("the first line has numbers, and must have the names of the columns, such as t[s],x,y,z");
    for (const std::string_view cell : cells) {
      const DataTable::Column column = column_named(cell);
      if (column.name.empty())
        fail_here(fmt::format("column {} has no name; name every column, or end the line without a comma",
                              table_.columns.size() + 1));
      if (table_.find(column.name) != nullptr)
        fail_here(fmt::format("there are two columns '{}'; name one of them differently", shown_cell(column.name)));
      table_.columns.push_back(column);
    }
    const DataTable::Column* time = table_.find("t");
    if (time == nullptr) fail_here("there is no column t; give the time [s] in a column of that name");
    if (!time->unit.empty() && time->unit != "s")
      fail_here(fmt::format("the time is in '{}'; give it in seconds, as t or t[s]", shown_cell(time->unit)));
    time_ = static_cast<std::size_t>(time - table_.columns.data());
  }

  void take_row(const std::vector<std::string_view>& cells) {
    const std::size_t width = table_.columns.size();
    if (cells.size() != width)
      fail_here(
          fmt::format("the row has {} cells, and the header {}; give one number for every column, with commas "
                      "between them",
                      cells.size(), width));
    if (width * (table_.rows() + 1) > DataTable::most_cells)
      fail_here(fmt::format("there are more than {} numbers; leave out rows", DataTable::most_cells));
    for (std::size_t i = 0; i < width; ++i) {
      DataTable::Column& column = table_.columns[i];
      double value = 0;
      if (!read_number(cells[i], value))
        fail_here(fmt::format("column '{}': '{}' is not a number; write one such as -0.5 or 1e-3",
                              shown_cell(column.name), shown_cell(cells[i])));
      if (!std::isfinite(value))
        fail_here(fmt::format("column '{}': '{}' is not finite; give a finite number, or leave out the row",
                              shown_cell(column.name), shown_cell(cells[i])));
      if (i == time_ && !column.values.empty() && !(column.values.back() < value))
        fail_here(fmt::format("column 't': {} s comes after {} s; let the time increase from row to row",
                              shortest(value), shortest(column.values.back())));
      column.values.push_back(value);
    }
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw Error(ErrorKind::bad_file, fmt::format("{}: {}", path_, sentence));
  }
  [[noreturn]] void fail_here(const std::string& sentence) const {
    throw Error(ErrorKind::bad_file, fmt::format("{}:{}: {}", path_, line_, sentence));
  }

  const std::string& path_;
  int line_ = 0;
  std::size_t time_ = 0;
  DataTable table_;
};

}  // namespace

DataTable parse_data(const std::string& text, const std::string& path) {
  DataReader reader(path);
  for_each_csv_line(text, path,
                    [&](const std::vector<std::string_view>& cells, int line) { reader.take(cells, line); });
  return reader.finished();
}

DataTable read_data_file(const std::string& path) { return parse_data(read_text_file(path), path); }

}  // namespace polhode
