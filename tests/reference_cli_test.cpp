// Errors of any run and any study, as a user asks for them: polhode run --reference, and scenario files in studies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::reference_cli_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string top = R"([body]
inertia = [0.9144, 1.098, 1.66]
[start]
angular_velocity_body = [0.45549, 0.82623, 0.03476]
[torque]
kind = "heavy-top"
weight_times_arm = 0.5
[run]
method = "rkmk-4"
step = 0.1
duration = 2
)";

json run_json(const TestFolder& folder, std::vector<std::string> arguments, std::string* said = nullptr) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const Outcome run = polhode(folder, arguments);
  EXPECT_EQ(run.code, 0) << run.err;
  if (said != nullptr) *said = run.err;
  return json::parse(run.out);
}

std::vector<std::string> kept_in(const TestFolder& folder) {
  std::vector<std::string> names;
  if (!std::filesystem::exists(folder.file(".polhode"))) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file(".polhode")))
    names.push_back(entry.path().string());
  return names;
}

TEST(RunReference, GivesTheErrorsOfAnyScenario) {
  const TestFolder folder;
  folder.write("top.toml", top);
  const json without = run_json(folder, {"top.toml"});
  EXPECT_FALSE(without.contains("attitude_error"));
  EXPECT_FALSE(without.contains("reference"));
  EXPECT_TRUE(kept_in(folder).empty());

  std::string said;
  const json first = run_json(folder, {"top.toml", "--reference"}, &said);
  EXPECT_THAT(said, HasSubstr("computing a reference to rounding: "));
  EXPECT_EQ(first["reference"]["source"], "computed");
  EXPECT_EQ(kept_in(folder).size(), 1U);
  // A method of order 4 at half the step, and at the step backwards.
  const json half = run_json(folder, {"top.toml", "--reference", "--step", "0.05"}, &said);
  EXPECT_EQ(half["reference"]["source"], "cache");
  EXPECT_THAT(said, Not(HasSubstr("computing")));
  for (const char* error : {"attitude_error", "momentum_error"}) {
    const double order = std::log2(first[error].get<double>() / half[error].get<double>());
    EXPECT_GT(order, 3.6) << error;
    EXPECT_LT(order, 4.4) << error;
  }
  EXPECT_LT(first["reference"]["attitude_uncertainty"].get<double>(), 1e-17);
  EXPECT_TRUE(first["reference"]["attitude_resolved"].get<bool>());
  const json back = run_json(folder, {"top.toml", "--reference", "--duration", "-2"});
  EXPECT_LT(std::abs(std::log(back["attitude_error"].get<double>() / first["attitude_error"].get<double>())), 2);
}

// The same motion as a problem: its error is measured against a file that two other integrators made.
TEST(RunReference, HasTheErrorOfTheProblemThatIsTheSameMotion) {
  const TestFolder folder;
  ASSERT_EQ(polhode(folder, {"init", "--problem", "asymmetric-top", "copy.toml"}).code, 0);
  const std::vector<std::string> how{"-m", "taylor-4", "--step", "0.05", "--duration", "3"};
  std::vector<std::string> problem{"--problem", "asymmetric-top"}, file{"copy.toml", "--reference"};
  problem.insert(problem.end(), how.begin(), how.end());
  file.insert(file.end(), how.begin(), how.end());
  const json built_in = run_json(folder, problem), computed = run_json(folder, file);
  EXPECT_EQ(built_in["reference"]["source"], "built-in");
  EXPECT_EQ(computed["reference"]["source"], "computed");
  EXPECT_NEAR(built_in["attitude_error"].get<double>(), computed["attitude_error"].get<double>(), 1e-17);
  EXPECT_NEAR(built_in["momentum_error"].get<double>(), computed["momentum_error"].get<double>(), 1e-17);
}

