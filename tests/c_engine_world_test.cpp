// The C interface for engines, bodies by handles.
#include <gtest/gtest.h>

#include <vector>

#include "c_engine_support.hpp"
#include "count_allocations.hpp"

namespace polhode::c_engine_test {
namespace {

template <class T>
using CWorld = Pick<T, polhode_world, polhode_world_f>;

template <class T>
struct CEngineWorld : testing::Test {
  CWorld<T>* world = C_ENGINE(world_create)(0);
  ~CEngineWorld() override { C_ENGINE(world_destroy)(world); }

  std::uint64_t add(unsigned i) {
    const EngineBody<T> body = some_body<T>(i);
    const CSpin<T> state = c_spin(body.spin);
    const auto inertia = std::bit_cast<CInertia<T>>(body.inertia);
    std::uint64_t id = 0;
    EXPECT_EQ(C_ENGINE(world_add)(world, &state, &inertia, &id), POLHODE_ENGINE_OK);
    return id;
  }
  CSpin<T> state_of(std::uint64_t id) {
    CSpin<T> state{};
    EXPECT_EQ(C_ENGINE(world_get)(world, id, &state), POLHODE_ENGINE_OK);
    return state;
  }
};
TYPED_TEST_SUITE(CEngineWorld, Precisions);

TYPED_TEST(CEngineWorld, GivesTheBitsOfSingleBodies) {
  using T = TypeParam;
  std::vector<EngineBody<T>> bodies;
  std::vector<std::uint64_t> ids;
  for (unsigned i = 0; i < 37; ++i) {
    bodies.push_back(some_body<T>(i));
    ids.push_back(this->add(i));
    EXPECT_NE(ids[i], 0u);
  }
  const COptions<T> c_options{1, 0, T(0.5), 0};
  StepOptions<T> options;
  options.damping = T(0.5);
  const auto asleep = [](unsigned n, unsigned i) { return i % 5 == n / 3; };
  for (unsigned n = 0; n < 15; ++n) {
    for (unsigned i = 0; i < ids.size(); ++i) {
      const T blow[3] = {T(0.1), 0, T(0.02)}, torque[3] = {0, T(0.25) * T(i), T(n)};
      Vec3<T> pushed{};
      if ((i + n) % 4 == 0) {
        ASSERT_EQ(C_ENGINE(world_add_impulse)(this->world, ids[i], blow), POLHODE_ENGINE_OK);
        bodies[i].spin.L += Vec3<T>{blow[0], blow[1], blow[2]};
      }
      ASSERT_EQ((asleep(n, i) ? C_ENGINE(world_sleep) : C_ENGINE(world_wake))(this->world, ids[i]), POLHODE_ENGINE_OK);
      EXPECT_EQ(C_ENGINE(world_awake)(this->world, ids[i]), asleep(n, i) ? 0 : 1);
      if (!asleep(n, i) && n % 2 == 0) {
        for (int twice = 0; twice < 2; ++twice) {
          ASSERT_EQ(C_ENGINE(world_add_torque)(this->world, ids[i], torque), POLHODE_ENGINE_OK);
          pushed += Vec3<T>{torque[0], torque[1], torque[2]};
        }
      }
      if (asleep(n, i)) continue;
      if (n == 7) {
        step(bodies[i].spin, bodies[i].inertia, pushed, T(0.02), options);
      } else {
        step(bodies[i].spin, bodies[i].inertia, pushed, T(0.02));
      }
    }
    std::uint64_t refused = 1;
    ASSERT_EQ(C_ENGINE(world_step)(this->world, T(0.02), n == 7 ? &c_options : nullptr, &refused), 0);
    EXPECT_EQ(refused, 0u);
    for (unsigned i = 0; i < ids.size(); ++i) EXPECT_TRUE(same(this->state_of(ids[i]), bodies[i].spin)) << i;
  }
}

TYPED_TEST(CEngineWorld, KeepsTheTorqueOfABodyThatSleepsUntilItWakes) {
  using T = TypeParam;
  const std::uint64_t sleeper = this->add(1), other = this->add(2);
  const T torque[3] = {0, T(0.5), 0};
  C_ENGINE(world_sleep)(this->world, sleeper);
  C_ENGINE(world_add_torque)(this->world, sleeper, torque);
  for (int n = 0; n < 3; ++n) ASSERT_EQ(C_ENGINE(world_step)(this->world, T(0.1), nullptr, nullptr), 0);
  Spin<T> alone = some_body<T>(1).spin;
  EXPECT_TRUE(same(this->state_of(sleeper), alone));
  C_ENGINE(world_wake)(this->world, sleeper);
  C_ENGINE(world_remove)(this->world, other);
  for (int n = 0; n < 3; ++n) {
    ASSERT_EQ(C_ENGINE(world_step)(this->world, T(0.1), nullptr, nullptr), 0);
    step(alone, some_body<T>(1).inertia, n == 0 ? Vec3<T>{0, T(0.5), 0} : Vec3<T>{}, T(0.1));
  }
  EXPECT_TRUE(same(this->state_of(sleeper), alone));
}

TYPED_TEST(CEngineWorld, RefusesIdsOfBodiesThatWereRemoved) {
  using T = TypeParam;
  std::vector<std::uint64_t> ids, removed;
  for (unsigned i = 0; i < 20; ++i) ids.push_back(this->add(i));
  for (unsigned i = 0; i < 20; i += 3) {
    ASSERT_EQ(C_ENGINE(world_remove)(this->world, ids[i]), POLHODE_ENGINE_OK);
    removed.push_back(ids[i]);
  }
  EXPECT_EQ(C_ENGINE(world_count)(this->world), 13u);
  for (unsigned i = 0; i < 7; ++i) ids.push_back(this->add(100 + i));  // in the same places
  EXPECT_EQ(C_ENGINE(world_count)(this->world), 20u);
  removed.insert(removed.end(), {0, 21, ~std::uint64_t{0}, std::uint64_t{1} << 32});
  CSpin<T> state = c_spin(some_body<T>(1).spin);
  CInertia<T> inertia{};
  const T three[3] = {1, 2, 3};
  std::vector<CSpin<T>> before;
  for (std::size_t i = 20; i < ids.size(); ++i) before.push_back(this->state_of(ids[i]));
  for (const std::uint64_t id : removed) {
    EXPECT_EQ(C_ENGINE(world_remove)(this->world, id), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_get)(this->world, id, &state), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_set)(this->world, id, &state), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_get_inertia)(this->world, id, &inertia), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_set_inertia)(this->world, id, &inertia), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_add_impulse)(this->world, id, three), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_add_torque)(this->world, id, three), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_sleep)(this->world, id), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_wake)(this->world, id), POLHODE_ENGINE_NO_BODY);
    EXPECT_EQ(C_ENGINE(world_awake)(this->world, id), POLHODE_ENGINE_NO_BODY);
  }
  for (std::size_t i = 20; i < ids.size(); ++i) {
    EXPECT_TRUE(same_bytes(this->state_of(ids[i]), before[i - 20]));
    EXPECT_EQ(C_ENGINE(world_awake)(this->world, ids[i]), 1);
  }
}

