// Tables of text: published.csv and verdicts.csv, with quoted fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode::experiments {

struct CsvTable {
  std::string path;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
  std::vector<int> lines;  // of the rows in the file

  bool has(std::string_view column) const;
  // Empty where the table has no such column.
  const std::string& cell(std::size_t row, std::string_view column) const;
};

// Throws Error with file and line where a row has another number of fields than the header.
CsvTable read_csv(const std::string& path);

// The text as one field: in quotes where it needs them.
std::string csv_field(std::string_view text);

}  // namespace polhode::experiments
