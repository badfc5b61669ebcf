// Makes the reference files: every problem, or those named, integrated twice, compared, and written where they agree.
//
//   references [PROBLEM...]
//
// The files go to data/references of the source tree; build the library again to have them in it. Talk goes to stderr,
// and the rows of the table in docs/references.md to stdout.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/version.hpp>
#include <chrono>
#include <ctime>
#include <exception>

#include "odeint_motion.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/names.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/version.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/problems/reference_file.hpp"

namespace polhode {
namespace {

constexpr int digits = 36;  // as many as tell any two quads apart

std::string decimal(const Digits50& x) { return x.str(digits, std::ios_base::fmtflags()); }

ReferenceNode node_of(const State<Digits50>& s) {
  const auto& [w, v] = s.R_SB;
  return {decimal(s.t),
          {decimal(w), decimal(v.x), decimal(v.y), decimal(v.z)},
          {decimal(s.pi_B.x), decimal(s.pi_B.y), decimal(s.pi_B.z)}};
}

// So many intervals on each side of the start that the body, spinning as it does there, turns by less than eight
// radians in one; but no more than make a file of 100 kB.
int intervals(const Problem& problem) {
  const auto prepared = prepare<double>(problem.setup);
  const double rate = norm(prepared.body.velocity(prepared.start.pi_B));
  const double angle = rate * prepared.time_in(problem.reference_duration);
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::clamp(angle / 8, 16.0, 128.0))));
}

struct Disagreement {
  double attitude = 0, momentum = 0;

  void include(const State<Digits50>& a, const State<Digits50>& b) {
    include(attitude, attitude_error(a, b));
    include(momentum, momentum_error(a, b));
  }
  bool tolerable() const { return attitude <= largest_disagreement && momentum <= largest_disagreement; }

 private:
  // NaN is as bad as can be.
  static void include(double& largest, const Digits50& gap) {
    largest = isfinite(gap) ? std::max(largest, static_cast<double>(gap)) : std::numeric_limits<double>::infinity();
  }
};

// One direction of time with both integrators, each on its own from the start.
std::vector<ReferenceNode> half(const Problem& problem, double direction, Disagreement& disagreement) {
  const Setup& setup = problem.setup;
  OdeintMotion odeint(setup);
  State<quad> taylor = propagated<quad>(setup, setup.time);
  disagreement.include(odeint.state(), cast<Digits50>(taylor));
  std::vector<ReferenceNode> nodes{node_of(odeint.state())};
  const int count = intervals(problem);
  for (int i = 1; i <= count; ++i) {
    const quad t = quad(setup.time) + quad(direction * problem.reference_duration) * i / count;
    taylor = propagated(setup, taylor, t);
    disagreement.include(odeint.advance_to(Digits50(t)), cast<Digits50>(taylor));
    nodes.push_back(node_of(odeint.state()));
    if (i % (count / 4) == 0) {
      fmt::print(stderr, "  to t = {} s: disagreement {:.1e} rad, {:.1e} kg m^2/s\n", static_cast<double>(t),
                 disagreement.attitude, disagreement.momentum);
    }
  }
  return nodes;
}

ReferenceFile integrate(const Problem& problem) {
  Disagreement disagreement;
  std::vector<ReferenceNode> nodes = half(problem, -1, disagreement);
  std::reverse(nodes.begin(), nodes.end());
  nodes.pop_back();  // the start is the first of the other half
  const std::vector<ReferenceNode> future = half(problem, 1, disagreement);
  nodes.insert(nodes.end(), future.begin(), future.end());
  if (!disagreement.tolerable()) {
    throw Error(ErrorKind::run_failed,
                fmt::format("{}: the integrators disagree by {:.1e} rad and {:.1e} kg m^2/s, more than {}; a shorter "
                            "reference_duration may help",
                            problem.name, disagreement.attitude, disagreement.momentum, largest_disagreement));
  }
  ReferenceFile file;
  file.problem = problem.name;
  file.setup = to_json(problem.setup);
  file.version = version();
  file.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
  file.integrators = {
      {fmt::format("Boost.odeint {}.{} extrapolation_stepper", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000),
       "cpp_bin_float<50>", OdeintMotion::order, OdeintMotion::tolerance},
      {"Lie-Taylor", "binary128", reference_order<quad>,
       static_cast<double>(std::numeric_limits<quad>::epsilon())}};
  file.attitude_disagreement = disagreement.attitude;
  file.momentum_disagreement = disagreement.momentum;
  file.nodes = std::move(nodes);
  return file;
}

void make(const Problem& problem) {
  const auto begin = std::chrono::steady_clock::now();
  fmt::print(stderr, "{}: {} s forwards and backwards\n", problem.name, problem.reference_duration);
  const ReferenceFile file = integrate(problem);
  OutputFile output(fmt::format(POLHODE_SOURCE_DIR "/data/references/{}.json", problem.name));
  output.write(to_json(file));
  output.commit();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  fmt::print(stderr, "  {:.1f} s\n", taken.count());
  fmt::print("| `{}` | {} | {:.1e} | {:.1e} |\n", problem.name, problem.reference_duration, file.attitude_disagreement,
             file.momentum_disagreement);
  std::fflush(stdout);
}

const Problem& named(const std::string& name) {
  if (const Problem* problem = find_problem(name)) return *problem;
  std::vector<std::string> names;
  for (const Problem& problem : problems()) names.emplace_back(problem.name);
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorKind::bad_request,
              fmt::format("no problem named '{}'; {}", name,
                          nearest.empty() ? "'polhode problems' lists them" : "nearest: " + nearest));
}

int run(const std::vector<std::string>& names) {
  try {
    std::vector<const Problem*> wanted;
    for (const std::string& name : names) wanted.push_back(&named(name));
    if (names.empty()) {
      for (const Problem& problem : problems()) wanted.push_back(&problem);
    }
    for (const Problem* problem : wanted) make(*problem);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "references: {}\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace polhode

int main(int argc, char** argv) { return polhode::run({argv + 1, argv + argc}); }
