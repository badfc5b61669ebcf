// How a body turns whose momentum in space is known: q' = q v, v = I^-1 R^T L(t)/2.
//
// Picard sweeps on Lobatto collocation of order 16, all nodes side by side, until another would change nothing.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "polhode/core/instruction_set.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/methods/picard_tables.hpp"
#include "polhode/model/field.hpp"

namespace polhode {

inline constexpr std::size_t turn_nodes = 8;  // after the first

template <class T>
using AtTurnNodes = picard::AtNodes<T, turn_nodes>;

// What the torque has added to the momentum in space at the nodes, axis by axis.
template <class T>
using Impulses = std::array<AtTurnNodes<T>, 3>;

template <class T>
using TurnTables = picard::UnitTables<T, turn_nodes>;

namespace detail {
// Of torques in space and their integrals to the nodes. The oldest first, whose weight is the smallest.
template <class S, class T, std::size_t Count>
[[gnu::always_inline]] inline void add_impulses(const std::array<AtTurnNodes<T>, Count>& integrals,
                                                const std::array<Vec3<T>, Count>& torque_S, const T& h,
                                                Impulses<T>& sum) {
  S x(T(0)), y(T(0)), z(T(0));
  for (std::size_t j = Count; j-- > 0;) {
    const S integral = S::load(integrals[j]);
    x = x + integral * S(T(h * torque_S[j].x));
    y = y + integral * S(T(h * torque_S[j].y));
    z = z + integral * S(T(h * torque_S[j].z));
  }
  x.store(sum[0]);
  y.store(sum[1]);
  z.store(sum[2]);
}
template <class T, std::size_t Count>
POLHODE_AVX512 POLHODE_FUSED void add_impulses_avx512(const std::array<AtTurnNodes<T>, Count>& integrals,
                                                      const std::array<Vec3<T>, Count>& torque_S, const T& h,
                                                      Impulses<T>& sum) {
  add_impulses<Lanes<T, turn_nodes, turn_nodes>>(integrals, torque_S, h, sum);
}
template <class T, std::size_t Count>
POLHODE_AVX2 POLHODE_FUSED void add_impulses_avx2(const std::array<AtTurnNodes<T>, Count>& integrals,
                                                  const std::array<Vec3<T>, Count>& torque_S, const T& h,
                                                  Impulses<T>& sum) {
  add_impulses<Lanes<T, turn_nodes, 4>>(integrals, torque_S, h, sum);
}
}  // namespace detail

template <class T, std::size_t Count>
Impulses<T> impulses_of(const std::array<AtTurnNodes<T>, Count>& integrals, const std::array<Vec3<T>, Count>& torque_S,
                        const T& h) {
  Impulses<T> sum;
  if constexpr (std::is_same_v<T, double>) {
    switch (instruction_set()) {
      case InstructionSet::avx512: detail::add_impulses_avx512(integrals, torque_S, h, sum); return sum;
      case InstructionSet::avx2: detail::add_impulses_avx2(integrals, torque_S, h, sum); return sum;
      case InstructionSet::baseline: break;
    }
  }
  detail::add_impulses<Lanes<T, turn_nodes, (detail::widest<T, turn_nodes> > 1 ? 2 : 1)>>(integrals, torque_S, h, sum);
  return sum;
}

// What the last digits of a state leave out of it: the next turn begins with it, so that roundings do not add up.
template <class T>
struct LeftOut {
  std::array<T, 4> q{};
  Vec3<T> L_S{};
};

// A turn that may be driven several times, each time from where the last one led.
template <class T>
class DrivenTurn {
 public:
  DrivenTurn(const Body<T>& body, const Rotation<T>& R_SB, const Vec3<T>& L_S, const T& h, const LeftOut<T>& left = {})
      : body_(body), R_0_(R_SB), L_0_(L_S), left_0_(left), h_(h) {}

