// What auto does where the torque is computed by the program around: one method, at twice as many steps until two runs
// agree. What they differ by bounds the error of the finer one from above, fifteen times and more for order 4 or higher.
#pragma once

#include <atomic>

#include "polhode/run/choose.hpp"

namespace polhode {

Selection chosen_for_called(const SelectionRequest& request, const std::atomic<bool>* stop);

void throw_if_stopped(const std::atomic<bool>* stop);

}  // namespace polhode
