// The C interface: the whole catalogue by name and by id, the bits of the C++ door, and an answer to every mistake.
#include "polhode/polhode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "count_allocations.hpp"
#include "polhode/engine_methods.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode::c_api_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inertia[3] = {0.9, 1.1, 1.7}, torque[3] = {0.3, -0.2, 0.7}, no_torque[3] = {0, 0, 0};
const polhode_state tumbling{{0.8, 0, -0.6, 0}, {0.4, 1.2, -0.3}};

bool same(const polhode_state& a, const polhode_state& b) {
  for (int i = 0; i < 4; ++i)
    if (a.attitude_wxyz[i] != b.attitude_wxyz[i]) return false;
  for (int i = 0; i < 3; ++i)
    if (a.momentum_S[i] != b.momentum_S[i]) return false;
  return true;
}

int expected_status(const Claims& claims) {
  if (!claims.variable_steps || claims.multistep || claims.takes_tolerance) return POLHODE_METHOD_HAS_MEMORY;
  return takes_any_torque(claims) ? POLHODE_OK : POLHODE_METHOD_TAKES_NO_TORQUE;
}

TEST(CInterface, ListsTheCatalogue) {
  int id = 0;
  for (const MethodInfo& method : methods()) {
    ASSERT_NE(polhode_method_name(id), nullptr);
    EXPECT_STREQ(polhode_method_name(id), std::string(method.name).c_str());
    const int status = expected_status(method.claims), expected = status == POLHODE_OK ? id : status;
    EXPECT_EQ(polhode_method_id(std::string(method.name).c_str()), expected);
    for (const std::string_view alias : method.aliases)
      EXPECT_EQ(polhode_method_id(std::string(alias).c_str()), expected);
    ++id;
  }
  EXPECT_EQ(polhode_method_name(id), nullptr);
  EXPECT_EQ(polhode_method_name(-1), nullptr);
  EXPECT_STRNE(polhode_version(), "");
}

// h R tau for this attitude, a turn about the second axis, worked out by hand: cos = 0.28, sin = -0.96.
TEST(CInterface, EveryMethodMovesTheMomentumByTheTorque) {
  const double h = 0.05;
  const double turned[3] = {0.28 * torque[0] - 0.96 * torque[2], torque[1], 0.96 * torque[0] + 0.28 * torque[2]};
  for (const MethodInfo& method : methods()) {
    SCOPED_TRACE(method.name);
    const int id = polhode_method_id(std::string(method.name).c_str());
    if (id < 0) continue;
    polhode_state state = tumbling;
    ASSERT_EQ(polhode_step_by_id(id, &state, inertia, torque, h), POLHODE_OK);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(state.momentum_S[i], tumbling.momentum_S[i] + h * turned[i], 1e-16);
    polhode_state free = tumbling;
    for (int n = 0; n < 100; ++n) ASSERT_EQ(polhode_step_by_id(id, &free, inertia, no_torque, h), POLHODE_OK);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(free.momentum_S[i], tumbling.momentum_S[i]);
    polhode_state_f narrow{{0.8f, 0, -0.6f, 0}, {0.4f, 1.2f, -0.3f}};
    const float inertia_f[3] = {0.9f, 1.1f, 1.7f}, torque_f[3] = {0.3f, -0.2f, 0.7f};
    ASSERT_EQ(polhode_step_by_id_f(id, &narrow, inertia_f, torque_f, 0.05f), POLHODE_OK);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(narrow.attitude_wxyz[i], state.attitude_wxyz[i], 1e-6);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(narrow.momentum_S[i], state.momentum_S[i], 1e-6);
  }
}

template <class Method>
void expect_same_bits(const char* name) {
  SCOPED_TRACE(name);
  polhode_state c = tumbling, by_name = tumbling;
  Spin<double> cpp{{0.8, {0, -0.6, 0}}, {0.4, 1.2, -0.3}};
  const Body<double> body(Vec3<double>{0.9, 1.1, 1.7});
  for (int n = 0; n < 50; ++n) {
    const double h = 0.01 * (1 + n % 3);
    step<Method>(cpp, body, {0.3, -0.2, 0.7}, h);
    ASSERT_EQ(polhode_step_by_id(polhode_method_id(name), &c, inertia, torque, h), POLHODE_OK);
    ASSERT_EQ(polhode_step(name, &by_name, inertia, torque, h), POLHODE_OK);
  }
  EXPECT_TRUE(same(c, by_name));
  const Rotation<double>& R = cpp.R_SB;
  const Vec3<double>& L = cpp.L;
  EXPECT_TRUE(same(c, {{R.w, R.v.x, R.v.y, R.v.z}, {L.x, L.y, L.z}}));
}

TEST(CInterface, GivesTheBitsOfTheCppInterface) {
  expect_same_bits<Taylor<1>>("taylor-1");
  expect_same_bits<engine::Recommended>("engine-polhode");
  expect_same_bits<engine::Symplectic>("mclachlan-reich");
  expect_same_bits<MuntheKaas4>("rkmk-4");
}

