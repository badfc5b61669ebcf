#include "polhode/run/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/number_text.hpp"
#include "polhode/measure/work_precision.hpp"
#include "run/candidate.hpp"
#include "run/choose_called.hpp"
#include "run/course.hpp"
#include "run/error_bounds.hpp"
#include "run/rate_at_start.hpp"

namespace polhode {
namespace {

constexpr double longest_turn = 2500;  // [rad] of a run that is tried to its end
constexpr std::size_t most_again = 8;  // methods that are tried on that, too
constexpr double first_look = 300;     // [rad] of the trials of all methods
constexpr double turn_at_first = 2;    // [rad], in a step of the first trial
constexpr double safety = 2;           // by which the error should be below the tolerance
constexpr double safety_of_forecasts = 8;
constexpr double most_work = 5e6;    // steps and torque evaluations of all trials together
constexpr double close_costs = 1.3;  // costs that timings may put into another order
constexpr std::size_t most_finalists = 6;
constexpr int timings = 7;
constexpr double least_of_a_timing = 5e-4;  // [s]

// Trials in a scalar wider than double only where the tolerance needs it: it takes a hundred times as long.
ScalarKind scalar_of_trials(const SelectionRequest& request) {
  constexpr double enough_for_double = 1e-11;  // [rad]
  if (request.scalar == ScalarKind::float_ || request.tolerance < enough_for_double) return request.scalar;
  return ScalarKind::double_;
}

class Choosing {
 public:
  Choosing(const SelectionRequest& request, const std::atomic<bool>* stop)
      : request_(request),
        stop_(stop),
        prepared_(prepare<double>(request.setup)),
        length_(std::abs(request.duration)),
        tolerance_(std::min(request.tolerance, saturated_angle)),
        scalar_(scalar_of_trials(request)) {}

  Selection made() {
    Selection selection = moves_freely(request_.setup)            ? exact()
                          : request_.setup.called_torques.empty() ? tried()
                                                                  : chosen_for_called(request_, stop_);
    selection.tolerance = request_.tolerance;
    selection.goal = request_.goal;
    selection.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return selection;
  }

 private:
  Selection exact() {
    Selection selection;
    selection.method = parse_method("free-exact");
    selection.step = request_.interval.value_or(length_);
    selection.horizon = length_;
    const double turned = norm(prepared_.body.velocity(prepared_.start.pi_B)) * prepared_.time_in(length_);
    selection.predicted_error = attitude_floor(request_.scalar, turned, steps_in(selection.step));
    selection.reaches = selection.predicted_error <= request_.tolerance;
    return selection;
  }

  long long steps_in(double step) const {
    return std::max(1LL, static_cast<long long>(std::ceil(length_ / step * (1 - 1e-9))));
  }

  Selection tried() {
    if (request_.goal == Goal::energy && !prepared_.conserves_energy()) {
      throw SetupError(
          "run.goal",
          "energy is not a constant of the motion under these torques, and no method can be chosen for keeping "
          "it; choose time or torque-evaluations");
    }
    const double turning = rate_at_start(prepared_) * length_;
    const auto part = [&](double turn) { return turning > turn ? length_ * turn / turning : length_; };
    follow(part(first_look));
    enter();
    if (candidates_.empty()) {
      throw SetupError("run.method", "auto found no method that can be tried; 'polhode methods' lists the names");
    }
    methods_ = candidates_.size();
    search();
    if (horizon_ < length_ && turning <= longest_turn && any_known()) again(length_);
    if (horizon_ < length_ || !any_known()) stop_where_rounding_wins();
    return chosen();
  }

  // The motion that methods are compared with, so many seconds of it.
  void follow(double horizon) {
    horizon_ = horizon;
    try {
      pilots_ = make_pilots(request_.setup, scalar_, std::copysign(horizon, request_.duration));
    } catch (const std::runtime_error& error) {
      throw SetupError("run.method",
                       fmt::format("auto cannot follow the motion to compare methods with: {}; shorten the "
                                   "duration, or name a method",
                                   error.what()));
    }
    grid_.fewest = request_.interval ? horizon_ / *request_.interval : 0;
    rounding_ = attitude_floor(scalar_, pilots_->turned(), 1);
  }

