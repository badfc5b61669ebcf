// Time may run either way, and a pulse may begin and end anywhere: what a run backwards shows is the motion of the mirrored
// situation forwards, a symmetric method finds its way back, and a pulse is what it is made of, motions under constant
// torques and a blow.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "descriptions.hpp"
#include "method_names.hpp"

namespace polhode::test::time_and_pulses_test {
namespace {

constexpr double h = 0.05;
constexpr int steps = 20;
constexpr double begin = 0.25;  // where body_under() starts

// Places in the grid of steps, and next to it.
double at(double step) { return begin + step * h; }

Pulse<double> pulse(double from_step, double until_step, const V& impulse) {
  return {{0.3, 0.4, -0.2}, at(from_step), at(until_step), impulse};
}

// On a step, next to it, and within one: as beginning and as end, with a blow and without, and under way when the run
// begins. Backwards the steps count down from the start. Up to 1e-9 of a step next to one is on it.
std::vector<Torques> pulses() {
  const V blow{-0.12, 0.2, 0.15}, none{};
  std::vector<Torques> all;
  for (const int way : {1, -1}) {
    const auto add = [&](double from, double until, const V& impulse) {
      const double a = std::min(way * from, way * until), b = std::max(way * from, way * until);
      all.push_back({pulse(a, b, impulse)});
    };
    for (const double end : {11.0, 11 + 1e-5, 11 - 1e-8, 10.6}) {
      for (const double start : {4.0, 4 + 1e-8, 4 - 1e-5, 3.3}) add(start, end, blow);
      add(end, end, blow);
    }
    add(4.2, 4.7, none);       // within one step
    add(-3, 9.5, blow);        // since before the start
    add(6 + 1e-5, 300, blow);  // without an end
    all.push_back({pulse(way * 5.5 - 2, way * 5.5 + 2, blow), pulse(way * 7.0 - 2, way * 7.0 + 2, none)});
  }
  return all;
}

std::vector<Situation> pulsed() {
  std::vector<Situation> all;
  for (const Torques& some : pulses()) {
    for (const bool heavy : {false, true}) {
      Torques torques = some;
      if (heavy) torques.emplace_back(Described<HeavyTop<double>>::sample());
      all.push_back(body_under(torques));
    }
  }
  return all;
}

bool ends_at(const Situation& s, double t) {
  return std::any_of(s.torques.begin(), s.torques.end(), [&](const auto& torque) {
    const auto* one = std::get_if<Pulse<double>>(&torque);
    return one != nullptr && std::abs(one->until - t) < 1e-9 * h;
  });
}

std::string told_pulses(const Situation& s) {
  std::string text;
  for (const auto& torque : s.torques)
    if (const auto* one = std::get_if<Pulse<double>>(&torque))
      text += " from step " + std::to_string((one->from - begin) / h) + " until " +
              std::to_string((one->until - begin) / h);
  return text;
}

// At the moment of a blow either run shows what is after it, in its own direction of time.
void expect_mirrored(const Situation& s, const std::string& method) {
  const Motion back = motion_of(s, by(method, h, -steps * h));
  const Motion there = motion_of(mirrored(s), by(method, h, steps * h));
  ASSERT_EQ(back.rows.size(), steps + 1U);
  ASSERT_EQ(there.rows.size(), steps + 1U);
  for (std::size_t i = 0; i < back.rows.size(); ++i) {
    Row a = back.rows[i], b = mirrored(there.rows[i]);
    if (ends_at(s, a.t)) a.w_B = b.w_B, a.l_S = b.l_S, a.energy = b.energy;
    EXPECT_LT(distance(a, b), rounding(method, back)) << method << ", row " << i << told_pulses(s);
  }
  if (ends_at(s, back.end().t)) return;
  const Summary a = summary_of(back.result), b = summary_of(there.result);
  const double size = norm(back.rows[0].l_S) * (1 + norm(back.rows[0].w_B)), allowed = size * rounding(method, back);
  EXPECT_NEAR(a.energy_change, b.energy_change, allowed) << method;
  EXPECT_NEAR(a.momentum_change, b.momentum_change, allowed) << method;
  EXPECT_NEAR(a.energy_error_max, b.energy_error_max, allowed) << method;
  EXPECT_NEAR(a.drift, -b.drift, allowed / h) << method;  // per second
  EXPECT_NEAR(a.uncertainty, b.uncertainty, allowed / h) << method;
}

// Whatever the method: h and the momentum change their signs, and their product does not.
TEST(Backwards, EveryMethodFollowsTheMirroredMotion) {
  std::vector<std::string> names = tested_names();
  names.insert(names.end(), {"taylor-2+energy/3", "rkmk-4+energy/7", "lie-verlet@kahan-li-8+energy/2"});
  for (const std::string& method : names) {
    if (depends_on_the_second(method)) continue;
    expect_mirrored(body_under({}), method);
    if (!takes_torque(parse_method(method).claims)) continue;
    for (const auto& torque : every_kind()) expect_mirrored(body_under({torque}), method);
  }
}

const std::vector<std::string> suffixed{"taylor-4",
                                        "taylor-2+energy",
                                        "rkmk-4+energy/3",
                                        "mclachlan-reich-231@suzuki",
                                        "lie-verlet@kahan-li-6+energy/2",
                                        "rotor-verlet@triple-jump",
                                        "abm4",
                                        "picard-lobatto-8"};

TEST(Backwards, PulsesAreMirroredWhereverTheyBeginAndEnd) {
  for (const Situation& s : pulsed())
    for (const std::string& method : suffixed) expect_mirrored(s, method);
}

Situation from(Situation s, const Row& row) {
  s.attitude = told(row.R_SB);
  s.motion = {MotionData::Kind::angular_momentum_spatial, row.l_S};
  s.time = row.t;
  return s;
}

// There and back again through everything on the way. Methods whose memory is a part of their state begin anew at the turn,
// and need not return.
TEST(Backwards, ASymmetricMethodReturns) {
  for (const std::string& method : tested_names()) {
    const Claims claims = parse_method(method).claims;
    if (!claims.symmetric || !claims.composes || !takes_torque(claims)) continue;
    std::vector<Situation> situations;
    for (const auto& torque : every_kind()) {
      const bool by_velocity = std::visit(
          [](const auto& field) { return !AttitudeTorqueField<std::decay_t<decltype(field)>, double>; }, torque);
      // The steps of most are symmetric in torques of attitude and time only.
      if (!by_velocity || claims.gains_with_velocity == Gains::all) situations.push_back(body_under({torque}));
    }
    if (method.find('@') == std::string::npos) {
      const auto all = pulsed();
      situations.insert(situations.end(), all.begin(), all.end());
    }
    for (const Situation& s : situations) {
      const Motion there = motion_of(s, by(method, h, steps * h));
      const Motion back = motion_of(from(s, there.end()), by(method, h, -steps * h));
      ASSERT_FALSE(there.result.failure || back.result.failure) << method;
      EXPECT_LT(distance(there.rows.front(), back.end()), rounding(method, 2 * steps)) << method << told_pulses(s);
    }
  }
}

// A run that does not end on a step takes a last one that is as short as it has to be.
TEST(LastStep, IsOneOfThatLength) {
  for (const auto& torque : every_kind()) {
    const Situation s = body_under({torque});
    for (const std::string method : {"taylor-2", "rkmk-4+energy", "lie-verlet@suzuki", "rotor-verlet"}) {
      for (const double end : {20.3, -20.3, 19 + 1e-6, -0.7}) {
        const Motion motion = motion_of(s, by(method, h, end * h));
        const auto whole = static_cast<std::size_t>(std::abs(end));
        ASSERT_EQ(motion.rows.size(), whole + 2);
        const double rest = motion.end().t - motion.rows[whole].t;
        EXPECT_NEAR(rest, (end - std::trunc(end)) * h, 4 * eps);
        const Motion last = motion_of(from(s, motion.rows[whole]), by(method, std::abs(rest), rest));
        EXPECT_LT(distance(motion.end(), last.end()), rounding(method, 1)) << method << ", " << kind_of(torque);
      }
    }
  }
}

// ---- by hand: every part of a step under the torque that acts in it, and blows in between

class ByHand {
 public:
  ByHand(Situation situation, std::string method) : s_(std::move(situation)), method_(std::move(method)) {
    for (const auto& torque : s_.torques) {
      if (const auto* one = std::get_if<Pulse<double>>(&torque)) {
        pulses_.push_back(*one);
      } else {
        others_.push_back(torque);
      }
    }
  }

