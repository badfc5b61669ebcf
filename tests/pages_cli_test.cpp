// Pages on one method, one problem and one command, asked of the built program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"
#include "program.hpp"

namespace polhode::pages_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

json page(const TestFolder& folder, const std::string& name) {
  const Outcome run = polhode(folder, {"methods", name, "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return json::parse(run.out);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(MethodPage, SaysForPeopleWhatTheCatalogueSays) {
  const TestFolder folder;
  const Outcome run = polhode(folder, {"methods", "lie-verlet"});
  ASSERT_EQ(run.code, 0) << run.err;
  const MethodInfo& method = methods()[parse_method("lie-verlet").index];
  EXPECT_THAT(run.out, StartsWith("lie-verlet\n"));
  for (const std::string_view part : {method.family, method.cite}) EXPECT_THAT(run.out, HasSubstr(std::string(part)));
  std::string flowing;
  for (const std::string& word : words_of(run.out)) flowing += word + ' ';
  for (const std::string_view part : {method.about, method.good_for, method.not_for}) {
    EXPECT_THAT(flowing, HasSubstr(std::string(part)));
  }
  EXPECT_THAT(flowing, AllOf(HasSubstr("Bou-Rabee, Nawaf and Marsden, Jerrold E.: Hamilton-Pontryagin integrators"),
                             HasSubstr("@suzuki order 4"), HasSubstr("symplectic yes"),
                             HasSubstr("torque evaluations per step 1 "), HasSubstr("memory")));
  EXPECT_THAT(lines_of(run.out), Each(SizeIs(::testing::Le(110U))));
}

TEST(MethodPage, HasTheListsEntryAndMore) {
  const TestFolder folder;
  const json list = json::parse(polhode(folder, {"methods", "--json"}).out);
  for (const std::size_t i : {std::size_t{0}, list.size() / 2, list.size() - 1}) {
    const json one = page(folder, list[i]["name"]);
    for (const auto& [key, value] : list[i].items()) EXPECT_EQ(one.at(key), value) << key;
    for (const char* key : {"suffixes", "sources", "examples"}) EXPECT_FALSE(one.at(key).empty()) << key;
  }
}

// What a composition and a projection do to order, symmetry and energy is known without the program.
TEST(MethodPage, ShowsTheClaimsThatSuffixesLeave) {
  const TestFolder folder;
  const json one = page(folder, "mclachlan-reich-231@suzuki+energy/10");
  EXPECT_EQ(one["name"], "mclachlan-reich-231@suzuki+energy/10");
  EXPECT_EQ(one["base"], "mclachlan-reich-231");
  EXPECT_EQ(one["order_attitude"], 4);
  EXPECT_EQ(one["torque_evaluations"], 5);
  EXPECT_EQ(one["symmetric"], false);
  EXPECT_EQ(one["symplectic"], false);
  EXPECT_EQ(one["energy"], "bounded");
  std::vector<std::string> keys;
  for (const json& source : one["sources"]) keys.push_back(source["key"]);
  EXPECT_THAT(keys, ::testing::ElementsAre("M93", "R94", "TW94", "DLM97", "S90", "B01"));
  EXPECT_THAT(polhode(folder, {"methods", "LP2"}).out, StartsWith("mclachlan-reich-123\n")) << "an alias";
}

TEST(MethodPage, SaysWhichSuffixesAreRefusedAndWhy) {
  const TestFolder folder;
  for (const char* name : {"taylor-4", "lie-verlet", "free-exact", "newmark-gamma", "dumbbell-midpoint", "simo-wong"}) {
    const json suffixes = page(folder, name)["suffixes"];  // a copy: the loop would not keep the page
    for (const json& suffix : suffixes) {
      const std::string shown = suffix["suffix"];
      const std::string full = name + (shown == "+energy/k" ? "+energy/10" : shown);
      SCOPED_TRACE(full);
      try {
        const MethodSpec spec = parse_method(full);
        EXPECT_EQ(suffix["accepted"], true);
        EXPECT_EQ(suffix["order"], order_text(spec.claims));
      } catch (const MethodError& error) {
        EXPECT_EQ(suffix["accepted"], false);
        EXPECT_EQ(suffix["reason"], error.what());
      }
    }
  }
}

// One half makes another method of it, of which everything is known.
TEST(MethodPage, ShowsParametersAndTheClaimsThatTheyMake) {
  const TestFolder folder;
  const json half = page(folder, "newmark-gamma:gamma=0.5"), newmark = page(folder, "newmark");
  EXPECT_EQ(half["name"], "newmark-gamma:gamma=0.5");
  EXPECT_EQ(half["base"], "newmark-gamma");
  for (const char* claim : {"order_attitude", "order_momentum", "symmetric", "energy_free", "dissipative"})
    EXPECT_EQ(half[claim], newmark[claim]) << claim;
  EXPECT_EQ(newmark["parameters"], json::array());
  ASSERT_EQ(half["parameters"].size(), 1u);
  const json gamma = half["parameters"][0];
  EXPECT_EQ(gamma["name"], "gamma");
  EXPECT_EQ(gamma["value"], 0.5);
  EXPECT_EQ(gamma["default"], 0.6);
  EXPECT_EQ(gamma["lowest"], 0.5);
  EXPECT_EQ(gamma["highest"], 1);
  EXPECT_EQ(page(folder, "newmark-gamma")["parameters"][0]["value"], 0.6);
  EXPECT_EQ(page(folder, "newmark-gamma")["dissipative"], true);
  std::string text;
  for (const std::string& word : words_of(polhode(folder, {"methods", "newmark-gamma:gamma=0.55"}).out))
    text += word + ' ';
  EXPECT_THAT(text, AllOf(HasSubstr("Parameters, written newmark-gamma:gamma=..."),
                          HasSubstr("0.6 where it is not given, from 0.5 to 1. Here 0.55")));
}

TEST(MethodPage, ItsExamplesRun) {
  const TestFolder folder;
  for (const char* name :
       {"taylor-2", "newmark-gamma:gamma=0.55", "free-exact", "dumbbell-variational", "mclachlan-reich-231@suzuki"}) {
    const json examples = page(folder, name)["examples"];
    for (const std::string line : examples) {
      std::vector<std::string> words = words_of(line);
      ASSERT_EQ(words.front(), "polhode");
      words.erase(words.begin());
      if (words.front() != "diagnose") words.insert(words.end(), {"--duration", "1"});
      const Outcome run = polhode(folder, words);
      EXPECT_EQ(run.code, 0) << line << "\n" << run.err;
    }
  }
}

TEST(MethodPage, UnknownNamesGetTheNearestAndThoseThatContainTheWord) {
  const TestFolder folder;
  const std::vector<Refused> cases{
      {{"methods", "tailor-4"}, 2, {"no method named 'tailor-4'; nearest: taylor-4\n"}},
      {{"methods", "rk4"},
       2,
       {"nearest: rk4-average, rk4-quaternion, rk4-spherical, textbook-rk4, crouch-grossman-rk4\n"}},
      {{"methods", "leapfrog"}, 2, {"nearest: leapfrog-fincham, leapfrog-svanberg\n"}},
      {{"methods", "exact"}, 2, {"nearest: free-exact\n"}},
      {{"methods", "mclachlan"}, 2, {"nearest: mclachlan-reich-123, mclachlan-reich,", " more\n"}},
      {{"methods", "Romero"}, 2, {"nearest: variational, variational-legendre\n"}},
      {{"methods", "zzzzzzzz"}, 2, {"'polhode methods' lists them all"}},
      {{"methods", "taylor-4@suzuki"}, 2, {"time-symmetric methods only"}},
      {{"methods", "newmark-gamma:gama=1"}, 2, {"newmark-gamma has no parameter 'gama'; nearest: gamma"}},
      {{"run", "--problem", "fast-top", "-m", "newmark-gamma:gamma=2"},
       2,
       {"--method: newmark-gamma: gamma = 2 is out of bounds; it must be from 0.5 to 1"}},
      {{"methods", "auto"}, 2, {"auto is not a method"}},
      {{"methods", "taylor-4", "--guide"}, 2, {"NAME", "--guide"}},
      {{"methods", "--recommended", "--json"}, 2, {"--json", "--recommended"}},
      {{"run", "--problem", "fast-top", "-m", "leapfrog"},
       2,
       {"--method: no method named 'leapfrog'", "leapfrog-svanberg"}},
      {{"converge", "fast-top", "-m", "rk4"}, 2, {"--methods: no method named 'rk4'", "rk4-spherical"}},
      {{"compare", "fast-top", "-m", "exact"}, 2, {"--methods: no method named 'exact'; nearest: free-exact"}},
      {{"problems", "top"}, 2, {"no problem named 'top'; nearest: fast-top, slow-top,"}},
      {{"problems", "fast-tpo"}, 2, {"no problem named 'fast-tpo'; nearest: fast-top\n"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  folder.write("x.toml", replaced(good, "taylor-4", "leapfrog"));
  expect_refused(folder,
                 {{"run", "x.toml"}, 65, {"x.toml:6: run.method: no method named 'leapfrog'", "leapfrog-fincham"}});
}

TEST(ProblemPage, HasTheListsEntryAndItsSource) {
  const TestFolder folder;
  const json list = json::parse(polhode(folder, {"problems", "--json"}).out);
  for (const json& problem : list) {
    const std::string name = problem["name"];
    EXPECT_EQ(json::parse(polhode(folder, {"problems", name, "--json"}).out), problem);
    const std::string text = polhode(folder, {"problems", name}).out;
    EXPECT_THAT(text, AllOf(StartsWith(name + "\n"), HasSubstr("inertia = " + problem["inertia"].dump()),
                            HasSubstr("--problem " + name)));
  }
  EXPECT_THAT(
      polhode(folder, {"problems", "fast-top"}).out,
      AllOf(HasSubstr("Krysl, Petr and Endres, L."), HasSubstr("weight_times_arm = 20"), HasSubstr("reference")));
}

const std::vector<std::string> commands{"methods", "problems",  "run",  "converge", "compare",
                                        "plot",    "reproduce", "init", "validate", "help"};

TEST(Help, IsTheSameAskedEitherWay) {
  const TestFolder folder;
  EXPECT_EQ(polhode(folder, {"help"}).out, polhode(folder, {"--help"}).out);
  for (const std::string& command : commands) {
    const Outcome asked = polhode(folder, {"help", command});
    EXPECT_EQ(asked.code, 0) << asked.err;
    EXPECT_EQ(asked.out, polhode(folder, {command, "--help"}).out) << command;
    EXPECT_THAT(asked.out,
                AllOf(HasSubstr("Usage: polhode"), HasSubstr("Examples:\n"), HasSubstr("Exit codes: 0 done")))
        << command;
    EXPECT_THAT(polhode(folder, {"help"}).out, HasSubstr("\n  " + command + " "));
  }
}

// "Read on" names documents that are there.
TEST(Help, ReadsOnWhereThereIsSomething) {
  const TestFolder folder;
  std::size_t found = 0;
  for (const std::string& command : commands) {
    for (std::string word : words_of(polhode(folder, {"help", command}).out)) {
      if (!word.starts_with("docs/")) continue;
      word.erase(word.find(".md") + 3);
      EXPECT_TRUE(std::filesystem::exists(POLHODE_SOURCE_DIR "/" + word)) << word;
      ++found;
    }
  }
  EXPECT_GE(found, 10U);
}

TEST(Help, UnknownCommandsGetTheNearest) {
  const TestFolder folder;
  expect_refused(folder, {{"help", "rum"}, 2, {"no command named 'rum'; nearest: run"}});
  expect_refused(folder, {{"help", "transmogrify"}, 2, {"there are methods, problems, run"}});
  expect_refused(folder, {{"converg"}, 2, {"no command named 'converg'; nearest: converge"}});
  expect_refused(folder, {{"produce"}, 2, {"nearest: reproduce"}});
}

}  // namespace
}  // namespace polhode::pages_cli_test
