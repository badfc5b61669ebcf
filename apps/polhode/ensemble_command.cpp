// polhode ensemble: many bodies that differ by draws or tables.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include "bodies_there.hpp"
#include "commands.hpp"
#include "ensemble_table.hpp"
#include "interrupts.hpp"
#include "key_flags.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/ensemble/ensemble.hpp"
#include "polhode/ensemble/files.hpp"
#include "polhode/ensemble/json.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "streams.hpp"

namespace polhode {
namespace {

constexpr KeyFlag ensemble_key_flags[] = {
    {"-m,--method", "run.method", "NAME", "Method, with suffixes; 'polhode methods' lists them; or auto"},
    {"--step", "run.step", "H", "Step [s], positive"},
    {"--steps", "run.steps", "N", "Number of steps"},
    {"--duration", "run.duration", "T", "Duration [s], negative backwards; the last step is shortened to fit"},
    {"--scalar", "run.scalar", "TYPE", "float, double, long-double or quad"},
    {"--on-failure", "run.on_failure", "WHAT", "A step that fails: stop (default), or halve to retry it in halves"},
    {"--tolerance", "run.tolerance", "TOL", "Attitude error [rad], for auto and methods that take one"},
    {"--stop-when", "run.stop_when", "CONDITION", "End a body's motion where this comes true, and keep the time"},
    {"-n,--bodies", "ensemble.bodies", "N", "Number of bodies"},
    {"--seed", "ensemble.seed", "S", "What the draws begin with; the same seed draws the same bodies"},
    {"--at", "ensemble.snapshots", "T1,T2,...", "Snapshots of all bodies at these times [s], besides the end"},
    {"-o,--output", "output.file", "FILE", "Write every body to FILE.h5 or FILE.csv"}};

struct EnsembleFlags {
  std::string scenario, problem, shard, packs = "auto", device = "cpu", mpi = "auto", progress = "auto";
  std::array<std::optional<std::string>, std::size(ensemble_key_flags)> values;
  std::vector<std::string> have;
  int threads = 0;
  bool only_missing = false, json = false, fast = false;
};

Scenario ensemble_scenario(const EnsembleFlags& flags) {
  if (flags.problem.empty() == flags.scenario.empty()) {
    throw Error(ErrorKind::bad_request, flags.problem.empty()
                                            ? "nothing to follow; give a scenario file or --problem NAME"
                                            : "a scenario file and --problem exclude each other; give one of them");
  }
  Scenario scenario =
      flags.problem.empty() ? read_scenario(flags.scenario) : problem_scenario(named_problem(flags.problem));
  for (std::size_t i = 0; i < std::size(ensemble_key_flags); ++i)
    if (flags.values[i])
      override_key(scenario, ensemble_key_flags[i].key, long_name(ensemble_key_flags[i]), *flags.values[i]);
  return scenario;
}

// "2/8": the second of eight parts.
void read_shard(const std::string& text, EnsembleRequest& request) {
  if (text.empty()) return;
  unsigned long long part = 0, parts = 0;
  char rest = 0;
  constexpr unsigned long long most = 1000000;
  if (std::sscanf(text.c_str(), "%llu/%llu%c", &part, &parts, &rest) != 2 || part < 1 || part > parts || parts > most)
    throw Error(ErrorKind::bad_request,
                fmt::format("--shard: '{}' is no part of a whole; give I/N with I from 1 to N, such as 2/8", text));
  request.part = part;
  request.parts = parts;
}

void read_packs(const std::string& text, EnsembleRequest& request) {
  if (text == "auto") return;
  if (text == "none") {
    request.packs = false;
    return;
  }
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (text != instruction_set_name(set)) continue;
    if (set > instruction_set())
      throw Error(ErrorKind::bad_request, fmt::format("--packs: this processor has no {}; it has {}", text,
                                                      instruction_set_name(instruction_set())));
    request.set = set;
    return;
  }
  throw Error(ErrorKind::bad_request, fmt::format("--packs: '{}' is none of auto, none, sse2, avx2 and avx512", text));
}

Device read_device(const EnsembleFlags& flags) {
  if (flags.device == "cpu") return Device::cpu;
  if (flags.device != "cuda")
    throw Error(ErrorKind::bad_request, fmt::format("--device: '{}' is neither cpu nor cuda", flags.device));
  if (flags.packs != "auto")
    throw Error(ErrorKind::bad_request, "--packs is of processors, and --device cuda leaves it out; give one of them");
  return Device::cuda;
}

EnsembleRequest request_of(const EnsembleFlags& flags, const Scenario& scenario) {
  EnsembleRequest request;
  request.run = run_request(scenario);
  request.ensemble = scenario.ensemble.value_or(EnsembleSettings{});
  if (request.ensemble.snapshots.empty()) request.ensemble.snapshots = request.run.times;
  if (flags.threads < 0 || flags.threads > most_threads)
    throw Error(ErrorKind::bad_request,
                fmt::format("--threads: {} is not a number of threads from 1 to {}, or 0 for as many as there are",
                            flags.threads, most_threads));
  request.threads = flags.threads;
  read_shard(flags.shard, request);
  read_packs(flags.packs, request);
  request.fast = flags.fast;
  if (request.fast && !request.packs)
    throw Error(ErrorKind::bad_request, "--fast is of packs, and --packs none leaves them out; give one of them");
  request.device = read_device(flags);
  return request;
}

void check_room(const Ensemble& ensemble, const std::string& file) {
  const EnsembleAbout& about = ensemble.about();
  const double needed = static_cast<double>(ensemble.bytes_per_body()) * static_cast<double>(about.last - about.first);
  std::error_code failed;
  const auto folder = std::filesystem::absolute(file).parent_path();
  const auto room = std::filesystem::space(folder, failed);
  if (failed || needed <= static_cast<double>(room.available)) return;
  throw Error(
      ErrorKind::input_output,
      fmt::format("{} bodies take {:.3g} GB in '{}', and there are {:.3g} GB left; follow fewer bodies, a part of "
                  "them (--shard), or leave the file out for statistics alone",
                  about.last - about.first, needed / 1e9, file, static_cast<double>(room.available) / 1e9));
}

// An ensemble that can be followed, and where its bodies go.
struct Job {
  std::string whole, path;  // the file that was named, and that of this rank
  std::optional<Ensemble> ensemble;
  BodiesThere there;
  std::unique_ptr<EnsembleFile> file;
  std::string of_rank{};  // "rank 3 of 8: ", where there are several
};

// A file and a part for each rank.
void divide(EnsembleRequest& request, const Scenario& scenario, const EnsembleFlags& flags, const Launch& launch,
            std::string& path) {
  if (!flags.shard.empty())
    throw Error(ErrorKind::bad_request,
                "--shard: every rank follows a part of its own; leave it out, or give --mpi off, too");
  if (request.threads == 0) request.threads = launch.threads;
  request.part = static_cast<std::uint64_t>(launch.rank) + 1;
  request.parts = static_cast<std::uint64_t>(launch.count);
  if (path.empty()) return;
  if (const ResultFormat* format = find_result_format(path);
      format == nullptr || format->name != "HDF5" || is_stdout(path))
    throw located(scenario, SetupError("output.file",
                                       fmt::format("'{}' is not HDF5, and ranks write a file each, to be joined by "
                                                   "'polhode merge'; name it FILE.h5",
                                                   path)));
  path = file_of_rank(path, launch.rank, launch.count);
}

void prepare(Job& job, const EnsembleFlags& flags, const std::optional<Launch>& launch, const Talk& talk) {
  parse_when("--progress", flags.progress);
  if (!flags.have.empty() && !flags.only_missing)
    throw Error(ErrorKind::bad_request,
                "--have: names files with bodies that are not followed again; give --only-missing, too");
  const Scenario scenario = ensemble_scenario(flags);
  job.whole = job.path = scenario.output.file;
  EnsembleRequest request;
  try {
    request = request_of(flags, scenario);
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
  if (launch) {
    divide(request, scenario, flags, *launch, job.path);
    job.of_rank = fmt::format("rank {} of {}: ", launch->rank + 1, launch->count);
  }
  if (!job.path.empty()) {
    refuse_overwriting(scenario);
    if (flags.json && is_stdout(job.path))
      throw located(scenario, SetupError("output.file", stdout_is_taken(job.path)));
    check_ensemble_file(job.path);
  }
  try {
    job.ensemble.emplace(std::move(request));
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
  const EnsembleAbout& about = job.ensemble->about();
  if (flags.only_missing) job.there = bodies_there(job.path, flags.have, about);
  if (!job.path.empty() && !job.there.complete) check_room(*job.ensemble, job.path);
  if (!scenario.ensemble || scenario.ensemble->drawn.empty())
    talk.note("all bodies are the same: the scenario has no distribution under [ensemble]");
  if (!about.why_no_packs.empty() && flags.packs == "auto")
    talk.note(fmt::format("bodies go one by one: {}", about.why_no_packs));
  if (!job.path.empty() && !job.there.complete) job.file = open_ensemble_file(job.path);
}

EnsembleResult follow(const EnsembleFlags& flags, const Job& job, const Talk& talk) {
  ProgressLine progress(talk, parse_when("--progress", flags.progress));
  EnsembleControl control;
  control.stop = &listen_for_interrupts();
  control.stopped_by = [] { return std::string(interrupting_signal_name()); };
  control.progress = [&](const EnsembleProgress& at) {
    progress.show(at.done, at.seconds,
                  fmt::format("{}{} of {} bodies  {:.3g} body-steps/s{}", job.of_rank, at.bodies, at.all,
                              at.body_steps_per_second, at.failed > 0 ? fmt::format("  {} failed", at.failed) : ""));
  };
  return job.ensemble->follow(job.file.get(), control, job.there.parts ? &*job.there.parts : nullptr);
}

void print(const EnsembleResult& result, const EnsembleFlags& flags, const std::string& path) {
  if (flags.json) {
    to_stdout(to_json(result) + '\n');
  } else if (!is_stdout(path)) {
    to_stdout(table(result));
  }
}

std::string those_that_were_there(const EnsembleFlags& flags, const EnsembleResult& result) {
  return flags.only_missing ? fmt::format(", {} of which were there", result.kept) : "";
}

ExitCode judge(const EnsembleResult& result) {
  if (result.followed > 0 && result.failed == result.followed)
    throw Error(
        ErrorKind::run_failed,
        "every body failed" + (result.failures.empty() ? "" : "; the first: " + result.failures.front().reason));
  return ExitCode::done;
}

ExitCode run_alone(const EnsembleFlags& flags, const Talk& talk) {
  Job job;
  prepare(job, flags, std::nullopt, talk);
  const EnsembleResult result = follow(flags, job, talk);
  print(result, flags, job.path);
  const std::string place = job.file ? fmt::format("; {} bodies in '{}'", result.followed, job.file->place()) : "";
  if (result.interrupted) throw Error(ErrorKind::interrupted, result.incomplete + place);
  if (job.file)
    talk.note(
        fmt::format("{} bodies in '{}'{}", result.followed, job.file->place(), those_that_were_there(flags, result)));
  if (job.there.complete) talk.note(fmt::format("nothing is missing in '{}'", job.path));
  return judge(result);
}

// What has to be done for the bodies that some ranks did not follow.
std::string remedy(const std::vector<std::string>& incomplete, const std::string& path) {
  std::string lines;
  for (std::size_t i = 0; i < incomplete.size(); ++i) {
    if (incomplete[i].empty()) continue;
    fmt::format_to(std::back_inserter(lines),
                   "\n  rank {} of {}: {}; 'polhode ensemble SCENARIO --shard {}/{} --only-missing{}' "
                   "follows the rest",
                   i + 1, incomplete.size(), incomplete[i], i + 1, incomplete.size(),
                   path.empty()
                       ? ""
                       : " --output " + file_of_rank(path, static_cast<int>(i), static_cast<int>(incomplete.size())));
  }
  return lines;
}

ExitCode work_in_ranks(const EnsembleFlags& flags, const Launch& launch, Ranks& ranks, const Talk& talk) {
  Job job;
  in_all_ranks(ranks, [&] { prepare(job, flags, launch, talk); });
  const std::string files = job.whole.empty() ? "" : files_of_ranks(job.whole, launch.count);
  EnsembleResult result;
  in_all_ranks(ranks, [&] {
    result = follow(flags, job, talk);
    // Whoever ends this rank may end the others before they can meet.
    if (result.interrupted)
      talk.complain(job.of_rank + result.incomplete +
                    (job.file ? fmt::format("; 'polhode merge {}' tells what is missing", files) : ""));
  });
  const std::vector<std::string> incomplete = ranks.gather(result.interrupted ? result.incomplete : "");
  result = whole_of(std::move(result), ranks);
  if (launch.rank == 0) print(result, flags, "");
  if (result.interrupted) throw Error(ErrorKind::interrupted, result.incomplete + remedy(incomplete, job.whole));
  if (!job.whole.empty())
    talk.note(fmt::format("{} bodies in {} files{}; to join them: polhode merge {} --output {}", result.followed,
                          launch.count, those_that_were_there(flags, result), files, job.whole));
  return judge(result);
}

// mpirun ends all ranks when the first of them answers with an error: it is said before that.
ExitCode run_in_ranks(const EnsembleFlags& flags, const Launch& launch, Talk& talk) {
  std::unique_ptr<Ranks> ranks;
  try {
    ranks = join_ranks(launch);
  } catch (const Error&) {
    if (launch.rank > 0) return ExitCode::done;  // the first one answers for all, who cannot meet
    throw;
  }
  ExitCode code = ExitCode::done;
  try {
    code = work_in_ranks(flags, launch, *ranks, talk);
    std::fflush(stdout);
  } catch (const Error& error) {
    std::fflush(stdout);
    talk.complain(error.what());
    talk.leave_to_others();
    code = exit_code(error.kind);
  }
  ranks->meet();
  return code;
}

ExitCode run_ensemble(const EnsembleFlags& flags, Talk& talk) {
  if (flags.mpi != "auto" && flags.mpi != "off")
    throw CLI::ValidationError("--mpi", fmt::format("'{}' is neither auto nor off", flags.mpi));
  const std::optional<Launch> launch = flags.mpi == "off" ? std::nullopt : launched_as_rank();
  if (!launch) return run_alone(flags, talk);
  if (launch->rank > 0) talk.leave_to_others();
  return run_in_ranks(flags, *launch, talk);
}

}  // namespace

Command add_ensemble(CLI::App& program, Talk& talk) {
  CLI::App* command = program.add_subcommand("ensemble", "Follow many bodies that differ by draws or tables");
  auto flags = std::make_shared<EnsembleFlags>();
  command->add_option("SCENARIO", flags->scenario, "Scenario file (TOML) with a table [ensemble]")->type_name(" ");
  command->add_option("-p,--problem", flags->problem, "A benchmark problem; 'polhode problems' lists them")
      ->type_name("NAME");
  for (std::size_t i = 0; i < std::size(ensemble_key_flags); ++i)
    command->add_option(ensemble_key_flags[i].flag, flags->values[i], ensemble_key_flags[i].help)
        ->type_name(ensemble_key_flags[i].value);
  command->add_option("-j,--threads", flags->threads, "Threads (default: as many as the machine has)")->type_name("T");
  command->add_option("--shard", flags->shard, "Only the I-th of N equal parts of the bodies")->type_name("I/N");
  command->add_flag("--only-missing", flags->only_missing,
                    "Follow only bodies that are not yet in --output FILE.h5, in what an interrupt left, or in --have");
  command->add_option("--have", flags->have, "Files (HDF5) that have some of the bodies, for --only-missing")
      ->type_name("FILE");
  command
      ->add_option("--packs", flags->packs,
                   "Instructions for bodies side by side: auto (default), avx512, avx2, sse2, or none")
      ->type_name("SET");
  command->add_flag("--fast", flags->fast,
                    "Fuse products and sums and merge steps: faster, and other bits than those of runs");
  command->add_option("--device", flags->device, "Where bodies are followed: cpu (default), or cuda, a graphics card")
      ->type_name("cpu|cuda");
  command
      ->add_option("--mpi", flags->mpi,
                   "Where mpirun or srun starts several of it: auto (default), a part for each, or off, as if alone")
      ->type_name("auto|off");
  add_load_flag(*command);
  command->add_flag("--json", flags->json, "Print what is known of the whole as one JSON object");
  command->add_flag("--progress", flags->progress, "Report progress: --progress=auto (default), =always or =never");
  talk.add_flags(*command);
  command->footer(
      "\nThe scenario is the body that all others differ from; the table [ensemble] says in what:\n\n"
      "  [ensemble]\n"
      "  bodies = 100000\n"
      "  seed = 7\n"
      "  attitude = \"uniform\"\n"
      "  angular_velocity_body = { normal = [[0, 0, 0.5], [0.1, 0.1, 0.1]] }    # mean, deviation\n"
      "  inertia = { uniform = [[0.9, 1.0, 1.5], [1.0, 1.2, 1.7]] }            # from, to\n"
      "  torque.weight_times_arm = { from = \"table.csv\" }                      # a row for each body\n\n"
      "Every body has the bits that a run of its own would have, whatever the threads, the instructions and the "
      "parts; not with --fast, which is the same motion to rounding.\n"
      "A graphics card (--device cuda; 'make cuda' builds for it) fuses products and sums: there they differ by "
      "rounding.\n"
      "Bodies whose steps fail are counted and listed, and do not stop the others.\n"
      "An interrupt keeps the bodies that are done in NAME.partial.h5, and --only-missing goes on from there; with the "
      "same\n"
      "bits in the end. 'polhode merge' joins the files of parts.\n"
      "Started by mpirun (Open MPI), every rank follows a part, into NAME.rank-3-of-8.h5; statistics are those of "
      "all.\n" +
      examples(
          {"polhode ensemble debris.toml", "polhode ensemble debris.toml --bodies 1000000 --output debris.h5",
           "polhode ensemble debris.toml --at 10,100,1000 --json | jq '.statistics[] | select(.quantity == "
           "\"energy\")'",
           "polhode ensemble debris.toml --shard 3/16 --output debris-3.h5",
           "polhode ensemble debris.toml --shard 3/16 --only-missing --output debris-3.h5     # after an interrupt",
           "polhode ensemble debris.toml --only-missing --have debris-?.h5 --output debris.h5 # the rest, in one file",
           "mpirun -n 8 polhode ensemble debris.toml --output debris.h5 && polhode merge debris.rank-*-of-8.h5 -o "
           "debris.h5",
           "polhode ensemble --problem fast-top --bodies 100000 --method mclachlan-reich-231 --step 0.001 "
           "--threads 4"}) +
      exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                  ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::input_output, ExitCode::interrupted}) +
      read_on({"docs/ensembles.md", "docs/scaling.md", "'polhode help merge'", "'polhode help run'",
               "'polhode help init' (scenario files)"}));
  return {command, [flags, &talk] { return run_ensemble(*flags, talk); }};
}

}  // namespace polhode