TEST(RunReference, OfAFreeBodyIsThereAtOnce) {
  const TestFolder folder;
  const std::string tensor =
      replaced(good, "inertia = [1, 2, 2.5]", "inertia = [[1.2, -0.1, 0.05], [-0.1, 0.95, 0.08], [0.05, 0.08, 0.7]]");
  folder.write("free.toml", replaced(tensor, "angular_velocity_body", "angular_momentum_spatial"));
  for (const char* scalar : {"float", "double", "long-double", "quad"}) {
    const json result = run_json(folder, {"free.toml", "--scalar", scalar, "--duration", "5"});
    EXPECT_EQ(result["reference"]["source"], "closed-form") << scalar;
    EXPECT_GT(result["attitude_error"].get<double>(), 1e-8) << scalar;
    EXPECT_LT(result["attitude_error"].get<double>(), 1e-3) << scalar;
  }
  folder.write("wheels.toml",
               replaced(good, "[start]", "wheels = [{ axis = [0, 0, 1], inertia = 0.01, speed = 60 }]\n[start]"));
  EXPECT_FALSE(run_json(folder, {"wheels.toml"}).contains("attitude_error"));
  EXPECT_EQ(run_json(folder, {"wheels.toml", "--reference"})["reference"]["source"], "computed");
}

TEST(RunReference, IsWiderThanTheScalarOfTheRun) {
  const TestFolder folder;
  folder.write("top.toml", replaced(top, "duration = 2", "duration = 0.5"));
  const double rounding[] = {1e-6, 1e-14, 1e-17, 1e-31};
  int i = 0;
  for (const char* scalar : {"float", "double", "long-double", "quad"}) {
    const json result = run_json(folder, {"top.toml", "--reference", "--scalar", scalar, "-m", "taylor-adaptive"});
    EXPECT_LT(result["attitude_error"].get<double>(), rounding[i]) << scalar;
    EXPECT_LT(result["reference"]["attitude_uncertainty"].get<double>(), rounding[i++] / 10) << scalar;
  }
}

TEST(RunReference, SaysWhenAnErrorIsBelowItsUncertainty) {
  const TestFolder folder;
  folder.write("top.toml", replaced(top, "duration = 2", "duration = 0.5"));
  const std::vector<std::string> run{"run", "top.toml", "--reference", "--scalar", "quad", "-m", "taylor-adaptive"};
  const Outcome summary = polhode(folder, run);
  EXPECT_EQ(summary.code, 0);
  const bool below = summary.out.find("the uncertainty of the reference") != std::string::npos;
  EXPECT_EQ(below, summary.err.find("below the uncertainty of its reference") != std::string::npos);
  EXPECT_TRUE(below) << "a quad cannot be compared with anything wider:\n" << summary.out;
}

TEST(RunReference, IsSharedDamagedAndUnwritableWithoutHarm) {
  const TestFolder folder;
  folder.write("top.toml", top);
  const double error = run_json(folder, {"top.toml", "--reference"})["attitude_error"].get<double>();
  folder.write("same.toml",
               "# the same motion in other words\n" +
                   replaced(top, "[0.9144, 1.098, 1.66]", "[[0.9144, 0, 0], [0, 1.098, 0], [0, 0, 1.66]]"));
  const json same = run_json(folder, {"same.toml", "--reference"});
  EXPECT_EQ(same["reference"]["source"], "cache");
  EXPECT_EQ(same["attitude_error"].get<double>(), error);

  ASSERT_EQ(kept_in(folder).size(), 1U);
  const std::string file = kept_in(folder).front();
  std::filesystem::resize_file(file, 200);
  std::string said;
  const json again = run_json(folder, {"top.toml", "--reference"}, &said);
  EXPECT_THAT(said, HasSubstr("warning: the reference kept in '.polhode/reference-"));
  EXPECT_THAT(said, HasSubstr("is computed again"));
  EXPECT_EQ(again["attitude_error"].get<double>(), error);
  EXPECT_EQ(run_json(folder, {"top.toml", "--reference"}, &said)["reference"]["source"], "cache");
  EXPECT_EQ(said, "");

  // A file of the folder's name stands for whatever keeps it from being written, to the superuser too.
  std::filesystem::remove_all(folder.file(".polhode"));
  folder.write(".polhode", "");
  const json unkept = run_json(folder, {"top.toml", "--reference"}, &said);
  EXPECT_THAT(said, HasSubstr("cannot make the folder '.polhode'"));
  EXPECT_THAT(said, HasSubstr("the reference is not kept"));
  EXPECT_EQ(unkept["attitude_error"].get<double>(), error);
}

