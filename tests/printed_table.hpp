// Reads what the program prints back into cells: CSV with its remarks, tables for people, and how exact a printed number
// is.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "program.hpp"

namespace polhode {

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

inline std::vector<std::string> split(const std::string& line, char at) {
  std::istringstream stream(line);
  std::vector<std::string> parts;
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

// With one blank between words and none around them.
inline std::string squeezed(const std::string& line) { return fmt::format("{}", fmt::join(words_of(line), " ")); }

inline double number_in(const std::string& cell) {
  std::size_t used = 0;
  const double value = cell.empty() ? NAN : std::stod(cell, &used);
  if (used != cell.size() || cell.empty()) throw std::invalid_argument("'" + cell + "' is not a number");
  return value;
}

// Half a unit of the last digit of "1.23e-04", "12.5" or "7".
inline double half_of_last_digit(const std::string& cell) {
  const std::size_t exponent = std::min(cell.find('e'), cell.size()), point = cell.find('.');
  const double decimals = point < exponent ? static_cast<double>(exponent - point - 1) : 0;
  const double power = exponent < cell.size() ? number_in(cell.substr(exponent + 1)) : 0;
  return 0.5 * std::pow(10.0, power - decimals);
}

// A cell is this number, rounded to the digits it has; `slack` is what is not known of the number.
inline void expect_rounded(const std::string& cell, double value, double slack = 0) {
  EXPECT_NEAR(number_in(cell), value, half_of_last_digit(cell) * (1 + 1e-9) + slack) << cell;
}

// A file of comma-separated values with '# key: value' lines above.
struct CsvTable {
  std::vector<std::string> headers;
  std::vector<std::vector<std::string>> rows;
  std::multimap<std::string, std::string> remarks;

  const std::string& cell(std::size_t row, const std::string& header) const {
    const auto at = std::find(headers.begin(), headers.end(), header);
    if (at == headers.end()) throw std::out_of_range("no column '" + header + "'");
    return rows.at(row).at(static_cast<std::size_t>(at - headers.begin()));
  }
  double number(std::size_t row, const std::string& header) const { return number_in(cell(row, header)); }
  std::string remark(const std::string& key) const {
    if (remarks.count(key) != 1) throw std::out_of_range("not one remark '" + key + "'");
    return remarks.find(key)->second;
  }
};

inline CsvTable csv_table(const std::string& text) {
  CsvTable table;
  for (const std::string& line : lines_of(text)) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("# ") && colon != std::string::npos) {
      table.remarks.emplace(line.substr(2, colon - 2), line.substr(colon + 2));
    } else if (!line.starts_with('#')) {
      if (table.headers.empty()) {
        table.headers = split(line, ',');
      } else {
        table.rows.push_back(split(line, ','));
        EXPECT_EQ(table.rows.back().size(), table.headers.size()) << line;
      }
    }
  }
  return table;
}

inline std::vector<std::string> and_also(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A call that must succeed, and what it prints on stdout.
inline std::string printed(const TestFolder& folder, const std::vector<std::string>& arguments) {
  const Outcome run = polhode(folder, arguments);
  if (run.code != 0) throw std::runtime_error(fmt::format("polhode {}: {}", fmt::join(arguments, " "), run.err));
  return run.out;
}

inline nlohmann::json printed_json(const TestFolder& folder, const std::vector<std::string>& arguments) {
  return nlohmann::json::parse(printed(folder, and_also(arguments, {"--json"})));
}

// A study in all its forms, from one and the same measurement: what it prints, and what it writes beside it.
struct PrintedStudy {
  std::string text;
  nlohmann::json data;
};

inline PrintedStudy printed_study(const std::vector<std::string>& arguments) {
  const TestFolder folder;
  PrintedStudy study;
  study.text = printed(folder, and_also(arguments, {"-o", "study.json"}));
  study.data = nlohmann::json::parse(read_file(folder.file("study.json")));
  return study;
}

struct WrittenStudy {
  nlohmann::json data;
  CsvTable csv;
};

inline WrittenStudy written_study(const std::vector<std::string>& arguments) {
  const TestFolder folder;
  WrittenStudy study;
  study.data = printed_json(folder, and_also(arguments, {"-o", "study.csv"}));
  study.csv = csv_table(read_file(folder.file("study.csv")));
  return study;
}

// Of the rows of a study, in their order.
inline std::vector<std::string> methods_in(const nlohmann::json& rows) {
  std::vector<std::string> names;
  for (const nlohmann::json& row : rows) {
    if (names.empty() || names.back() != row["method"].get<std::string>()) names.push_back(row["method"]);
  }
  return names;
}

}  // namespace polhode
