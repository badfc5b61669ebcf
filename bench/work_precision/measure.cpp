#include "measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "automatic.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "same_equations.hpp"
#include "torque_time.hpp"

namespace polhode::bench {
namespace {

constexpr double saturated = 0.5;       // [rad], from where an error says nothing
constexpr double coarsest_turn = 128;   // [rad] in a step
constexpr std::size_t patience = 4;     // settings that do not gain anything, after which no other is tried
constexpr double surely_solved = 1e-3;  // [rad], which a peer that is not cut short comes to
constexpr double infinite = std::numeric_limits<double>::infinity();

struct Ladder {
  Candidate candidate;
  std::vector<Rung> rungs{};
  bool cut_short = false;
};

struct Ending {
  double error, evaluations;
};

Ending ending(const Case& subject, Integrator& integrator, std::size_t start) {
  const Outcome outcome = integrator.outcome();
  const double error = static_cast<double>(angle_between(cast<long double>(outcome.attitude), subject.ends[start]));
  return {outcome.finished && std::isfinite(error) ? error : infinite, static_cast<double>(outcome.evaluations)};
}

// How long a run takes: looked at again where it seems too long, for the machine may have been elsewhere.
double seconds_once(Integrator& integrator, double longest) {
  double seconds = seconds_of(integrator, 1);
  for (int i = 0; i < 3 && seconds > longest; ++i) seconds = std::min(seconds, seconds_of(integrator, 1));
  return seconds;
}

Rung climbed(const Case& subject, Integrator& integrator, double setting, double longest) {
  Rung rung{.setting = setting};
  integrator.choose(0, setting);
  rung.seconds = seconds_once(integrator, longest);
  const Ending nominal = ending(subject, integrator, 0);
  rung.error = nominal.error;
  rung.evaluations = nominal.evaluations;
  if (!(rung.error < saturated)) {
    rung.worst = infinite;
    return rung;
  }
  if (subject.starts.size() == 1) {
    rung.worst = rung.error;
    return rung;
  }
  double evaluations = 0;
  for (std::size_t start = 1; start < subject.starts.size(); ++start) {
    integrator.choose(start, setting);
    integrator.integrate();
    const Ending other = ending(subject, integrator, start);
    rung.worst = larger(rung.worst, other.error);
    evaluations += other.evaluations;
  }
  if (nominal.evaluations > 0)
    rung.more = evaluations / (static_cast<double>(subject.starts.size() - 1) * nominal.evaluations);
  return rung;
}

// Whether the last settings have gained nothing, for the nominal start and for the others.
bool at_the_bottom(const std::vector<Rung>& rungs) {
  const auto stands = [&](double Rung::*error) {
    if (rungs.size() <= patience || !(rungs.back().*error < saturated)) return false;
    const auto least = [&](auto from, auto to) {
      double smallest = infinite;
      for (; from != to; ++from) smallest = std::min(smallest, (*from).*error);
      return smallest;
    };
    return least(rungs.begin(), rungs.end() - patience) <= least(rungs.end() - patience, rungs.end());
  };
  return stands(&Rung::error) && stands(&Rung::worst);
}

void climb(const Case& subject, Ladder& ladder, const Effort& effort) {
  Candidate& candidate = ladder.candidate;
  const double longest = candidate.side == Side::peer ? effort.longest_of_peers : effort.longest_run;
  const bool adaptive = candidate.freedom == Freedom::tolerance;
  double last = 0;
  for (int k = 0;; ++k) {
    double setting = std::pow(10, -k - 1);
    if (!adaptive) {
      const double coarsest = candidate.freedom == Freedom::none ? 1 : std::ceil(subject.turned / coarsest_turn);
      setting = std::round(coarsest * std::exp2(0.5 * k));
      if (setting == last) continue;
      last = setting;
    } else if (setting < 1e-15) {
      return;
    }
    ladder.rungs.push_back(climbed(subject, *candidate.integrator, setting, longest));
    const Rung& rung = ladder.rungs.back();
    const auto finished = [](const Rung& other) { return std::isfinite(other.worst); };
    if (!finished(rung) && std::any_of(ladder.rungs.begin(), ladder.rungs.end(), finished)) {
      ladder.rungs.pop_back();  // a tolerance that asks too much
      ladder.cut_short = true;
      return;
    }
    if (candidate.freedom == Freedom::none || at_the_bottom(ladder.rungs)) return;
    if (larger(rung.error, rung.worst) <= errors.back()) return;
    ladder.cut_short = rung.seconds > longest;
    if (ladder.cut_short) return;
  }
}

// Of three trials: one that something held up would make a repetition out of too few runs, and the clock's own time
// would count.
double least_seconds_of_one(Integrator& integrator, long runs) {
  double least = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 3; ++trial) least = std::min(least, seconds_of(integrator, runs));
  return least / static_cast<double>(runs);
}

// One after the other and then all again, so that a machine that slows down slows every row; the unit in between.
std::vector<double> time(std::vector<Ladder>& ladders, double torque_seconds, Integrator& unit, double unit_steps,
                         const Effort& effort) {
  constexpr int between = 16;
  struct Entry {
    Integrator* integrator;
    Rung* rung;
    int repetitions;
  };
  std::vector<Entry> entries;
  for (Ladder& ladder : ladders) {
    const double most_calls = (ladder.candidate.side == Side::peer ? 2 : 1) * effort.most_calls;
    for (Rung& rung : ladder.rungs) {
      rung.too_long = torque_seconds > 0 && rung.evaluations > most_calls;
      if (rung.too_long || !(std::min(rung.error, rung.worst) < saturated)) continue;
      Integrator& integrator = *ladder.candidate.integrator;
      integrator.choose(0, rung.setting);
      double once = least_seconds_of_one(integrator, rung.runs);
      while (once * static_cast<double>(rung.runs) < effort.least_timing) {
        rung.runs = std::max(rung.runs + 1, static_cast<long>(1.2 * effort.least_timing / once));
        once = least_seconds_of_one(integrator, rung.runs);
      }
      const double repetition = once * static_cast<double>(rung.runs);
      entries.push_back({&integrator, &rung,
                         std::clamp(static_cast<int>(effort.longest_repetition / repetition), 3, effort.repetitions)});
    }
  }
  std::vector<double> units;
  for (int i = 0; i < effort.repetitions; ++i) {
    int since_unit = 0;
    for (const auto& [integrator, rung, repetitions] : entries) {
      if (i >= repetitions) continue;
      if (since_unit++ % between == 0) {
        unit.choose(0, unit_steps);
        units.push_back(seconds_of(unit, 1) / unit_steps);
      }
      integrator->choose(0, rung->setting);
      rung->times.push_back(seconds_of(*integrator, rung->runs) / static_cast<double>(rung->runs));
    }
  }
  return units;
}

}  // namespace

