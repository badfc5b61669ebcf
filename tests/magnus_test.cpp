// The expansions of Magnus and Fer, and the commutator-free method: the flows that they are made of, and cases with a
// known answer.
#include "polhode/methods/magnus.hpp"

#include <gtest/gtest.h>

#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/core/tangent.hpp"
#include "polhode/methods/commutator_free.hpp"

namespace polhode::test::magnus_test {
namespace {

using Magnus6 = GaussExpansion<MagnusOfOrder6>;
using Fer4 = GaussExpansion<FerOfOrder4>;

// A velocity that does not commute with itself at other times, as a polynomial of the time.
RatesOverStep<quad> velocity(bool bent) {
  return {{{quad(0.3), quad(-0.8), quad(0.5)}, {}},
          {{quad(1.1), quad(0.2), quad(-0.6)}, {}},
          {bent ? Vec3<quad>{quad(-0.4), quad(0.7), quad(0.9)} : Vec3<quad>{}, {}}};
}

// R' = hat(w) R by the classical method in the Lie algebra, in many steps.
Rotation<quad> turned(const RatesOverStep<quad>& k, const quad& h) {
  const int steps = 400;
  const quad part = h / steps;
  const auto w = [&](const quad& t) { return k.a.w_S + t / h * k.b.w_S + t * t / (h * h) * k.c.w_S; };
  Rotation<quad> R;
  for (int n = 0; n < steps; ++n) {
    const quad t = part * n;
    const Vec3<quad> k1 = w(t), middle = w(t + part / 2), last = w(t + part);
    const Vec3<quad> k2 = dexpinv(Vec3<quad>(part / 2 * k1), middle), k3 = dexpinv(Vec3<quad>(part / 2 * k2), middle);
    const Vec3<quad> k4 = dexpinv(Vec3<quad>(part * k3), last);
    R = exp(Vec3<quad>(part / 6 * (k1 + quad(2) * (k2 + k3) + k4))) * R;
  }
  return R;
}

// A velocity w(t) with h as the unit of time: its derivatives grow with h as those of a fixed motion do.
template <class Expansion>
double error_of_flow(double h, bool bent) {
  RatesOverStep<quad> k = velocity(bent);
  k.b = quad(h) * k.b;
  k.c = quad(h * h) * k.c;
  return static_cast<double>(angle_between(Expansion::flow(k, quad(h), quad(1)), turned(k, quad(h))));
}

TEST(Expansions, FlowsHaveTheirLocalOrder) {
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  EXPECT_NEAR(order(error_of_flow<MagnusOfOrder6>(0.2, true), error_of_flow<MagnusOfOrder6>(0.1, true)), 7, 0.1);
  EXPECT_NEAR(order(error_of_flow<FerOfOrder4>(0.2, false), error_of_flow<FerOfOrder4>(0.1, false)), 5, 0.1);
}

// The flow over a part of a step is that of a shorter step with the same velocity.
TEST(Expansions, FlowOverAPartOfAStep) {
  const RatesOverStep<quad> k = velocity(true), straight = velocity(false);
  const quad h(0.4), u(0.3);
  const auto part = [&](const RatesOverStep<quad>& p) { return RatesOverStep<quad>{p.a, u * p.b, u * u * p.c}; };
  EXPECT_LT(angle_between(MagnusOfOrder6::flow(k, h, u), MagnusOfOrder6::flow(part(k), quad(u * h), quad(1))),
            quad(1e-32));
  EXPECT_LT(angle_between(FerOfOrder4::flow(straight, h, u), FerOfOrder4::flow(part(straight), quad(u * h), quad(1))),
            quad(1e-32));
}

TEST(Expansions, PolynomialsGoThroughTheirNodes) {
  const TwoNodes<quad> two;
  const ThreeNodes<quad> three;
  const RatesOverStep<quad> line = velocity(false), parabola = velocity(true);
  const auto value = [](const RatesOverStep<quad>& k, const quad& u) { return k.a + u * k.b + quad(u * u) * k.c; };
  const auto misfit = [](const RatesOverStep<quad>& a, const RatesOverStep<quad>& b) {
    return norm(a.a.w_S - b.a.w_S) + norm(a.b.w_S - b.b.w_S) + norm(a.c.w_S - b.c.w_S);
  };
  EXPECT_LT(misfit(two.through({value(line, two.at[0]), value(line, two.at[1])}), line), quad(1e-32));
  EXPECT_LT(
      misfit(three.through({value(parabola, three.at[0]), value(parabola, three.at[1]), value(parabola, three.at[2])}),
             parabola),
      quad(1e-32));
  // Gauss: 2 and 3 nodes integrate u^3 and u^5 exactly.
  quad cubes = 0, fifths = 0;
  for (const quad& u : two.at) cubes += u * u * u / 2;
  const std::array<quad, 3> weights{quad(5) / 18, quad(4) / 9, quad(5) / 18};
  for (std::size_t i = 0; i < 3; ++i) fifths += weights[i] * pow(three.at[i], 5);
  EXPECT_LT(abs(cubes - quad(1) / 4), quad(1e-32));
  EXPECT_LT(abs(fifths - quad(1) / 6), quad(1e-32));
}

template <class M>
class EveryExpansion : public testing::Test {};
using Expansions = testing::Types<Magnus4, Magnus6, Fer4, CommutatorFree4>;
TYPED_TEST_SUITE(EveryExpansion, Expansions);

// A free sphere turns about one axis: no bracket, no error but that of six products of rotations, two units each.
TYPED_TEST(EveryExpansion, SphereWithoutError) {
  const System sys{Body<double>({2, 2, 2}), Free{}};
  const State<double> s{{}, {0.6, -1.2, 2.4}, 0};
  Work work;
  const State<double> end = integrate<TypeParam>(sys, s, 0.7, 3, work);
  EXPECT_LT(angle_between(end.R_SB, exp(2.1 * sys.body.velocity(s.pi_B))), 12 * epsilon<double>());
}

// One step back undoes one step forth up to its local error only: none of them is symmetric.
TYPED_TEST(EveryExpansion, IsNotSymmetric) {
  EXPECT_GT(symmetry_gap<TypeParam>(tilted_top<double>(), start_state<double>(4), 0.2, 5), 1e-9);
}

}  // namespace
}  // namespace polhode::test::magnus_test
