// Every sentence with which distributions are refused, under the key of the scenario, and what is just not refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/ensemble/draw.hpp"

namespace polhode::ensemble_draw_refusals_test {
namespace {

using ::testing::HasSubstr;
using Kind = Distribution::Kind;
using Numbers = std::vector<double>;
using Situation = polhode::Setup;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max();

Distribution uniform(Numbers low, Numbers high) { return {.kind = Kind::uniform, .first = low, .second = high}; }
Distribution normal(Numbers mean, Numbers deviation) {
  return {.kind = Kind::normal, .first = mean, .second = deviation};
}
Distribution rotations() { return {.kind = Kind::rotations}; }
Distribution table(Numbers rows, std::size_t width, std::string file = "") {
  return {.kind = Kind::table, .rows = std::make_shared<const Numbers>(rows), .width = width, .file = file};
}

// A top with a wheel, under two torques.
Situation top() {
  Situation setup;
  setup.inertia = Vec3<double>{1, 1.4, 1.9};
  setup.wheels = {{{0, 0, 1}, 0.01, 600, {}}};
  setup.torques = {HeavyTop<double>{0.5}, Pulse<double>{{0, 0, 1}, 1, 2, {}}};
  return setup;
}

EnsembleSettings with(std::vector<DrawnKey> drawn) {
  EnsembleSettings settings;
  settings.bodies = 10;
  settings.drawn = std::move(drawn);
  return settings;
}

void accept(const EnsembleSettings& settings, const Situation& setup = top()) {
  try {
    const BodyDraw draw(setup, settings);
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(draw.bodies(), 10); ++i) EXPECT_NO_THROW(check(draw.body(i)));
  } catch (const SetupError& error) {
    ADD_FAILURE() << error.key << ": " << error.what();
  }
}
void accept(DrawnKey drawn) { accept(with({std::move(drawn)})); }

void refuse(const EnsembleSettings& settings, const std::string& key, const std::vector<std::string>& said,
            const Situation& setup = top()) {
  try {
    const BodyDraw draw(setup, settings);
    ADD_FAILURE() << "accepted, and not refused under " << key;
  } catch (const SetupError& error) {
    SCOPED_TRACE(error.key + ": " + error.what());
    EXPECT_EQ(error.key, key);
    for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}
void refuse(DrawnKey drawn, const std::string& key, const std::vector<std::string>& said) {
  refuse(with({std::move(drawn)}), key, said);
}

const std::string w = "start.angular_velocity_body", w_shown = "ensemble.angular_velocity_body";

TEST(DrawRefusals, CountsOfNumbers) {
  accept({w, normal({1, 2, 3}, {1, 1, 1})});
  refuse({w, normal({1, 2}, {1, 1, 1})}, w_shown, {"the means are 2 numbers", "three numbers in rad/s, body axes"});
  refuse({w, normal({1, 2, 3}, {1})}, w_shown, {"one number", "deviations"});
  refuse({w, uniform({}, {})}, w_shown, {"the lower bounds are 0 numbers"});
  refuse({w, uniform({1, 2, 3}, {1, 2, 3, 4})}, w_shown, {"the upper bounds are 4 numbers"});
  refuse({"start.attitude_wxyz", normal({1, 0, 0}, {0, 0, 0})}, "ensemble.attitude_wxyz",
         {"3 numbers", "[w, x, y, z]"});
  refuse({"torque[0].weight_times_arm", uniform({1, 2, 3}, {2, 3, 4})}, "ensemble.torque[0].weight_times_arm",
         {"3 numbers", "a number: "});
  refuse({"body.inertia", uniform({1, 1}, {1, 1})}, "ensemble.inertia", {"2 numbers", "three principal moments or"});
}

TEST(DrawRefusals, FormsOfAMatrixThatDiffer) {
  Situation setup = top();
  Damping<double> drag;
  drag.linear = Mat3<double>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  setup.torques = {drag};
  accept(with({{"torque[0].linear", uniform({1, 1, 1}, {2, 2, 2})}}), setup);
  refuse(with({{"torque[0].linear", uniform({1}, {2, 2, 2})}}), "ensemble.torque[0].linear",
         {"the lower bounds are one number, and the upper bounds 3 numbers"}, setup);
}

TEST(DrawRefusals, BoundsAndDeviations) {
  accept({w, uniform({1, 2, 3}, {1, 2, 3})});
  refuse({w, uniform({1, 2, 3}, {1, std::nextafter(2, 0), 3})}, w_shown,
         {"the lower bound of number 2 is 2, above the upper bound 1.9999999999999998; exchange them"});
  refuse({"torque[0].weight_times_arm", uniform({0.6}, {0.4})}, "ensemble.torque[0].weight_times_arm",
         {"the lower bound is 0.6, above the upper bound 0.4"});
  accept({w, normal({1, 2, 3}, {0, 0, 0})});
  refuse({w, normal({1, 2, 3}, {0, 0, -1e-300})}, w_shown, {"the deviation of number 3 is -1e-300, below 0"});
  for (const double bad : {nan, infinity, -infinity}) {
    refuse({w, normal({1, bad, 3}, {0, 0, 0})}, w_shown, {"the means hold", "which is not finite"});
    refuse({w, normal({1, 2, 3}, {0, bad, 0})}, w_shown, {"the deviations hold", "which is not finite"});
    refuse({w, uniform({bad, 2, 3}, {4, 4, 4})}, w_shown, {"the lower bounds hold", "which is not finite"});
    refuse({w, uniform({1, 2, 3}, {4, 4, bad})}, w_shown, {"the upper bounds hold", "which is not finite"});
  }
  accept({w, uniform({-largest / 2, 0, 0}, {largest / 2, 0, 0})});
  refuse({w, uniform({-largest, 0, 0}, {largest, 0, 0})}, w_shown, {"further apart than any number"});
  accept({w, normal({0, 0, 0}, {largest / 11, 0, 0})});
  refuse({w, normal({0, 0, 0}, {largest / 9, 0, 0})}, w_shown, {"the deviation of number 1", "narrower"});
}

TEST(DrawRefusals, AttitudesThatAreNone) {
  accept({"start.attitude", rotations()});
  refuse({w, rotations()}, w_shown, {"from all attitudes, which is for attitude", "{ normal = [mean, deviation] }"});
  refuse({"start.attitude_wxyz", rotations()}, "ensemble.attitude_wxyz", {"which is for attitude"});
  refuse({"body.inertia", rotations()}, "ensemble.inertia", {"which is for attitude"});
  refuse({"start.attitude", uniform({0, 0, 0, 0}, {1, 1, 1, 1})}, "ensemble.attitude",
         {"no attitude", "give \"uniform\"", "rotation_vector"});
  refuse({"start.attitude", table({1, 0, 0, 0}, 4)}, "ensemble.attitude", {"takes no table"});
  refuse({"start.rotation_matrix", normal(Numbers(9, 0.0), Numbers(9, 1.0))}, "ensemble.rotation_matrix",
         {"drawn one by one are no rotation", "rotation_vector"});
  accept({"start.rotation_vector", normal({0, 0, 0}, {0.1, 0.1, 0.1})});
  accept({"start.mrp", uniform({-1, -1, -1}, {1, 1, 1})});
  refuse({"start.attitude_wxyz", normal({0, 0, 0, 0}, {0, 0, 0, 0})}, "ensemble.attitude_wxyz",
         {"body 0: the quaternion has length 0"});
}

TEST(DrawRefusals, TensorsThatAreNot) {
  const Numbers tensor{1, 0.1, 0, 0.1, 1.3, 0, 0, 0, 1.6};
  Numbers oblique = tensor;
  oblique[3] = 0.2;
  accept({"body.inertia", normal(tensor, Numbers(9, 0.01))});
  refuse({"body.inertia", normal(oblique, Numbers(9, 0.01))}, "ensemble.inertia",
         {"must be symmetric: element [1][0] is 0.2 and [0][1] is 0.1"});
  refuse({"body.inertia", uniform(tensor, oblique)}, "ensemble.inertia", {"must be symmetric"});
  Situation tilted = top();
  tilted.inertia = Mat3<double>{{{1, 0.1, 0}, {0.1, 1.3, 0}, {0, 0, 1.6}}};
  refuse(with({{"body.inertia", uniform({1, 1, 1}, {1.1, 1.1, 1.1})}}), "ensemble.inertia",
         {"3 numbers", "a symmetric 3x3 tensor in kg m^2, as the scenario gives one"}, tilted);
}

TEST(DrawRefusals, KeysThatAreNotThere) {
  const Distribution one = uniform({1}, {2}), three = uniform({1, 1, 1}, {2, 2, 2});
  refuse({"start.angular_velocity_bdy", three}, "ensemble.angular_velocity_bdy",
         {"the scenario has no such number; nearest: angular_velocity_body"});
  refuse({"torque[0].weight_times_amr", one}, "ensemble.torque[0].weight_times_amr",
         {"nearest: torque[0].weight_times_arm"});
  refuse({"torque[2].weight_times_arm", one}, "ensemble.torque[2].weight_times_arm", {"no such number"});
  refuse({"body.wheels[1].speed", one}, "ensemble.wheels[1].speed", {"no such number; nearest: wheels[0].speed"});
  refuse({"", one}, "ensemble.", {"what can be drawn is inertia, wheels[0].inertia", "torque[1].impulse"});
  refuse({"torque[1].kind", one}, "ensemble.torque[1].kind", {"no such number"});
  refuse({"start.time", one}, "ensemble.time", {"all bodies start at the same time", "[start]"});
  refuse({"start.direction", rotations()}, "ensemble.direction", {"have attitudes", "[start]"});
  Situation dumbbell = top();
  dumbbell.wheels.clear();
  dumbbell.attitude = {AttitudeData::Kind::direction, {0, 0, 1}};
  accept(with({{"start.direction", normal({0, 0, 1}, {0.1, 0.1, 0.1})}}), dumbbell);
  for (const char* key : {"start.attitude", "start.mrp"})
    refuse(with({{key, rotations()}}), std::string("ensemble") + std::string(key).substr(5),
           {"move on the sphere", "draw a direction"}, dumbbell);
}

TEST(DrawRefusals, KeysThatSayTheSame) {
  const Distribution three = uniform({1, 1, 1}, {2, 2, 2});
  refuse(with({{w, three}, {"body.inertia", three}, {w, three}}), w_shown, {"is drawn twice; keep one of them"});
  refuse(with({{"start.mrp", three}, {"start.attitude", rotations()}}), "ensemble.attitude", {"says the same as mrp"});
  refuse(with({{w, three}, {"start.angular_momentum_body", three}}), "ensemble.angular_momentum_body",
         {"says the same as angular_velocity_body"});
  accept(with({{"torque[1].from", uniform({0}, {1})}, {"torque[1].until", uniform({1}, {2})}, {w, three}}));
}

TEST(DrawRefusals, CountsOfBodies) {
  EnsembleSettings none = with({{w, uniform({1, 1, 1}, {2, 2, 2})}});
  none.bodies.reset();
  refuse(none, "ensemble.bodies", {"is missing", "no table says", "at least 1"});
  none.bodies = 0;
  refuse(none, "ensemble.bodies", {"0 is below 1"});
  none.bodies = -5;
  refuse(none, "ensemble.bodies", {"-5 is below 1"});
  none.bodies = 1;
  accept(none);
  EnsembleSettings seeded = with({});
  seeded.seed = (1ULL << 63) - 1;
  accept(seeded);
  seeded.seed = 1ULL << 63;
  refuse(seeded, "ensemble.seed", {"9223372036854775808 is too large", "9223372036854775807"});
}

TEST(DrawRefusals, Tables) {
  const auto rows = [](std::size_t count) { return table(Numbers(3 * count, 0.5), 3, "w.csv"); };
  accept(with({{w, rows(10)}}));
  refuse(with({{w, rows(9)}}), "ensemble.bodies", {"10 bodies are more than the 9 rows of 'w.csv'"});
  EnsembleSettings two = with({{w, rows(10)}, {"body.inertia", table(Numbers(27, 1.0), 3)}});
  refuse(two, "ensemble.inertia",
         {"the table has 9 rows, and 'w.csv' of angular_velocity_body has 10", "give as many of each"});
  two.drawn[1].distribution = table(Numbers(30, 1.0), 3);
  accept(two);
  refuse({w, {.kind = Kind::table}}, w_shown, {"the table has no rows"});
  refuse({w, table(Numbers(20), 2)}, w_shown, {"a row of the table has 2 numbers; give three numbers in rad/s"});
  refuse({w, table(Numbers(31), 3)}, w_shown, {"31 numbers, which are no whole rows of 3"});
  Numbers holed(30);
  holed[16] = nan;
  refuse({w, table(holed, 3)}, w_shown, {"row 6 of the table holds nan, which is not finite"});
}

// A table has no other row in its place.
TEST(DrawRefusals, RowsThatAreNoBodies) {
  Numbers attitudes;
  for (int i = 0; i < 1500; ++i) attitudes.insert(attitudes.end(), {0, 0, 0, 1});
  EnsembleSettings settings = with({{"start.attitude_wxyz", table(attitudes, 4, "q.csv")}});
  settings.bodies.reset();
  accept(settings);
  attitudes[4 * 1400 + 3] = 1.0000009;  // a quaternion may be off by 1e-6
  settings.drawn[0].distribution = table(attitudes, 4, "q.csv");
  accept(settings);
  attitudes[4 * 1400 + 3] = 1.0000011;
  settings.drawn[0].distribution = table(attitudes, 4, "q.csv");
  refuse(settings, "ensemble.attitude_wxyz", {"row 1401 of 'q.csv': the quaternion has length 1.0000011"});
  settings.bodies = 1400;
  accept(settings);
  refuse(with({{"body.inertia", table({1, 1, 1, 1, 1, 2.1}, 3)}}), "ensemble.bodies", {"more than the 2 rows"});
  settings = with({{"body.inertia", table({1, 1, 1, 1, 1, 2.1}, 3)}});
  settings.bodies.reset();
  refuse(settings, "ensemble.inertia", {"row 2 of the table: principal moments [1, 1, 2.1] violate the triangle"});
  Situation any = top();
  any.unphysical = true;
  accept(settings, any);
}

TEST(DrawRefusals, NumbersOfWhichNoTorqueIsMade) {
  refuse(with({{"torque[1].until", uniform({0.5}, {0.75})}}), "ensemble.torque[1].until",
         {"body 0: 0.", "is before the beginning"});
  refuse(with({{"torque[1].from", uniform({2.5}, {3})}}), "ensemble.torque[1].from", {"body 0: torque[1].until: 2"});
  refuse(with({{"body.wheels[0].inertia", uniform({-1}, {-1})}}), "ensemble.wheels[0].inertia", {"body 0: -1 must be"});
  refuse(with({{"body.inertia", normal({0.01, 0.01, 0.01}, {0, 0, 0})}}), "ensemble.inertia",
         {"body 0: body.wheels[0].inertia: 0.01 is not less than"});
  // One of the first thousand is enough.
  EnsembleSettings rare = with({{"torque[1].until", normal({2}, {1.0 / 3})}});
  rare.bodies = 100000;
  refuse(rare, "ensemble.torque[1].until", {"is before the beginning"});
  Situation wrong = top();
  wrong.motion.value.x = nan;
  refuse(with({}), "start.angular_velocity_body", {"finite"}, wrong);
}

TEST(DrawRefusals, WhatIsAskedOfAnEnsemble) {
  const auto changed = [](const auto& change) {
    EnsembleSettings settings = with({});
    change(settings);
    return settings;
  };
  accept(changed([](auto& s) { s.snapshots = {-1, 0, 1e300}; }));
  refuse(changed([](auto& s) { s.snapshots = {1, infinity}; }), "ensemble.snapshots", {"inf is not finite"});
  accept(changed([](auto& s) { s.quantiles = {0, 0.5, 1}; }));
  for (const double p : {-1e-17, std::nextafter(1, 2), nan})
    refuse(changed([&](auto& s) { s.quantiles = {0.5, p}; }), "ensemble.quantiles", {"is not from 0 to 1"});
  const auto histogram = [&](HistogramRequest one) { return changed([&](auto& s) { s.histograms = {one}; }); };
  accept(histogram({"energy", 0, std::nextafter(0.0, 1.0), 1}));
  accept(histogram({"energy", -1, 1, most_bins}));
  refuse(histogram({"", 0, 1, 10}), "ensemble.histogram[0].quantity", {"is empty", "energy"});
  refuse(histogram({"energy", 1, 1, 10}), "ensemble.histogram[0].low", {"1 and high = 1 leave no range"});
  refuse(histogram({"energy", nan, 1, 10}), "ensemble.histogram[0].low", {"nan is not finite"});
  refuse(histogram({"energy", 0, infinity, 10}), "ensemble.histogram[0].low", {"inf is not finite"});
  refuse(histogram({"energy", -largest, largest, 10}), "ensemble.histogram[0].low", {"leave no range"});
  refuse(histogram({"energy", 0, 1, 0}), "ensemble.histogram[0].bins", {"0 is not between 1 and 1000000"});
  refuse(histogram({"energy", 0, 1, most_bins + 1}), "ensemble.histogram[0].bins", {"1000001 is not between"});
}

}  // namespace
}  // namespace polhode::ensemble_draw_refusals_test
