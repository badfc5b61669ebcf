#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../machine.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::bench {
namespace {

std::string number(double x) { return x < 9.95 ? fmt::format("{:.2g}", x) : fmt::format("{:.0f}", x); }
std::string number(const std::optional<double>& x) { return x ? number(*x) : "-"; }

std::string joined(const Ratios& ratios) {
  std::string text;
  for (const Ratio& ratio : ratios) text += (text.empty() ? "" : " / ") + ratio.text();
  return text;
}

void print_costs(const Measured& measured, Currency currency) {
  fmt::print("{:<33}", currency == Currency::units ? "units" : "torque evaluations");
  for (const double error : errors) fmt::print("{:>17}", fmt::format("{:.0e}", error));
  fmt::print("\n");
  const auto print_row = [](const std::string& label, auto cell) {
    fmt::print("{:<33}", label);
    for (std::size_t i = 0; i < errors.size(); ++i) fmt::print("{:>17}", cell(i));
    fmt::print("\n");
  };
  for (const Front& front : measured.fronts) {
    bool any = false;
    for (const double error : errors) any = any || front.cost(error, Look::nominal, currency);
    if (!any) continue;
    print_row(front.label(), [&](std::size_t i) {
      return number(front.cost(errors[i], Look::nominal, currency)) + " / " +
             number(front.cost(errors[i], Look::worst, currency));
    });
  }
  const Ratios nominal = ratios(measured, Look::nominal, currency), worst = ratios(measured, Look::worst, currency);
  print_row("best peer over ours", [&](std::size_t i) { return nominal[i].text() + " / " + worst[i].text(); });
  fmt::print("\n");
}

const char* name_of(Side side) {
  switch (side) {
    case Side::peer: return "peer";
    case Side::registry: return "name";
    case Side::kernel: break;
  }
  return "kernel";
}

nlohmann::ordered_json costs_json(const Front& front, Look look, Currency currency) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double error : errors) {
    const std::optional<double> cost = front.cost(error, look, currency);
    list.push_back(cost ? nlohmann::ordered_json(*cost) : nlohmann::ordered_json());
  }
  return list;
}

nlohmann::ordered_json ratios_json(const Ratios& all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Ratio& ratio : all) {
    nlohmann::ordered_json one;
    one["text"] = ratio.text();
    one["peer"] = ratio.peer ? nlohmann::ordered_json(ratio.peer->front->label()) : nlohmann::ordered_json();
    one["ours"] = ratio.ours ? nlohmann::ordered_json(ratio.ours->front->label()) : nlohmann::ordered_json();
    list.push_back(one);
  }
  return list;
}

nlohmann::ordered_json finite(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json();
}

// Looks for methods that keep momentum and energy for a long time.
class Keepers {
 public:
  explicit Keepers(const Measured& measured) : measured_(measured) {}

  // The cheapest of ours that does, at the steps with which it reaches an error.
  std::optional<Best> best(double error, Look look) {
    std::vector<Best> ours;
    for (const Front& front : measured_.fronts) {
      if (front.side == Side::peer) continue;
      if (const std::optional<double> cost = front.cost(error, look, Currency::units)) ours.push_back({&front, *cost});
    }
    std::sort(ours.begin(), ours.end(), [](const Best& a, const Best& b) { return a.cost < b.cost; });
    for (const Best& one : ours)
      if (keeps(*one.front, error, look)) return one;
    return std::nullopt;
  }
  std::vector<Keeping> tried() && { return std::move(tried_); }

 private:
  bool keeps(const Front& front, double error, Look look) {
    const auto reaches = [&](const Rung& rung) { return (look == Look::nominal ? rung.error : rung.worst) <= error; };
    const auto coarser = std::find_if_not(front.rungs.rbegin(), front.rungs.rend(), reaches);
    const auto fine = coarser.base() == front.rungs.end() ? front.rungs.end() - 1 : coarser.base();
    const double step = measured_.spec.duration / fine->setting;
    const auto same = [&](const Keeping& other) { return other.method == front.name && other.step == step; };
    const auto known = std::find_if(tried_.begin(), tried_.end(), same);
    if (known != tried_.end()) return known->met();
    tried_.push_back({front.name, error, step, long_run(measured_.spec, front.name, step)});
    return tried_.back().met();
  }

  const Measured& measured_;
  std::vector<Keeping> tried_;
};

}  // namespace

std::string Ratio::text() const {
  if (!ours) return peer ? "ours fail" : "none";
  if (peer) return number(*value());
  return std::isfinite(least) ? fmt::format(">{}", number(*value())) : "only ours";
}

