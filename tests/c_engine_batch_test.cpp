// The C interface for engines, many bodies at once: in arrays with gaps and by handles, each has the bits that it has alone.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "c_engine_support.hpp"
#include "count_allocations.hpp"

namespace polhode::c_engine_test {
namespace {

// What an engine keeps of a body, with numbers of its own between ours.
template <class T>
struct Entity {
  T position[3] = {1, 2, 3};
  CSpin<T> spin{};
  T before[1] = {4};
  T attitude[4];
  T rate[3];
  T after[2] = {5, 6};
  CInertia<T> inertia;
  T torque[3];
  CSpin<T> kept{};
  T health = 7;
};

template <class T>
bool untouched(const Entity<T>& e) {
  return e.position[0] == 1 && e.position[1] == 2 && e.position[2] == 3 && e.before[0] == 4 && e.after[0] == 5 &&
         e.after[1] == 6 && e.health == 7;
}

template <class T>
void write_attitude(T* to, const Rotation<T>& q, int order) {
  rotation_into(to, q, order == POLHODE_WXYZ ? QuaternionOrder::wxyz : QuaternionOrder::xyzw);
}
template <class T>
void write_vector(T* to, const Vec3<T>& v) {
  for (std::size_t i = 0; i < 3; ++i) to[i] = v[i];
}

template <class T>
struct Scene {
  std::vector<Entity<T>> entities;
  std::vector<EngineBody<T>> bodies;

  explicit Scene(std::size_t count, int order = POLHODE_WXYZ, int kind = POLHODE_MOMENTUM_S) {
    for (unsigned i = 0; i < count; ++i) {
      const EngineBody<T> body = some_body<T>(i);
      Entity<T> e;
      e.spin = c_spin(body.spin);
      e.inertia = std::bit_cast<CInertia<T>>(body.inertia);
      write_vector(e.torque, some_torque<T>(i));
      write_attitude(e.attitude, body.spin.R_SB, order);
      write_vector(e.rate, rate_of(body.spin, body.inertia, kind));
      entities.push_back(e);
      bodies.push_back(body);
    }
  }
  static Vec3<T> rate_of(const Spin<T>& s, const Inertia<T>& body, int kind) {
    return kind == POLHODE_MOMENTUM_S   ? s.L
           : kind == POLHODE_VELOCITY_S ? angular_velocity_spatial(s, body)
                                        : angular_velocity_body(s, body);
  }

