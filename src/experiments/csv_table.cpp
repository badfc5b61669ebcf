#include "experiments/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polhode/core/error.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode::experiments {
namespace {

// Splits a whole file into records: a quoted field may hold commas, line ends and, doubled, quotes.
struct Records {
  std::vector<std::vector<std::string>> records;
  std::vector<int> lines;
};

Records split(const std::string& text) {
  Records found;
  std::vector<std::string> record(1);
  int line = 1, begun = 1;
  bool quoted = false;
  const auto finish = [&] {
    if (record.size() > 1 || !record[0].empty()) {
      found.records.push_back(record);
      found.lines.push_back(begun);
    }
    record.assign(1, {});
    begun = line + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      record.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      record.emplace_back();
    } else if (!quoted && c == '\n') {
      finish();
    } else if (c != '\r') {
      record.back() += c;
    }
    if (c == '\n') ++line;
  }
  finish();
  return found;
}

}  // namespace

bool CsvTable::has(std::string_view column) const { return std::ranges::find(header, column) != header.end(); }

const std::string& CsvTable::cell(std::size_t row, std::string_view column) const {
  static const std::string nothing;
  const auto found = std::ranges::find(header, column);
  return found == header.end() ? nothing : rows[row][static_cast<std::size_t>(found - header.begin())];
}

CsvTable read_csv(const std::string& path) {
  Records all = split(read_text_file(path));
  if (all.records.empty()) throw Error(ErrorKind::bad_file, fmt::format("{}: is empty; give it a header", path));
  CsvTable table{path, all.records.front(), {}, {}};
  for (std::size_t i = 1; i < all.records.size(); ++i) {
    if (all.records[i].size() != table.header.size()) {
      throw Error(ErrorKind::bad_file, fmt::format("{}:{}: has {} fields, the header {}", path, all.lines[i],
                                                   all.records[i].size(), table.header.size()));
    }
    table.rows.push_back(std::move(all.records[i]));
    table.lines.push_back(all.lines[i]);
  }
  return table;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace polhode::experiments
