// Methods by name: aliases, suffixes, refusals with the nearest name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "polhode/core/hints.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test::registry_test {
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
                           "abm4-quaternion",
                           "abm4-spherical",
                           "textbook-euler",
                           "textbook-rk4",
                           "newmark-beta:beta=0.25:gamma=0.5",
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
            "no method named 'RK4'; nearest: rk4-average, rk4-quaternion, rk4-spherical, textbook-rk4, "
            "crouch-grossman-rk4");
  EXPECT_EQ(refusal("euler"),
            "no method named 'euler'; nearest: lie-euler, textbook-euler, engine-semi-implicit-euler");
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
    // A step of the whole is as many of the method as the table says, and torques to choose it by.
    EXPECT_EQ(spec.claims.torque_evaluations,
              suffix.stages * parse_method("lie-verlet").claims.torque_evaluations + suffix.torque_evaluations);
    EXPECT_EQ(spec.claims.chooses_steps, suffix.chooses_steps);
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

TEST(Names, AMethodThatGainsMomentumTakesNoProjection) {
  EXPECT_EQ(refusal("textbook-rk4+energy"), "accepted");
  EXPECT_THAT(refusal("textbook-euler+energy"), HasSubstr("gains energy and momentum without end"));
}

TEST(Parameters, AreReadBetweenTheNameAndTheSuffixes) {
  const MethodSpec plain = parse_method("newmark-gamma"), given = parse_method("newmark-gamma:gamma=0.55");
  EXPECT_EQ(plain.parameters, std::vector{0.6});
  EXPECT_EQ(given.parameters, std::vector{0.55});
  EXPECT_EQ(given.name, "newmark-gamma:gamma=0.55");
  EXPECT_TRUE(given.claims.dissipative);
  const MethodSpec composed = parse_method("newmark-gamma:gamma=0.5@suzuki+energy/3");
  EXPECT_EQ(composed.name, "newmark-gamma:gamma=0.5@suzuki+energy/3");
  EXPECT_EQ(composed.claims, parse_method("newmark@suzuki+energy/3").claims) << "one half is newmark";
}

// A name is the same for the same method, however its numbers are written.
TEST(Parameters, HaveOneCanonicalName) {
  for (const char* same : {"newmark-gamma:gamma=0.550", "newmark-gamma:gamma=55e-2", "newmark-gamma:gamma=0.055e+1"})
    EXPECT_EQ(parse_method(same).name, "newmark-gamma:gamma=0.55") << same;
  for (const char* standard : {"newmark-gamma:gamma=0.6", "newmark-gamma:gamma=6e-1"})
    EXPECT_EQ(parse_method(standard).name, "newmark-gamma") << standard;
  EXPECT_EQ(parse_method("newmark-gamma:gamma=5e-1+energy").name, "newmark-gamma:gamma=0.5+energy");
}

TEST(Parameters, AreRefusedWithWhatWouldDo) {
  EXPECT_EQ(refusal("newmark-gamma:gama=0.55"), "newmark-gamma has no parameter 'gama'; nearest: gamma");
  EXPECT_EQ(refusal("newmark-gamma:stiffness=1"), "newmark-gamma has no parameter 'stiffness'; it has gamma");
  EXPECT_EQ(refusal("newmark-gamma:=1"), "newmark-gamma has no parameter ''; it has gamma");
  EXPECT_EQ(refusal("newmark-gamma:gamma"), "newmark-gamma: gamma needs a value, e.g. newmark-gamma:gamma=0.6");
  EXPECT_EQ(refusal("newmark-gamma:gamma=0.7:gamma=0.7"), "newmark-gamma: gamma is given twice; give it once");
  EXPECT_EQ(refusal("taylor-4:gamma=0.55"),
            "taylor-4 has no parameters, and 'gamma' is given; leave it out. Methods with parameters: newmark-gamma "
            "(gamma), newmark-beta (beta, gamma)");
  for (const char* wrong : {"", "much", "0.5x", "0.5e", "0,55", " 0.55", "+0.55"})
    EXPECT_THAT(refusal(std::string("newmark-gamma:gamma=") + wrong),
                HasSubstr("is not a number; give one from 0.5 to 1, e.g. newmark-gamma:gamma=0.6"))
        << wrong;
  for (const char* beyond : {"0.4999", "1.0001", "-0.6", "inf", "-inf", "nan", "1e999", "1e-999"})
    EXPECT_THAT(refusal(std::string("newmark-gamma:gamma=") + beyond), HasSubstr("it must be from 0.5 to 1 (weight"))
        << beyond;
  EXPECT_EQ(refusal("newmark@suzuki:gamma=0.5"),
            "':gamma=0.5' stands behind a suffix; parameters stand before it, as in newmark:gamma=0.5@suzuki");
  EXPECT_THAT(refusal("newmark-gama:gamma=0.55"), HasSubstr("no method named 'newmark-gama'"));
}

// No listed method has two, yet.
TEST(Parameters, MayBeSeveral) {
  const std::vector<ParameterInfo> list{{"alpha", 1, 0, 1e30, "the first"}, {"beta", -2, -5, 5, "the second"}};
  const auto read = [&](std::string_view text) {
    auto values = read_parameters("two", list, text);
    return std::pair(values, std::string(text));
  };
  EXPECT_EQ(read(""), std::pair(std::vector{1.0, -2.0}, std::string()));
  EXPECT_EQ(read("+energy"), std::pair(std::vector{1.0, -2.0}, std::string("+energy")));
  EXPECT_EQ(read(":beta=3@suzuki"), std::pair(std::vector{1.0, 3.0}, std::string("@suzuki")));
  EXPECT_EQ(read(":beta=-3:alpha=1e+20+energy/2"), std::pair(std::vector{1e20, -3.0}, std::string("+energy/2")));
  EXPECT_EQ(written(list, std::vector{1e20, -3.0}), ":alpha=1e+20:beta=-3");
  EXPECT_EQ(written(list, std::vector{1.0, -3.0}), ":beta=-3");
  EXPECT_EQ(read(written(list, std::vector{0.1 + 0.2, 1 / 3.0})).first, (std::vector{0.1 + 0.2, 1 / 3.0}))
      << "to the last bit";
  std::string_view unknown = ":gamma=1";
  EXPECT_THROW(read_parameters("two", list, unknown), MethodError);
}

TEST(Parameters, ReachTheStep) {
  const auto prepared = prepare<double>(find_problem("asymmetric-top")->setup);
  const auto end = [&](const std::string& name) {
    const auto stepper = make_stepper(parse_method(name), prepared.body, prepared.field);
    stepper->start(prepared.start, 0.01);
    for (int n = 0; n < 50; ++n) stepper->step(0.01);
    const auto branch = stepper->clone();
    branch->step(0.01);
    return branch->state;
  };
  EXPECT_LT(angle_between(end("newmark-gamma:gamma=0.5").R_SB, end("newmark").R_SB), 1e-12);
  EXPECT_EQ(end("newmark-gamma:gamma=0.6").R_SB, end("newmark-gamma").R_SB);
  EXPECT_GT(angle_between(end("newmark-gamma:gamma=0.55").R_SB, end("newmark-gamma").R_SB), 1e-6);
  // The order that a composition is made for is that of the method with its parameters.
  EXPECT_LT(angle_between(end("newmark-gamma:gamma=0.5@suzuki").R_SB, end("newmark@suzuki").R_SB), 1e-12);
}

}  // namespace
}  // namespace polhode::test::registry_test
