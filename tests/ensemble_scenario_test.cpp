// [ensemble] in a scenario file: what is read, what is written, and every sentence with which it is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "described_kinds.hpp"
#include "io_support.hpp"
#include "model/drawable_keys.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::ensemble_scenario_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = Distribution::Kind;
using Numbers = std::vector<double>;

// Line 9 is [ensemble], and what is put into it begins in line 10.
std::string with_ensemble(const std::string& lines, const std::string& scenario = good) {
  return scenario + "[ensemble]\n" + lines + "\n";
}
const std::string top = good + "[torque]\nkind = \"heavy-top\"\nweight_times_arm = 0.5\n";
const std::string two_torques = good +
                                "[[torque]]\nkind = \"constant-body\"\ntorque = [0, 0, 1]\n[[torque]]\nkind = "
                                "\"heavy-top\"\nweight_times_arm = 0.5\n";

EnsembleSettings settings_of(const std::string& text, const std::string& source = "x.toml") {
  return parse_scenario(text, source).ensemble.value();
}

// Written and read again.
void expect_round_trip(const std::string& text, const std::string& source = "x.toml") {
  const Scenario scenario = parse_scenario(text, source);
  const std::string written = to_toml(scenario);
  SCOPED_TRACE(written);
  const Scenario again = parse_scenario(written, source);
  EXPECT_EQ(again.ensemble, scenario.ensemble);
  EXPECT_EQ(to_toml(again), written);
}

TEST(EnsembleInAFile, IsReadAndWritten) {
  const std::string text = with_ensemble(R"(bodies = 100000
seed = 7
attitude = "uniform"
angular_velocity_body = { normal = [[0, 0, 0], [0.1, 0.2, 0.3]] }
inertia = { uniform = [[0.9, 1.0, 1.5], [1.0, 1.2, 1.7]] }
torque.weight_times_arm = { uniform = [0.4, 0.6] }
snapshots = [10, 100]
quantiles = [0.05, 0.5, 0.95]
histogram = [{ quantity = "energy", low = 0, high = 2, bins = 40 }, { quantity = "tilt", low = -1, high = 1 }])",
                                         top);
  const EnsembleSettings settings = settings_of(text);
  EXPECT_EQ(settings.bodies, 100000);
  EXPECT_EQ(settings.seed, 7U);
  EXPECT_EQ(settings.snapshots, (Numbers{10, 100}));
  EXPECT_EQ(settings.quantiles, (Numbers{0.05, 0.5, 0.95}));
  EXPECT_EQ(settings.histograms,
            (std::vector<HistogramRequest>{{"energy", 0, 2, 40}, {"tilt", -1, 1, HistogramRequest{}.bins}}));
  const std::vector<DrawnKey> drawn{
      {"body.inertia", {.kind = Kind::uniform, .first = {0.9, 1, 1.5}, .second = {1, 1.2, 1.7}}},
      {"start.attitude", {.kind = Kind::rotations}},
      {"start.angular_velocity_body", {.kind = Kind::normal, .first = {0, 0, 0}, .second = {0.1, 0.2, 0.3}}},
      {"torque[0].weight_times_arm", {.kind = Kind::uniform, .first = {0.4}, .second = {0.6}}}};
  EXPECT_EQ(settings.drawn, drawn) << "in the order of a scenario";
  expect_round_trip(text);
}

TEST(EnsembleInAFile, MayBeEmptyOrAbsent) {
  EXPECT_FALSE(parse_scenario(good, "x.toml").ensemble.has_value());
  EXPECT_THAT(to_toml(parse_scenario(good, "x.toml")), ::testing::Not(HasSubstr("ensemble")));
  EXPECT_EQ(settings_of(with_ensemble("")), EnsembleSettings{});
  expect_round_trip(with_ensemble(""));
  EXPECT_NO_THROW(plan(parse_scenario(with_ensemble("bodies = 3"), "x.toml"))) << "a run is that of the typical body";
}

