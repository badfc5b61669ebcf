// Looks for events within every step, on the dense output, and ends the run where one of them says so.
#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "polhode/core/evaluate_expression.hpp"
#include "polhode/core/sign_changes.hpp"
#include "polhode/run/dense_output.hpp"
#include "polhode/run/drive.hpp"
#include "run/stretch_motion.hpp"
#include "run/view.hpp"
#include "run/watched.hpp"

namespace polhode {

template <class T>
class EventWatch : public Observer<T> {
 public:
  // An event that happened, by its place in the list.
  struct Found {
    std::size_t event;  // the number of events: the condition
    bool rising;
    Reached<T> at;
  };

  EventWatch(const Watched& watched, const View<T>& view, DenseOutput<T>& dense, const Reached<T>& start)
      : watched_(watched), view_(view), dense_(dense) {
    const auto add = [&](const WatchedFunction& function, std::size_t event) {
      signs_.push_back({&function, event, value(function, start.state) < T(0)});
    };
    for (std::size_t i = 0; i < watched.events.size(); ++i) add(watched.events[i].watched, i);
    if (watched.stop_when) {
      for (const WatchedFunction& comparison : watched.stop_when->comparisons) add(comparison, watched.events.size());
    }
    if (watched.stop_when && holds(start.state)) end({watched.events.size(), true, start});
  }

  // The condition holds before the first step.
  bool ended() const { return ended_.has_value(); }
  // The state the run ends in, where an event ended it.
  const Found& end() const { return *ended_; }
  const std::vector<Found>& events() const { return events_; }

  bool before_step(const Stepper<T>&, const T&) { return !ended_; }

  bool after_step(Stepper<T>&, const T&) {
    changes_.clear();
    for (std::size_t i = 0; i < dense_.stretches(); ++i) look_at(i);
    const bool backwards = dense_.stretch(0).end < dense_.stretch(0).begin;
    std::stable_sort(changes_.begin(), changes_.end(), [&](const Change& a, const Change& b) {
      return backwards ? b.at.state.t < a.at.state.t : a.at.state.t < b.at.state.t;
    });
    if (begins_) drop_changes_at_start();
    begins_ = false;
    for (const Change& change : changes_) {
      if (!happens(change)) continue;
      const Found found{change.event, change.rising, change.at};
      if (change.event < watched_.events.size()) events_.push_back(found);
      if (change.event < watched_.events.size() && !watched_.events[change.event].terminal) continue;
      end(found);
      return false;
    }
    return true;
  }

 private:
  struct Sign {
    const WatchedFunction* function;
    std::size_t event;
    bool negative;  // where the last step ended
  };
  struct Change {
    std::size_t event;
    bool rising;
    Reached<T> at;
  };

  static constexpr int samples = 16;  // of a step, where the function is not smooth

  void end(const Found& found) { ended_ = found; }

  // A run that begins at zero, but for rounding, leaves it at once: that is no event. A condition that comes true in this
  // way ends the run all the same.
  void drop_changes_at_start() {
    using std::abs;
    const auto [begin, end] = dense_.stretch(0);
    const T near = T(1e-9) * T(abs(T(end - begin)));
    std::erase_if(changes_, [&, begin = begin](const Change& change) {
      return change.event < watched_.events.size() && T(abs(T(change.at.state.t - begin))) <= near;
    });
  }

  // Whether the change is one that was asked for.
  bool happens(const Change& change) const {
    if (change.event == watched_.events.size()) return holds(change.at.state);
    const Crossing wanted = watched_.events[change.event].direction;
    return wanted == Crossing::both || (wanted == Crossing::rising) == change.rising;
  }

  bool holds(const State<T>& s) const {
    return evaluate(watched_.stop_when->condition, view_.motion(s).data()) > T(0.5);
  }

  T value(const WatchedFunction& function, const State<T>& s) const {
    if (!function.function) return evaluate(function.program, view_.motion(s).data());
    return T(function.function(cast<double>(view_.state(s)), cast<double>(view_.velocity_B(s))));
  }

  Reached<T> reached(const T& t, std::size_t stretch) const {
    const PassedState<T> passed = dense_.passed(t, stretch);
    return {passed.state, passed.momentum_S, dense_.begin().R_SB};
  }

