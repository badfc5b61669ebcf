// The theta series of the free body, FreeRotor<double>, beside the general closed form in quad, which is made from other
// functions (AGM and Carlson's integrals): a thousand bodies in each regime, both sides of every switch, lanes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "polhode/core/quad.hpp"
#include "polhode/model/free_rotors.hpp"

namespace polhode::test::theta_rotor_test {
namespace {

using V = Vec3<double>;

#ifdef POLHODE_FUSED_PRODUCTS
constexpr bool products_are_fused = true;
#else
constexpr bool products_are_fused = false;
#endif

struct Drawn {
  V inertia, pi_B;
};

class Random {
 public:
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(engine_); }
  double sign() { return between(-1, 1) < 0 ? -1 : 1; }
  double power(double a, double b) { return std::pow(10, between(a, b)); }
  V normal() { return {gauss(), gauss(), gauss()}; }
  V moments() { return {between(0.3, 2), between(0.3, 2), between(0.3, 2)}; }
  V sorted() { return {between(0.3, 1), between(1, 1.5), between(1.5, 2)}; }
  std::size_t axis() { return static_cast<std::size_t>(between(0, 3)); }
  Rotation<double> attitude() { return normalised(Rotation<double>{gauss(), normal()}); }

 private:
  double gauss() { return std::normal_distribution<double>()(engine_); }
  std::mt19937_64 engine_{11};
};

double promise(double turned) { return turned <= 1000 ? 2e-15 + 1e-15 * turned : 4e-16 * (1 + turned); }

// Both errors in units of what is promised.
double share_of_promise(const V& inertia, const State<double>& start, double t, const State<double>& found) {
  const auto moved = FreeMotion<quad>(cast<quad>(inertia), cast<quad>(start.pi_B)).after(quad(t));
  const Rotation<quad> expected = normalised(Rotation<quad>(cast<quad>(start.R_SB) * moved.turn));
  const quad length = norm(cast<quad>(start.pi_B));
  const double attitude = static_cast<double>(angle_between(normalised(cast<quad>(found.R_SB)), expected));
  const double momentum = static_cast<double>(norm(cast<quad>(found.pi_B) - moved.pi_B) / (length > 0 ? length : 1));
  const double turned = norm(over(start.pi_B, inertia)) * std::abs(t);
  const double worst = attitude > momentum ? attitude : momentum;
  return std::isfinite(attitude + momentum) ? worst / promise(turned) : HUGE_VAL;
}

void expect_promise(const Drawn& body, Random& random, const std::string& name) {
  const State<double> start{random.attitude(), body.pi_B, 0};
  const double speed = norm(over(body.pi_B, body.inertia)), unit = speed > 0 ? 1 / speed : 1;
  const FreeRotor<double> rotor(body.inertia, start), wide(body.inertia, start, HUGE_VAL);
  for (const double turned : {0.0, 1e-3, 0.8, 7.0, 90.0, 999.0, 1001.0, 1e6}) {
    const double t = random.sign() * turned * unit * (turned < 500 ? random.between(0.5, 1) : 1);
    for (const FreeRotor<double>* tried : {&rotor, &wide}) {
      const double share = share_of_promise(body.inertia, start, t, tried->after(t));
      EXPECT_LE(share, 1) << name << (tried == &wide ? ", wide" : "") << ": t = " << t << ", I = " << body.inertia.x
                          << " " << body.inertia.y << " " << body.inertia.z << ", pi = " << body.pi_B.x << " "
                          << body.pi_B.y << " " << body.pi_B.z;
    }
  }
}

// pi_z such that k^2 = m, for a momentum around the axis of the largest moment, the third.
double around_largest(const V& I, const V& pi, double m) {
  const double bk = (I.z - I.y) * I.x, ck = (I.z - I.x) * I.y, cb = (I.y - I.x) * I.z;
  const double e_k = bk * pi.y * pi.y + ck * pi.x * pi.x;
  return std::sqrt(std::max((cb * e_k / (m * bk) - cb * pi.y * pi.y) / ck, 0.0));
}
// pi_z on the separatrix.
double on_separatrix(const V& I, const V& pi) { return pi.x * std::sqrt((I.y - I.x) * I.z / ((I.z - I.y) * I.x)); }

TEST(ThetaRotor, KeepsThePromiseInEveryRegime) {
  Random r;
  const auto permuted = [&](const V& I, const V& pi) {
    const std::size_t a = r.axis(), b = (a + (r.sign() < 0 ? 1 : 2)) % 3, c = 3 - a - b;
    return Drawn{{I[a], I[b], I[c]}, {pi[a], pi[b], pi[c]}};
  };
  const auto near_separatrix = [&](double least, double most) {
    const V I = r.sorted();
    V pi = r.normal();
    pi.z = on_separatrix(I, pi) * (1 + r.sign() * r.power(least, most)) * r.sign();
    return permuted(I, pi);
  };
  const std::vector<std::pair<std::string, std::function<Drawn()>>> regimes{
      {"random",
       [&] {
         return Drawn{r.moments(), r.normal()};
       }},
      {"units rescaled",
       [&] {
         return Drawn{r.power(-90, 90) * r.moments(), r.power(-90, 90) * r.normal()};
       }},
      {"moments of ratio 1e3",
       [&] {
         return Drawn{{r.power(-3, 0), r.power(-3, 0), r.power(-3, 0)}, r.normal()};
       }},
      {"symmetric",
       [&] {
         const double a = r.between(0.3, 2);
         V I{a, a, a};
         I[r.axis()] = r.between(0.3, 2);
         return Drawn{I, r.normal()};
       }},
      {"nearly symmetric, anywhere down to the equator",
       [&] {
         const double a = r.between(0.3, 2);
         V pi = r.normal();
         pi.z *= r.power(-16, 0);
         return permuted({a, a * (1 + r.power(-16, -3)), r.between(0.3, 2)}, pi);
       }},
      {"sphere",
       [&] {
         const double a = r.between(0.3, 2);
         return Drawn{{a, a, a}, r.normal()};
       }},
      {"nearly a sphere",
       [&] {
         const double a = r.between(0.3, 2);
         return permuted({a, a * (1 + r.power(-16, -3)), a * (1 - r.power(-16, -3))}, r.normal());
       }},
      {"principal axis",
       [&] {
         V pi{};
         pi[r.axis()] = r.between(-2, 2);
         return Drawn{r.moments(), pi};
       }},
      {"near a principal axis",
       [&] {
         V pi = r.power(-20, -1) * r.normal();
         pi[r.axis()] = r.between(-2, 2);
         return Drawn{r.moments(), pi};
       }},
      {"k^2 near 1/2",
       [&] {
         const V I = r.sorted();
         V pi = r.normal();
         pi.z = r.sign() * around_largest(I, pi, 0.5 + r.sign() * r.power(-16, -3));
         return permuted(I, pi);
       }},
      {"1 - k^2 from 1e-1 to 1e-8", [&] { return near_separatrix(-8, -1); }},
      {"1 - k^2 from 1e-8 to 1e-15", [&] { return near_separatrix(-15, -8); }}};
  for (const auto& [name, draw] : regimes)
    for (int n = 0; n < 60; ++n) expect_promise(draw(), r, name);
}

TEST(ThetaRotor, KeepsThePromiseOnTheSeparatrixAndBesideEverySwitch) {
  Random r;
  const V I{2, 3, 6};
  for (const double sign : {-1.0, 1.0}) {
    expect_promise({I, {0.75, -0.5, sign * 0.75}}, r, "separatrix");
    expect_promise({{6, 3, 2}, {0.75 * sign, 0.5, 0.75}}, r, "separatrix, axes the other way round");
    expect_promise({I, {0.75, -0.5, 0.75 * (1 + sign * 5e-16)}}, r, "next to the separatrix");
  }
  // Exact digits of e_b below a quarter of its terms; squares of the offset from the middle axis out of range below
  // 1e-100; squares of that from another axis below 1e-140.
  for (const double ratio : {0.7499, 0.7501, 0.5, 1e-9})
    expect_promise({I, {0.75, 0.2, 0.75 * std::sqrt(ratio)}}, r, "digits of e_b");
  for (const double offset : {1e-99, 1e-100, 1e-101, 1e-139, 1e-140, 1e-141, 1e-160, 1e-300}) {
    expect_promise({I, {offset, 1.2, -0.3 * offset}}, r, "off the middle axis");
    expect_promise({I, {1.2, offset, -0.3 * offset}}, r, "off the smallest axis");
    expect_promise({I, {0.4 * offset, offset, -1.2}}, r, "off the largest axis");
    expect_promise({{1.1, 1.1, 1.9}, {0.4, 0.7, offset}}, r, "off the equator");
  }
  expect_promise({I, {}}, r, "rest");
  expect_promise({I, {1e-320, 0, 0}}, r, "denormal");
}

// What cannot be told in double is not: no number beyond 2^50 phases or out of range is left without an answer.
TEST(ThetaRotor, AnswersAnyTime) {
  const V I{0.9, 1.1, 1.7};
  const State<double> start{{}, {1.3, 0.4, -0.5}, 0};
  const FreeRotor<double> rotor(I, start);
  for (const double t : {-1e14, 1e15, 1e17}) {
    const State<double> s = rotor.after(t);
    EXPECT_NEAR(squared_norm(s.R_SB), 1, 1e-15) << t;
    EXPECT_NEAR(norm(s.pi_B), norm(start.pi_B), 1e-15) << t;
  }
}

TEST(ThetaRotor, WideRatesOnlyWhereTheyAreAskedFor) {
  const V I{0.9, 1.1, 1.7};
  const State<double> start{{}, {0.2, -0.6, 1.4}, 0};
  const double speed = norm(over(start.pi_B, I));
  EXPECT_FALSE(FreeRotor<double>(I, start).wide());
  EXPECT_FALSE(FreeRotor<double>(I, start, 999 / speed).wide());
  EXPECT_TRUE(FreeRotor<double>(I, start, 1001 / speed).wide());
  EXPECT_TRUE(FreeRotor<double>(I, start, -1001 / speed).wide());
}

// What is always inlined would be twice in the function that asks for both: GCC takes much longer then.
template <class Rotor, class S>
[[gnu::noinline]] State<S> after(const Rotor& rotor, const S& elapsed) {
  return rotor.after(elapsed);
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(const V& a, const V& b) { return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z); }

template <std::size_t W>
void expect_lanes_as_alone() {
  using S = Lanes<double, 8, W>;
  Random r;
  std::array<FreeRotor<double>, 8> bodies;
  for (int n = 0; n < 50; ++n) {
    for (std::size_t i = 0; i < 8; ++i) {
      V pi = r.normal();
      if (n % 3 == 1) pi = {};                                                 // at rest, all of them
      if (n % 3 == 2 && i % 2 == 0) pi = {0.75, 0.5, 0.75 + 1e-9 * r.sign()};  // mixed with some next to the separatrix
      bodies[i] = FreeRotor<double>(i % 2 == 0 ? V{2, 3, 6} : r.moments(), {r.attitude(), pi, 0.5});
    }
    std::array<double, 8> times;
    for (double& t : times) t = r.between(-50, 50);
    if (n % 10 == 9) times[3] = 1e6;  // beyond rates in double
    const State<S> together = after(FreeRotors<8, W>(bodies), S::load(times));
    const State<S> at_times = after(bodies[2], S::load(times));
    for (std::size_t i = 0; i < 8; ++i) {
      const auto expect_same = [&](const State<S>& lanes, const State<double>& alone) {
        const Rotation<double> q{lanes.R_SB.w[i], {lanes.R_SB.v.x[i], lanes.R_SB.v.y[i], lanes.R_SB.v.z[i]}};
        const V pi{lanes.pi_B.x[i], lanes.pi_B.y[i], lanes.pi_B.z[i]};
        if (products_are_fused) {
          EXPECT_LE(norm(q.v - alone.R_SB.v) + std::abs(q.w - alone.R_SB.w), 1e-15) << n << " " << i;
          EXPECT_LE(norm(pi - alone.pi_B), 2e-15 * norm(alone.pi_B)) << n << " " << i;
        } else {
          EXPECT_TRUE(same_bits(q.w, alone.R_SB.w) && same_bits(q.v, alone.R_SB.v)) << n << " " << i;
          EXPECT_TRUE(same_bits(pi, alone.pi_B)) << n << " " << i;
        }
        EXPECT_EQ(lanes.t[i], alone.t);
      };
      expect_same(together, bodies[i].after(times[i]));
      expect_same(at_times, bodies[2].after(times[i]));
    }
  }
}

TEST(ThetaRotor, LanesAsAlone) {
  expect_lanes_as_alone<1>();
  expect_lanes_as_alone<4>();
  if constexpr (!products_are_fused) {  // there, what takes long to compile shows nothing more
    expect_lanes_as_alone<2>();
    expect_lanes_as_alone<8>();
  }
}

// Products of halves have no rounding, whatever the compiler fuses: this file is compiled both ways.
TEST(ExactProduct, LosesNothing) {
  Random r;
  for (int n = 0; n < 2000; ++n) {
    const double a = r.sign() * r.power(-5, 5), b = r.sign() * r.power(-5, 5);
    const DoubleDouble p = product(a, b), s = sum(a, b);
    EXPECT_LE(abs(quad(p.high) + quad(p.low) - quad(a) * quad(b)), quad(0x1p-104) * abs(quad(a) * quad(b)));
    EXPECT_EQ(quad(s.high) + quad(s.low), quad(a) + quad(b));
    const double head = leading(a);
    EXPECT_EQ(quad(head) * quad(leading(b)), quad(head * leading(b)));
    EXPECT_LE(std::abs(a - head), 0x1p-26 * std::abs(a));
  }
}

// The exponentials to two units of the last digit. In the circle 2.4e-16 comes from rounding half the angle, 3.3e-16 from
// that of its sine, which is squared and doubled, and 1.1e-16 from the last sum.
TEST(Phase, ExponentialsAndHalfTurns) {
  Random r;
  for (int n = 0; n < 2000; ++n) {
    const double x = r.between(-330, 330), y = r.between(-0.5, 0.5);
    const Exponentials<double> e(x);
    EXPECT_NEAR(static_cast<double>(quad(e.of_x) / exp(quad(x))), 1, 4.5e-16) << x;
    EXPECT_NEAR(static_cast<double>(quad(e.of_minus_x) * exp(quad(x))), 1, 4.5e-16) << x;
    const Complex<double> turn = half_turns(y);
    const quad angle = quad(y) * atan2(quad(0), quad(-1));
    EXPECT_NEAR(turn.re, static_cast<double>(cos(angle)), 7e-16) << y;
    EXPECT_NEAR(turn.im, static_cast<double>(sin(angle)), 7e-16) << y;
  }
}

}  // namespace
}  // namespace polhode::test::theta_rotor_test
