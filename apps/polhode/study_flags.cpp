#include "study_flags.hpp"

#include <filesystem>
#include <stdexcept>

#include "core/list_text.hpp"
#include "figure.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/io/scenario.hpp"
#include "streams.hpp"

namespace polhode {
namespace {

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string_view name : comma_separated(text)) {
    if (!name.empty()) names.emplace_back(name);
  }
  if (names.empty()) throw Error(ErrorKind::bad_request, "--methods: is empty; give names separated by commas");
  return names;
}

const Problem& problem_of(const StudyFlags& flags) {
  if (flags.name.empty() == flags.problem.empty()) {
    throw Error(ErrorKind::bad_request,
                flags.name.empty()
                    ? "no problem is named; give --problem NAME ('polhode problems' lists them)"
                    : fmt::format("'{}' is one argument too many, as --problem names a problem already", flags.name));
  }
  const std::string& name = flags.name.empty() ? flags.problem : flags.name;
  if (find_problem(name) == nullptr && (name.ends_with(".toml") || std::filesystem::exists(name))) {
    throw Error(ErrorKind::bad_request, fmt::format("'{}' is a file, and a scenario has no reference to measure errors "
                                                    "against; name one of the problems that 'polhode problems' lists",
                                                    name));
  }
  return named_problem(name);
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
  option("PROBLEM", flags.name, " ", "The problem, without a flag");
  option("-p,--problem", flags.problem, "NAME", "A benchmark problem; 'polhode problems' lists them");
  option("-m,--methods", flags.methods, "A,B,...", "Methods, with suffixes; 'polhode methods' lists them");
  add_load_flag(command);
  option("--step-sizes", flags.step_sizes, "H1,H2,...", "Steps [s]; H1:H2 stands for halvings from H1 down to H2");
  option("--duration", flags.duration, "T",
         "Duration [s] (default: the problem's own, or its reference's), negative backwards");
  option("--scalar", flags.scalar, "TYPE", "float, double (default), long-double or quad");
  option("-o,--output", flags.output, "FILE", "Write the study to FILE.csv or FILE.json")->check(not_empty());
  command.add_flag("--json", flags.json, "Print the study as one JSON object");
  option("--plot", flags.plot, "FIGURE", figure)->check(not_empty());
  command.add_flag("--progress", flags.progress, "Report progress: --progress=auto (default), =always or =never");
}

std::string study_exit_codes() {
  return exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario,
                     ExitCode::file_missing, ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::input_output,
                     ExitCode::interrupted});
}

StudyRequest study_request(const StudyFlags& flags) {
  StudyRequest request;
  request.problem = &problem_of(flags);
  if (flags.methods) request.methods = names_in(*flags.methods);
  if (flags.step_sizes) {
    try {
      request.steps = parse_step_sizes(*flags.step_sizes);
    } catch (const std::invalid_argument& error) {
      throw Error(ErrorKind::bad_request, fmt::format("--step-sizes: {}", error.what()));
    }
  }
  Scenario scenario = problem_scenario(*request.problem);
  if (flags.duration) {
    override_key(scenario, "run.duration", "--duration", *flags.duration);
    request.duration = scenario.run.duration;
  }
  if (flags.scalar) {
    override_key(scenario, "run.scalar", "--scalar", *flags.scalar);
    request.scalar = scenario.run.scalar;
  }
  return request;
}

Error refusal(const StudyFlags& flags, const SetupError& error) {
  // A duration that was not asked for is not at fault.
  const bool duration = error.key == "run.duration" && flags.duration;
  const char* flag = error.key == "run.method" ? "--methods" : duration ? "--duration" : "--step-sizes";
  return {ErrorKind::bad_request, fmt::format("{}: {}", flag, error.what())};
}

StudyOutput::StudyOutput(const StudyFlags& flags, std::string kind) : flags_(flags), kind_(std::move(kind)) {
  parse_when("--progress", flags.progress);
  if (!flags.output.empty()) format_of(flags.output);
  if (!flags.plot.empty()) {
    check_figure(flags.plot);
    refuse_clash("--plot", flags.plot, "the file of --output", flags.output);
  }
  if (!flags.output.empty() && is_stdout(flags.output)) {
    throw Error(ErrorKind::bad_request, "--output: " + stdout_is_taken(flags.output));
  }
  if (!flags.output.empty()) file_.emplace(flags.output);
}

void StudyOutput::write(StudyForms forms, const std::string& incomplete) {
  forms_ = std::move(forms);
  to_stdout(flags_.json ? forms_.json + '\n' : forms_.table);  // first: a full disk must not take this, too
  if (file_) {
    const bool csv = format_of(flags_.output) == Format::csv;
    file_->write(csv ? forms_.csv : forms_.json + '\n');
    if (csv && !incomplete.empty()) file_->write(fmt::format("# incomplete: {}\n", incomplete));
    if (incomplete.empty()) file_->commit_and_remove_partial();
    place_ = fmt::format(" and in '{}'", incomplete.empty() ? flags_.output : file_->set_aside());
  }
}

void StudyOutput::finish(const Talk& talk) const {
  if (file_) talk.note(fmt::format("{} rows in '{}'", forms_.rows, flags_.output));
  if (flags_.plot.empty()) return;
  // A figure is drawn from a file: the one that was asked for, if it is JSON, or one for the moment.
  if (file_ && format_of(flags_.output) == Format::json) {
    draw({kind_, flags_.output, "-o", flags_.plot}, flags_.plot);
  } else {
    const TemporaryFolder folder;
    OutputFile file(folder.path() + "/study.json");
    file.write(forms_.json + '\n');
    file.commit();
    draw({kind_, file.path(), "-o", flags_.plot}, flags_.plot);
  }
  talk.note(fmt::format("figure in '{}'", flags_.plot));
}

}  // namespace polhode
