#include "experiments/tasks.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace polhode::experiments {

void do_all(const std::vector<std::function<void()>>& tasks, unsigned threads, const std::function<void()>& done) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) {
      try {
        tasks[i]();
        const std::lock_guard lock(mutex);
        done();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = tasks.size();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads && i < tasks.size(); ++i) others.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace polhode::experiments