  CBatch<T> batch() {
    CBatch<T> b{};
    b.count = entities.size();
    if (entities.empty()) return b;
    b.inertias = &entities[0].inertia;
    b.torques = entities[0].torque;
    b.inertia_stride = b.torque_stride = sizeof(Entity<T>);
    return b;
  }
  CArrays<T> arrays(int order, int kind, bool keep) {
    if (entities.empty()) return {};
    constexpr std::size_t stride = sizeof(Entity<T>);
    Entity<T>& e = entities[0];
    return {e.attitude, stride, e.rate, stride, keep ? &e.kept : nullptr, stride, order, kind};
  }
  int step_spins(const CBatch<T>& b, T h) {
    return C_ENGINE(step_spins)(entities.empty() ? nullptr : &entities[0].spin, sizeof(Entity<T>), &b, h);
  }
};

// The same in C++, one body at a time.
template <class T>
StepStatus step_alone(Spin<T>& s, const Inertia<T>& body, const Vec3<T>& torque, int kind,
                      const StepOptions<T>* options, T h) {
  if (kind == POLHODE_TORQUE_HELD) return step_held(s, body, torque, h);
  const Vec3<T> torque_S = kind == POLHODE_TORQUE_B ? s.R_SB * torque : torque;
  return options == nullptr ? step(s, body, torque_S, h) : step(s, body, torque_S, h, *options);
}

template <class T>
struct CEngineBatch : testing::Test {};
TYPED_TEST_SUITE(CEngineBatch, Precisions);

TYPED_TEST(CEngineBatch, GivesTheBitsOfSingleBodies) {
  using T = TypeParam;
  const COptions<T> c_options{3, 1, T(0.1), T(5)};
  StepOptions<T> options;
  options.substeps = 3, options.lock_x = true, options.damping = T(0.1), options.largest_speed = T(5);
  struct Way {
    int kind;
    bool options, statuses, torques;
  };
  for (const Way way : {Way{POLHODE_TORQUE_S, false, false, true}, Way{POLHODE_TORQUE_S, false, false, false},
                        Way{POLHODE_TORQUE_S, false, true, true}, Way{POLHODE_TORQUE_S, false, true, false},
                        Way{POLHODE_TORQUE_S, true, true, true}, Way{POLHODE_TORQUE_B, false, false, true},
                        Way{POLHODE_TORQUE_B, true, true, true}, Way{POLHODE_TORQUE_HELD, false, true, true}}) {
    for (std::size_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 64, 131}) {
      Scene<T> scene(count);
      CBatch<T> batch = scene.batch();
      std::vector<int> statuses(count, 1);
      std::size_t first = 12345;
      batch.torque_kind = way.kind;
      if (way.options) batch.options = &c_options;
      if (!way.torques) batch.torques = nullptr;
      if (way.statuses) batch.statuses = statuses.data(), batch.first_refused = &first;
      for (unsigned n = 0; n < 5; ++n) {
        ASSERT_EQ(scene.step_spins(batch, T(0.01) * T(1 + n)), 0);
        for (std::size_t i = 0; i < count; ++i)
          step_alone(scene.bodies[i].spin, scene.bodies[i].inertia,
                     way.torques ? some_torque<T>(static_cast<unsigned>(i)) : Vec3<T>{}, way.kind,
                     way.options ? &options : nullptr, T(0.01) * T(1 + n));
      }
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(same(scene.entities[i].spin, scene.bodies[i].spin)) << i << " of " << count;
        EXPECT_TRUE(untouched(scene.entities[i]));
        EXPECT_EQ(statuses[i], way.statuses ? 0 : 1);
      }
      EXPECT_EQ(first, way.statuses ? count : 12345);
    }
  }
}

TYPED_TEST(CEngineBatch, StepsThoseThatAreAwakeAndNoOthers) {
  using T = TypeParam;
  for (const bool statuses_too : {false, true}) {
    Scene<T> scene(100), asleep(100);
    std::vector<std::uint32_t> awake;
    for (std::uint32_t i = 99; i > 3; i -= 1 + i % 3) awake.push_back(i);
    std::vector<int> statuses(100, 1);
    CBatch<T> batch = scene.batch();
    batch.awake = awake.data();
    if (statuses_too) batch.statuses = statuses.data();
    for (batch.awake_count = 0; batch.awake_count <= awake.size(); ++batch.awake_count) {
      Scene<T> here = scene;
      batch.inertias = &here.entities[0].inertia;
      batch.torques = here.entities[0].torque;
      ASSERT_EQ(here.step_spins(batch, T(0.02)), 0);
      for (std::uint32_t i = 0; i < 100; ++i) {
        const auto end = awake.begin() + static_cast<std::ptrdiff_t>(batch.awake_count);
        Spin<T> alone = here.bodies[i].spin;
        if (std::find(awake.begin(), end, i) != end) step(alone, here.bodies[i].inertia, some_torque<T>(i), T(0.02));
        EXPECT_TRUE(same(here.entities[i].spin, alone));
      }
    }
    EXPECT_EQ(statuses[99], statuses_too ? 0 : 1);
    EXPECT_EQ(statuses[0], 1);
  }
}

TYPED_TEST(CEngineBatch, TakesOneInertiaAndOneTorqueForAll) {
  using T = TypeParam;
  Scene<T> scene(21);
  CBatch<T> batch = scene.batch();
  batch.inertia_stride = batch.torque_stride = 0;
  ASSERT_EQ(scene.step_spins(batch, T(0.02)), 0);
  for (std::size_t i = 0; i < 21; ++i) {
    step(scene.bodies[i].spin, scene.bodies[0].inertia, some_torque<T>(0), T(0.02));
    EXPECT_TRUE(same(scene.entities[i].spin, scene.bodies[i].spin));
  }
}

