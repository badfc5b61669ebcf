#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace polhode {
namespace {

double length(const std::array<Number, 3>& v) { return std::hypot(v[0].value, v[1].value, v[2].value); }

// The longest number of nine digits is as wide as this: -1.23456789e-300, with the point and the exponent.
constexpr int number_width = 16;

std::string cell(double x) { return fmt::format("{:>{}.9g}", x, number_width); }

// Cells one blank apart at least, whatever their numbers.
template <std::size_t N>
std::string list(const std::array<Number, N>& v) {
  std::array<std::string, N> cells;
  std::transform(v.begin(), v.end(), cells.begin(), [](const Number& x) { return cell(x.value); });
  return fmt::format("{}", fmt::join(cells, " "));
}

std::string list(const std::array<double, 3>& v) { return fmt::format("{} {} {}", cell(v[0]), cell(v[1]), cell(v[2])); }

// Relative where the first value is a scale.
std::string change(double difference, double scale, int width = 0) {
  const bool relative = std::isnormal(scale);
  return fmt::format("{:>{}.2e}{}", relative ? difference / scale : difference, width, relative ? " relative" : "");
}

// What is below the uncertainty of the reference is known to be no larger than that.
std::string error(const Number& measured, double uncertainty) {
  if (measured.value == 0 || measured.value >= uncertainty) return fmt::format("{:>16.3e}", measured.value);
  return fmt::format("{:>16} the uncertainty of the reference", fmt::format("< {:.1e},", uncertainty));
}

std::string steps(const Result& result) {
  const std::string count = fmt::format("{} step{}", result.steps, result.steps == 1 ? "" : "s");
  if (result.step_range)
    return fmt::format("{} of {:.4g} to {:.4g} s", count, (*result.step_range)[0], (*result.step_range)[1]);
  return result.about.step ? fmt::format("{} of {} s", count, *result.about.step)
                           : fmt::format("{} from {}", count, result.about.step_file);
}

}  // namespace

std::string summary(const Result& result) {
  const Snapshot& end = result.end;
  std::string text = fmt::format("{}: {}, {}, {}\n\n", result.about.problem, result.about.method, steps(result),
                                 scalar_name(result.about.scalar));
  const auto row = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "  {:<36} {}\n", name, value);
  };
  if (const auto& chosen = result.about.selection) {
    row("chosen for [rad], goal", fmt::format("{:>16.3g}, {}", chosen->tolerance, goal_name(chosen->goal)));
    row("expected attitude error [rad]", fmt::format("{:>16.3e}", chosen->predicted_error));
  }
  row("final time [s]", cell(end.time.value));
  row("attitude (w, x, y, z)", list(end.attitude_wxyz));
  if (result.about.space == Space::sphere) row("direction", list(end.direction));
  row("angular velocity, body axes [rad/s]", list(end.angular_velocity_body));
  row("momentum, spatial axes [kg m^2/s]", list(end.angular_momentum_spatial));
  row(result.about.has_potential || result.about.energy_conserved ? "energy [J]" : "kinetic energy [J]",
      cell(end.energy.value));
  row("energy change E - E0", change(result.energy_change, std::abs(result.start.energy.value), number_width));
  if (result.energy_error_max) row("largest |E - E0| [J]", fmt::format("{:>16.2e}", *result.energy_error_max));
  if (result.energy_drift) {
    row("energy drift rate [J/s]",
        fmt::format("{:>16.2e} +- {:.1e}", result.energy_drift->rate, result.energy_drift->uncertainty));
  }
  row("momentum change |L - L0|",
      change(result.momentum_change, length(result.start.angular_momentum_spatial), number_width));
  if (const auto& reference = result.reference) {
    row("attitude error [rad]", error(*result.attitude_error, reference->attitude_uncertainty));
    row("momentum error [kg m^2/s]", error(*result.momentum_error, reference->momentum_uncertainty));
    row("reference", fmt::format("{:>16}, uncertain by {:.1e} rad", source_name(reference->source),
                                 reference->attitude_uncertainty));
  }
  if (result.sensitivities) {
    for (const Sensitivity& one : result.sensitivities->numbers) {
      row(fmt::format("by {}: d theta, body axes", one.by.name), list(one.theta_B));
      row("  d angular velocity, body axes", list(one.w_B));
      row("  d momentum, spatial axes", list(one.L_S));
    }
    if (const auto& monodromy = result.sensitivities->monodromy) {
      for (const std::complex<double>& one : monodromy->multipliers)
        row("multiplier of the flow (re, im)", fmt::format("{} {}", cell(one.real()), cell(one.imag())));
      row("symplectic defect", fmt::format("{:>16.2e}", monodromy->symplectic_defect));
      row("distance from the start [rad]", cell(monodromy->return_angle));
    }
    if (const auto& lyapunov = result.sensitivities->lyapunov) {
      row("largest Lyapunov exponent [1/s]", cell(lyapunov->exponent));
      if (lyapunov->second_half) row("  over the second half", cell(*lyapunov->second_half));
    }
  }
  for (std::size_t i = 0; i < result.quantities.size(); ++i)
    row(result.about.quantities[i], cell(result.quantities[i].value));
  for (const Event& event : result.events)
    row(fmt::format("event {} at [s]", event.name),
        cell(event.at.time.value) + (event.terminal ? "  ends the run" : ""));
  row("torque evaluations", fmt::format("{:>16}", result.work.torque_evaluations));
  if (result.work.own_steps > 0) row("steps of its own", fmt::format("{:>16}", result.work.own_steps));
  if (result.work.solver_iterations > 0) {
    const double per_step =
        static_cast<double>(result.work.solver_iterations) / static_cast<double>(std::max(result.steps, 1LL));
    row("solver iterations", fmt::format("{:>16}, {:.3g} per step", result.work.solver_iterations, per_step));
  }
  if (result.steps_halved > 0) row("steps taken in halves", fmt::format("{:>16}", result.steps_halved));
  if (result.work.projections_given_up > 0) {
    row("energy projections given up", fmt::format("{:>16}", result.work.projections_given_up));
  }
  row("wall clock [s]", fmt::format("{:>16.3g}", result.seconds));
  return text;
}

std::string headline(const Result& result) {
  std::string text =
      fmt::format("{}, {}, t = {:.9g} s, energy change {}", result.about.method, steps(result), result.end.time.value,
                  change(result.energy_change, std::abs(result.start.energy.value)));
  if (result.attitude_error) text += fmt::format(", attitude error {:.2e} rad", result.attitude_error->value);
  if (result.events.size() == 1) text += ", 1 event";
  if (result.events.size() > 1) text += fmt::format(", {} events", result.events.size());
  if (result.status == RunStatus::event) text += fmt::format(", ended by '{}'", result.events.back().name);
  return text;
}

}  // namespace polhode
