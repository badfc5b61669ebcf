// How a body turns whose momentum in space is known: q' = q v, v = I^-1 R^T L(t)/2.
//
// Picard sweeps on Lobatto collocation of order 16, all nodes side by side, until they settle.
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

// A turn that may be driven several times, each time from where the last one led.
template <class T>
class DrivenTurn {
 public:
  DrivenTurn(const Body<T>& body, const Rotation<T>& R_SB, const Vec3<T>& L_S, const T& h)
      : body_(body), R_0_(R_SB), L_0_(L_S), h_(h) {}

  // Where the sweeps do not settle, because the step is too long for them, the work says so.
  State<T> driven_by(const Impulses<T>& impulses, const T& t, Work& work) {
    constexpr std::size_t last = turn_nodes - 1;
    settle_in(impulses);
    if (!(change_ <= T(32) * T(epsilon<T>()))) {
      work.converged = false;
      work.residual = static_cast<double>(plain(change_));
    }
    L_end_ = L_0_ + Vec3<T>{impulses[0][last], impulses[1][last], impulses[2][last]};
    const Rotation<T> q{R_0_.w + D_[0][last], {R_0_.v.x + D_[1][last], R_0_.v.y + D_[2][last], R_0_.v.z + D_[3][last]}};
    const Rotation<T> R_SB = renormalised(renormalised(q));
    return {R_SB, inverse(R_SB) * L_end_, t + h_};
  }
  const Vec3<T>& momentum_S() const { return L_end_; }

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
    T squared_change(0);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      const std::array<S, 4> f =
          rate(Rotation<S>{S(q_0[0]) + D[0], {S(q_0[1]) + D[1], S(q_0[2]) + D[2], S(q_0[3]) + D[3]}}, L);
      squared_change = T(0);
#pragma GCC unroll 4
      for (std::size_t k = 0; k < 4; ++k) {
        const S sum = picard::integrated(g[k], tables.integral, f[k], std::make_index_sequence<turn_nodes / 2>{});
        const T by = sum.back() - D[k].back();
        squared_change = squared_change + by * by;
        D[k] = sum;
      }
      if (squared_change < T(4) * T(epsilon<T>()) * T(epsilon<T>())) break;
    }
    change_ = sqrt(squared_change);
    for (std::size_t k = 0; k < 4; ++k) D[k].store(D_[k]);
  }

  // h q v
  template <class S>
  [[gnu::always_inline]] inline std::array<S, 4> rate(const Rotation<S>& q, const Vec3<S>& L_S) const {
    const Vec3<S> pi_B = inlined::product(inverse(q), L_S);
    const Vec3<T> J = T(T(0.5) * h_) * body_.inverse_inertia;
    const Vec3<S> v{S(J.x) * pi_B.x, S(J.y) * pi_B.y, S(J.z) * pi_B.z};
    return {-(q.v.x * v.x) - q.v.y * v.y - q.v.z * v.z, q.w * v.x + q.v.y * v.z - q.v.z * v.y,
            q.w * v.y + q.v.z * v.x - q.v.x * v.z, q.w * v.z + q.v.x * v.y - q.v.y * v.x};
  }

  const Body<T>& body_;
  Rotation<T> R_0_;
  Vec3<T> L_0_, L_end_{};
  T h_;
  T change_{};                         // of the quaternion at the end, in the last sweep
  std::array<AtTurnNodes<T>, 4> D_{};  // of the quaternion at the nodes, from where it was
};

}  // namespace polhode
