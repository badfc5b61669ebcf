// polhode run: integrate a scenario or a problem.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "figure.hpp"
#include "interrupts.hpp"
#include "key_flags.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/io/json.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"
#include "progress.hpp"
#include "streams.hpp"
#include "summary.hpp"

namespace polhode {
namespace {

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
    {"--step-scale", "run.step_scale", "EXPR",
     "For methods that choose their steps: in proportion to this, e.g. \"1/(1 + wz^2)\""},
    {"--stop-when", "run.stop_when", "CONDITION", "End the run where this comes true, e.g. \"wz < 0.1 and t > 5\""},
    {"--max-steps", "run.max_steps", "N", "Guard: end the run after so many steps, with exit code 75"},
    {"--max-time", "run.max_time", "S", "Guard: end the run after so many seconds of wall clock, with exit code 75"},
    {"--sensitivities", "run.sensitivities", "A,B,...",
     "Derivatives by start, inertia, torque or single numbers of them"},
    {"-o,--output", "output.file", "FILE", "Write the rows to FILE.csv, .h5 or .ndjson; - is CSV on stdout"},
    {"--every", "output.every", "K", "One row every K steps, and one for the last"},
    {"--at", "output.times", "T1,T2,...", "Rows at exactly these times [s]; the steps stay as they are"},
    {"--at-file", "output.times_file", "FILE", "Times of rows [s] from a file, one per line or first of a CSV"},
    {"--columns", "output.columns", "A,B,...", "Columns of the rows, from the list below (default: standard)"}};
constexpr std::size_t key_flag_count = std::size(key_flags);

struct RunFlags {
  std::string scenario, problem, plot;
  std::array<std::optional<std::string>, key_flag_count> values;
  bool json = false, monodromy = false, lyapunov = false, reference = false;
  std::string progress = "auto";
};

void refuse_both(const RunFlags& flags, std::string_view a, std::string_view b) {
  int given = 0;
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    const std::string_view name = long_name(key_flags[i]);
    if (flags.values[i] && (name == a || name == b)) ++given;
  }
  if (given == 2)
    throw Error(ErrorKind::bad_request, fmt::format("{} and {} exclude each other; give one of them", a, b));
}

Scenario read_file(const std::string& path) {
  try {
    return read_scenario(path);
  } catch (const Error& error) {
    if (error.kind != ErrorKind::file_missing || find_problem(path) == nullptr) throw;
    throw Error(ErrorKind::file_missing,
                fmt::format("there is no file '{}', but a problem of that name: --problem {}", path, path));
  }
}

Scenario scenario_of(const RunFlags& flags) {
  if (flags.problem.empty() == flags.scenario.empty()) {
    throw Error(ErrorKind::bad_request, flags.problem.empty()
                                            ? "nothing to run; give a scenario file or --problem NAME"
                                            : "a scenario file and --problem exclude each other; give one of them");
  }
  refuse_both(flags, "--step", "--step-file");
  refuse_both(flags, "--steps", "--duration");
  refuse_both(flags, "--every", "--at");
  refuse_both(flags, "--every", "--at-file");
  refuse_both(flags, "--at", "--at-file");
  Scenario scenario =
      flags.problem.empty() ? read_file(flags.scenario) : problem_scenario(named_problem(flags.problem));
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    if (flags.values[i]) override_key(scenario, key_flags[i].key, long_name(key_flags[i]), *flags.values[i]);
  }
  if (flags.monodromy) override_key(scenario, "run.monodromy", "--monodromy", "true");
  if (flags.lyapunov) override_key(scenario, "run.lyapunov", "--lyapunov", "true");
  if (flags.reference) override_key(scenario, "run.reference", "--reference", "true");
  return scenario;
}

void check_rows(const RunFlags& flags, const Scenario& scenario) {
  refuse_overwriting(scenario);
  const std::string& file = scenario.output.file;
  if (flags.json && is_stdout(file)) throw located(scenario, SetupError("output.file", stdout_is_taken(file)));
  check_output_file(file);
}

