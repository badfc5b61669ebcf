// polhode merge: the parts of an ensemble as one file.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "ensemble_table.hpp"
#include "interrupts.hpp"
#include "output_checks.hpp"
#include "polhode/ensemble/files.hpp"
#include "polhode/ensemble/json.hpp"
#include "polhode/ensemble/merge.hpp"
#include "polhode/io/output_file.hpp"
#include "progress.hpp"
#include "streams.hpp"

namespace polhode {
namespace {

struct MergeFlags {
  std::vector<std::string> parts;
  std::string whole, progress = "auto";
  bool json = false;
};

ExitCode merge_parts(const MergeFlags& flags, const Talk& talk) {
  ProgressLine progress(talk, parse_when("--progress", flags.progress));
  if (flags.json && is_stdout(flags.whole))
    throw Error(ErrorKind::bad_request, "--output: " + stdout_is_taken(flags.whole));
  for (const std::string& part : flags.parts) refuse_clash("--output", flags.whole, "a part", part);
  try {
    check_ensemble_file(flags.whole);
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorKind::bad_request, fmt::format("--output: {}", error.what()));
  }
  const EnsembleParts parts(flags.parts);
  parts.check_whole();
  EnsembleControl control;
  control.stop = &listen_for_interrupts();
  control.stopped_by = [] { return std::string(interrupting_signal_name()); };
  control.progress = [&](const EnsembleProgress& at) {
    progress.show(at.done, at.seconds, fmt::format("{} of {} bodies", at.bodies, at.all));
  };
  const std::unique_ptr<EnsembleFile> file = open_ensemble_file(flags.whole);
  const EnsembleResult result = merge(parts, file.get(), control);
  progress.clear();
  if (flags.json) {
    to_stdout(to_json(result) + '\n');
  } else if (!is_stdout(flags.whole)) {
    to_stdout(table(result));
  }
  talk.note(fmt::format("{} bodies of {} file{} in '{}'", result.followed, flags.parts.size(),
                        flags.parts.size() == 1 ? "" : "s", file->place()));
  return ExitCode::done;
}

}  // namespace

Command add_merge(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("merge", "Join the files of an ensemble's parts");
  auto flags = std::make_shared<MergeFlags>();
  command
      ->add_option("PART", flags->parts,
                   "Files (HDF5) that 'polhode ensemble --shard' or its ranks wrote, in any order")
      ->required()
      ->type_name(" ");
  command->add_option("-o,--output", flags->whole, "File to write, as .h5 or .csv")
      ->required()
      ->type_name("WHOLE")
      ->check(not_empty());
  command->add_flag("--json", flags->json, "Print what is known of the whole as one JSON object");
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\nThe whole has the same bits as the ensemble followed in one go: states, errors, passages, failures, and\n"
      "statistics, histograms and quantiles, which are computed again from the bodies.\n"
      "The parts must be of one ensemble: the same scenario, method, steps, seed and number of bodies, by the same "
      "version.\n"
      "A body that is missing, or there twice, is refused (exit code 65) with the file or the part that it belongs "
      "to.\n"
      "A file that was interrupted, NAME.partial.h5, counts for the bodies that it has.\n" +
      examples({"polhode ensemble debris.toml --shard 1/2 --output part-1.h5",
                "polhode ensemble debris.toml --shard 2/2 --output part-2.h5",
                "polhode merge part-1.h5 part-2.h5 --output debris.h5",
                "polhode ensemble debris.toml --shard 2/2 --only-missing --output part-2.h5     # what it lacks"}) +
      exit_codes({ExitCode::done, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                  ExitCode::unavailable, ExitCode::input_output, ExitCode::interrupted}) +
      read_on({"docs/ensembles.md", "docs/scaling.md", "'polhode help ensemble'"}));
  return {command, [flags, &talk] { return merge_parts(*flags, talk); }};
}

}  // namespace polhode
