// Files of references: that they are those of the problems and of no other data, found by the motion and not by the words
// in which it is told, and refused when damaged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "io_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/model/same_motion.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/problems/reference_file.hpp"

namespace polhode::reference_files_test {
namespace {

using ::testing::HasSubstr;

TEST(ReferenceFiles, AreThoseOfTheProblems) {
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/data/references")) {
    EXPECT_NE(find_problem(entry.path().stem().string()), nullptr) << entry.path();
  }
}

// The table of the documentation is the one in the files.
TEST(ReferenceFiles, AreDocumented) {
  const std::string page = read_file(POLHODE_SOURCE_DIR "/docs/references.md");
  for (const Problem& problem : problems()) {
    const ReferenceFile* file = find_reference(problem);
    ASSERT_NE(file, nullptr) << problem.name;
    EXPECT_THAT(page, HasSubstr(fmt::format("| `{}` | {} | {:.1e} | {:.1e} |", problem.name, problem.reference_duration,
                                            file->attitude_disagreement, file->momentum_disagreement)));
  }
}

// A file serves the data it was made for, and none but those.
TEST(ReferenceFiles, AreNotUsedForOtherData) {
  const Problem top = *find_problem("asymmetric-top");
  ASSERT_NE(find_reference(top), nullptr);
  Problem other = top;
  auto& moments = std::get<Vec3<double>>(other.setup.inertia);
  moments.x = std::nextafter(moments.x, 1.0);
  EXPECT_EQ(find_reference(other), nullptr);
  EXPECT_FALSE(reference_at(other, 1));
  EXPECT_FALSE(reference_at<quad>(other, 1));
  other = top;
  std::get<HeavyTop<double>>(other.setup.torques.front()).axis_body.x = 1e-300;
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.setup.time = 1;
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.name = "asymmetric-top-tilted";
  EXPECT_FALSE(reference_at(other, 1));
  other.name = "nobody-knows";
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.reference_duration *= 2;
  EXPECT_FALSE(reference_at(other, 1)) << "the file does not reach as far";
  other.reference_duration = 10;
  EXPECT_TRUE(reference_at(other, 10));
  EXPECT_FALSE(reference_at(other, 11));
}

// The same motion in other words is found, and another motion in nearly the same words is not.
TEST(ReferenceFiles, AreFoundByTheMotion) {
  const Problem top = *find_problem("heavy-top-bruls");
  const auto found = [&](auto change) {
    Problem other = top;
    change(other.setup);
    return find_reference(other) != nullptr;
  };
  const auto quaternion = [](double sign, const AttitudeData& from, bool scalar_last) {
    std::vector<double> q = from.values;
    for (double& x : q) x *= sign;
    if (scalar_last) std::rotate(q.begin(), q.begin() + 1, q.end());
    return AttitudeData{scalar_last ? AttitudeData::Kind::xyzw : AttitudeData::Kind::wxyz, q};
  };
  ASSERT_EQ(top.setup.attitude.kind, AttitudeData::Kind::wxyz) << "what follows begins with a quaternion";
  const auto& moments = std::get<Vec3<double>>(top.setup.inertia);
  EXPECT_TRUE(found([](polhode::Setup& setup) { setup.time = -0.0; }));
  EXPECT_TRUE(found([](polhode::Setup& setup) { setup.unphysical = true; }));
  for (const bool scalar_last : {false, true}) {
    for (const double sign : {1.0, -1.0}) {
      EXPECT_TRUE(found([&](polhode::Setup& setup) {
        setup.attitude = quaternion(sign, top.setup.attitude, scalar_last);
      })) << sign
          << scalar_last;
    }
  }
  EXPECT_TRUE(found([&](polhode::Setup& setup) {
    setup.inertia = Mat3<double>{{{moments.x, 0, 0}, {0, moments.y, -0.0}, {0, 0, moments.z}}};
  }));
  EXPECT_FALSE(found([&](polhode::Setup& setup) {
    setup.inertia = Mat3<double>{{{moments.x, 1e-15, 0}, {1e-15, moments.y, 0}, {0, 0, moments.z}}};
  }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.motion.value.z = std::nextafter(setup.motion.value.z, 1.0); }));
  const auto given_in_space = [](polhode::Setup& setup) {
    setup.motion.kind = MotionData::Kind::angular_velocity_spatial;
  };
  EXPECT_TRUE(found(given_in_space)) << "which is the same where the axes of body and space coincide";
  Problem leaning = *find_problem("asymmetric-top");
  EXPECT_NE(find_reference(leaning), nullptr);
  given_in_space(leaning.setup);
  EXPECT_EQ(find_reference(leaning), nullptr);
  EXPECT_FALSE(found([](polhode::Setup& setup) {
    for (double& x : setup.attitude.values) x = std::nextafter(x, 2.0);
  }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.torques.push_back(setup.torques.front()); }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.torques.clear(); }));
}

