// How far the closed form of the free body is off, in double (theta series) and in long double, over fifteen decades of
// time, beside the general form in 50 digits. One row per regime, scalar and time, as CSV on stdout; rotor_accuracy.py draws it.
#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <string_view>

#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/model/free_rotor.hpp"

namespace {

using namespace polhode;
using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using V = Vec3<double>;

struct Regime {
  std::string_view name;
  V inertia, pi_B;
};

const Regime regimes[] = {{"about the axis of the largest moment", {0.9, 1.1, 1.7}, {0.2, -0.6, 1.4}},
                          {"about the axis of the smallest moment", {0.9, 1.1, 1.7}, {1.3, 0.4, -0.5}},
                          {"symmetric", {1.1, 1.1, 1.9}, {0.4, 0.7, 0.9}},
                          {"a hair off the largest axis", {0.9, 1.1, 1.7}, {1e-9, 1e-9, 1.2}},
                          {"1e-6 from the separatrix", {2, 3, 6}, {0.75 * (1 + 5e-7), 0.3, 0.75}},
                          {"1e-15 from the separatrix", {2, 3, 6}, {0.75 * (1 + 5e-16), 0.3, 0.75}}};

Rotation<Big> exact_turn(const Vec3<Big>& inertia, const Vec3<Big>& pi_B, const Big& t) {
  return FreeMotion<Big>(inertia, pi_B).after(t).turn;
}

template <class T>
double attitude_error(const V& inertia, const V& pi_B, T t) {
  const Vec3<T> own_inertia = cast<T>(inertia), own_pi = cast<T>(pi_B);
  const State<T> s = FreeRotor<T>(own_inertia, State<T>{{}, own_pi, T(0)}).after(t);
  return static_cast<double>(
      angle_between(normalised(cast<Big>(s.R_SB)), exact_turn(cast<Big>(own_inertia), cast<Big>(own_pi), Big(t))));
}

// The largest change that rounding one of the seven inputs to a double can make.
double effect_of_rounding(const V& inertia, const V& pi_B, double t) {
  const Rotation<Big> exact = exact_turn(cast<Big>(inertia), cast<Big>(pi_B), Big(t));
  double largest = 0;
  for (std::size_t i = 0; i < 7; ++i) {
    for (const int sign : {-1, 1}) {
      const Big factor = 1 + Big(sign) * ldexp(Big(1), -53);
      Vec3<Big> moments = cast<Big>(inertia), pi = cast<Big>(pi_B);
      Big time(t);
      (i < 3 ? moments[i] : i < 6 ? pi[i - 3] : time) *= factor;
      largest = larger(largest, static_cast<double>(angle_between(exact_turn(moments, pi, time), exact)));
    }
  }
  return largest;
}

}  // namespace

int main() {
  fmt::print("regime,turned_rad,double,long_double,rounding_of_the_input\n");
  for (const Regime& regime : regimes) {
    const double rate = norm(over(regime.pi_B, regime.inertia));
    for (int i = -20; i <= 40; ++i) {
      const double turned = std::pow(10, 0.25 * i) * (1 + 0.01 * (i % 7)), t = turned / rate;
      fmt::print("{},{:.6g},{:.3g},{:.3g},{:.3g}\n", regime.name, turned,
                 attitude_error<double>(regime.inertia, regime.pi_B, t),
                 attitude_error<long double>(regime.inertia, regime.pi_B, t),
                 effect_of_rounding(regime.inertia, regime.pi_B, t));
    }
  }
}