Ratios ratios(const Measured& measured, Look look, Currency currency) {
  Ratios all;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    all[i].peer = measured.best(true, errors[i], look, currency);
    all[i].ours = measured.best(false, errors[i], look, currency);
    all[i].least = measured.least_cost_of_peers(look, currency);
  }
  return all;
}

bool Verdict::met() const {
  if (!is_judged()) return false;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!nominal[i].reaches(goal[i]) || !(worst[i].reaches(goal[i]) || worst[i].is_out_of_reach())) return false;
  return true;
}

std::string Verdict::line() const {
  if (!is_judged()) {
    return fmt::format("{}, {}: NOT JUDGED, for {}{}", row, currency, complaints.front(),
                       complaints.size() > 1 ? fmt::format(" (and {} more)", complaints.size() - 1) : "");
  }
  std::string goals, missed;
  for (const double ratio : goal) goals += (goals.empty() ? "" : " / ") + number(ratio);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (nominal[i].reaches(goal[i]) && (worst[i].reaches(goal[i]) || worst[i].is_out_of_reach())) continue;
    const auto shortfall = [&](const Ratio& ratio) {
      if (ratio.reaches(goal[i])) return std::string("met");
      if (ratio.ours && !ratio.peer) return std::string("not known");  // how far the peers are off
      return ratio.value() ? number(goal[i] / *ratio.value()) : ratio.text();
    };
    missed += fmt::format("{}{:.0e} ({}, {})", missed.empty() ? "" : ", ", errors[i], shortfall(nominal[i]),
                          shortfall(worst[i]));
  }
  return fmt::format("{}, {}: goal {}; measured {}; worst of {} {}: {}{}", row, currency, goals, joined(nominal),
                     random_starts, joined(worst),
                     missed.empty() ? "met" : "MISSED, short by the factors (nominal, worst) ", missed);
}

std::string Keeping::line() const {
  return fmt::format(
      "{} at {:.3g} s ({:.0e} rad), to {:.0f} s: momentum along the field to {:.1e} (goal 1e-14), energy error {:.1e} "
      "in "
      "the first tenth, {:.1e} in the last ({}): {}",
      method, step, error, run.duration, run.momentum, run.energy_first, run.energy_last,
      run.energy_grows() ? "grows" : "does not grow", met() ? "met" : "MISSED");
}

bool Verdicts::met() const {
  return std::all_of(rows.begin(), rows.end(), [](const Verdict& row) { return row.met(); });
}

Verdicts judged(const Measured& measured) {
  Verdicts verdicts;
  if (!measured.spec.goal) return verdicts;
  const auto judge = [&](const std::string& currency_name, const auto& goal, Currency currency) {
    if (goal)
      verdicts.rows.push_back({measured.spec.name, currency_name, *goal, ratios(measured, Look::nominal, currency),
                               ratios(measured, Look::worst, currency)});
  };
  judge("time", measured.spec.goal->time, Currency::units);
  judge("torque evaluations", measured.spec.goal->evaluations, Currency::evaluations);
  if (measured.spec.goal->conserves) {
    Verdict kept = verdicts.rows.front();
    kept.currency = "time, by methods that keep momentum and energy";
    Keepers keepers(measured);
    for (std::size_t i = 0; i < errors.size(); ++i) {
      kept.nominal[i].ours = keepers.best(errors[i], Look::nominal);
      kept.worst[i].ours = keepers.best(errors[i], Look::worst);
    }
    verdicts.rows.push_back(kept);
    verdicts.keeping = std::move(keepers).tried();
  }
  for (Verdict& row : verdicts.rows) row.complaints = measured.complaints;
  return verdicts;
}

std::string line_of_auto(const Measured& measured) {
  std::string text;
  for (const Automatic& one : measured.automatic) {
    text += fmt::format("{}{:.0e} rad {} ({:.1e} rad)", text.empty() ? "" : "; ", one.tolerance, one.method, one.error);
    text +=
        one.best.empty() ? ", which no listed method reaches" : fmt::format(", {:.2f} times {}", one.ratio, one.best);
  }
  return fmt::format("{}, auto: {}", measured.spec.name, text);
}

void AutoVerdict::add(const Measured& measured) {
  for (const Automatic& one : measured.automatic) {
    worst = larger(worst, one.ratio);
    ++choices;
    if (one.error > one.tolerance) ++missed_tolerances;
  }
}

std::string AutoVerdict::line() const {
  return fmt::format(
      "auto: at most {:.2f} times the best listed method (goal {:g}), in {} choices, {} of which miss their "
      "tolerance: {}",
      worst, goal_of_auto, choices, missed_tolerances, met() ? "met" : "MISSED");
}

