#include "polhode/studies/converge.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "studies/study_runs.hpp"

namespace polhode {
namespace {

constexpr double saturated_momentum = 0.5;  // of the largest

// The largest step that a study begins with of its own.
double largest_step(const ConvergenceRequest& request, const Motion& motion) {
  constexpr double wanted = 0.2, largest_angle = 0.5;  // [rad] of error, and in one step
  const double duration = std::abs(study_duration(request));
  const double rate = motion.rotation / duration;  // [rad/s]
  // Steps of a radians make an error of about a^2/24 for each radian that the body turns, more or less.
  const double angle = std::min(largest_angle, std::sqrt(24 * wanted / motion.rotation));
  const double first = std::min(duration / 4, angle / rate);
  const Result result = trial(request, "mclachlan-reich-231", first);
  if (result.failure || !result.attitude_error) return first;
  const double better = first * std::clamp(std::sqrt(wanted / result.attitude_error->value), 0.25, 4.0);
  return std::min({better, duration / 4, largest_angle / rate});
}

std::vector<PlannedRun> planned_runs(const RunRequest& base, const std::string& method,
                                     const std::vector<double>& steps) {
  std::vector<PlannedRun> runs;
  for (const double step : steps) runs.push_back(planned_run(base, method, step));
  return runs;
}

class Study {
 public:
  // Throws before anything has been integrated, where it can.
  Study(const ConvergenceRequest& asked, const ConvergenceControl& control) : control_(control) {
    const ConvergenceRequest request = with_reference(asked);
    const RunRequest base = study_run(request);
    static_cast<StudySubject&>(study_) = subject_of(request);
    const std::vector<std::string> methods = request.methods.empty() ? customary_methods(base.setup) : request.methods;
    if (!request.steps.empty()) plan_runs(base, methods, in_falling_order(request.steps));
    const Motion motion = motion_of(request, control, study_);
    study_.rotation = motion.rotation;
    study_.momentum = motion.momentum;
    if (request.steps.empty())
      plan_runs(base, methods, customary_steps(study_.duration, largest_step(request, motion)));
  }

  Convergence made() {
    for (const std::vector<PlannedRun>& runs : runs_) {
      MethodOrders orders;
      orders.method = runs.front().plan.method.name;
      orders.claimed = orders_of(runs.front().plan.method.claims, moves_freely(runs.front().plan.request.setup));
      orders.first_row = study_.rows.size();
      for (const PlannedRun& planned : runs) {
        make(planned);
        if (study_.interrupted) return std::move(study_);
      }
      fit(orders);
      study_.orders.push_back(std::move(orders));
    }
    return std::move(study_);
  }

 private:
  void plan_runs(const RunRequest& base, const std::vector<std::string>& methods, const std::vector<double>& steps) {
    for (const std::string& name : methods) {
      std::vector<PlannedRun> runs = planned_runs(base, name, steps);
      // A name and its alias are one method.
      const auto same = [&](const auto& other) {
        return other.front().plan.method.name == runs.front().plan.method.name;
      };
      if (std::any_of(runs_.begin(), runs_.end(), same)) continue;
      for (const PlannedRun& planned : runs) work_ += planned.work;
      runs_.push_back(std::move(runs));
    }
  }

  void make(const PlannedRun& planned) {
    RunControl control;
    control.stop = control_.stop;
    if (control_.progress) {
      report(planned, 0);
      control.progress = [&](const Progress& at) {
        report(planned, static_cast<double>(at.step) / static_cast<double>(at.steps));
      };
    }
    const Result result = run(planned.plan, nullptr, control);
    work_done_ += planned.work;
    study_.interrupted = result.interrupted;
    if (!result.interrupted) study_.rows.push_back(row_of(planned, result));
  }

  void report(const PlannedRun& planned, double of_this_run) const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    control_.progress({(work_done_ + planned.work * of_this_run) / work_,
                       elapsed.count(),
                       {},
                       planned.plan.method.name,
                       planned.plan.request.run.step});
  }

  ConvergenceRow row_of(const PlannedRun& planned, const Result& result) const {
    ConvergenceRow row;
    row.method = planned.plan.method.name;
    row.step = planned.plan.request.run.step;
    row.steps = result.steps;
    row.attitude_floor = attitude_floor(study_.scalar, study_.rotation, planned.plan.steps.count);
    row.momentum_floor = row.attitude_floor * study_.momentum;
    if (result.reference) {
      row.attitude_floor = std::max(row.attitude_floor, result.reference->attitude_uncertainty);
      row.momentum_floor = std::max(row.momentum_floor, result.reference->momentum_uncertainty);
    }
    row.torque_evaluations = result.work.torque_evaluations;
    if (result.failure) {
      row.failure = result.failure->what;
    } else {
      row.attitude_error = result.attitude_error;
      row.momentum_error = result.momentum_error;
    }
    return row;
  }

  void fit(MethodOrders& orders) const {
    std::vector<BoundedError> attitude, momentum;
    const auto value = [](const std::optional<Number>& error) { return error ? error->value : HUGE_VAL; };
    for (std::size_t i = orders.first_row; i < study_.rows.size(); ++i) {
      const ConvergenceRow& row = study_.rows[i];
      attitude.push_back({row.step, value(row.attitude_error), row.attitude_floor});
      momentum.push_back({row.step, value(row.momentum_error), row.momentum_floor});
    }
    orders.attitude = asymptotic_order(attitude, saturated_angle);
    orders.momentum = asymptotic_order(momentum, saturated_momentum * study_.momentum);
  }

  const ConvergenceControl& control_;
  Convergence study_;
  std::vector<std::vector<PlannedRun>> runs_;  // by method
  double work_ = 0, work_done_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Convergence converge(const ConvergenceRequest& request, const ConvergenceControl& control) {
  return Study(request, control).made();
}

std::vector<std::string> customary_methods(const Setup& setup) {
  if (space_of(setup) == Space::sphere)
    return {"dumbbell-variational", "dumbbell-midpoint", "dumbbell-conserving", "mclachlan-reich-4-231"};
  std::vector<std::string> names;
  const Prepared<double> prepared = prepare<double>(setup);
  for (const char* name :
       {"taylor-2", "mclachlan-reich-231", "taylor-3", "taylor-4", "mclachlan-reich-4-231", "rkmk-4"}) {
    try {
      make_stepper<double>(parse_method(name), prepared.body, prepared.field);
      names.emplace_back(name);
    } catch (const MethodError&) {
      continue;
    }
  }
  return names;
}

}  // namespace polhode
