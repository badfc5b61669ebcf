// Bodies side by side and each one alone: the same bits. The bodies of a pack are as different as can be: at rest, hardly
// turning, at ordinary steps, and turning by radians a step; with three different moments, with two and with three equal.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields.hpp"
#include "polhode/model/lane_state.hpp"

namespace polhode::packs {

inline constexpr std::size_t bodies = 8;
inline constexpr double step = 0.03;
inline constexpr int steps = 40;  // longer than free-exact goes on by itself

inline Body<double> body_of(std::size_t i) {
  const double x = 0.1 * static_cast<double>(i);
  if (i == 4) return Body<double>({1.2, 1.2, 0.7});
  if (i == 6) return Body<double>({0.4, 1.2, 1.2});
  if (i == 7) return Body<double>({1.1, 1.1, 1.1});
  return Body<double>({0.9 + x, 1.3, 1.7 - x});
}
inline State<double> start_of(std::size_t i) {
  constexpr std::array<double, bodies> spin{1, 0, 1e-9, 40, 0.2, 300, 3, 7e-3};
  State<double> s;
  s.R_SB = exp(Vec3<double>{0.3 * static_cast<double>(i), -0.4, 0.7});
  s.pi_B = spin[i] * Vec3<double>{0.6, -0.5 + 0.1 * static_cast<double>(i), 0.8};
  return s;
}

// Fields by the scalar, and by the body where they know it.
struct WithoutTorque {
  template <class T>
  Free of(const Body<T>&) const {
    return {};
  }
};
struct InGravity {
  template <class T>
  HeavyTop<T> of(const Body<T>&) const {
    HeavyTop<T> field;
    field.weight_times_arm = T(0.5);
    field.axis_body = {T(1.0 / 3), T(2.0 / 3), T(2.0 / 3)};
    return field;
  }
};
struct OnAnOrbit {
  template <class T>
  GravityGradient<T> of(const Body<T>& body) const {
    GravityGradient<T> field;
    field.mean_motion = T(0.4);
    field.acts_on(body);
    return field;
  }
};

template <class M, class T, class F>
State<T> run(const System<T, F>& system, State<T> s) {
  Work work;
  auto memory = start<M>(system, s, T(step), work);
  for (int n = 1; n <= steps; ++n) {
    s = advance<M>(system, s, memory, T(step), work);
    s.t = T(n * step);
  }
  return s;
}

inline bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}
inline bool same_bits(const State<double>& a, const State<double>& b) {
  bool same = same_bits(a.R_SB.w, b.R_SB.w);
  for (std::size_t k = 0; k < 3; ++k)
    same = same && same_bits(a.R_SB.v[k], b.R_SB.v[k]) && same_bits(a.pi_B[k], b.pi_B[k]);
  return same;
}

// In packs of Width bodies, Register of them in one register.
template <class M, std::size_t Width, std::size_t Register = Width, class Field>
void expect_own_bits(const Field& field, const std::string& name) {
  for (std::size_t begin = 0; begin < bodies; begin += Width) {
    using Pack = Lanes<double, Width, Register>;
    Vec3<Pack> moments;
    State<Pack> s{};
    for (std::size_t i = 0; i < Width; ++i) {
      set_lane(moments, i, body_of(begin + i).inertia);
      set_lane(s, i, start_of(begin + i));
    }
    const Body<Pack> body(moments);
    s = run<M>(System{body, field.of(body)}, s);
    for (std::size_t i = 0; i < Width; ++i) {
      const Body<double> one = body_of(begin + i);
      const State<double> alone = run<M>(System{one, field.of(one)}, start_of(begin + i));
      EXPECT_TRUE(same_bits(lane(s, i), alone)) << name << ", body " << begin + i << " of a pack of " << Width;
    }
  }
}

}  // namespace polhode::packs