TEST(CInterface, RefusesWhatIsWrongAndLeavesTheStateAlone) {
  const auto status = [](polhode_state start, const double* moments, const double* tau, double h) {
    polhode_state state = start;
    const int result = polhode_step("taylor-2", &state, moments, tau, h);
    if (result != POLHODE_OK && !std::isnan(start.momentum_S[0]) && !std::isnan(start.attitude_wxyz[0])) {
      EXPECT_TRUE(same(state, start));
    }
    return result;
  };
  EXPECT_EQ(status(tumbling, inertia, torque, 0.1), POLHODE_OK);
  EXPECT_EQ(status(tumbling, inertia, torque, -0.1), POLHODE_OK);
  EXPECT_EQ(status(tumbling, inertia, torque, nan), POLHODE_NOT_FINITE);
  EXPECT_EQ(status({{0.8, 0, -0.6, 0}, {nan, 0, 0}}, inertia, torque, 0.1), POLHODE_NOT_FINITE);
  EXPECT_EQ(status({{0.8, 0, -0.6, 0}, {1e300, 1e300, 1e300}}, inertia, torque, 1e10), POLHODE_NOT_FINITE);
  for (const double bad : {0.0, -1.0, nan, HUGE_VAL}) {
    const double moments[3] = {1, bad, 1}, tau[3] = {0, 0, std::isfinite(bad) ? nan : bad};
    EXPECT_EQ(status(tumbling, moments, torque, 0.1), POLHODE_BAD_INERTIA);
    EXPECT_EQ(status(tumbling, inertia, tau, 0.1), POLHODE_NOT_FINITE);
  }
  EXPECT_EQ(status({{0, 0, 0, 0}, {1, 0, 0}}, inertia, torque, 0.1), POLHODE_BAD_ATTITUDE);
  EXPECT_EQ(status({{nan, 0, 0, 0}, {1, 0, 0}}, inertia, torque, 0.1), POLHODE_BAD_ATTITUDE);
  EXPECT_EQ(status({{1 + 2e-6, 0, 0, 0}, {1, 0, 0}}, inertia, torque, 0.1), POLHODE_BAD_ATTITUDE);
  EXPECT_EQ(status({{1 + 5e-7, 0, 0, 0}, {1, 0, 0}}, inertia, torque, 0.1), POLHODE_OK);

  polhode_state state = tumbling;
  EXPECT_EQ(polhode_step("taylor-two", &state, inertia, torque, 0.1), POLHODE_UNKNOWN_METHOD);
  EXPECT_EQ(polhode_step("", &state, inertia, torque, 0.1), POLHODE_UNKNOWN_METHOD);
  EXPECT_EQ(polhode_step(nullptr, &state, inertia, torque, 0.1), POLHODE_NULL_POINTER);
  EXPECT_EQ(polhode_step("abm4", &state, inertia, torque, 0.1), POLHODE_METHOD_HAS_MEMORY);
  EXPECT_EQ(polhode_step_by_id(-1, &state, inertia, torque, 0.1), POLHODE_UNKNOWN_METHOD);
  EXPECT_EQ(polhode_step_by_id(1000000, &state, inertia, torque, 0.1), POLHODE_UNKNOWN_METHOD);
  EXPECT_EQ(polhode_step("taylor-2", nullptr, inertia, torque, 0.1), POLHODE_NULL_POINTER);
  EXPECT_EQ(polhode_step("taylor-2", &state, nullptr, torque, 0.1), POLHODE_NULL_POINTER);
  EXPECT_EQ(polhode_step("taylor-2", &state, inertia, nullptr, 0.1), POLHODE_NULL_POINTER);
  EXPECT_TRUE(same(state, tumbling));
}

// Ids of methods that cannot be used here are listed, so that they can be named, and refused.
TEST(CInterface, RefusesByIdWhatNeedsAHistoryOrNoTorque) {
  int id = 0, refused = 0;
  for (const MethodInfo& method : methods()) {
    polhode_state state = tumbling;
    const int status = polhode_step_by_id(id++, &state, inertia, torque, 0.1);
    EXPECT_EQ(status, expected_status(method.claims));
    refused += status != POLHODE_OK;
  }
  EXPECT_GT(refused, 0);
}

TEST(CInterface, HasASentenceForEveryStatus) {
  for (int status = POLHODE_NULL_POINTER; status <= POLHODE_OK; ++status) {
    EXPECT_STRNE(polhode_error_text(status), polhode_error_text(1));
    for (int other = POLHODE_NULL_POINTER; other < status; ++other)
      EXPECT_STRNE(polhode_error_text(status), polhode_error_text(other));
  }
}

TEST(CInterface, AllocatesNothing) {
  const long long before = allocations;
  polhode_state state = tumbling;
  for (int n = 0; n < 10; ++n) polhode_step("mclachlan-reich-4", &state, inertia, torque, 0.01);
  const long long during = allocations - before;
  EXPECT_EQ(during, 0);
}

}  // namespace
}  // namespace polhode::c_api_test
