// polhode run: integrate a scenario or a problem.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "figure.hpp"
#include "interrupts.hpp"
#include "polhode/io/csv.hpp"
#include "polhode/io/json.hpp"
#include "polhode/io/run.hpp"
#include "polhode/problems/problem.hpp"
#include "progress.hpp"
#include "summary.hpp"

namespace polhode {
namespace {

// A flag that takes the place of one key of the scenario.
struct KeyFlag {
  const char* flag;
  const char* key;
  const char* value;
  const char* help;
};
constexpr KeyFlag key_flags[] = {
    {"-m,--method", "run.method", "NAME", "Method, with suffixes; 'polhode methods' lists them; or auto"},
    {"--step", "run.step", "H", "Step [s], positive"},
    {"--step-file", "run.step_file", "FILE", "Steps [s] from a file, one per line"},
    {"--steps", "run.steps", "N", "Number of steps"},
    {"--duration", "run.duration", "T", "Duration [s], negative backwards; the last step is shortened to fit"},
    {"--scalar", "run.scalar", "TYPE", "float, double, long-double or quad"},
    {"--on-failure", "run.on_failure", "WHAT", "A step that fails: stop (default), or halve to retry it in halves"},
    {"--tolerance", "run.tolerance", "TOL", "Attitude error [rad], for auto and methods that take one"},
    {"--goal", "run.goal", "WHAT", "What auto saves or keeps: time (default), torque-evaluations or energy"},
    {"-o,--output", "output.file", "FILE.csv", "Write the rows to this file"},
    {"--every", "output.every", "K", "One row every K steps, and one for the last"},
    {"--columns", "output.columns", "A,B,...", "Columns of the rows, from the list below (default: standard)"}};
constexpr std::size_t key_flag_count = std::size(key_flags);

struct RunFlags {
  std::string scenario, problem, plot;
  std::array<std::optional<std::string>, key_flag_count> values;
  bool json = false;
  std::string progress = "auto";
};

std::string_view long_name(const KeyFlag& flag) {
  const std::string_view names = flag.flag;
  return names.substr(names.find("--"));
}

void refuse_both(const RunFlags& flags, std::string_view a, std::string_view b) {
  int given = 0;
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    const std::string_view name = long_name(key_flags[i]);
    if (flags.values[i] && (name == a || name == b)) ++given;
  }
  if (given == 2) throw Error(ExitCode::usage, fmt::format("{} and {} exclude each other; give one of them", a, b));
}

Scenario read_file(const std::string& path) {
  const bool is_result = path.ends_with(".h5") || path.ends_with(".hdf5");
  if (is_result) {
    throw Error(ExitCode::usage,
                fmt::format("'{}' is an HDF5 result, which this version does not read; give a scenario "
                            "file",
                            path));
  }
  try {
    return read_scenario(path);
  } catch (const Error& error) {
    if (error.code != ExitCode::file_missing || find_problem(path) == nullptr) throw;
    throw Error(ExitCode::file_missing,
                fmt::format("there is no file '{}', but a problem of that name: --problem {}", path, path));
  }
}

Scenario scenario_of(const RunFlags& flags) {
  if (flags.problem.empty() == flags.scenario.empty()) {
    throw Error(ExitCode::usage, flags.problem.empty()
                                     ? "nothing to run; give a scenario file or --problem NAME"
                                     : "a scenario file and --problem exclude each other; give one of them");
  }
  refuse_both(flags, "--step", "--step-file");
  refuse_both(flags, "--steps", "--duration");
  Scenario scenario =
      flags.problem.empty() ? read_file(flags.scenario) : problem_scenario(named_problem(flags.problem));
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    if (flags.values[i]) override_key(scenario, key_flags[i].key, long_name(key_flags[i]), *flags.values[i]);
  }
  return scenario;
}

void check_plot(const RunFlags& flags, const Scenario& scenario) {
  for (const Column column : standard_columns()) {
    if (scenario.output.columns.contains(column)) continue;
    throw Error(ExitCode::usage, "--plot needs the standard columns; add 'standard' to the columns, or leave them out");
  }
  check_figure(flags.plot);
}

