// Signals that ask the program to end.
#pragma once

#include <atomic>

namespace polhode {

// Set from then on by the first SIGINT, SIGTERM or SIGHUP, so that work under way can end in good order. A second one
// ends the program at once; it still removes files that are not finished. nohup is respected.
const std::atomic<bool>& listen_for_interrupts();

// The number of the first of them, 0 before.
int interrupting_signal();

// "SIGINT", ...; empty before.
const char* interrupting_signal_name();

}  // namespace polhode
