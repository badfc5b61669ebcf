#include "polhode/io/csv.hpp"

#include <fmt/format.h>

#include <iterator>

#include "io/csv_comments.hpp"
#include "io/provenance.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {

void append_comment(std::string& out, std::string_view key, std::string_view value) {
  fmt::format_to(std::back_inserter(out), "# {}: {}\n", key, value);
}

void append_quoted(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out += line.empty() ? "#|" : "#| ";
    out += line;
    out += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void CsvFile::begin(const Provenance& about) {
  std::string head;
  for (const ProvenanceEntry& entry : provenance_entries(about)) append_comment(head, entry.key, entry.text);
  append_quoted(head, about.scenario);
  fmt::format_to(std::back_inserter(head), "{}\n", fmt::join(column_headers(about), ","));
  file().write(head);
}

void CsvFile::write_row(std::span<const Number> cells) {
  line_.clear();
  for (const Number& cell : cells) {
    if (!line_.empty()) line_ += ',';
    append_shortest(line_, cell);
  }
  line_ += '\n';
  file().write(line_);
}

void CsvFile::write_end(const Result& result) {
  if (!result.incomplete.empty()) file().write(fmt::format("# incomplete: {}; {} rows\n", result.incomplete, rows()));
}

}  // namespace polhode
