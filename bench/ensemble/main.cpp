// How near packs of bodies come to what a core can, and what a step of a body costs in ensembles of any size:
//
//   build/bench/ensemble [ROUNDS]         the table, in markdown
//   build/bench/ensemble --sizes [MOST]   body-steps, threads and ns for each size of ensemble, as CSV
//
// Times are those of the processor, of this program alone; only for threads they are also those of the clock, which ask for a
// machine without other work. Everything is measured in turn, ROUNDS times over; medians are shown.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>

#include "../machine.hpp"
#include "clock.hpp"
#include "counted.hpp"
#include "packs.hpp"
#include "polhode/ensemble/ensemble.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/fields/heavy_top.hpp"

namespace polhode::bench {

double fma_peak_sse2();
double fma_peak_avx2();
double fma_peak_avx512();

namespace {

using Splitting = AxisSplitting<2, 3, 1>;
constexpr std::string_view splitting_name = "mclachlan-reich-231";
constexpr std::size_t bodies_in_cache = 512;
constexpr long long steps_at_once = 100;

template <class T, class F>
System<T, F> system_of(const BodyNumbers& numbers) {
  System<T, F> system{Body<T>({T(numbers.inertia[0]), T(numbers.inertia[1]), T(numbers.inertia[2])}), {}};
  if constexpr (!is_free<F>) {
    const auto three = [&](std::size_t k) {
      return Vec3<T>{T(numbers.field[k]), T(numbers.field[k + 1]), T(numbers.field[k + 2])};
    };
    system.field.weight_times_arm = T(numbers.field[0]);
    system.field.axis_body = three(1);
    system.field.up_spatial = three(4);
  }
  return system;
}

template <class T>
State<T> state_of(const BodyNumbers& numbers) {
  const double *q = numbers.attitude, *l = numbers.momentum_B;
  return {{T(q[0]), {T(q[1]), T(q[2]), T(q[3])}}, {T(l[0]), T(l[1]), T(l[2])}, T(0)};
}

// Operations of a step, in a chain of many.
template <class F>
double operations_of_a_step(Field field) {
  const BodyNumbers body = bodies_of(field, 1).front();
  const auto system = system_of<Counted, F>(body);
  const State<Counted> s = state_of<Counted>(body);
  Work work;
  counted_operations = 0;
  Splitting::chain(system, s, Counted(time_step), steps_at_once, work);
  return static_cast<double>(counted_operations) / static_cast<double>(steps_at_once);
}

// The step of one body, as it is for who knows the type.
template <class F>
class OneByOne {
 public:
  explicit OneByOne(const std::vector<BodyNumbers>& bodies) {
    for (const BodyNumbers& body : bodies) {
      systems_.push_back(system_of<double, F>(body));
      states_.push_back(state_of<double>(body));
    }
  }
  void advance(long long steps) {
    for (std::size_t i = 0; i < states_.size(); ++i) advance_one(systems_[i], states_[i], steps);
  }

 private:
  [[gnu::flatten, gnu::noinline]] static void advance_one(const System<double, F>& system, State<double>& state,
                                                          long long steps) {
    Work work;
    State<double> s = state;
    auto memory = start<Splitting>(system, s, time_step, work);
    for (long long n = 0; n < steps; ++n) s = polhode::advance<Splitting>(system, s, memory, time_step, work);
    state = s;
  }

