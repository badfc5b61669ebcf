#include "polhode/io/csv.hpp"

#include <fmt/format.h>

#include <iterator>

#include "core/number_text.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {
namespace {

void comment(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  fmt::format_to(std::back_inserter(out), "# {}: {}\n", key, value);
}

// Behind its own mark, so that no line of a scenario is taken for a '# key: value' line.
void quote(std::string& out, std::string_view text) {
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

}  // namespace

void CsvFile::begin(const Provenance& about) {
  std::string head;
  comment(head, "program", "polhode " + about.version);
  comment(head, "method", about.method);
  comment(head, "problem", about.problem);
  comment(head, "scalar", scalar_name(about.scalar));
  if (about.step) comment(head, "step", shortest(*about.step));
  comment(head, "step_file", about.step_file);
  comment(head, "energy_terms", energy_terms(about));
  comment(head, "energy_conserved", about.energy_conserved ? "yes" : "no");
  if (about.tolerance) comment(head, "tolerance", fmt::format("{} rad", *about.tolerance));
  if (about.selection) {
    comment(head, "requested", automatic_method);
    comment(head, "tolerance", fmt::format("{} rad", about.selection->tolerance));
    comment(head, "goal", goal_name(about.selection->goal));
    comment(head, "predicted_error", fmt::format("{:.2e} rad", about.selection->predicted_error));
  }
  quote(head, about.scenario);
  fmt::format_to(std::back_inserter(head), "{}\n", fmt::join(column_headers(about), ","));
  file().write(head);
}

void CsvFile::write_row(std::span<const Number> cells) {
  line_.clear();
  for (const Number& cell : cells) {
    if (!line_.empty()) line_ += ',';
    append_decimal(line_, cell);
  }
  line_ += '\n';
  file().write(line_);
}

void CsvFile::write_end(const Result& result) {
  if (!result.incomplete.empty()) file().write(fmt::format("# incomplete: {}; {} rows\n", result.incomplete, rows()));
}

}  // namespace polhode
