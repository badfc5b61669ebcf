// Looks for events within every step, on the dense output, and ends the run where one of them says so.
#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "polhode/core/evaluate_expression.hpp"
#include "polhode/core/sign_changes.hpp"
#include "polhode/run/step_polynomial.hpp"
#include "run/view.hpp"
#include "run/watched.hpp"

namespace polhode {

// A function changes its sign.
template <class T>
struct FoundEvent {
  std::size_t event;  // its place in the list; behind the last one: the condition
  bool rising;
  Reached<T> at;
};

template <class T>
class EventWatch : public Observer<T> {
 public:
  // All of these must outlive this.
  EventWatch(const Watched& watched, const Prepared<T>& prepared, const View<T>& view, DenseOutput<T>& dense,
             const Reached<T>& start)
      : watched_(watched), view_(view), dense_(dense), body_(cast<double>(prepared.body)), units_(prepared.units) {
    const auto add = [&](const WatchedFunction& function, std::size_t event) {
      signs_.push_back({&function, event, value(function, start.state) < T(0), T(0), false});
    };
    for (std::size_t i = 0; i < watched.events.size(); ++i) add(watched.events[i].watched, i);
    if (!watched.stop_when) return;
    for (const WatchedFunction& comparison : watched.stop_when->comparisons) add(comparison, condition());
    if (!holds(start.state)) return;
    end_ = {condition(), true, start};
    events_.push_back(*end_);
  }

  // Where an event, or the condition, has ended the run; before the first step already, where the condition holds there.
  const std::optional<FoundEvent<T>>& end() const { return end_; }
  const std::vector<FoundEvent<T>>& events() const { return events_; }

  bool before_step(const Stepper<T>&, const T&) { return !end_; }

  bool after_step(Stepper<T>&, const T& h) {
    changes_.clear();
    for (std::size_t i = 0; i < dense_.stretches(); ++i) look_at(i);
    std::stable_sort(changes_.begin(), changes_.end(), [&](const FoundEvent<T>& a, const FoundEvent<T>& b) {
      return h < T(0) ? b.at.state.t < a.at.state.t : a.at.state.t < b.at.state.t;
    });
    if (begins_) drop_changes_at_start(h);
    begins_ = false;
    for (const FoundEvent<T>& change : changes_) {
      if (!happens(change)) continue;
      events_.push_back(change);
      if (change.event != condition() && !watched_.events[change.event].terminal) continue;
      end_ = change;
      return false;
    }
    return true;
  }

  // What a watch made alike needs to go on.
  void transfer(Archive& archive) {
    for (Sign& sign : signs_) archive(sign.negative);
    std::size_t count = events_.size();
    bool ended = end_.has_value();
    archive(count, ended, begins_);
    if (archive.loads()) {
      events_.assign(std::min(count, archive.left() / sizeof(FoundEvent<T>)), {});
      end_.reset();
      if (ended) end_.emplace();
    }
    for (FoundEvent<T>& event : events_) archive(event);
    if (end_) archive(*end_);
  }

 private:
  struct Sign {
    const WatchedFunction* function;
    std::size_t event;
    bool negative;   // where the last step ended; zero counts as positive, and so does what is no number
    T settled_at{};  // where it begins at zero: as long as nothing but rounding decides its sign
    bool settles = false;
  };

  static constexpr int samples = 16;  // of a step, where a function is not smooth

  std::size_t condition() const { return watched_.events.size(); }

  // A run that begins at zero, but for rounding, leaves it at once: that is no event. A condition that comes true in this
  // way ends the run all the same.
  void drop_changes_at_start(const T& h) {
    std::erase_if(changes_, [&](const FoundEvent<T>& change) {
      return change.event != condition() && is_start(change.at.state.t, signs_[change.event], h);
    });
  }
  // The events come first among the signs.
  bool is_start(const T& t, const Sign& sign, const T& h) const {
    using std::abs;
    const T way = abs(T(t - dense_.begin().t));
    return way <= T(1e-9) * T(abs(h)) || (sign.settles && way <= sign.settled_at);
  }
  // How far the function has to go to be anything but the rounding of its values, where it begins as such.
  void look_at_start(Sign& sign, const StepPolynomial<T>& motion) const {
    const auto size = [&](double s) { return std::abs(value(*sign.function, motion, s)); };
    const double rounding = 64 * static_cast<double>(epsilon<T>()) * std::max({1.0, size(0.5), size(1)});
    if (!(size(0) <= rounding)) return;
    double share = 0x1p-40;
    while (share < 1 && size(share) <= rounding) share *= 2;
    using std::abs;
    sign.settles = true;
    sign.settled_at = T(share) * T(abs(T(motion.end() - motion.begin())));
  }

  // Whether the change is one that was asked for.
  bool happens(const FoundEvent<T>& change) const {
    if (change.event == condition()) return holds(change.at.state);
    const Crossing wanted = watched_.events[change.event].direction;
    return wanted == Crossing::both || (wanted == Crossing::rising) == change.rising;
  }

  bool holds(const State<T>& s) const {
    return evaluate(watched_.stop_when->condition, view_.motion(s).data()) > T(0.5);
  }

