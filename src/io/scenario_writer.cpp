// Scenario out, as commented TOML.
#include <fmt/format.h>

#include <iterator>

#include "core/number_text.hpp"
#include "io/ensemble_writer.hpp"
#include "io/scenario_checks.hpp"
#include "io/toml_text.hpp"
#include "model/setup_keys.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {
namespace {

std::string written(double value) { return shortest(value); }
std::string written(long long value) { return std::to_string(value); }
std::string written(bool value) { return value ? "true" : "false"; }
std::string written(const std::vector<double>& values) { return shortest(values); }
std::string written(const Vec3<double>& v) { return shortest({v.x, v.y, v.z}); }
std::string written(const std::string& text) { return toml_quoted(text); }

std::string written_matrix(const Mat3<double>& m) {
  return toml_matrix({m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]});
}
// Three numbers where it is diagonal.
std::string written(const Mat3<double>& m) {
  if (m[0][1] == 0 && m[0][2] == 0 && m[1][0] == 0 && m[1][2] == 0 && m[2][0] == 0 && m[2][1] == 0)
    return shortest({m[0][0], m[1][1], m[2][2]});
  return written_matrix(m);
}
template <OneOfWords Choice>
std::string written(Choice choice) {
  return written(std::string(word_of(choice)));
}
[[maybe_unused]] std::string written(const NamedNumbers& numbers) {
  std::vector<std::string> entries;
  for (const auto& [name, value] : numbers) entries.push_back(fmt::format("{} = {}", toml_key(name), written(value)));
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}
// Its name; data without one as they are.
std::string written(const DataFile& file) {
  if (!file.name.empty()) return written(file.name);
  std::vector<std::string> headers, rows;
  for (const DataTable::Column& column : file.table->columns) headers.push_back(written(header_of(column)));
  for (std::size_t i = 0; i < file.table->rows(); ++i) {
    std::vector<double> row;
    for (const DataTable::Column& column : file.table->columns) row.push_back(column.values[i]);
    rows.push_back(shortest(row));
  }
  return fmt::format("{{ columns = [{}], rows = [{}] }}", fmt::join(headers, ", "), fmt::join(rows, ", "));
}
template <class Value>
std::string written(const std::optional<Value>& value) {
  return written(*value);
}

class Writer {
 public:
  void remark(std::string_view text) { fmt::format_to(std::back_inserter(out_), "# {}\n", text); }
  void section(std::string_view header) {
    fmt::format_to(std::back_inserter(out_), "{}{}\n", out_.empty() ? "" : "\n", header);
  }
  // Remarks line up in one column where the value leaves room for it.
  void key(std::string_view name, std::string_view value, std::string_view remark = {}) {
    const std::string line = fmt::format("{} = {}", name, value);
    fmt::format_to(std::back_inserter(out_), "{:<{}}", line, remark.empty() ? 0 : 44);
    if (!remark.empty()) fmt::format_to(std::back_inserter(out_), "  # {}", remark);
    out_ += '\n';
  }
  std::string text() const { return out_; }

 private:
  std::string out_;
};

std::string written(const WheelData& wheel) {
  const std::string torque = wheel.torque ? fmt::format(", torque = {}", written(*wheel.torque)) : "";
  return fmt::format("{{ axis = {}, inertia = {}, speed = {}{} }}", written(wheel.axis), written(wheel.inertia),
                     written(wheel.speed), torque);
}

void write_wheels(Writer& out, const Setup& setup) {
  if (setup.wheels.empty()) return;
  std::vector<std::string> wheels;
  for (const WheelData& wheel : setup.wheels) wheels.push_back(written(wheel));
  out.remark("part of the body's inertia; speed relative to the body [rad/s]");
  out.key("wheels", fmt::format("[{}]", fmt::join(wheels, ",\n          ")));
}

void write_body(Writer& out, const Setup& setup) {
  out.section("[body]");
  if (const auto* moments = std::get_if<Vec3<double>>(&setup.inertia)) {
    out.key("inertia", written(*moments), "principal moments [kg m^2]; or a symmetric 3x3 tensor");
  } else {
    out.key("inertia", written_matrix(std::get<Mat3<double>>(setup.inertia)), "tensor [kg m^2]");
  }
  if (setup.unphysical) out.key("unphysical", written(true), "allows moments that no distribution of mass has");
  write_wheels(out, setup);
}

void write_start(Writer& out, const Setup& setup) {
  out.section("[start]");
  for (const AttitudeKey& key : attitude_keys) {
    if (key.kind != setup.attitude.kind) continue;
    const bool matrix = key.kind == AttitudeData::Kind::matrix;
    out.key(key.name, matrix ? toml_matrix(setup.attitude.values) : written(setup.attitude.values),
            "takes body axes to spatial ones");
  }
  for (const MotionKey& key : motion_keys) {
    if (key.kind == setup.motion.kind) out.key(key.name, written(setup.motion.value), key.wanted);
  }
  if (setup.time != 0) out.key("time", written(setup.time), "[s]");
}

