// What the commands that study situations share: their flags, what they refuse, and where a study goes.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "interrupts.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/io/study_text.hpp"
#include "polhode/studies/study.hpp"
#include "progress.hpp"
#include "streams.hpp"

namespace polhode {

struct StudyFlags {
  std::vector<std::string> names;  // problems and scenario files, without a flag
  std::string problem;             // and with one, separated by commas
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

// On what errors are, and the end of their help.
std::string study_reference_help();
std::string study_exit_codes();

// One of the situations that a command was asked for.
struct Studied {
  Scenario scenario;
  StudyRequest request;
  std::string output, plot;  // of this one; empty: none
};

// All of them, in their order. Throws Error.
std::vector<Studied> studied_situations(const StudyFlags& flags);

// A study in each of the forms that go to a file.
struct StudyForms {
  std::string json, csv;
  std::size_t rows;
};

// Where a study goes besides stdout: a file, a figure. Throws Error before anything is computed if one of them cannot be.
class StudyOutput {
 public:
  // `kind`: the command of the plotting script that draws such a study.
  StudyOutput(const StudyFlags& flags, const Studied& of, std::string kind);

  // `incomplete`: why, where a study is; an older file then stays as it is, and this one goes beside it.
  void write(StudyForms forms, const std::string& incomplete);
  // " and in 'FILE'", where there is one.
  const std::string& place() const { return place_; }
  // Says what was written, and draws the figure.
  void finish(const Talk& talk) const;

 private:
  const StudyFlags& flags_;
  const Studied& of_;
  std::string kind_;
  std::optional<OutputFile> file_;
  StudyForms forms_{};
  std::string place_;
};

// What a study cannot make use of, under the name of the flag that asked for it, or with its place in the scenario.
Error refusal(const StudyFlags& flags, const Studied& of, const SetupError& error);

// Runs work(control), with a line that says how far it is; a signal ends it early.
template <class Work>
auto with_progress(const StudyFlags& flags, const Talk& talk, const Work& work) {
  ProgressLine line(talk, parse_when("--progress", flags.progress));
  const StudyControl control{[&](const StudyProgress& at) {
                               line.show(at.done, at.seconds,
                                         at.method.empty()
                                             ? std::string(at.stage)
                                             : fmt::format("{}{}{}, steps of {:.6g} s", at.stage,
                                                           at.stage.empty() ? "" : ": ", at.method, at.step));
                             },
                             &listen_for_interrupts(), [&](double seconds) { announce_reference(talk, seconds); },
                             [&](const std::string& sentence) {
                               line.clear();
                               talk.note("warning: " + sentence);
                             }};
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

// Makes the studies by work(request, control), one after the other, and brings them out. Throws Error: usage before anything
// is computed, interrupted with the words of interrupted(study), or run_failed.
template <class Work, class Words>
auto make_studies(const StudyFlags& flags, const char* figure_kind, const Talk& talk, const Work& work,
                  const Words& interrupted) {
  listen_for_interrupts();  // before there is a file to be settled
  const std::vector<Studied> situations = studied_situations(flags);
  std::vector<std::unique_ptr<StudyOutput>> outputs;
  for (const Studied& of : situations) outputs.push_back(std::make_unique<StudyOutput>(flags, of, figure_kind));
  const auto refusing = [&](const Studied& of, const auto& make) {
    try {
      return make();
    } catch (const SetupError& error) {
      throw refusal(flags, of, error);
    }
  };
  const bool several = situations.size() > 1;
  if (several)
    for (const Studied& of : situations) refusing(of, [&] { check(of.request); });
  std::vector<decltype(work(situations.front().request, StudyControl{}))> studies;
  std::vector<std::string> texts;
  const auto print_json = [&] { to_stdout((several ? to_json_of_several(texts) : texts.front()) + '\n'); };
  std::optional<Error> failed;  // of the first study in which every run failed
  for (std::size_t i = 0; i < situations.size(); ++i) {
    const Studied& of = situations[i];
    const auto& study = studies.emplace_back(refusing(of, [&] {
      return with_progress(flags, talk, [&](const StudyControl& control) { return work(of.request, control); });
    }));
    const std::string incomplete = study.interrupted ? interrupted(study) : "";
    texts.push_back(to_json(study));
    if (!flags.json) to_stdout((i > 0 ? "\n" : "") + table(study));  // first: a full disk must not take this, too
    if (flags.json && (study.interrupted || i + 1 == situations.size())) print_json();
    outputs[i]->write({texts.back(), to_csv(study), study.rows.size()}, incomplete);
    if (study.interrupted)
      throw Error(ErrorKind::interrupted,
                  fmt::format("{}; what was measured is above{}", incomplete, outputs[i]->place()));
    try {
      say_what_is_unusual(study, talk);
    } catch (const Error& error) {
      if (!failed) failed = several ? Error(error.kind, fmt::format("{}: {}", study.problem, error.what())) : error;
      continue;
    }
    outputs[i]->finish(talk);
  }
  if (failed) throw *failed;
  return studies;
}

}  // namespace polhode
