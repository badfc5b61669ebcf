#include "ensemble_table.hpp"

#include <fmt/format.h>

#include <iterator>

#include "table_text.hpp"

namespace polhode {
namespace {

std::string head(const EnsembleResult& result) {
  const EnsembleAbout& about = result.about;
  const std::string part = about.last - about.first < about.bodies
                               ? fmt::format(", numbers {} to {} of {}", about.first, about.last - 1, about.bodies)
                               : "";
  const std::string how = about.device == "cuda" ? fmt::format("on a {}{}", about.card, about.fused ? ", fused" : "")
                          : about.instruction_set == "none" ? "one by one"
                           : fmt::format("in {}packs of {}", about.fused ? "fused " : "", about.instruction_set);
  return fmt::format("{}: {} bodies{}, {}, {} step{} of {} s, {} on {} thread{}{}\n", about.title, result.followed,
                     part, about.method, about.steps, about.steps == 1 ? "" : "s", about.step, how, about.threads,
                     about.threads == 1 ? "" : "s",
                     about.ranks > 1 ? fmt::format(" of each of {} ranks", about.ranks) : "");
}

std::string at(const std::optional<double>& time) { return time ? fmt::format("{:.6g} s", *time) : "the end"; }

void add_line(std::string& text, const std::string& name, const std::string& when, const Tally& tally) {
  fmt::format_to(std::back_inserter(text), "  {:<20} {:<10} {:>14.6g} {:>14.6g} {:>14.6g} {:>14.6g} {:>10}", name, when,
                 tally.least(), tally.mean(), tally.largest(), tally.deviation(), tally.count());
  end_line(text);
}

}  // namespace

std::string table(const EnsembleResult& result) {
  std::string text = head(result);
  fmt::format_to(std::back_inserter(text), "\n  {:<20} {:<10} {:>14} {:>14} {:>14} {:>14} {:>10}\n", "", "at", "least",
                 "mean", "largest", "deviation", "bodies");
  for (const NamedTally& one : result.statistics) add_line(text, one.quantity, at(one.time), one.tally);
  if (!result.quantiles.empty()) {
    text += "\n  quantiles\n";
    for (const NamedQuantiles& one : result.quantiles) {
      fmt::format_to(std::back_inserter(text), "  {:<20} {:<10}", one.quantity, at(one.time));
      for (std::size_t i = 0; i < one.values.size(); ++i)
        fmt::format_to(std::back_inserter(text), " {:>20}",
                       fmt::format("{:g}: {:.6g}", one.probabilities[i], one.values[i]));
      end_line(text);
    }
  }
  if (result.failed > 0) {
    fmt::format_to(std::back_inserter(text), "\n  {} of {} bodies failed\n", result.failed, result.followed);
    for (std::size_t i = 0; i < std::min<std::size_t>(result.failures.size(), 5); ++i)
      fmt::format_to(std::back_inserter(text), "  body {}: {}\n", result.failures[i].body, result.failures[i].reason);
    if (result.failed > 5) text += "  ...\n";
  }
  fmt::format_to(std::back_inserter(text), "\n  {:.3g} s, {:.3g} body-steps per second\n", result.seconds,
                 result.body_steps_per_second);
  return text;
}

}  // namespace polhode
