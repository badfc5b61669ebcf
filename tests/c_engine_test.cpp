// The C interface for engines, one body at a time: the bits of the C++ one, and an answer to every mistake that leaves
// everything as it was.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "c_engine_support.hpp"

namespace polhode::c_engine_test {
namespace {

template <class T>
struct CEngine : testing::Test {};
TYPED_TEST_SUITE(CEngine, Precisions);

TYPED_TEST(CEngine, MakesTheInertiasOfTheCppInterface) {
  using T = TypeParam;
  const T three[3] = {T(0.9), T(1.7), T(1.1)}, axes[4] = {T(0.8), T(0.2), T(-0.5), T(0.1)};
  const Vec3<T> v{three[0], three[1], three[2]};
  const Rotation<T> q{axes[0], {axes[1], axes[2], axes[3]}};
  const T tensor[9] = {2, T(0.1), T(-0.3), T(0.1), 3, T(0.2), T(-0.3), T(0.2), T(2.5)};
  CInertia<T> made;
  EXPECT_EQ(C_ENGINE(inertia_from_moments)(&made, three, nullptr), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, Inertia<T>(v)));
  EXPECT_EQ(C_ENGINE(inertia_from_moments)(&made, three, axes), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, Inertia<T>(v, q)));
  T moments[3], found[4];
  EXPECT_EQ(C_ENGINE(inertia_principal)(&made, moments, found), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(moments, Inertia<T>(v, q).moments()));
  EXPECT_EQ(found[1], Inertia<T>(v, q).axes().v.x);
  EXPECT_EQ(C_ENGINE(inertia_from_inverse)(&made, three, axes), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, Inertia<T>::from_inverse(v, q)));
  const T one_axis[3] = {0, 2, 0};
  EXPECT_EQ(C_ENGINE(inertia_from_inverse)(&made, one_axis, nullptr), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, Inertia<T>::from_inverse({0, 2, 0})));
  EXPECT_EQ(C_ENGINE(inertia_from_tensor)(&made, tensor), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(
      made, Inertia<T>::from_tensor(Mat3<T>{{{2, T(0.1), T(-0.3)}, {T(0.1), 3, T(0.2)}, {T(-0.3), T(0.2), T(2.5)}}})));
  EXPECT_EQ(C_ENGINE(inertia_of_box)(&made, 3, three), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, box_inertia(T(3), v)));
  EXPECT_EQ(C_ENGINE(inertia_of_ellipsoid)(&made, 3, three), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, ellipsoid_inertia(T(3), v)));
  EXPECT_EQ(C_ENGINE(inertia_of_cylinder)(&made, 3, T(0.2), T(0.7)), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, cylinder_inertia(T(3), T(0.2), T(0.7))));
  EXPECT_EQ(C_ENGINE(inertia_immovable)(&made), POLHODE_ENGINE_OK);
  EXPECT_TRUE(same(made, Inertia<T>::immovable()));
}

TYPED_TEST(CEngine, RefusesInertiasOfNoBody) {
  using T = TypeParam;
  const auto refuses = [](int expected, const auto& make) {
    CInertia<T> made;
    std::memset(&made, 0x55, sizeof made);
    const CInertia<T> before = made;
    EXPECT_EQ(make(&made), expected);
    EXPECT_TRUE(same_bytes(made, before));
  };
  const T good[3] = {1, 2, T(2.5)}, no_axes[4] = {0, 0, 0, 0}, nan_axes[4] = {1, nan<T>, 0, 0};
  for (const T bad : {T(-1), nan<T>, infinity<T>}) {
    const T three[3] = {1, bad, 1};
    const T tensor[9] = {1, 0, 0, 0, bad, 0, 0, 0, 1};
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_from_moments)(m, three, nullptr); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_from_inverse)(m, three, nullptr); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_from_tensor)(m, tensor); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_of_box)(m, 1, three); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_of_box)(m, bad, good); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_of_ellipsoid)(m, 1, three); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_of_cylinder)(m, 1, bad, 1); });
    refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_of_cylinder)(m, 1, 1, bad); });
  }
  const T point[3] = {0, 0, 0};
  refuses(POLHODE_ENGINE_BAD_INERTIA, [&](auto* m) { return C_ENGINE(inertia_from_moments)(m, point, nullptr); });
  refuses(POLHODE_ENGINE_BAD_ATTITUDE, [&](auto* m) { return C_ENGINE(inertia_from_moments)(m, good, no_axes); });
  refuses(POLHODE_ENGINE_BAD_ATTITUDE, [&](auto* m) { return C_ENGINE(inertia_from_inverse)(m, good, nan_axes); });
  refuses(POLHODE_ENGINE_NULL_POINTER - 2,
          [&](auto* m) { return C_ENGINE(inertia_from_moments)(m, nullptr, nullptr); });
  refuses(POLHODE_ENGINE_NULL_POINTER - 3, [&](auto* m) { return C_ENGINE(inertia_of_box)(m, 1, nullptr); });
  EXPECT_EQ(C_ENGINE(inertia_from_tensor)(nullptr, nullptr), POLHODE_ENGINE_NULL_POINTER - 1);
}

