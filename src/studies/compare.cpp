#include "polhode/studies/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "studies/ladder.hpp"

namespace polhode {
namespace {

constexpr double largest_turn = 2;      // [rad], in the largest step
constexpr double least_timing = 0.002;  // [s]
constexpr int trial_timings = 5;
constexpr std::size_t fewest_rungs = 4;  // for which a run may be ten times as long

// How long a run may be at a step that was not asked for. While methods are chosen, the number of steps decides, so that
// the choice does not depend on how busy the machine is; the time is for scalars and methods that are very slow.
struct Longest {
  double steps, seconds;
};
constexpr Longest longest_run{HUGE_VAL, 0.1}, longest_trial{100000, 0.1};

std::vector<Rung*> rungs_of(std::vector<Ladder>& ladders) {
  std::vector<Rung*> all;
  for (Ladder& ladder : ladders) {
    for (Rung& rung : ladder.rungs) {
      if (rung.row.failure.empty()) all.push_back(&rung);
    }
  }
  return all;
}

class Comparing {
 public:
  // Throws before anything has been integrated, where it can.
  Comparing(const ComparisonRequest& asked, const StudyControl& control)
      : control_(control), steps_(in_falling_order(asked.steps)) {
    const ComparisonRequest request = with_reference(asked);
    base_ = study_run(request);
    static_cast<StudySubject&>(study_) = subject_of(request);
    study_.repeats = request.repeats;
    const double length = std::abs(study_.duration);
    for (const std::string& name : request.methods) {
      const std::string canonical = fitting(name, length);
      const auto same = [&](const Ladder& other) { return other.method == canonical; };
      if (std::none_of(ladders_.begin(), ladders_.end(), same)) ladders_.emplace_back(canonical);
    }
    rotation_ = motion_of(request, control, study_).rotation;
    first_step_ = customary_steps(length, std::min(length / 4, largest_turn * length / rotation_)).front();
  }

  Comparison made() {
    const bool chooses = ladders_.empty();
    if (chooses) choose();
    enter("errors", chooses ? 0.5 : 0.3);
    for (std::size_t i = 0; i < ladders_.size() && !stopped(); ++i) {
      part_ = static_cast<double>(i) / static_cast<double>(ladders_.size());
      measure(ladders_[i], longest_run);
    }
    if (steps_.empty()) {
      for (Ladder& ladder : ladders_) ladder.trim();
    }
    if (!stopped()) time(rungs_of(ladders_), study_.repeats, "timing", 1);
    for (Ladder& ladder : ladders_) {
      for (Rung& rung : ladder.rungs) study_.rows.push_back(std::move(rung.row));
    }
    study_.at_errors = costs_at_errors(study_.rows);
    study_.interrupted = stopped();
    return std::move(study_);
  }

 private:
  bool stopped() const { return control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed); }

  // The canonical name of a method that takes the problem and its steps, or this one; throws SetupError if it does not.
  std::string fitting(const std::string& name, double step) const {
    if (steps_.empty()) return planned_run(base_, name, step).plan.method.name;
    std::string canonical;
    for (const double asked : steps_) canonical = planned_run(base_, name, asked).plan.method.name;
    return canonical;
  }

  // Runs the method at the steps that were asked for, otherwise at smaller and smaller ones.
  void measure(Ladder& ladder, const Longest& longest) {
    if (!steps_.empty()) {
      for (std::size_t i = ladder.rungs.size(); i < steps_.size() && !stopped(); ++i) descend(ladder, steps_[i]);
      return;
    }
    while (!ladder.at_the_bottom() && !stopped()) {
      if (ladder.rungs.empty()) {
        descend(ladder, first_step_);
        continue;
      }
      const Rung& last = ladder.rungs.back();
      const double more = ladder.count_useful() < fewest_rungs ? 10 : 1;
      const auto steps = static_cast<double>(last.planned.plan.steps.count);
      if (2 * steps > more * longest.steps || 2 * last.seconds > more * longest.seconds) return;
      descend(ladder, last.row.step / 2);
    }
  }

  void descend(Ladder& ladder, double step) {
    Rung rung{planned_run(base_, ladder.method, step)};
    report(ladder.method, step, part_);
    RunControl control;
    control.stop = control_.stop;
    control.progress = [&](const Progress&) { report(ladder.method, step, part_); };
    const Result result = run(rung.planned.plan, nullptr, control);
    if (result.interrupted) return;
    rung.seconds = result.seconds;
    rung.floor = attitude_floor(study_.scalar, rotation_, rung.planned.plan.steps.count);
    if (result.reference) rung.floor = std::max(rung.floor, result.reference->attitude_uncertainty);
    rung.row.method = ladder.method;
    rung.row.step = step;
    rung.row.steps = result.steps;
    rung.row.torque_evaluations = result.work.torque_evaluations;
    if (result.failure) {
      rung.row.failure = result.failure->what;
    } else {
      rung.row.attitude_error = result.attitude_error;
    }
    ladder.rungs.push_back(std::move(rung));
  }

  // Each so often, one after the other and then all again, after one timing that finds out how many runs one takes.
  void time(const std::vector<Rung*>& rungs, int repeats, const std::string& stage, double end) {
    const double begin = stage_end_;
    enter(stage, begin + (end - begin) / (repeats + 1));
    double all = 0, done = 0;
    for (Rung* rung : rungs) {
      report(rung->row.method, rung->row.step, done++ / static_cast<double>(rungs.size()));
      rung->timing = calibrate(*rung->planned.plan.course, least_timing, rung->runs, control_.stop);
      if (stopped()) return;
      all += rung->timing;
    }
    for (int i = 1; i <= repeats; ++i) {
      enter(fmt::format("{}, {} of {}", stage, i, repeats), begin + (end - begin) * (i + 1) / (repeats + 1));
      done = 0;
      for (Rung* rung : rungs) {
        report(rung->row.method, rung->row.step, done / all);
        const double seconds = rung->planned.plan.course->seconds(rung->runs, control_.stop);
        if (stopped()) return;
        rung->row.timings.push_back(seconds / static_cast<double>(rung->runs));
        done += rung->timing;
      }
    }
  }