void write_torques(Writer& out, const Setup& setup) {
  const bool one = setup.torques.size() + setup.called_torques.size() == 1;
  for (const CalledTorque& called : setup.called_torques) {
    out.section(one ? "[torque]" : "[[torque]]");
    out.key("kind", written(std::string(called_torque_kind)), "computed by the program that made the run");
    out.key("name", written(called.name));
  }
  for (const FieldData<double>& torque : setup.torques) {
    out.section(one ? "[torque]" : "[[torque]]");
    std::visit(
        [&](const auto& field) {
          out.key("kind", written(std::string(field.kind)), field.about);
          const auto write = [&](const auto& key) {
            const auto& value = field.*(key.member);
            if (is_given(value)) out.key(key.name, written(value), key.meaning);
          };
          std::apply([&](const auto&... key) { (write(key), ...); }, field.keys());
        },
        torque);
  }
}

// Where a method takes steps of its own, a step says where rows are: written down, it would change them.
bool says_step(const Scenario& scenario) {
  const bool own_steps = scenario.run.tolerance || scenario.run.method == automatic_method;
  return !own_steps || is_stated(scenario, "run.step") || is_stated(scenario, "run.steps");
}

void write_run(Writer& out, const Scenario& scenario) {
  const RunOptions& run = scenario.run;
  out.section("[run]");
  if (!run.method.empty()) {
    out.key("method", written(run.method), "'polhode methods' lists them; auto chooses one for a tolerance");
  }
  if (run.tolerance) out.key("tolerance", written(*run.tolerance), "attitude error [rad]");
  if (run.goal) out.key("goal", written(std::string(goal_name(*run.goal))), goal_wanted);
  if (run.step_file.empty()) {
    if (says_step(scenario)) out.key("step", written(run.step), "[s]");
  } else {
    out.key("step_file", written(run.step_file), "one step per line [s]");
  }
  if (!run.step_scale.empty())
    out.key("step_scale", written(run.step_scale), "the method's steps are in proportion to it");
  if (run.steps) out.key("steps", written(*run.steps), "or duration = ... [s]");
  if (run.duration) out.key("duration", written(*run.duration), "[s], negative backwards; or steps = ...");
  out.key("scalar", written(std::string(scalar_name(run.scalar))), "float, double, long-double or quad");
  out.key("on_failure", written(std::string(on_failure_name(run.on_failure))), on_failure_wanted);
  if (!run.stop_when.empty()) out.key("stop_when", written(run.stop_when), "ends the run where it comes true");
  if (run.max_steps) out.key("max_steps", written(*run.max_steps), "ends the run before its time");
  if (run.max_time) out.key("max_time", written(*run.max_time), "[s] of wall clock; the same");
  if (!run.sensitivities.empty()) {
    std::vector<std::string> names;
    for (const std::string& name : run.sensitivities) names.push_back(written(name));
    out.key("sensitivities", fmt::format("[{}]", fmt::join(names, ", ")), "what the motion is differentiated by");
  }
  if (run.monodromy) out.key("monodromy", written(true), "derivative of the flow over the run");
  if (run.lyapunov) out.key("lyapunov", written(true), "largest Lyapunov exponent");
  if (run.reference) out.key("reference", written(true), "computes a reference to measure the errors against");
  if (run.parameters.empty()) return;
  out.section("[run.parameters]");
  for (const auto& [name, value] : run.parameters) out.key(toml_key(name), written(value), "of the method");
}

void write_watched(Writer& out, const Scenario& scenario) {
  if (!scenario.quantities.empty()) {
    out.section("[quantities]");
    for (const QuantityData& quantity : scenario.quantities) out.key(toml_key(quantity.name), written(quantity.text));
  }
  for (const EventData& event : scenario.events) {
    out.section("[[event]]");
    out.key("name", written(event.name));
    out.key("when", written(event.when), "located where it changes its sign");
    out.key("direction", written(std::string(crossing_name(event.direction))), crossing_wanted);
    out.key("terminal", written(event.terminal), "whether it ends the run");
  }
}

void write_ensemble(Writer& out, const Scenario& scenario) {
  if (!scenario.ensemble) return;
  out.section("[ensemble]");
  for (const EnsembleLine& line : ensemble_lines(*scenario.ensemble, scenario.setup))
    out.key(line.key, line.value, line.remark);
}

void write_output(Writer& out, const Scenario& scenario) {
  const OutputSettings& output = scenario.output;
  const std::vector<std::string> quantities = output.quantities.value_or(names_of(scenario.quantities));
  out.section("[output]");
  if (output.file.empty()) {
    out.remark(fmt::format("file = {}", written(scenario.title + ".csv")));
  } else {
    out.key("file", written(output.file));
  }
  if (!output.times_file.empty()) {
    out.key("times_file", written(output.times_file), "rows at these times [s], one per line");
  } else if (!output.times.empty()) {
    out.key("times", written(output.times), "rows at exactly these times [s]");
  } else {
    out.key("every", written(output.every), "steps from row to row; or times = [...] [s]");
  }
  std::vector<std::string> names;
  for (const std::string& name : column_names(output.columns)) names.push_back(written(name));
  for (const std::string& name : quantities) names.push_back(written(name));
  out.key("columns", fmt::format("[{}]", fmt::join(names, ", ")));
}

}  // namespace

std::string to_toml(const Scenario& scenario) {
  Writer out;
  if (scenario.problem != nullptr) {
    out.remark(fmt::format("{} [{}]: {}", scenario.problem->name, scenario.problem->cite, scenario.problem->about));
  }
  write_body(out, scenario.setup);
  write_start(out, scenario.setup);
  write_torques(out, scenario.setup);
  write_run(out, scenario);
  write_watched(out, scenario);
  write_ensemble(out, scenario);
  write_output(out, scenario);
  return out.text();
}

}  // namespace polhode
