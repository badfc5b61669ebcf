// Every method that claims to run in packs, in every field and at every width; `make packs` runs it.
#include "packs.hpp"

namespace polhode::packs {
namespace {

template <class M, std::size_t Width>
void expect_in_all_fields(const std::string& name) {
  expect_own_bits<M, Width>(WithoutTorque{}, name);
  if constexpr (M::claims.needs != Needs::no_torque) {
    expect_own_bits<M, Width>(InGravity{}, name);
    expect_own_bits<M, Width>(OnAnOrbit{}, name);
  }
}

TEST(AllPacks, GiveEachBodyItsOwnBits) {
  Catalogue::for_each([](auto entry) {
    using Entry = decltype(entry);
    using M = typename Entry::Method;
    if constexpr (M::claims.batch) expect_in_all_fields<M, POLHODE_PACK_WIDTH>(std::string(Entry::name));
  });
}

}  // namespace
}  // namespace polhode::packs