TEST(RunReference, EndsWhereTheRunEnds) {
  const TestFolder folder;
  folder.write("top.toml", replaced(top, "duration = 2", "duration = 9\nreference = true"));
  const json stopped = run_json(folder, {"top.toml", "--stop-when", "Rxx < 0.9"});
  EXPECT_LT(stopped["time"].get<double>(), 1);
  EXPECT_LT(stopped["attitude_error"].get<double>(), 1e-5);
  EXPECT_GT(stopped["attitude_error"].get<double>(), 1e-10);
  // A pulse whose impulse comes with the last step; 0.1 + 0.1 + ... need not be 2 to the last bit.
  folder.write("pulse.toml", replaced(top, "kind = \"heavy-top\"\nweight_times_arm = 0.5",
                                      "kind = \"pulse\"\nuntil = 2\nimpulse = [0, 3, 0]"));
  EXPECT_LT(run_json(folder, {"pulse.toml", "--reference"})["momentum_error"].get<double>(), 1e-3);
}

TEST(RunReference, ThatThereCannotBeIsSaid) {
  const TestFolder folder;
  folder.write("rest.toml", replaced(replaced(top, "kind = \"heavy-top\"\nweight_times_arm = 0.5",
                                              "kind = \"expression\"\nz = \"if(wz > 0, -1, 1)\""),
                                     "[0.45549, 0.82623, 0.03476]", "[0, 0, 0.5]"));
  const Outcome run = polhode(folder, {"run", "rest.toml", "--reference", "--duration", "0.5", "--json"});
  EXPECT_EQ(run.code, 0) << run.err;
  const Outcome stuck = polhode(folder, {"converge", "rest.toml", "--methods", "rkmk-4", "--step-sizes", "0.1"});
  EXPECT_EQ(stuck.code, 1);
  EXPECT_THAT(stuck.err, HasSubstr("rest has no reference at t = 2 s"));
  EXPECT_THAT(stuck.err, HasSubstr("both sides of a switch"));
  EXPECT_EQ(stuck.out, "");
}

TEST(RunReference, IsInterruptedLikeEverythingElse) {
  const TestFolder folder;
  folder.write("long.toml", replaced(top, "duration = 2", "duration = 1e7"));
  const Program program(folder, {"converge", "long.toml", "--methods", "rkmk-4", "--step-sizes", "1000", "--progress"});
  ASSERT_TRUE(program.gives([&] { return program.said().find("computing a reference") != std::string::npos; }));
  program.send(SIGINT);
  const Outcome run = program.wait();
  EXPECT_EQ(run.code, 130);
  EXPECT_THAT(run.err, HasSubstr("interrupted while the reference was computed"));
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(kept_in(folder).size(), 1U) << "the part that was done is kept";
}

TEST(RunReference, IsRefusedWhereItIsNoTruthValue) {
  const TestFolder folder;
  folder.write("x.toml", top + "reference = \"yes\"\n");
  expect_refused(folder, {{"run", "x.toml"}, 65, {"x.toml:12: run.reference: ", "true, or false"}});
  folder.write("y.toml", top + "references = true\n");
  expect_refused(folder, {{"run", "y.toml"}, 65, {"y.toml:12: run.references: ", "reference"}});
}

