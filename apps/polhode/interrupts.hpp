// Signals that ask the program to end.
#pragma once

#include <atomic>

namespace polhode {

// Set from then on by the first SIGINT or SIGTERM, so that work under way can end in good order; a second signal ends
// the program.
const std::atomic<bool>& listen_for_interrupts();

}  // namespace polhode
