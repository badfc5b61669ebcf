#include "polhode/ensemble/ensemble.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <thread>

#include "ensemble/body_ranges.hpp"
#include "ensemble/card.hpp"
#include "ensemble/group.hpp"
#include "ensemble/missing_bodies.hpp"
#include "ensemble/quantities.hpp"
#include "ensemble/summary.hpp"
#include "polhode/core/names.hpp"
#include "polhode/core/version.hpp"
#include "polhode/ensemble/draw.hpp"
#include "polhode/ensemble/parts.hpp"
#include "polhode/run/plan.hpp"

namespace polhode {
namespace {

// Packs of every width fill 96 bodies.
constexpr std::size_t bodies_of_a_pack = 96, largest_chunk = 42 * bodies_of_a_pack, bodies_on_a_card = 65536;
constexpr double nearly_whole = 1e-9;  // of a step
constexpr int most_long_steps = 64;

// What is of one motion, and not of many.
void refuse_what_is_for_runs(const RunRequest& request) {
  const auto refuse = [](bool asked, const char* key, std::string_view what) {
    if (asked) throw SetupError(key, fmt::format("{}; leave it out, or follow single bodies by runs", what));
  };
  const RunOptions& run = request.run;
  refuse(run.reference, "run.reference", "an ensemble has no computed references; free bodies have errors without one");
  refuse(!run.sensitivities.empty(), "run.sensitivities", "an ensemble has no derivatives");
  refuse(run.monodromy, "run.monodromy", "an ensemble has no derivatives");
  refuse(run.lyapunov, "run.lyapunov", "an ensemble has no derivatives");
  refuse(run.max_steps.has_value(), "run.max_steps", "an ensemble has no guards: its steps are known beforehand");
  refuse(run.max_time.has_value(), "run.max_time",
         "an ensemble has no guards; an interrupt keeps the bodies that are done");
}

// Exact at any step, for bodies without torque.
bool is_exact(const std::string& method) {
  return std::any_of(methods().begin(), methods().end(), [&](const MethodInfo& info) {
    return info.name == method && info.claims.needs == Needs::no_torque && info.claims.order_attitude == exact_order;
  });
}

// From one time that is looked at to the next where these lie on a coarse grid, and else the whole way.
double longest_step(const RunRequest& request) {
  const double length = std::abs(duration_of(request.run));
  for (int steps = 1; steps <= most_long_steps; ++steps) {
    const double h = length / steps;
    const auto is_whole = [&](double t) {
      const double n = (t - request.setup.time) / h;
      return std::abs(n - std::nearbyint(n)) <= nearly_whole;
    };
    if (std::all_of(request.times.begin(), request.times.end(), is_whole)) return h;
  }
  return length;
}

RunRequest typical_request(const EnsembleRequest& request) {
  refuse_what_is_for_runs(request.run);
  RunRequest typical = request.run;
  typical.times = request.ensemble.snapshots;
  typical.times_file.clear();
  typical.columns = standard_columns();
  if (!typical.says_where_rows_are && typical.run.step_file.empty() && is_exact(typical.run.method))
    typical.run.step = longest_step(typical);
  return typical;
}

// A snapshot that is meant to be at the end of a step is: 12 steps of 0.1 s end at 1.2000000000000002 s, and not at 1.2 s.
void snap_to_steps(Plan& plan) {
  if (!plan.times || !plan.steps.listed.empty() || plan.steps.chosen) return;
  const double begin = plan.request.setup.time, h = (plan.steps.backwards ? -1 : 1) * plan.steps.size;
  for (double& t : *plan.times) {
    const double steps = (t - begin) / h, nearest = std::nearbyint(steps);
    if (std::abs(steps - nearest) <= nearly_whole) t = begin + nearest * h;
  }
  plan.request.times = *plan.times;
}

Plan typical_plan(const EnsembleRequest& request) {
  try {
    Plan typical = plan(typical_request(request));
    snap_to_steps(typical);
    return typical;
  } catch (const SetupError& error) {
    // Where they were asked for.
    if (error.key == "output.times" && request.run.times.empty())
      throw SetupError("ensemble.snapshots", fmt::format("the snapshot at {}", error.what()), error.others);
    throw;
  }
}

bool only_starts_differ(const EnsembleSettings& settings) {
  return std::all_of(settings.drawn.begin(), settings.drawn.end(),
                     [](const DrawnKey& drawn) { return drawn.key.starts_with("start."); });
}

void refuse_unknown_histograms(const EnsembleSettings& settings, const EnsembleAbout& about) {
  std::vector<std::string> known;
  for (const EnsembleQuantity& quantity : ensemble_quantities(about))
    if (!quantity.time) known.push_back(quantity.name);
  for (const HistogramRequest& histogram : settings.histograms) {
    if (std::find(known.begin(), known.end(), histogram.quantity) != known.end()) continue;
    const std::string nearest = nearest_name(histogram.quantity, {known.begin(), known.end()});
    throw SetupError(
        "ensemble.histogram",
        fmt::format("this ensemble has no quantity '{}'{}; it has {}", histogram.quantity,
                    nearest.empty() ? "" : fmt::format(" (nearest: {})", nearest), fmt::join(known, ", ")));
  }
}

}  // namespace

std::vector<std::string> passage_names(const RunRequest& request) {
  std::vector<std::string> names;
  for (const EventData& event : request.events) names.push_back(event.name);
  if (!request.run.stop_when.empty()) names.emplace_back(stop_when_event);
  return names;
}

struct Ensemble::Parts {
  explicit Parts(EnsembleRequest asked)
      : request(std::move(asked)),
        draw(request.run.setup, request.ensemble),
        typical(typical_plan(request)),
        same_field(only_starts_differ(request.ensemble)) {
    const Plan& plan = typical;
    about.version = version();
    about.title = request.run.title;
    about.scenario = request.run.text;
    about.method = plan.method.name;
    about.step = plan.steps.size;
    about.steps = plan.steps.count;
    about.begin = request.run.setup.time;
    const double length = plan.steps.length.value_or((plan.steps.backwards ? -1 : 1) * plan.steps.size *
                                                     static_cast<double>(plan.steps.count));
    about.end = about.begin + length;
    about.bodies = draw.bodies();
    about.first = begin_of_part(draw.bodies(), request.part - 1, request.parts);
    about.last = begin_of_part(draw.bodies(), request.part, request.parts);
    about.seed = request.ensemble.seed;
    about.data = draw.name();
    about.threads =
        request.threads > 0 ? request.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    about.snapshots = plan.times.value_or(std::vector<double>{});
    about.passages = passage_names(request.run);
    about.quantities = request.run.shown_quantities;
    about.free = moves_freely(request.run.setup);
    about.has_attitude_error = about.free;
    // Torques that are zero in the typical body may not be in others.
    about.energy_conserved =
        prepare<double>(request.run.setup).conserves_energy() && prepare<double>(draw.body(0)).conserves_energy();
    refuse_unknown_histograms(request.ensemble, about);
    refuse_values_without_room();
    if (request.device == Device::cuda) {
      const CardInfo card = find_card();
      group(about.why_no_packs);  // refuses what the card cannot follow
      about.device = "cuda";
      about.card = card.name;
      about.fused = card.fused;
    } else if (!request.packs) {
      about.why_no_packs = "packs were not wanted";
    } else {
      const std::unique_ptr<Group> packs = group(about.why_no_packs);
      if (about.why_no_packs.empty()) about.instruction_set = instruction_set_name(request.set);
      about.fused = packs->fused();
    }
  }