TEST(StudyOfScenarios, TakesSeveral) {
  const TestFolder folder;
  folder.write("top.toml", top);
  folder.write("free.toml", good);
  const std::vector<std::string> how{"--methods", "rkmk-4", "--step-sizes", "0.2:0.025"};
  const auto study = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "converge");
    words.insert(words.end(), how.begin(), how.end());
    const Outcome run = polhode(folder, words);
    EXPECT_EQ(run.code, 0) << run.err;
    return run;
  };
  const json alone = json::parse(study({"top.toml", "--json"}).out);
  EXPECT_EQ(alone["problem"], "top");
  EXPECT_EQ(alone["reference_source"], "computed");
  EXPECT_NEAR(alone["orders"][0]["attitude"].get<double>(), 4, 0.3);

  const Outcome both =
      study({"top.toml", "free.toml", "--problem", "fast-top", "--duration", "1", "--json", "-o", "orders.csv"});
  const json several = json::parse(both.out);
  EXPECT_EQ(several["schema_version"], 1);
  ASSERT_EQ(several["studies"].size(), 3U);
  const std::vector<std::string> names{"top", "free", "fast-top"}, sources{"computed", "closed-form", "built-in"};
  for (std::size_t i = 0; i < 3; ++i) {
    const json& one = several["studies"][i];
    EXPECT_EQ(one["problem"], names[i]);
    EXPECT_EQ(one["reference_source"], sources[i]);
    EXPECT_EQ(one["duration"], 1);
    EXPECT_EQ(one["rows"].size(), 4U);
    EXPECT_EQ(table_of(read_file(folder.file("orders-" + names[i] + ".csv"))).size(), 5U);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("orders.csv")));
  const std::string tables = study({"top.toml", "free.toml", "--duration", "1"}).out;
  EXPECT_THAT(tables, HasSubstr("top: errors after 1 s"));
  EXPECT_THAT(tables, HasSubstr("\nfree: errors after 1 s"));
}

TEST(StudyOfScenarios, ChecksAllBeforeTheFirst) {
  const TestFolder folder;
  folder.write("free.toml", good);
  folder.write("top.toml", top);
  const std::vector<Refused> cases{
      {{"converge", "free.toml", "top.toml", "--methods", "free-exact"}, 2, {"--methods: free-exact"}},
      {{"compare", "free.toml", "top.toml", "--methods", "rkmk-4,free-exact"}, 2, {"--methods: free-exact"}},
      {{"converge", "free.toml", "none.toml"}, 66, {"cannot read 'none.toml'"}},
      {{"converge", "free.toml", "--output", "free.toml"}, 2, {"--output: 'free.toml'", ".csv or .json"}},
      {{"compare", "free.toml", "top.toml", "--output", "none/x.csv"}, 74, {"none/x-free.csv"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  const std::string table =
      replaced(top, "kind = \"heavy-top\"\nweight_times_arm = 0.5", "kind = \"table\"\nfile = \"torque.csv\"");
  folder.write("torque.csv", "t[s],x,y,z\n0,0,0,0\n5,1,0,0\n");
  folder.write("table.toml", table);
  expect_refused(folder, {{"converge", "table.toml", "--methods", "rkmk-4", "--step-sizes", "0.1", "--duration", "9"},
                          2,
                          {"--duration: ", "is given from 0 s to 5 s"}});
  folder.write("longer.toml", replaced(table, "duration = 2", "duration = 9"));
  expect_refused(folder, {{"converge", "longer.toml", "--methods", "rkmk-4", "--step-sizes", "0.1"},
                          65,
                          {"longer.toml:5: torque", "is given from 0 s to 5 s"}});
}

TEST(StudyOfScenarios, ComparesCosts) {
  const TestFolder folder;
  folder.write("top.toml", top);
  const Outcome run = polhode(folder, {"compare", "top.toml", "fast-top", "--methods", "rkmk-4,lie-verlet",
                                       "--duration", "1", "--step-sizes", "0.1,0.05", "--repeats", "1", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json several = json::parse(run.out);
  for (const json& one : several["studies"]) {
    ASSERT_EQ(one["rows"].size(), 4U);
    for (const json& row : one["rows"]) EXPECT_GT(row["attitude_error"].get<double>(), 0);
  }
}

}  // namespace
}  // namespace polhode::reference_cli_test
