#include "plugins.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstring>

#include "exit_codes.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/methods/plugin.hpp"

namespace polhode {
namespace {

const char* crash_name(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV: memory that is not its own";
    case SIGBUS: return "SIGBUS: memory that is not there";
    case SIGFPE: return "SIGFPE: arithmetic, such as a whole number divided by zero";
    case SIGILL: return "SIGILL: an instruction that this processor does not have";
    default: return "SIGABRT: it gave up itself";
  }
}

void say(const char* words) { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, words, std::strlen(words)); }

// Nothing but what a signal handler may do.
void handle_crash(int signal) {
  const char* who = plugin_at_work();
  if (who == nullptr) {
    ::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  for (const char* words : {"polhode: ", who, " crashed (", crash_name(signal),
                            "); compile it with -g -fsanitize=address, or run this under gdb, to see where\n"})
    say(words);
  remove_unfinished_files();
  ::_exit(static_cast<int>(ExitCode::plugin_crashed));
}

// On a stack of its own: a recursion without end leaves no room on the other.
void name_those_that_crash() {
  static std::array<char, 65536> room;
  stack_t stack{};
  stack.ss_sp = room.data();
  stack.ss_size = room.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = handle_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

void load(const std::string& file) {
  name_those_that_crash();
  try {
    load_plugin(file);
  } catch (const Error& error) {
    throw Error(error.kind, std::string("--load: ") + error.what());
  }
}

}  // namespace

void add_load_flag(CLI::App& command) {
  command
      .add_option_function<std::vector<std::string>>(
          "--load",
          [](const std::vector<std::string>& files) {
            for (const std::string& file : files) load(file);
          },
          "A shared library with methods of your own (docs/own-methods.md); may be repeated")
      ->type_name("FILE.so")
      ->allow_extra_args(false);
}

}  // namespace polhode