TYPED_TEST(CEngine, StepsWithTheBitsOfTheCppInterface) {
  using T = TypeParam;
  const COptions<T> c_options{2, 4, T(0.1), T(0.15)}, no_options{};
  StepOptions<T> options;
  options.substeps = 2, options.lock_z = true, options.damping = T(0.1), options.largest_speed = T(0.15);
  for (unsigned i = 0; i < 20; ++i) {
    const EngineBody<T> body = some_body<T>(i);
    const auto inertia = std::bit_cast<CInertia<T>>(body.inertia);
    std::array<Spin<T>, 6> cpp;
    std::array<CSpin<T>, 6> c;
    cpp.fill(body.spin);
    c.fill(c_spin(body.spin));
    for (unsigned n = 0; n < 50; ++n) {
      const Vec3<T> tau = some_torque<T>(n);
      const T torque[3] = {tau.x, tau.y, tau.z}, h = T(0.01) * T(1 + n % 3);
      step(cpp[0], body.inertia, tau, h);
      step_with_body_torque(cpp[1], body.inertia, tau, h);
      step_held(cpp[2], body.inertia, tau, h);
      step(cpp[3], body.inertia, tau, h, options);
      step(cpp[4], body.inertia, tau, h, StepOptions<T>{});
      step(cpp[5], body.inertia, {}, h);
      ASSERT_EQ(C_ENGINE(spin_step)(&c[0], &inertia, torque, h), POLHODE_ENGINE_OK);
      ASSERT_EQ(C_ENGINE(spin_step_body)(&c[1], &inertia, torque, h), POLHODE_ENGINE_OK);
      ASSERT_EQ(C_ENGINE(spin_step_held)(&c[2], &inertia, torque, h), POLHODE_ENGINE_OK);
      ASSERT_EQ(C_ENGINE(spin_step_with)(&c[3], &inertia, torque, h, &c_options), POLHODE_ENGINE_OK);
      ASSERT_EQ(C_ENGINE(spin_step_with)(&c[4], &inertia, torque, h, &no_options), POLHODE_ENGINE_OK);
      ASSERT_EQ(C_ENGINE(spin_step)(&c[5], &inertia, nullptr, h), POLHODE_ENGINE_OK);
    }
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_TRUE(same(c[k], cpp[k])) << "body " << i << ", step " << k;
  }
}

// The memory of a body without torque is what keeps its energy: it must be there, and after a change by hand not be believed.
TYPED_TEST(CEngine, RemembersTheEnergyOfAFreeBody) {
  using T = TypeParam;
  const EngineBody<T> body = some_body<T>(2);
  const auto inertia = std::bit_cast<CInertia<T>>(body.inertia);
  CSpin<T> state = c_spin(body.spin);
  ASSERT_EQ(C_ENGINE(spin_step)(&state, &inertia, nullptr, 1), POLHODE_ENGINE_OK);
  const auto stepped = std::bit_cast<Spin<T>>(state);
  Spin<T> cpp = body.spin;
  step(cpp, body.inertia, {}, 1);
  EXPECT_EQ(stepped.memory.rate, cpp.memory.rate);
  EXPECT_GT(stepped.memory.rate, 0);
  const double before = energy_of(body.spin, body.inertia);
  for (int n = 0; n < 5000; ++n) C_ENGINE(spin_step)(&state, &inertia, nullptr, 1);
  EXPECT_NEAR(energy_of(std::bit_cast<Spin<T>>(state), body.inertia) / before, 1,
              32 * std::numeric_limits<T>::epsilon());
  state.momentum_S[0] *= 2;
  cpp = Spin<T>(std::bit_cast<Spin<T>>(state).R_SB, std::bit_cast<Spin<T>>(state).L);
  C_ENGINE(spin_step)(&state, &inertia, nullptr, 1);
  step(cpp, body.inertia, {}, 1);
  EXPECT_TRUE(same(state, cpp));
}

