// Cost of one step of every method in the catalogue, beside Boost.odeint's runge_kutta4 on the same body.
//
// One run measures everything: Google Benchmark interleaves the repetitions of all rows at random, so that a machine
// that slows down slows every row, and a ratio is the ratio of two medians. A row is a batch of steps, each beginning
// where the one before ended, as in an integration. The body is free, or a heavy top.
//
//   step_cost             the table
//   step_cost --summary   the rows with a promised ratio; exit code 1 if one is missed
//
// Before anything is timed the steps are run with operator new counted: one allocation in a step is exit code 1.
// Google Benchmark's own flags work (--benchmark_filter, --benchmark_repetitions, --benchmark_out).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "machine.hpp"
#include "polhode/methods/catalogue.hpp"
#include "rotor_runs.hpp"

namespace {
long long allocations = 0;
}

// Not inlined, or the compiler sees malloc freed by delete and warns.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using namespace polhode;
using namespace polhode::bench;

constexpr int steps_per_batch = 20000;
constexpr std::string_view baseline = "odeint runge_kutta4";

// What is promised, in steps of runge_kutta4.
struct Promise {
  std::string setting, method;
  double ratio;
};

// For a free body; and in a field 3 for the methods that solve an equation for the gyroscopic term and take the torque
// once.
std::vector<Promise> promises() {
  std::vector<Promise> list{{"free", "taylor-2-augmented", 1.3},      {"free", "taylor-3", 1.6},
                            {"free", "mclachlan-reich-123", 2.2},     {"free", "free-exact", 4},
                            {"free", "FreeRotor from scratch", 10},   {"free", "short step", 4},
                            {"free", "short step in pairs", 4},       {"free", "short step in fours", 4},
                            {"free", "FreeRotor for long times", 17}, {"free", "FreeRotor evaluated", 2.5}};
  // The promise for lanes is one for wide ones; bodies of both kinds cost the series of both.
  if (instruction_set() != InstructionSet::baseline)
    list.insert(list.end(), {{"free", "FreeRotor in lanes", 0.5}, {"free", "FreeRotors in lanes", 0.5}});
  for (const char* method :
       {"newmark", "newmark-spatial", "newmark-cayley", "newmark-gamma", "newmark-matrix", "newmark-matrix-orthogonal",
        "simo-wong", "hulbert-staggered", "moser-veselov", "moser-veselov-4", "moser-veselov-6", "moser-veselov-full-4",
        "moser-veselov-full-6", "variational", "variational-legendre", "lie-midpoint", "lie-midpoint-ea", "lie-verlet"})
    list.push_back({"field", method, 3});
  return list;
}

template <class M, class F>
void time_steps(benchmark::State& state, const F& field) {
  Run<M, F> run(field);
  for (auto _ : state) run.step();
  if (!run.finite()) state.SkipWithError("the state is no longer finite");
}

// What a batch does before it is timed: whether it allocates, and whether the method keeps the motion that long.
struct Trial {
  long long allocations = 0;
  int lasting_steps = steps_per_batch;  // fewer for a method that loses it
};
template <class M, class F>
Trial trial(const F& field) {
  Run<M, F> run(field);
  const long long before = allocations;
  for (int i = 0; i < steps_per_batch; ++i) run.step();
  return {allocations - before, run.finite() ? steps_per_batch : steps_per_batch / 20};
}

template <class M>
constexpr bool takes_torque = takes_any_torque(M::claims);
template <>
constexpr bool takes_torque<Classical> = true;
template <>
constexpr bool takes_torque<FromScratch> = false;
template <>
constexpr bool takes_torque<ForLongTimes> = false;
template <>
constexpr bool takes_torque<Evaluated> = false;
template <template <std::size_t> class RotorOf>
constexpr bool takes_torque<InLanes<RotorOf>> = false;
template <int Lanes>
constexpr bool takes_torque<ShortStep<Lanes>> = false;

// Free and in the field, under "free/<name>" and "field/<name>". Returns the allocations of both.
template <class M>
long long enlist(std::string_view name) {
  const Trial free = trial<M>(Free{});
  benchmark::RegisterBenchmark(("free/" + std::string(name)).c_str(), time_steps<M, Free>, Free{})
      ->Iterations(free.lasting_steps);
  if constexpr (takes_torque<M>) {
    const Trial field = trial<M>(gravity);
    benchmark::RegisterBenchmark(("field/" + std::string(name)).c_str(), time_steps<M, HeavyTop<double>>, gravity)
        ->Iterations(field.lasting_steps);
    return free.allocations + field.allocations;
  } else {
    return free.allocations;
  }
}

struct Sample {
  std::vector<double> times;  // ns per step, one per batch

  double quantile(double share) {
    if (times.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto nth = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1) + 0.5);
    std::nth_element(times.begin(), nth, times.end());
    return *nth;
  }
  double median() { return quantile(0.5); }
  // Half the distance between the quartiles, in per cent of the median.
  double spread() { return 50 * (quantile(0.75) - quantile(0.25)) / median(); }
};

