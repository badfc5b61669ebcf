// How rounding adds up in a free body: the short step taken from state to state, and free-exact, against the closed form
// in quad at times that a double holds exactly. Sixteen random bodies at |w| = 1 rad/s; one row per step and number of
// steps, with the root of the mean square over the bodies (the largest for free-exact), as CSV on stdout.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/free_exact.hpp"

namespace {

using namespace polhode;
using V = Vec3<double>;

struct Motion {
  V inertia, pi_B;
};

std::vector<Motion> random_motions(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  std::vector<Motion> list;
  while (list.size() < count) {
    const V mass{uniform(random), uniform(random), uniform(random)};
    const V inertia{mass.y + mass.z, mass.z + mass.x, mass.x + mass.y};
    const V w{normal(random), normal(random), normal(random)};
    list.push_back({inertia, times(inertia, (1 / norm(w)) * w)});
  }
  return list;
}

struct Error {
  double energy = 0, length = 0, momentum_S = 0, attitude = 0;  // the first three relative
};

Error error_of(const Motion& m, const State<double>& s) {
  const Vec3<quad> inertia = cast<quad>(m.inertia), pi = cast<quad>(s.pi_B), pi_0 = cast<quad>(m.pi_B);
  const Rotation<quad> R = normalised(cast<quad>(s.R_SB));
  const quad length = norm(pi_0), energy = dot(pi_0, over(pi_0, inertia));
  return {static_cast<double>(dot(pi, over(pi, inertia)) / energy - 1), static_cast<double>(norm(pi) / length - 1),
          static_cast<double>(norm(R * pi - pi_0) / length),
          static_cast<double>(angle_between(R, FreeMotion<quad>(inertia, pi_0).after(quad(s.t)).turn))};
}

// The largest change of attitude that rounding one moment or one component of the momentum to a double can make.
double effect_of_rounding(const Motion& m, double t) {
  const Vec3<quad> inertia = cast<quad>(m.inertia), pi = cast<quad>(m.pi_B);
  const Rotation<quad> exact = FreeMotion<quad>(inertia, pi).after(quad(t)).turn;
  double largest = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    Vec3<quad> other_inertia = inertia, other_pi = pi;
    quad& rounded = i < 3 ? other_inertia[i] : other_pi[i - 3];
    rounded = rounded * (1 + ldexp(quad(1), -53));
    const Rotation<quad> other = FreeMotion<quad>(other_inertia, other_pi).after(quad(t)).turn;
    largest = larger(largest, static_cast<double>(angle_between(other, exact)));
  }
  return largest;
}

struct Tally {
  Error sum{}, largest{};

  void add(const Error& e) {
    for (const auto member : {&Error::energy, &Error::length, &Error::momentum_S, &Error::attitude}) {
      sum.*member += e.*member * e.*member;
      largest.*member = larger(largest.*member, std::abs(e.*member));
    }
  }
};

}  // namespace

int main() {
  const std::vector<Motion> motions = random_motions(16);
  // As far as free-exact goes from a state that it read off the closed form.
  const std::vector<int> counts{1023, 10015, 100031, 1000031};
  fmt::print(
      "step_rad,steps,drift_energy,drift_length,drift_momentum,drift_attitude,exact_energy,exact_momentum,"
      "exact_attitude,rounding_of_the_input\n");
  for (const double h : {1.0 / 512, 1.0 / 8, 7.0 / 8}) {
    std::vector<Tally> drifting(counts.size()), exact(counts.size());
    std::vector<double> rounding(counts.size(), 0);
    for (const Motion& m : motions) {
      const System<double, Free> system{Body<double>(m.inertia), {}};
      State<double> s{{}, m.pi_B, 0}, e = s;
      Work work;
      auto memory = start<FreeExact>(system, e, h, work);
      int n = 0;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        for (; n < counts[i]; ++n) {
          drift(system.body, s, h);
          e = advance<FreeExact>(system, e, memory, h, work);
        }
        drifting[i].add(error_of(m, s));
        exact[i].add(error_of(m, e));
        rounding[i] = larger(rounding[i], effect_of_rounding(m, s.t));
      }
    }
    const auto rms = [&](double sum) { return std::sqrt(sum / static_cast<double>(motions.size())); };
    for (std::size_t i = 0; i < counts.size(); ++i)
      fmt::print("{:.3g},{},{:.1e},{:.1e},{:.1e},{:.1e},{:.1e},{:.1e},{:.1e},{:.1e}\n", h, counts[i],
                 rms(drifting[i].sum.energy), rms(drifting[i].sum.length), rms(drifting[i].sum.momentum_S),
                 rms(drifting[i].sum.attitude), exact[i].largest.energy, exact[i].largest.momentum_S,
                 exact[i].largest.attitude, rounding[i]);
  }
}
