// Every method that claims to run in packs gives each body its own bits there, in fields and at widths that take turns from
// one method to the next. packs_all.cpp has all of them together; it takes minutes to compile.
#include "packs.hpp"

namespace polhode::packs_test {
namespace {

using namespace packs;

template <class M, std::size_t Turn>
void expect_in_turn(const std::string& name) {
  constexpr std::size_t width = std::size_t{2} << Turn % 3;  // 2, 4, 8
  if constexpr (M::claims.needs == Needs::no_torque || Turn % 4 == 3) {
    expect_own_bits<M, width>(WithoutTorque{}, name);
  } else if constexpr (Turn % 4 == 2) {
    expect_own_bits<M, width>(OnAnOrbit{}, name);
  } else {
    expect_own_bits<M, width>(InGravity{}, name);
  }
}

template <class... Entries, std::size_t... I>
void expect_all(MethodList<Entries...>, std::index_sequence<I...>) {
  (
      [] {
        if constexpr (Entries::Method::claims.batch)
          expect_in_turn<typename Entries::Method, I>(std::string(Entries::name));
      }(),
      ...);
}

TEST(Packs, EveryBatchMethodGivesEachBodyItsOwnBits) {
  expect_all(Catalogue{}, std::make_index_sequence<Catalogue::size>{});
}

// Where a body alone takes another series than its neighbours' would be.
TEST(Packs, LongSeriesInAnyFieldGiveEachBodyItsOwnBits) {
  expect_own_bits<Taylor<6>, 4>(OnAnOrbit{}, "taylor-6");
  expect_own_bits<QuaternionSeries<12>, 4>(OnAnOrbit{}, "quaternion-series-12");
}

// A pack may be two registers, of which the processor works on one while the other waits for its results.
TEST(Packs, OfTwoRegistersGiveEachBodyItsOwnBits) {
  expect_own_bits<AxisSplitting<2, 3, 1>, 8, 4>(WithoutTorque{}, "mclachlan-reich-231");
  expect_own_bits<LieVerlet, 4, 2>(InGravity{}, "lie-verlet");
  expect_own_bits<RotorVerlet, 4, 2>(OnAnOrbit{}, "rotor-verlet");
}

TEST(Packs, TheFamiliesThatEnsemblesNeedAreThere) {
  int count = 0;
  Catalogue::for_each([&](auto entry) { count += decltype(entry)::Method::claims.batch ? 1 : 0; });
  EXPECT_GE(count, 50);
}

}  // namespace
}  // namespace polhode::packs_test