std::vector<WorkPoint> Front::curve(Look look, Currency currency) const {
  std::vector<WorkPoint> points;
  for (const Rung& rung : rungs) {
    const bool nominal = look == Look::nominal;
    const double error = nominal ? rung.error : rung.worst;
    if (!(error < saturated)) {
      points.clear();  // angles come round again
      continue;
    }
    const double cost =
        (currency == Currency::units ? rung.units.median : rung.evaluations) * (nominal ? 1 : rung.more);
    if (cost > 0) points.push_back({error, cost});
  }
  const auto lowest = std::min_element(points.begin(), points.end(),
                                       [](const WorkPoint& a, const WorkPoint& b) { return a.error < b.error; });
  if (lowest != points.end()) points.erase(lowest + 1, points.end());
  return points;
}

std::optional<double> Front::cost(double error, Look look, Currency currency) const {
  const std::vector<WorkPoint> points = curve(look, currency);
  if (const std::optional<double> between = cost_at(points, error)) return between;
  if (!points.empty() && points.front().error <= error) return points.front().cost;
  return std::nullopt;
}

double Front::least_cost(Look look, Currency currency) const {
  const bool in_time = currency == Currency::units;
  const auto last =
      std::find_if(rungs.rbegin(), rungs.rend(), [&](const Rung& rung) { return !(in_time && rung.too_long); });
  if (!cut_short && last == rungs.rbegin()) return infinite;
  if (last == rungs.rend()) return 0;
  return (in_time ? last->roughly : last->evaluations) * (look == Look::nominal ? 1 : last->more);
}

double Measured::least_cost_of_peers(Look look, Currency currency) const {
  double least = infinite;
  for (const Front& front : fronts)
    if (front.side == Side::peer) least = std::min(least, front.least_cost(look, currency));
  return least;
}

