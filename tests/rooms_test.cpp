// The plan of the house, checked: includes go downwards, every list exists once, and files stay short. The order of the
// rooms is read from docs/design.md, the places of a new thing from CONTRIBUTING.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "io_support.hpp"
#include "polhode/io/result_file.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/any_field.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/columns.hpp"
#include "program.hpp"

namespace polhode::rooms_test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Names = std::vector<std::string>;

const std::string root = POLHODE_SOURCE_DIR "/";

// Sources below a folder, by their path from the root.
std::map<std::string, std::string> sources_in(const Names& folders) {
  std::map<std::string, std::string> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension == ".hpp" || extension == ".cpp" || extension == ".h")
        files[std::filesystem::relative(entry.path(), root).string()] = read_file(entry.path().string());
    }
  }
  return files;
}

// The first cells of the table below a heading, without their marks.
Names first_cells(const std::string& file, const std::string& heading) {
  std::istringstream text(read_file(root + file));
  Names cells;
  std::string line;
  while (std::getline(text, line) && line != heading) continue;
  while (std::getline(text, line) && !line.starts_with("## ")) {
    if (!line.starts_with("| ") || line.starts_with("|---")) continue;
    std::string cell = line.substr(2, line.find(" |", 2) - 2);
    std::erase(cell, '`');
    cells.push_back(cell);
  }
  if (!cells.empty()) cells.erase(cells.begin());  // the header
  return cells;
}

TEST(Rooms, IncludesGoDownwards) {
  const Names rooms = first_cells("docs/design.md", "## Rooms");
  ASSERT_THAT(rooms, SizeIs(11));
  const auto rank = [&](const std::string& room) {
    return std::find(rooms.begin(), rooms.end(), room) - rooms.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(rooms.size());
  const std::regex place("^(?:include/polhode|src)/([a-z]+)/.*"), include("#include \"(?:polhode/)?([a-z]+)/");
  std::set<std::string> inhabited;
  int checked = 0;
  for (const auto& [path, text] : sources_in({"include", "src"})) {
    std::smatch found;
    if (!std::regex_match(path, found, place)) continue;
    const std::string room = found[1];
    ASSERT_LT(rank(room), count) << path << " is in no room that docs/design.md knows";
    inhabited.insert(room);
    for (std::sregex_iterator at(text.begin(), text.end(), include), end; at != end; ++at) {
      const std::string to = (*at)[1];
      if (rank(to) == count) continue;
      EXPECT_LE(rank(to), rank(room)) << path << " includes " << at->str();
      ++checked;
    }
  }
  EXPECT_THAT(inhabited, SizeIs(rooms.size())) << "every room of the table has files";
  EXPECT_GT(checked, 300);
}

TEST(Rooms, NoFileIsLong) {
  for (const auto& [path, text] : sources_in({"include", "src", "apps"}))
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << path;
}

TEST(Rooms, TheLibraryKnowsNoFlagsAndNoExitCodes) {
  // In strings: a comment may give an example.
  const std::regex flag("\"[^\"\n]*--[a-z][^\"\n]*\""), code("ExitCode|exit\\(|EXIT_");
  for (const auto& [path, text] : sources_in({"include", "src"})) {
    if (path.starts_with("src/experiments/")) continue;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find("//") != std::string::npos) line.erase(line.find("//"));
      const bool names_a_page = line.find("'polhode ") != std::string::npos;
      EXPECT_TRUE(names_a_page || !std::regex_search(line, flag)) << path << ": " << line;
      EXPECT_FALSE(std::regex_search(line, code)) << path << ": " << line;
    }
  }
}

// What the library can be asked for by name, and where in CONTRIBUTING's table it belongs.
std::map<std::string, Names> listed() {
  std::map<std::string, Names> all;
  for (const MethodInfo& method : methods()) all["a method"].emplace_back(method.name);
  for (const SuffixInfo& suffix : suffixes()) all["a suffix"].emplace_back(suffix.name);
  for (const Problem& problem : problems()) all["a problem"].emplace_back(problem.name);
  for (const ColumnInfo& column : column_groups()) {
    for (const std::string_view header : column.headers) all["a column"].emplace_back(header);
  }
  for (const ResultFormat& format : result_formats()) all["a file format"].emplace_back(format.extension);
  const auto add_kind = [&]<class Field>(const Field&) { all["a torque field"].emplace_back(Field::kind); };
  std::apply([&](const auto&... field) { (add_kind(field), ...); }, FieldKinds<double>{});
  return all;
}