  // Quantiles are of all values, which are in memory until the end.
  void refuse_values_without_room() const {
    if (request.ensemble.quantiles.empty()) return;
    const double needed = sizeof(double) * static_cast<double>(about.last - about.first) *
                          static_cast<double>(ensemble_quantities(about).size());
    const double there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (needed <= there / 2) return;
    throw SetupError("ensemble.quantiles",
                     fmt::format("exact quantiles of {} bodies take {:.3g} GB of memory, and half of this machine's is "
                                 "{:.3g} GB; leave them out and take histograms, or follow a part of the bodies",
                                 about.last - about.first, needed / 1e9, there / 2e9),
                     {"ensemble.bodies"});
  }

  std::unique_ptr<Group> group(std::string& why_not) const {
    if (request.device == Device::cuda) return on_card(typical, same_field, chunk_size());
    if (request.packs)
      if (auto packs = in_packs(typical, same_field, request.set, request.fast, why_not)) return packs;
    return one_by_one(typical);
  }

  std::size_t chunk_size() const {
    if (request.chunk > 0) return request.chunk;
    const std::uint64_t bodies = about.last - about.first;
    const std::size_t largest = request.device == Device::cuda ? bodies_on_a_card : largest_chunk;
    // At the end threads wait for the last chunk of one of them: of 64 each, for a sixty-fourth of the whole at most.
    const std::uint64_t of_a_thread = request.device == Device::cuda ? 16 : 64;
    const std::uint64_t even = bodies / (of_a_thread * static_cast<std::uint64_t>(about.threads)) + 1;
    const std::uint64_t packs = (even + bodies_of_a_pack - 1) / bodies_of_a_pack;
    return std::clamp<std::size_t>(packs * bodies_of_a_pack, bodies_of_a_pack, largest);
  }

