#include "study_flags.hpp"

#include <filesystem>
#include <map>
#include <stdexcept>

#include "core/list_text.hpp"
#include "figure.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/io/study_scenario.hpp"

namespace polhode {
namespace {

std::vector<std::string> names_in(const std::string& text, const char* flag) {
  std::vector<std::string> names;
  for (const std::string_view name : comma_separated(text)) {
    if (!name.empty()) names.emplace_back(name);
  }
  if (names.empty())
    throw Error(ErrorKind::bad_request, fmt::format("{}: is empty; give names separated by commas", flag));
  return names;
}

// A problem of that name, or else a file.
Scenario scenario_named(const std::string& name) {
  const bool is_file = name.ends_with(".toml") || name.ends_with(".h5") || std::filesystem::exists(name);
  if (find_problem(name) == nullptr && is_file) return read_scenario(name);
  return problem_scenario(named_problem(name, ""));
}

std::vector<Scenario> scenarios_of(const StudyFlags& flags) {
  std::vector<Scenario> scenarios;
  for (const std::string& name : flags.names) scenarios.push_back(scenario_named(name));
  if (!flags.problem.empty())
    for (const std::string& name : names_in(flags.problem, "--problem"))
      scenarios.push_back(problem_scenario(named_problem(name)));
  if (scenarios.empty())
    throw Error(ErrorKind::bad_request,
                "no problem is named; give --problem NAME ('polhode problems' lists them), or a scenario file");
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const bool same = scenarios[i].source.empty() ? scenarios[k].problem == scenarios[i].problem
                                                    : scenarios[k].source == scenarios[i].source;
      if (same)
        throw Error(ErrorKind::bad_request,
                    fmt::format("'{}' is named twice; name it once",
                                scenarios[i].source.empty() ? scenarios[i].title : scenarios[i].source));
    }
  }
  return scenarios;
}

// "orders-tumble.pdf" for "orders.pdf".
std::string named_after(const std::string& file, const std::string& situation) {
  if (file.empty()) return "";
  const std::filesystem::path path(file);
  return (path.parent_path() / fmt::format("{}-{}{}", path.stem().string(), situation, path.extension().string()))
      .string();
}

enum class Format { csv, json };

Format format_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".csv") return Format::csv;
  if (extension == ".json") return Format::json;
  throw Error(ErrorKind::bad_request,
              fmt::format("--output: '{}' does not show its format; end it in .csv or .json", file));
}

}  // namespace

void add_study_flags(CLI::App& command, StudyFlags& flags, const char* figure) {
  const auto option = option_adder(command);
  option("SITUATION", flags.names, " ", "Scenario files (TOML), or names of problems: one or several");
  option("-p,--problem", flags.problem, "A,B,...", "Benchmark problems; 'polhode problems' lists them");
  option("-m,--methods", flags.methods, "A,B,...", "Methods, with suffixes; 'polhode methods' lists them");
  add_load_flag(command);
  option("--step-sizes", flags.step_sizes, "H1,H2,...", "Steps [s]; H1:H2 stands for halvings from H1 down to H2");
  option("--duration", flags.duration, "T", "Duration [s], negative backwards (default: the situation's own)");
  option("--scalar", flags.scalar, "TYPE", "float, double, long-double or quad (default: the scenario's, or double)");
  option("-o,--output", flags.output, "FILE", "Write the study to FILE.csv or FILE.json")->check(not_empty());
  command.add_flag("--json", flags.json, "Print the study as one JSON object");
  option("--plot", flags.plot, "FIGURE", figure)->check(not_empty());
  command.add_flag("--progress", flags.progress, "Report progress: --progress=auto (default), =always or =never");
}

std::string study_reference_help() {
  return "Errors are those at the end, against a reference: the closed form of a free body, what is built in for a "
         "problem, "
         "or else two integrations to rounding that are made first and kept in .polhode beside the scenario. Several "
         "situations are studied one after the other; each has its own files, FILE-NAME.csv for FILE.csv, and --json "
         "prints "
         "one object with all studies.";
}

std::string study_exit_codes() {
  return exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario,
                     ExitCode::file_missing, ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::input_output,
                     ExitCode::interrupted});
}

