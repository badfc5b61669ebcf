// The commands of the program, one file each.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "exit_codes.hpp"
#include "help.hpp"
#include "talk.hpp"

namespace polhode {

struct Command {
  CLI::App* app;
  std::function<ExitCode()> run;  // throws Error
};

Command add_methods(CLI::App& program);
Command add_problems(CLI::App& program);
Command add_run(CLI::App& program, Talk& talk);
Command add_converge(CLI::App& program, Talk& talk);
Command add_compare(CLI::App& program, Talk& talk);
Command add_plot(CLI::App& program, Talk& talk);
Command add_reproduce(CLI::App& program, Talk& talk);
Command add_init(CLI::App& program, Talk& talk);
Command add_validate(CLI::App& program, Talk& talk);
Command add_help(CLI::App& program);

// The problem of this name; throws Error (usage) with those that may have been meant. `flag`: what named it.
struct Problem;
const Problem& named_problem(const std::string& name, const std::string& flag = "--problem: ");

}  // namespace polhode
