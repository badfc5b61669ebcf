#include "polhode/run/run.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/number_text.hpp"
#include "polhode/core/version.hpp"
#include "run/run_in.hpp"
#include "run/run_quad.hpp"

namespace polhode {
namespace {

void check_columns(const Scenario& scenario) {
  const auto require = [&](Column column, std::string_view name, Quantity quantity, std::string_view what) {
    if (!scenario.output.columns.contains(column) || direction_of<double>(scenario.setup.torques, quantity)) return;
    throw SetupError("output.columns", fmt::format("{} needs a torque that names {}, such as a heavy-top, and this "
                                                   "scenario has none; leave the column out",
                                                   name, what));
  };
  require(Column::momentum_along_axis, "momentum_along_axis", Quantity::direction_body, "an axis of the body");
  require(Column::momentum_along_field, "momentum_along_field", Quantity::direction_spatial, "a direction in space");
}

// A parameter is given once, in the name or in the table.
std::string name_with_parameters(const RunSettings& run) {
  parse_method(run.method.substr(0, run.method.find_first_of(":@+")));  // or nothing can be said of its parameters
  std::string name = run.method;
  for (const auto& [parameter, value] : run.parameters) {
    try {
      name = with_parameter(name, parameter, value);
    } catch (const MethodError& error) {
      throw SetupError("run.parameters." + parameter, error.what());
    }
  }
  return name;
}

MethodSpec method_of(const Scenario& scenario) {
  if (scenario.run.method.empty()) {
    throw SetupError("run.method",
                     "no method is chosen; name one with --method, or as method under [run] ('polhode "
                     "methods' lists them)");
  }
  try {
    const MethodSpec method = parse_method(name_with_parameters(scenario.run));
    const Prepared<double> prepared = prepare<double>(scenario.setup);
    make_stepper<double>(method, prepared.body, prepared.field)->start(prepared.start, 1.0);
    return method;
  } catch (const MethodError& error) {
    throw SetupError("run.method", error.what());
  }
}

bool from_flag(const Scenario& scenario, const std::string& key) {
  const auto origin = scenario.origins.find(key);
  return origin != scenario.origins.end() && !origin->second.flag.empty();
}

// Settings that do not fit together are the flag's fault when one of them is from a flag: the file alone was fine.
Error misfit(const Scenario& scenario, const SetupError& error) {
  if (!from_flag(scenario, error.key)) {
    for (const char* key : {"run.duration", "run.steps", "run.step", "run.step_file", "run.method"}) {
      if (from_flag(scenario, key)) return located(scenario, SetupError(key, error.what()));
    }
  }
  return located(scenario, error);
}

// A step taken in halves is not equal to the others.
void check_on_failure(const Scenario& scenario, const MethodSpec& method) {
  if (scenario.run.on_failure != OnFailure::halve || method.claims.variable_steps) return;
  const bool method_is_new = from_flag(scenario, "run.method") && !from_flag(scenario, "run.on_failure");
  throw SetupError(method_is_new ? "run.method" : "run.on_failure",
                   fmt::format("{} needs equal steps, and on_failure = \"halve\" would take shorter ones; choose stop, "
                               "or a method that takes variable steps",
                               method.name));
}

std::string tolerant_methods() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    if (method.claims.takes_tolerance) names.push_back(method.name);
  }
  return names.empty() ? "" : fmt::format("{} take one, and ", fmt::join(names, ", "));
}

void check_tolerance(const Scenario& scenario, const MethodSpec& method) {
  if (scenario.run.tolerance && !method.claims.takes_tolerance) {
    const bool method_is_new = from_flag(scenario, "run.method") && !from_flag(scenario, "run.tolerance");
    throw SetupError(
        method_is_new ? "run.method" : "run.tolerance",
        fmt::format("{} takes steps as they are given and no tolerance; {}auto chooses a method and a step "
                    "for one",
                    method.name, tolerant_methods()));
  }
  if (scenario.run.goal) {
    const bool method_is_new = from_flag(scenario, "run.method") && !from_flag(scenario, "run.goal");
    throw SetupError(
        method_is_new ? "run.method" : "run.goal",
        fmt::format("the goal {} is for auto, which chooses a method for it, and {} is chosen already; leave "
                    "the goal out, or choose auto",
                    goal_name(*scenario.run.goal), method.name));
  }
}

Steps steps_of(const Scenario& scenario, const RunSettings& settings, const MethodSpec& method) {
  try {
    return plan_steps(settings, method);
  } catch (const SetupError& error) {
    throw misfit(scenario, error);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::file_missing) throw;
    throw Error(error.kind, located(scenario, SetupError("run.step_file", error.what())).what());
  }
}

constexpr double customary_rows = 100;

bool says_where_rows_are(const Scenario& scenario) {
  return is_stated(scenario, "run.step") || is_stated(scenario, "run.steps");
}