// Keeps every batch; prints nothing before all are in.
class Collector : public benchmark::BenchmarkReporter {
 public:
  std::map<std::string, Sample> samples;
  bool failed = false;

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) {
        std::fprintf(stderr, "%s: %s\n", run.benchmark_name().c_str(), run.error_message.c_str());
        failed = true;
      } else if (run.run_type == Run::RT_Iteration) {
        samples[run.run_name.function_name].times.push_back(run.GetAdjustedCPUTime());
      }
    }
  }
};

void print_row(Collector& collected, const std::string& name) {
  std::printf("%-30s", name.c_str());
  for (const char* setting : {"free/", "field/"}) {
    Sample& own = collected.samples[setting + name];
    Sample& other = collected.samples[setting + std::string(baseline)];
    if (own.times.empty()) {
      std::printf("  %9s %5s %7s", "-", "-", "-");
    } else {
      std::printf("  %9.1f %5.1f %7.2f", own.median(), own.spread(), own.median() / other.median());
    }
  }
  std::printf("\n");
}

void print_unit(Collector& collected) {
  const std::string name(baseline);
  std::printf("one unit, a step of %s: %.1f ns free, %.1f ns in the field; %s\n\n", name.c_str(),
              collected.samples["free/" + name].median(), collected.samples["field/" + name].median(),
              bench::machine_name().c_str());
}

void print_table(Collector& collected, const std::vector<std::string>& names) {
  std::printf("ns per step (median of batches of %d steps of %g), half the quartile distance in %%, ratio to %s\n",
              steps_per_batch, step_size, std::string(baseline).c_str());
  print_unit(collected);
  std::printf("%-30s  %9s %5s %7s  %9s %5s %7s\n", "", "free", "+-%", "ratio", "heavy top", "+-%", "ratio");
  for (const std::string& name : names) {
    if (!collected.samples["free/" + name].times.empty() || !collected.samples["field/" + name].times.empty())
      print_row(collected, name);
  }
}

bool print_summary(Collector& collected) {
  bool kept = true;
  print_unit(collected);
  for (const auto& [setting, method, ratio] : promises()) {
    const double unit = collected.samples[setting + "/" + std::string(baseline)].median();
    const double time = collected.samples[setting + "/" + method].median();
    const bool met = time / unit <= ratio;  // false for NaN, a row that was not measured
    std::printf("%-5s  %-26s %9.1f ns of %.1f, ratio %.2f, promised at most %.1f: %s\n", setting.c_str(),
                method.c_str(), time, unit, time / unit, ratio, met ? "kept" : "MISSED");
    kept = kept && met;
  }
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  // Defaults first, so that what the user says wins.
  std::vector<std::string> words{argv[0], "--benchmark_enable_random_interleaving=true"};
  const bool summary = std::any_of(argv + 1, argv + argc, [](const char* a) { return a == std::string("--summary"); });
  if (summary) {
    std::string rows = "(free|field)/" + std::string(baseline);
    for (const Promise& promise : promises()) rows += "|" + promise.setting + "/" + promise.method;
    words.insert(words.end(), {"--benchmark_filter=^(" + rows + ")/", "--benchmark_repetitions=61"});
  } else {
    words.push_back("--benchmark_repetitions=15");
  }
  std::copy_if(argv + 1, argv + argc, std::back_inserter(words),
               [](const char* a) { return a != std::string("--summary"); });
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  std::vector<std::string> names{std::string(baseline)};
  enlist<Classical>(baseline);
  bool allocates = false;
  Catalogue::for_each([&](auto entry) {
    names.emplace_back(entry.name);
    if (const long long n = enlist<typename decltype(entry)::Method>(entry.name); n > 0) {
      std::printf("%s allocates: %lld times in 200 steps\n", names.back().c_str(), n);
      allocates = true;
    }
  });

  names.insert(names.end(), {std::string(FromScratch::name), std::string(ForLongTimes::name),
                             std::string(Evaluated::name), "FreeRotor in lanes", "FreeRotors in lanes",
                             "FreeRotors of both kinds", "short step", "short step in fours", "short step in pairs"});
  allocates = enlist<FromScratch>(FromScratch::name) > 0 || allocates;
  allocates = enlist<ForLongTimes>(ForLongTimes::name) > 0 || allocates;
  allocates = enlist<Evaluated>(Evaluated::name) > 0 || allocates;
  allocates = enlist<InLanes<OneBody>>("FreeRotor in lanes") > 0 || allocates;
  allocates = enlist<InLanes<EightBodies>>("FreeRotors in lanes") > 0 || allocates;
  allocates = enlist<InLanes<EightOfBothKinds>>("FreeRotors of both kinds") > 0 || allocates;
  allocates = enlist<ShortStep<8>>("short step") > 0 || allocates;
  allocates = enlist<ShortStep<4>>("short step in fours") > 0 || allocates;
  allocates = enlist<ShortStep<2>>("short step in pairs") > 0 || allocates;

  Collector collected;
  benchmark::RunSpecifiedBenchmarks(&collected);
  benchmark::Shutdown();
  if (!summary) print_table(collected, names);
  const bool kept = !summary || print_summary(collected);
  if (!allocates) std::printf("\nno step allocates memory\n");
  return kept && !allocates && !collected.failed ? 0 : 1;
}
