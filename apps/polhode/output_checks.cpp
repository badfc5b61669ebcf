#include "output_checks.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "polhode/io/output_file.hpp"

namespace polhode {
namespace {

// A sentence where both names lead to one file.
std::optional<std::string> clash(const std::string& file, const std::string& what, const std::string& other) {
  if (file.empty() || other.empty() || !same_file(file, other)) return std::nullopt;
  return fmt::format("'{}' is {}, which would be overwritten; name another file", file, what);
}

}  // namespace

void refuse_clash(const std::string& flag, const std::string& file, const std::string& what, const std::string& other) {
  if (const auto sentence = clash(file, what, other)) {
    throw Error(ErrorKind::bad_request, fmt::format("{}: {}", flag, *sentence));
  }
}

void refuse_overwriting(const Scenario& scenario) {
  const std::string& file = scenario.output.file;
  for (const std::string& name : {file, partial_name(file)}) {
    for (const auto& [what, other] :
         {std::pair("the scenario", scenario.source), std::pair("the file of steps", scenario.run.step_file),
          std::pair("the file of times", scenario.output.times_file)}) {
      if (const auto sentence = clash(name, what, other)) throw located(scenario, SetupError("output.file", *sentence));
    }
  }
}

std::string stdout_is_taken(const std::string& file) {
  return fmt::format("'{}' is standard output, where the result is printed; name another file", file);
}

CLI::Validator not_empty() {
  return CLI::Validator([](const std::string& text) { return text.empty() ? "is empty; name a file" : ""; }, "");
}

}  // namespace polhode