TYPED_TEST(CEngine, AnswersWithTheBitsOfTheCppInterface) {
  using T = TypeParam;
  for (unsigned i = 0; i < 20; ++i) {
    const EngineBody<T> body = some_body<T>(i), other = some_body<T>(i + 1);
    const auto inertia = std::bit_cast<CInertia<T>>(body.inertia), after = std::bit_cast<CInertia<T>>(other.inertia);
    const Rotation<T>& R = body.spin.R_SB;
    const T q[4] = {R.w, R.v.x, R.v.y, R.v.z}, L[3] = {body.spin.L.x, body.spin.L.y, body.spin.L.z};
    CSpin<T> state{};
    ASSERT_EQ(C_ENGINE(spin_from_momentum)(&state, q, L), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(state, body.spin));
    T three[3], nine[9], energy;
    ASSERT_EQ(C_ENGINE(spin_velocity_body)(&state, &inertia, three), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(three, angular_velocity_body(body.spin, body.inertia)));
    ASSERT_EQ(C_ENGINE(spin_velocity)(&state, &inertia, three), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(three, angular_velocity_spatial(body.spin, body.inertia)));
    CSpin<T> made;
    ASSERT_EQ(C_ENGINE(spin_from_velocity)(&made, &inertia, q, three), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(made, spin_from_velocity(body.inertia, R, {three[0], three[1], three[2]})));
    ASSERT_EQ(C_ENGINE(spin_energy)(&state, &inertia, &energy), POLHODE_ENGINE_OK);
    EXPECT_EQ(energy, kinetic_energy(body.spin, body.inertia));
    ASSERT_EQ(C_ENGINE(spin_inertia)(&state, &inertia, nine), POLHODE_ENGINE_OK);
    EXPECT_EQ((std::bit_cast<Mat3<T>>(nine)), inertia_spatial(body.spin, body.inertia));
    ASSERT_EQ(C_ENGINE(spin_inverse_inertia)(&state, &inertia, nine), POLHODE_ENGINE_OK);
    EXPECT_EQ((std::bit_cast<Mat3<T>>(nine)), inverse_inertia_spatial(body.spin, body.inertia));

    Spin<T> cpp = body.spin;
    const T arm[3] = {1, 2, 3}, impulse[3] = {T(-0.1), T(0.4), T(0.2)};
    cpp.L += cross(Vec3<T>{1, 2, 3}, Vec3<T>{T(-0.1), T(0.4), T(0.2)});
    ASSERT_EQ(C_ENGINE(spin_add_impulse_at)(&state, arm, impulse), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(state, cpp));
    cpp.L += Vec3<T>{1, 2, 3};
    ASSERT_EQ(C_ENGINE(spin_add_impulse)(&state, arm), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(state, cpp));
    change_inertia_at_fixed_velocity(cpp, body.inertia, other.inertia);
    ASSERT_EQ(C_ENGINE(spin_keep_velocity)(&state, &inertia, &after), POLHODE_ENGINE_OK);
    EXPECT_TRUE(same(state, cpp));
  }
}

