#include "studies/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/studies/converge.hpp"

namespace polhode {
namespace {

std::string size_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "no step could be solved";
}
std::string below_text(double bound) { return fmt::format("below {:.0e}", bound); }
std::string_view keeps_text(Keeps keeps) {
  return keeps == Keeps::exact ? "exact" : keeps == Keeps::bounded ? "bounded" : "no";
}

struct WhereFound {
  std::string key, words;
};
WhereFound where_found(const Situation& situation) {
  return situation.is_free ? WhereFound{"free", "free"} : WhereFound{"field", "in the field"};
}

// How far a slope may be from a whole number: where an error of order 10 is its leading term it is next to rounding.
double slope_tolerance(int order) { return order >= 10 ? 0.5 : 0.25; }

// Whether the errors of the three finest steps are one and the same, as those of order 0 are.
bool stays_the_same(const std::vector<BoundedError>& points) {
  if (points.size() < 3) return false;
  const BoundedError *last = &points.back(), *middle = last - 1, *first = last - 2;
  return std::abs(local_slope(*first, *middle)) < 0.1 && std::abs(local_slope(*middle, *last)) < 0.1;
}

Finding order_line(const std::string& quantity, int claimed, const ProbedOrder& probed, const Situation& situation) {
  const WhereFound place = where_found(situation);
  Finding line{"order_" + quantity + "_" + place.key, fmt::format("order of {}, {}", quantity, place.words),
               order_text(claimed), "", ""};
  line.bound = probed.rounding;
  if (probed.exact) {
    double largest = 0;
    for (const BoundedError& point : probed.points) largest = std::max(largest, point.error);
    line.value = largest;
    line.measured = fmt::format("exact: errors of {} at most", size_text(largest));
    line.zero = below_text(probed.rounding);
    line.verdict = claimed == exact_order ? Verdict::agrees : Verdict::more;
    return line;
  }
  const auto& fit = probed.order.fit;
  if (!fit && claimed == 0 && stays_the_same(probed.points)) {
    line.value = 0;
    line.measured = fmt::format("0: errors of {} however small the steps", size_text(probed.points.back().error));
    line.verdict = Verdict::agrees;
    return line;
  }
  if (!fit) {
    line.measured = "none";
    line.note = reason(probed.order);
    line.verdict = Verdict::open;
    return line;
  }
  line.value = fit->order;
  line.uncertainty = fit->uncertainty;
  line.measured = fmt::format("{:.2f} +- {:.2f}, steps {:.2g} to {:.2g} s", fit->order, fit->uncertainty,
                              fit->from_step, fit->to_step);
  const double tolerance = slope_tolerance(claimed);
  line.zero = claimed == exact_order ? below_text(probed.rounding) : fmt::format("within {}", tolerance);
  if (claimed == exact_order || fit->order < claimed - tolerance) {
    line.verdict = Verdict::disagrees;
  } else {
    line.verdict = fit->order > claimed + tolerance ? Verdict::more : Verdict::agrees;
  }
  return line;
}

// A defect that is none, or is one.
void judge_defect(Finding& line, double value, double zero, bool claimed_none) {
  line.value = std::isfinite(value) ? std::optional(value) : std::nullopt;
  line.bound = zero;
  line.measured = size_text(value);
  line.zero = below_text(zero);
  const bool none = value < zero;
  if (!std::isfinite(value)) {
    line.verdict = Verdict::open;
  } else if (claimed_none) {
    line.verdict = none ? Verdict::agrees : Verdict::disagrees;
  } else {
    line.verdict = none ? Verdict::more : Verdict::agrees;
  }
}

Finding defect_line(const char* key, const char* about, bool claimed, double value, double zero) {
  Finding line{key, about, claimed ? "yes" : "no", "", ""};
  judge_defect(line, value, zero, claimed);
  return line;
}

Finding momentum_line(const Measured& m) {
  const bool is_free = m.situation->is_free;
  const Keeps claimed = is_free ? m.claims.momentum_free : m.claims.momentum_along_field;
  Finding line{is_free ? "momentum_free" : "momentum_field", is_free ? "momentum, free" : "momentum along the field",
               std::string(keeps_text(claimed)), "", ""};
  if (!is_free && !m.situation->torque_free_axis_S) {
    line.claimed = "-";
    line.measured = "the torque has components in every direction";
    return line;
  }
  judge_defect(line, m.probed.momentum_change, m.probed.invariant_zero, claimed == Keeps::exact);
  return line;
}

Keeps claimed_energy(const Measured& m) { return m.situation->is_free ? m.claims.energy_free : m.claims.energy; }

// Where motion is chaotic errors wander and windows differ: a drift has to stand clear of that, too.
bool moves_on(const EnergyRecord& record, double scale) {
  if (!(record.drifts() || record.creeps(scale)) || !record.drift) return false;
  return std::abs(record.drift->rate) > 3 * record.drift->uncertainty;
}

Finding energy_line(const Measured& m) {
  const WhereFound place = where_found(*m.situation);
  const Keeps claimed = claimed_energy(m);
  Finding line{"energy_" + place.key, "energy, " + place.words, std::string(keeps_text(claimed)), "", ""};
  if (!m.energy) {
    line.claimed = "-";
    line.measured = "the torque does not keep it, or is not smooth";
    return line;
  }
  const EnergyRecord& record = m.energy->record;
  const double largest = record.overall() / m.energy->scale;
  const bool none = *m.probed.energy_change < m.probed.invariant_zero;
  if (none || claimed == Keeps::exact) {
    judge_defect(line, *m.probed.energy_change, m.probed.invariant_zero, claimed == Keeps::exact);
    return line;
  }
  line.value = largest;
  line.bound = m.probed.invariant_zero;
  line.zero = below_text(m.probed.invariant_zero);
  const bool grows = moves_on(record, m.energy->scale), stays = record.stays() && !grows;
  line.measured = fmt::format("{} at most, {}", size_text(largest),
                              grows   ? "and moves on"
                              : stays ? "and stays"
                                      : "unclear");
  if (!std::isfinite(largest) || !(grows || stays)) {
    line.verdict = Verdict::open;
    line.note = std::isfinite(largest) ? "the error neither stays nor grows clearly" : "no long run came to its end";
  } else if (claimed == Keeps::bounded) {
    line.verdict = grows ? Verdict::disagrees : Verdict::agrees;
  } else {
    line.verdict = grows ? Verdict::agrees : Verdict::more;
    if (stays) line.note = "no drift here; another situation may show one";
  }
  return line;
}

Finding drift_line(const Measured& m) {
  const WhereFound place = where_found(*m.situation);
  const Keeps claimed = claimed_energy(m);
  Finding line{"drift_" + place.key, fmt::format("drift, {} [1/s]", place.words),
               claimed == Keeps::no ? "some" : "none", "", "3 standard errors"};
  const EnergyRecord& record = m.energy->record;
  if (!record.drift) {
    line.measured = "no long run came to its end";
    line.verdict = Verdict::open;
    return line;
  }
  const double unit = m.energy->scale * m.energy->seconds;  // of energy per time, in shares per second
  line.value = record.drift->rate / unit;
  line.uncertainty = record.drift->uncertainty / unit;
  line.bound = 3 * *line.uncertainty;
  line.measured = fmt::format("{:.1e} +- {:.0e}", *line.value, *line.uncertainty);
  // A unit of the last place in every step is no drift of the method.
  const double rounding = std::numeric_limits<double>::epsilon() / (record.step * m.energy->seconds);
  const bool none = std::abs(*line.value) <= std::max(*line.bound, rounding);
  if (claimed == Keeps::no) {
    line.verdict = none ? Verdict::more : Verdict::agrees;
  } else if (none || claimed == Keeps::exact) {
    line.verdict = none ? Verdict::agrees : Verdict::disagrees;
  } else {
    // A slow modulation has a slope, too; the means of windows decide.
    line.verdict = record.stays()                      ? Verdict::agrees
                   : moves_on(record, m.energy->scale) ? Verdict::disagrees
                                                       : Verdict::open;
    if (record.stays()) line.note = "a slow modulation: means of windows stay";
  }
  return line;
}

// Newton's method of a projection comes on top, and of an equation that holds the torque only the mean is known.
Finding calls_line(const MethodSpec& method, const StepCost& cost, bool depends_on_velocity) {
  const double claimed = method.claims.torque_evaluations, counted = cost.torque_evaluations;
  Finding line{"torque_evaluations", "torque calls a step", fmt::format("{:.4g}", claimed),
               fmt::format("{:.4g}", counted), ""};
  line.value = counted;
  // A suffix that composes no steps asks for torques of its own.
  const bool projects = std::any_of(method.suffixes.begin(), method.suffixes.end(),
                                    [](const Suffix& suffix) { return suffixes()[suffix.index].stages == 1; });
  const bool varies = method.claims.implicit_torque;
  const double least = varies && !projects ? claimed * 2 / 3 : claimed;
  const double most = projects ? claimed + (varies ? 5 : 4) : varies ? claimed * 4 / 3 : claimed;
  line.verdict = counted < least - 1e-9 ? Verdict::more : counted > most + 1e-9 ? Verdict::disagrees : Verdict::agrees;
  if (depends_on_velocity) {
    line.claimed = "-";
    line.verdict = Verdict::no_claim;
    line.note = "of a torque that depends on the angular velocity some methods ask for more";
  }
  if (projects) line.note = "those of a projection come on top";
  return line;
}

Finding cost_line(const StepCost& cost) {
  Finding line{
      "seconds_per_step", "time of a step", "-",
      fmt::format("{:.3g} us, {:.2g} times that of rkmk-4", 1e6 * cost.seconds, cost.seconds / cost.of_yardstick), ""};
  line.value = cost.seconds;
  if (cost.solver_iterations > 0) line.note = fmt::format("{:.2g} iterations of a solver", cost.solver_iterations);
  return line;
}

}  // namespace

