// polhode validate: everything that can be said about a scenario without running it.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {
namespace {

std::string steps_in_words(const Plan& made) {
  const Steps& steps = made.steps;
  if (steps.chosen && steps.length) return fmt::format("steps that it chooses, given {} s", steps.size);
  const std::string which = steps.chosen           ? fmt::format("that it chooses, given {} s", steps.size)
                            : steps.listed.empty() ? fmt::format("of {} s", steps.size)
                                                   : fmt::format("from '{}'", made.request.run.step_file);
  return fmt::format("{} steps {}", steps.count, which);
}

ExitCode validate(const std::string& file, const Talk& talk) {
  const Scenario scenario = read_scenario(file);
  if (!scenario.output.file.empty()) refuse_overwriting(scenario);
  const Plan made = plan(scenario);
  explain(made, talk);
  talk.note(fmt::format("'{}' is valid: {}, {}{}, {}", file, made.method.name, steps_in_words(made),
                        made.steps.backwards ? " backwards" : "", scalar_name(scenario.run.scalar)));
  return ExitCode::done;
}

}  // namespace

Command add_validate(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("validate", "Check a scenario without running it");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "Scenario file (TOML)")->required()->type_name(" ");
  add_load_flag(*command);
  talk.add_flags(*command);
  command->footer(examples({"polhode validate tumble.toml", "polhode validate tumble.toml && sbatch run_all.sh"}) +
                  exit_codes({ExitCode::done, ExitCode::bad_scenario, ExitCode::file_missing, ExitCode::usage}) +
                  read_on({"docs/design.md (scenario files)", "'polhode help run'"}));
  return {command, [file, &talk] { return validate(*file, talk); }};
}

}  // namespace polhode
