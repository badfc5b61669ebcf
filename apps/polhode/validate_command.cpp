// polhode validate: everything that can be said about a scenario without running it.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "output_checks.hpp"
#include "polhode/run/run.hpp"

namespace polhode {
namespace {

ExitCode validate(const std::string& file, const Talk& talk) {
  const Scenario scenario = read_scenario(file);
  if (!scenario.output.file.empty()) refuse_overwriting(scenario);
  const Plan made = plan(scenario);
  explain(made, talk);
  const std::string size = made.steps.listed.empty() ? fmt::format("of {} s", made.steps.size)
                                                     : fmt::format("from '{}'", scenario.run.step_file);
  talk.note(fmt::format("'{}' is valid: {}, {} steps {}{}, {}", file, made.method.name, made.steps.count, size,
                        made.steps.backwards ? " backwards" : "", scalar_name(scenario.run.scalar)));
  return ExitCode::done;
}

}  // namespace

Command add_validate(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("validate", "Check a scenario without running it");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "Scenario file (TOML)")->required()->type_name(" ");
  talk.add_flags(*command);
  command->footer(examples({"polhode validate tumble.toml", "polhode validate tumble.toml && sbatch run_all.sh"}) +
                  exit_codes({ExitCode::done, ExitCode::bad_scenario, ExitCode::file_missing, ExitCode::usage}) +
                  read_on({"docs/design.md (scenario files)", "'polhode help run'"}));
  return {command, [file, &talk] { return validate(*file, talk); }};
}

}  // namespace polhode
