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

using AddCommand = Command(CLI::App& program, Talk& talk);
AddCommand add_methods, add_problems, add_run, add_ensemble, add_merge, add_converge, add_compare, add_diagnose,
    add_plot, add_reproduce, add_init, add_validate, add_help;

// In the order of the help.
inline constexpr AddCommand* all_commands[] = {add_methods,  add_problems, add_run,      add_ensemble, add_merge,
                                               add_converge, add_compare,  add_diagnose, add_plot,     add_reproduce,
                                               add_init,     add_validate, add_help};

// The problem of this name; throws Error (usage) with those that may have been meant. `flag`: what named it.
struct Problem;
const Problem& named_problem(const std::string& name, const std::string& flag = "--problem: ");

}  // namespace polhode
