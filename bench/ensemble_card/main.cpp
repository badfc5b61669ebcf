// Body-steps a second on a graphics card, of ten million bodies whose states stay there: bench/ensemble_card [BODIES].
//
// What a kernel could reach at most is measured beside it: products with sums in registers, and a pass over memory in
// place. Every figure is the median of several, by the processor's clock around work that takes much longer than to start it.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ensemble/card.hpp"
#include "peaks.hpp"
#include "polhode/core/error.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode::bench {
namespace {

using polhode_packs::BodyNumbers;
using polhode_packs::Field;

struct Case {
  std::string_view what, method;
  Field field;
  bool single;
  double half_angle;  // that of no turn of a step is larger [rad]
  bool own_moments;   // or all bodies have the same
  long long steps;    // of a launch
  double goal;        // body-steps a second; 0: none
};

constexpr double small = 0.1, ordinary = 0.3, large = 1.5;

constexpr Case cases[] = {
    {"splitting, free", "mclachlan-reich-231", Field::free, false, ordinary, true, 100, 1.1e11},
    {"splitting, free, half angles up to 1.5", "mclachlan-reich-231", Field::free, false, large, true, 100, 8.5e10},
    {"splitting, heavy top", "mclachlan-reich-231", Field::heavy_top, false, ordinary, true, 100, 7.5e10},
    {"splitting, heavy top, half angles up to 1.5", "mclachlan-reich-231", Field::heavy_top, false, large, true, 100,
     6e10},
    {"splitting, free, one step a launch", "mclachlan-reich-231", Field::free, false, ordinary, false, 1, 3.5e10},
    {"the same, moments of its own", "mclachlan-reich-231", Field::free, false, ordinary, true, 1, 0},
    {"splitting, free, plain float", "mclachlan-reich-231", Field::free, true, ordinary, true, 100, 2.3e11},
    {"splitting, gravity gradient", "mclachlan-reich-231", Field::gravity_gradient, false, ordinary, true, 100, 0},
    {"rotor-verlet, heavy top, half angles up to 0.1", "rotor-verlet", Field::heavy_top, false, small, true, 100,
     2.6e10},
    {"rotor-verlet, heavy top", "rotor-verlet", Field::heavy_top, false, ordinary, true, 100, 0},
    {"power series of order 12, free", "quaternion-series-12", Field::free, false, ordinary, true, 100, 9e9},
    {"lie-verlet, heavy top", "lie-verlet", Field::heavy_top, false, ordinary, true, 100, 0},
    {"no-squish, free", "no-squish", Field::free, false, ordinary, true, 100, 0},
    {"rkmk-4, heavy top", "rkmk-4", Field::heavy_top, false, ordinary, true, 100, 0},
    {"taylor-4, free", "taylor-4", Field::free, false, ordinary, true, 100, 0},
    {"closed form, 700 rad later", "free-exact", Field::free, false, 350, true, 1, 5e9},
};

// Some thousand bodies, over and over.
std::vector<BodyNumbers> bodies_of(const Case& one, std::size_t count) {
  constexpr std::size_t different = 8192;
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<BodyNumbers> some;
  double fastest = 0;  // |pi| over the smallest moment: no component of an angular velocity is larger
  for (std::size_t i = 0; i < different; ++i) {
    BodyNumbers body{};
    const double moments[3] = {0.9 + 0.2 * uniform(random), 1.2 + 0.2 * uniform(random), 1.5 + 0.3 * uniform(random)};
    constexpr double same[3] = {0.9144, 1.098, 1.66};
    std::copy_n(one.own_moments ? moments : same, 3, body.inertia);
    double q[4], length = 0;
    for (double& x : q) x = normal(random), length += x * x;
    for (int k = 0; k < 4; ++k) body.attitude[k] = q[k] / std::sqrt(length);
    double w[3], rate = 0;
    for (double& x : w) x = normal(random), rate += x * x;
    const double to = (0.5 + 0.5 * uniform(random)) / std::sqrt(rate);
    for (int k = 0; k < 3; ++k) body.momentum_B[k] = body.inertia[k] * w[k] * to;  // |w| from a half to one
    fastest = std::max(fastest, std::hypot(body.momentum_B[0], body.momentum_B[1], body.momentum_B[2]) /
                                    *std::min_element(body.inertia, body.inertia + 3));
    body.second = 1;
    if (one.field == Field::heavy_top) {  // weight times arm, axis in the body, up
      const double numbers[7] = {0.3, 0, 0, 1, 0, 0, 1};
      std::copy_n(numbers, 7, body.field);
    }
    if (one.field == Field::gravity_gradient) {  // mean motion, normal of the orbit, radius
      const double numbers[7] = {0.01, 0, 0, 1, 1, 0, 0};
      std::copy_n(numbers, 7, body.field);
    }
    some.push_back(body);
  }
  for (BodyNumbers& body : some) body.step = 2 * one.half_angle / fastest;
  std::vector<BodyNumbers> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = some[i % different];
  return all;
}

double seconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

const polhode_card::Kernel* kernel_of(const Case& one) {
  for (std::size_t i = 0; i < methods().size(); ++i)
    if (methods()[i].name == one.method) return card_kernel(static_cast<int>(i), one.field, one.single);
  return nullptr;
}

std::optional<double> body_steps_per_second(const Case& one, std::size_t count) {
  const polhode_card::Kernel* kernel = kernel_of(one);
  if (kernel == nullptr) return std::nullopt;
  CardBodies bodies(*kernel, count);
  const std::vector<BodyNumbers> all = bodies_of(one, count);
  long long taken = 0;
  const auto launch = [&] {
    bodies.advance({taken, taken + one.steps, false});
    taken += one.steps;
  };
  const auto begin = [&] {
    bodies.start(all);
    taken = 0;
    launch();
    bodies.finish();
  };
  begin();
  constexpr double long_enough = 0.15;
  const double once = seconds_of([&] { launch(), bodies.finish(); });
  // Long steps in a field are chaotic: after a thousand of them some bodies turn ten times as fast as they did.
  const bool chaotic = one.field != Field::free && one.half_angle >= large;
  const int launches = chaotic ? 1 : std::max(1, static_cast<int>(long_enough / once));
  std::vector<double> rates;
  for (int round = 0; round < 5; ++round) {
    if (chaotic) begin();
    const double seconds = seconds_of([&] {
      for (int i = 0; i < launches; ++i) launch();
      bodies.finish();
    });
    rates.push_back(static_cast<double>(count) * static_cast<double>(launches * one.steps) / seconds);
  }
  const auto failed = bodies.failed();
  if (std::any_of(failed.begin(), failed.end(), [](unsigned char x) { return x != 0; }))
    throw Error(ErrorKind::run_failed, fmt::format("{}: a step failed, and the time says nothing", one.what));
  return median(rates);
}

int measure(std::size_t count) {
  const CardInfo card = find_card();
  const Peaks peaks = measured_peaks();
  fmt::print("{}, driver for CUDA {}, {:%Y-%m-%d}; {} bodies, products and sums {}\n", card.name, driver_version(),
             fmt::localtime(std::time(nullptr)), count, card.fused ? "fused" : "not fused");
  fmt::print("products with sums: {:.1f} Tflop/s in double, {:.1f} in float; memory in place: {:.2f} TB/s\n\n",
             peaks.flops_double / 1e12, peaks.flops_float / 1e12, peaks.bytes / 1e12);
  fmt::print("| | steps a launch | body-steps/s | goal |\n|---|---:|---:|---:|\n");
  int missed = 0;
  for (const Case& one : cases) {
    const std::optional<double> rate = body_steps_per_second(one, count);
    const std::string goal = one.goal == 0 ? "" : fmt::format("{:.2g}", one.goal);
    if (!rate) {
      fmt::print("| {} | {} | no kernel in this build | {} |\n", one.what, one.steps, goal);
      continue;
    }
    const bool reached = *rate >= one.goal;
    if (!reached) ++missed;
    fmt::print("| {} | {} | {:.3g} | {}{} |\n", one.what, one.steps, *rate, goal, reached ? "" : ", missed");
    std::fflush(stdout);
  }
  fmt::print("\n{} goals missed\n", missed);
  return 0;
}

}  // namespace
}  // namespace polhode::bench

int main(int count, char** arguments) {
  try {
    return polhode::bench::measure(count > 1 ? static_cast<std::size_t>(std::atoll(arguments[1])) : 10000000);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ensemble_card: {}\n", error.what());
    return 69;
  }
}
