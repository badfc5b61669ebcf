// Data files: what is read, and every way to refuse one, with file, line, column and value; data in the scenario itself,
// and their way through TOML and JSON and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/data_file.hpp"
#include "io_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/same_motion.hpp"
#include "polhode/model/setup_json.hpp"

namespace polhode::test::data_table_test {
namespace {

using testing::HasSubstr;

DataTable torque() {
  return {{{"t", {0, 1, 2.5}}, {"x", {1, -0.1, 3}, "N m"}, {"y", {0, 1e-3, 0}}, {"z", {0, 0, 1e300}}}};
}

std::string refusal(const std::string& text) {
  try {
    parse_data(text, "d.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return error.what();
  }
  return "accepted";
}

TEST(DataFile, IsReadWithUnitsCommentsAndBlankLines) {
  EXPECT_EQ(parse_data("t,x[N m],y,z\n0,1,0,0\n1,-0.1,1e-3,0\n2.5,3,0,1e300\n", "d.csv"), torque());
  EXPECT_EQ(parse_data("\xEF\xBB\xBF# thrust\r\n\r\n t , x[ N m ],y\t,z # names\r\n+0,1,0,0\r\n\r\n"
                       "1,\t-.1, 1E-3 ,0 # note, with a comma\r\n2.5,3,0,1e+300",
                       "d.csv"),
            torque());
  const DataTable order = parse_data("rho[kg/m^3],t[s]\n1.2,0\n1.1,1\n", "d.csv");
  EXPECT_EQ(order.columns[0].name, "rho");
  EXPECT_EQ(order.columns[0].unit, "kg/m^3");
  EXPECT_EQ(order.find("t")->values, (std::vector<double>{0, 1}));
  EXPECT_EQ(order.find("x"), nullptr);
}

TEST(DataFile, IsRefusedWithTheLineTheColumnAndTheValue) {
  for (const auto& [text, said] :
       {std::pair{"", "d.csv: is empty; write the names of the columns"},
        {"# nothing\n\n", "d.csv: is empty"},
        {"t,x\n", "d.csv: there are no numbers below the header; give two rows"},
        {"t,x\n0,1\n", "d.csv: there is one row below the header"},
        {"0,1\n1,2\n", "d.csv:1: the first line has numbers, and must have the names"},
        {"# a\nt,x\n0,1\n1\n", "d.csv:4: the row has 1 cells, and the header 2"},
        {"t,x\n0,1\n1,2,3\n", "d.csv:3: the row has 3 cells, and the header 2"},
        {"t,x\n0,1\n1,\n", "d.csv:3: column 'x': '' is not a number"},
        {"t,x\n0,1\n1,two\n", "d.csv:3: column 'x': 'two' is not a number; write one such as"},
        {"t,x\n0,1\n1,1.2.3\n", "'1.2.3' is not a number"},
        {"t,x\n0,1\n1,0x10\n", "'0x10' is not a number"},
        {"t;x\n0;1\n1;2\n", "d.csv:1: there is no column t"},
        {"t,x\n0,nan\n1,2\n", "d.csv:2: column 'x': 'nan' is not finite"},
        {"t,x\n0,1\ninf,2\n", "d.csv:3: column 't': 'inf' is not finite"},
        {"t,x\n0,1e999\n1,2\n", "'1e999' is not finite"},
        {"t,x\n1,1\n1,2\n", "d.csv:3: column 't': 1 s comes after 1 s; let the time increase"},
        {"t,x\n1,1\n0.5,2\n", "d.csv:3: column 't': 0.5 s comes after 1 s"},
        {"time,x\n0,1\n1,2\n", "d.csv:1: there is no column t; give the time [s]"},
        {"t[ms],x\n0,1\n1,2\n", "d.csv:1: the time is in 'ms'; give it in seconds"},
        {"t,x,x\n0,1,1\n1,2,2\n", "d.csv:1: there are two columns 'x'"},
        {"t,x,\n0,1,1\n1,2,2\n", "d.csv:1: column 3 has no name"},
        {"t,x\n0,1\n1,\xff\x01z\n", "column 'x': '??z' is not a number"}})
    EXPECT_THAT(refusal(text), HasSubstr(said)) << text;
  EXPECT_THAT(refusal(std::string("t,x\n0\0,1", 8)), HasSubstr("d.csv: the file holds a NUL byte"));
}

TEST(DataFile, IsBounded) {
  std::string wide = "t";
  for (int i = 1; i < 3000; ++i) wide += ",c" + std::to_string(i);
  wide += '\n';
  std::string zeros;
  for (int i = 1; i < 3000; ++i) zeros += ",0";
  std::string text = wide;
  for (int row = 0; row < 3334; ++row) text += std::to_string(row) + zeros + '\n';
  EXPECT_THAT(refusal(text), HasSubstr("d.csv:3335: there are more than 10000000 numbers; leave out rows"));
  text.resize(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_EQ(refusal(text), "accepted");
}

TEST(DataTable, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(why_no_table(torque()), "");
  const auto with = [](auto change) {
    DataTable table = torque();
    change(table);
    return why_no_table(table);
  };
  EXPECT_THAT(why_no_table({}), HasSubstr("has no column t"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[0].unit = "h"; }), HasSubstr("has the time in 'h'"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[2].name = "x"; }), HasSubstr("has two columns 'x'"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[2].name = ""; }), HasSubstr("no name for column 3"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[2].values.pop_back(); }), HasSubstr("has 2 values of y and 3 of t"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[3].values[1] = NAN; }), HasSubstr("has z = nan in row 2"));
  EXPECT_THAT(with([](DataTable& d) { d.columns[0].values[2] = 1; }), HasSubstr("has t = 1 after t = 1 in row 3"));
  EXPECT_THAT(with([](DataTable& d) {
                for (auto& column : d.columns) column.values.resize(1);
              }),
              HasSubstr("has 1 of the 2 rows"));
}

