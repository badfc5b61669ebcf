// Cost of a tick per body: the step recommended for games, alone and in packs, beside what physics engines do, in one run.
//
//   engine               a table in Markdown
//   engine --summary     the promised ratios; exit code 1 if one is missed
//
// A thousand bodies of the kinds that games have, in an array, each a tenth of a radian a tick on average; a tick goes over all
// of them. Ticks of all candidates take turns, and a ratio is one of medians. Compiled as an engine would, with -O2 and
// nothing for one processor; packs choose their instructions when the program runs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../../tests/engine_bodies.hpp"
#include "../machine.hpp"
#include "peers.hpp"

namespace {

using namespace polhode;

constexpr unsigned bodies = 1000;
constexpr int rounds = 101, ticks_per_round = 10;

// Of this thread alone, so that what else runs counts only by what it takes from the caches and the units.
double now_ns() {
  std::timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

struct Candidate {
  std::string name;
  std::function<void()> tick;
  std::vector<double> times{};  // ns per body and tick

  double median() const {
    std::vector<double> sorted = times;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
  }
};

template <class T>
struct World {
  std::vector<Spin<T>> spins, pack;
  std::vector<Inertia<T>> inertias;
  std::vector<Vec3<T>> torques;
  std::vector<bench::engine::Peer<T>> euler, implicit, clamp;
  T h = T(1) / T(60);

  explicit World(bool pushed) {
    for (unsigned i = 0; i < bodies; ++i) {
      const EngineBody<T> body = engine_body<T>(i, 0.1 * 60);
      inertias.push_back(body.inertia);
      spins.push_back(body.spin);
      torques.push_back(pushed ? Vec3<T>{T(0.01), T(-0.02), T(0.015)} : Vec3<T>{});
      bench::engine::Peer<T> peer;
      const Rotation<T>& q = body.spin.R_SB;
      const Vec3<T> w = angular_velocity_spatial(body.spin, body.inertia);
      peer.q = {q.w, q.v.x, q.v.y, q.v.z};
      peer.w = {w.x, w.y, w.z};
      peer.torque = {torques[i].x, torques[i].y, torques[i].z};
      peer.inverse_inertia = {T(1 / body.moments[0]), T(1 / body.moments[1]), T(1 / body.moments[2])};
      bench::engine::turn_inertia(peer);
      euler.push_back(peer);
    }
    pack = spins;
    implicit = clamp = euler;
  }

  std::vector<Candidate> candidates(bool pushed) {
    const std::span<const Vec3<T>> push = pushed ? std::span<const Vec3<T>>(torques) : std::span<const Vec3<T>>{};
    return {{"semi-implicit Euler",
             [this] {
               for (auto& body : euler) bench::engine::semi_implicit_euler(body, h);
             }},
            {"implicit gyroscopic",
             [this] {
               for (auto& body : implicit) bench::engine::implicit_gyroscopic(body, h);
             }},
            {"momentum clamp",
             [this] {
               for (auto& body : clamp) bench::engine::momentum_clamp(body, h);
             }},
            {"polhode::step",
             [this] {
               for (unsigned i = 0; i < bodies; ++i) step(spins[i], inertias[i], torques[i], h);
             }},
            {"polhode::step_all", [this, push] { step_all<T>(pack, inertias, push, h); }}};
  }

  // That all have done the work: the bodies have turned and are finite, and packs are where single bodies are.
  bool worked() const {
    bool good = std::memcmp(spins.data(), pack.data(), bodies * sizeof spins[0]) == 0;
    for (const auto* peers : {&euler, &clamp})
      for (const auto& peer : *peers) good = good && std::isfinite(peer.q[0]) && std::isfinite(peer.w[0]);
    for (const auto& spin : spins) good = good && std::isfinite(spin.R_SB.w);
    return good;
  }
};

using Key = std::pair<std::string, std::string>;

template <class T>
void measure(const char* scalar, bool pushed, std::map<Key, double>& found, std::vector<std::string>& names) {
  World<T> world(pushed);
  std::vector<Candidate> candidates = world.candidates(pushed);
  for (int round = -5; round < rounds; ++round) {
    for (Candidate& candidate : candidates) {
      const double begin = now_ns();
      for (int tick = 0; tick < ticks_per_round; ++tick) candidate.tick();
      if (round >= 0) candidate.times.push_back((now_ns() - begin) / (ticks_per_round * bodies));
    }
  }
  if (!world.worked()) std::fprintf(stderr, "engine: a body was lost in %s\n", scalar), std::exit(1);
  const std::string setting = std::string(scalar) + (pushed ? ", torque" : ", free");
  names.push_back(setting);
  for (const Candidate& candidate : candidates) found[{candidate.name, setting}] = candidate.median();
}

}  // namespace

int main(int argc, char** argv) {
  const bool summary = argc > 1 && std::string_view(argv[1]) == "--summary";
  if (argc > 2 || (argc == 2 && !summary)) return std::fprintf(stderr, "usage: engine [--summary]\n"), 2;
  std::map<Key, double> found;
  std::vector<std::string> settings;
  for (const bool pushed : {false, true}) {
    measure<float>("float", pushed, found, settings);
    measure<double>("double", pushed, found, settings);
  }
  std::printf("ns per body and tick, and in steps of the implicit gyroscopic term; %s\n\n|  |",
              bench::machine_name().c_str());
  for (const std::string& setting : settings) std::printf(" %s |", setting.c_str());
  std::printf("\n|---|%s\n", "---:|---:|---:|---:|");
  for (const char* name :
       {"semi-implicit Euler", "implicit gyroscopic", "momentum clamp", "polhode::step", "polhode::step_all"}) {
    std::printf("| %s |", name);
    for (const std::string& setting : settings)
      std::printf(" %.1f, %.2f |", found[{name, setting}],
                  found[{name, setting}] / found[{"implicit gyroscopic", setting}]);
    std::printf("\n");
  }
  if (!summary) return 0;
  bool kept = true;
  for (const char* setting : {"float, free", "float, torque"}) {
    for (const auto& [name, promised] : {std::pair("polhode::step", 1.4), std::pair("polhode::step_all", 0.15)}) {
      const double ratio = found[{name, setting}] / found[{"implicit gyroscopic", setting}];
      std::printf("%s %s: %.2f of %.2f %s\n", setting, name, ratio, promised, ratio <= promised ? "kept" : "MISSED");
      kept = kept && ratio <= promised;
    }
  }
  return kept ? 0 : 1;
}
