// Splittings with the exact free rotor: orders in quad, the commutator they rest on, and what they keep.
#include "polhode/methods/rotor_splitting.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/rotor_extrapolated.hpp"
#include "polhode/methods/rotor_force_gradient.hpp"

namespace polhode::test::rotor_splitting_test {
namespace {

using Nystrom6b = RotorSplitting<Nystrom6bShares>;
using Nystrom11b = RotorSplitting<Nystrom11bShares>;
using Nystrom14a = RotorSplitting<Nystrom14aShares>;

template <class F>
State<quad> reference(const System<quad, F>& system, double duration) {
  Work work;
  return integrate<Taylor<14>>(system, start_state<quad>(), quad(duration) / 400, 400, work);
}

// Slopes from the error at `steps` and at twice as many.
template <class M, class F>
MeasuredOrders slopes(const System<quad, F>& system, const State<quad>& exact, double duration, int steps) {
  Work work;
  const State<quad> coarse = integrate<M>(system, start_state<quad>(), quad(duration) / steps, steps, work);
  const State<quad> fine = integrate<M>(system, start_state<quad>(), quad(duration) / (2 * steps), 2 * steps, work);
  const auto slope = [](const quad& a, const quad& b) { return std::log2(static_cast<double>(a / b)); };
  return {slope(attitude_error(coarse, exact), attitude_error(fine, exact)),
          slope(momentum_error(coarse, exact), momentum_error(fine, exact))};
}

template <class M>
void expect_order(int steps, double tolerance = 0.2) {
  static const auto top = tilted_top<quad>();
  static const State<quad> exact = reference(top, 2);
  const MeasuredOrders seen = slopes<M>(top, exact, 2, steps);
  EXPECT_NEAR(seen.attitude, M::claims.order_attitude, tolerance) << M::about << " " << M::claims.order_attitude;
  EXPECT_NEAR(seen.momentum, M::claims.order_momentum, tolerance) << M::about << " " << M::claims.order_momentum;
}

TEST(RotorSplitting, OrdersInQuad) {
  expect_order<RotorVerlet>(20);
  expect_order<Nystrom6b>(40);
  expect_order<Nystrom11b>(20);
  expect_order<Nystrom14a>(20);
  expect_order<RotorForceGradient4>(20);
  expect_order<RotorExtrapolated<4>>(40);
  expect_order<RotorExtrapolated<6>>(40);
  expect_order<RotorExtrapolated<8>>(30);
  expect_order<RotorExtrapolated<10>>(30);
  expect_order<RotorExtrapolated<12>>(20);
  expect_order<RotorExtrapolated<14>>(12);
}

// A torque of time: the time moves with the drift, and the order stays.
template <class T>
struct SwingingGravity {
  HeavyTop<T> top = tilted_gravity<T>(0.5);
  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return S(cos(S(T(3)) * t)) * top.torque(R_SB, t);
  }
};

// And a drag: the kicks are then of second order only. Extrapolation removes that term, and not the odd one after it.
template <class T>
struct DraggedTop {
  HeavyTop<T> top = tilted_gravity<T>(0.5);
  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    const Vec3<S> drag{T(0.3) * w_B.x, T(0.2) * w_B.y * w_B.y, T(0.1) * w_B.z};
    return top.torque(R_SB, t) - drag;
  }
};

template <class M, class F>
void expect_order_in(const System<quad, F>& system, const State<quad>& exact, int order, int steps) {
  const MeasuredOrders seen = slopes<M>(system, exact, 1, steps);
  EXPECT_NEAR(seen.attitude, order, 0.3) << M::about;
  EXPECT_NEAR(seen.momentum, order, 0.3) << M::about;
}

TEST(RotorSplitting, OrdersInATorqueOfTime) {
  const System<quad, SwingingGravity<quad>> system{three_moments<quad>(), {}};
  const State<quad> exact = reference(system, 1);
  expect_order_in<RotorVerlet>(system, exact, 2, 20);
  expect_order_in<Nystrom6b>(system, exact, 4, 20);
  expect_order_in<Nystrom11b>(system, exact, 6, 20);
  expect_order_in<RotorForceGradient4>(system, exact, 4, 20);
  expect_order_in<Nystrom14a>(system, exact, 6, 20);
  expect_order_in<RotorExtrapolated<6>>(system, exact, 6, 40);
  expect_order_in<RotorExtrapolated<8>>(system, exact, 8, 30);
  expect_order_in<RotorExtrapolated<10>>(system, exact, 10, 30);
  expect_order_in<RotorExtrapolated<12>>(system, exact, 12, 20);
  expect_order_in<RotorExtrapolated<14>>(system, exact, 14, 12);
}

TEST(RotorSplitting, OrdersWithDrag) {
  const System<quad, DraggedTop<quad>> system{three_moments<quad>(), {}};
  const State<quad> exact = reference(system, 1);
  expect_order_in<RotorVerlet>(system, exact, orders_with_velocity(RotorVerlet::claims).attitude, 40);
  expect_order_in<Nystrom6b>(system, exact, orders_with_velocity(Nystrom6b::claims).attitude, 40);
  expect_order_in<RotorForceGradient4>(system, exact, orders_with_velocity(RotorForceGradient4::claims).attitude, 40);
  expect_order_in<RotorExtrapolated<6>>(system, exact, orders_with_velocity(RotorExtrapolated<6>::claims).attitude, 40);
}

