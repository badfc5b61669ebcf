#include "diagnose_table.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>

#include "table_text.hpp"

namespace polhode {
namespace {

std::string_view verdict_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::more: return "more than claimed";
    case Verdict::disagrees: return "DISAGREES";
    case Verdict::open: return "open";
    case Verdict::no_claim: break;
  }
  return "";
}

void add_finding(std::string& text, const std::array<std::string_view, 5>& cells) {
  constexpr std::array<int, 5> widths{31, 9, 37, 18, 0};
  for (std::size_t i = 0; i < cells.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{:<{}} ", cells[i], widths[i]);
  end_line(text);
}

std::string counted(std::size_t count, std::string_view words) {
  return count == 0 ? "" : fmt::format(", {} {}", count, words);
}

}  // namespace

std::string table(const Diagnosis& study) {
  std::string text = fmt::format("{} on {}\n", study.method, study.title);
  text += wrapped(study.about, 2, 0);
  if (!study.plugin.empty()) text += fmt::format("from the plug-in '{}'\n", study.plugin);
  text += '\n';
  add_finding(text, {"", "claimed", "measured", "counts as zero", ""});
  for (const Finding& line : study.findings) {
    add_finding(text, {line.about, line.claimed, line.measured, line.zero, verdict_words(line.verdict)});
    if (!line.note.empty()) text += wrapped("    " + line.note, 4);
  }
  fmt::format_to(std::back_inserter(text), "\n{} lines agree with the claims{}{}{}.\n", study.count(Verdict::agrees),
                 counted(study.count(Verdict::disagrees), "DISAGREE"),
                 counted(study.count(Verdict::more), "keep more than is claimed"),
                 counted(study.count(Verdict::open), "cannot be decided here"));
  text += wrapped(
      fmt::format(
          "The body turns at up to {:.3g} rad/s. Orders, symmetries and invariants are measured in {}, long runs "
          "and times in double; two integrators agree on the reference to {:.0e} rad.",
          study.rate, study.scalar, study.reference_uncertainty),
      0);
  return text;
}

}  // namespace polhode
