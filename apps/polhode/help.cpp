// polhode help: the same texts as --help, for those who ask the other way round.
#include "help.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "polhode/core/hints.hpp"
#include "streams.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

std::string_view meaning(ExitCode code) {
  switch (code) {
    case ExitCode::done: return "done";
    case ExitCode::run_failed: return "the run failed";
    case ExitCode::usage: return "usage";
    case ExitCode::bad_scenario: return "bad scenario, result or plug-in";
    case ExitCode::file_missing: return "file missing or unreadable";
    case ExitCode::unavailable: return "something needed is not installed";
    case ExitCode::plugin_crashed: return "a plug-in crashed";
    case ExitCode::input_output: return "input or output failed";
    case ExitCode::guard: return "a guard (--max-steps, --max-time) ended the run";
    case ExitCode::interrupted: return "interrupted (129 hang-up, 143 termination)";
    case ExitCode::broken_pipe: break;
  }
  return "the reader of the output has gone";
}

ExitCode help(const CLI::App& program, const std::string& name) {
  if (name.empty()) {
    // Not program.help(), which is that of the command being carried out.
    to_stdout(program.get_formatter()->make_help(&program, program.get_name(), CLI::AppFormatMode::Normal));
    return ExitCode::done;
  }
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == name) {
      to_stdout(command->help(program.get_name()));
      return ExitCode::done;
    }
    names.push_back(command->get_name());
  }
  throw Error(ErrorKind::bad_request,
              fmt::format("no command named '{}'; {}", name,
                          hint(near_names(name, names), fmt::format("there are {}", fmt::join(names, ", ")))));
}

}  // namespace

std::string examples(const std::vector<std::string>& lines) {
  return fmt::format("\nExamples:\n  {}\n", fmt::join(lines, "\n  "));
}

std::string exit_codes(const std::vector<ExitCode>& codes) {
  std::vector<std::string> words;
  for (const ExitCode code : codes) words.push_back(fmt::format("{} {}", static_cast<int>(code), meaning(code)));
  return "\n" + wrapped(fmt::format("Exit codes: {}.", fmt::join(words, ", ")), 0);
}

std::string exit_codes() {
  return exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario,
                     ExitCode::file_missing, ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::input_output,
                     ExitCode::guard, ExitCode::interrupted, ExitCode::broken_pipe});
}

std::string read_on(const std::vector<std::string>& places) {
  return wrapped(fmt::format("Read on: {}.", fmt::join(places, ", ")), 0);
}

Command add_help(CLI::App& program, Talk&) {
  CLI::App* command = program.add_subcommand("help", "Explain a command; the same as COMMAND --help");
  auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "The command (default: what the program can do)")->type_name(" ");
  command->footer(examples({"polhode help", "polhode help run"}) + exit_codes({ExitCode::done, ExitCode::usage}));
  return {command, [name, &program] { return help(program, *name); }};
}

}  // namespace polhode
