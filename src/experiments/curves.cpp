#include "experiments/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "experiments/columns.hpp"
#include "polhode/io/output_file.hpp"
#include "run/view.hpp"

namespace polhode::experiments {
namespace {

void write_curve_file(const std::string& path, const std::vector<std::string>& header,
                      const std::vector<std::vector<double>>& columns) {
  std::string text = fmt::format("{}\n", fmt::join(header, ","));
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}{:.12g}", i == 0 ? "" : ",", columns[i][row]);
    }
    text += '\n';
  }
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string label_of(const Panel& panel, const std::string& method, const std::string& step) {
  if (panel.methods.size() == 1 && panel.step_sizes.size() > 1) return fmt::format("h = {}", step);
  if (panel.methods.size() > 1 && panel.step_sizes.size() == 1) return method;
  return fmt::format("{}, h = {}", method, step);
}

void write_motion(const Panel& panel, const Parameters& parameters, Runs& runs, const std::string& path,
                  CurveOutcome& outcome) {
  std::vector<std::string> header{"t"};
  std::vector<std::vector<double>> columns;
  for (const std::string& column : panel.columns) {
    Curve curve;
    if (is_matrix_column(column)) {
      curve = matrix_curve(runs.scenario(parameters), column);
    } else {
      Parameters of_column = parameters;
      of_column.set("column", column);
      const std::shared_ptr<const Motion> motion = runs.motion(of_column);
      outcome.failure = motion->failure;
      curve = curve_of(*motion, column);
    }
    if (columns.empty()) columns.push_back(curve.t);
    if (columns[0].size() != curve.t.size() || columns[0].front() != curve.t.front()) {
      throw Error(ErrorKind::bad_file, fmt::format("panel '{}': columns at the steps and columns between them "
                                                   "cannot share a panel; make two",
                                                   panel.title));
    }
    header.push_back(column);
    columns.push_back(std::move(curve.values));
  }
  const auto skip =
      std::min(static_cast<long>(parameters.number_or("from_row", 0)), static_cast<long>(columns[0].size()));
  for (std::vector<double>& column : columns) column.erase(column.begin(), column.begin() + skip);
  write_curve_file(path, header, columns);
}

// What a paper's norm makes of the angle between two attitudes.
double error_of(const std::string& name, const EndErrors& e) {
  if (name == "attitude_error") return e.attitude;
  if (name == "momentum_error") return e.momentum;
  if (name == "rotation_vector_error") return e.rotation_vector;
  if (name == "velocity_error") return e.velocity;
  if (name == "attitude_norm_error") return 2 * std::sin(e.attitude / 2);
  if (name == "attitude_frobenius_error") return 2 * std::numbers::sqrt2 * std::sin(e.attitude / 2);
  throw Error(
      ErrorKind::bad_file,
      fmt::format("columns: '{}' is not an error; choose attitude_error, momentum_error, rotation_vector_error, "
                  "velocity_error, attitude_norm_error or attitude_frobenius_error",
                  name));
}

void write_convergence(const Panel& panel, const Parameters& parameters, Runs& runs, const std::string& path,
                       CurveOutcome& outcome) {
  std::vector<std::vector<double>> columns(2);
  for (const std::string& step : panel.step_sizes) {
    Parameters of_step = parameters;
    of_step.set("step", step);
    const std::optional<EndErrors> errors = runs.errors(of_step);
    columns[0].push_back(of_step.number("step"));
    columns[1].push_back(errors ? error_of(panel.columns.at(0), *errors) : std::numeric_limits<double>::quiet_NaN());
    if (!errors) outcome.failure = runs.result(of_step)->failure->what;
  }
  write_curve_file(path, {"step", "error"}, columns);
}

