// What the comparison with engines (bench/engine) rests on: the peers do the work of the methods that bear their names.
#include <gtest/gtest.h>

#include "../bench/engine/peers.hpp"
#include "kernel_measures.hpp"
#include "polhode/methods/engine_steps.hpp"

namespace polhode::test::engine_peers_test {
namespace {

namespace peers = polhode::bench::engine;
using V = Vec3<double>;

V vector(const peers::Triple<double>& v) { return {v[0], v[1], v[2]}; }
peers::Triple<double> triple(const V& v) { return {v.x, v.y, v.z}; }

const Body<double> body = three_moments();
const V torque_S{0.3, -0.2, 0.25};

peers::Peer<double> started() {
  const State<double> s = start_state(2);
  peers::Peer<double> peer;
  peer.q = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z};
  peer.w = triple(s.R_SB * body.velocity(s.pi_B));
  peer.torque = triple(torque_S);
  peer.inverse_inertia = triple(body.inverse_inertia);
  peers::turn_inertia(peer);
  return peer;
}
State<double> state_of(const peers::Peer<double>& peer) {
  const Rotation<double> R_SB{peer.q[0], {peer.q[1], peer.q[2], peer.q[3]}};
  return {R_SB, body.momentum(inverse(R_SB) * vector(peer.w)), 0};
}

// A hundred ticks of a fifth of a radian; h is the tick of a game or shorter.
template <class M>
double difference(void (*tick)(peers::Peer<double>&, double), double h) {
  peers::Peer<double> peer = started();
  for (int n = 0; n < 100; ++n) tick(peer, h);
  const System<double, ConstantSpatial<double>> system{body, ConstantSpatial<double>{torque_S}};
  Work work;
  const State<double> end = integrate<M>(system, start_state(2), h, 100, work);
  return distance(end, state_of(peer)) / norm(end.pi_B);
}

TEST(EnginePeers, DoTheWorkOfTheMethods) {
  for (const double h : {0.1, 1.0 / 60, 1e-3}) {
    EXPECT_LT(difference<EngineSemiImplicitEuler>(peers::semi_implicit_euler<double>, h), 1e-12) << h;
    EXPECT_LT(difference<EngineImplicitGyroscopic>(peers::implicit_gyroscopic<double>, h), 1e-12) << h;
    EXPECT_LT(difference<EngineMomentumClamp>(peers::momentum_clamp<double>, h), 1e-12) << h;
  }
}

// Each of them differs from the others by more than a rounding, so that the comparison above can tell.
TEST(EnginePeers, AreThreeDifferentThings) {
  EXPECT_GT(difference<EngineSemiImplicitEuler>(peers::implicit_gyroscopic<double>, 0.1), 1e-2);
  EXPECT_GT(difference<EngineImplicitGyroscopic>(peers::momentum_clamp<double>, 0.1), 1e-2);
  EXPECT_GT(difference<EngineMomentumClamp>(peers::semi_implicit_euler<double>, 0.1), 1e-2);
}

// The inverse inertia in space belongs to the attitude after the turn.
TEST(EnginePeers, TurnTheInertiaWithTheBody) {
  for (const auto tick : {peers::semi_implicit_euler<double>, peers::implicit_gyroscopic<double>}) {
    peers::Peer<double> peer = started();
    for (int n = 0; n < 10; ++n) tick(peer, 0.1);
    const Rotation<double> R_SB = state_of(peer).R_SB;
    for (const V& v : {V{1, 0, 0}, V{0, 1, 0}, V{0, 0, 1}}) {
      const V expected = R_SB * body.velocity(inverse(R_SB) * v);
      EXPECT_LT(norm(vector(peers::times(peer.inverse_inertia_S, triple(v))) - expected), 4e-15);
    }
  }
}

// A body at rest stays at rest, and no number is divided by zero; so does one that hardly turns go on turning.
TEST(EnginePeers, TakeBodiesAtRest) {
  for (const auto tick :
       {peers::semi_implicit_euler<double>, peers::implicit_gyroscopic<double>, peers::momentum_clamp<double>}) {
    peers::Peer<double> peer = started();
    peer.torque = {};
    peer.w = {};
    const peers::Peer<double> before = peer;
    tick(peer, 0.1);
    EXPECT_EQ(peer.w, before.w);
    EXPECT_LT(distance(state_of(peer), state_of(before)), 4e-16);
  }
}

}  // namespace
}  // namespace polhode::test::engine_peers_test