  // Where the sweeps do not settle, because the step is too long for them, the work says so.
  State<T> driven_by(const Impulses<T>& impulses, const T& t, Work& work) {
    settle_in(impulses);
    if (!(unsettled_ <= T(32) * T(epsilon<T>()))) {
      work.converged = false;
      work.residual = static_cast<double>(plain(unsettled_));
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      L_end_[axis] = sum_of(L_0_[axis], T(impulses[axis].back() + left_0_.L_S[axis]), left_end_.L_S[axis]);
    const std::array<T, 4> q_0{R_0_.w, R_0_.v.x, R_0_.v.y, R_0_.v.z};
    std::array<T, 4> q;
    for (std::size_t k = 0; k < 4; ++k) q[k] = sum_of(q_0[k], T(D_[k].back() + left_0_.q[k]), left_end_.q[k]);
    // Of length one together with what is left out.
    T excess(-1);
    for (std::size_t k = 0; k < 4; ++k) excess = excess + q[k] * q[k];
    for (std::size_t k = 0; k < 4; ++k) excess = excess + T(2) * q[k] * left_end_.q[k];
    for (std::size_t k = 0; k < 4; ++k) left_end_.q[k] = left_end_.q[k] - T(0.5) * excess * q[k];
    const Rotation<T> R_SB{q[0], {q[1], q[2], q[3]}};
    return {R_SB, inverse(R_SB) * L_end_, t + h_};
  }
  const Vec3<T>& momentum_S() const { return L_end_; }
  const LeftOut<T>& left_out() const { return left_end_; }

 private:
  void settle_in(const Impulses<T>& impulses) {
    if constexpr (std::is_same_v<T, double>) {
      switch (instruction_set()) {
        case InstructionSet::avx512: return settle_avx512(impulses);
        case InstructionSet::avx2: return settle_avx2(impulses);
        case InstructionSet::baseline: break;
      }
    }
    settle<Lanes<T, turn_nodes, (detail::widest<T, turn_nodes> > 1 ? 2 : 1)>>(impulses);
  }
  POLHODE_AVX512 POLHODE_FUSED void settle_avx512(const Impulses<T>& impulses) {
    settle<Lanes<T, turn_nodes, turn_nodes>>(impulses);
  }
  POLHODE_AVX2 POLHODE_FUSED void settle_avx2(const Impulses<T>& impulses) {
    settle<Lanes<T, turn_nodes, 4>>(impulses);
  }

  // a + b, where |a| > |b| or nearly so, and what rounding leaves out of it.
  static T sum_of(const T& a, const T& b, T& left) {
    const T sum = a + b;
    left = b - (sum - a);
    return sum;
  }

  template <class S>
  [[gnu::always_inline]] inline void settle(const Impulses<T>& impulses) {
    const TurnTables<T>& tables = TurnTables<T>::get();
    const Vec3<S> L{S(L_0_.x) + S::load(impulses[0]), S(L_0_.y) + S::load(impulses[1]),
                    S(L_0_.z) + S::load(impulses[2])};
    const std::array<T, 4> q_0{R_0_.w, R_0_.v.x, R_0_.v.y, R_0_.v.z};
    const std::array<S, 4> f_0 =
        rate(Rotation<S>{S(q_0[0]), {S(q_0[1]), S(q_0[2]), S(q_0[3])}}, Vec3<S>{S(L_0_.x), S(L_0_.y), S(L_0_.z)});
    std::array<S, 4> g, D;
    for (std::size_t k = 0; k < 4; ++k) {
      g[k] = S::load(tables.integral[0]) * f_0[k];
      D[k] = S::load(D_[k]);
    }
    constexpr int most_sweeps = 40;
    // Squares, summed over nodes and components, here and below. What is left out would be left out in every step: an
    // eighth of a rounding unit is little beside the rounding of D, which is itself small.
    const T unit = T(epsilon<T>()) * T(epsilon<T>());
    T before(0), change(0);
    bool settled = false;
    for (int sweep = 0; sweep < most_sweeps && !settled; ++sweep) {
      const std::array<S, 4> f =
          rate(Rotation<S>{S(q_0[0]) + D[0], {S(q_0[1]) + D[1], S(q_0[2]) + D[2], S(q_0[3]) + D[3]}}, L);
      S squares(T(0));
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) {
        const S sum = picard::integrated(g[k], tables.integral, f[k], std::make_index_sequence<turn_nodes / 2>{});
        const S by = sum - D[k];
        squares = squares + by * by;
        D[k] = sum;
      }
      // A sweep gains more than the one before it: the next would change less than change^2/before.
      change = squares.sum();
      if (sweep == 0) before = change;
      const bool next_is_nothing = change * change <= unit / T(64) * before;
      const bool only_rounding = sweep > 0 && change <= T(4 * turn_nodes) * unit && T(4) * change >= before;
      settled = next_is_nothing || only_rounding;
      before = change;
    }
    unsettled_ = settled ? T(0) : T(sqrt(change));
    for (std::size_t k = 0; k < 4; ++k) D[k].store(D_[k]);
  }

  // h q v
  template <class S>
  [[gnu::always_inline]] inline std::array<S, 4> rate(const Rotation<S>& q, const Vec3<S>& L_S) const {
    const Vec3<S> pi_B = inlined::product(inverse(q), L_S);
    const Vec3<T> J = T(T(0.5) * h_) * body_.inverse_inertia;
    const Vec3<S> v{S(J.x) * pi_B.x, S(J.y) * pi_B.y, S(J.z) * pi_B.z};
    const Rotation<S> turn = inlined::rate(q, v);
    return {turn.w, turn.v.x, turn.v.y, turn.v.z};
  }

  const Body<T>& body_;
  Rotation<T> R_0_;
  Vec3<T> L_0_, L_end_{};
  LeftOut<T> left_0_, left_end_{};
  T h_;
  T unsettled_{};                      // change of the quaternion in the last sweep, where there had to be more
  std::array<AtTurnNodes<T>, 4> D_{};  // of the quaternion at the nodes, from where it was
};

}  // namespace polhode
