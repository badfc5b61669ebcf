// polhode reproduce: the tables, figures and claims of the papers, measured again.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "commands.hpp"
#include "experiments/conduct.hpp"
#include "experiments/record.hpp"
#include "experiments/runs.hpp"
#include "experiments/test_run.hpp"
#include "figure.hpp"
#include "installation.hpp"
#include "interrupts.hpp"
#include "output_checks.hpp"
#include "polhode/core/names.hpp"
#include "polhode/io/output_file.hpp"
#include "progress.hpp"

namespace polhode {
namespace {

using experiments::Json;

struct ReproduceFlags {
  std::vector<std::string> names;
  bool quick = false, longest = false, list = false, again = false, accept = false, no_report = false;
  std::string output = "out/reproduce", root, tests, progress = "auto", markdown;
  unsigned threads = 0;
};

std::string root_of(const ReproduceFlags& flags) {
  if (!flags.root.empty()) return flags.root;
  return std::filesystem::exists("experiments") ? "experiments" : data_path("experiments");
}

// An argument names an experiment, or all whose names begin with it: "buss" is every figure of that paper.
std::vector<std::string> chosen(const ReproduceFlags& flags, const std::vector<std::string>& all) {
  if (flags.names.empty()) return all;
  std::vector<std::string> names;
  for (const std::string& wanted : flags.names) {
    bool found = false;
    for (const std::string& name : all) {
      if (name != wanted && !name.starts_with(wanted + '-')) continue;
      found = true;
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    if (found) continue;
    const std::string nearest = nearest_name(wanted, all);
    throw Error(ErrorKind::bad_request,
                fmt::format("no experiment named '{}'; {}", wanted,
                            nearest.empty() ? "'polhode reproduce --list' names them" : "nearest: " + nearest));
  }
  return names;
}

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  throw Error(ErrorKind::input_output,
              fmt::format("cannot make the folder '{}': {}; name another with --output", folder, error.message()));
}

std::string outcome_in_words(const Json& result) {
  std::map<std::string, int> counts;
  std::vector<std::string> order;
  for (const char* list : {"items", "claims"}) {
    for (const Json& entry : result[list]) {
      const std::string verdict = entry["verdict"];
      if (verdict == "used") continue;
      if (counts[verdict]++ == 0) order.push_back(verdict);
    }
  }
  std::vector<std::string> parts;
  for (const std::string& verdict : order) parts.push_back(fmt::format("{} {}", counts[verdict], verdict));
  return parts.empty() ? "figure only" : fmt::format("{}", fmt::join(parts, ", "));
}

class Reproduction {
 public:
  Reproduction(const ReproduceFlags& flags, const Talk& talk)
      : flags_(flags),
        talk_(talk),
        root_(root_of(flags)),
        tests_(flags.tests.empty() ? experiments::tests_beside_this_program() : flags.tests),
        set_(flags.quick     ? experiments::Set::quick
             : flags.longest ? experiments::Set::long_
                             : experiments::Set::standard),
        threads_(flags.threads > 0 ? flags.threads : std::max(1U, std::thread::hardware_concurrency())) {}

  ExitCode run() {
    const std::vector<std::string> all = experiments::experiment_names(root_);
    if (all.empty()) {
      throw Error(ErrorKind::file_missing,
                  fmt::format("no experiments in '{}'; point --experiments to the folder that has them", root_));
    }
    const std::vector<std::string> names = chosen(flags_, all);
    std::vector<experiments::Experiment> list;
    for (const std::string& name : names) list.push_back(experiments::read_experiment(root_ + '/' + name));
    if (flags_.list) return print(list);
    std::erase_if(list, [&](const auto& experiment) { return experiment.set > set_; });
    if (list.empty()) {
      throw Error(ErrorKind::bad_request,
                  fmt::format("none of these is in the {} set; add --long", experiments::set_name(set_)));
    }
    if (!flags_.markdown.empty()) check_markdown();
    conduct_all(list);
    gather();
    return finish();
  }

 private:
  static ExitCode print(const std::vector<experiments::Experiment>& list) {
    for (const experiments::Experiment& e : list) {
      fmt::print("{:<32} {:<8} {} {}{}\n", e.name, set_name(e.set), e.title, e.paper.empty() ? "" : "(",
                 e.paper.empty() ? "" : fmt::format("{}, {})", e.paper, e.place));
    }
    return ExitCode::done;
  }

  // A folder that is not there is made when the report is written.
  void check_markdown() const {
    const std::filesystem::path folder = std::filesystem::path(flags_.markdown).parent_path();
    if (folder.empty() || std::filesystem::exists(folder)) check_output_file(flags_.markdown);
  }

  void conduct_all(const std::vector<experiments::Experiment>& list) {
    const std::atomic<bool>& stop = listen_for_interrupts();
    const auto begin = std::chrono::steady_clock::now();
    ProgressLine line(talk_, parse_when("--progress", flags_.progress));
    for (std::size_t i = 0; i < list.size(); ++i) {
      const experiments::Experiment& experiment = list[i];
      const std::string folder = flags_.output + '/' + experiment.name;
      make_folder(folder);
      const std::string file = folder + "/result.json", digest = experiments::digest_of(experiment, set_, tests_);
      std::optional<Json> result;
      if (!flags_.again) result = experiments::kept_result(file, digest);
      const bool kept = result.has_value();
      if (!kept) {
        const auto progress = [&](double fraction) {
          const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
          line.show((static_cast<double>(i) + fraction) / static_cast<double>(list.size()), passed.count(),
                    experiment.name);
        };
        try {
          const experiments::Outcome outcome =
              experiments::conduct(experiment, {set_, threads_, folder, tests_, &stop, progress});
          result = experiments::to_json(experiment, outcome, set_, digest);
        } catch (const experiments::Interrupted&) {
          line.clear();
          throw Error(ErrorKind::interrupted,
                      fmt::format("interrupted in {}; the same command continues from there ({} of {} are finished)",
                                  experiment.name, i, list.size()));
        }
        write_whole(file, result->dump(1) + '\n');
      }
      line.clear();
      talk_.note(fmt::format("{}: {} ({})", experiment.name, outcome_in_words(*result),
                             kept ? "kept" : fmt::format("{:.1f} s", (*result)["seconds"].get<double>())));
      results_.push_back(std::move(*result));
    }
  }