// The momentum of a body whose moments are powers of two is as exact as its velocity.
TEST(SameMotion, GivenAsVelocityOrAsMomentum) {
  polhode::Setup velocity;
  velocity.inertia = Vec3<double>{1, 2, 2};
  velocity.attitude = {AttitudeData::Kind::rotation_vector, {0.1, -0.2, 0.3}};
  velocity.motion = {MotionData::Kind::angular_velocity_body, {0.1, 0.2, 0.3}};
  velocity.torques = {HeavyTop<double>{0.5, {0, 0, 2}}, ConstantBody<double>{{0.1, 0, 0}}};
  polhode::Setup momentum = velocity;
  momentum.motion = {MotionData::Kind::angular_momentum_body, {0.1, 0.4, 0.6}};
  EXPECT_TRUE(same_motion(velocity, momentum));
  momentum.torques = {ConstantBody<double>{{0.1, -0.0, 0}}, HeavyTop<double>{0.5, {0, 0, 1}}};
  EXPECT_TRUE(same_motion(velocity, momentum)) << "torques add up in any order, and a direction has any length";
  momentum.motion.value.y = std::nextafter(0.4, 1.0);
  EXPECT_FALSE(same_motion(velocity, momentum));
}

TEST(SetupJson, ComesBackAsItWasWritten) {
  for (const Problem& problem : problems()) {
    const std::string text = to_json(problem.setup);
    const polhode::Setup read = setup_from_json(text, "x.json");
    EXPECT_EQ(to_json(read), text) << problem.name;
    EXPECT_TRUE(same_motion(read, problem.setup)) << problem.name;
  }
  EXPECT_THROW(setup_from_json(R"({"inertia": [1, 2, 3]})", "x.json"), Error);
  EXPECT_THROW(setup_from_json("[", "x.json"), Error);
}

ReferenceFile small_file() {
  const auto node = [](const char* t) { return ReferenceNode{t, {"0.6", "0", "-0.8", "0"}, {"1", "2.5", "1e-3"}}; };
  return {"nobody-knows",
          R"({"inertia":[1.0,2.0,2.5]})",
          "0.1.0",
          "2026-11-15",
          {{"one", "quad", 24, 1e-36}, {"two", "quad", 8, 1e-34}},
          1e-30,
          0,
          {node("-0.5"), node("0"), node("0.5")}};
}

TEST(ReferenceFiles, ComeBackAsTheyWereWritten) {
  const ReferenceFile file = small_file(), read = parse_reference(to_json(file), "x.json");
  EXPECT_EQ(read.setup, file.setup);
  EXPECT_EQ(read.date, "2026-11-15");
  ASSERT_EQ(read.integrators.size(), 2U);
  EXPECT_EQ(read.integrators[1].name, "two");
  EXPECT_EQ(read.integrators[1].order, 8);
  EXPECT_EQ(read.integrators[0].tolerance, 1e-36);
  EXPECT_EQ(read.attitude_disagreement, 1e-30);
  ASSERT_EQ(read.nodes.size(), 3U);
  EXPECT_EQ(read.nodes[2].time, "0.5");
  EXPECT_EQ(read.nodes[0].attitude_wxyz[2], "-0.8");
  EXPECT_EQ(read.nodes[1].angular_momentum_body[2], "1e-3");
}

TEST(ReferenceFiles, AreRefusedWhenDamaged) {
  const std::string good_file = to_json(small_file());
  const struct {
    std::string from, to, said;
  } damages[] = {
      {"schema_version\": 1", "schema_version\": 2", "schema_version 2 is not 1"},
      {"\"schema_version\": 1,", "", "schema_version is missing"},
      {"\"problem\": \"nobody-knows\"", "\"problem\": 3", "problem 3 is not a text"},
      {"\"setup\"", "\"settup\"", "setup is missing"},
      {"\"date\"", "\"day\"", "date is missing"},
      {"\"order\": 8", "\"order\": \"8\"", "order \"8\" is not a number"},
      {",\n      {\"name\": \"two\", \"order\": 8, \"tolerance\": 1e-34, \"scalar\": \"quad\"}", "",
       "integrators are fewer than two"},
      {"1.0e-30", "1.0e-19", "attitude_disagreement 1e-19 is not between 0 and 1e-20"},
      {"0.0e+00", "-1", "momentum_disagreement -1 is not"},
      {"0.0e+00", "null", "momentum_disagreement null is not a number"},
      {"\"t\": \"0\"", "\"t\": \"0.1\"", "nodes are not at equal distances in time: 0.1 stands where 0 should"},
      {"\"t\": \"0\"", "\"t\": 0", "t 0 is not a decimal number in quotes"},
      {"\"2.5\"", "\"2.5x\"", "angular_momentum_body \"2.5x\" is not a decimal"},
      {"\"2.5\"", "\"nan\"", "angular_momentum_body \"nan\" is not a decimal"},
      {"\"2.5\", ", "", "angular_momentum_body has 2 numbers instead of 3"},
      {"\"-0.8\"", "\"-0.81\"", "attitude_wxyz at t = -0.5 is not a unit quaternion"},
      {"\"nodes\": [", "\"nodes\": [], \"more\": [", "nodes are fewer than two"},
      {"\"nodes\": [", "\"nodes\": 7, \"more\": [", "nodes is not a list"},
      {"{\n", "[{\n", "the file is not valid JSON"}};
  for (const auto& [from, to, said] : damages) {
    try {
      parse_reference(replaced(good_file, from, to), "x.json");
      ADD_FAILURE() << "accepted with " << to;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("x.json: " + said));
      EXPECT_THAT(error.what(), HasSubstr("make references"));
    }
  }
  for (const std::size_t length : {std::size_t{0}, good_file.size() / 2, good_file.size() - 3}) {
    EXPECT_THROW(parse_reference(good_file.substr(0, length), "x.json"), Error) << length << " characters";
  }
}

}  // namespace
}  // namespace polhode::reference_files_test