Plan automatic_plan(const Scenario& scenario, bool rows) {
  const RunSettings& run = scenario.run;
  if (!run.step_file.empty()) {
    throw SetupError(
        from_flag(scenario, "run.method") ? "run.method" : "run.step_file",
        fmt::format("auto chooses the step, and '{}' lists steps; name a method for them, or leave the step "
                    "file out",
                    run.step_file));
  }
  SelectionRequest request;
  request.setup = scenario.setup;
  request.duration = run.steps ? static_cast<double>(*run.steps) * run.step : duration_of(run);
  request.tolerance = run.tolerance.value_or(default_tolerance);
  request.goal = run.goal.value_or(Goal::time);
  request.scalar = run.scalar;
  const double length = std::abs(request.duration);
  if (says_where_rows_are(scenario)) {
    request.interval = std::min(run.step, length);
  } else if (rows) {
    request.interval = length / customary_rows;
  }
  const double intervals = request.interval ? length / *request.interval : 1;
  const bool whole = std::abs(intervals - std::nearbyint(intervals)) <= 1e-9 * intervals;
  request.variable_steps = run.on_failure == OnFailure::halve || !whole;
  Plan made;
  made.selection = choose_method(request);
  made.selection->by_default = !run.tolerance;
  made.method = made.selection->method;
  RunSettings settings = run;
  settings.steps.reset();
  settings.duration = request.duration;
  settings.step = made.selection->step;
  made.steps = steps_of(scenario, settings, made.method);
  const double steps_per_row = request.interval ? *request.interval / made.selection->step : 1;
  made.every = scenario.output.every * std::max(1LL, static_cast<long long>(std::nearbyint(steps_per_row)));
  return made;
}

Provenance provenance(const Scenario& scenario, const Plan& plan) {
  Provenance about;
  about.version = version();
  about.method = plan.method.name;
  about.problem = scenario.title;
  about.scalar = scenario.run.scalar;
  if (plan.steps.listed.empty()) about.step = shortest(plan.steps.size);
  about.tolerance = plan.tolerance;
  about.selection = plan.selection;
  about.step_file = scenario.run.step_file;
  about.scenario = scenario.text;
  about.space = plan.method.space == Space::sphere ? Space::sphere : space_of(scenario.setup);
  about.columns = scenario.output.columns;
  if (about.space == Space::sphere && about.columns == standard_columns()) about.columns.insert(Column::direction);
  for (const FieldData<double>& torque : scenario.setup.torques) {
    std::visit(
        [&](const auto& field) {
          using Field = std::decay_t<decltype(field)>;
          if constexpr (Conservative<Field, double> || TimeDependentPotential<Field, double>)
            about.has_potential = true;
          if (!conserves_energy<double>(field)) about.energy_conserved = false;
        },
        torque);
  }
  return about;
}

}  // namespace

std::string_view energy_terms(const Provenance& about) {
  return about.has_potential ? "kinetic + potential" : "kinetic";
}

Plan plan(const Scenario& scenario, bool rows) {
  try {
    if (scenario.run.method == automatic_method) {
      if (!scenario.run.parameters.empty())
        throw SetupError("run.parameters." + scenario.run.parameters.begin()->first,
                         "auto chooses a method with its parameters; leave them out, or name the method");
      check_columns(scenario);
      return automatic_plan(scenario, rows || !scenario.output.file.empty());
    }
    const MethodSpec method = method_of(scenario);
    check_columns(scenario);
    check_on_failure(scenario, method);
    check_tolerance(scenario, method);
    RunSettings settings = scenario.run;
    if (settings.tolerance && settings.step_file.empty() && !says_where_rows_are(scenario))
      settings.step = std::abs(duration_of(settings)) / customary_rows;
    return {method, steps_of(scenario, settings, method), scenario.output.every, settings.tolerance};
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
}

Result run(const Scenario& scenario, const Plan& plan, RowSink* rows, const RunControl& control) {
  const Provenance about = provenance(scenario, plan);
  const auto in_its_scalar = [&] {
    switch (scenario.run.scalar) {
      case ScalarKind::float_: return run_in<float>(scenario, plan, about, rows, control);
      case ScalarKind::double_: return run_in<double>(scenario, plan, about, rows, control);
      case ScalarKind::long_double_: return run_in<long double>(scenario, plan, about, rows, control);
      case ScalarKind::quad_: break;
    }
    return run_in_quad(scenario, plan, about, rows, control);
  };
  try {
    Result result = in_its_scalar();
    if (plan.selection && !plan.selection->reaches) {
      result.warnings.insert(result.warnings.begin(), warning(*plan.selection));
    }
    return result;
  } catch (const SetupError& error) {
    throw misfit(scenario, error);
  }
}

}  // namespace polhode
