// Where a motion known by its series first crosses a switch of the torque.
#pragma once

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "model/switches.hpp"
#include "polhode/core/sign_changes.hpp"

namespace polhode {

// Motion: at(time), the state at any time of a step. The functions g of the switches are smooth along it, because the
// step is made in a field in which all of them are decided; none of their changes of sign is left out.
template <class Motion, class T>
class SwitchSearch {
 public:
  SwitchSearch(const Switches<T>& switches, const SwitchSides& sides, const FieldSum<T>& decided, const Body<T>& body,
               const Motion& motion, const State<T>& from)
      : switches_(switches), sides_(sides), decided_(decided), body_(body), motion_(motion), from_(from) {}

  // The first time, up to `end`, at which some g has left its side: of two neighbouring times the later one.
  std::optional<T> first_crossing(const T& end) {
    std::optional<T> first;
    const auto earlier = [&](const T& t) { return !first || abs(T(t - from_.t)) < abs(T(*first - from_.t)); };
    seen_.clear();
    end_ = end;
    for (std::size_t i = 0; i < switches_.count(); ++i) {
      if (!sides_.is_decided(i)) continue;
      if (const std::optional<T> crossing = crossing_of(i); crossing && earlier(*crossing)) first = crossing;
    }
    return first;
  }

  // Those that are on the other side in a state.
  SwitchSides sides_at(const State<T>& s) const {
    SwitchSides sides = sides_;
    const std::vector<T> g = values(s);
    for (std::size_t i = 0; i < g.size(); ++i)
      if (sides.is_decided(i) && T(sides.sign(i)) * g[i] < T(0)) sides.set(i, sides.sign(i) < 0);
    return sides;
  }

  // Sides for the switches that have none, where their functions have left zero by the time.
  SwitchSides settled_at(const T& time) const {
    SwitchSides sides = sides_;
    const std::vector<T> g = values(motion_.at(time));
    for (std::size_t i = 0; i < g.size(); ++i)
      if (!sides.is_decided(i) && g[i] != T(0)) sides.set(i, g[i] > T(0));
    return sides;
  }

 private:
  static constexpr int samples = 64;  // of a step, where a function is not smooth

  std::vector<T> values(const State<T>& s) const {
    std::vector<Series<T, 1>> g;
    switches_.look(decided_, body_, s, g);
    std::vector<T> of(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) of[i] = g[i].c[0];
    return of;
  }
  T time(double share) const { return share == 1 ? end_ : T(from_.t + T(share) * (end_ - from_.t)); }
  State<T> state(const T& t) const { return t == from_.t ? from_ : motion_.at(t); }

  // Positive on the side where the step begins.
  T value(std::size_t i, const T& t) const { return T(sides_.sign(i)) * values(state(t))[i]; }
  // The same in double, for all switches at once: they are asked for at the same places.
  double seen(std::size_t i, double share) {
    auto at = seen_.find(share);
    if (at == seen_.end()) {
      const std::vector<T> g = values(state(time(share)));
      std::vector<double> rounded(g.size());
      for (std::size_t k = 0; k < g.size(); ++k) rounded[k] = sides_.sign(k) * static_cast<double>(g[k]);
      at = seen_.emplace(share, std::move(rounded)).first;
    }
    return at->second[i];
  }

  std::optional<T> crossing_of(std::size_t i) {
    if (value(i, from_.t) < T(0)) return from_.t;
    const std::function<double(double)> function = [&](double share) { return seen(i, share); };
    const std::optional<std::vector<SignChange>> isolated = sign_changes(function);
    for (const SignChange& change : isolated ? *isolated : sampled_sign_changes(function, samples)) {
      if (change.rising) continue;
      const T beyond = time(change.to), before = time(change.from);
      if (value(i, beyond) < T(0)) return located(i, value(i, before) < T(0) ? from_.t : before, beyond);
    }
    if (value(i, end_) < T(0)) return located(i, from_.t, end_);  // by rounding alone no polynomial shows it
    return std::nullopt;
  }

  T located(std::size_t i, const T& before, const T& beyond) const {
    const bool forwards = before < beyond;
    const T finest = T(0.25) * T(epsilon<T>()) * T(abs(T(end_ - from_.t)));
    const auto neighbours = [&](const T& low, const T& high) {
      const T middle = T(low + (high - low) / T(2));
      return middle == low || middle == high || T(high - low) <= finest;
    };
    // Zero belongs to the side it comes from; to the solver it would be a root.
    const auto sure = [](const T& x) { return x != T(0) ? x : std::numeric_limits<T>::min(); };
    const auto at = [&](const T& t) { return sure(value(i, t)); };
    std::uintmax_t most = 200;
    const T& low = forwards ? before : beyond;
    const T& high = forwards ? beyond : before;
    const auto [left, right] = boost::math::tools::toms748_solve(at, low, high, at(low), at(high), neighbours, most);
    return forwards ? right : left;
  }

  const Switches<T>& switches_;
  const SwitchSides& sides_;
  const FieldSum<T>& decided_;
  const Body<T>& body_;
  const Motion& motion_;
  const State<T>& from_;
  T end_{};
  std::map<double, std::vector<double>> seen_;
};

}  // namespace polhode