const std::string table = good + "[torque]\nkind = \"table\"\n";

Error scenario_refusal(const std::string& text, const std::string& path = "x.toml") {
  try {
    parse_scenario(text, path);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << text;
  return {ErrorKind::run_failed, ""};
}

TEST(DataFile, IsLookedForBesideTheScenario) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.file("data"));
  folder.write("data/thrust.csv", "t,x[N m],y,z\n0,1,0,0\n1,-0.1,1e-3,0\n2.5,3,0,1e300\n");
  const std::string path = folder.write("a.toml", table + "file = \"data/thrust.csv\"\nframe = \"spatial\"\n");
  const auto field = std::get<TorqueTable<double>>(read_scenario(path).setup.torques[0]);
  EXPECT_EQ(*field.file.table, torque());
  EXPECT_EQ(field.file.name, "data/thrust.csv");
  EXPECT_EQ(field.frame, TorqueFrame::spatial);
  EXPECT_EQ(field.interpolation, Interpolation::linear);
  // Written, it is the name again; read elsewhere, it is missed.
  const std::string written = to_toml(read_scenario(path));
  EXPECT_THAT(written, HasSubstr("file = \"data/thrust.csv\""));
  const Error gone = scenario_refusal(written, "/nowhere/b.toml");
  EXPECT_EQ(gone.kind, ErrorKind::file_missing);
  EXPECT_THAT(gone.what(), HasSubstr("/nowhere/b.toml:"));
  EXPECT_THAT(gone.what(), HasSubstr("torque.file: cannot read '/nowhere/data/thrust.csv'"));
  folder.write("data/thrust.csv", "t,x,y,z\n0,1,0,0\n1,a,1e-3,0\n");
  const Error bad = scenario_refusal(table + "file = \"data/thrust.csv\"\n", path);
  EXPECT_EQ(bad.what(), folder.file("data/thrust.csv") +
                            ":3: column 'x': 'a' is not a number; write one such as -0.5 or "
                            "1e-3");
  EXPECT_THAT(scenario_refusal(table + "file = \"data\"\n", path).what(), HasSubstr("Is a directory"));
}

