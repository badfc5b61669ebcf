// polhode init: a scenario file to start from.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "output_checks.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "streams.hpp"

namespace polhode {
namespace {

struct InitFlags {
  std::string file;
  std::string problem = "asymmetric-top";
  bool force = false;
};

ExitCode init(const InitFlags& flags, const Talk& talk) {
  Scenario scenario = problem_scenario(named_problem(flags.problem));
  scenario.run.method = "mclachlan-reich-4-231";
  if (!flags.file.empty()) scenario.title = std::filesystem::path(flags.file).stem().string();
  const std::string text = to_toml(scenario);
  if (flags.file.empty()) {
    to_stdout(text);
    return ExitCode::done;
  }
  if (!flags.force && std::filesystem::is_regular_file(flags.file)) {
    throw Error(ErrorKind::bad_request,
                fmt::format("'{}' exists; name another file, or replace it with --force", flags.file));
  }
  OutputFile file(flags.file);
  file.write(text);
  file.commit();
  talk.note(fmt::format("wrote '{}'; run it with 'polhode run {}'", flags.file, flags.file));
  return ExitCode::done;
}

}  // namespace

Command add_init(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("init", "Write a commented scenario to start from");
  auto flags = std::make_shared<InitFlags>();
  command->add_option("FILE", flags->file, "Where to write it (default: standard output)")
      ->type_name(" ")
      ->check(not_empty());
  command->add_option("-p,--problem", flags->problem, "Begin with the data of this problem")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_flag("-f,--force", flags->force, "Replace a file that exists");
  talk.add_flags(*command);
  command->footer(
      examples({"polhode init tumble.toml && polhode run tumble.toml", "polhode init top.toml --problem fast-top"}) +
      exit_codes({ExitCode::done, ExitCode::usage, ExitCode::input_output}) +
      read_on({"docs/design.md (scenario files)", "'polhode help validate'", "'polhode help run'"}));
  return {command, [flags, &talk] { return init(*flags, talk); }};
}

}  // namespace polhode
