#include "interrupts.hpp"

#include <csignal>

namespace polhode {
namespace {

std::atomic<bool> signalled{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch lock-free atomics only");

}  // namespace

const std::atomic<bool>& listen_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { signalled.store(true, std::memory_order_relaxed); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  return signalled;
}

}  // namespace polhode