std::optional<Best> Measured::best(bool peers, double error, Look look, Currency currency) const {
  std::optional<Best> found;
  for (const Front& front : fronts) {
    if ((front.side == Side::peer) != peers) continue;
    const std::optional<double> cost = front.cost(error, look, currency);
    if (cost && (!found || *cost < found->cost)) found = Best{&front, *cost};
  }
  return found;
}

namespace {

// An expensive torque takes the time it is said to take, wherever it is called.
void check_torque_calls(const Case& subject, const AnyEquations& equations, Measured& measured) {
  const double asked = measured.spec.torque_seconds;
  if (asked == 0) return;
  for (const TorqueCall& call : torque_calls(subject, equations, asked)) {
    measured.torque_calls.push_back(call.seconds);
    if (call.unwatched != 0)
      measured.complaints.push_back(fmt::format("{} torque calls of {} do not idle", call.unwatched, call.name));
    if (!(std::abs(call.seconds / asked - 1) <= torque_time_tolerance))
      measured.complaints.push_back(
          fmt::format("a torque call of {} idles for {:.3g} us, not {:g}", call.name, 1e6 * call.seconds, 1e6 * asked));
  }
}

// Peers are given the equations of the problem.
void check_equations(const Case& subject, const AnyEquations& equations, Measured& measured) {
  const double off = difference_of_equations(subject.setup, equations);
  if (!(off <= most_by_rounding))
    measured.complaints.push_back(fmt::format("the equations for the other libraries are off by {:.1e}", off));
}

// They come to where ours come: the same start, the same time, the same measure of the error.
void check_ends(const std::vector<Ladder>& ladders, Measured& measured) {
  for (const Ladder& ladder : ladders) {
    if (ladder.candidate.side != Side::peer || ladder.cut_short) continue;
    double least = infinite;
    for (const Rung& rung : ladder.rungs) least = std::min(least, rung.error);
    if (!(least <= surely_solved))
      measured.complaints.push_back(
          fmt::format("{} comes no closer to the reference than {:.1e} rad", ladder.candidate.name, least));
  }
}

}  // namespace

Measured measure(const CaseSpec& spec, const Effort& effort) {
  Case subject = make_case(spec);
  subject.contenders_only = effort.contenders_only;
  const std::optional<AnyEquations> equations = equations_of(subject.setup, subject.idling);
  Measured measured{spec, subject.about, subject.starts.size() - 1, {}, {}};
  if (!equations) return measured;
  let_idle(0);
  check_equations(subject, *equations, measured);
  check_torque_calls(subject, *equations, measured);
  std::vector<Ladder> ladders;
  for (Candidate& candidate : candidates_for(subject, *equations)) ladders.push_back({std::move(candidate)});
  for (Ladder& ladder : ladders) climb(subject, ladder, effort);
  check_ends(ladders, measured);

  // The unit: the classical method on the same equations, where they do not idle, at steps of 0.05 rad.
  let_idle(spec.torque_seconds);
  constexpr double unit_turn = 0.05;
  const double unit_steps = std::ceil(effort.least_timing / 40e-9);
  Case stretch = subject;
  stretch.duration = unit_steps * unit_turn * subject.duration / subject.turned;
  Candidates yardstick;
  add_odeint(stretch, *equations_of(subject.setup, nullptr), yardstick);
  const std::vector<double> units =
      time(ladders, spec.torque_seconds, *yardstick.front().integrator, unit_steps, effort);
  measured.unit = quartiles(units);
  for (Ladder& ladder : ladders) {
    for (Rung& rung : ladder.rungs) {
      const double unit = measured.unit.median;
      rung.roughly = (rung.seconds + spec.torque_seconds * rung.evaluations) / unit;
      if (rung.times.empty()) continue;
      const Quartiles all = quartiles(rung.times);
      rung.units = {all.lower / unit, all.median / unit, all.upper / unit};
    }
    measured.fronts.push_back({ladder.candidate.name, ladder.candidate.side, ladder.candidate.freedom, ladder.cut_short,
                               std::move(ladder.rungs)});
  }
  check_torque_calls(subject, *equations, measured);
  if (spec.torque_seconds == 0) measured.automatic = choices(subject, measured.fronts);
  return measured;
}

}  // namespace polhode::bench
