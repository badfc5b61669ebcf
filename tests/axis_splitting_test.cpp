// The order of the axes as a number, which the compiled library uses where there is a torque, is that of the type, to the
// bit.
#include "polhode/methods/axis_splitting.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include "kernel_measures.hpp"
#include "polhode/methods/catalogue.hpp"

namespace polhode {
namespace {

using namespace test;

template <class Named, class T, class F>
void expect_same_bits(const System<T, F>& system) {
  using ByType = typename Named::Method;
  using ByNumber = typename InAnyOrder<ByType>::type;
  Work work;
  State<T> one = start_state<T>(), other = one;
  const T h(0.25);
  auto memory = start<ByType>(system, one, h, work), memory_of_other = memory;
  for (int n = 0; n < 10; ++n) {
    one = advance<ByType>(system, one, memory, h, work);
    other = advance<ByNumber>(system, other, memory_of_other, h, work);
  }
  EXPECT_EQ(one.R_SB, other.R_SB) << Named::name;
  EXPECT_EQ(one.pi_B, other.pi_B) << Named::name;
}

TEST(AxisSplitting, AnOrderByNumberIsThatByType) {
  int orders = 0;
  Catalogue::for_each([&](auto entry) {
    using Named = decltype(entry);
    using M = typename Named::Method;
    if constexpr (!std::is_same_v<M, typename InAnyOrder<M>::type>) {
      ++orders;
      expect_same_bits<Named>(tilted_top<double>());
      expect_same_bits<Named>(tilted_top<float>());
      expect_same_bits<Named>(free_body<double>());
    }
  });
  EXPECT_EQ(orders, 24);
}

}  // namespace
}  // namespace polhode