std::vector<Studied> studied_situations(const StudyFlags& flags) {
  std::vector<std::string> methods;
  std::vector<double> steps;
  if (flags.methods) methods = names_in(*flags.methods, "--methods");
  if (flags.step_sizes) {
    try {
      steps = parse_step_sizes(*flags.step_sizes);
    } catch (const std::invalid_argument& error) {
      throw Error(ErrorKind::bad_request, fmt::format("--step-sizes: {}", error.what()));
    }
  }
  std::vector<Studied> all;
  std::map<std::string, int> titles;
  for (Scenario& scenario : scenarios_of(flags)) {
    if (const int count = ++titles[scenario.title]; count > 1) scenario.title += fmt::format("-{}", count);
    if (flags.duration) override_key(scenario, "run.duration", "--duration", *flags.duration);
    if (flags.scalar) override_key(scenario, "run.scalar", "--scalar", *flags.scalar);
    StudyRequest request = study_request(scenario);
    request.methods = methods;
    request.steps = steps;
    all.push_back({std::move(scenario), std::move(request), flags.output, flags.plot});
  }
  if (all.size() == 1) return all;
  for (Studied& one : all) {
    one.output = named_after(flags.output, one.scenario.title);
    one.plot = named_after(flags.plot, one.scenario.title);
  }
  return all;
}

Error refusal(const StudyFlags& flags, const Studied& of, const SetupError& error) {
  // A duration that was not asked for is not at fault.
  const char* flag = error.key == "run.method" && flags.methods      ? "--methods"
                     : error.key == "run.duration" && flags.duration ? "--duration"
                     : flags.step_sizes                              ? "--step-sizes"
                                                                     : "";
  const bool of_study = error.key == "run.method" || error.key == "run.duration" || error.key == "run.step";
  if (of_study && *flag != '\0') return {ErrorKind::bad_request, fmt::format("{}: {}", flag, error.what())};
  return located(of.scenario, error);
}

StudyOutput::StudyOutput(const StudyFlags& flags, const Studied& of, std::string kind)
    : flags_(flags), of_(of), kind_(std::move(kind)) {
  parse_when("--progress", flags.progress);
  if (!flags.output.empty() && is_stdout(flags.output)) {
    throw Error(ErrorKind::bad_request, "--output: " + stdout_is_taken(flags.output));
  }
  if (!of.output.empty()) {
    format_of(of.output);
    refuse_clash("--output", of.output, "the scenario", of.scenario.source);
  }
  if (!of.plot.empty()) {
    check_figure(of.plot);
    refuse_clash("--plot", of.plot, "the file of --output", of.output);
    refuse_clash("--plot", of.plot, "the scenario", of.scenario.source);
  }
  if (!of.output.empty()) file_.emplace(of.output);
}

void StudyOutput::write(StudyForms forms, const std::string& incomplete) {
  forms_ = std::move(forms);
  if (!file_) return;
  const bool csv = format_of(of_.output) == Format::csv;
  file_->write(csv ? forms_.csv : forms_.json + '\n');
  if (csv && !incomplete.empty()) file_->write(fmt::format("# incomplete: {}\n", incomplete));
  if (incomplete.empty()) file_->commit_and_remove_partial();
  place_ = fmt::format(" and in '{}'", incomplete.empty() ? of_.output : file_->set_aside());
}

void StudyOutput::finish(const Talk& talk) const {
  if (file_) talk.note(fmt::format("{} rows in '{}'", forms_.rows, of_.output));
  if (of_.plot.empty()) return;
  // A figure is drawn from a file: the one that was asked for, if it is JSON, or one for the moment.
  if (file_ && format_of(of_.output) == Format::json) {
    draw({kind_, of_.output, "-o", of_.plot}, of_.plot);
  } else {
    const TemporaryFolder folder;
    OutputFile file(folder.path() + "/study.json");
    file.write(forms_.json + '\n');
    file.commit();
    draw({kind_, file.path(), "-o", of_.plot}, of_.plot);
  }
  talk.note(fmt::format("figure in '{}'", of_.plot));
}

}  // namespace polhode
