// polhode converge: errors against the reference at several steps, and the orders they show.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "converge_table.hpp"
#include "figure.hpp"
#include "interrupts.hpp"
#include "polhode/io/converge.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/scenario.hpp"
#include "progress.hpp"

namespace polhode {
namespace {

struct ConvergeFlags {
  std::string name, problem;  // without a flag and with one
  std::optional<std::string> methods, step_sizes, duration, scalar;
  std::string output, plot;
  bool json = false;
  std::string progress = "auto";
};

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names(1);
  for (const char c : text) {
    if (c == ',') {
      names.emplace_back();
    } else if (c != ' ') {
      names.back() += c;
    }
  }
  std::erase(names, "");
  if (names.empty()) throw Error(ExitCode::usage, "--methods: is empty; give names separated by commas");
  return names;
}

const Problem& problem_of(const ConvergeFlags& flags) {
  if (flags.name.empty() == flags.problem.empty()) {
    throw Error(ExitCode::usage,
                flags.name.empty()
                    ? "no problem is named; give --problem NAME ('polhode problems' lists them)"
                    : fmt::format("'{}' is one argument too many, as --problem names a problem already", flags.name));
  }
  const std::string& name = flags.name.empty() ? flags.problem : flags.name;
  if (find_problem(name) == nullptr && (name.ends_with(".toml") || std::filesystem::exists(name))) {
    throw Error(ExitCode::usage, fmt::format("'{}' is a file, and a scenario has no reference to measure errors "
                                             "against; name one of the problems that 'polhode problems' lists",
                                             name));
  }
  return named_problem(name);
}

ConvergenceRequest request_of(const ConvergeFlags& flags) {
  ConvergenceRequest request;
  request.problem = &problem_of(flags);
  if (flags.methods) request.methods = names_in(*flags.methods);
  if (flags.step_sizes) {
    try {
      request.steps = parse_step_sizes(*flags.step_sizes);
    } catch (const std::invalid_argument& error) {
      throw Error(ExitCode::usage, fmt::format("--step-sizes: {}", error.what()));
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

enum class Format { csv, json };

Format format_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".csv") return Format::csv;
  if (extension == ".json") return Format::json;
  throw Error(ExitCode::usage, fmt::format("--output: '{}' does not tell its format; end it in .csv or .json", file));
}

void write(OutputFile& file, const std::string& text) {
  file.write(text);
  file.commit();
}

// A figure is drawn from a file: the one that was asked for, if it is JSON, or one for the moment.
void draw_study(const Convergence& study, const ConvergeFlags& flags) {
  if (!flags.output.empty() && format_of(flags.output) == Format::json) {
    return draw({"converge", flags.output, "-o", flags.plot}, flags.plot);
  }
  const TemporaryFolder folder;
  OutputFile file(folder.path() + "/study.json");
  write(file, to_json(study) + '\n');
  draw({"converge", file.path(), "-o", flags.plot}, flags.plot);
}

void say_what_is_unusual(const Convergence& study, const Talk& talk) {
  long long failed = 0;
  std::string first;
  for (const ConvergenceRow& row : study.rows) {
    if (!row.failure.empty() && ++failed == 1) first = row.failure;
  }
  if (failed > 0 && failed == static_cast<long long>(study.rows.size())) {
    throw Error(ExitCode::run_failed, fmt::format("every run failed; the first: {}", first));
  }
  if (failed > 0) talk.note(fmt::format("{} of {} runs failed; the first: {}", failed, study.rows.size(), first));
  for (const ConvergenceRow& row : study.rows) {
    const double length = static_cast<double>(row.steps) * row.step;
    if (!row.failure.empty() || std::abs(length - std::abs(study.duration)) <= 1e-9 * length) continue;
    talk.note(
        fmt::format("{} s does not divide {} s; the last step of such runs is shorter", row.step, study.duration));
    break;
  }
}

ExitCode converge(const ConvergeFlags& flags, const Talk& talk) {
  const When when = parse_when("--progress", flags.progress);
  const ConvergenceRequest request = request_of(flags);
  if (!flags.plot.empty()) check_figure(flags.plot);
  std::optional<OutputFile> file;
  if (!flags.output.empty()) {
    format_of(flags.output);
    file.emplace(flags.output);
  }

  const std::atomic<bool>& stop_requested = listen_for_interrupts();
  const Convergence study = [&] {
    ProgressLine line(talk, when);
    const ConvergenceControl control{[&](const ConvergenceProgress& at) {
                                       line.show(at.done, at.seconds,
                                                 fmt::format("{}, steps of {:.6g} s", at.method, at.step));
                                     },
                                     &stop_requested};
    return polhode::converge(request, control);
  }();
  if (file) write(*file, format_of(flags.output) == Format::csv ? to_csv(study) : to_json(study) + '\n');
  fmt::print("{}", flags.json ? to_json(study) + '\n' : table(study));
  if (study.interrupted) {
    throw Error(ExitCode::interrupted,
                fmt::format("interrupted after {} runs; the methods that were finished are above{}", study.rows.size(),
                            file ? fmt::format(" and in '{}'", flags.output) : ""));
  }
  say_what_is_unusual(study, talk);
  if (file) talk.note(fmt::format("{} rows in '{}'", study.rows.size(), flags.output));
  if (!flags.plot.empty()) {
    draw_study(study, flags);
    talk.note(fmt::format("figure in '{}'", flags.plot));
  }
  return ExitCode::done;
}

}  // namespace

Command add_converge(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("converge", "Measure errors at several steps and fit orders to them");
  auto flags = std::make_shared<ConvergeFlags>();
  const auto option = [&](const char* names, auto& value, const char* type, const char* help) {
    command->add_option(names, value, help)->type_name(type);
  };
  option("PROBLEM", flags->name, " ", "The problem, without a flag");
  option("-p,--problem", flags->problem, "NAME", "A benchmark problem; 'polhode problems' lists them");
  option("-m,--methods", flags->methods, "A,B,...", "Methods, with suffixes; 'polhode methods' lists them");
  option("--step-sizes", flags->step_sizes, "H1,H2,...", "Steps [s]; H1:H2 stands for halvings from H1 down to H2");
  option("--duration", flags->duration, "T", "Duration [s] (default: the problem's own), negative backwards");
  option("--scalar", flags->scalar, "TYPE", "float, double (default), long-double or quad");
  option("-o,--output", flags->output, "FILE", "Write the study to FILE.csv or FILE.json");
  command->add_flag("--json", flags->json, "Print the study as one JSON object");
  option("--plot", flags->plot, "FIGURE", "Draw errors against steps as .pdf, .svg or .png");
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\nErrors are those at the end, against the problem's reference. Without --methods a few of orders 2 to 4 are "
      "taken,\nwithout --step-sizes six that suit them. An order is the slope of log(error) over log(step), fitted "
      "where the error is\nneither rounding nor of the size of the motion itself and local slopes agree; where fewer "
      "than three steps are left,\nnone is given and the reason is. A step that does not divide the duration makes "
      "the last step shorter; methods with\nmemory refuse it. A run that fails is reported as failed; the exit code "
      "is 1 if all do.\n" +
      examples({"polhode converge --problem free-mclachlan-zanna --plot orders.pdf",
                "polhode converge --problem fast-top --methods taylor-4,rkmk-4 --step-sizes 0.02,0.01,0.005,0.0025",
                "polhode converge --problem asymmetric-top --methods mclachlan-reich-231@suzuki+energy "
                "--step-sizes 0.4:0.0125 --json",
                "polhode converge --problem slow-top --methods taylor-8 --step-sizes 0.2:0.0125 --scalar quad "
                "--duration 4"}));
  return {command, [flags, &talk] { return converge(*flags, talk); }};
}

}  // namespace polhode