TEST(EnsembleInAFile, TakesEveryFormOfADistribution) {
  const auto drawn = [](const std::string& lines, const std::string& scenario) {
    expect_round_trip(with_ensemble(lines, scenario));
    return settings_of(with_ensemble(lines, scenario)).drawn.at(0).distribution;
  };
  EXPECT_EQ(drawn("angular_velocity_body = { normal = [[1, 2, 3], 0.5] }", good).second, (Numbers{0.5, 0.5, 0.5}));
  EXPECT_EQ(drawn("[ensemble.angular_velocity_body]\nuniform = [[1, 2, 3], [4, 5, 6.5]]", good).second,
            (Numbers{4, 5, 6.5}));
  EXPECT_EQ(drawn("inertia = { normal = [[[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]], 0.01] }", good).first,
            (Numbers{1, 0.1, 0, 0.1, 2, 0, 0, 0, 2.5}));
  EXPECT_EQ(drawn("angular_momentum_spatial = { rows = [[1, 2, 3], [4, 5, 6]] }", good).rows->at(4), 5);
  EXPECT_EQ(drawn("torque = { weight_times_arm = { rows = [1, 2, 3] } }", top).row_count(), 3U);
  EXPECT_EQ(drawn("torque = [{ weight_times_arm = { normal = [1, 2] } }]", top).first, (Numbers{1}));
  EXPECT_EQ(drawn("[ensemble.torque.weight_times_arm]\nnormal = [1, 2]", top).second, (Numbers{2}));
  const std::string damped = good + "[torque]\nkind = \"damping\"\nlinear = 1\n";
  EXPECT_EQ(drawn("torque.linear = { uniform = [1, 2] }", damped).second, (Numbers{2}));
  EXPECT_EQ(drawn("torque.linear = { uniform = [[1, 2, 3], [4, 5, 6]] }", damped).second, (Numbers{4, 5, 6}));
  EXPECT_EQ(drawn("torque.linear = { normal = [[[1, 2, 3], [4, 5, 6], [7, 8, 9]], 1] }", damped).first,
            (Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  const std::string dumbbell = replaced(good, "[1, 0, 0]\n", "[1, 0, 0]\ndirection = [0, 0, 1]\n");
  EXPECT_EQ(drawn("direction = \"uniform\"", dumbbell).kind, Kind::rotations);
}

TEST(EnsembleInAFile, KnowsWhichTorqueAndWhichWheel) {
  const std::string second = with_ensemble("torque = [{}, { weight_times_arm = { uniform = [1, 2] } }]", two_torques);
  EXPECT_EQ(settings_of(second).drawn.at(0).key, "torque[1].weight_times_arm");
  expect_round_trip(second);
  const std::string first = with_ensemble("torque = [{ torque = { normal = [[1, 2, 3], 1] } }]", two_torques);
  EXPECT_EQ(settings_of(first).drawn.at(0).key, "torque[0].torque");
  expect_round_trip(first);
  const std::string wheel = "{ axis = [0, 0, 2], inertia = 0.01, speed = 600 }";
  const std::string one = replaced(good, "[start]", "wheels = [" + wheel + "]\n[start]"),
                    two = replaced(good, "[start]", "wheels = [" + wheel + ", " + wheel + "]\n[start]");
  for (const char* line : {"wheels = [{ speed = { normal = [600, 5] } }]", "wheels.speed = { normal = [600, 5] }"}) {
    EXPECT_EQ(settings_of(with_ensemble(line, one)).drawn.at(0).key, "body.wheels[0].speed");
    expect_round_trip(with_ensemble(line, one));
  }
  const std::string both =
      with_ensemble("wheels = [{ inertia = { normal = [0.01, 0.001] } }, { torque = { uniform = [1, 2] } }]", two);
  EXPECT_EQ(settings_of(both).drawn.at(1).key, "body.wheels[1].torque");
  expect_round_trip(both);
}

TEST(EnsembleInAFile, ReachesConstantsOfFormulas) {
  const std::string spring = good + "[torque]\nkind = \"expression\"\nx = \"-c*Rzy\"\nconstants = { c = 2, e_5 = 1 }\n";
  for (const char* line : {"torque.constants.c = { uniform = [1, 2] }",
                           "torque = { constants = { c = { uniform = [1, 2] }, e_5 = { normal = [0, 1] } } }"}) {
    EXPECT_EQ(settings_of(with_ensemble(line, spring)).drawn.at(0).key, "torque[0].constants.c");
    expect_round_trip(with_ensemble(line, spring));
  }
}

// By the list of keys that a situation has, so that a new kind of torque is in it.
TEST(EnsembleInAFile, WritesAndReadsEveryKey) {
  polhode::Setup setup = parse_scenario(good, "x.toml").setup;
  setup.wheels = {{{0, 0, 1}, 0.01, 600, {}}, {{0, 1, 0}, 0.01, 600, {}}};
  setup.torques = every_kind();
  for (FieldData<double>& torque : setup.torques)
    if (auto* from_file = std::get_if<TorqueTable<double>>(&torque)) from_file->file.name.clear();
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.setup = setup;
  std::size_t count = 0;
  for (const DrawableKey& key : drawable_keys(setup)) {
    SCOPED_TRACE(key.name);
    for (const std::size_t size : key.sizes) {
      Distribution from{.kind = Kind::normal, .first = Numbers(size, 0.1), .second = Numbers(size, 0.25)};
      if (!key.takes_numbers)
        from = {.kind = Kind::table, .rows = std::make_shared<const Numbers>(2 * size, 0.5), .width = size};
      if (key.takes_rotations) from = {.kind = Kind::rotations};
      scenario.ensemble = EnsembleSettings{};
      scenario.ensemble->drawn = {{key.name, from}};
      EXPECT_EQ(parse_scenario(to_toml(scenario), "x.toml").ensemble, scenario.ensemble);
      ++count;
    }
  }
  EXPECT_GT(count, 60U);
}

TEST(EnsembleInAFile, TakesSeedsOf63Bits) {
  const std::string most = "9223372036854775807";
  EXPECT_EQ(settings_of(with_ensemble("seed = " + most)).seed, (1ULL << 63) - 1);
  expect_round_trip(with_ensemble("seed = " + most));
  EXPECT_EQ(settings_of(with_ensemble("seed = 0")).seed, 0U);
  EXPECT_EQ(settings_of(with_ensemble("seed = 5.0")).seed, 5U);
}

TEST(EnsembleInAFile, IsOverriddenByFlags) {
  Scenario scenario = parse_scenario(with_ensemble("bodies = 10\nseed = 3"), "x.toml");
  override_key(scenario, "ensemble.bodies", "--bodies", "1e6");
  override_key(scenario, "ensemble.seed", "--seed", "9223372036854775807");
  EXPECT_EQ(scenario.ensemble->bodies, 1000000);
  EXPECT_EQ(scenario.ensemble->seed, (1ULL << 63) - 1);
  EXPECT_EQ(settings_of(scenario.text), *scenario.ensemble) << "what is run is what the text says";
  const auto refused = [&](const char* key, const char* flag, const std::string& value) -> std::string {
    try {
      Scenario other = scenario;
      override_key(other, key, flag, value);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_request);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(refused("ensemble.bodies", "--bodies", "0"), HasSubstr("--bodies: 0 is below 1; give a whole number"));
  EXPECT_THAT(refused("ensemble.bodies", "--bodies", "many"), HasSubstr("--bodies: 'many' is not a number"));
  EXPECT_THAT(refused("ensemble.bodies", "--bodies", "2.5"), HasSubstr("--bodies: 2.5 is not a whole number"));
  for (const char* seed : {"-1", "1.5", "", "7x", "99999999999999999999"})
    EXPECT_THAT(refused("ensemble.seed", "--seed", seed), HasSubstr(fmt::format("--seed: '{}' is no seed", seed)));
  EXPECT_THAT(refused("ensemble.seed", "--seed", "9223372036854775808"), HasSubstr("is too large"));
  Scenario without = parse_scenario(good, "x.toml");
  override_key(without, "ensemble.bodies", "--bodies", "5");
  EXPECT_EQ(without.ensemble->bodies, 5);
}

// ---- tables

struct TableFolder {
  TestFolder folder;
  std::string source = folder.file("x.toml");

  Distribution read(const std::string& lines, const std::string& scenario = good) const {
    expect_round_trip(with_ensemble(lines, scenario), source);
    return settings_of(with_ensemble(lines, scenario), source).drawn.at(0).distribution;
  }
  Error refusal(const std::string& lines, const std::string& scenario = good) const {
    try {
      parse_scenario(with_ensemble(lines, scenario), source);
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error;
    }
    ADD_FAILURE() << "accepted: " << lines;
    return {ErrorKind::run_failed, ""};
  }
};

TEST(EnsembleTables, TakeTheColumnsThatResultsHave) {
  const TableFolder at;
  at.folder.write("a.csv",
                  "# made elsewhere\n name , qz,wy_B[rad/s],qw,wx_B [rad/s],wz_B, qx,qy\n\na,4,5,1,6,7,2,3 # first\nb, "
                  "40,50,10,60,70,20,30\n");
  const Distribution q = at.read("attitude_wxyz = { from = \"a.csv\" }");
  EXPECT_EQ(q.kind, Kind::table);
  EXPECT_EQ(q.width, 4U);
  EXPECT_THAT(*q.rows, ElementsAre(1, 2, 3, 4, 10, 20, 30, 40)) << "a column of words is of no matter";
  EXPECT_EQ(q.file, "a.csv") << "as the scenario has it";
  EXPECT_THAT(*at.read("angular_velocity_body = { from = \"a.csv\" }").rows, ElementsAre(6, 5, 7, 60, 50, 70));
}

TEST(EnsembleTables, TakeColumnsNamedAfterTheKeyOrByName) {
  const TableFolder at;
  at.folder.write(
      "a.csv",
      "inertia.x[kg m^2],inertia.y[kg m^2],inertia.z[kg m^2],torque.weight_times_arm[N m],mass\n1,2,2.5,0.5,9\n");
  EXPECT_THAT(*at.read("inertia = { from = \"a.csv\" }").rows, ElementsAre(1, 2, 2.5));
  EXPECT_THAT(*at.read("torque.weight_times_arm = { from = \"a.csv\" }", top).rows, ElementsAre(0.5));
  const Distribution named = at.read("torque.weight_times_arm = { from = \"a.csv\", columns = [\"mass\"] }", top);
  EXPECT_THAT(*named.rows, ElementsAre(9));
  EXPECT_THAT(named.columns, ElementsAre("mass"));
  EXPECT_THAT(*at.read("inertia = { from = \"a.csv\", columns = [\"mass\", \"inertia.y[kg m^2]\", \"mass\"] }").rows,
              ElementsAre(9, 2, 9));
  at.folder.write("b.csv", "inertia.xx,inertia.xy,inertia.xz,inertia.yy,inertia.yz,inertia.zz\n1,2,3,4,5,6\n");
  EXPECT_THAT(*at.read("inertia = { from = \"b.csv\" }").rows, ElementsAre(1, 2, 3, 2, 4, 5, 3, 5, 6));
  at.folder.write("c.csv",
                  "torque_1.weight_times_arm,torque_0.torque.x,torque_0.torque.y,torque_0.torque.z\n1,2,3,4\n");
  EXPECT_THAT(*at.read("torque = [{ torque = { from = \"c.csv\" } }]", two_torques).rows, ElementsAre(2, 3, 4));
  EXPECT_THAT(*at.read("torque = [{}, { weight_times_arm = { from = \"c.csv\" } }]", two_torques).rows, ElementsAre(1));
  at.folder.write("d.csv", "attitude_xyzw.x,attitude_xyzw.y,attitude_xyzw.z,attitude_xyzw.w\n1,2,3,4\n");
  EXPECT_THAT(*at.read("attitude_xyzw = { from = \"d.csv\" }").rows, ElementsAre(1, 2, 3, 4));
  const std::string damped = good + "[torque]\nkind = \"damping\"\nlinear = 1\n";
  at.folder.write("e.csv", "torque.linear[N m s]\n0.5\n");
  EXPECT_THAT(*at.read("torque.linear = { from = \"e.csv\" }", damped).rows, ElementsAre(0.5));
  at.folder.write("f.csv", "torque.linear.x,torque.linear.y,torque.linear.z\n1,2,3\n");
  EXPECT_EQ(at.read("torque.linear = { from = \"f.csv\" }", damped).width, 3U);
  EXPECT_THAT(*at.read("mrp = { from = \"f.csv\", columns = [\"torque.linear\"] }").rows, ElementsAre(1, 2, 3));
}

// What a run wrote is what the bodies of an ensemble start with, to the bit.
TEST(EnsembleTables, TakeResultsOfRuns) {
  const TableFolder at;
  const Scenario scenario = parse_scenario(top, at.source);
  Table kept;
  run(plan(scenario, true), &kept);
  for (const char* name : {"run.csv", "run.h5"}) {
    SCOPED_TRACE(name);
    const std::string path = at.folder.file(name);
    try {
      const auto file = result_format(path).open(path);
      run(plan(scenario, true), file.get());
    } catch (const Error& error) {
      ASSERT_EQ(error.kind, ErrorKind::unavailable);
      EXPECT_THAT(at.refusal(fmt::format("attitude_wxyz = {{ from = \"{}\" }}", name)).what(), HasSubstr("HDF5"));
      continue;
    }
    const auto rows_of = [&](const char* key, std::size_t first, std::size_t width) {
      const Distribution read = at.read(fmt::format("{} = {{ from = \"{}\" }}", key, name));
      ASSERT_EQ(read.width, width);
      ASSERT_EQ(read.row_count(), kept.rows.size());
      for (std::size_t i = 0; i < kept.rows.size(); ++i)
        for (std::size_t k = 0; k < width; ++k)
          EXPECT_EQ((*read.rows)[i * width + k], kept.rows[i][first + k].value) << key << i << k;
    };
    rows_of("attitude_wxyz", 1, 4);
    rows_of("angular_velocity_body", 5, 3);
    rows_of("angular_momentum_spatial", 8, 3);
    EXPECT_EQ(
        at.read(fmt::format("rotation_vector = {{ from = \"{}\", columns = [\"qx\", \"qy\", \"qx\"] }}", name)).width,
        3U);
    EXPECT_THAT(
        at.refusal(fmt::format("mrp = {{ from = \"{}\" }}", name)).what(),
        AllOf(HasSubstr("x.toml:10: ensemble.mrp: '"), HasSubstr("has no columns mrp_x, mrp_y, mrp_z, nor mrp.x"),
              HasSubstr("it has "), HasSubstr("wy_B")));
    EXPECT_THAT(at.refusal(fmt::format("angular_velocity_body = {{ from = \"{}\", columns = [\"Lx_S\", \"Ly_S\", "
                                       "\"Lz_S\"] }}",
                                       name))
                    .what(),
                HasSubstr("column Lx_S of '" + std::string(name) + "' is in 'kg m^2/s'; give it in rad/s"));
  }
}

TEST(EnsembleTables, RefusalsNameFileAndColumn) {
  const TableFolder at;
  const auto refused = [&](const std::string& csv, const std::string& lines, const std::vector<std::string>& said,
                           ErrorKind kind = ErrorKind::bad_file) {
    at.folder.write("w.csv", csv);
    const Error error = at.refusal(lines);
    SCOPED_TRACE(error.what());
    EXPECT_EQ(error.kind, kind);
    for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
  };
  const std::string w = "angular_velocity_body = { from = \"w.csv\" }",
                    at_w = "x.toml:10: ensemble.angular_velocity_body: ";
  refused("wx_B[deg/s],wy_B[deg/s],wz_B[deg/s]\n1,2,3\n", w,
          {at_w, "column wx_B of 'w.csv' is in 'deg/s'; give it in rad/s"});
  refused("qw[m],qx,qy,qz\n1,0,0,0\n", "attitude_wxyz = { from = \"w.csv\" }",
          {"is in 'm'; give numbers without a unit"});
  refused("wx_B,wz_B,t\n1,2,3\n", w, {at_w, "'w.csv' has no column wy_B; it has wx_B, wz_B, t"});
  refused("a,b\n1,2\n", w,
          {"has no columns wx_B, wy_B, wz_B, nor angular_velocity_body.x, angular_velocity_body.y", "it has a, b",
           "columns = [...]"});
  refused("a,b,c,d,e,f,g,h,i,j,k,l,m,n\n1,2,3,4,5,6,7,8,9,0,1,2,3,4\n", w, {"k, l and 2 more"});
  refused("wx_B,wy_B,wz_B,wx_B\n1,2,3,4\n", w, {"'w.csv' has 2 columns wx_B; name one of them differently"});
  const std::string by_name = "angular_velocity_body = { from = \"w.csv\", columns = ";
  refused("a,b,c\n1,2,3\n", by_name + "[\"a\", \"b\"] }", {at_w, "2 columns are named", "three numbers in rad/s"});
  refused("a,b,c\n1,2,3\n", by_name + "[\"a\", \"b\", \"d\"] }",
          {"'w.csv' has no column d; it has a, b, c; nearest: a"});
  refused("a,b,c\n1,2,3\n", by_name + "[] }", {"x.toml:10: ensemble.angular_velocity_body.columns: is empty"});
  refused("a,b,c\n1,2,3\n", by_name + "\"a\" }", {"columns: 'a' is a string; give an array"});
  refused("wx_B,wy_B,wz_B\n1,2,3\n4,5\n", w, {"w.csv:3: the row has 2 cells, and the header 3"});
  refused("wx_B,wy_B,wz_B\n1,2,3\n\n4,x,6\n", w, {"w.csv:4: column 'wy_B': 'x' is not a number"});
  refused("wx_B,wy_B,wz_B\n1,nan,3\n", w, {"w.csv:2: column 'wy_B': 'nan' is not finite", "leave out the row"});
  refused("wx_B,wy_B,wz_B\n", w, {"w.csv: there are no rows below the header"});
  refused("1,2,3\n4,5,6\n", w, {"w.csv:1: '1' is a number", "names of the columns"});
  refused("", w, {"w.csv: is empty"});
  refused(std::string("wx_B\0", 5), w, {"NUL byte"});
  refused("", "angular_velocity_body = { from = \"w.ndjson\" }", {"w.ndjson: no columns are read from lines of JSON"});
  refused("", "angular_velocity_body = { from = \"none.csv\" }",
          {"x.toml:10: ensemble.angular_velocity_body.from: cannot read '", "none.csv", "check the name"},
          ErrorKind::file_missing);
  refused("", "angular_velocity_body = { from = \".\" }", {"cannot read"}, ErrorKind::file_missing);
  refused("", "angular_velocity_body = { from = \"\" }", {"from: is empty; give the name of a CSV or HDF5 file"});
  refused("", "angular_velocity_body = { from = 3 }", {"from: 3 is an integer"});
  at.folder.write("w.csv", "wx_B,wy_B,wz_B\n1,2,3\n");
  EXPECT_THAT(at.refusal("bodies = 2\n" + w).what(),
              HasSubstr("x.toml:10: ensemble.bodies: 2 bodies are more than the 1 row of 'w.csv'"));
  at.folder.write("bad.h5", "text");
  EXPECT_THAT(at.refusal("mrp = { from = \"bad.h5\" }").what(), HasSubstr("HDF5"));
}

// ---- what is refused before any file is read

TEST(EnsembleRefusals, NameLineKeyAndRemedy) {
  const auto refused = [](const std::string& lines, const std::vector<std::string>& said,
                          const std::string& scenario = good) {
    try {
      parse_scenario(with_ensemble(lines, scenario), "x.toml");
      ADD_FAILURE() << "accepted: " << lines;
    } catch (const Error& error) {
      SCOPED_TRACE(lines + " -> " + error.what());
      EXPECT_EQ(error.kind, ErrorKind::bad_file);
      for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  refused("bodys = 3", {"x.toml:10: ensemble.bodys: no such key; nearest: bodies"});
  refused("duration = 3", {"ensemble.duration: no such key here; it belongs in [run]"});
  refused("bodies = 0", {"x.toml:10: ensemble.bodies: 0 is below 1; give a whole number of bodies"});
  refused("bodies = 2.5", {"2.5 is not a whole number"});
  refused("bodies = \"many\"", {"'many' is a string"});
  refused("seed = -1", {"x.toml:10: ensemble.seed: -1 is below 0"});
  refused("seed = 0.5", {"ensemble.seed: 0.5 is not a whole number"});
  refused("seed = \"a\"", {"ensemble.seed: 'a' is a string"});
  refused("snapshots = 3", {"x.toml:10: ensemble.snapshots: 3 is an integer", "[10, 100]"});
  refused("snapshots = []", {"ensemble.snapshots: is empty"});
  refused("snapshots = [1, inf]", {"element 2 of [ 1, inf ] is not finite"});
  refused("bodies = 2\nquantiles = [0.5, 1.5]", {"x.toml:11: ensemble.quantiles: 1.5 is not from 0 to 1"});
  refused("quantiles = []", {"is empty"});
  refused("histogram = 3", {"x.toml:10: ensemble.histogram: 3 is an integer", "quantity = \"energy\""});
  refused("histogram = [3]", {"ensemble.histogram: 3 is not a table"});
  refused("histogram = [{ quantity = \"energy\", low = 0 }]", {"ensemble.histogram[0].high: is missing"});
  refused("histogram = [{ low = 0, high = 1 }]", {"histogram[0].quantity: is missing"});
  refused("histogram = { quantity = \"energy\", low = 2, high = 1 }", {"low: 2 and high = 1 leave no range"});
  refused("histogram = { quantity = \"energy\", low = 0, high = 1, bins = 0 }",
          {"bins: 0 is not between 1 and 1000000"});
  refused("histogram = { quantity = \"energy\", low = 0, high = 1, bins = 1e15 }", {"bins: 1000000000000000 is not"});
  refused("histogram = { quantity = \"energy\", low = 0, high = 1, binz = 1 }", {"binz: no such key; nearest: bins"});

  const std::string w = "angular_velocity_body = ", at_w = "x.toml:10: ensemble.angular_velocity_body";
  refused(w + "3", {at_w + ": 3 is an integer; give { uniform = [low, high] }", "three numbers in rad/s"});
  refused(w + "[1, 2, 3]", {at_w + ": [ 1, 2, 3 ] is an array; give { uniform"});
  refused(w + "\"uniform\"", {at_w + ": is drawn from all attitudes"});
  refused(w + "\"normal\"", {at_w + ": 'normal' is a string; give { uniform"});
  refused("attitude = \"random\"", {"ensemble.attitude: 'random' is a string; give \"uniform\""});
  refused("attitude = { uniform = [[0, 0, 0, 0], [1, 1, 1, 1]] }",
          {"ensemble.attitude: numbers that are drawn one by one"});
  refused("attitude_wxyz = \"uniform\"",
          {"ensemble.attitude_wxyz: is drawn from all attitudes, which is for attitude"});
  refused(w + "{}", {at_w + ": does not say how it is drawn; give { uniform"});
  refused(w + "{ unifrom = [0, 1] }", {at_w + ".unifrom: no such key; nearest: uniform"});
  refused(w + "{ uniform = [0, 1], normal = [0, 1] }", {at_w + ".normal: excludes uniform"});
  refused(w + "{ normal = [[0, 0, 0], 1], columns = [\"a\"] }", {".columns: are those of a file"});
  refused(w + "{ normal = 3 }",
          {at_w + ".normal: 3 is an integer; give [mean, deviation], each of them three numbers"});
  refused(w + "{ normal = [1, 2, 3] }", {".normal: [ 1, 2, 3 ] has 3 elements, not 2; give [mean, deviation]"});
  refused(w + "{ uniform = [[1, 2, 3], \"a\"] }", {".uniform: 'a' is neither a number nor an array of numbers"});
  refused(w + "{ uniform = [[1, \"b\", 3], [1, 2, 3]] }", {"is neither a number nor an array"});
  refused(w + "{ uniform = [[], []] }", {".uniform: [] is neither"});
  refused(w + "{ uniform = [[[1, 2], [3, 4]], [[1, 2], [3, 4]]] }", {"is neither a number nor an array of numbers"});
  refused(w + "{ uniform = [1, 2] }", {at_w + ": the lower bounds are one number; give three numbers"});
  refused(w + "{ uniform = [[1, 2, 3], 4] }", {at_w + ": the upper bounds are one number"});
  refused(w + "{ normal = [[1, 2, 3], -1] }", {at_w + ": the deviation of number 1 is -1, below 0"});
  refused(w + "{ uniform = [[1, 2, nan], [4, 5, 6]] }", {"hold nan, which is not finite"});
  refused(w + "{ rows = 3 }", {".rows: 3 is an integer; give an array with a row for each body"});
  refused(w + "{ rows = [] }", {at_w + ": the table has no rows"});
  refused(w + "{ rows = [[1, 2, 3], [1, 2]] }", {".rows: row 2, [ 1, 2 ], is not an array of 3 numbers"});
  refused(w + "{ rows = [[1, 2], [1, 2]] }", {at_w + ": a row of the table has 2 numbers; give three numbers"});
  refused("bodies = 3\n" + w + "{ rows = [[1, 2, 3]] }",
          {"x.toml:10: ensemble.bodies: 3 bodies are more than the 1 row"});
  refused(w + "{ rows = [[1, 2, 3]] }\ninertia = { rows = [[1, 2, 2.5], [1, 2, 2.5]] }",
          {": the table has 1 row, and the table of inertia has 2"});
  refused(w + "{ normal = [[1, 2, 3], 1] }\nangular_momentum_body = { normal = [[1, 2, 3], 1] }",
          {"ensemble.angular_momentum_body: says the same as angular_velocity_body"});
  refused("mrp = { normal = [[1, 2, 3], 1] }\nattitude = \"uniform\"", {"ensemble.mrp: says the same as attitude"});
  refused("time = { uniform = [0, 1] }", {"x.toml:10: ensemble.time: all bodies start at the same time"});
  refused("direction = \"uniform\"", {"x.toml:10: ensemble.direction: ", "have attitudes"});

  refused("torque.weight_times_arm = { uniform = [0, 1] }", {"x.toml:10: ensemble.torque: the scenario has no torque"});
  refused("wheels = [{ speed = { uniform = [0, 1] } }]", {"ensemble.wheels: the scenario has no wheel"});
  refused("torque = 3", {"ensemble.torque: 3 is an integer; give a table for each torque"}, top);
  refused("torque = [3]", {"ensemble.torque: 3 is not a table"}, top);
  refused("torque = [{}, {}]", {"there are 2 tables, and the scenario has 1 torque; give one for each"}, top);
  refused("torque.weight = { uniform = [0, 1] }", {"ensemble.torque.weight: no such key", "weight_times_arm"}, top);
  refused("torque.kind = { uniform = [0, 1] }", {"ensemble.torque.kind: no such key"}, top);
  refused("torque.weight_times_arm = 3", {"x.toml:13: ensemble.torque.weight_times_arm: 3 is an integer"}, top);
  refused("torque.weight_times_arm = { uniform = [2, 1] }",
          {"x.toml:13: ensemble.torque.weight_times_arm: the lower bound is 2, above the upper bound 1"}, top);
  refused("torque.torque = { uniform = [0, 1] }", {"has 2 torques; give torque = [{}, {}], with a table for each"},
          two_torques);
  refused("torque = [{}, { weight_times_arm = { uniform = [2, 1] } }]",
          {"x.toml:16: ensemble.torque[1].weight_times_arm: the lower bound"}, two_torques);
  const TestFolder folder;
  const std::string table = folder.write("t.csv", "t,x,y,z\n0,1,2,3\n1,2,3,4\n");
  refused("torque.file = { uniform = [0, 1] }",
          {"ensemble.torque.file: this torque has no numbers that could be drawn"},
          good + "[torque]\nkind = \"table\"\nfile = \"" + table + "\"\n");
  const std::string spring = good + "[torque]\nkind = \"expression\"\nx = \"-c*Rzy\"\nconstants = { c = 2 }\n";
  refused("torque.constants = 3", {"ensemble.torque.constants: 3 is an integer; give a table of names"}, spring);
  refused("torque.constants.d = { uniform = [0, 1] }", {"ensemble.torque.constants.d: no such key; nearest: c"},
          spring);
  refused("ensemble = 3", {"ensemble.ensemble: no such key"});
  try {
    parse_scenario("ensemble = 3\n" + good, "x.toml");
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "x.toml:1: ensemble: 3 is an integer; give an [ensemble] table with bodies, and keys such "
                 "as attitude = \"uniform\"");
  }
}

}  // namespace
}  // namespace polhode::test::ensemble_scenario_test
