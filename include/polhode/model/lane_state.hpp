// One of several bodies side by side: its state, its moments.
#pragma once

#include "polhode/core/lanes.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr State<T> lane(const State<Lanes<T, N, W>>& s, std::size_t i) {
  return {lane(s.R_SB, i), lane(s.pi_B, i), s.t[i]};
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr void set_lane(State<Lanes<T, N, W>>& s, std::size_t i, const State<T>& one) {
  set_lane(s.R_SB, i, one.R_SB);
  set_lane(s.pi_B, i, one.pi_B);
  s.t.set(i, one.t);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Body<T> lane(const Body<Lanes<T, N, W>>& body, std::size_t i) {
  Body<T> one(lane(body.inertia, i), lane(body.principal_axes, i));
  one.second = body.second[i];
  return one;
}

}  // namespace polhode