  T value(const WatchedFunction& function, const State<T>& s) const {
    if (function.function) return T(function.function(cast<double>(view_.state(s)), cast<double>(view_.velocity_B(s))));
    const T found = evaluate(function.program, view_.motion(s).data());
    return function.negated ? T(-found) : found;
  }
  // The same on the polynomials of a step, in double.
  double value(const WatchedFunction& function, const StepPolynomial<T>& motion, double s) const {
    State<double> state;
    motion.template evaluate<double>(s, state.R_SB, state.pi_B);
    state.t = static_cast<double>(motion.time(T(s)));
    const MotionInputs<double> seen = motion_inputs(body_, state);
    if (!function.function) {
      const double found = evaluate(function.program, seen.data());
      return function.negated ? -found : found;
    }
    const double unit = std::ldexp(1.0, units_.momentum_exponent());
    const Vec3<double> pi_B = unit * (body_.principal_axes * state.pi_B);
    return function.function({{seen[1], {seen[2], seen[3], seen[4]}}, pi_B, seen[0]}, {seen[5], seen[6], seen[7]});
  }

  Reached<T> reached(const T& t, std::size_t stretch) const {
    const PassedState<T> passed = dense_.passed(t, stretch);
    return {passed.state, passed.momentum_S, dense_.begin().R_SB};
  }

  void look_at(std::size_t stretch) {
    const std::vector<StepPolynomial<T>> motions = step_polynomials(dense_, stretch);
    for (const StepPolynomial<T>& motion : motions) {
      const Reached<T> first = reached(motion.begin(), stretch), last = reached(motion.end(), stretch);
      for (Sign& sign : signs_) {
        if (begins_ && stretch == 0 && &motion == &motions.front()) look_at_start(sign, motion);
        look_for(sign, stretch, motion, first, last);
      }
    }
  }

  struct End {
    Reached<T> at;
    T value;
  };

  void look_for(Sign& sign, std::size_t stretch, const StepPolynomial<T>& motion, const Reached<T>& first,
                const Reached<T>& last) {
    const WatchedFunction& function = *sign.function;
    const auto end_at = [&](const Reached<T>& at) { return End{at, value(function, at.state)}; };
    const auto end = [&](double s) { return end_at(reached(T(motion.time(T(s))), stretch)); };
    const auto add = [&](const Reached<T>& at) {
      changes_.push_back({sign.event, sign.negative, at});
      sign.negative = !sign.negative;
    };
    const auto beyond = [&](const End& one) { return (one.value < T(0)) != sign.negative; };

    End before = end_at(first);
    const End after = end_at(last);
    // A blow between two stretches may take the function across zero at once.
    if (beyond(before)) add(first);
    for (const SignChange& change : changes_of(function, motion)) {
      if (change.rising != sign.negative) continue;
      // By rounding the motion itself may cross a little later than the polynomial.
      End to = change.to == 1 ? after : end(change.to);
      if (!beyond(to)) to = after;
      if (!beyond(to)) continue;
      if (change.from > 0) {
        const End from = end(change.from);
        if (!beyond(from)) before = from;
      }
      add(located(function, stretch, before, to));
      before = to;
    }
    if (beyond(after)) add(located(function, stretch, before, after));
  }

  std::vector<SignChange> changes_of(const WatchedFunction& function, const StepPolynomial<T>& motion) const {
    const std::function<double(double)> of = [&](double s) { return value(function, motion, s); };
    if (function.smooth) {
      if (const auto found = sign_changes(of)) return *found;
    }
    return sampled_sign_changes(of, samples);
  }

  // Between two states of which the second is beyond the change, to the last bit of the time: the first that is beyond.
  Reached<T> located(const WatchedFunction& function, std::size_t stretch, const End& before, const End& beyond) const {
    const T &a = before.at.state.t, &b = beyond.at.state.t;
    if (a == b) return beyond.at;
    const bool forwards = a < b;
    using std::abs;
    const auto [begin, end] = dense_.stretch(stretch);
    // Near time zero numbers are finer than any step can tell apart.
    const T finest = T(0.25) * T(epsilon<T>()) * T(abs(T(end - begin)));
    const auto neighbours = [&](const T& low, const T& high) {
      const T middle = T(low + (high - low) / T(2));
      return middle == low || middle == high || T(high - low) <= finest;
    };
    // Zero counts as positive; to the solver it would be a root.
    const auto sure = [](const T& x) { return x < T(0) || x > T(0) ? x : std::numeric_limits<T>::min(); };
    const auto at = [&](const T& t) { return sure(value(function, reached(t, stretch).state)); };
    std::uintmax_t most = 200;
    const auto [low, high] = boost::math::tools::toms748_solve(
        at, forwards ? a : b, forwards ? b : a, sure((forwards ? before : beyond).value),
        sure((forwards ? beyond : before).value), neighbours, most);
    const T& t = forwards ? high : low;
    return t == b ? beyond.at : reached(t, stretch);
  }

  const Watched& watched_;
  const View<T>& view_;
  DenseOutput<T>& dense_;
  Body<double> body_;
  Units units_;
  std::vector<Sign> signs_;
  std::vector<FoundEvent<T>> changes_;  // of one step
  std::vector<FoundEvent<T>> events_;
  std::optional<FoundEvent<T>> end_;
  bool begins_ = true;
};

// The events that happened, as a result has them.
template <class T>
std::vector<Event> seen_events(const EventWatch<T>& watch, const Watched& watched, const View<T>& view) {
  std::vector<Event> events;
  for (const FoundEvent<T>& found : watch.events()) {
    const WatchedEvent* event = found.event < watched.events.size() ? &watched.events[found.event] : nullptr;
    events.push_back({event != nullptr ? event->name : std::string(stop_when_event), found.rising,
                      event == nullptr || event->terminal, view.snapshot(found.at)});
  }
  return events;
}

}  // namespace polhode