std::string column_help() {
  std::string text = "\nColumns, besides the time:\n";
  const auto line = [&](std::string_view name, std::string_view about) {
    fmt::format_to(std::back_inserter(text), "  {:<26}{}\n", name, about);
  };
  line("standard", fmt::format("{}", fmt::join(column_names(standard_columns()), ", ")));
  for (const ColumnInfo& group : column_groups()) line(group.name, group.about);
  return text;
}

ExitCode run(const RunFlags& flags, const Talk& talk) {
  const When when = parse_when("--progress", flags.progress);
  const Scenario scenario = scenario_of(flags);
  const Plan made = plan(scenario, !flags.plot.empty());
  explain(made, talk);
  const bool keeps_rows = !scenario.output.file.empty();
  std::optional<TemporaryFolder> folder;
  if (!flags.plot.empty()) {
    check_plot(flags, scenario);
    if (!keeps_rows) folder.emplace();
  }
  // Before there is a file that an interrupt would leave behind.
  const std::atomic<bool>& stop_requested = listen_for_interrupts();
  std::optional<OutputFile> file;
  if (keeps_rows) file.emplace(scenario.output.file);
  if (folder) file.emplace(folder->path() + "/result.csv");
  std::optional<CsvWriter> rows;
  if (file) rows.emplace(*file);

  const Result result = [&] {
    ProgressLine progress(talk, when);
    const auto warn = [&](const std::string& sentence) {
      progress.clear();
      talk.note("warning: " + sentence);
    };
    const RunControl control{[&](const Progress& at) { progress.show(at); }, &stop_requested, warn};
    return polhode::run(scenario, made, rows ? &*rows : nullptr, control);
  }();
  if (file) file->commit();
  if (flags.json) {
    fmt::print("{}\n", to_json(result));
  } else if (!keeps_rows) {
    fmt::print("{}", summary(result));
  }
  if (result.steps_halved > 0) {
    talk.note(fmt::format("{} of {} steps failed whole and were taken in halves, down to 1/{} of a step",
                          result.steps_halved, result.steps, result.most_pieces));
  }
  const std::string kept = keeps_rows ? fmt::format("; the rows so far are in '{}'", scenario.output.file) : "";
  if (result.failure) throw Error(ExitCode::run_failed, result.failure->sentence + kept);
  if (result.interrupted) {
    throw Error(ExitCode::interrupted, fmt::format("interrupted after {} of {} steps, at t = {:.9g} s{}", result.steps,
                                                   made.steps.count, result.end.time.value, kept));
  }
  if (keeps_rows) talk.note(fmt::format("{} rows in '{}': {}", rows->rows(), scenario.output.file, headline(result)));
  if (!flags.plot.empty()) {
    draw_figure(file->path(), flags.plot);
    talk.note(fmt::format("figure in '{}'", flags.plot));
  }
  return ExitCode::done;
}

}  // namespace

Command add_run(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("run", "Integrate a scenario file or a problem");
  auto flags = std::make_shared<RunFlags>();
  command->add_option("SCENARIO", flags->scenario, "Scenario file (TOML); 'polhode init' writes one")->type_name(" ");
  command->add_option("-p,--problem", flags->problem, "A benchmark problem; 'polhode problems' lists them")
      ->type_name("NAME");
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    command->add_option(key_flags[i].flag, flags->values[i], key_flags[i].help)->type_name(key_flags[i].value);
  }
  command->add_flag("--json", flags->json, "Print the final state and the work as one JSON object");
  command->add_option("--plot", flags->plot, "Draw the run as .pdf, .svg or .png")->type_name("FIGURE");
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer("\nFlags take the place of the scenario's keys. Without --output or --json a summary is printed.\n" +
                  column_help() +
                  examples({"polhode run --problem free-mclachlan-zanna --method taylor-4 --step 0.1",
                            "polhode run tumble.toml --step 0.005 --output tumble.csv --every 10",
                            "polhode run tumble.toml --method mclachlan-reich-231@suzuki --plot tumble.pdf",
                            "polhode run --problem fast-top --method rkmk-4 --scalar quad --steps 100 --json",
                            "polhode run tumble.toml --method auto --tolerance 1e-8 --goal torque-evaluations"}));
  return {command, [flags, &talk] { return run(*flags, talk); }};
}

}  // namespace polhode