void check_plot(const RunFlags& flags, const Scenario& scenario) {
  for (const Column column : standard_columns()) {
    if (scenario.output.columns.contains(column)) continue;
    throw Error(ErrorKind::bad_request,
                "--plot needs the standard columns; add 'standard' to the columns, or leave them out");
  }
  refuse_clash("--plot", flags.plot, "the scenario", scenario.source);
  refuse_clash("--plot", flags.plot, "the file of steps", scenario.run.step_file);
  refuse_clash("--plot", flags.plot, "the file of times", scenario.output.times_file);
  refuse_clash("--plot", flags.plot, "the file of the rows", scenario.output.file);
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

// How many rows are where, as the end of a sentence.
std::string place_of(const ResultFile& file, bool complete) {
  const std::string where = names_stdout(file.place()) ? "on standard output" : fmt::format("in '{}'", file.place());
  return fmt::format("{} rows {}{}", file.rows(), complete ? "" : "up to there are ", where);
}

// The error is known where the problem has a reference, and predicted elsewhere.
std::optional<std::string> missed_tolerance(const Result& result) {
  const auto& chosen = result.about.selection;
  if (!chosen) return std::nullopt;
  if (!result.attitude_error) return chosen->reaches ? std::nullopt : std::optional(warning(*chosen));
  if (result.attitude_error->value <= chosen->tolerance) return std::nullopt;
  return fmt::format(
      "the tolerance of {:.3g} rad was missed: the attitude error of {} at steps of {:.6g} s is {:.2e} rad; try a "
      "wider scalar or a shorter run{}",
      chosen->tolerance, chosen->method.name, chosen->step, result.attitude_error->value,
      chosen->reaches ? ", or ask for a smaller tolerance" : "");
}

Result integrate(const RunFlags& flags, const Simulation& simulation, ResultWriter* rows, ResultWriter* sketch,
                 const std::atomic<bool>& stop_requested, const Talk& talk) {
  ProgressLine progress(talk, parse_when("--progress", flags.progress));
  RunControl control;
  control.progress = [&](const Progress& at) { progress.show(at); };
  control.stop = &stop_requested;
  control.stopped_by = [] { return std::string(interrupting_signal_name()); };
  control.warn = [&](const std::string& sentence) {
    progress.clear();
    talk.note("warning: " + sentence);
  };
  control.sketch = sketch;
  ProgressLine reference(talk, parse_when("--progress", flags.progress));
  control.announce_reference = [&](double seconds) {
    progress.clear();
    announce_reference(talk, seconds);
  };
  control.reference_progress = [&](double done, double seconds) { reference.show(done, seconds, "reference"); };
  return simulation.run(rows, control);
}

ExitCode run(const RunFlags& flags, const Talk& talk) {
  parse_when("--progress", flags.progress);
  const Scenario scenario = scenario_of(flags);
  const bool keeps_rows = !scenario.output.file.empty(), draws = !flags.plot.empty();
  if (keeps_rows) check_rows(flags, scenario);
  if (draws) check_plot(flags, scenario);
  if (scenario.run.method.empty()) {
    throw located(scenario, SetupError("run.method",
                                       "no method is chosen; name one with --method, or as method under [run] "
                                       "('polhode methods' lists them)"));
  }
  const Simulation simulation(plan(scenario, draws));
  explain(simulation.plan(), talk);

  // From here on there are files to be settled.
  const std::atomic<bool>& stop_requested = listen_for_interrupts();
  std::optional<TemporaryFolder> folder;
  std::unique_ptr<ResultFile> out, sketch;
  if (keeps_rows) out = result_format(scenario.output.file).open(scenario.output.file);
  if (draws) sketch = result_formats().front().open(folder.emplace().path() + "/result.csv");
  const Result result = integrate(flags, simulation, out.get(), sketch.get(), stop_requested, talk);
  if (flags.json) {
    to_stdout(to_json(result) + '\n');
  } else if (!keeps_rows) {
    to_stdout(summary(result));
  }
  if (result.steps_halved > 0) {
    talk.note(fmt::format("{} of {} steps failed whole and were taken in halves, down to 1/{} of a step",
                          result.steps_halved, result.steps, result.most_pieces));
  }
  const std::string place = out ? place_of(*out, result.incomplete.empty()) : "";
  const std::string kept = out ? "; " + place : "";
  if (result.failure) throw Error(ErrorKind::run_failed, result.failure->sentence + kept);
  if (result.interrupted) throw Error(ErrorKind::interrupted, result.incomplete + kept);
  if (!result.incomplete.empty()) throw Error(ErrorKind::guard, result.incomplete + kept);
  if (!result.no_reference.empty() && stop_requested)
    throw Error(ErrorKind::interrupted, fmt::format("{}; the run itself is complete{}", result.no_reference, kept));
  if (out) talk.note(fmt::format("{}: {}", place, headline(result)));
  if (sketch) {
    draw_figure(sketch->place(), flags.plot);
    talk.note(fmt::format("figure in '{}'", flags.plot));
  }
  if (!result.no_reference.empty())
    throw Error(ErrorKind::run_failed,
                fmt::format("there is no reference to measure the error against: {}; compare with "
                            "a run of another method and a smaller step",
                            result.no_reference));
  if (const auto missed = missed_tolerance(result)) throw Error(ErrorKind::run_failed, *missed);
  return ExitCode::done;
}

}  // namespace

