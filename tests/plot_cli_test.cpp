// polhode plot, and what a result file says of its energy, with the built program and its own script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::plot_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

bool can_draw() { return std::system("/usr/bin/python3 -c 'import matplotlib' >/dev/null 2>&1") == 0; }

const std::string body = "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [1, 0.2, 0.5]\n";
const std::string ending = "[run]\nmethod = \"taylor-4\"\nstep = 0.1\nduration = 2\n";

struct Situation {
  const char* torque;
  const char* terms;
  bool conserved;
};
const std::vector<Situation> situations{
    {"", "kinetic", true},
    {"[torque]\nkind = \"heavy-top\"\nweight_times_arm = 2\n", "kinetic + potential", true},
    {"[torque]\nkind = \"constant-body\"\ntorque = [0.1, 0, 0]\n", "kinetic", false},
    {"[torque]\nkind = \"constant-spatial\"\ntorque = [0, 0.1, 0]\n", "kinetic", false},
    {"[torque]\nkind = \"pulse\"\ntorque = [0, 1, 0]\nuntil = 1\n", "kinetic", false},
    {"[torque]\nkind = \"gravity-gradient\"\nmean_motion = 0.5\n", "kinetic + potential", false},
    {"[[torque]]\nkind = \"heavy-top\"\nweight_times_arm = 2\n[[torque]]\nkind = \"constant-body\"\ntorque = [0.1, 0, "
     "0]\n",
     "kinetic + potential", false}};

TEST(Energy, ItsMeaningStandsInEveryResult) {
  const TestFolder folder;
  for (const Situation& situation : situations) {
    SCOPED_TRACE(situation.torque);
    folder.write("x.toml", body + situation.torque + ending);
    const Outcome run = polhode(folder, {"run", "x.toml", "--json", "-o", "a.csv"});
    ASSERT_EQ(run.code, 0) << run.err;
    const json result = json::parse(run.out);
    EXPECT_EQ(result["energy_terms"], situation.terms);
    EXPECT_EQ(result["energy_conserved"], situation.conserved);
    EXPECT_EQ(result["energy_error_max"].is_null(), !situation.conserved);
    // A high order at small steps shows it without being told: what is conserved changes by the error of the method.
    const json fine = json::parse(polhode(folder, {"run", "x.toml", "-m", "taylor-12", "--json"}).out);
    const double change = std::abs(fine["energy"].get<double>() - fine["energy_initial"].get<double>());
    EXPECT_EQ(change < 1e-10, situation.conserved) << change;
    const bool kinetic = fine["energy"] == fine["kinetic_energy"];
    EXPECT_EQ(kinetic, std::string(situation.terms) == "kinetic");
    const std::string csv = read_file(folder.file("a.csv"));
    EXPECT_THAT(csv, HasSubstr(std::string("\n# energy_terms: ") + situation.terms + "\n"));
    EXPECT_THAT(csv, HasSubstr(std::string("\n# energy_conserved: ") + (situation.conserved ? "yes\n" : "no\n")));
    EXPECT_THAT(table_of(csv).at(0), StartsWith("t[s],qw,qx,qy,qz,wx_B[rad/s],")) << "the header stays";
    const std::string text = polhode(folder, {"run", "x.toml"}).out;
    EXPECT_THAT(text, HasSubstr(kinetic && !situation.conserved ? "  kinetic energy [J]" : "  energy [J]"));
    EXPECT_THAT(text, Not(HasSubstr("energy error")));
    EXPECT_EQ(text.find("largest |E - E0|") != std::string::npos, situation.conserved);
  }
}

TEST(Plot, DrawsWhatTheProgramWrites) {
  if (!can_draw()) GTEST_SKIP() << "matplotlib is not installed";
  const TestFolder folder;
  folder.write("x.toml", body + situations[2].torque + ending);
  const auto done = [&](const std::vector<std::string>& words) {
    const Outcome run = polhode(folder, words);
    EXPECT_EQ(run.code, 0) << words[0] << ": " << run.err;
    return run;
  };
  const auto draws = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "plot");
    words.insert(words.end(), {"-o", "figure.svg"});
    const Outcome run = done(words);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(run.err, "polhode: figure in 'figure.svg'\n");
    EXPECT_THAT(read_file(folder.file("figure.svg")), StartsWith("<?xml"));
    std::filesystem::remove(folder.file("figure.svg"));
  };
  done({"run", "x.toml", "-o", "a.csv"});
  done({"run", "x.toml", "-o", "b.csv", "-m", "rkmk-4", "--step", "0.05", "--every", "2"});
  for (const char* file : {"c.csv", "c.json"}) {
    done({"converge", "slow-top", "-m", "taylor-2,rkmk-4", "--step-sizes", "0.08:0.01", "--duration", "1", "-o", file});
  }
  for (const char* file : {"w.csv", "w.json"}) {
    done({"compare", "slow-top", "-m", "taylor-2,rkmk-4", "--step-sizes", "0.08:0.02", "--duration", "1", "--repeats",
          "2", "-o", file});
  }
  draws({"a.csv"});
  draws({"a.csv", "b.csv", "--labels", "coarse,fine", "--title", "two runs"});
  draws({"a.csv", "--reference", "b.csv"});
  for (const char* file : {"c.csv", "c.json", "w.csv", "w.json"}) draws({file});
}

TEST(Plot, RefusesInASentenceWithItsCode) {
  const TestFolder folder;
  folder.write("x.toml", body + ending);
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "-o", "a.csv"}).code, 0);
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "-o", "some.csv", "--columns", "mrp,energy"}).code, 0);
  std::vector<Refused> cases{
      {{"plot"}, 2, {"polhode plot --help"}},
      {{"plot", "a.csv"}, 2, {"--output is required"}},
      {{"plot", "a.csv", "-o", "a.gif"}, 2, {"--output: 'a.gif'", ".pdf, .svg or .png"}},
      {{"plot", "a.csv", "-o", "a.csv"}, 2, {"--output: 'a.csv' is a result to be drawn"}},
      {{"plot", "some.csv", "--reference", "a.csv", "-o", "a.csv"}, 2, {"'a.csv' is the reference"}},
      {{"plot", "a.csv", "-o", "a.pdf", "--refrence", "b.csv"}, 2, {"nearest: --reference"}}};
  if (can_draw()) {
    cases.insert(
        cases.end(),
        {{{"plot", "none.csv", "-o", "a.pdf"}, 66, {"none.csv does not exist"}},
         {{"plot", "a.csv", "--reference", "none.csv", "-o", "a.pdf"}, 66, {"none.csv does not exist"}},
         {{"plot", "x.toml", "-o", "a.pdf"}, 65, {"x.toml is not a result"}},
         {{"plot", "some.csv", "-o", "a.pdf"}, 65, {"some.csv has no column 'qw'"}},
         {{"plot", "a.csv", "a.csv", "--labels", "one", "-o", "a.pdf"}, 2, {"--labels has 1 names for 2 runs"}},
         {{"plot", "a.csv", "-o", "none/a.pdf"}, 74, {"cannot open 'none/a.pdf'"}}});
  }
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_EQ(folder.names().size(), 3U) << "something was left behind";
}

}  // namespace
}  // namespace polhode::plot_cli_test
