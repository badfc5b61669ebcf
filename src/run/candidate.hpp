// What auto knows of one method: the trials that were made of it, and how many steps it would need.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "polhode/measure/work_precision.hpp"
#include "polhode/run/choose.hpp"
#include "run/pilot.hpp"
#include "studies/study_runs.hpp"

namespace polhode {

// Numbers of steps that are tried.
struct Grid {
  double fewest = 0;  // 0: any number; otherwise rows end so many steps, or multiples

  // As many, or a few more: where rows do not say how many, a number that lets something be seen before the end.
  long long up(double steps) const {
    const auto multiple = [&](double unit) { return unit * std::ceil(steps / unit * (1 - 1e-9)); };
    if (fewest > 0) return std::max(1LL, std::llround(multiple(fewest)));
    const double unit = steps > 128 ? 16 : steps > 32 ? 8 : steps > 8 ? 4 : 2;
    return steps > 1 ? static_cast<long long>(multiple(unit)) : 1;
  }
};

struct Trial {
  long long steps;
  PilotRun run;

  bool useful() const { return run.finished && run.error() < saturated_angle; }
};

// What is known of a method, and what it would need.
class Candidate {
 public:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  Candidate(MethodSpec method, std::unique_ptr<Pilot> pilot, const Grid& grid)
      : method_(std::move(method)),
        pilot_(std::move(pilot)),
        grid_(grid),
        order_(std::clamp(method_.claims.order_attitude, 1, 20)) {}

  const MethodSpec& method() const { return method_; }
  Pilot& pilot() { return *pilot_; }
  const std::vector<Trial>& trials() const { return trials_; }
  bool given_up() const { return given_up_; }
  void give_up() { given_up_ = true; }

  void run(long long steps) {
    const auto place =
        std::find_if(trials_.begin(), trials_.end(), [&](const Trial& trial) { return trial.steps >= steps; });
    if (place != trials_.end() && place->steps == steps) return;
    trials_.insert(place, Trial{steps, pilot_->run(steps)});
  }

  // Asked where the tolerance is reached: at larger steps a drift may come from what is not resolved.
  bool energy_grows(double steps) {
    const auto number = static_cast<long long>(steps);
    if (looked_at_energy_ == number) return false;
    looked_at_energy_ = number;
    return pilot_->energy_errors(number).grow();
  }

  // The exponent with which the error grows in time, from the halves of the finest useful trial.
  double growth() const {
    const Trial* trial = finest();
    // A body that turns a little too slowly falls behind steadily; one that loses energy, faster and faster.
    const double least = method_.claims.symplectic || method_.claims.energy != Keeps::no ? 1 : 2;
    if (trial == nullptr || !(trial->run.error_at(pilot_nodes / 2) > 0)) return least;
    const double last = std::log2(trial->run.error() / trial->run.error_at(pilot_nodes / 2));
    const double all = trial->run.error_at(pilot_nodes / 4) > 0
                           ? std::log2(trial->run.error() / trial->run.error_at(pilot_nodes / 4)) / 2
                           : last;
    return std::clamp(std::max(last, all), least, 4.0);
  }

  // In the finest trial: torque evaluations or seconds.
  double cost_of_a_step(Goal goal) const {
    const Trial& trial = trials_.back();
    const double cost =
        goal == Goal::torque_evaluations ? static_cast<double>(trial.run.torque_evaluations) : trial.run.seconds;
    return cost / static_cast<double>(trial.steps);
  }

  bool seen() const { return finest() != nullptr; }

  // The smallest error that was seen, and with how many steps.
  const Trial* most_accurate() const {
    const Trial* best = nullptr;
    for (const Trial& trial : trials_)
      if (trial.run.finished && (best == nullptr || trial.run.error() < best->run.error())) best = &trial;
    return best;
  }

  struct Outlook {
    double steps = infinite;  // that will be needed, as far as one can tell
    bool known = false;       // it was tried, and much fewer do not suffice
    long long next = 0;       // to be tried, otherwise
  };

  // `rounding`: what that contributes to the error of one step.
  Outlook outlook(double target, double rounding) const {
    if (given_up_ || trials_.empty()) return {};
    // From the finest trial down to where it fails for the first time: angles come round again.
    std::size_t pass = trials_.size();
    while (pass > 0 && trials_[pass - 1].run.finished && trials_[pass - 1].run.error() <= target) --pass;
    if (pass == trials_.size()) return not_there_yet(target, rounding);
    const Trial& enough = trials_[pass];
    const auto steps = static_cast<double>(enough.steps);
    if (enough.steps <= grid_.up(1)) return {steps, true, 0};
    double wanted = 0;
    if (pass == 0) {
      wanted = enough.run.error() > 0 ? steps * std::pow(enough.run.error() / target, 1.0 / order_) : steps / 8;
      wanted = std::max(wanted, steps / 8);
    } else {
      const Trial& few = trials_[pass - 1];
      const auto too_few = static_cast<double>(few.steps);
      wanted = std::sqrt(too_few * steps);
      if (few.useful() && enough.run.error() > 0) {
        const double part = std::log(few.run.error() / target) / std::log(few.run.error() / enough.run.error());
        wanted = too_few * std::pow(steps / too_few, std::clamp(1.03 * part, 0.1, 1.0));
      }
    }
    const long long next = grid_.up(wanted);
    const bool tried = std::any_of(trials_.begin(), trials_.end(), [&](const Trial& t) { return t.steps == next; });
    if (tried || static_cast<double>(next) > 0.93 * steps) return {steps, true, 0};
    return {static_cast<double>(next), false, next};
  }

 private:
  static constexpr double pre_asymptotic = 0.02;  // [rad]

  const Trial* finest() const {
    for (std::size_t i = trials_.size(); i-- > 0;)
      if (trials_[i].useful()) return &trials_[i];
    return nullptr;
  }

  Outlook not_there_yet(double target, double rounding) const {
    const Trial& last = trials_.back();
    const auto steps = static_cast<double>(last.steps);
    const Outlook twice{2 * steps, false, grid_.up(2 * steps)};
    if (!last.useful()) return twice;
    // Where steps are too large for the order to show, smaller ones gain more than it says.
    double slope = last.run.error() > pre_asymptotic ? 2 * order_ : order_;
    if (trials_.size() > 1 && trials_[trials_.size() - 2].useful()) {
      const Trial& before = trials_[trials_.size() - 2];
      const double measured =
          std::log(before.run.error() / last.run.error()) / std::log(steps / static_cast<double>(before.steps));
      const bool at_rounding = last.run.error() < rounding * std::sqrt(steps);
      if (at_rounding && measured < slope / 2) return {};
      if (measured < 0.5) {  // may be chance, but not three times in a row
        const bool again = trials_.size() > 2 && trials_[trials_.size() - 3].run.error() < 2 * last.run.error();
        return again ? Outlook{} : twice;
      }
      slope = std::min(slope, measured);
    }
    const double wanted = steps * std::pow(last.run.error() / target, 1 / slope);
    return {wanted, false, grid_.up(std::clamp(1.05 * wanted, 1.2 * steps, 8 * steps))};
  }

  MethodSpec method_;
  std::unique_ptr<Pilot> pilot_;
  Grid grid_;
  double order_;
  std::vector<Trial> trials_;  // from few steps to many
  bool given_up_ = false;
  long long looked_at_energy_ = 0;  // with so many steps, and it did not grow
};

}  // namespace polhode