  void gather() {
    write_whole(flags_.output + "/verdicts.json", experiments::gathered_verdicts(results_).dump(1) + '\n');
    write_whole(flags_.output + "/claims.csv", experiments::gathered_claims(results_));
    if (flags_.no_report) return;
    std::vector<std::string> words{flags_.output};
    if (!flags_.markdown.empty()) {
      const std::filesystem::path file(flags_.markdown);
      words.insert(words.end(),
                   {"--markdown", flags_.markdown, "--images", (file.parent_path() / "images" / file.stem()).string()});
    }
    try {
      write_report(words, flags_.output + "/report.html");
      talk_.note(fmt::format("report in '{}/report.html'", flags_.output));
    } catch (const Error& error) {
      if (error.kind != ErrorKind::unavailable) throw;
      talk_.note(
          fmt::format("no report was written: {}; the numbers are in '{}/verdicts.json'", error.what(), flags_.output));
    }
  }

  ExitCode finish() {
    std::vector<std::string> changed;
    for (const Json& result : results_) {
      const std::string name = result["experiment"], path = fmt::format("{}/{}/verdicts.csv", root_, name);
      const experiments::Record now = experiments::record_of(result), recorded = experiments::read_record(path);
      const std::vector<std::string> rows = result["rows"];
      note_tests_not_run(result);
      if (flags_.accept) {
        write_whole(path, experiments::record_file(experiments::accepted(now, recorded, rows)));
        continue;
      }
      if (recorded.empty()) continue;
      for (const std::string& sentence : experiments::changes(now, recorded, rows)) {
        changed.push_back(fmt::format("{}: {}", name, sentence));
      }
    }
    if (flags_.accept) talk_.note(fmt::format("recorded the outcome of {} experiments", results_.size()));
    for (const std::string& sentence : changed) talk_.complain(sentence);
    if (changed.empty()) return ExitCode::done;
    throw Error(ErrorKind::run_failed,
                fmt::format("{} numbers or verdicts are not those recorded in the experiments' folders; --accept "
                            "records these",
                            changed.size()));
  }

  void note_tests_not_run(const Json& result) const {
    for (const Json& claim : result["claims"]) {
      if (claim["test_outcome"] != "not run") continue;
      talk_.note(fmt::format("{}: {}: the verdict is that of {}, which is not in '{}' and was not run",
                             result["experiment"].get<std::string>(), claim["id"].get<std::string>(),
                             claim["test"].get<std::string>(), tests_));
    }
  }

  const ReproduceFlags& flags_;
  const Talk& talk_;
  std::string root_, tests_;
  experiments::Set set_;
  unsigned threads_;
  std::vector<Json> results_;
};

}  // namespace

Command add_reproduce(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("reproduce", "Measure the tables, figures and claims of the papers again");
  auto flags = std::make_shared<ReproduceFlags>();
  command->add_option("EXPERIMENT", flags->names, "Experiments, or the beginning of their names (default: all)")
      ->type_name(" ");
  auto* quick = command->add_flag("--quick", flags->quick, "Only what takes a minute in all");
  command->add_flag("--long", flags->longest, "Also what takes longer than the default set")->excludes(quick);
  command->add_option("-o,--output", flags->output, "Folder for results and report (default: out/reproduce)")
      ->type_name("DIR")
      ->check(not_empty());
  command->add_option("--experiments", flags->root, "Folder of the experiments (default: experiments)")
      ->type_name("DIR");
  command->add_option("--tests", flags->tests, "Folder of the test programs that claims name (default: beside polhode)")
      ->type_name("DIR");
  command->add_option("--threads", flags->threads, "Threads (default: one per core)")->type_name("N");
  command->add_flag("--list", flags->list, "Name the experiments and end");
  command->add_flag("--again", flags->again, "Measure again what DIR already has");
  command->add_flag("--no-report", flags->no_report, "Numbers only: no figures, no report");
  command->add_option("--markdown", flags->markdown, "Write the report as Markdown too, images beside it")
      ->type_name("FILE.md")
      ->check(not_empty());
  command->add_flag("--accept", flags->accept, "Record numbers and verdicts in the experiments' folders");
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\nAn experiment is a folder with experiment.toml (what is measured and drawn), published.csv (the paper's\n"
      "numbers) and README.md. Its outcome goes to DIR/NAME/: result.json, the curves, figure.pdf, .svg and .png;\n"
      "DIR/report.html shows all of them, DIR/verdicts.json and DIR/claims.csv have every verdict. Interrupted,\n"
      "the same command continues where it was: what DIR has from the same program and folder is kept.\n"
      "Exit code 1: a verdict is not the one recorded in the experiment's verdicts.csv, or a number is further from\n"
      "the recorded one than the experiment allows (what is timed is shown and not compared).\n" +
      examples({"polhode reproduce --quick", "polhode reproduce buss --output buss",
                "polhode reproduce krysl-endres-figure-04 bou-rabee --again", "polhode reproduce --long"}) +
      exit_codes() + read_on({"docs/experiments.md (how to write one)", "docs/reproduction.md (what was found)"}));
  return {command, [flags, &talk] { return Reproduction(*flags, talk).run(); }};
}

}  // namespace polhode
