// The free body without a method, for step_cost: its closed form set up and evaluated, alone and in lanes, and its short
// step.
#pragma once

#include <string_view>

#include "polhode/model/free_rotors.hpp"
#include "polhode/model/free_step.hpp"
#include "step_run.hpp"

namespace polhode::bench {
namespace {  // included once; with linkage of its own the compiler inlines more of it

// The closed form set up anew from the state of every step. free-exact, in the catalogue, takes short steps in between.
struct FromScratch {
  static constexpr std::string_view name = "FreeRotor from scratch";
};

template <>
struct Run<FromScratch, Free> {
  Vec3<double> inertia = opaque(body).inertia;
  State<double> s = opaque(initial);
  double h = opaque(step_size);

  explicit Run(const Free&) {}
  void step() { s = FreeRotor<double>(inertia, s).after(h); }
  bool finite() const { return all_finite(s); }
};

// The same set up for any time, without an evaluation: from the state that was turned round last.
struct ForLongTimes {
  static constexpr std::string_view name = "FreeRotor for long times";
};

template <>
struct Run<ForLongTimes, Free> {
  Vec3<double> inertia = opaque(body).inertia;
  State<double> s = opaque(initial);
  double farthest = opaque(1e9);
  bool wide = true;

  explicit Run(const Free&) {}
  void step() {
    const FreeRotor<double> rotor(inertia, s, farthest);
    benchmark::DoNotOptimize(&rotor);
    wide = wide && rotor.wide();
    s.pi_B = -s.pi_B;
  }
  bool finite() const { return wide; }
};

// Set up once, and evaluated at one time after the other: no evaluation waits for the one before.
struct Evaluated {
  static constexpr std::string_view name = "FreeRotor evaluated";
};

template <>
struct Run<Evaluated, Free> {
  FreeRotor<double> rotor = opaque(FreeRotor<double>(body.inertia, initial));
  State<double> s = initial;
  double h = opaque(step_size);
  int n = 0;

  explicit Run(const Free&) {}
  void step() {
    n = n < 10000 ? n + 1 : 0;
    s = rotor.after(h * static_cast<double>(n));
  }
  bool finite() const { return all_finite(s); }
};

// Eight at once, of one body or of eight, counted one by one: every eighth step does the work of all. Here, too, no evaluation
// waits for the one before, as it would if it read eight times together of which one has just been written.
template <class Rotor, std::size_t Width>
[[gnu::always_inline]] inline void evaluate_lanes(const Rotor& rotor, double first, double& sink) {
  using S = Lanes<double, 8, Width>;
  constexpr std::array<double, 8> later{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
  const auto s = rotor.after(S(first) + S::load(later));
  sink = (s.R_SB.w + s.R_SB.v.x + s.R_SB.v.y + s.R_SB.v.z + s.pi_B.x + s.pi_B.y + s.pi_B.z).sum();
}
template <template <std::size_t> class RotorOf>
POLHODE_AVX512 void evaluate_in_eights(const void* rotor, double first, double& sink) {
  evaluate_lanes<RotorOf<8>, 8>(*static_cast<const RotorOf<8>*>(rotor), first, sink);
}
template <template <std::size_t> class RotorOf>
POLHODE_AVX2 void evaluate_in_fours(const void* rotor, double first, double& sink) {
  evaluate_lanes<RotorOf<4>, 4>(*static_cast<const RotorOf<4>*>(rotor), first, sink);
}
template <template <std::size_t> class RotorOf>
[[gnu::flatten]] void evaluate_in_pairs(const void* rotor, double first, double& sink) {
  evaluate_lanes<RotorOf<2>, 2>(*static_cast<const RotorOf<2>*>(rotor), first, sink);
}

template <std::size_t>
using OneBody = FreeRotor<double>;
template <std::size_t Width>
using EightBodies = FreeRotors<8, Width>;
template <std::size_t Width>
struct EightOfBothKinds : FreeRotors<8, Width> {
  using FreeRotors<8, Width>::FreeRotors;
};

template <template <std::size_t> class RotorOf>
struct InLanes {};

template <template <std::size_t> class RotorOf>
struct Run<InLanes<RotorOf>, Free> {
  using Kernel = void (*)(const void*, double, double&);

  RotorOf<2> pairs = made<RotorOf<2>>();
  RotorOf<4> fours = made<RotorOf<4>>();
  RotorOf<8> eights = made<RotorOf<8>>();
  const void* rotor = &pairs;
  Kernel kernel = evaluate_in_pairs<RotorOf>;
  double h = opaque(step_size), sink = 0;
  int lane = 0, n = 0;

  explicit Run(const Free&) {
    if (instruction_set() == InstructionSet::avx512) {
      rotor = &eights;
      kernel = evaluate_in_eights<RotorOf>;
    } else if (instruction_set() == InstructionSet::avx2) {
      rotor = &fours;
      kernel = evaluate_in_fours<RotorOf>;
    }
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Of both kinds: the momentum of every other body goes round the axis of the largest moment.
  template <class Rotor>
  static Rotor made() {
    if constexpr (std::is_same_v<Rotor, FreeRotor<double>>) {
      return FreeRotor<double>(body.inertia, initial);
    } else {
      constexpr bool both_kinds = !std::is_same_v<RotorOf<8>, FreeRotors<8, 8>>;
      std::array<FreeRotor<double>, 8> bodies;
      for (std::size_t i = 0; i < 8; ++i) {
        State<double> start = initial;
        start.pi_B.z = both_kinds && i % 2 == 0 ? 1 : 0.01 * static_cast<double>(i);
        bodies[i] = FreeRotor<double>(body.inertia, start);
      }
      return Rotor(bodies);
    }
  }
  void step() {
    if (++lane < 8) return;
    lane = 0;
    n = n < 10000 ? n + 1 : 0;
    kernel(rotor, h * static_cast<double>(n), sink);
  }
  bool finite() const { return std::isfinite(sink); }
};

// The short exact step from state to state, in the vectors of this machine or in narrower ones.
template <int Lanes>
struct ShortStep {};

template <int Lanes>
struct Run<ShortStep<Lanes>, Free> {
  Body<double> moments = opaque(body);
  State<double> s = opaque(initial);
  double h = opaque(step_size);
  detail::FreeStepKernel kernel = opaque(kernel_of_lanes());

  explicit Run(const Free&) {}
  static detail::FreeStepKernel kernel_of_lanes() {
#if defined(__x86_64__)
    if (Lanes == 4 && __builtin_cpu_supports("avx2")) return detail::free_step_in_fours;
#endif
    return Lanes == 8 ? detail::free_step_kernel() : detail::free_step_in_pairs;
  }
  void step() {
    FreeTurn<double> moved;
    kernel(moved, moments, s.pi_B, h);
    s = {turned(s.R_SB, moved.turn), moved.pi_B, s.t + h};
  }
  bool finite() const { return all_finite(s); }
};

}  // namespace
}  // namespace polhode::bench
