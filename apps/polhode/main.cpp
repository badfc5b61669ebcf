// polhode: the command line of the library.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <sstream>
#include <system_error>

#include "commands.hpp"
#include "interrupts.hpp"
#include "polhode/core/hints.hpp"
#include "polhode/core/names.hpp"
#include "polhode/core/version.hpp"
#include "polhode/problems/problem.hpp"
#include "ranks.hpp"
#include "streams.hpp"

namespace polhode {

const Problem& named_problem(const std::string& name, const std::string& flag) {
  if (const Problem* problem = find_problem(name)) return *problem;
  std::vector<std::string> names;
  for (const Problem& problem : problems()) names.emplace_back(problem.name);
  throw Error(ErrorKind::bad_request, fmt::format("{}no problem named '{}'; {}", flag, name,
                                                  hint(near_names(name, names), "'polhode problems' lists them")));
}

namespace {

int code(ExitCode exit) { return static_cast<int>(exit); }

std::vector<std::string> names_of_commands(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> names_of_flags(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What was not understood, and what may have been meant.
std::string unexpected(const CLI::App& program) {
  const auto parsed = program.get_subcommands();
  const CLI::App& at = parsed.empty() ? program : *parsed.front();
  const std::vector<std::string> rest = program.remaining(true);
  const std::string word = rest.empty() ? "" : rest.front();
  const std::string help = parsed.empty() ? "polhode --help" : fmt::format("polhode {} --help", at.get_name());
  if (word.starts_with('-')) {
    const std::string flag = word.substr(0, word.find('='));
    const std::string nearest = nearest_name(flag, names_of_flags(at));
    return nearest.empty() ? fmt::format("no flag named '{}'; '{}' lists them", flag, help)
                           : fmt::format("no flag named '{}'; nearest: {}", flag, nearest);
  }
  if (!parsed.empty()) return fmt::format("'{}' is one argument too many; see '{}'", word, help);
  const std::vector<std::string> commands = names_of_commands(program);
  return fmt::format("no command named '{}'; {}", word,
                     hint(near_names(word, commands), fmt::format("there are {}", fmt::join(commands, ", "))));
}

int answer(const CLI::App& program, const CLI::ParseError& error, const Talk& talk) {
  if (error.get_exit_code() == 0) {
    std::ostringstream help, none;
    program.exit(error, help, none);
    to_stdout(help.str());
    return code(ExitCode::done);
  }
  if (!program.remaining(true).empty()) {
    talk.complain(unexpected(program));
  } else if (program.get_subcommands().empty()) {
    to_stderr(program.help());
  } else {
    talk.complain(
        fmt::format("{}; see 'polhode {} --help'", error.what(), program.get_subcommands().front()->get_name()));
  }
  return code(ExitCode::usage);
}

// What the program answers with, once stdout has taken everything: a full disk behind it shows itself only then. A reader
// who has seen enough, as in `polhode methods | head`, is no reason for words.
int answered(int exit_code, const Talk& talk) {
  const int error = finish_stdout();
  if (error != 0 && error != EPIPE) {
    talk.complain(fmt::format("cannot write to standard output: {}", std::strerror(error)));
  }
  if (exit_code == 0 && error != 0) exit_code = code(error == EPIPE ? ExitCode::broken_pipe : ExitCode::input_output);
  return exit_code != 0 && interrupting_signal() != 0 ? 128 + interrupting_signal() : exit_code;
}

int run_program(int argc, char** argv) {
  CLI::App program{"Polhode integrates the rotation of rigid bodies.", "polhode"};
  program.set_version_flag("--version", fmt::format("polhode {}", version()));
  program.set_help_flag("-h,--help", "Print this help and exit");
  program.require_subcommand(1);
  program.footer(
      examples({"polhode run --problem fast-top --method taylor-4",
                "polhode init tumble.toml && polhode run tumble.toml --plot tumble.pdf",
                "polhode methods leapfrog-svanberg     # what a method does, keeps and costs, and where it is from",
                "polhode help run"}) +
      exit_codes() +
      read_on({"'polhode help COMMAND'", "docs/theory.md (equations, frames, signs)", "docs/methods.md (every method)",
               "docs/results.md (what a result holds)"}));
  Talk talk;
  std::vector<Command> commands;
  for (AddCommand* add : all_commands) commands.push_back(add(program, talk));
  try {
    program.parse(argc, argv);
    for (const Command& command : commands) {
      if (command.app->parsed()) return answered(code(command.run()), talk);
    }
    return code(ExitCode::usage);
  } catch (const CLI::ParseError& error) {
    // All ranks were given the same words, and the first one answers: mpirun ends it when another answers with an error.
    if (const auto launch = launched_as_rank(); launch && launch->rank > 0) return code(ExitCode::done);
    return answered(answer(program, error, talk), talk);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::broken_pipe) talk.complain(error.what());
    return answered(code(exit_code(error.kind)), talk);
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) {
      stdout_failed(error.code().value());
      return answered(code(ExitCode::done), talk);
    }
    talk.complain(error.what());
    return answered(code(ExitCode::input_output), talk);
  } catch (const std::exception& error) {
    talk.complain(fmt::format("unexpected failure: {}", error.what()));
    return answered(code(ExitCode::run_failed), talk);
  }
}

}  // namespace
}  // namespace polhode

int main(int argc, char** argv) {
  polhode::prepare_streams();
  return polhode::run_program(argc, argv);
}
