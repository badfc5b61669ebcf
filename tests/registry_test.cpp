// Methods by name: aliases, suffixes, refusals with the nearest name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "polhode/core/hints.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& name) {
  try {
    parse_method(name);
  } catch (const MethodError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Names, AreUniqueAndLowercase) {
  std::set<std::string_view> seen;
  for (const MethodInfo& method : methods()) {
    EXPECT_TRUE(seen.insert(method.name).second) << method.name;
    for (const std::string_view alias : method.aliases) EXPECT_TRUE(seen.insert(alias).second) << alias;
    EXPECT_FALSE(method.about.empty()) << method.name;
    EXPECT_FALSE(method.cite.empty()) << method.name;
  }
}

TEST(Names, OfThePaperAreAllThere) {
  for (const char* name : {"taylor-1",
                           "taylor-2",
                           "taylor-3-false",
                           "taylor-2-augmented",
                           "taylor-3",
                           "taylor-3-plain",
                           "taylor-4",
                           "taylor-5",
                           "taylor-12",
                           "mclachlan-reich-321",
                           "mclachlan-reich-4-132",
                           "mclachlan-reich-cayley-213",
                           "mclachlan-reich-cayley-4-312",
                           "rk4-average",
                           "rk4-quaternion",
                           "rk4-spherical",
                           "abm4",
                           "abm4-buss",
                           "simo-wong-ab2",
                           "simo-wong-buss"}) {
    EXPECT_EQ(refusal(name), "accepted") << name;
  }
}

TEST(Names, AnAliasStandsForItsMethod) {
  EXPECT_EQ(parse_method("mclachlan-reich").name, "mclachlan-reich-123");
  EXPECT_EQ(parse_method("mclachlan-reich+energy").name, "mclachlan-reich-123+energy");
}

TEST(Names, MisspeltOnesGetTheNearest) {
  EXPECT_EQ(refusal("tailor-4"), "no method named 'tailor-4'; nearest: taylor-4");
  EXPECT_EQ(refusal("mclachlan-riech-231"), "no method named 'mclachlan-riech-231'; nearest: mclachlan-reich-231");
  EXPECT_THAT(refusal("transmogrify"), HasSubstr("'polhode methods' lists them all"));
  EXPECT_THAT(refusal(""), HasSubstr("no method named ''"));
  EXPECT_EQ(refusal("taylor-4+energi"), "no suffix named '+energi'; nearest: +energy");
  EXPECT_EQ(refusal("mclachlan-reich-123@suzuky"), "no suffix named '@suzuky'; nearest: @suzuki");
}

// Half a name, or a word of the field, leads to the methods that have it.
TEST(Names, PartsLeadToTheWhole) {
  EXPECT_EQ(refusal("leapfrog"), "no method named 'leapfrog'; nearest: leapfrog-fincham, leapfrog-svanberg");
  EXPECT_EQ(refusal("RK4"),
            "no method named 'RK4'; nearest: rk4-average, rk4-quaternion, rk4-spherical, "
            "crouch-grossman-rk4");
  EXPECT_EQ(refusal("euler"), "no method named 'euler'; nearest: lie-euler");
  EXPECT_EQ(refusal("exact"), "no method named 'exact'; nearest: free-exact");
  EXPECT_EQ(refusal("exact+energy"), "no method named 'exact'; nearest: free-exact");
  EXPECT_EQ(refusal("Nystrom"), "no method named 'Nystrom'; nearest: rotor-srkn6b, rotor-srkn11b, rotor-srkn14a")
      << "by what they are about";
  EXPECT_THAT(refusal("taylor"), HasSubstr("nearest: taylor-1, taylor-2, taylor-3-false"));
  EXPECT_THAT(refusal("taylor"), HasSubstr(" more"));
}

TEST(Names, OfSeveralTheNearestComesFirst) {
  EXPECT_THAT(near_names("run", {"rerun", "ruin", "sun", "runner"}), testing::ElementsAre("ruin", "rerun", "runner"));
  EXPECT_THAT(near_names("", {"a", "b"}), testing::IsEmpty());
  EXPECT_EQ(hint({}, "none"), "none");
  EXPECT_EQ(hint({"a", "b"}, "none"), "nearest: a, b");
  EXPECT_EQ(hint({"a", "b", "c", "d", "e", "f", "g", "h"}, "none"), "nearest: a, b, c, d, e, f and 2 more");
}