void print_table(const Measured& measured) {
  fmt::print("{} ({}, {:g} s: {})\n", measured.spec.name, measured.spec.problem, measured.spec.duration,
             measured.about);
  if (measured.fronts.empty()) {
    fmt::print("left out: its torque is not written down for the other libraries\n\n");
    return;
  }
  fmt::print("unit {:.1f} ns (quartiles {:.1f} to {:.1f}) on {}; each cell: nominal / worst of {}\n",
             1e9 * measured.unit.median, 1e9 * measured.unit.lower, 1e9 * measured.unit.upper, machine_name(),
             measured.other_starts > 0 ? fmt::format("{} random starts", measured.other_starts)
                                       : "none, for the torque has a singularity");
  if (!measured.torque_calls.empty()) {
    const auto [least, most] = std::minmax_element(measured.torque_calls.begin(), measured.torque_calls.end());
    fmt::print("a torque call idles for {:g} us; watched in {} integrators, before and after: {:.3g} to {:.3g} us\n",
               1e6 * measured.spec.torque_seconds, measured.torque_calls.size() / 2, 1e6 * *least, 1e6 * *most);
  }
  print_costs(measured, Currency::units);
  if (measured.spec.goal && measured.spec.goal->evaluations) print_costs(measured, Currency::evaluations);
}

nlohmann::ordered_json json_of(const Measured& measured, const Verdicts& verdicts) {
  nlohmann::ordered_json json;
  json["name"] = measured.spec.name;
  json["problem"] = measured.spec.problem;
  json["about"] = measured.about;
  json["duration"] = measured.spec.duration;
  json["random_starts"] = measured.other_starts;
  json["unit_ns"] = {1e9 * measured.unit.lower, 1e9 * measured.unit.median, 1e9 * measured.unit.upper};
  json["torque_seconds"] = measured.spec.torque_seconds;
  json["torque_calls"] = measured.torque_calls;
  json["complaints"] = measured.complaints;
  json["methods"] = nlohmann::ordered_json::array();
  for (const Front& front : measured.fronts) {
    nlohmann::ordered_json method;
    method["name"] = front.label();
    method["kind"] = name_of(front.side);
    method["units"] = {{"nominal", costs_json(front, Look::nominal, Currency::units)},
                       {"worst", costs_json(front, Look::worst, Currency::units)}};
    method["torque_evaluations"] = {{"nominal", costs_json(front, Look::nominal, Currency::evaluations)},
                                    {"worst", costs_json(front, Look::worst, Currency::evaluations)}};
    method["rows"] = nlohmann::ordered_json::array();
    for (const Rung& rung : front.rungs) {
      if (rung.times.empty()) continue;
      nlohmann::ordered_json row;
      row[front.freedom == Freedom::tolerance ? "tolerance" : "steps"] = rung.setting;
      row["attitude_error"] = finite(rung.error);
      row["attitude_error_worst"] = finite(rung.worst);
      row["units"] = {rung.units.lower, rung.units.median, rung.units.upper};
      row["units_worst_factor"] = rung.more;
      row["torque_evaluations"] = rung.evaluations;
      method["rows"].push_back(row);
    }
    json["methods"].push_back(method);
  }
  json["best_peer_over_ours"] = {{"nominal", ratios_json(ratios(measured, Look::nominal, Currency::units))},
                                 {"worst", ratios_json(ratios(measured, Look::worst, Currency::units))}};
  json["auto"] = nlohmann::ordered_json::array();
  for (const Automatic& one : measured.automatic) {
    nlohmann::ordered_json row;
    row["tolerance"] = one.tolerance;
    row["method"] = one.method;
    row["attitude_error"] = finite(one.error);
    row["best"] = one.best;
    row["ratio"] = one.ratio;
    json["auto"].push_back(row);
  }
  json["verdicts"] = nlohmann::ordered_json::array();
  for (const Verdict& row : verdicts.rows) {
    nlohmann::ordered_json one;
    one["currency"] = row.currency;
    one["goal"] = row.goal;
    one["nominal"] = ratios_json(row.nominal);
    one["worst"] = ratios_json(row.worst);
    one["judged"] = row.is_judged();
    one["met"] = row.met();
    one["line"] = row.line();
    json["verdicts"].push_back(one);
  }
  json["keeping"] = nlohmann::ordered_json::array();
  for (const Keeping& one : verdicts.keeping) {
    nlohmann::ordered_json row;
    row["method"] = one.method;
    row["step"] = one.step;
    row["momentum"] = finite(one.run.momentum);
    row["energy_first"] = finite(one.run.energy_first);
    row["energy_last"] = finite(one.run.energy_last);
    row["met"] = one.met();
    row["line"] = one.line();
    json["keeping"].push_back(row);
  }
  return json;
}

}  // namespace polhode::bench