TYPED_TEST(CEngineBatch, TellsWhichBodiesWereRefusedAndLeavesThemAlone) {
  using T = TypeParam;
  for (const bool in_arrays : {false, true}) {
    for (const int kind : {POLHODE_TORQUE_S, POLHODE_TORQUE_B}) {
      const int rate = kind == POLHODE_TORQUE_S ? POLHODE_MOMENTUM_S : POLHODE_VELOCITY_S;
      Scene<T> scene(140, POLHODE_XYZW, rate);
      scene.entities[75].spin.momentum_S[1] = scene.entities[75].rate[1] = nan<T>;
      scene.entities[11].spin.attitude_wxyz[2] = scene.entities[11].attitude[2] = infinity<T>;
      scene.entities[9].torque[0] = nan<T>;
      scene.entities[139].inertia = std::bit_cast<CInertia<T>>(Inertia<T>({1, 2, -3}));
      CBatch<T> batch = scene.batch();
      std::vector<int> statuses(140, 1);
      std::size_t first = 0;
      batch.torque_kind = kind;
      const Scene<T> before = scene;
      const auto step_it = [&] {
        const CArrays<T> arrays = scene.arrays(POLHODE_XYZW, rate, true);
        return in_arrays ? C_ENGINE(step_arrays)(&arrays, &batch, T(0.1)) : scene.step_spins(batch, T(0.1));
      };
      EXPECT_EQ(step_it(), 4);
      const Scene<T> counted = scene;
      scene = before;
      batch = scene.batch();
      batch.torque_kind = kind;
      batch.statuses = statuses.data(), batch.first_refused = &first;
      EXPECT_EQ(step_it(), 4);
      EXPECT_EQ(first, 9u);
      EXPECT_EQ(statuses[9], POLHODE_ENGINE_BAD_TORQUE);
      EXPECT_EQ(statuses[11], POLHODE_ENGINE_BAD_ATTITUDE);
      EXPECT_EQ(statuses[75],
                in_arrays && rate != POLHODE_MOMENTUM_S ? POLHODE_ENGINE_BAD_VELOCITY : POLHODE_ENGINE_BAD_MOMENTUM);
      EXPECT_EQ(statuses[139], POLHODE_ENGINE_BAD_INERTIA);
      EXPECT_EQ(std::accumulate(statuses.begin(), statuses.end(), 0),
                statuses[9] + statuses[11] + statuses[75] + statuses[139]);
      for (std::size_t i = 0; i < 140; ++i) {
        EXPECT_TRUE(same_bytes(scene.entities[i], counted.entities[i]));
        EXPECT_EQ(same_bytes(scene.entities[i], before.entities[i]), i == 9 || i == 11 || i == 75 || i == 139);
      }
    }
  }
}

TYPED_TEST(CEngineBatch, ReadsAndWritesArraysOfTheCaller) {
  using T = TypeParam;
  for (const int order : {POLHODE_WXYZ, POLHODE_XYZW}) {
    for (const int kind : {POLHODE_MOMENTUM_S, POLHODE_VELOCITY_S, POLHODE_VELOCITY_B}) {
      for (const bool keep : {false, true}) {
        for (std::size_t count : {0, 1, 3, 4, 7, 8, 9, 20, 70}) {
          Scene<T> scene(count, order, kind);
          const CArrays<T> arrays = scene.arrays(order, kind, keep);
          const CBatch<T> batch = scene.batch();
          std::vector<Spin<T>> alone;
          for (std::size_t i = 0; i < count; ++i) {
            const auto& [inertia, spin, moments] = scene.bodies[i];
            const Vec3<T> rate = Scene<T>::rate_of(spin, inertia, kind);
            alone.push_back(kind == POLHODE_MOMENTUM_S   ? spin
                            : kind == POLHODE_VELOCITY_S ? spin_from_velocity(inertia, spin.R_SB, rate)
                                                         : Spin<T>(spin.R_SB, spin.R_SB * inertia.momentum(rate)));
          }
          for (int n = 0; n < 4; ++n) {
            ASSERT_EQ(C_ENGINE(step_arrays)(&arrays, &batch, T(0.02)), 0);
            for (std::size_t i = 0; i < count; ++i) {
              const Inertia<T>& inertia = scene.bodies[i].inertia;
              Entity<T>& e = scene.entities[i];
              step(alone[i], inertia, some_torque<T>(static_cast<unsigned>(i)), T(0.02));
              T expected[4];
              write_attitude(expected, alone[i].R_SB, order);
              EXPECT_EQ(std::memcmp(expected, e.attitude, sizeof expected), 0);
              EXPECT_TRUE(same(e.rate, Scene<T>::rate_of(alone[i], inertia, kind)));
              EXPECT_TRUE(untouched(e));
              if (kind == POLHODE_MOMENTUM_S && !keep) alone[i] = Spin<T>(alone[i].R_SB, alone[i].L);
              if (kind == POLHODE_VELOCITY_S && n == 1) {  // a contact has changed it
                e.rate[0] += T(0.25);
                alone[i] = spin_from_velocity(inertia, alone[i].R_SB, {e.rate[0], e.rate[1], e.rate[2]});
              } else if (kind == POLHODE_VELOCITY_S && !keep) {
                alone[i] = spin_from_velocity(inertia, alone[i].R_SB, {e.rate[0], e.rate[1], e.rate[2]});
              } else if (kind == POLHODE_VELOCITY_B && !keep) {
                const Rotation<T> R = alone[i].R_SB;
                alone[i] = Spin<T>(R, R * inertia.momentum({e.rate[0], e.rate[1], e.rate[2]}));
              }
            }
          }
        }
      }
    }
  }
}

