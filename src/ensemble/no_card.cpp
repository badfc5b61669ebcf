// For builds without kernels for a card.
#include "ensemble/card.hpp"
#include "polhode/core/error.hpp"

namespace polhode {

CardInfo find_card() {
  throw Error(ErrorKind::unavailable,
              "this build has no kernels for a graphics card; 'make cuda' builds them where nvcc is installed, and "
              "on device cpu the processor follows the bodies");
}

const polhode_card::Kernel* card_kernel(int, polhode_packs::Field, bool) { return nullptr; }

struct CardBodies::Parts {};
CardBodies::CardBodies(const polhode_card::Kernel&, std::size_t) { find_card(); }
CardBodies::~CardBodies() = default;
CardBodies::CardBodies(CardBodies&&) noexcept = default;
CardBodies& CardBodies::operator=(CardBodies&&) noexcept = default;
void CardBodies::start(std::span<const polhode_packs::BodyNumbers>) {}
void CardBodies::advance(const polhode_packs::Steps&) {}
void CardBodies::read() {}
std::span<const double> CardBodies::numbers() { return {}; }
std::size_t CardBodies::stride() const { return 0; }
std::span<const unsigned char> CardBodies::failed() { return {}; }
void CardBodies::finish() {}

}  // namespace polhode
