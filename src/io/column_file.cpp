#include "io/column_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/number_text.hpp"
#include "io/csv_lines.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/data_table.hpp"

namespace polhode {
namespace {

using Cells = std::vector<std::string_view>;

class CsvColumns final : public ColumnFile {
 public:
  explicit CsvColumns(const std::string& path) : path_(path), text_(read_text_file(path)) {
    for_each_csv_line(text_, path_, [&](const Cells& cells, int line) {
      if (!columns_.empty()) return;
      double number = 0;
      for (const std::string_view cell : cells) {
        if (read_number(cell, number))
          fail(line, fmt::format("'{}' is a number, and the first line must have the names of the columns",
                                 shown_cell(cell)));
        const DataTable::Column column = column_named(cell);
        const std::size_t point = column.name.rfind('.');
        columns_.push_back({column.name, column.unit, point == std::string::npos ? "" : column.name.substr(0, point)});
      }
    });
    if (columns_.empty())
      throw Error(ErrorKind::bad_file,
                  fmt::format("{}: is empty; write the names of the columns in the first line, and "
                              "a row of numbers for each body below",
                              path_));
  }

  std::vector<double> rows(const std::vector<std::size_t>& wanted) const override {
    std::vector<double> all;
    bool below_header = false;
    for_each_csv_line(text_, path_, [&](const Cells& cells, int line) {
      if (!std::exchange(below_header, true)) return;
      if (cells.size() != columns_.size())
        fail(line,
             fmt::format("the row has {} cells, and the header {}; give one for every column, with commas between "
                         "them",
                         cells.size(), columns_.size()));
      for (const std::size_t i : wanted) all.push_back(number_in(cells[i], i, line));
    });
    if (all.empty())
      throw Error(ErrorKind::bad_file,
                  fmt::format("{}: there are no rows below the header; give one for each body", path_));
    return all;
  }

 private:
  double number_in(std::string_view cell, std::size_t column, int line) const {
    double value = 0;
    const bool is_number = read_number(cell, value);
    if (is_number && std::isfinite(value)) return value;
    fail(line, fmt::format("column '{}': '{}' is not {}; write a finite number, or leave out the row",
                           shown_cell(columns_[column].name), shown_cell(cell), is_number ? "finite" : "a number"));
  }
  [[noreturn]] void fail(int line, const std::string& sentence) const {
    throw Error(ErrorKind::bad_file, fmt::format("{}:{}: {}", path_, line, sentence));
  }

  std::string path_, text_;
};

}  // namespace

std::unique_ptr<ColumnFile> open_csv_columns(const std::string& path) { return std::make_unique<CsvColumns>(path); }

std::unique_ptr<ColumnFile> open_columns(const std::string& path) {
  const ResultFormat* format = find_result_format(path);
  if (format == nullptr) return open_csv_columns(path);
  if (format->columns != nullptr) return format->columns(path);
  throw Error(ErrorKind::bad_file,
              fmt::format("{}: no columns are read from {}; name a CSV or HDF5 file", path, format->name));
}

}  // namespace polhode