  bool any_known() const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) { return outlook(c).known; });
  }

  // Where the motion amplifies rounding until nothing is left of the tolerance, trials end before: the rest says nothing
  // about methods. Trials in double for a wider scalar are made in that, then.
  void stop_where_rounding_wins() {
    const auto factors = pilots_->amplification();
    const double regular = 1000 * (1 + pilots_->turned());  // a body that turns at another rate, and more
    if (factors.back() < regular) return;
    // Of a few roundings in every radian, added up at random.
    const auto noise = [&](ScalarKind scalar) {
      return attitude_floor(scalar, 0, static_cast<long long>(1 + pilots_->turned()));
    };
    rounding_ = std::max(rounding_, noise(scalar_) * factors.back());
    const auto sound_nodes = [&](ScalarKind scalar) {
      const auto unsound = [&](double factor) { return factor > regular && noise(scalar) * factor > tolerance_ / 4; };
      const auto first = std::find_if(factors.begin(), factors.end(), unsound);
      return std::max<std::size_t>(1, static_cast<std::size_t>(first - factors.begin()));
    };
    const std::size_t sound = sound_nodes(request_.scalar);
    amplifies_ = sound < pilot_nodes || horizon_ < length_;
    const bool wider = scalar_ != request_.scalar && sound_nodes(scalar_) < pilot_nodes;
    if (wider) scalar_ = request_.scalar;
    if (sound < pilot_nodes || wider) again(horizon_ * static_cast<double>(sound) / static_cast<double>(pilot_nodes));
  }

  // The most promising once more, on another part of the run.
  void again(double horizon) {
    struct Entry {
      double needed, steps_per_second;
      std::string name;
    };
    std::vector<Entry> list;
    for (const Candidate& candidate : candidates_) {
      const double steps = outlook(candidate).steps;
      if (std::isfinite(steps))
        list.push_back({cost(candidate, steps), steps / horizon_, candidate.method().name});
      else if (const Trial* best = candidate.most_accurate(); best != nullptr && !candidate.given_up())
        list.push_back({Candidate::infinite, static_cast<double>(best->steps) / horizon_, candidate.method().name});
    }
    std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.needed < b.needed; });
    candidates_.clear();
    work_ = 0;
    follow(horizon);
    for (std::size_t i = 0; i < std::min(most_again, list.size()); ++i)
      add(list[i].name, grid_.up(list[i].steps_per_second * horizon_));
    search();
  }

  void add(const std::string& name, long long steps) {
    try {
      const MethodSpec method = parse_method(name);
      const Claims& claims = method.claims;
      if (claims.dissipative || claims.gains_momentum || (request_.variable_steps && !claims.variable_steps)) return;
      const bool keeps_energy = claims.symplectic || claims.energy != Keeps::no;
      if (request_.goal == Goal::energy && !keeps_energy) {
        if (name.find('+') == std::string::npos && claims.order_attitude >= 4) add(with_energy(name, 4), steps);
        return;
      }
      candidates_.emplace_back(method, pilots_->by(method), grid_);
      run(candidates_.back(), steps);
    } catch (const MethodError&) {
    }  // not for this situation, or there is no such suffix for it
  }

  void run(Candidate& candidate, long long steps) {
    throw_if_stopped(stop_);
    candidate.run(steps);
    ++runs_;
    work_ += static_cast<double>(steps) * (1 + candidate.method().claims.torque_evaluations);
  }

  // Everything in the catalogue once, at large steps, and compositions; not plug-ins, whose claims no test has seen.
  void enter() {
    const long long steps = grid_.up(std::max(4.0, pilots_->turned() / turn_at_first));
    for (const MethodInfo& method : methods())
      if (method.plugin.empty()) add(std::string(method.name), steps);
    const std::string axes = best_order_of_axes(4 * steps);
    for (const std::string& base : {axes, std::string("rotor-verlet"), std::string("lie-verlet")})
      for (const SuffixInfo& suffix : suffixes())
        if (suffix.tried_by_auto) add(base + written(suffix, 1), steps);
    if (request_.goal == Goal::energy) return;
    for (const char* name : {"picard-lobatto-8", "picard-lobatto-16"}) add(with_energy(name, 4), steps);
  }

  // Of the six of mclachlan-reich, the one that errs least at the same steps.
  std::string best_order_of_axes(long long steps) {
    std::string best = "mclachlan-reich-123";
    for (double least = Candidate::infinite; Candidate & candidate : candidates_) {
      const std::string& name = candidate.method().name;
      if (!name.starts_with("mclachlan-reich-") || candidate.method().claims.torque_evaluations != 1 ||
          name.find("cayley") != std::string::npos)
        continue;
      run(candidate, steps);
      if (const Trial& trial = candidate.trials().back(); trial.run.error() < least) {
        least = trial.run.error();
        best = name;
      }
    }
    return best;
  }

  double target(const Candidate& candidate) const {
    const double wanted = horizon_ == length_ || amplifies_
                              ? tolerance_ / safety
                              : tolerance_ / safety_of_forecasts * std::pow(horizon_ / length_, candidate.growth());
    // Where rounding is far above what is wanted, nothing is gained by looking for it.
    return wanted < rounding_ / 16 ? 4 * rounding_ : wanted;
  }

  Candidate::Outlook outlook(const Candidate& candidate) const {
    return candidate.outlook(target(candidate), rounding_);
  }

  double cost(const Candidate& candidate, double steps) const {
    if (!std::isfinite(steps)) return Candidate::infinite;
    return static_cast<double>(grid_.up(steps)) * candidate.cost_of_a_step(request_.goal);
  }

  // The most promising is tried next, until the cheapest is also known to be there.
  void search() {
    const double slack = request_.goal == Goal::torque_evaluations ? 1 : close_costs;
    while (work_ < most_work) {
      double least_known = Candidate::infinite, least = Candidate::infinite;
      Candidate* promising = nullptr;
      long long next = 0;
      for (Candidate& candidate : candidates_) {
        Candidate::Outlook ahead = outlook(candidate);
        if (ahead.known && request_.goal == Goal::energy && candidate.energy_grows(ahead.steps)) {
          candidate.give_up();
          ahead = {};
        }
        const double needed = cost(candidate, ahead.steps);
        if (ahead.known) {
          least_known = std::min(least_known, needed);
        } else if (needed < least) {
          least = needed;
          promising = &candidate;
          next = ahead.next;
        }
      }
      if (promising == nullptr || least > slack * least_known) break;
      run(*promising, next);
    }
  }

  // In the trial with so many steps, or the next fewer.
  static double error_with(const Candidate& candidate, double steps) {
    double error = Candidate::infinite;
    for (const Trial& trial : candidate.trials())
      if (static_cast<double>(trial.steps) <= steps * (1 + 1e-9)) error = trial.run.error();
    return error;
  }

  struct Finalist {
    Candidate* candidate;
    double steps;  // over the horizon
    double cost, error;
  };

  // The cheapest first, and of those that cost the same the most accurate.
  std::vector<Finalist> finalists() {
    std::vector<Finalist> list;
    for (Candidate& candidate : candidates_) {
      const Candidate::Outlook ahead = outlook(candidate);
      if (ahead.known)
        list.push_back({&candidate, ahead.steps, cost(candidate, ahead.steps), error_with(candidate, ahead.steps)});
    }
    std::stable_sort(list.begin(), list.end(), [](const Finalist& a, const Finalist& b) {
      return std::pair(a.cost, a.error) < std::pair(b.cost, b.error);
    });
    return list;
  }

  // In the scalar of the run.
  void time(std::vector<Finalist>& list) {
    std::vector<std::unique_ptr<Course>> courses;
    for (const Finalist& finalist : list) {
      Steps steps;
      steps.count = static_cast<long long>(std::ceil(finalist.steps));
      steps.size = horizon_ / static_cast<double>(steps.count);
      steps.backwards = request_.duration < 0;
      courses.push_back(make_course(request_.scalar, {request_.setup, finalist.candidate->method(), steps}));
    }
    const std::vector<double> medians = median_seconds(courses, least_of_a_timing, timings);
    for (std::size_t i = 0; i < list.size(); ++i) list[i].cost = medians[i];
    std::stable_sort(list.begin(), list.end(), [](const Finalist& a, const Finalist& b) { return a.cost < b.cost; });
  }

  Selection chosen() {
    std::vector<Finalist> list = finalists();
    if (list.empty()) return nearest();
    if (request_.goal != Goal::torque_evaluations) {
      // Two at least: estimates are of trials in another scalar, and a time can be compared with a time only.
      const auto far = [&](const Finalist& one) { return one.cost > close_costs * close_costs * list.front().cost; };
      const auto close = static_cast<std::size_t>(std::find_if(list.begin(), list.end(), far) - list.begin());
      list.resize(std::min(list.size(), std::clamp(close, std::size_t{2}, most_finalists)), list.front());
      time(list);
    }
    Selection selection = selected(*list.front().candidate, list.front().steps, list.front().cost);
    if (list.size() > 1) {
      selection.next_best = list[1].candidate->method().name;
      selection.next_best_ratio = list[1].cost / list[0].cost;
    }
    return selection;
  }

  // No method is known to be there. The trials have become too long, and the most promising is taken where that is
  // clear of rounding; otherwise the most accurate.
  Selection nearest() {
    Candidate *promising = nullptr, *accurate = nullptr;
    double least = Candidate::infinite, steps = 0;
    for (Candidate& candidate : candidates_) {
      const Candidate::Outlook ahead = outlook(candidate);
      const double needed = cost(candidate, ahead.steps);
      if (needed < least && candidate.seen() && target(candidate) > rounding_ * std::sqrt(ahead.steps)) {
        least = needed;
        steps = ahead.steps;
        promising = &candidate;
      }
      const Trial* best = candidate.given_up() ? nullptr : candidate.most_accurate();
      if (best != nullptr && (accurate == nullptr || best->run.error() < accurate->most_accurate()->run.error()))
        accurate = &candidate;
    }
    if (promising != nullptr) {
      Selection selection = selected(*promising, steps, least);
      selection.predicted_error = tolerance_ / safety;
      selection.reaches = !amplifies_;
      return selection;
    }
    if (accurate == nullptr) {
      throw SetupError("run.method",
                       "auto found no method that comes to the end of this run; shorten it, or name a "
                       "method and a step");
    }
    const auto most = static_cast<double>(accurate->most_accurate()->steps);
    return selected(*accurate, most, cost(*accurate, most));
  }

  Selection selected(const Candidate& candidate, double steps, double cost_of_trial) const {
    Selection selection;
    selection.method = candidate.method();
    const double more = length_ / horizon_;
    if (request_.interval) {
      selection.step = *request_.interval / std::max(1.0, std::round(steps / grid_.fewest));
    } else {
      selection.step = length_ / std::max(1.0, std::ceil(steps * more * (1 - 1e-9)));
    }
    selection.cost = cost_of_trial * more;
    selection.horizon = horizon_;
    selection.extrapolated = horizon_ < length_;
    selection.amplifies = amplifies_;
    selection.growth = candidate.growth();
    selection.predicted_error = error_with(candidate, steps);
    if (selection.extrapolated && !amplifies_) {
      const double rounding = attitude_floor(request_.scalar, pilots_->turned() * more, steps_in(selection.step));
      selection.predicted_error = std::max(selection.predicted_error * std::pow(more, selection.growth), rounding);
    }
    selection.reaches = selection.predicted_error <= request_.tolerance && !amplifies_;
    selection.methods = methods_;
    selection.runs = runs_;
    return selection;
  }

  const SelectionRequest& request_;
  const std::atomic<bool>* stop_;
  Prepared<double> prepared_;
  double length_;  // [s]
  double tolerance_;
  ScalarKind scalar_;   // of trials
  double horizon_ = 0;  // [s], of trials
  Grid grid_;
  double rounding_ = 0;     // [rad], of one step
  bool amplifies_ = false;  // the motion, beyond the horizon: no method can keep the tolerance there
  std::unique_ptr<Pilots> pilots_;
  std::vector<Candidate> candidates_;
  std::size_t methods_ = 0, runs_ = 0;
  double work_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Selection choose_method(const SelectionRequest& request, const std::atomic<bool>* stop) {
  return Choosing(request, stop).made();
}

}  // namespace polhode
