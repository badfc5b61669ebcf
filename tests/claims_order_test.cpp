// Every method has the orders it claims, in attitude and in momentum, no less and no more.
#include "measured_orders.hpp"

namespace polhode::test::claims_order_test {
namespace {

using namespace measured_orders;

TEST(Reference, IsThatOfTheMethodsHereToo) {
  const auto other = prepared<quad>(false).in_user_units(at_end(prepared<quad>(false), "taylor-12", 1200)->state);
  EXPECT_LT(attitude_error(other, reference(false).state), quad(1e-28));
  EXPECT_LT(momentum_error(other, reference(false).state), quad(1e-28));
}

class Order : public testing::TestWithParam<std::string> {};

TEST_P(Order, IsWhatIsClaimed) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_attitude == exact_order) {
    expect_exact<long double>(Place::at_step, GetParam(), {1, 3, 40, 1000}, true);
    if (takes_torque(claims)) expect_exact<long double>(Place::at_step, GetParam(), {1, 3, 40, 1000}, false);
    return;
  }
  expect_orders(Place::at_step, GetParam(), claims, false);
}

class OrderOfAFreeBody : public testing::TestWithParam<std::string> {};

TEST_P(OrderOfAFreeBody, IsWhatIsClaimed) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_free.attitude == exact_order)
    return expect_exact<quad>(Place::at_step, GetParam(), {1, 3, 40}, true);
  expect_orders(Place::at_step, GetParam(), claims, true);
}

std::vector<std::string> higher_without_torque() {
  std::vector<std::string> names = tested_names();
  std::erase_if(names, [](const std::string& name) { return parse_method(name).claims.order_free == Orders{}; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, Order, testing::ValuesIn(tested_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Methods, OrderOfAFreeBody, testing::ValuesIn(higher_without_torque()), test_name);

}  // namespace
}  // namespace polhode::test::claims_order_test
