// The graphics card of this machine.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ensemble/card_kernels.hpp"

namespace polhode {

struct CardInfo {
  std::string name;        // "NVIDIA H200"
  std::size_t memory = 0;  // bytes that are free
  bool fused = false;
};

// Throws Error, unavailable, where this build has no kernels for a card, or the machine no driver or no card: with what to do.
CardInfo find_card();

// Null where this build has none.
const polhode_card::Kernel* card_kernel(int method, polhode_packs::Field field, bool single);

// Room on the card for some bodies, with a queue of work of its own: several of these keep a card busy while one of them
// waits for numbers to come or go.
class CardBodies {
 public:
  // Throws Error where the card has no memory left for them.
  CardBodies(const polhode_card::Kernel& kernel, std::size_t most);
  ~CardBodies();
  CardBodies(CardBodies&&) noexcept;
  CardBodies& operator=(CardBodies&&) noexcept;

  // These from now on, before their first step.
  void start(std::span<const polhode_packs::BodyNumbers> bodies);
  // Queues steps, and returns before they are done.
  void advance(const polhode_packs::Steps& steps);
  // Queues that the states of now are read, while later steps are taken; one reading at a time may be under way.
  void read();
  // Waits for the last reading: rows of stride() numbers, valid until the next but one.
  std::span<const double> numbers();
  std::size_t stride() const;
  // Waits for all steps: not 0 for bodies that failed.
  std::span<const unsigned char> failed();
  // Waits for what is queued.
  void finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace polhode
