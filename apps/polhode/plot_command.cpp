// polhode plot: figures of result files, of runs and of studies.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "commands.hpp"
#include "figure.hpp"
#include "output_checks.hpp"

namespace polhode {
namespace {

struct PlotFlags {
  std::vector<std::string> files;
  std::optional<std::string> reference, title;
  std::vector<std::string> labels;
  std::string figure;
};

ExitCode plot(const PlotFlags& flags, const Talk& talk) {
  for (const std::string& file : flags.files) refuse_clash("--output", flags.figure, "a result to be drawn", file);
  if (flags.reference) refuse_clash("--output", flags.figure, "the reference", *flags.reference);
  check_figure(flags.figure, "--output");
  std::vector<std::string> words{"files"};
  words.insert(words.end(), flags.files.begin(), flags.files.end());
  if (flags.reference) words.insert(words.end(), {"--reference", *flags.reference});
  if (flags.title) words.insert(words.end(), {"--title", *flags.title});
  if (!flags.labels.empty()) words.emplace_back("--labels");
  words.insert(words.end(), flags.labels.begin(), flags.labels.end());
  words.insert(words.end(), {"-o", flags.figure});
  const ExitCode code = draw_files(std::move(words));
  if (code == ExitCode::done) talk.note(fmt::format("figure in '{}'", flags.figure));
  return code;
}

}  // namespace

Command add_plot(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("plot", "Draw result files: runs, or a study of steps or of costs");
  auto flags = std::make_shared<PlotFlags>();
  command->add_option("FILE", flags->files, "Results of 'run', or one of 'converge' or 'compare'")
      ->required()
      ->type_name(" ");
  command->add_option("-o,--output", flags->figure, "Figure to write, as .pdf, .svg or .png")
      ->required()
      ->type_name("FIGURE")
      ->check(not_empty());
  command->add_option("--reference", flags->reference, "A run to draw differences to, at the times both have")
      ->type_name("FILE");
  command->add_option("--labels", flags->labels, "Names of the runs, in their order (default: their methods)")
      ->delimiter(',')
      ->type_name("A,B,...");
  command->add_option("--title", flags->title, "Heading (default: the problem's name)")->type_name("WORDS");
  talk.add_flags(*command);
  command->footer(
      "\nWhat is drawn follows from what the files hold, whatever their names:\n"
      "  a run, CSV or HDF5   polhode or direction, angular velocity, energy, momentum\n"
      "                       with the columns polhode and herpolhode, of a free body: Poinsot's construction\n"
      "  several of them      polhodes side by side, velocities and energies in common panels\n"
      "  with --reference     the angle between attitudes and the difference of energies instead of the energy\n"
      "  converge, CSV, JSON  errors against steps, with the orders found\n"
      "  compare, CSV, JSON   errors against time and torque evaluations\n"
      "Where the motion conserves energy its error is drawn, elsewhere the energy itself. The JSON of a study holds\n"
      "more than its CSV: claimed orders, the level of rounding, the quartiles of timings.\n" +
      examples({"polhode run --problem fast-top -m taylor-4 -o a.csv && polhode plot a.csv -o a.pdf",
                "polhode plot a.csv b.csv -o both.svg --labels coarse,fine",
                "polhode plot coarse.csv --reference fine.csv -o error.pdf",
                "polhode compare fast-top -o costs.json && polhode plot costs.json -o costs.pdf"}) +
      exit_codes({ExitCode::done, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                  ExitCode::unavailable, ExitCode::input_output}) +
      read_on({"docs/results.md (the columns)", "docs/converge.md", "docs/compare.md"}));
  return {command, [flags, &talk] { return plot(*flags, talk); }};
}

}  // namespace polhode
