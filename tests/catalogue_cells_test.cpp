// The tables of methods and problems, cell by cell: against the claims that the tests measure, and against the motion
// that comes of the data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"
#include "printed_table.hpp"

namespace polhode::catalogue_cells_test {
namespace {

using nlohmann::json;

std::string word(bool claim) { return claim ? "yes" : "no"; }
std::string word(Keeps keeps) {
  return std::map<Keeps, std::string>{{Keeps::no, "no"}, {Keeps::bounded, "bounded"}, {Keeps::exact, "exact"}}.at(
      keeps);
}
std::string word(Needs needs) {
  return std::map<Needs, std::string>{{Needs::values, "values"},
                                      {Needs::series, "series"},
                                      {Needs::no_torque, "no torque"},
                                      {Needs::direction_potential, "direction"},
                                      {Needs::uniform_field, "uniform field"}}
      .at(needs);
}

json order(int claimed) { return claimed == exact_order ? json("exact") : json(claimed); }

TEST(MethodsJson, HasTheClaims) {
  const json list = printed_json(TestFolder(), {"methods"});
  ASSERT_EQ(list.size(), methods().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const MethodInfo& method = methods()[i];
    const Claims& claims = method.claims;
    const Orders with_torque{claims.order_attitude, claims.order_momentum};
    const Orders free = claims.order_free == Orders{} ? with_torque : claims.order_free;
    json wanted = json::object();
    wanted["name"] = method.name;
    wanted["aliases"] = method.aliases;
    wanted["family"] = method.family;
    wanted["cite"] = method.cite;
    wanted["about"] = method.about;
    wanted["good_for"] = method.good_for;
    wanted["not_for"] = method.not_for;
    wanted["space"] = method.space == Space::sphere ? "S^2" : "SO(3)";
    wanted["order_attitude"] = order(with_torque.attitude);
    wanted["order_momentum"] = order(with_torque.momentum);
    wanted["order_attitude_free"] = order(free.attitude);
    wanted["order_momentum_free"] = order(free.momentum);
    wanted["symmetric"] = claims.symmetric;
    wanted["symplectic"] = claims.symplectic;
    wanted["momentum_free"] = word(claims.momentum_free);
    wanted["momentum_along_field"] = word(claims.momentum_along_field);
    wanted["energy_free"] = word(claims.energy_free);
    wanted["energy"] = word(claims.energy);
    wanted["torque_evaluations"] = claims.torque_evaluations;
    wanted["needs"] = word(claims.needs);
    wanted["variable_steps"] = claims.variable_steps;
    wanted["multistep"] = claims.multistep;
    wanted["gains_momentum"] = claims.gains_momentum;
    wanted["takes_tolerance"] = claims.takes_tolerance;
    wanted["chooses_steps"] = claims.chooses_steps;
    wanted["wheels"] = claims.wheels;
    wanted["batch"] = method.claims.batch;
    wanted["memory"] = method.remembers;
    wanted["parameters"] = json::array();
    for (const ParameterInfo& parameter : method.parameters)
      wanted["parameters"].push_back({{"name", parameter.name},
                                      {"default", parameter.standard},
                                      {"lowest", parameter.lowest},
                                      {"highest", parameter.highest},
                                      {"meaning", parameter.meaning}});
    for (const auto& [key, value] : wanted.items()) EXPECT_EQ(list[i].at(key), value) << method.name << ", " << key;
  }
}

// "4"; "2/4" where attitude and momentum differ; "2, free 2/4" where a free body has another order.
std::string order_cell(const json& method) {
  const auto pair = [&](const std::string& of) {
    const auto text = [](const json& x) { return x.is_string() ? x.get<std::string>() : x.dump(); };
    const std::string attitude = text(method["order_attitude" + of]), momentum = text(method["order_momentum" + of]);
    return attitude == momentum ? attitude : attitude + "/" + momentum;
  };
  return pair("") == pair("_free") ? pair("") : pair("") + ", free " + pair("_free");
}

const std::vector<std::string> titles{"method", "order",   "symmetric",    "symplectic", "L free", "L field",
                                      "E free", "E field", "torque calls", "needs",      "source"};

std::vector<std::string> cells_of(const json& method) {
  const auto text = [&](const char* key) { return method[key].get<std::string>(); };
  return {text("name"),
          order_cell(method),
          word(method["symmetric"].get<bool>()),
          word(method["symplectic"].get<bool>()),
          text("momentum_free"),
          text("momentum_along_field"),
          text("energy_free"),
          text("energy"),
          fmt::format("{}", method["torque_evaluations"].get<double>()),
          text("needs"),
          text("cite")};
}

// Each cell of the table for people begins below its title, and blanks are around it.
TEST(MethodsText, HasTheCellsOfJson) {
  const TestFolder folder;
  const json list = printed_json(folder, {"methods"});
  const std::vector<std::string> lines = lines_of(printed(folder, {"methods"}));
  std::size_t at = 1;
  std::string family;
  for (const json& method : list) {
    if (method["family"] != family) {
      family = method["family"];
      EXPECT_EQ(lines.at(at++), "");
      EXPECT_EQ(lines.at(at++), family);
    }
    const std::vector<std::string> wanted = cells_of(method);
    const std::string line = " " + lines.at(at++) + " ";
    for (std::size_t i = 0; i < titles.size(); ++i) {
      EXPECT_EQ(line.substr(lines[0].find(titles[i]), wanted[i].size() + 2), " " + wanted[i] + " ")
          << method["name"] << ", " << titles[i];
    }
    for (const json& alias : method["aliases"]) EXPECT_EQ(lines.at(at++), "  also called " + alias.get<std::string>());
    for (const json& parameter : method["parameters"]) {
      EXPECT_EQ(lines.at(at++), fmt::format("  takes {}:{}=..., {} where it is not given, from {} to {}",
                                            method["name"].get<std::string>(), parameter["name"].get<std::string>(),
                                            parameter["default"].get<double>(), parameter["lowest"].get<double>(),
                                            parameter["highest"].get<double>()));
    }
  }
}

// The rows of the table in a document whose first column is the method, titles first, without the line below them.
std::vector<std::vector<std::string>> table_of_methods(const std::string& document) {
  std::vector<std::vector<std::string>> table;
  for (const std::string& line : lines_of(read_file(POLHODE_SOURCE_DIR "/" + document))) {
    if (table.empty() ? !line.starts_with("| method |") : !line.starts_with("|")) continue;
    if (line.starts_with("|---")) continue;
    std::vector<std::string> cells;
    for (const std::string& cell : split(line.substr(1), '|')) {
      if (!cell.empty()) cells.push_back(squeezed(cell));
    }
    table.push_back(cells);
  }
  return table;
}

void expect_cells_of(const json& method, const std::vector<std::string>& heads, const std::vector<std::string>& row) {
  std::vector<std::string> wanted = cells_of(method);
  wanted[0] = "`" + wanted[0] + "`";
  for (std::size_t k = 0; k < titles.size(); ++k) {
    const auto column = static_cast<std::size_t>(std::find(heads.begin(), heads.end(), titles[k]) - heads.begin());
    if (column == heads.size()) continue;
    EXPECT_EQ(row.at(column), wanted[k]) << wanted[0] << ", " << titles[k];
  }
}

TEST(MethodsInTheGuide, HaveTheCellsOfJson) {
  const json list = printed_json(TestFolder(), {"methods"});
  const auto table = table_of_methods("docs/methods.md");
  ASSERT_EQ(table.size(), list.size() + 1);
  for (const std::string& title : titles) EXPECT_THAT(table[0], ::testing::Contains(title));
  for (std::size_t i = 0; i < list.size(); ++i) expect_cells_of(list[i], table[0], table[i + 1]);
}

TEST(MethodsInReadme, HaveTheCellsOfJson) {
  const json list = printed_json(TestFolder(), {"methods"});
  const auto table = table_of_methods("README.md");
  for (const char* title : {"method", "order", "symplectic", "torque calls", "needs"})
    EXPECT_THAT(table.at(0), ::testing::Contains(title));
  ASSERT_GT(table.size(), 12U);
  EXPECT_EQ(table[1][0], "`auto`");
  for (std::size_t i = 2; i < table.size(); ++i) {
    const auto method = std::find_if(list.begin(), list.end(), [&](const json& entry) {
      return "`" + entry["name"].get<std::string>() + "`" == table[i][0];
    });
    ASSERT_NE(method, list.end()) << table[i][0];
    expect_cells_of(*method, table[0], table[i]);
  }
}

// The data of a problem as a file that says nothing else; lists of numbers are the same in TOML as in JSON.
std::string scenario_of(const json& problem, const std::string& method) {
  const auto table = [](const std::string& name, const json& keys) {
    std::string text = name + "\n";
    for (const auto& [key, value] : keys.items()) text += fmt::format("{} = {}\n", key, value.dump());
    return text;
  };
  json body{{"inertia", problem["inertia"]}};
  if (problem.contains("unphysical")) body["unphysical"] = problem["unphysical"];
  std::string text = table("[body]", body);
  if (problem.contains("wheels")) {
    for (const json& wheel : problem["wheels"]) text += table("[[body.wheels]]", wheel);
  }
  text += table("[start]", problem["start"]);
  for (const json& torque : problem["torque"]) text += table("[[torque]]", torque);
  return text + table("[run]", {{"method", method}, {"step", problem["step"]}, {"duration", problem["duration"]}});
}

// But for what only a problem has where there is a torque: a reference at hand.
json without_reference(json result) {
  for (const char* key : {"attitude_error", "momentum_error", "reference"}) result.erase(key);
  return result;
}

TEST(ProblemsJson, IsScenarioInputOfTheSameMotion) {
  const TestFolder folder;
  const json list = printed_json(folder, {"problems"});
  ASSERT_EQ(list.size(), problems().size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const json& problem = list[i];
    const std::string name = problem["name"];
    SCOPED_TRACE(name);
    EXPECT_EQ(name, problems()[i].name);
    const std::string method = problem["space"] == "S^2" ? "dumbbell-variational" : "taylor-4";
    folder.write("a.toml", scenario_of(problem, method));
    const Outcome valid = polhode(folder, {"validate", "a.toml"});
    EXPECT_EQ(valid.code, 0) << valid.err;
    printed(folder, {"init", "b.toml", "--force", "--problem", name});
    const std::vector<std::string> how{"-m", method, "--duration",
                                       fmt::format("{}", 60 * problem["step"].get<double>()), "--quiet"};
    const json named = printed_json(folder, and_also({"run", "--problem", name}, how));
    EXPECT_EQ(named["steps"], 60);
    EXPECT_EQ(named["step"], problem["step"]);
    EXPECT_TRUE(named.contains("attitude_error"));
    for (const char* file : {"a.toml", "b.toml"}) {
      const json found = printed_json(folder, and_also({"run", file}, how));
      json wanted = problem["torque"].empty() && !problem.contains("wheels") ? named : without_reference(named);
      wanted["problem"] = std::string(file).substr(0, 1);
      EXPECT_EQ(found, wanted);
    }
  }
}

// Without a flag a run lasts as long as the problem says, with its step.
TEST(ProblemsJson, HasTheCustomaryStepAndDuration) {
  const TestFolder folder;
  for (const json& problem : printed_json(folder, {"problems"})) {
    const json result =
        printed_json(folder, {"run", "--problem", problem["name"], "-m", "mclachlan-reich-231", "--quiet"});
    EXPECT_EQ(result["step"], problem["step"]) << problem["name"];
    EXPECT_NEAR(result["time"], problem["duration"].get<double>(), 1e-9 * problem["duration"].get<double>());
    EXPECT_EQ(result["steps"], std::llround(problem["duration"].get<double>() / problem["step"].get<double>()));
    const json file = json::parse(
        read_file(fmt::format("{}/data/references/{}.json", POLHODE_SOURCE_DIR, problem["name"].get<std::string>())));
    const json &reference = problem["reference"], &provenance = file["provenance"];
    EXPECT_EQ(number_in(file["nodes"].back()["t"]), reference["duration"]) << problem["name"];
    for (const char* key : {"attitude_disagreement", "momentum_disagreement"}) {
      EXPECT_EQ(reference[key], provenance[key]) << problem["name"] << " " << key;
    }
    ASSERT_EQ(reference["integrators"].size(), provenance["integrators"].size());
    for (std::size_t i = 0; i < provenance["integrators"].size(); ++i) {
      const json& integrator = provenance["integrators"][i];
      EXPECT_EQ(reference["integrators"][i],
                fmt::format("{}, order {}, {}", integrator["name"].get<std::string>(), integrator["order"].dump(),
                            integrator["scalar"].get<std::string>()));
    }
    EXPECT_EQ(result.contains("attitude_error"), reference["duration"] == problem["duration"]) << problem["name"];
  }
}

TEST(ProblemsText, HasTheCellsOfJson) {
  const TestFolder folder;
  const json list = printed_json(folder, {"problems"});
  const std::vector<std::string> lines = lines_of(printed(folder, {"problems"}));
  ASSERT_EQ(lines.size(), list.size() + 1);
  EXPECT_EQ(squeezed(lines[0]), "problem torque step [s] time [s] source about");
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<std::string> kinds;
    for (const json& torque : list[i]["torque"]) kinds.push_back(torque["kind"]);
    if (list[i].contains("wheels")) kinds.push_back("wheels");
    EXPECT_EQ(squeezed(lines[i + 1]),
              fmt::format("{} {} {} {} {} {}", list[i]["name"].get<std::string>(),
                          kinds.empty() ? "free" : fmt::format("{}", fmt::join(kinds, " + ")),
                          list[i]["step"].get<double>(), list[i]["duration"].get<double>(),
                          list[i]["cite"].get<std::string>(), list[i]["about"].get<std::string>()));
  }
}

}  // namespace
}  // namespace polhode::catalogue_cells_test