// A body given by a quaternion of another length is the same body: torque, velocity and energy do not grow with it.
TYPED_TEST(CEngine, TakesQuaternionsOfAnyLength) {
  using T = TypeParam;
  const EngineBody<T> body = some_body<T>(4);
  const auto inertia = std::bit_cast<CInertia<T>>(body.inertia);
  const T torque[3] = {T(0.3), T(-0.2), T(0.7)};
  const auto close = [](const T* a, const T* b) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 64 * std::numeric_limits<T>::epsilon());
  };
  CSpin<T> state = c_spin(body.spin), longer = state;
  for (T& x : longer.attitude_wxyz) x *= 3;
  T w[3], w_longer[3], energy, energy_of_longer;
  C_ENGINE(spin_velocity)(&state, &inertia, w);
  ASSERT_EQ(C_ENGINE(spin_velocity)(&longer, &inertia, w_longer), POLHODE_ENGINE_OK);
  close(w, w_longer);
  C_ENGINE(spin_energy)(&state, &inertia, &energy);
  ASSERT_EQ(C_ENGINE(spin_energy)(&longer, &inertia, &energy_of_longer), POLHODE_ENGINE_OK);
  EXPECT_NEAR(energy, energy_of_longer, 64 * std::numeric_limits<T>::epsilon() * energy);
  C_ENGINE(spin_step_body)(&state, &inertia, torque, T(0.1));
  ASSERT_EQ(C_ENGINE(spin_step_body)(&longer, &inertia, torque, T(0.1)), POLHODE_ENGINE_OK);
  close(state.momentum_S, longer.momentum_S);
  close(state.attitude_wxyz, longer.attitude_wxyz);
}