TYPED_TEST(CEngineWorld, SaysWhatIsWrongAndLeavesTheBodiesAlone) {
  using T = TypeParam;
  const std::uint64_t id = this->add(4), broken = this->add(5);
  const CSpin<T> before = this->state_of(id);
  std::uint64_t made = 99, refused = 99;
  CSpin<T> state = before, no_state{};
  const auto inertia = std::bit_cast<CInertia<T>>(some_body<T>(4).inertia);
  const auto bad = std::bit_cast<CInertia<T>>(Inertia<T>({1, nan<T>, 1}));
  const T three[3] = {1, nan<T>, 3}, large[3] = {0, T(sizeof(T) > 4 ? 1e300 : 1e38f), 0};
  CWorld<T>* const here = this->world;
  EXPECT_EQ(C_ENGINE(world_add)(here, &no_state, &inertia, &made), POLHODE_ENGINE_BAD_ATTITUDE);
  EXPECT_EQ(C_ENGINE(world_add)(here, &state, &bad, &made), POLHODE_ENGINE_BAD_INERTIA);
  EXPECT_EQ(C_ENGINE(world_add)(here, &state, &inertia, nullptr), POLHODE_ENGINE_NULL_POINTER - 4);
  EXPECT_EQ(made, 99u);
  EXPECT_EQ(C_ENGINE(world_count)(here), 2u);
  EXPECT_EQ(C_ENGINE(world_count)(nullptr), 0u);
  state.momentum_S[2] = nan<T>;
  EXPECT_EQ(C_ENGINE(world_set)(here, id, &state), POLHODE_ENGINE_BAD_MOMENTUM);
  EXPECT_EQ(C_ENGINE(world_set_inertia)(here, id, &bad), POLHODE_ENGINE_BAD_INERTIA);
  EXPECT_EQ(C_ENGINE(world_add_impulse)(here, id, three), POLHODE_ENGINE_BAD_IMPULSE);
  EXPECT_EQ(C_ENGINE(world_add_impulse)(here, id, large), POLHODE_ENGINE_BAD_IMPULSE);
  EXPECT_EQ(C_ENGINE(world_add_torque)(here, id, three), POLHODE_ENGINE_BAD_TORQUE);
  EXPECT_EQ(C_ENGINE(world_get)(here, id, nullptr), POLHODE_ENGINE_NULL_POINTER - 3);
  EXPECT_EQ(C_ENGINE(world_get)(nullptr, id, &state), POLHODE_ENGINE_NULL_POINTER - 1);
  EXPECT_EQ(C_ENGINE(world_step)(nullptr, 1, nullptr, nullptr), POLHODE_ENGINE_NULL_POINTER - 1);
  EXPECT_EQ(C_ENGINE(world_step)(here, nan<T>, nullptr, &refused), POLHODE_ENGINE_BAD_STEP);
  const COptions<T> bad_options{0, 0, -1, 0};
  EXPECT_EQ(C_ENGINE(world_step)(here, T(0.1), &bad_options, &refused), POLHODE_ENGINE_BAD_OPTIONS);
  EXPECT_TRUE(same_bytes(this->state_of(id), before));
  CInertia<T> kept;
  EXPECT_EQ(C_ENGINE(world_get_inertia)(here, id, &kept), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(kept, some_body<T>(4).inertia));

  const CSpin<T> broken_before = this->state_of(broken);
  EXPECT_EQ(C_ENGINE(world_add_torque)(here, broken, large), POLHODE_ENGINE_OK);  // its impulse is too large
  EXPECT_EQ(C_ENGINE(world_step)(here, T(0.1), nullptr, &refused), 1);
  EXPECT_EQ(refused, broken);
  EXPECT_TRUE(same_bytes(this->state_of(broken), broken_before));
  EXPECT_FALSE(same_bytes(this->state_of(id), before));
  EXPECT_EQ(C_ENGINE(world_step)(here, T(0.1), nullptr, &refused), 0);
}

