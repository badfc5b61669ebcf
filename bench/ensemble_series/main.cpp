// The power series of the quaternion in the packs of ensembles: what a body's simulated second costs on one core, in
// steps of Boost.odeint's runge_kutta4, where the error at the end of the problem free-mclachlan-zanna is 1e-9 or 1e-12
// rad.
//
//   build/bench/ensemble_series [ROUNDS]
//
// The kernels are those that polhode ensemble has, set by set. The packs of all methods and runge_kutta4 (one body, one
// step after the other, as in step_cost) take turns; medians of the ratios to the batch of runge_kutta4 just before.
// Clocks count the processor time of this thread. What the build has no packs of is left out.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "../machine.hpp"
#include "../step_run.hpp"
#include "ensemble/pack_kernels.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/free_motion.hpp"

namespace polhode::bench {
namespace {

using polhode_packs::BodyNumbers;
using polhode_packs::Field;
using polhode_packs::Kernel;

constexpr double duration = 100;  // [s], of the problem
constexpr double errors[] = {1e-9, 1e-12};

struct Candidate {
  std::string_view method;
  std::optional<double> goal[2];  // steps of runge_kutta4, at each of the errors
};
constexpr Candidate candidates[] = {{"quaternion-series-8", {1.86, {}}},
                                    {"quaternion-series-12", {{}, 2.58}},
                                    {"taylor-4", {}},
                                    {"mclachlan-reich-231", {}}};

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

struct Free64 {
  void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};

// Body 0 is the problem's; the others have moments and spins of their own, which changes nothing of the work.
BodyNumbers body_number(std::size_t i, double h) {
  BodyNumbers numbers{};
  const double other = 1 + 0.002 * static_cast<double>(i);
  numbers.attitude[0] = numbers.second = 1;
  numbers.step = h;
  for (std::size_t k = 0; k < 3; ++k) {
    numbers.inertia[k] = body.inertia[k] * (k == 1 ? other : 1);
    numbers.momentum_B[k] = initial.pi_B[k] / other;
  }
  return numbers;
}

// A pack from the start on, as an ensemble goes: all steps in one call.
class Pack {
 public:
  Pack(const Kernel& kernel, double h)
      : kernel_(kernel), memory_(static_cast<std::byte*>(::operator new[](kernel.bytes, std::align_val_t{64}))) {
    std::vector<BodyNumbers> bodies;
    for (std::size_t i = 0; i < kernel.width; ++i) bodies.push_back(body_number(i, h));
    kernel.start(memory_.get(), bodies.data(), nullptr, 0);
  }

  void take(long long steps) {
    kernel_.advance(memory_.get(), {taken_, taken_ + steps, false});
    taken_ += steps;
  }
  Rotation<double> attitude() const {
    double numbers[10];
    kernel_.read(memory_.get(), 0, numbers);
    return {numbers[0], {numbers[1], numbers[2], numbers[3]}};
  }

