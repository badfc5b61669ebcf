// A motion in one scalar, by two integrators, as far as it has been asked for. Included by one translation unit per
// scalar.
#pragma once

#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "polhode/measure/error.hpp"
#include "polhode/methods/registry.hpp"
#include "problems/kept_motion.hpp"
#include "problems/motion_name.hpp"
#include "problems/motion_records.hpp"
#include "problems/reference_in.hpp"

namespace polhode {

template <class T>
class KeptMotionIn final : public KeptMotion<T> {
 public:
  explicit KeptMotionIn(const Setup& setup)
      : prepared_(prepare<T>(setup)),
        pieces_(prepared_.field),
        name_(name_of(fmt::format("{} bits\n", std::numeric_limits<T>::digits) + MotionNumbers<T>(prepared_).text())),
        rounding_(static_cast<double>(epsilon<T>()) * (is_turned() ? 8 : 1)),
        start_{prepared_.start, aside(prepared_.start)} {}

  Reference<T> at(const T& seconds, double rounding, const ReferenceControl& control, ReferenceStore* store) override {
    if (!isfinite(seconds)) throw std::invalid_argument("a motion has no state at a time that is not finite");
    if (!std::exchange(looked_, true) && store != nullptr) load(*store, control);
    const T t = after_impulse(detail::internal_time(prepared_, seconds), detail::internal_time(prepared_, T(rounding)));
    const Record* known = nearest(t);
    if (known == nullptr) {
      const Record& begin = before(t);
      Record reached = integrated(begin, t, control);
      const bool arrived = reached.first.t == t;
      if (reached.first.t != begin.first.t) keep(std::move(reached), store, control);
      if (!arrived) throw Error(ErrorKind::interrupted, "interrupted while the reference was computed");
      known = nearest(t);
    }
    State<T> state = known->first;
    if (state.t != t) {
      TaylorMotion<reference_order<T>, T> motion(prepared_, state);
      motion.advance_to(t);
      state = motion.state();
    }
    return answer(*known, state);
  }

 private:
  struct Record {
    State<T> first, second;
    double turned = 0;  // [rad]
    bool from_store = false;
  };
  using Clock = std::chrono::steady_clock;

  static constexpr int steps_at_once = 16;         // of the first integrator, before the second follows
  static constexpr std::size_t most_records = 64;  // that are stored

  bool is_turned() const { return !(prepared_.body.principal_axes == Rotation<T>{}); }

  // As far away as the rounding of the data, in attitude and momentum, in no particular direction.
  State<T> aside(State<T> s) const {
    const T part = T(rounding_) / sqrt(T(3));
    s.R_SB = renormalised(s.R_SB * exp(Vec3<T>{part, -part, part}));
    s.pi_B += (part * norm(s.pi_B)) * Vec3<T>{T(1), T(1), T(-1)};
    return s;
  }

  T after_impulse(const T& t, const T& rounding) const {
    const std::size_t piece = pieces_.at(t + rounding);
    return piece > 0 && pieces_.begin(piece) > t ? pieces_.begin(piece) : t;
  }

  T way(const T& t) const { return t - prepared_.start.t; }

  // A record from which the time is no further than the rounding of a float.
  const Record* nearest(const T& t) const {
    const Record* found = t == start_.first.t ? &start_ : nullptr;
    for (const Record& record : records_) {
      const T distance = abs(T(t - record.first.t));
      if (distance > T(1e-6) * abs(way(t))) continue;
      if (found == nullptr || distance < abs(T(t - found->first.t))) found = &record;
    }
    return found;
  }
  // The last one on the way there.
  const Record& before(const T& t) const {
    const Record* found = &start_;
    for (const Record& record : records_) {
      const T done = way(record.first.t) / way(t);
      if (done > T(0) && done < T(1) && abs(way(record.first.t)) > abs(way(found->first.t))) found = &record;
    }
    return *found;
  }