std::vector<Finding> findings(const std::vector<Measured>& measured, const MethodSpec& method, const StepCost& cost) {
  std::vector<Finding> lines;
  for (const Measured& m : measured) {
    const Orders claimed = orders_of(m.claims, m.situation->is_free);
    lines.push_back(order_line("attitude", claimed.attitude, m.probed.attitude, *m.situation));
    lines.push_back(order_line("momentum", claimed.momentum, m.probed.momentum, *m.situation));
  }
  const Measured& hardest = measured.back();
  const Probed& probed = hardest.probed;
  lines.push_back(
      defect_line("symmetry", "time symmetry", hardest.claims.symmetric, probed.symmetry, probed.symmetry_zero));
  if (hardest.energy)
    lines.push_back(
        defect_line("symplectic", "symplectic", hardest.claims.symplectic, probed.symplectic, probed.symplectic_zero));
  for (const Measured& m : measured) lines.push_back(momentum_line(m));
  for (const Measured& m : measured) {
    lines.push_back(energy_line(m));
    if (m.energy) lines.push_back(drift_line(m));
  }
  if (!hardest.situation->is_free || method.claims.torque_evaluations == 0)
    lines.push_back(calls_line(method, cost, hardest.situation->depends_on_velocity));
  lines.push_back(cost_line(cost));
  return lines;
}

}  // namespace polhode
