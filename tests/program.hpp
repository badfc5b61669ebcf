// Runs the built program as a user would, and catches what it says.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "io_support.hpp"

namespace polhode {

struct Outcome {
  int code = -1;
  std::string out, err;
};

// One run of the program in `folder`; both streams go to files beside it, so that no pipe can fill up.
class Program {
 public:
  Program(const TestFolder& folder, const std::vector<std::string>& arguments, const std::string& stdout_to = "") {
    out_ = stdout_to.empty() ? streams_.file("out") : stdout_to;
    std::vector<std::string> words{POLHODE_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("fork failed");
    if (child_ > 0) return;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);  // nohup may run the tests
    const int out = open(out_.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err = open(streams_.file("err").c_str(), O_WRONLY | O_CREAT, 0600);
    if (chdir(folder.path().c_str()) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2) execv(argv[0], argv.data());
    _exit(127);
  }

  void send(int signal) const { kill(child_, signal); }

  // Holds it still, so that what is sent next is there all at once when it goes on.
  void hold() const {
    send(SIGSTOP);
    waitpid(child_, nullptr, WUNTRACED);
  }
  void go_on() const { send(SIGCONT); }

  // Waits until sign() is true, however busy the machine. False if the program has ended without giving it.
  template <class Sign>
  bool gives(const Sign& sign) const {
    while (!sign()) {
      siginfo_t ended{};
      waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid == child_) return sign();
      usleep(10000);
    }
    return true;
  }

  // On stderr so far.
  std::string said() const { return read_file(streams_.file("err")); }

  Outcome wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (out_.starts_with(streams_.path())) outcome.out = read_file(out_);
    outcome.err = read_file(streams_.file("err"));
    return outcome;
  }

 private:
  TestFolder streams_;
  std::string out_;
  pid_t child_ = -1;
};

inline Outcome polhode(const TestFolder& folder, const std::vector<std::string>& arguments) {
  return Program(folder, arguments).wait();
}

// Lines of bash in `folder`, where `polhode` is the program.
inline Outcome shell(const TestFolder& folder, const std::string& lines) {
  const TestFolder streams;
  const std::string script = streams.write(
      "script", "cd '" + folder.path() + "'\npolhode() { '" + POLHODE_PROGRAM + "' \"$@\"; }\n" + lines + "\n");
  const std::string out = streams.file("out"), err = streams.file("err");
  const int status = std::system(("bash '" + script + "' </dev/null >'" + out + "' 2>'" + err + "'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out), read_file(err)};
}

// A call that is refused, and parts of what it says.
struct Refused {
  std::vector<std::string> arguments;
  int code;
  std::vector<std::string> said;
};

inline void expect_refused(const TestFolder& folder, const Refused& call) {
  std::string line = "polhode";
  for (const std::string& word : call.arguments) line += " " + word;
  SCOPED_TRACE(line);
  const Outcome run = polhode(folder, call.arguments);
  EXPECT_EQ(run.code, call.code) << run.err;
  EXPECT_EQ(run.out, "");
  for (const std::string& part : call.said) EXPECT_THAT(run.err, testing::HasSubstr(part));
}

}  // namespace polhode