// Files that may name a thing because they make use of that one: auto, studies and references use certain methods, the
// demonstration shows some. Columns are counted by their headers, since keys of JSON have the names of groups.
const std::map<std::string, std::set<std::string>> users{
    {"a method",
     {"apps/demo/main.cpp", "apps/polhode/init_command.cpp", "apps/polhode/recommended_methods.cpp",
      "src/experiments/matrix_columns.cpp", "src/problems/kept_motion_in.hpp", "src/run/choose.cpp",
      "src/run/choose_called.cpp", "src/studies/converge.cpp", "src/studies/probe_quad.cpp",
      "src/studies/situations.cpp", "src/studies/study_runs.cpp"}},
    {"a suffix", {}},
    // stress-test is a problem too, expression a key of a record, and an experiment and an expression have a table.
    {"a torque field",
     {"src/experiments/experiment_reader.cpp", "src/experiments/result_file.cpp", "src/model/expression_formulas.cpp",
      "src/problems/problems.cpp"}},
    {"a problem",
     {"apps/polhode/diagnose_command.cpp", "apps/polhode/init_command.cpp", "apps/polhode/method_page.cpp",
      "include/polhode/model/fields/stress_test.hpp"}},
    {"a column", {"src/experiments/columns.cpp", "include/polhode/model/expression_formulas.hpp"}},
    {"a file format", {"apps/polhode/study_flags.cpp", "src/io/scenario_writer.cpp"}}};

// The place of the list, as the table says: the last file it names.
std::string place_of_list(const std::string& kind) {
  std::istringstream text(read_file(root + "CONTRIBUTING.md"));
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with("| " + kind + " |")) continue;
    const std::string cell = line.substr(kind.size() + 5, line.find(" |", kind.size() + 5) - kind.size() - 5);
    const std::regex path("`([a-z_/]+\\.[hc]pp)`");
    std::string last;
    for (std::sregex_iterator at(cell.begin(), cell.end(), path), end; at != end; ++at) last = (*at)[1];
    return last;
  }
  return "";
}

TEST(Rooms, EveryListExistsOnce) {
  // Comments give examples, a family may be called like its first method, and a key like a kind.
  auto sources = sources_in({"include", "src", "apps"});
  for (auto& [path, text] : sources) {
    text = std::regex_replace(text, std::regex("//[^\n]*|family = \"[^\"]*\"|Key\\{\"[^\"]*\""), "");
    for (std::size_t at; (at = text.find("/*")) != std::string::npos;) text.erase(at, text.find("*/", at) + 2 - at);
  }
  const Names rows = first_cells("CONTRIBUTING.md", "## Where to add what");
  for (const auto& [kind, names] : listed()) {
    EXPECT_THAT(rows, Contains(kind));
    EXPECT_THAT(names, ::testing::Not(IsEmpty()));
    const std::string list = place_of_list(kind);
    EXPECT_TRUE(sources.contains(list)) << kind << ": " << list;
    const bool has_headers = kind == "a torque field";
    for (const std::string& name : names) {
      std::set<std::string> places;
      for (const auto& [path, text] : sources) {
        if (text.find('"' + name + '"') == std::string::npos || users.at(kind).contains(path)) continue;
        places.insert(path);
      }
      ASSERT_THAT(places, SizeIs(1)) << kind << " " << name << " stands in " << ::testing::PrintToString(places);
      if (has_headers) {
        EXPECT_TRUE(places.begin()->starts_with("include/polhode/model/fields/")) << *places.begin();
      } else {
        EXPECT_EQ(*places.begin(), list) << name;
      }
    }
  }
}

// Commands and experiments are found by their files.
TEST(Rooms, EveryCommandHasItsFile) {
  const TestFolder folder;
  const std::string help = polhode(folder, {"help"}).out, list = read_file(root + place_of_list("a command"));
  int commands = 0;
  for (const auto& [path, text] : sources_in({"apps/polhode"})) {
    const std::regex added("Command (add_[a-z]+)\\(");
    std::smatch found;
    if (!std::regex_search(text, found, added)) continue;
    ++commands;
    const std::string name = found[1];
    EXPECT_NE(help.find("\n  " + name.substr(4) + " "), std::string::npos) << name;
    const std::regex word("\\b" + name + "\\b");
    EXPECT_EQ(std::distance(std::sregex_iterator(list.begin(), list.end(), word), std::sregex_iterator()), 2) << name;
  }
  EXPECT_GE(commands, 11);
}

}  // namespace
}  // namespace polhode::rooms_test
