// Plug-ins for tests: listed methods under other names, one that claims too much, and some that go wrong.
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/plugin.hpp"

namespace {

using namespace polhode;

// Is of order 2.
struct ClaimsOrder4 : AxisSplitting<2, 3, 1> {
  static constexpr Claims claims = [] {
    Claims c = AxisSplitting<2, 3, 1>::claims;
    c.order_attitude = c.order_momentum = 4;
    return c;
  }();
};

struct GoesWrong {
  static constexpr std::string_view family = "Tests", cite = "none", about = "goes wrong in a step", good_for = "tests",
                                    not_for = "anything else";
  static constexpr Claims claims{.order_attitude = 1, .order_momentum = 1};
  struct Parameters {
    double how = 0;
  };
  static constexpr auto parameters() { return std::tuple{Parameter{"how", &Parameters::how, 0, 9, "what goes wrong"}}; }
  static constexpr Claims claims_for(const Parameters&) { return claims; }

  template <class T, class F>
  static State<T> step(const System<T, F>&, State<T> s, const Parameters& parameters, T h, Work&) {
    s.t = s.t + h;
    volatile int zero = 0, *nowhere = nullptr;
    switch (static_cast<int>(parameters.how)) {
      case 0: throw std::runtime_error("no such thing");
      case 1: throw 17;
      case 2: *nowhere = 1; break;
      case 3: zero = 7 / zero; break;
      case 4: std::abort();
      case 5: recurse(parameters.how); break;
      default: s.pi_B.x = T(std::numeric_limits<double>::quiet_NaN());
    }
    return s;
  }

  // Without end.
  static double recurse(double depth) {
    volatile double room[1000] = {depth};
    return depth < 0 ? room[0] : recurse(depth + 1) + room[999];
  }
};

}  // namespace

POLHODE_PLUGINS(polhode::Plugged<"plugged-axes", AxisSplitting<2, 3, 1>, double>,
                polhode::Plugged<"plugged-rkmk", MuntheKaas4, double, quad>,
                polhode::Plugged<"plugged-order-4", ClaimsOrder4, double>,
                polhode::Plugged<"plugged-wrong", GoesWrong, double>)