  std::vector<System<double, F>> systems_;
  std::vector<State<double>> states_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Set {
  std::string_view name;
  std::span<const polhode_packs::Kernel> usual, fused;
  double (*peak)();
};

Set widest_set() {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return {"AVX-512", polhode_packs::kernels_of_avx512(), polhode_packs::kernels_of_avx512_fused(),
              &fma_peak_avx512};
    case InstructionSet::avx2:
      return {"AVX2", polhode_packs::kernels_of_avx2(), polhode_packs::kernels_of_avx2_fused(), &fma_peak_avx2};
    case InstructionSet::baseline: break;
  }
  return {"SSE2", polhode_packs::kernels_of_sse2(), {}, &fma_peak_sse2};
}

// Body-steps a second, or operations, or bytes, of one of the things that are measured in turn.
struct Measured {
  std::string name;
  std::function<double()> once;
  std::vector<double> rates{};
};

template <class Bodies>
Measured steps_of(std::string name, Bodies bodies) {
  constexpr int repeats = 10;
  auto shared = std::make_shared<Bodies>(std::move(bodies));
  return {std::move(name), [shared] {
            const double begin = thread_seconds();
            for (int i = 0; i < repeats; ++i) shared->advance(steps_at_once);
            return static_cast<double>(repeats * steps_at_once * bodies_in_cache) / (thread_seconds() - begin);
          }};
}

// A pass over memory that no cache holds, read and written in place.
Measured bandwidth() {
  auto numbers = std::make_shared<std::vector<double>>(std::size_t{32} << 20, 1.0);
  return {"bandwidth", [numbers] {
            const double begin = thread_seconds();
            for (double& x : *numbers) x += 1;
            return 2.0 * sizeof(double) * static_cast<double>(numbers->size()) / (thread_seconds() - begin);
          }};
}

// Heavy tops: of free bodies the error against the closed form, in quad, would be most of what there is to do.
EnsembleRequest ensemble_of(long long bodies, long long steps, int threads, bool fast) {
  EnsembleRequest request;
  request.run.setup.inertia = Vec3<double>{0.9144, 1.098, 1.66};
  HeavyTop<double> top;
  top.weight_times_arm = 0.3;
  request.run.setup.torques = {top};
  request.run.run.method = splitting_name;
  request.run.run.step = time_step;
  request.run.run.steps = steps;
  request.ensemble.bodies = bodies;
  request.ensemble.drawn = {{"start.attitude", {Distribution::Kind::rotations}},
                            {"start.angular_velocity_body", {Distribution::Kind::normal, {0, 0, 0}, {0.4, 0.4, 0.4}}},
                            {"body.inertia", {Distribution::Kind::uniform, {0.9, 1.2, 1.5}, {1.1, 1.4, 1.8}}}};
  request.threads = threads;
  request.fast = fast;
  return request;
}

// The whole of an ensemble: draws, steps, states and errors of every body. By the clock, or as if each thread had a
// processor for as long as it used one.
Measured whole_ensemble(std::string name, int threads, bool by_clock) {
  constexpr long long bodies = 65536, steps = 2000;
  return {std::move(name), [threads, by_clock] {
            const Ensemble ensemble(ensemble_of(bodies, steps, threads, true));
            const double begin = program_seconds();
            const double rate = ensemble.follow().body_steps_per_second;
            return by_clock ? rate : static_cast<double>(bodies * steps * threads) / (program_seconds() - begin);
          }};
}

std::string verdict(double goal, double reached) {
  if (goal == 0) return "";
  return fmt::format("{:.3g}{}", goal, reached >= goal ? "" : ", **missed**");
}

int print_table(int rounds) {
  const Set set = widest_set();
  const int method = static_cast<int>(polhode::parse_method(splitting_name).index);
  const auto packs = [&](std::span<const polhode_packs::Kernel> kernels, Field field, bool single) {
    const auto* kernel = kernel_in(kernels, method, field, single);
    if (kernel == nullptr) throw std::runtime_error("this processor, or this build, has no such packs");
    return Packs(*kernel, bodies_of(field, bodies_in_cache));
  };
  std::vector<Measured> all;
  all.push_back({"peak", [&] { return set.peak(); }});
  all.push_back(bandwidth());
  all.push_back(steps_of("free, one by one", OneByOne<Free>(bodies_of(Field::free, bodies_in_cache))));
  all.push_back(steps_of("free, default", packs(set.usual, Field::free, false)));
  all.push_back(steps_of("free, fast", packs(set.fused, Field::free, false)));
  all.push_back(steps_of("free, fast, float", packs(set.fused, Field::free, true)));
  all.push_back(steps_of("top, one by one", OneByOne<HeavyTop<double>>(bodies_of(Field::heavy_top, bodies_in_cache))));
  all.push_back(steps_of("top, default", packs(set.usual, Field::heavy_top, false)));
  all.push_back(steps_of("top, fast", packs(set.fused, Field::heavy_top, false)));
  all.push_back(whole_ensemble("one thread", 1, false));
  all.push_back(whole_ensemble("two threads", 2, false));
  all.push_back(whole_ensemble("one thread, clock", 1, true));
  all.push_back(whole_ensemble("two threads, clock", 2, true));
  for (int round = 0; round <= rounds; ++round)
    for (Measured& one : all)
      if (const double rate = one.once(); round > 0) one.rates.push_back(rate);  // the first fills the caches

  const auto rate = [&](std::string_view name) {
    for (const Measured& one : all)
      if (one.name == name) return median(one.rates);
    throw std::logic_error("not measured");
  };
  const double peak = rate("peak"), free_flops = operations_of_a_step<Free>(Field::free),
               top_flops = operations_of_a_step<HeavyTop<Counted>>(Field::heavy_top);
  // On an Intel a product with a sum takes as long as either alone, and to leave the fusing out costs more.
  const bool intel = processor_name().find("Intel") != std::string::npos;
  const double free_share = 100 * free_flops * rate("free, fast") / peak,
               top_share = 100 * top_flops * rate("top, fast") / peak,
               fast_gain = rate("free, fast") / rate("free, one by one"),
               gain = rate("free, default") / rate("free, one by one"),
               narrow_gain = rate("free, fast, float") / rate("free, fast"),
               threads_gain = rate("two threads") / rate("one thread"),
               clock_gain = rate("two threads, clock") / rate("one thread, clock");
  fmt::print("{}, {}, {:%Y-%m-%d}; medians of {} rounds, processor time, {} bodies in the cache, {} steps at once\n\n",
             processor_name(), set.name, fmt::localtime(std::time(nullptr)), rounds, bodies_in_cache, steps_at_once);
  fmt::print(
      "products with sums: {:.1f} Gflop/s; memory in place: {:.1f} GB/s; operations of a chained step: {:.1f} free, "
      "{:.1f} heavy top\n\n",
      peak / 1e9, rate("bandwidth") / 1e9, free_flops, top_flops);
  fmt::print("| `{}` | reached | goal |\n|---|---:|---|\n", splitting_name);
  const auto row = [](std::string_view what, const std::string& reached, double goal, double number) {
    fmt::print("| {} | {} | {} |\n", what, reached, verdict(goal, number));
  };
  row("free, `--fast`, % of the peak", fmt::format("{:.0f}", free_share), intel ? 57 : 75, free_share);
  row("free, `--fast`, over one by one", fmt::format("{:.1f}", fast_gain), intel ? 14 : 9, fast_gain);
  row("free, default, over one by one", fmt::format("{:.1f}", gain), intel ? 7.5 : 6.3, gain);
  row("heavy top, `--fast`, % of the peak", fmt::format("{:.0f}", top_share), intel ? 48 : 68, top_share);
  row("free, plain float over double, `--fast`", fmt::format("{:.2f}", narrow_gain), 2.2, narrow_gain);
  row("two threads over one, whole ensembles, processor time", fmt::format("{:.2f}", threads_gain), 1.9, threads_gain);
  row("the same by the clock", fmt::format("{:.2f}", clock_gain), 1.9, clock_gain);
  fmt::print(
      "\n| 1e6 steps of bodies a second | one by one | default | `--fast` | plain float "
      "|\n|---|---:|---:|---:|---:|\n");
  fmt::print("| free | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", rate("free, one by one") / 1e6,
             rate("free, default") / 1e6, rate("free, fast") / 1e6, rate("free, fast, float") / 1e6);
  fmt::print("| heavy top | {:.1f} | {:.1f} | {:.1f} | |\n", rate("top, one by one") / 1e6, rate("top, default") / 1e6,
             rate("top, fast") / 1e6);
  fmt::print("| heavy top, whole ensembles of 2000 steps | | | {:.1f} | |\n", rate("one thread") / 1e6);
  return 0;
}

// From the draws to the statistics, with processor time by body and step.
int print_sizes(double most) {
  constexpr long long steps = 1000;
  fmt::print("bodies,fast,ns_per_body_step\n");
  for (double bodies = 1e4; bodies <= most * 1.001; bodies *= std::sqrt(10.0)) {
    for (const bool fast : {false, true}) {
      const auto count = std::llround(bodies);
      const Ensemble ensemble(ensemble_of(count, steps, 1, fast));
      std::vector<double> costs;
      for (int round = 0; round < (bodies < 1e6 ? 3 : 1); ++round) {
        const double begin = program_seconds();
        ensemble.follow();
        costs.push_back(1e9 * (program_seconds() - begin) / static_cast<double>(count * steps));
      }
      fmt::print("{},{},{:.4f}\n", count, fast ? 1 : 0, median(costs));
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace polhode::bench

int main(int count, char** arguments) {
  try {
    if (count > 1 && std::string_view(arguments[1]) == "--sizes")
      return polhode::bench::print_sizes(count > 2 ? std::atof(arguments[2]) : 1e7);
    return polhode::bench::print_table(count > 1 ? std::max(1, std::atoi(arguments[1])) : 15);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ensemble: {}\n", error.what());
    return 69;
  }
}