Command add_run(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("run", "Integrate a scenario file or a problem");
  auto flags = std::make_shared<RunFlags>();
  command
      ->add_option("SCENARIO", flags->scenario,
                   "Scenario file (TOML), or a result .h5 to repeat; 'polhode init' writes one")
      ->type_name(" ");
  command->add_option("-p,--problem", flags->problem, "A benchmark problem; 'polhode problems' lists them")
      ->type_name("NAME");
  for (std::size_t i = 0; i < key_flag_count; ++i) {
    command->add_option(key_flags[i].flag, flags->values[i], key_flags[i].help)->type_name(key_flags[i].value);
  }
  command->add_flag("--monodromy", flags->monodromy, "The derivative of the flow over the run, and its eigenvalues");
  command->add_flag("--lyapunov", flags->lyapunov, "The largest Lyapunov exponent");
  command->add_flag("--reference", flags->reference, "Compute a reference to rounding, for the errors at the end");
  add_load_flag(*command);
  command->add_flag("--json", flags->json, "Print the final state and the work as one JSON object");
  command->add_option("--plot", flags->plot, "Draw the run as .pdf, .svg or .png")
      ->type_name("FIGURE")
      ->check(not_empty());
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\nFlags take the place of the scenario's keys. Without --output or --json a summary is printed.\n"
      "With --at or --at-file there are rows at those times, at the start and at the end: the state within a step is\n"
      "found at the order of the method, and the steps are the same as without.\n"
      "Rows go to FILE.csv, FILE.h5 (HDF5) or FILE.ndjson (a JSON object per line); '-' is CSV and '-.ndjson' JSON on\n"
      "stdout. A result FILE.h5 in the scenario's place repeats its run.\n"
      "A method with a suffix such as ~adaptive chooses its steps: --step is the first, and rows, --steps and --every "
      "count them;\n"
      "with --step-scale they are --step times that expression.\n"
      "The attitude and momentum errors at the end are known for free bodies and for problems within their references. "
      "With\n"
      "--reference they are for any run: two integrators follow the motion in a wider scalar, and what they find is "
      "kept in\n"
      ".polhode beside the scenario, for all scenarios of the same motion.\n"
      "A condition, and the [quantities] and [[event]] tables of a scenario, are made of t, qw qx qy qz, wx wy wz and "
      "Rxx to\n"
      "Rzz. An event that ends a run is an end like any other; a guard (--max-steps, --max-time) answers 75.\n"
      "--sensitivities takes start, inertia, torque, or single numbers such as torque.weight_times_arm, inertia.x and\n"
      "start.attitude.z: derivatives of attitude, velocity and momentum at every row and at the end.\n"
      "A run that is interrupted, fails or meets a guard leaves an older FILE.csv as it is: its rows are in "
      "FILE.partial.csv.\n" +
      column_help() +
      examples({"polhode run --problem free-mclachlan-zanna --method taylor-4 --step 0.1",
                "polhode run tumble.toml --step 0.005 --output tumble.csv --every 10",
                "polhode run tumble.toml --at 0.5,1,2.75 --output tumble.csv",
                "polhode run tumble.toml --stop-when \"Rzz < 0 and t > 1\" --max-time 3600 --json",
                "polhode run tumble.toml --output tumble.h5 && polhode run tumble.h5 --json",
                "polhode run tumble.toml --output - | head -40",
                "polhode run top.toml --method rkmk-4 --sensitivities start,torque.weight_times_arm --json",
                "polhode run top.toml --method mclachlan-reich-231 --duration 10000 --lyapunov",
                "polhode run tumble.toml --method mclachlan-reich-231@suzuki --plot tumble.pdf",
                "polhode run tumble.toml --columns standard,polhode,herpolhode --plot poinsot.pdf",
                "polhode run --problem fast-top --method rkmk-4 --scalar quad --steps 100 --json",
                "polhode run tumble.toml --method lie-verlet~adaptive --step-scale \"1/(1 + wx^2)\"",
                "polhode run tumble.toml --reference --json | jq '.attitude_error, .reference'",
                "polhode run tumble.toml --method auto --tolerance 1e-8 --goal torque-evaluations"}) +
      exit_codes() +
      read_on({"'polhode help init' (scenario files)", "docs/events.md (quantities, events, conditions)",
               "docs/results.md (what --json prints, result files)", "docs/references.md", "docs/sensitivities.md",
               "docs/auto.md", "docs/adaptive.md", "'polhode help plot'"}));
  return {command, [flags, &talk] { return run(*flags, talk); }};
}

}  // namespace polhode
