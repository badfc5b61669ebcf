#include "streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

namespace polhode {
namespace {

int first_error = 0;

// The lowest free number is that of the closed stream, as those below it are open by then.
void open_stand_in(int stream, int access) {
  if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) return;
  [[maybe_unused]] const int opened = ::open("/dev/null", access);
}

}  // namespace

void prepare_streams() {
  open_stand_in(STDIN_FILENO, O_RDONLY);
  open_stand_in(STDOUT_FILENO, O_RDONLY);  // data that goes nowhere is an error: this one refuses to be written to
  open_stand_in(STDERR_FILENO, O_WRONLY);
  // A handler, unlike SIG_IGN, is not handed on to programs that this one starts.
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);
}

void to_stdout(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) stdout_failed(errno);
}

void stdout_failed(int error) {
  if (first_error == 0) first_error = error != 0 ? error : EIO;
}

void to_stderr(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::clearerr(stderr);
}

int finish_stdout() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) stdout_failed(errno);
  return first_error;
}

}  // namespace polhode
