// polhode diagnose: what a method claims against what it does.
#include <fmt/format.h>

#include <memory>

#include "diagnose_table.hpp"
#include "figure.hpp"
#include "interrupts.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/io/study_text.hpp"
#include "progress.hpp"
#include "streams.hpp"
#include "study_flags.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

struct DiagnoseFlags {
  std::string scenario, problem, method, plot;
  bool json = false;
  std::string progress = "auto";
};

// Three different moments, the weight off all axes: nothing there flatters a method.
constexpr const char* customary_subject = "asymmetric-top-tilted";
constexpr const char* customary_dumbbell = "dumbbell";

bool moves_a_direction(const std::string& method) {
  try {
    return parse_method(method).space == Space::sphere;
  } catch (const MethodError&) {
    return false;  // said where the method is looked up
  }
}

Scenario subject_of(const DiagnoseFlags& flags) {
  if (!flags.problem.empty() && !flags.scenario.empty())
    throw Error(ErrorKind::bad_request, "a scenario file and --problem exclude each other; give one of them");
  if (!flags.scenario.empty() && find_problem(flags.scenario) == nullptr) return read_scenario(flags.scenario);
  std::string name = flags.problem.empty() ? flags.scenario : flags.problem;
  if (name.empty()) name = moves_a_direction(flags.method) ? customary_dumbbell : customary_subject;
  return problem_scenario(named_problem(name));
}

DiagnosisRequest diagnosis_request(const DiagnoseFlags& flags, Scenario& scenario) {
  if (!flags.method.empty()) override_key(scenario, "run.method", "--method", flags.method);
  if (scenario.run.method.empty() || scenario.run.method == automatic_method)
    throw Error(ErrorKind::bad_request,
                "no method is named; give --method NAME ('polhode methods' lists them, and --load brings your own)");
  std::string method = scenario.run.method;
  for (const auto& [name, value] : scenario.run.parameters) {
    try {
      method = with_parameter(method, name, value);
    } catch (const MethodError& error) {
      throw located(scenario, SetupError("run.parameters", error.what()));
    }
  }
  return {scenario.setup, scenario.title, method};
}

void draw_diagnosis(const Diagnosis& study, const std::string& figure) {
  const TemporaryFolder folder;
  OutputFile file(folder.path() + "/diagnosis.json");
  file.write(to_json(study) + '\n');
  file.commit();
  draw({"diagnose", file.path(), "-o", figure}, figure);
}

ExitCode diagnose_method(const DiagnoseFlags& flags, const Talk& talk) {
  Scenario scenario = subject_of(flags);
  const DiagnosisRequest request = diagnosis_request(flags, scenario);
  if (!flags.plot.empty()) {
    check_figure(flags.plot);
    refuse_clash("--plot", flags.plot, "the scenario", scenario.source);
  }
  const Diagnosis study = [&] {
    ProgressLine line(talk, parse_when("--progress", flags.progress));
    const StudyControl control{[&](const StudyProgress& at) { line.show(at.done, at.seconds, std::string(at.stage)); },
                               &listen_for_interrupts()};
    try {
      return diagnose(request, control);
    } catch (const SetupError& error) {
      throw located(scenario, error);
    }
  }();
  if (study.interrupted) throw Error(ErrorKind::interrupted, "interrupted before everything was measured");
  to_stdout(flags.json ? to_json(study) + '\n' : table(study));
  if (!flags.plot.empty()) {
    draw_diagnosis(study, flags.plot);
    talk.note(fmt::format("figure in '{}'", flags.plot));
  }
  const std::size_t wrong = study.count(Verdict::disagrees);
  if (wrong > 0)
    throw Error(ErrorKind::run_failed, fmt::format("{} does not do what it claims: {} of {} lines disagree",
                                                   study.method, wrong, study.findings.size()));
  return ExitCode::done;
}

}  // namespace

Command add_diagnose(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("diagnose", "Measure whether a method does what it claims");
  auto flags = std::make_shared<DiagnoseFlags>();
  const auto option = option_adder(*command);
  option("SCENARIO", flags->scenario, " ", "Scenario file (TOML), or the name of a problem");
  option("-p,--problem", flags->problem, "NAME",
         fmt::format("A benchmark problem (default: {}, on which nothing flatters)", customary_subject).c_str());
  option("-m,--method", flags->method, "NAME", "The method, with parameters and suffixes");
  add_load_flag(*command);
  command->add_flag("--json", flags->json, "Print the diagnosis as one JSON object");
  option("--plot", flags->plot, "FIGURE", "Draw errors against steps and the energy as .pdf, .svg or .png")
      ->check(not_empty());
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\n" +
      wrapped(
          "On one screen: orders of attitude and momentum, time symmetry, symplecticity, momentum, energy and its "
          "drift with an uncertainty, torque calls and time of a step; each with what is claimed, what was measured, "
          "what counts as zero, and whether the two agree. 'Free' is the same body without torques. Measurements are "
          "in quad where the method has it, so that no defect hides under rounding; long runs are in double. One "
          "situation may be too kind: 'more than claimed' is no disagreement. The exit code is 1 where a line "
          "disagrees.",
          0) +
      examples({"polhode diagnose --method mclachlan-reich-231",
                "polhode diagnose --method rkmk-4+energy/10 --plot rkmk.pdf",
                "polhode diagnose --problem fast-top --method newmark-gamma:gamma=0.55 --json",
                "polhode diagnose tumble.toml --method my-method --load ./my_method.so"}) +
      exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                  ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::interrupted}) +
      read_on({"docs/own-methods.md (write, build, load and diagnose a method)", "docs/methods.md",
               "docs/testing.md (how the tests measure)"}));
  return {command, [flags, &talk] { return diagnose_method(*flags, talk); }};
}

}  // namespace polhode