TEST(Suffixes, AreAppliedFromLeftToRight) {
  const MethodSpec spec = parse_method("mclachlan-reich-231@suzuki+energy/5");
  ASSERT_EQ(spec.suffixes.size(), 2U);
  EXPECT_EQ(spec.suffixes[1].every, 5);
  EXPECT_EQ(spec.claims.order_attitude, 4);
  EXPECT_FALSE(spec.claims.symplectic);
  EXPECT_EQ(spec.claims.energy_free, Keeps::bounded);
  EXPECT_EQ(parse_method("mclachlan-reich-231@triple-jump@triple-jump").claims.order_attitude, 6);
  EXPECT_EQ(parse_method("mclachlan-reich-231@kahan-li-8").claims.order_attitude, 8);
}

// One entry in the table is all it takes: help, parsing, claims, steppers and auto ask the table.
TEST(Suffixes, StandInOnePlaceInTheLibrary) {
  const std::filesystem::path sources = std::filesystem::path(POLHODE_SOURCE_DIR) / "src";
  std::set<std::string> places;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(sources)) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      const std::string code = line.substr(0, line.find("//"));
      for (const SuffixInfo& suffix : suffixes())
        if (code.find(written(suffix, 1).substr(0, suffix.name.find('/'))) != std::string::npos)
          places.insert(entry.path().filename().string());
    }
  }
  EXPECT_THAT(places, testing::ElementsAre("suffixes.hpp"));
}

TEST(Suffixes, AreWrittenAsTheyAreRead) {
  for (const SuffixInfo& suffix : suffixes()) {
    const std::string name = "lie-verlet" + written(suffix, 7);
    const MethodSpec spec = parse_method(name);
    ASSERT_EQ(spec.suffixes.size(), 1u);
    EXPECT_EQ(spec.name, name);
    EXPECT_EQ(suffixes()[spec.suffixes[0].index].name, suffix.name);
    EXPECT_EQ(spec.suffixes[0].every, suffix.takes_count ? 7 : 1);
    EXPECT_FALSE(about(spec.suffixes[0]).empty());
    // A step of the whole is as many of the method as the table says.
    EXPECT_EQ(spec.claims.torque_evaluations, suffix.stages * parse_method("lie-verlet").claims.torque_evaluations);
  }
  EXPECT_EQ(with_energy("taylor-4", 10), "taylor-4+energy/10");
}

TEST(Suffixes, AreRefusedWhereTheyDoNotApply) {
  EXPECT_THAT(refusal("taylor-4@suzuki"), HasSubstr("time-symmetric methods only, and taylor-4 is not one"));
  EXPECT_THAT(refusal("mclachlan-reich-123+energy@suzuki"), HasSubstr("mclachlan-reich-123+energy is not one"));
  EXPECT_THAT(refusal("mclachlan-reich-4-123@kahan-li-6"), HasSubstr("has order 4"));
  for (const char* bad : {"taylor-4+energy/0", "taylor-4+energy/-1", "taylor-4+energy/", "taylor-4+energy/2x",
                          "taylor-4+energy/99999999999999999999"})
    EXPECT_THAT(refusal(bad), HasSubstr("whole number of steps >= 1")) << bad;
}

// The listed fourth order is the suffix by another route, up to rounding and merged rotations.
TEST(Suffixes, TripleJumpIsTheListedFourthOrder) {
  const auto prepared = prepare<double>(find_problem("buss-box")->setup);
  const auto run = [&](const char* name) {
    const auto stepper = make_stepper(parse_method(name), prepared.body, prepared.field);
    const double h = prepared.time_in(0.004);
    stepper->start(prepared.start, h);
    for (int n = 0; n < 100; ++n) stepper->step(h);
    return stepper->state;
  };
  EXPECT_LT(angle_between(run("mclachlan-reich-4-231").R_SB, run("mclachlan-reich-231@triple-jump").R_SB), 1e-12);
}

// A clone goes its own way from where it was made.
TEST(Stepper, CloneBranchesOff) {
  const auto prepared = prepare<double>(find_problem("asymmetric-top")->setup);
  for (const char* name : {"abm4", "taylor-4+energy", "mclachlan-reich-123@suzuki"}) {
    const auto one = make_stepper(parse_method(name), prepared.body, prepared.field);
    one->start(prepared.start, 0.05);
    for (int n = 0; n < 10; ++n) one->step(0.05);
    const auto two = one->clone();
    for (int n = 0; n < 10; ++n) one->step(0.05);
    EXPECT_FALSE(one->state.R_SB == two->state.R_SB);
    for (int n = 0; n < 10; ++n) two->step(0.05);
    EXPECT_TRUE(one->state.R_SB == two->state.R_SB) << name;
  }
}

}  // namespace
}  // namespace polhode::test