// With nothing but velocities between two steps, momentum stays to the bit and energy as in a state that is kept.
TYPED_TEST(CEngineBatch, KeepsMomentumAndEnergyOfBodiesGivenByVelocity) {
  using T = TypeParam;
  Scene<T> scene(20, POLHODE_XYZW, POLHODE_VELOCITY_S);
  const CArrays<T> arrays = scene.arrays(POLHODE_XYZW, POLHODE_VELOCITY_S, true);
  CBatch<T> batch = scene.batch();
  batch.torques = nullptr;
  ASSERT_EQ(C_ENGINE(step_arrays)(&arrays, &batch, T(0.5)), 0);
  const Scene<T> before = scene;
  for (int n = 0; n < 2000; ++n) ASSERT_EQ(C_ENGINE(step_arrays)(&arrays, &batch, T(0.5)), 0);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto a = std::bit_cast<Spin<T>>(before.entities[i].kept), b = std::bit_cast<Spin<T>>(scene.entities[i].kept);
    EXPECT_EQ(a.L, b.L);
    const Inertia<T>& inertia = scene.bodies[i].inertia;
    EXPECT_NEAR(energy_of(b, inertia) / energy_of(a, inertia), 1, 32 * std::numeric_limits<T>::epsilon());
  }
}

TYPED_TEST(CEngineBatch, SaysWhichArgumentIsWrong) {
  using T = TypeParam;
  Scene<T> scene(10);
  const Scene<T> before = scene;
  const COptions<T> bad_options{-1, 0, 0, 0}, options{};
  const std::uint32_t list[3] = {3, 10, 2};
  const auto refuses = [&](int expected, const auto& change, T h = T(0.1)) {
    CBatch<T> batch = scene.batch();
    CArrays<T> arrays = scene.arrays(POLHODE_WXYZ, POLHODE_MOMENTUM_S, true);
    std::size_t stride = sizeof(Entity<T>);
    change(batch, arrays, stride);
    const int spins = C_ENGINE(step_spins)(&scene.entities[0].spin, stride, &batch, h);
    const int in_arrays = C_ENGINE(step_arrays)(&arrays, &batch, h);
    EXPECT_TRUE(spins == expected || in_arrays == expected) << polhode_engine_text(expected);
    EXPECT_LE(spins, 0);
    EXPECT_LE(in_arrays, 0);
    for (std::size_t i = 0; spins < 0 && in_arrays < 0 && i < 10; ++i)
      EXPECT_TRUE(same_bytes(scene.entities[i], before.entities[i]));
    scene = before;
  };
  refuses(
      POLHODE_ENGINE_BAD_STEP, [](auto&, auto&, auto&) {}, nan<T>);
  refuses(
      POLHODE_ENGINE_BAD_STEP, [](auto&, auto&, auto&) {}, infinity<T>);
  refuses(POLHODE_ENGINE_NO_INERTIAS, [](auto& b, auto&, auto&) { b.inertias = nullptr; });
  refuses(POLHODE_ENGINE_BAD_INERTIA_STRIDE, [](auto& b, auto&, auto&) { b.inertia_stride = sizeof(*b.inertias) - 1; });
  refuses(POLHODE_ENGINE_BAD_INERTIA_STRIDE, [](auto& b, auto&, auto&) { b.inertia_stride += 1; });
  refuses(POLHODE_ENGINE_BAD_TORQUE_STRIDE, [](auto& b, auto&, auto&) { b.torque_stride = 2 * sizeof(T); });
  refuses(POLHODE_ENGINE_BAD_KIND, [](auto& b, auto&, auto&) { b.torque_kind = 3; });
  refuses(POLHODE_ENGINE_BAD_KIND, [](auto& b, auto&, auto&) { b.torque_kind = -1; });
  refuses(POLHODE_ENGINE_BAD_OPTIONS, [&](auto& b, auto&, auto&) { b.options = &bad_options; });
  refuses(POLHODE_ENGINE_BAD_OPTIONS, [&](auto& b, auto&, auto&) {
    b.options = &options;
    b.torque_kind = POLHODE_TORQUE_HELD;
  });
  refuses(POLHODE_ENGINE_BAD_INDEX, [&](auto& b, auto&, auto&) { b.awake = list, b.awake_count = 3; });
  refuses(POLHODE_ENGINE_BAD_COUNT, [&](auto& b, auto&, auto&) { b.count = std::size_t{1} << 31; });
  refuses(POLHODE_ENGINE_BAD_SPIN_STRIDE, [](auto&, auto&, auto& stride) { stride = 0; });
  refuses(POLHODE_ENGINE_BAD_SPIN_STRIDE, [](auto&, auto& a, auto&) { a.kept_stride += 2; });
  refuses(POLHODE_ENGINE_NO_ATTITUDES, [](auto&, auto& a, auto&) { a.attitudes = nullptr; });
  refuses(POLHODE_ENGINE_NO_RATES, [](auto&, auto& a, auto&) { a.rates = nullptr; });
  refuses(POLHODE_ENGINE_BAD_ATTITUDE_STRIDE, [](auto&, auto& a, auto&) { a.attitude_stride = 3 * sizeof(T); });
  refuses(POLHODE_ENGINE_BAD_RATE_STRIDE, [](auto&, auto& a, auto&) { a.rate_stride = 0; });
  refuses(POLHODE_ENGINE_BAD_KIND, [](auto&, auto& a, auto&) { a.attitude_order = 2; });
  refuses(POLHODE_ENGINE_BAD_KIND, [](auto&, auto& a, auto&) { a.rate_kind = 3; });
  const CBatch<T> batch = scene.batch();
  EXPECT_EQ(C_ENGINE(step_spins)(nullptr, sizeof(CSpin<T>), &batch, 1), POLHODE_ENGINE_NULL_POINTER - 1);
  EXPECT_EQ(C_ENGINE(step_spins)(&scene.entities[0].spin, sizeof(CSpin<T>), nullptr, 1),
            POLHODE_ENGINE_NULL_POINTER - 3);
  EXPECT_EQ(C_ENGINE(step_arrays)(nullptr, &batch, 1), POLHODE_ENGINE_NULL_POINTER - 1);
  const CArrays<T> arrays = scene.arrays(0, 0, false);
  EXPECT_EQ(C_ENGINE(step_arrays)(&arrays, nullptr, 1), POLHODE_ENGINE_NULL_POINTER - 2);
}

TYPED_TEST(CEngineBatch, AllocatesNothing) {
  using T = TypeParam;
  Scene<T> scene(100);
  std::vector<int> statuses(100);
  CBatch<T> batch = scene.batch();
  batch.statuses = statuses.data();
  scene.entities[3].torque[0] = nan<T>;
  const CArrays<T> arrays = scene.arrays(POLHODE_XYZW, POLHODE_VELOCITY_S, true);
  const long long before = allocations;
  scene.step_spins(batch, T(0.1));
  C_ENGINE(step_arrays)(&arrays, &batch, T(0.1));
  C_ENGINE(spin_step)(&scene.entities[0].spin, &scene.entities[0].inertia, nullptr, T(0.1));
  EXPECT_EQ(allocations - before, 0);
}

}  // namespace
}  // namespace polhode::c_engine_test
