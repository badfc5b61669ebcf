// TOML in, Scenario out.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/number_text.hpp"
#include "io/ensemble_reader.hpp"
#include "io/scenario_checks.hpp"
#include "io/scenario_tables.hpp"
#include "io/table_reader.hpp"
#include "io/torque_reader.hpp"
#include "io/watch_reader.hpp"
#include "model/drawable_keys.hpp"
#include "model/setup_keys.hpp"
#include "polhode/core/names.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode {
namespace {

Vec3<double> vec3(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

template <class Key>
std::string listed_names(const Key& keys) {
  std::vector<std::string_view> names;
  for (const auto& key : keys) names.push_back(key.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The one of several keys that say the same thing in different ways; nullptr when none is there.
template <class Keys>
const typename Keys::value_type* only_one_of(const Keys& keys, const TableReader& table) {
  const typename Keys::value_type* chosen = nullptr;
  for (const auto& key : keys) {
    if (!table.has(key.name)) continue;
    if (chosen != nullptr) table.refuse(key.name, fmt::format("says the same as {}; keep one of them", chosen->name));
    chosen = &key;
  }
  return chosen;
}

void read_wheels(const TableReader& body, Setup& setup, Origins& origins) {
  constexpr std::string_view wanted = "an array of tables, such as [{ axis = [0, 0, 1], inertia = 0.01, speed = 600 }]";
  if (!body.has("wheels")) return;
  const toml::node& node = *body.node("wheels");
  const toml::array* array = node.as_array();
  if (array == nullptr) body.refuse("wheels", fmt::format("{} is {}; give {}", quoted(node), type_name(node), wanted));
  for (const toml::node& element : *array) {
    if (!element.is_table()) body.refuse("wheels", fmt::format("{} is not a table; give {}", quoted(element), wanted));
    const TableReader table(*element.as_table(), fmt::format("body.wheels[{}]", setup.wheels.size()), origins);
    table.allow_only({"axis", "inertia", "speed", "torque"});
    const auto needed = [&](std::string_view key, std::string_view what) {
      if (!table.has(key)) table.refuse(key, fmt::format("is missing; a wheel needs {}", what));
    };
    constexpr std::string_view axis = "three numbers, the direction of its axis in body axes";
    constexpr std::string_view inertia = "a number of kg m^2, its moment of inertia about its axis";
    constexpr std::string_view speed =
        "a number of rad/s, its speed relative to the body: constant, or at the start where there is a torque";
    needed("axis", axis);
    needed("inertia", inertia);
    needed("speed", speed);
    setup.wheels.push_back({vec3(*table.numbers("axis", 3, axis)), *table.number("inertia", inertia),
                            *table.number("speed", speed),
                            table.number("torque", "a number of N m, the torque of its motor along its axis")});
  }
}

void read_body(const TableReader& table, Setup& setup, Origins& origins) {
  constexpr std::string_view wanted =
      "three principal moments [I1, I2, I3] or a symmetric 3x3 tensor, three rows of three numbers, in kg m^2";
  if (!table.has("inertia")) table.refuse("inertia", fmt::format("is missing; give {}", wanted));
  const toml::array* array = table.node("inertia")->as_array();
  if (array != nullptr && !array->empty() && (*array)[0].is_array()) {
    const std::vector<double> m = *table.matrix("inertia", wanted);
    setup.inertia = Mat3<double>{{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}};
  } else {
    setup.inertia = vec3(*table.numbers("inertia", 3, wanted));
  }
  setup.unphysical = table.truth("unphysical", "true or false").value_or(false);
  read_wheels(table, setup, origins);
}

void read_start(const TableReader& table, Setup& setup) {
  if (const AttitudeKey* key = only_one_of(attitude_keys, table)) {
    const bool matrix = key->kind == AttitudeData::Kind::matrix;
    setup.attitude = {
        key->kind, matrix ? *table.matrix(key->name, key->wanted) : *table.numbers(key->name, key->size, key->wanted)};
  }
  const MotionKey* motion = only_one_of(motion_keys, table);
  if (motion == nullptr) {
    table.refuse("angular_velocity_body",
                 fmt::format("is missing; give one of {} (all zero for a body at rest)", listed_names(motion_keys)));
  }
  setup.motion = {motion->kind, vec3(*table.numbers(motion->name, 3, motion->wanted))};
  setup.time = table.number("time", "a number of seconds").value_or(0.0);
}

// Turns the sentence of a name that is not there into a complaint about the key it was given under.
template <class Parse>
auto named(const TableReader& table, std::string_view key, const Parse& parse) {
  try {
    return parse();
  } catch (const std::invalid_argument& error) {
    table.refuse(key, error.what());
  }
}

// Whether the method has them is checked by the run, for which a flag may name another one.
void read_parameters(const toml::table& parameters, Origins& origins, RunOptions& run) {
  const TableReader table(parameters, "run.parameters", origins);
  for (const auto& [key, value] : parameters)
    run.parameters[std::string(key.str())] =
        *table.number(key.str(), "a number; 'polhode methods NAME' shows the bounds");
}

void read_run(const TableReader& table, const std::filesystem::path& folder, Origins& origins, RunOptions& run) {
  if (const auto method = table.string("method", "the name of a method; 'polhode methods' lists them")) {
    if (method->empty()) table.refuse("method", "is empty; 'polhode methods' lists the names");
    run.method = *method;
  }
  if (table.has("parameters")) {
    const toml::table* parameters = table.node("parameters")->as_table();
    if (parameters == nullptr)
      table.refuse("parameters",
                   "is not a table; write [run.parameters] and under it a line for each, such as gamma = 0.55");
    read_parameters(*parameters, origins, run);
  }
  if (const auto step = table.number("step", step_wanted)) run.step = *step;
  if (const auto file = table.string("step_file", "the name of a file with one step per line")) {
    if (file->empty()) table.refuse("step_file", "is empty; give the name of a file with one step per line");
    if (table.has("step")) table.refuse("step_file", "excludes step; keep one of them");
    run.step_file = (folder / *file).string();
  }
  run.steps = table.count("steps", steps_wanted);
  run.duration = table.number("duration", duration_wanted);
  if (run.steps && run.duration) table.refuse("duration", "excludes steps; keep one of them");
  if (const auto scalar = table.string("scalar", "float, double, long-double or quad")) {
    run.scalar = named(table, "scalar", [&] { return parse_scalar(*scalar); });
  }
  if (const auto choice = table.string("on_failure", on_failure_wanted)) {
    run.on_failure = named(table, "on_failure", [&] { return parse_on_failure(*choice); });
  }
  run.tolerance = table.number("tolerance", tolerance_wanted);
  if (const auto goal = table.string("goal", goal_wanted)) {
    run.goal = named(table, "goal", [&] { return parse_goal(*goal); });
  }
  if (const auto scale = table.string("step_scale", step_scale_wanted)) {
    if (scale->empty()) table.refuse("step_scale", fmt::format("is empty; give {}", step_scale_wanted));
    run.step_scale = *scale;
  }
  if (const auto condition = table.string("stop_when", stop_when_wanted)) {
    if (condition->empty()) table.refuse("stop_when", fmt::format("is empty; give {}", stop_when_wanted));
    run.stop_when = *condition;
  }
  run.max_steps = table.count("max_steps", max_steps_wanted);
  run.max_time = table.number("max_time", max_time_wanted);
  run.sensitivities = table.strings("sensitivities", sensitivities_wanted).value_or(std::vector<std::string>{});
  run.monodromy = table.truth("monodromy", "true or false").value_or(false);
  run.lyapunov = table.truth("lyapunov", "true or false").value_or(false);
  run.reference = table.truth("reference", reference_wanted).value_or(false);
}

void read_output(const TableReader& table, const std::filesystem::path& folder,
                 const std::vector<QuantityData>& quantities, OutputSettings& output) {
  if (const auto file = table.string("file", "the name of a .csv file")) {
    if (file->empty()) table.refuse("file", "is empty; give the name of a .csv file, or leave the key out");
    output.file = *file;
  }
  if (const auto every = table.count("every", every_wanted)) output.every = *every;
  if (const auto times = table.list("times", times_wanted)) {
    if (times->empty()) table.refuse("times", fmt::format("is empty; give {}, or leave the key out", times_wanted));
    output.times = *times;
  }
  if (const auto file = table.string("times_file", "the name of a file with one time per line")) {
    if (file->empty()) table.refuse("times_file", "is empty; give the name of a file with one time per line");
    output.times_file = (folder / *file).string();
  }
  constexpr std::string_view rows_are_at[] = {"every", "times", "times_file"};
  const std::string_view* first = nullptr;
  for (const std::string_view& key : rows_are_at) {
    if (!table.has(key)) continue;
    if (first != nullptr) table.refuse(key, fmt::format("excludes {}; keep one of them", *first));
    first = &key;
  }
  if (const auto columns = table.strings("columns", "an array of column names")) {
    ChosenColumns chosen = named(table, "columns", [&] { return parse_columns(*columns, names_of(quantities)); });
    choose(output, quantities, std::move(chosen));
  }
}

const toml::table& subtable(const toml::table& file, std::string_view name, std::string_view remedy) {
  const toml::node* node = file.get(name);
  if (node == nullptr) {
    throw SetupError("", fmt::format("there is no [{}] table; {}", name, remedy));
  }
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    throw SetupError(std::string(name), fmt::format("{} is {}; {}", quoted(*node), type_name(*node), remedy));
  }
  return *table;
}

void read_tables(const toml::table& file, Scenario& scenario) {
  Origins& origins = scenario.origins;
  const auto& keys = keys_by_table();
  TableReader(file, "", origins)
      .allow_only({"body", "start", "torque", "run", "output", "quantities", "event", "ensemble"}, keys);

  const auto section = [&](const std::string& name, std::string_view remedy, const auto& read) {
    const TableReader table(subtable(file, name, remedy), name, origins);
    table.allow_only(keys.at(name), keys);
    read(table);
  };
  const std::filesystem::path folder = std::filesystem::path(scenario.source).parent_path();
  section("body", "add [body] with inertia = [I1, I2, I3]",
          [&](const TableReader& table) { read_body(table, scenario.setup, origins); });
  section("start", "add [start] with angular_velocity_body = [wx, wy, wz]",
          [&](const TableReader& table) { read_start(table, scenario.setup); });
  if (const toml::node* torque = file.get("torque")) read_torques(*torque, scenario);
  if (file.contains("run")) {
    section("run", "give a [run] table with method, step and duration",
            [&](const TableReader& table) { read_run(table, folder, origins, scenario.run); });
  }
  if (const toml::node* quantities = file.get("quantities")) read_quantities(*quantities, scenario);
  if (const toml::node* events = file.get("event")) read_events(*events, scenario);
  if (const toml::node* ensemble = file.get("ensemble")) read_ensemble(*ensemble, scenario);
  if (file.contains("output")) {
    section("output", "give an [output] table with file, every and columns",
            [&](const TableReader& table) { read_output(table, folder, scenario.quantities, scenario.output); });
  }
}

toml::table parse_toml(const Scenario& scenario) {
  try {
    return toml::parse(scenario.text, scenario.source);
  } catch (const toml::parse_error& error) {
    std::string what(error.description());
    std::replace_if(
        what.begin(), what.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    throw Error(ErrorKind::bad_file,
                fmt::format("{}:{}: not valid TOML: {}; polhode init writes a scenario to start from", scenario.source,
                            error.source().begin.line, what));
  }
}

// What is wrong is told under its dotted key.
void read_checked(const toml::table& tables, Scenario& scenario) {
  try {
    if (tables.empty()) throw SetupError("", "the file is empty; polhode init writes a scenario to start from");
    read_tables(tables, scenario);
    check_settings(scenario);
    check(scenario.setup);
    if (scenario.ensemble) check_drawn(scenario.setup, scenario.ensemble->drawn);
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
}

}  // namespace

Scenario scenario_from(const toml::table& tables, Origins given, CallersNames names) {
  Scenario scenario;
  scenario.title = "scenario";
  scenario.origins = std::move(given);
  scenario.callers_names = std::move(names);
  read_checked(tables, scenario);
  return scenario;
}

Scenario parse_scenario(std::string text, const std::string& source) {
  Scenario scenario;
  scenario.source = source;
  scenario.title = std::filesystem::path(source).stem().string();
  scenario.text = std::move(text);
  if (scenario.text.find('\0') != std::string::npos) {
    throw Error(ErrorKind::bad_file, fmt::format("{}: the file holds a NUL byte and is not text; a scenario is a TOML "
                                                 "file, and polhode init writes one to start from",
                                                 source));
  }
  const toml::table file = parse_toml(scenario);
  read_checked(file, scenario);
  return scenario;
}

Scenario read_scenario(const std::string& path) {
  const ResultFormat* format = find_result_format(path);
  if (format == nullptr || format->scenario == nullptr) return parse_scenario(read_text_file(path), path);
  StoredScenario stored = format->scenario(path);
  Scenario scenario = parse_scenario(std::move(stored.text), path);
  scenario.title = stored.title;
  const Problem* problem = find_problem(stored.title);
  if (problem != nullptr && to_json(problem->setup) == to_json(scenario.setup)) scenario.problem = problem;
  // The result is not written over: where rows are to go is for who repeats the run to say.
  scenario.output.file.clear();
  scenario.origins.erase("output.file");
  return scenario;
}

}  // namespace polhode
