// Some bodies, followed together by one thread.
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "polhode/ensemble/ensemble.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {

struct GroupControl {
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::uint64_t>& body_steps;  // is counted up
};

class Group {
 public:
  virtual ~Group() = default;
  // Whether its kernels fuse products and sums.
  virtual bool fused() const { return false; }
  // All bodies from their starts to the end. `chunk` has room for them; they are its bodies first, first + 1, ... False: it
  // was stopped, and what it has is of no use.
  virtual bool follow(std::span<const Setup> bodies, std::size_t first, EnsembleChunk& chunk,
                      GroupControl& control) = 0;
};

// Bodies one after the other, each in a run of its own: any method, any torque, events.
std::unique_ptr<Group> one_by_one(const Plan& typical);

// In packs, where there are kernels of this method, field and instruction set; otherwise null, and why. `same_field`: all
// bodies have the same torque in the same units and axes. `fast`: by fused kernels, if there are any. The plan must outlive
// it.
std::unique_ptr<Group> in_packs(const Plan& typical, bool same_field, InstructionSet set, bool fast,
                                std::string& why_not);

// On this machine's graphics card, at most so many at once. Throws Error where there is none, or none that can follow these.
std::unique_ptr<Group> on_card(const Plan& typical, bool same_field, std::size_t most);

// Names of the events that are looked for, and of the condition that ends a run where there is one.
std::vector<std::string> passage_names(const RunRequest& request);

}  // namespace polhode
