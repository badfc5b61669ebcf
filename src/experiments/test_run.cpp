#include "experiments/test_run.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "polhode/core/error.hpp"
#include "polhode/io/scenario.hpp"

extern char** environ;

namespace polhode::experiments {
namespace {

// Whether the program ran to its end without a failure. What it prints is in its report as well.
bool succeeds(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string outcome_of_test(const std::string& tests, const std::string& program, const std::string& filter,
                            const std::string& folder) {
  const std::string path = tests + '/' + program;
  if (::access(path.c_str(), X_OK) != 0) return "not run";
  std::string name = program + '-' + filter;
  for (char& c : name) {
    if (c == '/' || c == '*' || c == ':') c = '-';
  }
  const std::string report = std::filesystem::absolute(folder + '/' + name + ".json").string();
  std::filesystem::remove(report);
  if (!succeeds({path, "--gtest_filter=" + filter, "--gtest_output=json:" + report})) return "failed";
  // A filter that names no test makes the program succeed too.
  if (!std::filesystem::exists(report)) return "failed";
  const nlohmann::json said = nlohmann::json::parse(read_text_file(report), nullptr, false);
  const bool any = said.is_object() && said.value("tests", 0) > said.value("disabled", 0);
  return any && said.value("failures", 1) == 0 && said.value("errors", 1) == 0 ? "passed" : "failed";
}

std::string tests_beside_this_program() {
  std::error_code error;
  return (std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "tests").string();
}

}  // namespace polhode::experiments
