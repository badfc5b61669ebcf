// Torques that are not smooth: the time is cut where one of them jumps or changes its formula, and between two cuts all
// of them are smooth.
//
// A field of torque says where by cuts(), a sorted range of times. Its smooth_from(cut) is a field that is smooth for all
// times and the same as itself from that cut until its next one; of no cut, until its first. A field whose spatial
// momentum jumps at a cut says by how much: impulse_at(cut).
#pragma once

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "polhode/model/compiled_torque.hpp"

namespace polhode {

template <class F>
concept CutField = requires(const F field) {
  field.cuts();
};

// Whether time is cut anywhere.
template <class T>
bool has_cuts(const FieldSum<T>& field) {
  const auto is_cut = [](const auto& term) {
    return std::visit(
        [](const auto& torque) {
          if constexpr (CutField<std::decay_t<decltype(torque)>>) return !std::ranges::empty(torque.cuts());
          return false;
        },
        term);
  };
  return std::any_of(field.terms().begin(), field.terms().end(), is_cut);
}

// The cuts of all terms, and the field between two of them. Piece i begins at cut i - 1; the first piece has no beginning
// and the last no end. Fields are made when they are asked for: a table may have a hundred thousand cuts.
template <class T>
class Pieces {
 public:
  explicit Pieces(FieldSum<T> whole) : whole_(std::move(whole)) {
    for_each_cut_field([&](const auto& field) {
      const auto cuts = field.cuts();
      cuts_.insert(cuts_.end(), cuts.begin(), cuts.end());
    });
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  }

  std::size_t size() const { return cuts_.size() + 1; }
  // Of every piece but the first.
  const T& begin(std::size_t piece) const { return cuts_[piece - 1]; }
  std::size_t at(const T& t) const {
    return static_cast<std::size_t>(std::upper_bound(cuts_.begin(), cuts_.end(), t) - cuts_.begin());
  }

  // At the beginning of a piece, on the spatial momentum.
  Vec3<T> impulse_S(std::size_t piece) const {
    Vec3<T> sum{};
    for_each_cut_field([&](const auto& field) {
      if constexpr (requires { field.impulse_at(begin(piece)); }) sum += field.impulse_at(begin(piece));
    });
    return sum;
  }

  FieldSum<T> field(std::size_t piece) const {
    const std::optional<T> cut = piece == 0 ? std::nullopt : std::optional(begin(piece));
    std::vector<typename FieldSum<T>::Term> terms;
    ConstantSpatial<T> constant{};  // all together
    const auto add = [&](const auto& field) {
      using Field = std::decay_t<decltype(field)>;
      if constexpr (CutField<Field>) {
        const auto smooth = field.smooth_from(cut);
        if constexpr (std::is_same_v<std::decay_t<decltype(smooth)>, ConstantSpatial<T>>) {
          constant.torque_S += smooth.torque_S;
        } else {
          terms.emplace_back(smooth);
        }
      } else {
        terms.emplace_back(field);
      }
    };
    for (const auto& term : whole_.terms()) std::visit(add, term);
    if (constant.torque_S != Vec3<T>{}) terms.emplace_back(constant);
    return FieldSum<T>(std::move(terms));
  }

 private:
  template <class Function>
  void for_each_cut_field(const Function& function) const {
    for (const auto& term : whole_.terms()) {
      std::visit(
          [&](const auto& field) {
            if constexpr (CutField<std::decay_t<decltype(field)>>) function(field);
          },
          term);
    }
  }

  FieldSum<T> whole_;
  std::vector<T> cuts_;
};

// A motion across the cuts: advance(field, state, end) takes a state to `end` within one piece. At a cut the state is the
// one after its impulse.
template <class T, class Advance>
State<T> across_cuts(const Pieces<T>& pieces, State<T> s, const T& end, const Advance& advance) {
  std::size_t at = pieces.at(s.t);
  for (; at + 1 < pieces.size() && pieces.begin(at + 1) <= end; ++at) {
    s = advance(pieces.field(at), s, pieces.begin(at + 1));
    s.pi_B += inverse(s.R_SB) * pieces.impulse_S(at + 1);
  }
  for (; at > 0 && pieces.begin(at) > end; --at) {
    s = advance(pieces.field(at), s, pieces.begin(at));
    s.pi_B -= inverse(s.R_SB) * pieces.impulse_S(at);
  }
  return advance(pieces.field(at), s, end);
}

}  // namespace polhode