// [V, [V, [V, T]]] = 0: along kicks the kinetic energy is a polynomial of second degree. The third difference vanishes
// to rounding, and the second does not.
TEST(RotorSplitting, TheThirdCommutatorVanishes) {
  const auto top = tilted_top<quad>();
  State<quad> s = start_state<quad>();
  Work work;
  std::vector<quad> energy;
  KeptTorque<quad> memory;
  for (int n = 0; n < 4; ++n) {
    energy.push_back(top.body.kinetic_energy(s.pi_B));
    kick(top, s, memory, quad(0.7), work);
  }
  EXPECT_LT(abs(energy[3] - 3 * energy[2] + 3 * energy[1] - energy[0]), quad(1e-32));
  const Vec3<quad> torque = top.field.torque(s.R_SB, quad(0));
  EXPECT_LT(abs(energy[2] - 2 * energy[1] + energy[0] - quad(0.7) * quad(0.7) * dot(torque, top.body.velocity(torque))),
            quad(1e-32))
      << "[V, [V, T]] = tau . I^-1 tau";
  EXPECT_EQ(work.torque_evaluations, 1);
}

// Kicks and drifts exchanged: what is left out is [T, [T, [T, V]]], which is not zero, and order 6 becomes 4.
template <class Shares>
struct Exchanged : KeepsTorque {
  static constexpr std::string_view about = "kicks and drifts exchanged";

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h, Work& work) {
    static const auto share = Shares::template make<T>();
    for (std::size_t i = 0; i < share.kick.size(); ++i) {
      drift(sys.body, s, T(share.kick[i] * h));
      memory.torque_known = false;
      if (i < share.drift.size()) kick(sys, s, memory, T(share.drift[i] * h), work);
    }
    return s;
  }
};

TEST(RotorSplitting, TheOrderRestsOnTheCommutator) {
  const auto top = tilted_top<quad>();
  expect_order_in<Exchanged<Nystrom11bShares>>(top, reference(top, 1), 4, 40);
}

// The printed digits [BM02, Table 3].
TEST(RotorSplitting, CoefficientsAsPrinted) {
  const auto expect_near = [](const auto& share, const std::vector<double>& printed) {
    for (std::size_t i = 0; i < printed.size(); ++i) EXPECT_NEAR(share[i], printed[i], 5e-15);
    double sum = 0;
    for (const double x : share) sum += x;
    EXPECT_NEAR(sum, 1, 1e-15);
  };
  const auto b6 = Nystrom6bShares::make<double>();
  expect_near(b6.kick, {0.0829844064174052, 0.396309801498368, -0.0390563049223486});
  expect_near(b6.drift, {0.245298957184271, 0.604872665711080});
  const auto b11 = Nystrom11bShares::make<double>();
  expect_near(b11.kick,
              {0.0414649985182624, 0.198128671918067, -0.0400061921041533, 0.0752539843015807, -0.0115113874206879});
  expect_near(b11.drift,
              {0.123229775946271, 0.290553797799558, -0.127049212625417, -0.246331761062075, 0.357208872795928});
  const auto a14 = Nystrom14aShares::make<double>();
  expect_near(a14.kick, {0.09171915262446165, 0.183983170005006, -0.05653436583288827, 0.004914688774712854,
                         0.143761127168358, 0.328567693746804});
  expect_near(a14.drift, {0.0378593198406116, 0.102635633102435, -0.0258678882665587, 0.314241403071447,
                          -0.130144459517415, 0.106417700369543, -0.00879424312851058});
}

TEST(RotorSplitting, Symmetry) {
  for (const double h : {0.05, 0.8}) {
    EXPECT_LT(symmetry_gap<RotorVerlet>(tilted_top(), start_state(), h, 30), 1e-13);
    EXPECT_LT(symmetry_gap<Nystrom6b>(tilted_top(), start_state(), h, 30), 1e-13);
    EXPECT_LT(symmetry_gap<Nystrom11b>(tilted_top(), start_state(), h, 30), 1e-13);
    EXPECT_LT(symmetry_gap<Nystrom14a>(tilted_top(), start_state(), h, 30), 1e-13);
    EXPECT_LT(symmetry_gap<RotorForceGradient4>(tilted_top(), start_state(), h, 30), 1e-13);
  }
  EXPECT_GT(symmetry_gap<RotorExtrapolated<6>>(tilted_top(), start_state(), 0.8, 30), 1e-9);
}

// Without torque every one of them is exact; a field that is there and weightless takes the long way to the same place.
template <class M>
void expect_free_motion() {
  const State<double> s = start_state();
  const FreeRotor<double> rotor(three_moments().inertia, s);
  const System<double, HeavyTop<double>> weightless{three_moments(), tilted_gravity(0)};
  Work work;
  const State<double> free = integrate<M>(free_body(), s, 0.5, 40, work);
  const State<double> through_kicks = integrate<M>(weightless, s, 0.5, 40, work);
  EXPECT_LT(distance(free, rotor.after(20)), 1e-13) << M::about;
  EXPECT_LT(distance(through_kicks, rotor.after(20)), 1e-13) << M::about;
}

TEST(RotorSplitting, FreeMotionIsExact) {
  expect_free_motion<RotorVerlet>();
  expect_free_motion<Nystrom6b>();
  expect_free_motion<Nystrom11b>();
  expect_free_motion<Nystrom14a>();
  expect_free_motion<RotorForceGradient4>();
  expect_free_motion<RotorExtrapolated<14>>();
}

// A top of revolution, where the drift is two rotations, has the same orders.
TEST(RotorSplitting, OrdersOnABodyOfRevolution) {
  const System<quad, HeavyTop<quad>> top{Body<quad>({quad(1), quad(1), quad(0.5)}), HeavyTop<quad>{quad(0.5)}};
  const State<quad> exact = reference(top, 1);
  expect_order_in<RotorVerlet>(top, exact, 2, 20);
  expect_order_in<Nystrom11b>(top, exact, 6, 20);
  expect_order_in<RotorExtrapolated<14>>(top, exact, 14, 12);
}

}  // namespace
}  // namespace polhode::test::rotor_splitting_test