 private:
  const Kernel& kernel_;
  std::unique_ptr<std::byte[], Free64> memory_;
  long long taken_ = 0;
};

double error_at_end(const Kernel& kernel, long long steps) {
  static const Rotation<quad> exact =
      normalised(FreeMotion<quad>(cast<quad>(body.inertia), cast<quad>(initial.pi_B)).after(quad(duration)).turn);
  Pack pack(kernel, duration / static_cast<double>(steps));
  pack.take(steps);
  const double error = static_cast<double>(angle_between(normalised(cast<quad>(pack.attitude())), exact));
  return std::isfinite(error) ? error : HUGE_VAL;
}

// The fewest steps with which the end is as near as wanted; none where rounding keeps it away.
std::optional<long long> fewest_steps(const Kernel& kernel, double wanted) {
  constexpr long long most = 1 << 22;
  long long enough = 16;
  while (error_at_end(kernel, enough) > wanted)
    if ((enough *= 2) > most) return std::nullopt;
  long long too_few = enough / 2;
  while (enough - too_few > 1) {
    const long long between = (enough + too_few) / 2;
    (error_at_end(kernel, between) > wanted ? too_few : enough) = between;
  }
  return enough;
}

double seconds_of_runge_kutta() {
  constexpr int steps = 20000;
  Run<Classical, Free> run{Free{}};
  const double begin = processor_seconds();
  for (int n = 0; n < steps; ++n) run.step();
  const double seconds = processor_seconds() - begin;
  if (!run.finite()) std::abort();
  return seconds / steps;
}

double seconds_of_step(const Kernel& kernel, double h) {
  constexpr int steps = 4000;
  Pack pack(kernel, h);
  pack.take(16);
  const double begin = processor_seconds();
  pack.take(steps);
  return (processor_seconds() - begin) / (steps * static_cast<double>(kernel.width));
}

struct Row {
  const Candidate* candidate;
  const char* set;
  const Kernel* kernel;
  std::optional<long long> steps[2];
  std::vector<double> ns{}, units{};
};

std::vector<Row> rows_here() {
  std::vector<std::pair<const char*, std::span<const Kernel>>> sets{{"SSE2", polhode_packs::kernels_of_sse2()}};
  if (instruction_set() >= InstructionSet::avx2) sets.push_back({"AVX2", polhode_packs::kernels_of_avx2()});
  if (instruction_set() >= InstructionSet::avx512) sets.push_back({"AVX-512", polhode_packs::kernels_of_avx512()});
  std::vector<Row> rows;
  for (const Candidate& candidate : candidates)
    for (const auto& [name, kernels] : sets)
      for (const Kernel& kernel : kernels)
        if (kernel.field == Field::free && methods()[static_cast<std::size_t>(kernel.method)].name == candidate.method)
          rows.push_back({&candidate, name, &kernel, {}});
  return rows;
}

std::string cell(const Row& row, std::size_t k) {
  if (!row.steps[k]) return fmt::format("{:>30}", "-");
  const double per_second = median(row.units) * static_cast<double>(*row.steps[k]) / duration;
  const auto& goal = row.candidate->goal[k];
  const std::string against = goal ? fmt::format("{} {}", per_second <= *goal ? "<=" : "MISSED", *goal) : "";
  return fmt::format("{:8.4f} s{:8.2f}{:>12}", duration / static_cast<double>(*row.steps[k]), per_second, against);
}

}  // namespace
}  // namespace polhode::bench

int main(int argc, char** argv) {
  using namespace polhode::bench;
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 41;
  std::vector<Row> rows = rows_here();
  for (Row& row : rows)
    for (std::size_t k = 0; k < 2; ++k) row.steps[k] = fewest_steps(*row.kernel, errors[k]);
  std::vector<double> runge_kutta;
  for (int n = 0; n < rounds; ++n) {
    for (Row& row : rows) {
      const double unit = seconds_of_runge_kutta(), step = seconds_of_step(*row.kernel, 0.1);
      runge_kutta.push_back(1e9 * unit);
      row.ns.push_back(1e9 * step);
      row.units.push_back(step / unit);
    }
  }
  fmt::print("{}; runge_kutta4 {:.1f} ns a step; medians of {}\n", machine_name(), median(runge_kutta), rounds);
  fmt::print("{:24}{:9}{:>8}{:>8}", "", "", "ns", "steps");
  for (const double error : errors) fmt::print("{:>30}", fmt::format("step and cost at {:g}", error));
  fmt::print("\n");
  for (const Row& row : rows)
    fmt::print("{:24}{:9}{:8.2f}{:8.3f}{}{}\n", row.candidate->method, row.set, median(row.ns), median(row.units),
               cell(row, 0), cell(row, 1));
  fmt::print(
      "ns and steps of runge_kutta4 of a body's step; cost: steps of runge_kutta4 for a simulated second, and the "
      "goal\n");
}
