#include "talk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "polhode/core/error.hpp"
#include "polhode/run/simulation.hpp"
#include "streams.hpp"

namespace polhode {

When parse_when(const std::string& flag, const std::string& text) {
  if (text == "auto") return When::automatic;
  if (text == "always" || text == "true") return When::always;  // CLI11 calls a bare flag "true"
  if (text == "never") return When::never;
  throw Error(ErrorKind::bad_request, fmt::format("{}: '{}' is not a choice; give auto, always or never", flag, text));
}

void Talk::add_flags(CLI::App& command) {
  command.add_flag("-q,--quiet", quiet_, "Print nothing but errors on stderr");
  command.add_flag("--color", color_, "Colour messages: --color=auto (default), =always or =never")
      ->each([](const std::string& text) { parse_when("--color", text); });
}

bool Talk::terminal() const { return ::isatty(STDERR_FILENO) == 1; }

bool Talk::coloured() const {
  const When when = parse_when("--color", color_);
  if (when != When::automatic) return when == When::always;
  const char* no_color = std::getenv("NO_COLOR");
  return (no_color == nullptr || *no_color == '\0') && terminal();
}

void Talk::note(const std::string& sentence) const {
  if (!quiet_) to_stderr(fmt::format("polhode: {}\n", sentence));
}

void explain(const Plan& plan, const Talk& talk) {
  if (!plan.selection) return;
  talk.note(explanation(*plan.selection));
  if (const std::string sentence = warning(*plan.selection); !sentence.empty()) talk.note("warning: " + sentence);
}

void announce_reference(const Talk& talk, double seconds) {
  const std::string time = seconds < 0.1   ? "less than 0.1 s"
                           : seconds < 10  ? fmt::format("about {:.1f} s", seconds)
                           : seconds < 600 ? fmt::format("about {:.0f} s", seconds)
                                           : fmt::format("about {:.0f} min", seconds / 60);
  talk.note(fmt::format("computing a reference to rounding: {}", time));
}

void Talk::complain(const std::string& sentence) const {
  if (silent_) return;
  to_stderr(fmt::format("{} {}\n", coloured() ? "\033[1;31mpolhode:\033[0m" : "polhode:", sentence));
}

}  // namespace polhode
