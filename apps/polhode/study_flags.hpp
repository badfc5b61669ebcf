// What the commands that study a problem share: their flags, what they refuse, and where a study goes.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "commands.hpp"
#include "interrupts.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/studies/study.hpp"
#include "progress.hpp"

namespace polhode {

struct StudyFlags {
  std::string name, problem;  // without a flag and with one
  std::optional<std::string> methods, step_sizes, duration, scalar;
  std::string output, plot;
  bool json = false;
  std::string progress = "auto";
};

// Adds an option whose value has a name in the help: option("--repeats", text, "N", "How often ...").
inline auto option_adder(CLI::App& command) {
  return [&command](const char* names, auto& value, const char* type, const char* help) {
    return command.add_option(names, value, help)->type_name(type);
  };
}

void add_study_flags(CLI::App& command, StudyFlags& flags, const char* figure);

// The end of their help.
std::string study_exit_codes();

// Throws Error (usage).
StudyRequest study_request(const StudyFlags& flags);

// A study in each of the forms it can be asked for.
struct StudyForms {
  std::string table, json, csv;
  std::size_t rows;
};

// Where a study goes: stdout, a file, a figure. Throws Error before anything is computed if one of them cannot be.
class StudyOutput {
 public:
  // `kind`: the command of the plotting script that draws such a study.
  StudyOutput(const StudyFlags& flags, std::string kind);

  // `incomplete`: why, where a study is; an older file then stays as it is, and this one goes beside it.
  void write(StudyForms forms, const std::string& incomplete);
  // " and in 'FILE'", where there is one.
  const std::string& place() const { return place_; }
  // Says what was written, and draws the figure.
  void finish(const Talk& talk) const;

 private:
  const StudyFlags& flags_;
  std::string kind_;
  std::optional<OutputFile> file_;
  StudyForms forms_{};
  std::string place_;
};

// What a study cannot make use of, under the name of the flag that asked for it.
Error refusal(const StudyFlags& flags, const SetupError& error);

// Runs work(control), with a line that says how far it is; a signal ends it early.
template <class Work>
auto with_progress(const StudyFlags& flags, const Talk& talk, const Work& work) {
  ProgressLine line(talk, parse_when("--progress", flags.progress));
  const StudyControl control{
      [&](const StudyProgress& at) {
        line.show(at.done, at.seconds,
                  fmt::format("{}{}{}, steps of {:.6g} s", at.stage, at.stage.empty() ? "" : ": ", at.method, at.step));
      },
      &listen_for_interrupts()};
  return work(control);
}

// Runs that failed, and steps that do not divide the duration. Throws Error (run_failed) when every run failed.
template <class Study>
void say_what_is_unusual(const Study& study, const Talk& talk) {
  std::size_t failed = 0;
  std::string first;
  for (const auto& row : study.rows) {
    if (!row.failure.empty() && ++failed == 1) first = row.failure;
  }
  if (failed > 0 && failed == study.rows.size()) {
    throw Error(ErrorKind::run_failed, fmt::format("every run failed; the first: {}", first));
  }
  if (failed > 0) talk.note(fmt::format("{} of {} runs failed; the first: {}", failed, study.rows.size(), first));
  for (const auto& row : study.rows) {
    const double length = static_cast<double>(row.steps) * row.step;
    if (!row.failure.empty() || std::abs(length - std::abs(study.duration)) <= 1e-9 * length) continue;
    talk.note(
        fmt::format("{} s does not divide {} s; the last step of such runs is shorter", row.step, study.duration));
    break;
  }
}

// Makes a study by work(control) and brings it out. Throws Error: usage before anything is computed, interrupted with
// the words of interrupted(study), or run_failed.
template <class Work, class Words>
auto make_study(const StudyFlags& flags, const char* figure_kind, const Talk& talk, const Work& work,
                const Words& interrupted) {
  listen_for_interrupts();  // before there is a file to be settled
  StudyOutput output(flags, figure_kind);
  auto study = [&] {
    try {
      return with_progress(flags, talk, work);
    } catch (const SetupError& error) {
      throw refusal(flags, error);
    }
  }();
  const std::string incomplete = study.interrupted ? interrupted(study) : "";
  output.write({table(study), to_json(study), to_csv(study), study.rows.size()}, incomplete);
  if (study.interrupted) {
    throw Error(ErrorKind::interrupted, fmt::format("{}; what was measured is above{}", incomplete, output.place()));
  }
  say_what_is_unusual(study, talk);
  output.finish(talk);
  return study;
}

}  // namespace polhode
