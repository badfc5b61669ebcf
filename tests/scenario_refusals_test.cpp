// Every sentence with which the scenario reader refuses: file, line, key, value and remedy.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "described_kinds.hpp"
#include "io_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::scenario_refusals_test {
namespace {

using ::testing::HasSubstr;

Error refusal(const std::string& text) {
  try {
    plan(parse_scenario(text, "x.toml"));
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return {ErrorKind::run_failed, ""};
}

// The scenario with one piece replaced, and what the refusal must say.
struct BadPiece {
  std::string from, to;
  std::vector<std::string> said;
};

void expect_refusals(const std::string& text, const std::vector<BadPiece>& pieces) {
  for (const auto& [from, to, said] : pieces) {
    const Error error = refusal(replaced(text, from, to));
    SCOPED_TRACE(to + " -> " + error.what());
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

TEST(ScenarioRefusals, WhatIsNoScenario) {
  EXPECT_THAT(refusal("").what(), HasSubstr("x.toml: the file is empty; polhode init"));
  EXPECT_THAT(refusal("# only a comment\n").what(), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal(std::string("[\0body]", 7)).what(), HasSubstr("NUL byte"));
  EXPECT_THAT(refusal("\xff\xfe\x01garbage").what(), HasSubstr("x.toml:1: not valid TOML"));
  expect_refusals(good, {{"step = 0.1", "step = = 0.1", {"x.toml:7: not valid TOML", "polhode init"}},
                         {"step = 0.1", "step = 0.1\nstep = 0.2", {"x.toml:8", "redefine", "step"}},
                         {"step = 0.1", "step = 1e999", {"x.toml:7", "1e999"}},
                         {"[run]", "[body]", {"x.toml:5", "redefine", "body"}}});
}

TEST(ScenarioRefusals, MissingTablesAndKeys) {
  expect_refusals(
      good,
      {{"[body]\ninertia = [1, 2, 2.5]\n", "", {"x.toml: there is no [body] table", "inertia = [I1, I2, I3]"}},
       {"[start]\nangular_velocity_body = [1, 0, 0]\n", "", {"there is no [start] table", "add [start]"}},
       {"inertia = [1, 2, 2.5]\n", "", {"x.toml:1: body.inertia: is missing", "principal moments"}},
       {"angular_velocity_body = [1, 0, 0]\n", "", {"x.toml:3: start.", "is missing", "angular_momentum_spatial"}},
       {"method = \"taylor-4\"\n", "", {"x.toml:5: run.method: no method is chosen", "'polhode methods' lists"}},
       {"[body]\ninertia = [1, 2, 2.5]", "body = 3", {"x.toml:1: body: 3 is an integer", "[body]"}}});
}

TEST(ScenarioRefusals, UnknownKeysWithTheNearest) {
  expect_refusals(good,
                  {{"inertia", "inertai", {"x.toml:2: body.inertai: no such key; nearest: inertia"}},
                   {"duration", "zzz", {"x.toml:8: run.zzz: no such key; this table takes method, step"}},
                   {"[body]", "inertia = 1\n[body]", {"x.toml:1: inertia: no such key here", "belongs in [body]"}},
                   {"step = 0.1", "inertia = 1", {"x.toml:7: run.inertia", "belongs in [body]"}},
                   {"[run]", "[rum]", {"x.toml:5: rum: no such key; nearest: run"}},
                   {"[run]", "[gears]\n[run]", {"x.toml:5: gears", "a scenario takes body, start, torque"}}});
}

TEST(ScenarioRefusals, WrongTypesLengthsAndNonFiniteNumbers) {
  expect_refusals(
      good, {{"[1, 2, 2.5]", "\"heavy\"", {"x.toml:2: body.inertia: 'heavy' is a string", "principal moments"}},
             {"[1, 2, 2.5]", "[1, 2]", {"x.toml:2: body.inertia: [ 1, 2 ] has 2 elements, not 3"}},
             {"[1, 2, 2.5]", "[]", {"x.toml:2: body.inertia: [] has 0 elements"}},
             {"[1, 2, 2.5]", "[1, \"a\", 2]", {"element 2 of [ 1, 'a', 2 ] is a string"}},
             {"[1, 2, 2.5]", "[1, nan, 2]", {"element 2 of [ 1, nan, 2 ] is not finite"}},
             {"[1, 2, 2.5]", "[[1, 0, 0], [0, 1, 0]]", {"is not 3x3"}},
             {"[1, 2, 2.5]", "[[1, 0, 0], [0, 1], [0, 0, 1]]", {"is not 3x3"}},
             {"[1, 2, 2.5]", "[[1, 0, 0], [0, 1, inf], [0, 0, 1]]", {"element 3 of [ 0, 1, inf ] is not finite"}},
             {"[1, 2, 2.5]",
              "[1, 2, 2.5]\nunphysical = 1",
              {"x.toml:3: body.unphysical: 1 is an integer; give true or false"}},
             {"[1, 0, 0]", "[-inf, 0, 0]", {"x.toml:4: start.angular_velocity_body", "not finite", "rad/s"}},
             {"[1, 0, 0]", "[1, 0, 0]\nattitude_wxyz = [1, 0, 0]", {"x.toml:5: start.attitude_wxyz", "[w, x, y, z]"}},
             {"[1, 0, 0]", "[1, 0, 0]\ntime = nan", {"x.toml:5: start.time: nan is not finite"}},
             {"\"taylor-4\"", "4", {"x.toml:6: run.method: 4 is an integer", "polhode methods"}},
             {"\"taylor-4\"", "\"\"", {"x.toml:6: run.method: is empty"}},
             {"0.1", "true", {"x.toml:7: run.step: true is a truth value", "positive number of seconds"}},
             {"0.1", "1979-05-27", {"x.toml:7: run.step: 1979-05-27 is a date"}},
             {"0.1", "{ a = 1 }", {"x.toml:7: run.step: is a table"}},
             {"duration = 1", "steps = 2.5", {"x.toml:8: run.steps: 2.5 is not a whole number"}},
             {"duration = 1", "steps = 9223372036854775807", {"x.toml:8: run.steps: 9223372036854775807 is too large"}},
             {"duration = 1", "on_failure = true", {"x.toml:8: run.on_failure: true is a truth value", "halve"}},
             {"duration = 1", "on_failure = \"go on\"", {"x.toml:8: run.on_failure: 'go on' is not a choice", "halve"}},
             {"duration = 1", "tolerance = \"tight\"", {"x.toml:8: run.tolerance: 'tight' is a string", "1e-8"}},
             {"duration = 1", "tolerance = 0", {"x.toml:8: run.tolerance: 0 is not positive", "1e-8"}},
             {"duration = 1", "tolerance = inf", {"x.toml:8: run.tolerance: inf is not finite"}},
             {"duration = 1", "goal = \"speed\"", {"x.toml:8: run.goal: 'speed' is not a goal", "torque-evaluations"}},
             {"duration = 1", "goal = 1", {"x.toml:8: run.goal: 1 is an integer", "energy"}},
             {"duration = 1", "scalar = 8", {"x.toml:8: run.scalar: 8 is an integer", "long-double"}}});
}

TEST(ScenarioRefusals, WhatIsNoBodyOrAttitude) {
  expect_refusals(
      good,
      {{"[1, 2, 2.5]", "[1, -2, 2]", {"x.toml:2: body.inertia", "[1, -2, 2]", "positive"}},
       {"[1, 2, 2.5]", "[0, 2, 2]", {"x.toml:2: body.inertia", "[0, 2, 2]", "rod", "sphere"}},
       {"[1, 2, 2.5]", "[1, 2, 4]", {"x.toml:2: body.inertia", "triangle inequality", "unphysical = true"}},
       {"[1, 2, 2.5]", "[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]", {"x.toml:2: body.inertia", "symmetric", "0.2"}},
       {"[run]", "attitude_wxyz = [1, 1, 0, 0]\n[run]", {"x.toml:5: start.attitude_wxyz", "1.414", "length"}},
       {"[run]", "attitude_xyzw = [0, 0, 0, 0]\n[run]", {"x.toml:5: start.attitude_xyzw", "length 0"}},
       {"[run]", "rotation_matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]\n[run]", {"x.toml:5", "not a rotation"}},
       {"[run]", "rotation_matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]\n[run]", {"x.toml:5", "reflection"}},
       {"[run]", "attitude_wxyz = [1, 0, 0, 0]\nmrp = [0, 0, 0]\n[run]", {"x.toml:6: start.mrp", "attitude_wxyz"}},
       {"[run]", "angular_momentum_body = [1, 0, 0]\n[run]", {"x.toml:5", "angular_velocity_body", "keep one"}}});
}

TEST(ScenarioRefusals, StepsThatAreNone) {
  expect_refusals(good,
                  {{"0.1", "0", {"x.toml:7: run.step: 0 is not positive", "0.01"}},
                   {"0.1", "-0.1", {"x.toml:7: run.step: -0.1 is not positive", "negative duration"}},
                   {"0.1", "nan", {"x.toml:7: run.step: nan is not finite"}},
                   {"0.1", "1e-300", {"x.toml:7: run.step: 1e-300 s is too small", "steps"}},
                   {"duration = 1", "steps = 0", {"x.toml:8: run.steps: 0 is below 1"}},
                   {"duration = 1", "steps = -3", {"x.toml:8: run.steps: -3 is below 1"}},
                   {"duration = 1", "duration = 0", {"x.toml:8: run.duration: 0 is no time at all"}},
                   {"duration = 1", "duration = inf", {"x.toml:8: run.duration: inf is not finite"}},
                   {"duration = 1", "duration = 1\nsteps = 3", {"x.toml:8: run.duration", "excludes steps"}},
                   {"step = 0.1", "step = 0.1\nstep_file = \"s.txt\"", {"x.toml:8: run.step_file", "excludes step"}},
                   {"step = 0.1", "step_file = \"\"", {"x.toml:7: run.step_file: is empty"}}});
  const std::string multistep = replaced(good, "taylor-4", "abm4");
  const TestFolder folder;
  const std::string steps = folder.write("s.txt", "0.1\n0.2\n");
  expect_refusals(multistep,
                  {{"duration = 1", "duration = 1.05", {"x.toml:8: run.duration: 1.05", "abm4", "0.105 s"}},
                   {"step = 0.1", "step_file = \"" + steps + '"', {"x.toml:7: run.step_file", "abm4 needs equal"}}});
}

TEST(ScenarioRefusals, NamesThatAreNot) {
  expect_refusals(
      good,
      {{"taylor-4", "tailor-4", {"x.toml:6: run.method: no method named 'tailor-4'; nearest: taylor-4"}},
       {"taylor-4", "taylor-4+enrgy", {"x.toml:6: run.method", "'+enrgy'", "+energy"}},
       {"[run]", "[run]\nscalar = \"doubel\"", {"x.toml:6: run.scalar: no scalar named 'doubel'; nearest: double"}},
       {"[run]", "[run]\nscalar = \"half\"", {"x.toml:6: run.scalar: no scalar named 'half'; choose float"}}});
}

TEST(ScenarioRefusals, ParametersThatTheMethodDoesNotTake) {
  const std::string damped = replaced(good, "taylor-4", "newmark-gamma") + "[run.parameters]\ngamma = 0.55\n";
  expect_refusals(
      damped,
      {{"gamma = 0.55", "gama = 0.55", {"x.toml:10: run.parameters.gama: newmark-gamma has no", "nearest: gamma"}},
       {"gamma = 0.55", "\"gamma=0.7:gamma\" = 0.55", {"x.toml:10: run.parameters.", "no parameter 'gamma=0.7:gamma'"}},
       {"0.55", "0.4", {"x.toml:10: run.parameters.gamma: newmark-gamma: gamma = 0.4", "from 0.5 to 1"}},
       {"0.55", "\"0.55\"", {"x.toml:10: run.parameters.gamma: '0.55' is a string", "a number"}},
       {"0.55", "inf", {"x.toml:10: run.parameters.gamma: inf is not finite"}},
       {"\"newmark-gamma\"", "\"taylor-4\"", {"x.toml:10: run.parameters.gamma: taylor-4 has no parameters"}},
       {"\"newmark-gamma\"", "\"newmark-gama\"", {"x.toml:6: run.method: no method named 'newmark-gama'"}},
       {"\"newmark-gamma\"", "\"newmark-gamma@suzuki\"", {"x.toml:6: run.method: '@suzuki' raises", "gamma=0.55 is"}},
       {"\"newmark-gamma\"", "\"newmark-gamma:gamma=0.55\"", {"x.toml:6: run.method", "gamma is given twice"}},
       {"\"newmark-gamma\"", "\"auto\"", {"x.toml:10: run.parameters.gamma: auto chooses a method with its par"}}});
  expect_refusals(good,
                  {{"duration = 1", "parameters = 3", {"x.toml:8: run.parameters: is not a table", "gamma = 0.55"}}});
}

TEST(ScenarioRefusals, TorquesThatAreNone) {
  const std::string top = good + "[torque]\nkind = \"heavy-top\"\nweight_times_arm = 20\n";
  expect_refusals(
      top, {{"heavy-top", "heavy-tpo", {"x.toml:10: torque.kind: no torque of kind 'heavy-tpo'; nearest: heavy-top"}},
            {"heavy-top", "free", {"x.toml:10: torque.kind", "constant-spatial", "leave the torque out"}},
            {"kind = \"heavy-top\"\n", "", {"x.toml:9: torque.kind: is missing", "heavy-top"}},
            {"kind = \"heavy-top\"", "kind = 3", {"x.toml:10: torque.kind: 3 is an integer"}},
            {"[torque]\nkind = \"heavy-top\"\nweight_times_arm = 20\n",
             "[[torque]]\nkind = \"constant-body\"\n",
             {"x.toml:9: torque.torque: is missing; constant-body needs it"}},
            {"20", "20\naxis_bodi = [1, 0, 0]", {"x.toml:12: torque.axis_bodi: no such key; nearest: axis_body"}},
            {"20", "20\naxis_body = [0, 0, 0]", {"x.toml:12: torque.axis_body", "zero vector"}}});
  expect_refusals(good, {{"[body]", "torque = 3\n[body]", {"x.toml:1: torque: 3 is an integer", "[[torque]]"}},
                         {"[body]", "torque = [3]\n[body]", {"x.toml:1: torque: 3 is not a table"}}});
  const std::string two = top + "up_spatial = [0, 0, 1]\n";
  expect_refusals(replaced(two, "[torque]", "[[torque]]\nkind = \"constant-body\"\ntorque = [1, 0, 0]\n[[torque]]"),
                  {{"up_spatial = [0, 0, 1]", "up_spatial = [0, 0, 0]", {"x.toml:15: torque[1].up_spatial"}}});
}

// Each listed field is read by its own keys; nothing here names one.
TEST(ScenarioRefusals, EveryFieldKindIsReadAndRefusedByItsKeys) {
  const auto test_kind = [&](const auto& field, auto) {
    Scenario scenario = parse_scenario(good, "x.toml");
    scenario.setup.torques = {field};
    const std::string text = to_toml(scenario);
    EXPECT_NO_THROW(parse_scenario(text, "x.toml")) << text;
    const auto test_key = [&](const auto& key) {
      const auto& value = field.*(key.member);
      if (!is_given(value)) return;
      const std::size_t begin = text.find(fmt::format("\n{} = ", key.name)) + 1;
      const std::string line = text.substr(begin, text.find('\n', begin) - begin + 1);
      const std::string name = fmt::format("torque.{}:", key.name);
      using Value = std::decay_t<decltype(value)>;
      const bool is_text = OneOfWords<Value> || std::is_same_v<Value, std::string> || std::is_same_v<Value, DataFile>;
      const std::string wrong = is_text ? "7" : "\"much\"", why = is_text ? "7 is an integer" : "'much' is a string";
      expect_refusals(text, {{line, fmt::format("{} = {}\n", key.name, wrong), {name, why}},
                             {line, fmt::format("{}s = 1\n", key.name), {"nearest: " + std::string(key.name)}}});
      if (key.required) expect_refusals(text, {{line, "", {name, "is missing", std::string(key.meaning)}}});
    };
    std::apply([&](const auto&... key) { (test_key(key), ...); }, field.keys());
  };
  test::visit_torques(test::every_kind(), test_kind);
}

TEST(ScenarioRefusals, OutputThatCannotBe) {
  const std::string with_output = good + "[output]\nfile = \"out.csv\"\n";
  expect_refusals(with_output,
                  {{"out.csv", "out.mat", {"x.toml:10: output.file: 'out.mat'", "HDF5 (.h5)", "'out.mat.csv'"}},
                   {"out.csv", "out", {"x.toml:10: output.file: 'out'", "out.csv"}},
                   {"\"out.csv\"", "1", {"x.toml:10: output.file: 1 is an integer"}},
                   {"[output]", "[output]\nevery = 0", {"x.toml:10: output.every: 0 is below 1"}},
                   {"[output]", "[output]\ncolumns = \"energy\"", {"x.toml:10: output.columns: 'energy' is a string"}},
                   {"[output]", "[output]\ncolumns = [1]", {"x.toml:10: output.columns: 1 is an integer"}},
                   {"[output]", "[output]\ncolumns = []", {"x.toml:10: output.columns: no columns are named"}},
                   {"[output]", "[output]\ncolumns = [\"enrgy\"]", {"no column named 'enrgy'; nearest: energy"}},
                   {"[output]", "[output]\ncolumns = [\"colour\"]", {"no column named 'colour'", "euler_321_deg"}},
                   {"[output]", "[output]\ncolumns = [\"momentum_along_field\"]", {"x.toml:10", "heavy-top"}}});
}

TEST(ScenarioRefusals, FilesThatAreNotThere) {
  const TestFolder folder;
  const auto kind_of = [](const std::string& path) -> std::optional<ErrorKind> {
    try {
      read_scenario(path);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("cannot read '" + path + "'"));
      return error.kind;
    }
    return std::nullopt;
  };
  EXPECT_EQ(kind_of(folder.file("none.toml")), ErrorKind::file_missing);
  EXPECT_EQ(kind_of(folder.path()), ErrorKind::file_missing);
  // A link to itself cannot be read by anyone, root included.
  std::filesystem::create_symlink("loop.toml", folder.file("loop.toml"));
  EXPECT_EQ(kind_of(folder.file("loop.toml")), ErrorKind::file_missing);
}

TEST(ScenarioRefusals, StepFilesAreFoundBesideTheScenarioAndChecked) {
  const TestFolder folder;
  const std::string path = folder.write("x.toml", replaced(good, "step = 0.1", "step_file = \"s.txt\""));
  const auto complaint = [&](const std::string& steps) -> std::string {
    folder.write("s.txt", steps);
    try {
      plan(read_scenario(path));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_file);
      return error.what();
    }
    return "";
  };
  try {
    plan(read_scenario(path));
    ADD_FAILURE() << "a missing step file was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::file_missing);
    EXPECT_THAT(error.what(), HasSubstr("x.toml:7: run.step_file: cannot read"));
  }
  EXPECT_EQ(complaint("# steps\n0.5\n\n0.25 # half of it\r\n0.5\n"), "");
  EXPECT_THAT(complaint("0.5\n-0.25\n"), HasSubstr("s.txt:2: '-0.25' is not a positive number"));
  EXPECT_THAT(complaint("0.5\n\nfast\n"), HasSubstr("s.txt:3: 'fast'"));
  EXPECT_THAT(complaint("nan\n"), HasSubstr("s.txt:1: 'nan'"));
  EXPECT_THAT(complaint("0.5 0.5\n"), HasSubstr("s.txt:1: '0.5 0.5'"));
  EXPECT_THAT(complaint("# none\n"), HasSubstr("lists no steps"));
  EXPECT_THAT(complaint("0.5\n"), HasSubstr("x.toml:8: run.duration: 1 s is longer"));
}

}  // namespace
}  // namespace polhode::scenario_refusals_test