  // From the row to time b. A blow is given on arrival forwards, and taken back on departure backwards.
  Row advanced(Row row, double b) const {
    const bool forwards = b > row.t;
    std::vector<double> cuts;
    for (const auto& one : pulses_)
      for (const double cut : {one.from, one.until}) {
        const bool between = std::min(row.t, b) + 1e-9 * h < cut && cut < std::max(row.t, b) - 1e-9 * h;
        if (between) cuts.push_back(cut);
      }
    std::sort(cuts.begin(), cuts.end());
    if (!forwards) std::reverse(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    cuts.push_back(b);
    for (const double end : cuts) {
      if (!forwards) row.l_S = row.l_S - blow_at(row.t);
      row = part(row, end);
      if (forwards) row.l_S = row.l_S + blow_at(end);
    }
    return row;
  }

 private:
  V blow_at(double t) const {
    V sum{};
    for (const auto& one : pulses_)
      if (std::abs(one.until - t) < 1e-9 * h) sum += one.impulse_S;
    return sum;
  }

  Row part(const Row& row, double end) const {
    Situation s = from(s_, row);
    s.torques = others_;
    const double middle = 0.5 * (row.t + end);
    V torque_S{};
    for (const auto& one : pulses_)
      if (one.from < middle && middle < one.until) torque_S += one.torque_S;
    s.torques.emplace_back(ConstantSpatial<double>{torque_S});
    Row reached = motion_of(s, by(method_, std::abs(end - row.t), end - row.t)).end();
    reached.t = end;
    return reached;
  }

  Situation s_;
  std::string method_;
  std::vector<Pulse<double>> pulses_;
  Torques others_;
};

// A blow changes the velocity in the moment it comes; the row by hand knows the new momentum only.
double distance_of_state(const Row& a, const Row& b) {
  return std::max({angle_between(a.R_SB, b.R_SB), norm(a.l_S - b.l_S) / norm(a.l_S), std::abs(a.t - b.t)});
}

TEST(Pulses, AreMotionsUnderConstantTorquesAndBlows) {
  std::vector<Situation> all = pulsed();
  // One that ends where the run begins: it has no effect, or the run begins with taking the blow back.
  all.push_back(body_under({pulse(-4, 0, {-0.12, 0.2, 0.15})}));
  for (const Situation& s : all) {
    for (const std::string method : {"taylor-4", "mclachlan-reich-231@suzuki"}) {
      for (const int way : {1, -1}) {
        const Motion motion = motion_of(s, by(method, h, way * steps * h));
        ASSERT_EQ(motion.rows.size(), steps + 1U);
        const ByHand hand(s, method);
        Row row = motion.rows.front();
        for (int n = 1; n <= steps; ++n) {
          row = hand.advanced(row, at(way * n));
          const Row& seen = motion.rows[static_cast<std::size_t>(n)];
          ASSERT_LT(distance_of_state(seen, row), rounding(method, steps))
              << method << ", step " << way * n << told_pulses(s);
        }
      }
    }
  }
}

// What auto compares methods with takes blows back as well when it looks backwards: else no method would seem to be there.
TEST(Pulses, AutoKnowsThemInBothDirections) {
  for (const int way : {1, -1}) {
    Situation s = body_under({pulse(way * 8.0 - 3, way * 8.0 + 2, {-0.12, 0.2, 0.15})});
    SelectionRequest request;
    request.setup = s;
    request.duration = way * steps * h;
    request.tolerance = 1e-7;
    request.goal = Goal::torque_evaluations;
    const Selection selection = choose_method(request);
    EXPECT_TRUE(selection.reaches);
    const Motion chosen = motion_of(s, by(selection.method.name, selection.step, request.duration));
    const Motion exact = motion_of(s, by("taylor-12", h / 4, request.duration));
    EXPECT_LT(angle_between(chosen.end().R_SB, exact.end().R_SB), 1e-7) << selection.method.name;
  }
}

}  // namespace
}  // namespace polhode::test::time_and_pulses_test
