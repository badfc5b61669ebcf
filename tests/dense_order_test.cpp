// Between two steps every method has the order that it has at them: the state at a time within a step, by dense output,
// converges like the one at its end. Slopes are those of the tests of claims, with steps chosen so that the time of the
// reference lies three fifths into the last one.
#include "measured_orders.hpp"

namespace polhode::test::dense_order_test {
namespace {

using namespace measured_orders;

class DenseOrder : public testing::TestWithParam<std::string> {};

TEST_P(DenseOrder, IsThatOfTheMethod) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_attitude == exact_order) {
    expect_exact<long double>(Place::within_step, GetParam(), {1, 3, 40}, true);
    if (takes_torque(claims)) expect_exact<long double>(Place::within_step, GetParam(), {1, 3, 40}, false);
    return;
  }
  expect_orders(Place::within_step, GetParam(), claims, false);
}

// Without a torque some methods have a higher order, or no error.
class DenseOrderOfAFreeBody : public testing::TestWithParam<std::string> {};

TEST_P(DenseOrderOfAFreeBody, IsThatOfTheMethod) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_free.attitude == exact_order)
    return expect_exact<quad>(Place::within_step, GetParam(), {1, 3, 40}, true);
  expect_orders(Place::within_step, GetParam(), claims, true);
}

// The catalogue, and one name for each kind of suffix.
std::vector<std::string> all_names() {
  std::vector<std::string> names{"rkmk-4+energy", "abm4-quaternion-rate+energy", "mclachlan-reich-231@suzuki"};
  for (const MethodInfo& method : methods())
    if (method.space == Space::rotations) names.emplace_back(method.name);
  return names;
}
std::vector<std::string> higher_without_torque() {
  std::vector<std::string> names = all_names();
  std::erase_if(names, [](const std::string& name) { return parse_method(name).claims.order_free == Orders{}; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, DenseOrder, testing::ValuesIn(all_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Methods, DenseOrderOfAFreeBody, testing::ValuesIn(higher_without_torque()), test_name);

}  // namespace
}  // namespace polhode::test::dense_order_test
