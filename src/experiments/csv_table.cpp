#include "experiments/csv_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/spirit/home/x3/auxiliary.hpp>
#include <boost/spirit/home/x3/char.hpp>
#include <boost/spirit/home/x3/core.hpp>
#include <boost/spirit/home/x3/nonterminal/rule.hpp>
#include <boost/spirit/home/x3/operator.hpp>
#include <boost/spirit/home/x3/string.hpp>

#include "polhode/core/error.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode::experiments {
namespace {

// A quoted field may hold commas, line ends and, doubled, quotes (RFC 4180).
namespace grammar {
namespace x3 = boost::spirit::x3;
const auto quote = x3::lit("\"\"") >> x3::attr('"');
const auto quoted = '"' >> *(quote | ~x3::char_('"')) >> '"';
const auto bare = *~x3::char_(",\"\r\n");
const x3::rule<struct FieldTag, std::string> field = "field";
const auto field_def = quoted | bare;
BOOST_SPIRIT_DEFINE(field)
const auto record = (field % ',') >> (x3::eol | x3::eoi);
}  // namespace grammar

struct CsvRecord {
  std::vector<std::string> fields;
  int line;  // where it begins
};

// Without those of empty lines.
std::vector<CsvRecord> records_in(const std::string& text, const std::string& path) {
  std::vector<CsvRecord> records;
  int line = 1;
  for (auto at = text.begin(); at != text.end();) {
    const auto begin = at;
    std::vector<std::string> fields;
    if (!grammar::x3::parse(at, text.end(), grammar::record, fields)) {
      throw Error(ErrorKind::bad_file,
                  fmt::format("{}:{}: quotes must be around a whole field, and doubled in it", path, line));
    }
    if (fields.size() > 1 || !fields[0].empty()) records.push_back({std::move(fields), line});
    line += static_cast<int>(std::count(begin, at, '\n'));
  }
  return records;
}

}  // namespace

bool CsvTable::has(std::string_view column) const { return std::ranges::find(header, column) != header.end(); }

const std::string& CsvTable::cell(std::size_t row, std::string_view column) const {
  static const std::string nothing;
  const auto found = std::ranges::find(header, column);
  return found == header.end() ? nothing : rows[row][static_cast<std::size_t>(found - header.begin())];
}

CsvTable read_csv(const std::string& path) {
  std::vector<CsvRecord> all = records_in(read_text_file(path), path);
  if (all.empty()) throw Error(ErrorKind::bad_file, fmt::format("{}: is empty; give it a header", path));
  CsvTable table{path, all.front().fields, {}, {}};
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].fields.size() != table.header.size()) {
      throw Error(ErrorKind::bad_file, fmt::format("{}:{}: has {} fields, the header {}", path, all[i].line,
                                                   all[i].fields.size(), table.header.size()));
    }
    table.rows.push_back(std::move(all[i].fields));
    table.lines.push_back(all[i].line);
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
