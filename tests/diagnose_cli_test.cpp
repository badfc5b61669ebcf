// `polhode diagnose` and --load as a contract: streams, keys, exit codes and sentences, asked of the built program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::diagnose_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string library = POLHODE_BINARY_DIR "/tests/test_methods.so";

std::vector<std::string> with_library(std::vector<std::string> words) {
  words.insert(words.end(), {"--load", library});
  return words;
}

TEST(DiagnoseCli, FitsOnAScreen) {
  const TestFolder folder;
  const Outcome run = polhode(folder, {"diagnose", "--method", "mclachlan-reich-231", "--progress=never"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  EXPECT_LE(lines_of(run.out).size(), 25U);
  for (const std::string& text : lines_of(run.out)) EXPECT_LE(text.size(), 120U) << text;
  EXPECT_THAT(run.out, AllOf(HasSubstr("mclachlan-reich-231 on asymmetric-top-tilted"), HasSubstr("counts as zero"),
                             HasSubstr("symplectic"), HasSubstr("drift, free [1/s]"), Not(HasSubstr("DISAGREES"))));
}

TEST(DiagnoseCli, PrintsJsonThatPlotDraws) {
  const TestFolder folder;
  const Outcome run = shell(folder,
                            "polhode diagnose --problem fast-top --method newmark-gamma:gamma=0.7 --json > d.json\n"
                            "polhode plot d.json -o d.svg");
  ASSERT_EQ(run.code, 0) << run.err;
  const json study = json::parse(read_file(folder.file("d.json")));
  EXPECT_EQ(study["diagnosis_of"], "newmark-gamma:gamma=0.7");
  EXPECT_EQ(study["problem"], "fast-top");
  EXPECT_EQ(study["plugin"], nullptr);
  EXPECT_EQ(study["disagree"], 0);
  EXPECT_EQ(study["errors"].size(), 4U);
  EXPECT_EQ(study["energies"].size(), 2U);
  for (const json& line : study["findings"])
    for (const char* key :
         {"key", "about", "claimed", "measured", "value", "uncertainty", "zero", "bound", "verdict", "note"})
      EXPECT_TRUE(line.contains(key)) << key;
  EXPECT_THAT(read_file(folder.file("d.svg")), HasSubstr("<svg"));
}

TEST(DiagnoseCli, AWrongClaimIsShownAndAnsweredWith1) {
  const TestFolder folder;
  const Outcome run = polhode(folder, with_library({"diagnose", "-m", "plugged-order-4", "--plot", "wrong.svg"}));
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.out, AllOf(HasSubstr("DISAGREES"), HasSubstr("from the plug-in '" + library + "'")));
  EXPECT_THAT(run.err, HasSubstr("plugged-order-4 does not do what it claims: 4 of"));
  EXPECT_TRUE(std::filesystem::exists(folder.file("wrong.svg")));
}

TEST(DiagnoseCli, RefusesWhatItCannotUse) {
  const TestFolder folder;
  folder.write("good.toml", good);
  expect_refused(folder, {{"diagnose"}, 2, {"no method is named", "--method NAME"}});
  expect_refused(folder, {{"diagnose", "--method", "auto"}, 2, {"no method is named"}});
  expect_refused(folder, {{"diagnose", "--method", "rkmk-5"}, 2, {"--method: no method named 'rkmk-5'"}});
  expect_refused(folder, {{"diagnose", "none.toml", "--method", "rkmk-4"}, 66, {"none.toml"}});
  expect_refused(folder, {{"diagnose", "good.toml", "--problem", "fast-top"}, 2, {"exclude each other"}});
  expect_refused(folder,
                 {{"diagnose", "--problem", "fats-top", "--method", "rkmk-4"}, 2, {"no problem named", "fast-top"}});
  const std::string rest = "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [0, 0, 0]\n",
                    drag = "[torque]\nkind = \"damping\"\nlinear = 1.0\n";
  for (const std::string& text : {rest, rest + drag}) {
    folder.write("rest.toml", text);
    expect_refused(folder,
                   {{"diagnose", "rest.toml", "--method", "rkmk-4"}, 65, {"rest.toml:3: start: nothing moves here"}});
  }
  expect_refused(folder, {{"diagnose", "rest.toml", "--method", "free-exact"}, 2, {"free-exact takes no torque"}});
  expect_refused(folder, {{"diagnose", "good.toml", "--plot", "x.gif"}, 2, {"end it in .pdf, .svg or .png"}});
}

TEST(LoadCli, BringsAMethodIntoEveryCommand) {
  const TestFolder folder;
  folder.write("own.toml", replaced(good, "taylor-4", "plugged-rkmk"));
  EXPECT_THAT(polhode(folder, with_library({"methods"})).out, AllOf(HasSubstr("plugged-axes"), HasSubstr("dumbbell")));
  const Outcome page = polhode(folder, with_library({"methods", "plugged-axes@suzuki"}));
  EXPECT_THAT(page.out, AllOf(HasSubstr(library), HasSubstr("which 'polhode diagnose' measures")));
  const auto final_state = [&](const std::string& method) {
    const Outcome run = polhode(
        folder, with_library({"run", "--problem", "fast-top", "--steps", "50", "--method", method, "--json", "-q"}));
    EXPECT_EQ(run.code, 0) << run.err;
    const json result = json::parse(run.out);
    return result["attitude_wxyz"].dump() + result["attitude_error"].dump();
  };
  EXPECT_EQ(final_state("plugged-rkmk"), final_state("rkmk-4"));
  const Outcome study = polhode(folder, with_library({"converge", "--problem", "slow-top", "--duration", "2",
                                                      "--methods", "plugged-axes,mclachlan-reich-231", "--json"}));
  ASSERT_EQ(study.code, 0) << study.err;
  const json orders = json::parse(study.out)["orders"];
  EXPECT_EQ(orders[0]["attitude"], orders[1]["attitude"]);
  const Outcome costs =
      polhode(folder, with_library({"compare", "--problem", "slow-top", "--duration", "2", "--methods", "plugged-rkmk",
                                    "--step-sizes", "0.1,0.05", "--repeats", "1"}));
  EXPECT_EQ(costs.code, 0) << costs.err;
  EXPECT_EQ(polhode(folder, with_library({"validate", "own.toml"})).code, 0);
  EXPECT_EQ(polhode(folder, {"validate", "own.toml"}).code, 65);
}

TEST(LoadCli, RefusesFilesThatAreNoPlugins) {
  const TestFolder folder;
  folder.write("text.so", "hello");
  const std::string built = POLHODE_BINARY_DIR "/tests/";
  expect_refused(folder, {{"methods", "--load", "none.so"}, 66, {"--load: there is no plug-in 'none.so'"}});
  expect_refused(folder,
                 {{"methods", "--load", "text.so"}, 65, {"--load: the plug-in 'text.so' is not a shared library"}});
  expect_refused(folder, {{"run", "--load", built + "no_plugin.so"}, 65, {"has no symbol polhode_plugin"}});
}

// Nothing half-written is left, and the name is said whatever the crash.
TEST(LoadCli, APluginThatCrashesIsNamed) {
  const std::vector<std::pair<std::string, std::string>> crashes{
      {"2", "SIGSEGV"}, {"3", "SIGFPE"}, {"4", "SIGABRT"}, {"5", "SIGSEGV"}};
  for (const auto& [how, signal] : crashes) {
    const TestFolder folder;
    const Outcome run = polhode(folder, with_library({"run", "--problem", "fast-top", "--method",
                                                      "plugged-wrong:how=" + how, "--output", "rows.csv"}));
    EXPECT_EQ(run.code, 70) << how << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("plugged-wrong of the plug-in '" + library + "' crashed"), HasSubstr(signal)));
    EXPECT_THAT(folder.names(), testing::IsEmpty()) << how;
  }
  const TestFolder folder;
  const Outcome thrown =
      polhode(folder, with_library({"run", "--problem", "fast-top", "--method", "plugged-wrong", "-o", "rows.csv"}));
  EXPECT_EQ(thrown.code, 1);
  EXPECT_THAT(thrown.err, AllOf(HasSubstr("plugged-wrong of the plug-in"), HasSubstr("no such thing")));
  EXPECT_THAT(folder.names(), testing::IsEmpty());
  const Outcome lost =
      polhode(folder, with_library({"run", "--problem", "fast-top", "--method", "plugged-wrong:how=9"}));
  EXPECT_EQ(lost.code, 1);
  EXPECT_THAT(lost.err, HasSubstr("plugged-wrong:how=9 left the finite numbers"));
}

}  // namespace
}  // namespace polhode::diagnose_cli_test
