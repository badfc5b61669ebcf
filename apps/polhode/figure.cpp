#include "figure.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "installation.hpp"
#include "interrupts.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/output_file.hpp"

extern char** environ;

namespace polhode {
namespace {

// Debian's own interpreter: one found on the PATH may lack matplotlib.
constexpr const char* interpreter = "/usr/bin/python3";

std::string script() {
  const char* named = std::getenv("POLHODE_PLOT");
  return named != nullptr && *named != '\0' ? named : data_path("python/polhode/plot.py");
}

// The exit status of the interpreter with these words, or -1 where a signal ended it. Throws Error (interrupted) where a
// signal asks this program to end: the interpreter is then told so, too.
int run_python(std::vector<std::string> words, const char* who) {
  // -B: no compiled scripts are left beside the sources.
  words.insert(words.begin(), {interpreter, "-B"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  // What the script prints is talk, whichever stream it chooses.
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, interpreter, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw Error(ErrorKind::unavailable, fmt::format("{}: cannot start {}: {}", who, interpreter, std::strerror(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    if (interrupting_signal() != 0) ::kill(child, SIGINT);  // at which Python removes what it has begun to write
  }
  if (interrupting_signal() != 0) {
    throw Error(ErrorKind::interrupted, fmt::format("{}: interrupted by {}", who, interrupting_signal_name()));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int run_script(const std::string& file, std::vector<std::string> words, const char* who) {
  words.insert(words.begin(), file);
  return run_python(std::move(words), who);
}

// Found, not loaded: that takes a tenth of the time.
constexpr const char* find_matplotlib =
    "import sys\nfrom importlib.util import find_spec\n"
    "sys.exit(69 if None in map(find_spec, ('numpy', 'matplotlib')) else 0)";

}  // namespace

void check_figure(const std::string& figure, const std::string& flag) {
  const std::string extension = std::filesystem::path(figure).extension().string();
  if (extension != ".pdf" && extension != ".svg" && extension != ".png") {
    throw Error(ErrorKind::bad_request,
                fmt::format("{}: '{}' does not show its format; end it in .pdf, .svg or .png", flag, figure));
  }
  if (::access(script().c_str(), R_OK) != 0) {
    throw Error(ErrorKind::unavailable,
                fmt::format("{}: the plotting script '{}' cannot be read: {}; point POLHODE_PLOT to plot.py", flag,
                            script(), std::strerror(errno)));
  }
  if (::access(interpreter, X_OK) != 0) {
    throw Error(ErrorKind::unavailable,
                fmt::format("{}: {} is not there; install python3 and python3-matplotlib", flag, interpreter));
  }
  if (run_python({"-c", find_matplotlib}, flag.c_str()) != 0) {
    throw Error(ErrorKind::unavailable,
                fmt::format("{}: matplotlib is not installed for {}; install python3-matplotlib", flag, interpreter));
  }
  check_output_file(figure);
}

void draw_figure(const std::string& result, const std::string& figure) { draw({"run", result, "-o", figure}, figure); }

void draw(std::vector<std::string> words, const std::string& figure) {
  const int code = run_script(script(), std::move(words), "--plot");
  if (code == 0) return;
  throw Error(code == static_cast<int>(ExitCode::input_output) ? ErrorKind::input_output : ErrorKind::unavailable,
              fmt::format("--plot: '{}' was not drawn; the script's message above says why", figure));
}

ExitCode draw_files(std::vector<std::string> words) {
  const int code = run_script(script(), std::move(words), "plot");
  for (const ExitCode known : {ExitCode::done, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                               ExitCode::unavailable, ExitCode::input_output}) {
    if (code == static_cast<int>(known)) return known;
  }
  throw Error(ErrorKind::unavailable, fmt::format("the plotting script '{}' ended unexpectedly", script()));
}

void write_report(std::vector<std::string> words, const std::string& page) {
  const std::string beside = (std::filesystem::path(script()).parent_path() / "report.py").string();
  if (::access(beside.c_str(), R_OK) != 0 || ::access(interpreter, X_OK) != 0) {
    throw Error(ErrorKind::unavailable,
                fmt::format("'{}' needs {} and '{}', and one of them is not there", page, interpreter, beside));
  }
  const int code = run_script(beside, std::move(words), "report");
  if (code == 0) return;
  throw Error(code == static_cast<int>(ExitCode::unavailable) ? ErrorKind::unavailable : ErrorKind::input_output,
              fmt::format("'{}' is not complete; the script's message above says why", page));
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  path_ = ((error ? std::filesystem::path("/tmp") : parent) / "polhode-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) {
    throw Error(ErrorKind::input_output,
                fmt::format("cannot make a temporary folder '{}': {}; set TMPDIR", path_, std::strerror(errno)));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace polhode