// On a cubic grid of rotation vectors around the identity, from -pi to pi along each axis, the first fastest. Corners
// beyond half a turn have no value: their rotations are in the ball already.
void write_potential(const Scenario& scenario, const std::string& path) {
  constexpr int points = 61;
  const Prepared<double> prepared = prepare<double>(scenario.setup);
  const View<double> view(prepared);
  const auto at = [](int i) { return std::numbers::pi * (2.0 * i / (points - 1) - 1); };
  std::vector<std::vector<double>> values(1);
  for (int k = 0; k < points; ++k) {
    for (int j = 0; j < points; ++j) {
      for (int i = 0; i < points; ++i) {
        const Vec3<double> r{at(i), at(j), at(k)};
        const State<double> still{exp(r) * prepared.body.principal_axes, {}, prepared.start.t};
        const bool inside = norm(r) <= std::numbers::pi;
        values[0].push_back(inside ? view.energy(still) : std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
  write_curve_file(path, {"potential"}, values);
}

std::string file_name(int panel, std::size_t curve) { return fmt::format("panel-{}-curve-{}.csv", panel, curve + 1); }

}  // namespace

std::vector<std::function<void()>> curve_tasks(const Panel& panel, int number, const std::string& folder, Runs& runs,
                                               PanelOutcome& outcome) {
  if (panel.kind == "scan" || panel.kind == "drawing" || panel.kind == "table-dots") return {};
  const bool convergence = panel.kind == "convergence";
  if (panel.methods.empty() || panel.step_sizes.empty() || panel.columns.empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("panel '{}': methods, step_sizes and columns must all be given", panel.title));
  }
  std::vector<Parameters> all;
  const auto add = [&](const std::string& method, const std::string& step, const std::string& label, bool reference) {
    Parameters parameters = panel.parameters;
    parameters.set("method", method);
    if (!convergence) parameters.set("step", step);
    all.push_back(parameters);
    outcome.curves.push_back(
        {label, method, file_name(number, all.size() - 1), "", convergence ? 0 : parameters.number("step"), reference});
  };
  if (!panel.reference.empty() && !convergence) {
    const double length = panel.parameters.number("duration");
    add(panel.reference, fmt::format("{}", length / 2000), panel.reference, true);
  }
  for (const std::string& method : panel.methods) {
    if (convergence) {
      add(method, "", method, false);
      continue;
    }
    for (const std::string& step : panel.step_sizes) add(method, step, label_of(panel, method, step), false);
  }
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tasks.emplace_back([&panel, &runs, &outcome, convergence, i, parameters = all[i], folder] {
      CurveOutcome& curve = outcome.curves[i];
      (convergence ? write_convergence : write_motion)(panel, parameters, runs, folder + '/' + curve.file, curve);
    });
  }
  if (!panel.levels.empty()) {
    outcome.potential = fmt::format("panel-{}-potential.csv", number);
    tasks.emplace_back([&runs, parameters = all.at(0), path = folder + '/' + outcome.potential] {
      write_potential(runs.scenario(parameters), path);
    });
  }
  return tasks;
}

void draw_scans(const Panel& panel, int number, const std::string& folder, const Variables& variables,
                PanelOutcome& outcome) {
  for (std::size_t i = 0; i < panel.scans.size(); ++i) {
    const Panel::Scan& scan = panel.scans[i];
    Variables known = variables;
    std::vector<std::vector<double>> points(2);
    const auto add = [&](const std::string& x, const std::string& y) {
      points[0].push_back(evaluate(x, known));
      points[1].push_back(evaluate(y, known));
    };
    for (int n = 0; n < scan.count; ++n) {
      known["s"] = scan.from + (scan.to - scan.from) * n / (scan.count - 1);
      add(scan.x[0], scan.y[0]);
    }
    for (std::size_t n = 0; scan.count == 0 && n < scan.x.size(); ++n) add(scan.x[n], scan.y[n]);
    outcome.curves.push_back({scan.label, "", file_name(number, i), "", 0, false});
    write_curve_file(folder + '/' + outcome.curves.back().file, {"x", "y"}, points);
  }
}

}  // namespace polhode::experiments
