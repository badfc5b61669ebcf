#include "interrupts.hpp"

#include <csignal>

#include "polhode/io/output_file.hpp"

namespace polhode {
namespace {

std::atomic<bool> signalled{false};
std::atomic<int> first_signal{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may touch lock-free atomics only");

void handle_interrupt(int signal) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    signalled.store(true, std::memory_order_relaxed);
    return;
  }
  remove_unfinished_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

const std::atomic<bool>& listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = handle_interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    // Shells start background jobs with SIGINT ignored, and yet kill -INT is how scripts stop them; nohup means it.
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  return signalled;
}

int interrupting_signal() { return first_signal.load(); }

const char* interrupting_signal_name() {
  switch (interrupting_signal()) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGHUP: return "SIGHUP";
    default: return "";
  }
}

}  // namespace polhode