TYPED_TEST(CEngine, SaysWhichArgumentIsWrongAndLeavesTheStateAlone) {
  using T = TypeParam;
  const EngineBody<T> body = some_body<T>(3);
  const auto good = std::bit_cast<CInertia<T>>(body.inertia);
  const auto bad_inertia = std::bit_cast<CInertia<T>>(Inertia<T>({1, -1, 1}));
  const T torque[3] = {T(0.3), T(-0.2), T(0.7)};
  const auto refuses = [](int expected, const CSpin<T>& before, const auto& call) {
    CSpin<T> state = before;
    EXPECT_EQ(call(&state), expected) << polhode_engine_text(expected);
    EXPECT_TRUE(same_bytes(state, before));
  };
  CSpin<T> fine = c_spin(body.spin);
  ASSERT_EQ(C_ENGINE(spin_step)(&fine, &good, torque, T(0.1)), POLHODE_ENGINE_OK);
  const COptions<T> options{};
  const auto all_refuse = [&](int expected, const CSpin<T>& s, const CInertia<T>* i, const T* tau, T h) {
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_step)(state, i, tau, h); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_step_body)(state, i, tau, h); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_step_held)(state, i, tau, h); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_step_with)(state, i, tau, h, &options); });
  };
  const auto nothing_known = [&](int expected, const CSpin<T>& s, const CInertia<T>* i) {
    T asked[9];
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_velocity)(state, i, asked); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_velocity_body)(state, i, asked); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_energy)(state, i, asked); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_inertia)(state, i, asked); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_inverse_inertia)(state, i, asked); });
    refuses(expected, s, [&](auto* state) { return C_ENGINE(spin_keep_velocity)(state, i, &good); });
  };
  all_refuse(POLHODE_ENGINE_BAD_INERTIA, fine, &bad_inertia, torque, T(0.1));
  nothing_known(POLHODE_ENGINE_BAD_INERTIA, fine, &bad_inertia);
  refuses(POLHODE_ENGINE_BAD_INERTIA, fine,
          [&](auto* s) { return C_ENGINE(spin_keep_velocity)(s, &good, &bad_inertia); });
  for (const T bad : {nan<T>, infinity<T>, -infinity<T>}) {
    for (int k = 0; k < 4; ++k) {
      CSpin<T> turned = fine;
      turned.attitude_wxyz[k] = bad;
      all_refuse(POLHODE_ENGINE_BAD_ATTITUDE, turned, &good, torque, T(0.1));
      nothing_known(POLHODE_ENGINE_BAD_ATTITUDE, turned, &good);
    }
    for (int k = 0; k < 3; ++k) {
      CSpin<T> turning = fine;
      turning.momentum_S[k] = bad;
      all_refuse(POLHODE_ENGINE_BAD_MOMENTUM, turning, &good, torque, T(0.1));
      nothing_known(POLHODE_ENGINE_BAD_MOMENTUM, turning, &good);
      refuses(POLHODE_ENGINE_BAD_MOMENTUM, turning, [&](auto* s) { return C_ENGINE(spin_add_impulse)(s, torque); });
      T tau[3] = {1, 1, 1};
      tau[k] = bad;
      all_refuse(POLHODE_ENGINE_BAD_TORQUE, fine, &good, tau, T(0.1));
      refuses(POLHODE_ENGINE_BAD_IMPULSE, fine, [&](auto* s) { return C_ENGINE(spin_add_impulse)(s, tau); });
      refuses(POLHODE_ENGINE_BAD_IMPULSE, fine, [&](auto* s) { return C_ENGINE(spin_add_impulse_at)(s, tau, torque); });
      refuses(POLHODE_ENGINE_BAD_IMPULSE, fine, [&](auto* s) { return C_ENGINE(spin_add_impulse_at)(s, torque, tau); });
      const T q[4] = {1, 0, 0, 0}, no_attitude[4] = {0, 0, 0, 0};
      refuses(POLHODE_ENGINE_BAD_VELOCITY, fine,
              [&](auto* s) { return C_ENGINE(spin_from_velocity)(s, &good, q, tau); });
      refuses(POLHODE_ENGINE_BAD_MOMENTUM, fine, [&](auto* s) { return C_ENGINE(spin_from_momentum)(s, q, tau); });
      refuses(POLHODE_ENGINE_BAD_ATTITUDE, fine,
              [&](auto* s) { return C_ENGINE(spin_from_momentum)(s, no_attitude, torque); });
    }
    all_refuse(POLHODE_ENGINE_BAD_STEP, fine, &good, torque, bad);
    for (const COptions<T>& o : {COptions<T>{1, 0, bad, 0}, COptions<T>{1, 0, 0, -bad}, COptions<T>{-1, 0, 0, 0},
                                 COptions<T>{1, 8, 0, 0}, COptions<T>{1, -1, 0, 0}, COptions<T>{1, 0, -1, 0}}) {
      if (o.largest_speed == infinity<T>) continue;  // no limit
      refuses(POLHODE_ENGINE_BAD_OPTIONS, fine,
              [&](auto* s) { return C_ENGINE(spin_step_with)(s, &good, torque, T(0.1), &o); });
    }
  }
  CSpin<T> no_attitude{};
  all_refuse(POLHODE_ENGINE_BAD_ATTITUDE, no_attitude, &good, torque, T(0.1));
  all_refuse(POLHODE_ENGINE_NULL_POINTER - 2, fine, nullptr, torque, T(0.1));
  nothing_known(POLHODE_ENGINE_NULL_POINTER - 2, fine, nullptr);
  EXPECT_EQ(C_ENGINE(spin_step)(nullptr, nullptr, nullptr, 1), POLHODE_ENGINE_NULL_POINTER - 1);
  EXPECT_EQ(C_ENGINE(spin_energy)(&fine, &good, nullptr), POLHODE_ENGINE_NULL_POINTER - 3);
  refuses(POLHODE_ENGINE_NULL_POINTER - 5, fine,
          [&](auto* s) { return C_ENGINE(spin_step_with)(s, &good, torque, 1, nullptr); });
  // zeros are a body that never turns, and not the fault when something else is wrong
  const CInertia<T> never{};
  T tau[3] = {nan<T>, 0, 0};
  all_refuse(POLHODE_ENGINE_BAD_TORQUE, fine, &never, tau, T(0.1));
  CSpin<T> still = fine;
  ASSERT_EQ(C_ENGINE(spin_step)(&still, &never, torque, T(0.1)), POLHODE_ENGINE_OK);
  EXPECT_NEAR(still.attitude_wxyz[1], fine.attitude_wxyz[1], std::numeric_limits<T>::epsilon());
}

TEST(CEngineText, HasASentenceForEveryStatus) {
  std::vector<std::string> texts;
  for (int status = POLHODE_ENGINE_BAD_RATE_STRIDE; status <= POLHODE_ENGINE_OK; ++status)
    texts.emplace_back(polhode_engine_text(status));
  for (int n = 1; n <= 5; ++n) texts.emplace_back(polhode_engine_text(POLHODE_ENGINE_NULL_POINTER - n));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_NE(texts[i], polhode_engine_text(1));
    for (std::size_t k = 0; k < i; ++k) EXPECT_NE(texts[i], texts[k]);
  }
}

}  // namespace
}  // namespace polhode::c_engine_test
