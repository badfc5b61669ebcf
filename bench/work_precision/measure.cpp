#include "measure.hpp"

#include "automatic.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::bench {
namespace {

constexpr double saturated = 0.5;      // [rad], from where an error says nothing
constexpr double coarsest_turn = 128;  // [rad] in a step
constexpr std::size_t patience = 4;    // settings that do not gain anything, after which no other is tried
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

// One after the other and then all again, so that a machine that slows down slows every row; the unit in between.
std::vector<double> time(std::vector<Ladder>& ladders, bool dear, Integrator& unit, double unit_steps,
                         const Effort& effort) {
  constexpr int between = 16;
  struct Entry {
    Integrator* integrator;
    Rung* rung;
    int repetitions;
  };
  std::vector<Entry> entries;
  for (Ladder& ladder : ladders) {
    for (Rung& rung : ladder.rungs) {
      if (!(std::min(rung.error, rung.worst) < saturated)) continue;
      if (dear && 1e-6 * rung.evaluations > effort.longest_run) continue;
      Integrator& integrator = *ladder.candidate.integrator;
      integrator.choose(0, rung.setting);
      double once = seconds_of(integrator, 1);
      while (once * static_cast<double>(rung.runs) < effort.least_timing) {
        rung.runs = std::max(rung.runs + 1, static_cast<long>(1.2 * effort.least_timing / once));
        once = seconds_of(integrator, rung.runs) / static_cast<double>(rung.runs);
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
  if (!cut_short) return infinite;
  const Rung& last = rungs.back();
  return (currency == Currency::units ? last.roughly : last.evaluations) * (look == Look::nominal ? 1 : last.more);
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

Measured measure(const CaseSpec& spec, const Effort& effort) {
  Case subject = make_case(spec);
  subject.contenders_only = effort.contenders_only;
  const std::optional<AnyEquations> equations = equations_of(subject.setup, subject.idle_rounds);
  Measured measured{spec, subject.about, subject.starts.size() - 1, {}, {}};
  if (!equations) return measured;
  Candidates candidates;
  add_odeint(subject, *equations, candidates);
#ifdef POLHODE_BENCH_SUNDIALS
  add_sundials(subject, *equations, candidates);
#endif
#ifdef POLHODE_BENCH_GSL
  add_gsl(subject, *equations, candidates);
#endif
  add_ours(subject, candidates);

  let_idle(false);
  std::vector<Ladder> ladders;
  for (Candidate& candidate : candidates) ladders.push_back({std::move(candidate)});
  for (Ladder& ladder : ladders) climb(subject, ladder, effort);

  // The unit: the classical method on the same equations, where they are not made dear, at steps of 0.05 rad.
  let_idle(spec.dear);
  constexpr double unit_turn = 0.05;
  const double unit_steps = std::ceil(effort.least_timing / 40e-9);
  Case stretch = subject;
  stretch.duration = unit_steps * unit_turn * subject.duration / subject.turned;
  Candidates yardstick;
  add_odeint(stretch, *equations_of(subject.setup, nullptr), yardstick);
  const std::vector<double> units = time(ladders, spec.dear, *yardstick.front().integrator, unit_steps, effort);
  measured.unit = quartiles(units);
  for (Ladder& ladder : ladders) {
    for (Rung& rung : ladder.rungs) {
      const double unit = measured.unit.median;
      rung.roughly = rung.seconds / unit;
      if (rung.times.empty()) continue;
      const Quartiles all = quartiles(rung.times);
      rung.units = {all.lower / unit, all.median / unit, all.upper / unit};
    }
    measured.fronts.push_back({ladder.candidate.name, ladder.candidate.side, ladder.candidate.freedom, ladder.cut_short,
                               std::move(ladder.rungs)});
  }
  if (!spec.dear) measured.automatic = choices(subject, measured.fronts);
  return measured;
}

}  // namespace polhode::bench