  EnsembleRequest request;
  BodyDraw draw;
  Plan typical;
  bool same_field;
  EnsembleAbout about;
};

Ensemble::Ensemble(EnsembleRequest request) : parts_(std::make_unique<Parts>(std::move(request))) {}
Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const EnsembleAbout& Ensemble::about() const { return parts_->about; }

std::uint64_t Ensemble::bytes_per_body() const {
  const EnsembleAbout& about = parts_->about;
  constexpr std::uint64_t numbers_of_a_state = 11;
  return sizeof(double) * (numbers_of_a_state * (2 + about.snapshots.size()) + 3 + (about.has_attitude_error ? 1 : 0) +
                           about.passages.size() + about.quantities.size());
}

EnsembleResult Ensemble::follow(EnsembleWriter* writer, const EnsembleControl& control,
                                const EnsembleParts* kept) const {
  const EnsembleAbout& about = parts_->about;
  const std::uint64_t bodies = about.last - about.first;
  if (kept != nullptr) kept->check_together(about);
  const std::vector<BodyRange> there =
      kept != nullptr ? kept->bodies_in({about.first, about.last}) : std::vector<BodyRange>{};
  std::vector<BodyRange> chunks;
  std::uint64_t missing = 0;
  for (const BodyRange& range : without({about.first, about.last}, there)) {
    missing += range.last - range.first;
    for (const BodyRange& chunk : pieces(range, parts_->chunk_size())) chunks.push_back(chunk);
  }
  const double all_steps = static_cast<double>(missing) * static_cast<double>(about.steps);
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };

  Summary summary(about, parts_->request.ensemble);
  std::mutex one_at_a_time;
  std::atomic<std::uint64_t> body_steps{0};
  std::atomic<bool> broken{false};  // by an exception, of a writer for one
  const auto stopped = [&] { return broken || (control.stop != nullptr && *control.stop); };
  tbb::enumerable_thread_specific<std::unique_ptr<Group>> groups([&] {
    std::string why_not;
    return parts_->group(why_not);
  });

  const auto follow_chunk = [&](const BodyRange& range) {
    const auto count = static_cast<std::size_t>(range.last - range.first);
    std::vector<Setup> drawn;
    drawn.reserve(count);
    for (std::size_t i = 0; i < count; ++i) drawn.push_back(parts_->draw.body(range.first + i));
    EnsembleChunk chunk(about, range.first, count);
    GroupControl group_control{control.stop, body_steps};
    if (!groups.local()->follow(drawn, 0, chunk, group_control)) return;
    const std::vector<Tally> tallies = summary.of(chunk);
    const std::lock_guard lock(one_at_a_time);
    if (broken) return;
    if (writer != nullptr) writer->chunk(chunk);
    summary.add(chunk, tallies);
  };

  if (writer != nullptr) writer->begin(about);
  // Whatever ends the ensemble, these are kept.
  for (const BodyRange& range : there) {
    for (const BodyRange& some : pieces(range, largest_chunk)) {
      const EnsembleChunk chunk = kept->read(some);
      if (writer != nullptr) writer->chunk(chunk);
      summary.add(chunk, summary.of(chunk));
    }
  }
  const tbb::global_control as_many(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(about.threads) + 1);
  tbb::task_arena arena(about.threads);
  auto work = std::async(std::launch::async, [&] {
    // One after the other: a writer that needs them in order then has few to keep.
    std::atomic<std::size_t> next{0};
    arena.execute([&] {
      tbb::parallel_for(
          0, about.threads,
          [&](int) {
            try {
              for (std::size_t number = next++; number < chunks.size() && !stopped(); number = next++)
                follow_chunk(chunks[number]);
            } catch (...) {
              broken = true;
              throw;
            }
          },
          tbb::simple_partitioner());
    });
  });
  while (work.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
    if (!control.progress) continue;
    EnsembleProgress progress{0, bodies, 0, seconds(), 0, 0};
    {
      const std::lock_guard lock(one_at_a_time);
      progress.bodies = summary.followed();
      progress.failed = summary.failed();
    }
    progress.done = all_steps > 0 ? static_cast<double>(body_steps) / all_steps : 1;
    progress.body_steps_per_second = static_cast<double>(body_steps) / progress.seconds;
    control.progress(progress);
  }
  work.get();

  EnsembleResult result;
  result.about = about;
  summary.tell(result);
  result.kept = bodies - missing;
  result.seconds = seconds();
  result.body_steps_per_second = static_cast<double>(body_steps) / result.seconds;
  if (result.followed < bodies) {
    result.interrupted = true;
    result.incomplete =
        fmt::format("{} after {} of {} bodies", control.stopped_by ? "ended by " + control.stopped_by() : "ended",
                    result.followed, bodies);
  }
  if (writer != nullptr) writer->end(result);
  return result;
}

}  // namespace polhode
