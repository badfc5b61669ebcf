// Processes that follow an ensemble together, each a part of it: those of MPI, or whatever else can add up numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

// What all of them call, in the same order.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;  // of this process, from 0
  virtual int count() const = 0;
  // Until all are there, without keeping a processor busy.
  virtual void meet() = 0;
  // Place by place over all ranks, for all of them.
  virtual void sum(std::span<std::uint64_t> numbers) = 0;
  virtual void least(std::span<double> numbers) = 0;
  virtual void largest(std::span<double> numbers) = 0;
  // At rank 0, the texts of all in their order; elsewhere nothing.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  // That of rank 0.
  virtual std::string broadcast(const std::string& text) = 0;
};

// What is known of all bodies, from what each rank knows of its own: rank r of n those of part r + 1 of n. The same bits for
// any number of ranks. Failures are listed at rank 0.
EnsembleResult whole_of(EnsembleResult mine, Ranks& ranks);

}  // namespace polhode