TEST(DataFile, MayStandInTheScenario) {
  const std::string rows = "rows = [[0, 1, 0, 0], [1, -0.1, 1e-3, 0], [2.5, 3, 0, 1e300]]";
  const std::string data = "file = { columns = [\"t\", \"x[N m]\", \"y\", \"z\"], " + rows + " }\n";
  const polhode::Setup setup = parse_scenario(table + data, "x.toml").setup;
  EXPECT_EQ(*std::get<TorqueTable<double>>(setup.torques[0]).file.table, torque());
  for (const auto& [from, to, said] :
       {std::tuple{"columns", "colums", "torque.file.colums: no such key; nearest: columns"},
        {"[1, -0.1, 1e-3, 0]", "[1, -0.1, 1e-3]", "torque.file.rows: row 2, [ 1, "},
        {"[1, -0.1, 1e-3, 0]", "[1, -0.1, \"a\", 0]", "element 3"},
        {"[1, -0.1, 1e-3, 0]", "[1, -0.1, nan, 0]", "is not finite"},
        {"[1, -0.1, 1e-3, 0]", "[-1, -0.1, 0, 0]", "x.toml:11: torque.file: the table has t = -1 after t = 0 in row 2"},
        {"\"y\"", "\"w\"", "x.toml:11: torque.file: the table has no column y; a torque has columns t[s], x, y"},
        {"\"y\"", "\"y[kN m]\"", "torque.file: the table has y in 'kN m'; give the torque in N m"},
        {"\"t\"", "\"t[min]\"", "the table has the time in 'min'"}})
    EXPECT_THAT(scenario_refusal(table + replaced(data, from, to)).what(), HasSubstr(said)) << to;
  EXPECT_THAT(scenario_refusal(table + "file = { columns = [\"t\"] }\n").what(), HasSubstr("has 0 of the 2 rows"));
  EXPECT_THAT(scenario_refusal(table + "file = { rows = [] }\n").what(), HasSubstr("torque.file.columns: is missing"));
  EXPECT_THAT(scenario_refusal(table + "file = \"\"\n").what(), HasSubstr("x.toml:11: torque.file: is empty"));
  EXPECT_THAT(scenario_refusal(table + data + "frame = \"bodi\"\n").what(),
              HasSubstr("x.toml:12: torque.frame: 'bodi' is not known, nearest: body; give one of body, spatial"));
  EXPECT_THAT(scenario_refusal(table + data + "interpolation = \"cubic\"\n").what(),
              HasSubstr("give one of linear, cubic-hermite, natural-spline"));
  EXPECT_THAT(scenario_refusal(table + "frame = \"body\"\n").what(),
              HasSubstr("torque.file: is missing; table needs it"));
  // Times so close that a polynomial overflows.
  EXPECT_THAT(scenario_refusal(table + replaced(data, "[1, -0.1", "[1e-320, -0.1")).what(), HasSubstr("overflows"));
}

TEST(DataFile, SurvivesTomlAndJson) {
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.setup.torques = {TorqueTable<double>{torque(), TorqueFrame::spatial, Interpolation::natural_spline}};
  const polhode::Setup read = parse_scenario(to_toml(scenario), "x.toml").setup;
  EXPECT_TRUE(same_motion(read, scenario.setup));
  const polhode::Setup from_json = setup_from_json(to_json(scenario.setup), "x.json");
  EXPECT_TRUE(same_motion(from_json, scenario.setup));
  EXPECT_EQ(to_json(from_json), to_json(scenario.setup));
  auto other = std::get<TorqueTable<double>>(scenario.setup.torques[0]);
  other.file = DataFile("named.csv", torque());
  scenario.setup.torques = {other};
  EXPECT_EQ(std::get<TorqueTable<double>>(setup_from_json(to_json(scenario.setup), "x").torques[0]).file.name,
            "named.csv");
  EXPECT_TRUE(same_motion(read, scenario.setup)) << "where the numbers come from does not matter";
  other.interpolation = Interpolation::linear;
  scenario.setup.torques = {other};
  EXPECT_FALSE(same_motion(read, scenario.setup));
}

}  // namespace
}  // namespace polhode::test::data_table_test
