// Work that several threads share.
#pragma once

#include <functional>
#include <vector>

namespace polhode::experiments {

// Does every task, `threads` at a time, and calls `done` after each from the thread that did it, one at a time. The
// first exception ends the work after the tasks under way, and is thrown again.
void do_all(const std::vector<std::function<void()>>& tasks, unsigned threads, const std::function<void()>& done);

}  // namespace polhode::experiments