  std::vector<Ladder> candidates();
  void choose();

  void enter(std::string stage, double end) {
    stage_ = std::move(stage);
    stage_begin_ = stage_end_;
    stage_end_ = end;
    next_report_ = 0;  // every stage is reported, however short
  }

  void report(const std::string& method, double step, double of_stage) {
    if (!control_.progress) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    if (elapsed.count() < next_report_) return;
    next_report_ = elapsed.count() + 0.1;
    control_.progress({stage_begin_ + (stage_end_ - stage_begin_) * of_stage, elapsed.count(), stage_, method, step});
  }

  const StudyControl& control_;
  RunRequest base_;
  std::vector<double> steps_;  // asked for
  double rotation_ = 0;        // [rad] that the body turns in all
  double first_step_ = 0;      // [s]
  std::vector<Ladder> ladders_;
  Comparison study_;

  std::string stage_;
  double stage_begin_ = 0, stage_end_ = 0;  // of the whole work
  double part_ = 0;                         // of the stage that is done
  double next_report_ = 0;                  // [s]
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// All methods of the catalogue that take the problem, at their own steps or at those that were asked for.
std::vector<Ladder> Comparing::candidates() {
  std::vector<Ladder> all;
  enter("choosing", 0.3);
  for (std::size_t i = 0; i < methods().size() && !stopped(); ++i) {
    const std::string name(methods()[i].name);
    try {
      fitting(name, first_step_);
    } catch (const SetupError&) {
      continue;
    }
    part_ = static_cast<double>(i) / static_cast<double>(methods().size());
    measure(all.emplace_back(name), longest_trial);
  }
  return all;
}

// The error at which methods are compared, if there is one.
std::optional<double> medium_error(const std::vector<Ladder>& all) {
  std::vector<ErrorRange> ranges;
  for (const Ladder& ladder : all) {
    ErrorRange range{std::numeric_limits<double>::infinity(), 0};
    for (const WorkPoint& point : ladder.curve()) {
      if (point.error > 0) range = {std::min(range.low, point.error), std::max(range.high, point.error)};
    }
    if (range.low < range.high) ranges.push_back(range);
  }
  const std::optional<ErrorRange> common = common_range(ranges);
  return common ? std::optional(common->middle()) : std::nullopt;
}

// The runs that show what a method needs for an error: those around it, or the first if that is better already.
std::vector<Rung*> rungs_near(Ladder& ladder, double error) {
  const std::size_t first = ladder.first_useful();
  const std::vector<WorkPoint> curve = ladder.curve();
  if (const std::optional<std::size_t> place = bracket(curve, error))
    return {&ladder.rungs[first + *place], &ladder.rungs[first + *place + 1]};
  if (!curve.empty() && curve.front().error <= error) return {&ladder.rungs[first]};
  return {};
}

// What these runs show; infinite for a method that does not reach it.
double time_needed(const Ladder& ladder, double error) {
  const std::vector<WorkPoint> curve = ladder.curve();
  if (const std::optional<double> cost = cost_at(curve, error)) return *cost;
  return !curve.empty() && curve.front().error <= error ? curve.front().cost : HUGE_VAL;
}

void Comparing::choose() {
  std::vector<Ladder> all = candidates();
  if (stopped()) return;
  Choice choice{medium_error(all), all.size(), {}};
  if (choice.error) {
    std::vector<Rung*> near;
    for (Ladder& ladder : all) {
      for (Rung* rung : rungs_near(ladder, *choice.error)) near.push_back(rung);
    }
    time(near, trial_timings, "choosing", 0.35);
    if (stopped()) return;
  }

  // By time, and by error among those that do not get there.
  const auto rank = [&](const Ladder& ladder) {
    const std::vector<WorkPoint> curve = ladder.curve();
    return std::pair(choice.error ? time_needed(ladder, *choice.error) : HUGE_VAL,
                     curve.empty() ? HUGE_VAL : curve.back().error);
  };
  std::vector<Ladder*> best;  // one for each family
  for (Ladder& ladder : all) {
    const std::string family(methods()[parse_method(ladder.method).index].family);
    std::size_t place = 0;
    while (place < best.size() && choice.families[place].family != family) ++place;
    if (place == best.size()) {
      best.push_back(&ladder);
      choice.families.push_back({family, "", 0});
    } else if (rank(ladder) < rank(*best[place])) {
      best[place] = &ladder;
    }
    choice.families[place].method = best[place]->method;
    ++choice.families[place].of;
  }
  for (Ladder* ladder : best) {
    for (Rung& rung : ladder->rungs) rung.row.timings.clear();
    ladders_.push_back(std::move(*ladder));
  }
  study_.choice = std::move(choice);
}

}  // namespace

std::vector<WorkPoint> Ladder::curve() const {
  std::vector<WorkPoint> points;
  for (std::size_t i = first_useful(); i < rungs.size(); ++i) {
    const std::optional<Quartiles> cost = rungs[i].row.cost();
    points.push_back({rungs[i].error(), cost ? cost->median : std::numeric_limits<double>::quiet_NaN()});
  }
  return points;
}

Comparison compare(const ComparisonRequest& request, const StudyControl& control) {
  return Comparing(request, control).made();
}

}  // namespace polhode
