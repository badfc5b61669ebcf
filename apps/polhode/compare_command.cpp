// polhode compare: error against cost, for what is called a work-precision diagram.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "compare_table.hpp"
#include "core/number_text.hpp"
#include "study_flags.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

struct CompareFlags : StudyFlags {
  std::string repeats = "5";
};

int repeats_of(const std::string& text) {
  constexpr int most = 1000;
  double repeats = 0;
  if (!read_number(text, repeats) || !is_count(repeats) || repeats < 1 || repeats > most) {
    throw Error(ErrorKind::bad_request,
                fmt::format("--repeats: '{}' is not a whole number from 1 to {}, e.g. 5", text, most));
  }
  return static_cast<int>(repeats);
}

std::string interrupted(const Comparison& study) {
  const auto done = [](const ComparisonRow& row) { return !row.failure.empty() || !row.timings.empty(); };
  return fmt::format("interrupted when {} of {} runs had a time",
                     std::count_if(study.rows.begin(), study.rows.end(), done), study.rows.size());
}

// Timings that differ by half of their median say that the machine had other things to do.
void say_if_busy(const Comparison& study, const Talk& talk) {
  const auto busy = std::count_if(study.rows.begin(), study.rows.end(), [](const ComparisonRow& row) {
    const std::optional<Quartiles> cost = row.cost();
    return cost && cost->range() > 0.5 * cost->median;
  });
  if (4 * static_cast<std::size_t>(busy) < study.rows.size() || busy == 0) return;
  talk.note(
      fmt::format("the spread of {} of {} times is more than half of the time: the machine is busy; leave it alone, or "
                  "take more --repeats than {}",
                  busy, study.rows.size(), study.repeats));
}

ExitCode compare(const CompareFlags& flags, const Talk& talk) {
  const int repeats = repeats_of(flags.repeats);
  const auto work = [&](const StudyRequest& request, const StudyControl& control) {
    return polhode::compare({request, repeats}, control);
  };
  for (const Comparison& study : make_studies(flags, "work-precision", talk, work, interrupted))
    say_if_busy(study, talk);
  return ExitCode::done;
}

}  // namespace

Command add_compare(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("compare", "Measure what methods cost for the error they make");
  auto flags = std::make_shared<CompareFlags>();
  add_study_flags(*command, *flags, "Draw errors against time and torque evaluations as .pdf, .svg or .png");
  option_adder (*command)("--repeats", flags->repeats, "N", "Timings of each run (default: 5)");
  talk.add_flags(*command);
  command->footer(
      "\n" + wrapped(study_reference_help(), 0) + "\n" +
      wrapped("Time is that of the whole integration and "
              "of nothing else, in seconds: the median of N timings, each of as many runs as take 2 ms, all methods "
              "and steps in turn and then again, because machines are not equally fast at all times. The spread is the "
              "distance between the quartiles.",
              0) +
      "\n" +
      wrapped("Without --step-sizes steps begin at two radians of rotation, or where the error falls below half a "
              "radian, and are halved until the error is at rounding or a run takes a tenth of a second.",
              0) +
      "\n" +
      wrapped("Without --methods the best of each family is taken: all are tried, and the one that needs the least "
              "time at a medium error stands for its family.",
              0) +
      "\n" +
      wrapped("At errors of 1e-3, 1e-6 and 1e-9 that two methods reach, a last table ranks them. Keep the machine idle "
              "meanwhile, and trust ratios rather than seconds.",
              0) +
      examples({"polhode compare --problem asymmetric-top --plot work-precision.pdf",
                "polhode compare --problem fast-top --methods taylor-4,rkmk-4,mclachlan-reich-4-231@suzuki",
                "polhode compare free-mclachlan-zanna --methods lie-verlet,rkmk-4 --step-sizes 0.5:0.01 --repeats 21 "
                "-o costs.csv",
                "polhode compare tumble.toml gyrostat.toml --methods lie-verlet,rkmk-4 --plot costs.pdf",
                "polhode compare --problem dumbbell --json | jq -r '.at_error[0].costs[] | [.method, .cost] | @tsv'"}) +
      study_exit_codes() +
      read_on({"docs/compare.md (how costs are measured)", "docs/performance.md", "'polhode help plot'"}));
  return {command, [flags, &talk] { return compare(*flags, talk); }};
}

}  // namespace polhode
