// Torques whose formula changes where the motion has come to some state: a thruster that fires beyond an angle, friction
// against the sign of a rate.
//
// A field of torque says how many switches it has by switch_count(), shows the functions g whose signs decide them by
// switch_values(), and is smooth when they are decided(). Of those that depend on time alone, clear_share() tells in which
// part of a step there is one change of sign at most. Here the switches of all terms of a sum are counted together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "polhode/model/compiled_torque.hpp"

namespace polhode {

// Whether a time depends on what a run is differentiated by: the end of a part of a step then must not be rounded away.
template <class T>
constexpr bool varies([[maybe_unused]] const T& time) {
  if constexpr (derivatives_of<T> == 0) {
    return false;
  } else {
    return !(time == T(plain(time)));
  }
}

template <class F>
concept SwitchedField = requires(const F field) {
  field.switch_count();
};

// Which switches are decided, and which of these are positive.
struct SwitchSides {
  std::uint64_t decided = 0, positive = 0;

  bool is_decided(std::size_t i) const { return (decided >> i & 1) != 0; }
  int sign(std::size_t i) const { return (positive >> i & 1) != 0 ? 1 : -1; }
  void set(std::size_t i, bool is_positive) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    decided |= bit;
    positive = is_positive ? positive | bit : positive & ~bit;
  }
  friend bool operator==(const SwitchSides&, const SwitchSides&) = default;
};

template <class T>
std::size_t switch_count(const FieldSum<T>& field) {
  std::size_t count = 0;
  for (const auto& term : field.terms())
    std::visit(
        [&](const auto& torque) {
          if constexpr (SwitchedField<std::decay_t<decltype(torque)>>) count += torque.switch_count();
        },
        term);
  return count;
}

template <class T>
class Switches {
 public:
  explicit Switches(FieldSum<T> whole) : whole_(std::move(whole)), count_(switch_count(whole_)) {}

  std::size_t count() const { return count_; }

  FieldSum<T> decided(const SwitchSides& sides) const {
    std::vector<typename FieldSum<T>::Term> terms;
    std::size_t first = 0;
    for (const auto& term : whole_.terms()) {
      std::visit(
          [&](const auto& torque) {
            if constexpr (SwitchedField<std::decay_t<decltype(torque)>>) {
              if (const std::size_t count = torque.switch_count(); count > 0) {
                terms.emplace_back(torque.decided(sides.decided >> first, sides.positive >> first));
                first += count;
                return;
              }
            }
            terms.emplace_back(torque);
          },
          term);
    }
    return FieldSum<T>(std::move(terms));
  }

  // A step by h or less from time t in which a function of time alone changes its sign once at most.
  T clear_length(const T& t, const T& h) const {
    double share = 1;
    for (const auto& term : whole_.terms())
      std::visit(
          [&](const auto& torque) {
            if constexpr (SwitchedField<std::decay_t<decltype(torque)>>) {
              if (torque.switch_count() > 0) share = std::min(share, torque.clear_share(t, h));
            }
          },
          term);
    return share == 1 ? h : T(T(share) * h);
  }

  // The functions g and their rates along the motion, in a field made by decided().
  void look(const FieldSum<T>& field, const Body<T>& body, const State<T>& s, std::vector<Series<T, 1>>& g) const {
    using S = Series<T, 1>;
    const auto with_rate = [](const T& value, const T& rate) {
      S made(value);
      made.c[1] = rate;
      return made;
    };
    const Vec3<T> w_B = body.velocity(s.pi_B, s.t);
    const Rotation<T> turn = inlined::rate(s.R_SB, T(0.5) * w_B);
    Vec3<T> a_B = body.velocity(cross(s.pi_B, w_B) + field.torque(s.R_SB, w_B, s.t));
    if (body.carries_wheels) a_B -= body.velocity(body.wheels.rate);
    const Rotation<S> R_SB{
        with_rate(s.R_SB.w, turn.w),
        {with_rate(s.R_SB.v.x, turn.v.x), with_rate(s.R_SB.v.y, turn.v.y), with_rate(s.R_SB.v.z, turn.v.z)}};
    const Vec3<S> velocity{with_rate(w_B.x, a_B.x), with_rate(w_B.y, a_B.y), with_rate(w_B.z, a_B.z)};
    const S time = with_rate(s.t, T(1));
    g.resize(count_);
    std::size_t first = 0;
    for (std::size_t i = 0; i < whole_.terms().size(); ++i) {
      std::visit(
          [&](const auto& torque) {
            using Torque = std::decay_t<decltype(torque)>;
            if constexpr (SwitchedField<Torque>) {
              if (torque.switch_count() == 0) return;
              std::get<Torque>(field.terms()[i]).switch_values(R_SB, velocity, time, g.data() + first);
              first += torque.switch_count();
            }
          },
          whole_.terms()[i]);
    }
  }

 private:
  FieldSum<T> whole_;
  std::size_t count_;
};

}  // namespace polhode
