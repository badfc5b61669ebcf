// Trial runs in one scalar, with a reference in another. Included by the translation units that instantiate them.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>

#include "polhode/measure/error.hpp"
#include "polhode/measure/work_precision.hpp"
#include "polhode/methods/halving.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/drive.hpp"
#include "run/pilot.hpp"

namespace polhode {

template <class T, class Wide>
struct PilotGround {
  Prepared<T> prepared;
  double horizon;  // [s]
  bool on_sphere;
  std::array<State<Wide>, pilot_nodes> reference;  // at the sixteenths of the horizon, SI units
};

template <class T, class Wide>
class PilotIn final : public Pilot {
 public:
  PilotIn(std::shared_ptr<const PilotGround<T, Wide>> ground, const MethodSpec& method)
      : ground_(std::move(ground)), stepper_(make_stepper<T>(method, ground_->prepared.body, ground_->prepared.field)) {
    stepper_->start(ground_->prepared.start, ground_->prepared.time_in(ground_->horizon));
  }

  PilotRun run(long long steps) override {
    constexpr double clear_of_the_clock = 2e-4;  // [s]
    PilotRun result = once(steps);
    for (int i = 0; i < 2 && result.finished && result.seconds < clear_of_the_clock; ++i)
      result.seconds = std::min(result.seconds, once(steps).seconds);
    return result;
  }

  EnergyErrors energy_errors(long long steps) override {
    const Prepared<T>& prepared = ground_->prepared;
    const auto energy = [&](const State<T>& s) {
      return T(prepared.body.kinetic_energy(s.pi_B, s.t) + prepared.field.potential(s.R_SB, s.t));
    };
    const T first = energy(prepared.start);
    const double scale =
        std::max(std::abs(static_cast<double>(first)),
                 static_cast<double>(prepared.body.kinetic_energy(prepared.start.pi_B, prepared.start.t)));
    EqualTimes<T> times = start(steps);
    std::vector<double> changes;
    const auto look = [&](const State<T>& s) {
      const double change = std::abs(static_cast<double>(T(energy(s) - first))) / (scale > 0 ? scale : 1);
      changes.push_back(std::isnan(change) ? HUGE_VAL : change);  // which can be sorted
    };
    AfterEveryStep<decltype(look)> after(look);
    drive(*stepper_, times, after);
    const auto quarter = static_cast<std::ptrdiff_t>(changes.size() / 4);
    const auto median = [](auto begin, auto end) {
      return begin == end ? 0 : quartiles(std::vector<double>(begin, end)).median;
    };
    EnergyErrors errors;
    errors.rounding = 4 * static_cast<double>(epsilon<T>()) * std::sqrt(static_cast<double>(steps));
    errors.first = median(changes.begin(), changes.begin() + quarter);
    errors.last = median(changes.begin() + static_cast<std::ptrdiff_t>(3 * changes.size() / 4), changes.end());
    return errors;
  }

 private:
  template <class Look>
  class AfterEveryStep : public Observer<T> {
   public:
    explicit AfterEveryStep(const Look& look) : look_(look) {}
    bool after_step(Stepper<T>& stepper, const T&) {
      look_(stepper.state);
      return true;
    }

   private:
    const Look& look_;
  };

  EqualTimes<T> start(long long steps) {
    const T h = ground_->prepared.time_in(ground_->horizon) / T(static_cast<double>(steps));
    stepper_->start(ground_->prepared.start, h);
    return {ground_->prepared.start.t, h, steps};
  }

  PilotRun once(long long steps) {
    PilotRun result;
    const long long stops = std::gcd(steps, static_cast<long long>(pilot_nodes));
    const long long between = steps / stops;
    EqualTimes<T> times = start(steps);
    for (long long stop = 0; stop < stops; ++stop) {
      const auto begin = std::chrono::steady_clock::now();
      drive_to((stop + 1) * between, *stepper_, times);
      result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      if (failed(*stepper_)) return result;
      const auto node = static_cast<std::size_t>((stop + 1) * static_cast<long long>(pilot_nodes) / stops - 1);
      result.errors[node] = error_at(node);
    }
    result.finished = true;
    result.torque_evaluations = stepper_->work.torque_evaluations;
    return result;
  }

  double error_at(std::size_t node) const {
    const State<Wide> s = cast<Wide>(ground_->prepared.in_user_units(stepper_->state));
    const State<Wide>& reference = ground_->reference[node];
    return static_cast<double>(ground_->on_sphere ? direction_error(s, reference) : attitude_error(s, reference));
  }

  std::shared_ptr<const PilotGround<T, Wide>> ground_;
  std::unique_ptr<Stepper<T>> stepper_;
};

template <class T, class Wide>
class PilotsIn final : public Pilots {
 public:
  PilotsIn(const Setup& setup, double horizon) : setup_(setup) {
    auto ground = std::make_shared<PilotGround<T, Wide>>(
        PilotGround<T, Wide>{prepare<T>(setup), horizon, space_of(setup) == Space::sphere, {}});
    const Prepared<Wide> wide = prepare<Wide>(setup);
    const Body<Wide> body = wide.body_in_user_units();
    start_ = wide.in_user_units(wide.start);
    State<Wide> s = start_;
    for (std::size_t node = 0; node < pilot_nodes; ++node) {
      s = propagated<Wide>(setup_, s, time_of(node, horizon));
      ground->reference[node] = s;
      // The momentum is in the user's axes, the moments are principal.
      turned_ += static_cast<double>(norm(body.velocity(inverse(body.principal_axes) * s.pi_B, s.t)));
    }
    turned_ *= std::abs(horizon) / static_cast<double>(pilot_nodes);
    ground_ = std::move(ground);
  }
  std::unique_ptr<Pilot> by(const MethodSpec& method) const override {
    return std::make_unique<PilotIn<T, Wide>>(ground_, method);
  }
  double turned() const override { return turned_; }

  std::array<double, pilot_nodes> amplification() const override {
    const Wide change = Wide(1e4) * Wide(epsilon<Wide>());
    const Wide part = change / sqrt(Wide(3));
    State<Wide> s = start_;
    s.R_SB = normalised(s.R_SB * exp(Vec3<Wide>{part, part, part}));
    s.pi_B += (part * norm(s.pi_B)) * Vec3<Wide>{Wide(1), Wide(-1), Wide(1)};
    std::array<double, pilot_nodes> factors{};
    for (std::size_t node = 0; node < pilot_nodes; ++node) {
      s = propagated<Wide>(setup_, s, time_of(node, ground_->horizon));
      factors[node] = static_cast<double>(Wide(attitude_error(s, ground_->reference[node]) / change));
    }
    return factors;
  }

 private:
  Wide time_of(std::size_t node, double horizon) const {
    return Wide(setup_.time) + Wide(horizon) * Wide(node + 1) / Wide(pilot_nodes);
  }

  Setup setup_;
  State<Wide> start_;  // SI units
  std::shared_ptr<const PilotGround<T, Wide>> ground_;
  double turned_ = 0;
};

}  // namespace polhode
