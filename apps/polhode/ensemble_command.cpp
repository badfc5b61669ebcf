// polhode ensemble: many bodies that differ by draws or tables.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "ensemble_table.hpp"
#include "interrupts.hpp"
#include "key_flags.hpp"
#include "output_checks.hpp"
#include "plugins.hpp"
#include "polhode/ensemble/ensemble.hpp"
#include "polhode/ensemble/files.hpp"
#include "polhode/ensemble/json.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/problem.hpp"
#include "progress.hpp"
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
  std::string scenario, problem, shard, packs = "auto", device = "cpu", progress = "auto";
  std::array<std::optional<std::string>, std::size(ensemble_key_flags)> values;
  int threads = 0;
  bool json = false, fast = false;
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

EnsembleResult follow(const EnsembleFlags& flags, const Ensemble& ensemble, EnsembleWriter* file, const Talk& talk) {
  ProgressLine progress(talk, parse_when("--progress", flags.progress));
  EnsembleControl control;
  control.stop = &listen_for_interrupts();
  control.stopped_by = [] { return std::string(interrupting_signal_name()); };
  control.progress = [&](const EnsembleProgress& at) {
    progress.show(at.done, at.seconds,
                  fmt::format("{} of {} bodies  {:.3g} body-steps/s{}", at.bodies, at.all, at.body_steps_per_second,
                              at.failed > 0 ? fmt::format("  {} failed", at.failed) : ""));
  };
  return ensemble.follow(file, control);
}

ExitCode run_ensemble(const EnsembleFlags& flags, const Talk& talk) {
  parse_when("--progress", flags.progress);
  const Scenario scenario = ensemble_scenario(flags);
  const std::string& path = scenario.output.file;
  if (!path.empty()) {
    refuse_overwriting(scenario);
    if (flags.json && is_stdout(path)) throw located(scenario, SetupError("output.file", stdout_is_taken(path)));
    check_ensemble_file(path);
  }
  std::optional<Ensemble> ensemble;
  try {
    ensemble.emplace(request_of(flags, scenario));
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
  const EnsembleAbout& about = ensemble->about();
  if (!path.empty()) check_room(*ensemble, path);
  if (!scenario.ensemble || scenario.ensemble->drawn.empty())
    talk.note("all bodies are the same: the scenario has no distribution under [ensemble]");
  if (!about.why_no_packs.empty() && flags.packs == "auto")
    talk.note(fmt::format("bodies go one by one: {}", about.why_no_packs));
  if (flags.fast && !about.fused && about.why_no_packs.empty() && about.device == "cpu")
    talk.note(
        "--fast changes nothing here: there are no fused packs of this method in this field, or of these instructions");

  std::unique_ptr<EnsembleFile> file;
  if (!path.empty()) file = open_ensemble_file(path);
  const EnsembleResult result = follow(flags, *ensemble, file.get(), talk);
  if (flags.json) {
    to_stdout(to_json(result) + '\n');
  } else if (!is_stdout(path)) {
    to_stdout(table(result));
  }
  const std::string place = file ? fmt::format("; {} bodies in '{}'", result.followed, file->place()) : "";
  if (result.interrupted) throw Error(ErrorKind::interrupted, result.incomplete + place);
  if (file) talk.note(fmt::format("{} bodies in '{}'", result.followed, file->place()));
  if (result.failed == result.followed)
    throw Error(ErrorKind::run_failed, fmt::format("every body failed; the first: {}", result.failures.front().reason));
  return ExitCode::done;
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
  command
      ->add_option("--packs", flags->packs,
                   "Instructions for bodies side by side: auto (default), avx512, avx2, sse2, or none")
      ->type_name("SET");
  command->add_flag("--fast", flags->fast,
                    "Fuse products and sums and merge steps: faster, and other bits than those of runs");
  command->add_option("--device", flags->device, "Where bodies are followed: cpu (default), or cuda, a graphics card")
      ->type_name("cpu|cuda");
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
      "Bodies whose steps fail are counted and listed, and do not stop the others.\n" +
      examples({"polhode ensemble debris.toml", "polhode ensemble debris.toml --bodies 1000000 --output debris.h5",
                "polhode ensemble debris.toml --at 10,100,1000 --json | jq '.statistics[] | select(.quantity == "
                "\"energy\")'",
                "polhode ensemble debris.toml --shard 3/16 --output debris-3.h5",
                "polhode ensemble --problem fast-top --bodies 100000 --method mclachlan-reich-231 --step 0.001 "
                "--threads 4"}) +
      exit_codes({ExitCode::done, ExitCode::run_failed, ExitCode::usage, ExitCode::bad_scenario, ExitCode::file_missing,
                  ExitCode::unavailable, ExitCode::plugin_crashed, ExitCode::input_output, ExitCode::interrupted}) +
      read_on({"docs/ensembles.md", "'polhode help run'", "'polhode help init' (scenario files)"}));
  return {command, [flags, &talk] { return run_ensemble(*flags, talk); }};
}

}  // namespace polhode
