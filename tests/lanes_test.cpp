// Numbers side by side: what is asked of all lanes together is asked of each, wherever it stands in its register.
#include "polhode/core/lanes.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace polhode::test::lanes_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Pack>
class LanesOf : public testing::Test {};
using Packs = testing::Types<Lanes<double, 2, 2>, Lanes<double, 4, 2>, Lanes<double, 4, 4>, Lanes<double, 8, 4>,
                             Lanes<double, 8, 8>, Lanes<double, 16, 8>, Lanes<double, 3, 1>>;
TYPED_TEST_SUITE(LanesOf, Packs);

TYPED_TEST(LanesOf, OneNumberInAllLanesKeepsItsBits) {
  for (const double x : {1.5, 0.0, -0.0, infinity, -infinity, nan, 5e-324, -1e300}) {
    const TypeParam all(x);
    for (std::size_t i = 0; i < all.size; ++i)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(all[i]), std::bit_cast<std::uint64_t>(x)) << x << " in lane " << i;
  }
}

TYPED_TEST(LanesOf, EveryLaneHasToBeAtMostItsBound) {
  TypeParam bound;
  for (std::size_t i = 0; i < bound.size; ++i) bound.set(i, 1.0 + static_cast<double>(i));
  EXPECT_TRUE(every_at_most(bound, bound));
  for (std::size_t i = 0; i < bound.size; ++i) {
    TypeParam x = bound;
    for (const double beyond : {std::nextafter(bound[i], infinity), infinity, nan}) {
      x.set(i, beyond);
      EXPECT_FALSE(every_at_most(x, bound)) << beyond << " in lane " << i;
    }
    x.set(i, -infinity);
    EXPECT_TRUE(every_at_most(x, bound)) << "lane " << i;
  }
}

TYPED_TEST(LanesOf, EveryLaneHasToBeWithinTheBoundOnBothSides) {
  for (const double bound : {0.0, 5e-324, 0.3, 1e300}) {
    for (std::size_t i = 0; i < TypeParam::size; ++i) {
      for (const double sign : {1.0, -1.0}) {
        TypeParam x(0.0);
        x.set(i, sign * bound);
        EXPECT_TRUE(all_within(x, bound)) << x[i] << " in lane " << i;
        for (const double beyond : {std::nextafter(bound, infinity), infinity, nan}) {
          x.set(i, sign * beyond);
          EXPECT_FALSE(all_within(x, bound)) << x[i] << " in lane " << i;
        }
      }
    }
  }
  EXPECT_TRUE(all_within(TypeParam(-1e308), infinity));
  EXPECT_FALSE(all_within(TypeParam(0.0), -1.0));
  EXPECT_FALSE(all_within(TypeParam(0.0), nan));
}

}  // namespace
}  // namespace polhode::test::lanes_test
