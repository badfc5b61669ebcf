// polhode converge: errors against the reference at several steps, and the orders they show.
#include <fmt/format.h>

#include <memory>

#include "converge_table.hpp"
#include "study_flags.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

ExitCode converge(const StudyFlags& flags, const Talk& talk) {
  const auto work = [](const StudyRequest& request, const StudyControl& control) {
    return polhode::converge(request, control);
  };
  make_studies(flags, "converge", talk, work,
               [](const Convergence& study) { return fmt::format("interrupted after {} runs", study.rows.size()); });
  return ExitCode::done;
}

}  // namespace

Command add_converge(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("converge", "Measure errors at several steps and fit orders to them");
  auto flags = std::make_shared<StudyFlags>();
  add_study_flags(*command, *flags, "Draw errors against steps as .pdf, .svg or .png");
  talk.add_flags(*command);
  command->footer(
      "\n" + wrapped(study_reference_help(), 0) + "\n" +
      wrapped("Without --methods a few of orders 2 to 4 "
              "are taken, without --step-sizes six that suit them. An order is the slope of log(error) over log(step), "
              "fitted where the error is neither rounding nor of the size of the motion itself and local slopes agree; "
              "where fewer than three steps are left, the reason is given instead. A step that does not divide the "
              "duration makes the last step shorter; methods with memory refuse it. A run that fails is reported as "
              "failed; the exit code is 1 if all do.",
              0) +
      examples({"polhode converge --problem free-mclachlan-zanna --plot orders.pdf",
                "polhode converge --problem fast-top --methods taylor-4,rkmk-4 --step-sizes 0.02,0.01,0.005,0.0025",
                "polhode converge --problem asymmetric-top --methods mclachlan-reich-231@suzuki+energy "
                "--step-sizes 0.4:0.0125 --json",
                "polhode converge --problem slow-top --methods taylor-8 --step-sizes 0.2:0.0125 --scalar quad "
                "--duration 4",
                "polhode converge tumble.toml satellite.toml --methods rkmk-4,taylor-6 --plot orders.pdf"}) +
      study_exit_codes() +
      read_on({"docs/converge.md (how orders are fitted)", "docs/references.md", "'polhode help plot'"}));
  return {command, [flags, &talk] { return converge(*flags, talk); }};
}

}  // namespace polhode