  void look_at(std::size_t stretch) {
    const auto [begin, end] = dense_.stretch(stretch);
    const auto time = [&, begin = begin, end = end](double s) {
      return s == 0 ? begin : s == 1 ? end : T(begin + T(s) * T(end - begin));
    };
    const Reached<T> first = reached(begin, stretch), last = reached(end, stretch);
    const StretchMotion motion([&](double s) {
      const State<T> state = s == 0 ? first.state : s == 1 ? last.state : reached(time(s), stretch).state;
      const auto inputs = view_.motion(state);
      StretchMotion::Sample sample;
      std::transform(inputs.begin(), inputs.begin() + 8, sample.begin(),
                     [](const T& x) { return static_cast<double>(x); });
      return sample;
    });
    for (Sign& sign : signs_) look_for(sign, stretch, first, last, motion, time);
  }

  template <class Time>
  void look_for(Sign& sign, std::size_t stretch, const Reached<T>& first, const Reached<T>& last,
                const StretchMotion& motion, const Time& time) {
    const auto add = [&](bool negative, const Reached<T>& at) {
      changes_.push_back({sign.event, !negative, at});
      sign.negative = negative;
    };
    const T value_first = value(*sign.function, first.state), value_last = value(*sign.function, last.state);
    // A blow between two stretches may take the function across zero at once.
    if ((value_first < T(0)) != sign.negative) add(value_first < T(0), first);
    Reached<T> before = first;
    T value_before = value_first;
    for (const SignChange& change : changes_of(*sign.function, motion)) {
      if (change.rising != sign.negative) continue;
      Reached<T> here = reached(time(change.to), stretch);
      T value_here = value(*sign.function, here.state);
      if ((value_here < T(0)) == sign.negative) {
        // By rounding, the polynomial has it a little earlier.
        if ((value_last < T(0)) == sign.negative) continue;
        here = last;
        value_here = value_last;
      }
      const Reached<T> from = reached(time(change.from), stretch);
      const T value_from = value(*sign.function, from.state);
      if ((value_from < T(0)) == sign.negative) {
        before = from;
        value_before = value_from;
      }
      add(!sign.negative, located(*sign.function, stretch, before, value_before, here, value_here));
      before = here;
      value_before = value_here;
    }
    if ((value_last < T(0)) != sign.negative)
      add(!sign.negative, located(*sign.function, stretch, before, value_before, last, value_last));
  }

  std::vector<SignChange> changes_of(const WatchedFunction& function, const StretchMotion& motion) const {
    const std::function<double(double)> value = [&](double s) {
      const std::array<double, 17> inputs = motion.at(s);
      if (!function.function) return evaluate(function.program, inputs.data());
      return function.function(view_.state_of(inputs), {inputs[5], inputs[6], inputs[7]});
    };
    if (function.smooth) {
      if (const auto found = sign_changes(value)) return *found;
    }
    return sampled_sign_changes(value, samples);
  }

  // Between two states that differ in sign, to the last bit of the time: the first beyond the change.
  Reached<T> located(const WatchedFunction& function, std::size_t stretch, const Reached<T>& a, const T& value_a,
                     const Reached<T>& b, const T& value_b) const {
    if (a.state.t == b.state.t) return b;
    const bool swapped = b.state.t < a.state.t;
    const auto neighbours = [](const T& low, const T& high) {
      const T middle = T(low + (high - low) / T(2));
      return middle == low || middle == high;
    };
    // Zero counts as positive; to the solver it is a root.
    const auto nonzero = [](const T& x) { return x == T(0) ? std::numeric_limits<T>::min() : x; };
    const auto at = [&](const T& t) { return nonzero(value(function, reached(t, stretch).state)); };
    std::uintmax_t most = 200;
    const auto [low, high] = boost::math::tools::toms748_solve(
        at, swapped ? b.state.t : a.state.t, swapped ? a.state.t : b.state.t, nonzero(swapped ? value_b : value_a),
        nonzero(swapped ? value_a : value_b), neighbours, most);
    const T& beyond = swapped ? low : high;
    return beyond == b.state.t ? b : reached(beyond, stretch);
  }

  const Watched& watched_;
  const View<T>& view_;
  DenseOutput<T>& dense_;
  std::vector<Sign> signs_;
  std::vector<Change> changes_;
  std::vector<Found> events_;
  std::optional<Found> ended_;
  bool begins_ = true;
};

}  // namespace polhode