TYPED_TEST(CEngineWorld, AllocatesOnlyWhereBodiesAreAdded) {
  using T = TypeParam;
  CWorld<T>* const roomy = C_ENGINE(world_create)(50);
  const CSpin<T> state = c_spin(some_body<T>(1).spin);
  const auto inertia = std::bit_cast<CInertia<T>>(some_body<T>(1).inertia);
  const T three[3] = {1, 2, 3};
  std::vector<std::uint64_t> ids(50);
  const long long before = allocations;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t& id : ids) EXPECT_EQ(C_ENGINE(world_add)(roomy, &state, &inertia, &id), POLHODE_ENGINE_OK);
    for (const std::uint64_t id : ids) {
      C_ENGINE(world_add_torque)(roomy, id, three);
      C_ENGINE(world_add_impulse)(roomy, id, three);
      if (id % 2 == 0) C_ENGINE(world_sleep)(roomy, id);
    }
    EXPECT_EQ(C_ENGINE(world_step)(roomy, T(0.1), nullptr, nullptr), 0);
    for (const std::uint64_t id : ids) C_ENGINE(world_wake)(roomy, id);
    std::uint64_t refused;
    EXPECT_EQ(C_ENGINE(world_step)(roomy, T(0.1), nullptr, &refused), 0);
    for (const std::uint64_t id : ids) EXPECT_EQ(C_ENGINE(world_remove)(roomy, id), POLHODE_ENGINE_OK);
  }
  EXPECT_EQ(allocations - before, 0);
  C_ENGINE(world_destroy)(roomy);
  C_ENGINE(world_destroy)(nullptr);
}

}  // namespace
}  // namespace polhode::c_engine_test
