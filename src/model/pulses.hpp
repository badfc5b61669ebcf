// Torques that begin and end: the time is cut where one of them does, and between two cuts the torque is smooth.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "polhode/model/any_field.hpp"

namespace polhode {

// From a cut to the next one.
template <class T>
struct Piece {
  T begin;            // no meaning for the first, which has always been
  Vec3<T> impulse_S;  // at the beginning
  FieldSum<T> field;  // without pulses
};

// The first piece has no beginning and the last no end.
template <class T>
std::vector<Piece<T>> pieces_of(const FieldSum<T>& field) {
  std::vector<T> cuts;
  std::vector<Pulse<T>> pulses;
  std::vector<typename FieldSum<T>::Term> others;
  for (const auto& term : field.terms()) {
    if (const auto* pulse = std::get_if<Pulse<T>>(&term)) {
      pulses.push_back(*pulse);
      cuts.insert(cuts.end(), {pulse->from, pulse->until});
    } else {
      others.push_back(term);
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::vector<Piece<T>> pieces{{T(0), {}, FieldSum<T>(others)}};
  for (const T& cut : cuts) {
    Vec3<T> torque_S{}, impulse_S{};
    for (const Pulse<T>& pulse : pulses) {
      if (pulse.from <= cut && cut < pulse.until) torque_S += pulse.torque_S;
      if (pulse.until == cut) impulse_S += pulse.impulse_S;
    }
    auto terms = others;
    if (torque_S != Vec3<T>{}) terms.emplace_back(ConstantSpatial<T>{torque_S});
    pieces.push_back({cut, impulse_S, FieldSum<T>(std::move(terms))});
  }
  return pieces;
}

// A motion across the cuts: advance(field, state, end) takes a state to `end` within one piece. At a cut the state is the
// one after its impulse.
template <class T, class Advance>
State<T> across_cuts(const std::vector<Piece<T>>& pieces, State<T> s, const T& end, const Advance& advance) {
  std::size_t at = 0;
  while (at + 1 < pieces.size() && pieces[at + 1].begin <= s.t) ++at;
  for (; at + 1 < pieces.size() && pieces[at + 1].begin <= end; ++at) {
    s = advance(pieces[at].field, s, pieces[at + 1].begin);
    s.pi_B += inverse(s.R_SB) * pieces[at + 1].impulse_S;
  }
  for (; at > 0 && pieces[at].begin > end; --at) {
    s = advance(pieces[at].field, s, pieces[at].begin);
    s.pi_B -= inverse(s.R_SB) * pieces[at].impulse_S;
  }
  return advance(pieces[at].field, s, end);
}

}  // namespace polhode