  // As far as `end`, or to where it was stopped.
  Record integrated(const Record& from, const T& end, const ReferenceControl& control) const {
    TaylorMotion<reference_order<T>, T> first(prepared_, from.first);
    const std::unique_ptr<Stepper<T>> second =
        make_stepper<T>(parse_method("taylor-adaptive"), prepared_.body, prepared_.field);
    second->start(from.second, end - from.second.t);
    const Clock::time_point begin = Clock::now();
    double next_report = 0.1;  // [s]
    bool announced = false;
    while (first.state().t != end) {
      for (int n = 0; n < steps_at_once && first.state().t != end; ++n) first.step(end);
      follow(*second, first.state().t);
      const double done = static_cast<double>(T((first.state().t - from.first.t) / (end - from.first.t)));
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      if (!std::exchange(announced, true) && control.announce) control.announce(seconds / done);
      if (control.progress && seconds >= next_report) {
        next_report = seconds + 0.1;
        control.progress(done, seconds);
      }
      if (control.stop != nullptr && control.stop->load(std::memory_order_relaxed)) break;
    }
    return {first.state(), second->state, from.turned + first.turned()};
  }

  // Switches are looked for at the ends of its steps, which are then short.
  void follow(Stepper<T>& second, const T& t) const {
    const int parts = switch_count(prepared_.field) > 0 ? 2 * steps_at_once : 1;
    const T from = second.state.t;
    for (int i = 1; i <= parts; ++i) {
      const T to = i == parts ? t : T(from + (t - from) * T(i) / T(parts));
      second.step(to - second.state.t);
      second.state.t = to;
    }
    if (!second.work.converged || !all_finite(second.state))
      throw Error(ErrorKind::run_failed, "the second of its two integrators does not come to the end of the motion");
  }

  Reference<T> answer(const Record& record, const State<T>& state) const {
    const double rounding = rounding_ * (2 + record.turned);
    const double angle = static_cast<double>(angle_between(record.first.R_SB, record.second.R_SB));
    const State<T> in_si = prepared_.in_user_units(state);
    const double size = static_cast<double>(norm(in_si.pi_B));
    const double distance = std::ldexp(static_cast<double>(norm(record.first.pi_B - record.second.pi_B)),
                                       prepared_.units.momentum_exponent());
    return {in_si, std::max(2 * angle, rounding), std::max(2 * distance, rounding * size),
            record.from_store ? ReferenceSource::cache : ReferenceSource::computed};
  }

  static ReferenceNode written(const State<T>& s) {
    const auto& q = s.R_SB;
    return {digits_of(s.t),
            {digits_of(q.w), digits_of(q.v.x), digits_of(q.v.y), digits_of(q.v.z)},
            {digits_of(s.pi_B.x), digits_of(s.pi_B.y), digits_of(s.pi_B.z)}};
  }

  void load(ReferenceStore& store, const ReferenceControl& control) {
    try {
      const std::string text = store.load(name_);
      if (text.empty()) return;
      for (const MotionRecord& record : parse_records(text, name_))
        records_.push_back(
            {detail::state_at<T>(record.first), detail::state_at<T>(record.second), record.turned, true});
    } catch (const Error& error) {
      records_.clear();
      if (control.warn)
        control.warn(
            fmt::format("the reference kept in '{}' {}; it is computed again", store.place(name_), error.what()));
    }
  }

  void keep(Record record, ReferenceStore* store, const ReferenceControl& control) {
    records_.push_back(std::move(record));
    if (store == nullptr) return;
    std::vector<MotionRecord> all;
    const std::size_t first = records_.size() > most_records ? records_.size() - most_records : 0;
    for (std::size_t i = first; i < records_.size(); ++i)
      all.push_back({written(records_[i].first), written(records_[i].second), records_[i].turned});
    try {
      store->save(name_, to_json(name_, all));
    } catch (const Error& error) {
      if (control.warn)
        control.warn(fmt::format("{}; the reference is not kept, and the next run computes it again", error.what()));
    }
  }

  Prepared<T> prepared_;
  Pieces<T> pieces_;
  std::string name_;
  double rounding_;  // of the data: one unit, and some more where principal axes had to be found
  Record start_;
  std::vector<Record> records_;
  bool looked_ = false;
};

template <class T>
std::unique_ptr<KeptMotion<T>> make_kept_motion(const Setup& setup) {
  return std::make_unique<KeptMotionIn<T>>(setup);
}

}  // namespace polhode
