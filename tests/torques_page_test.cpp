// docs/torques.md has every kind of torque with every key, and examples that can be run.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::torques_page_test {
namespace {

using testing::HasSubstr;

const std::string page = read_file(POLHODE_SOURCE_DIR "/docs/torques.md");

// From the heading that names the kind to the next one.
std::string section(std::string_view kind) {
  for (std::size_t at = page.find("\n## "); at != std::string::npos; at = page.find("\n## ", at + 1)) {
    const std::string heading = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
    if (heading.find(fmt::format("`{}`", kind)) != std::string::npos)
      return page.substr(at, page.find("\n## ", at + 1) - at);
  }
  return "";
}

TEST(TorquesPage, HasEveryKindAndKey) {
  const auto look = [](const auto& field) {
    const std::string text = section(field.kind);
    ASSERT_FALSE(text.empty()) << field.kind;
    const auto look_for = [&](const auto& key) { EXPECT_THAT(text, HasSubstr(fmt::format("`{}`", key.name))); };
    std::apply([&](const auto&... key) { (look_for(key), ...); }, field.keys());
    EXPECT_THAT(text, HasSubstr("```toml\n[torque]\nkind = ")) << field.kind;
  };
  std::apply([&](const auto&... field) { (look(field), ...); }, FieldKinds<double>{});
}

TEST(TorquesPage, HasExamplesThatRun) {
  int examples = 0;
  const std::string begin = "```toml\n";
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1), ++examples) {
    const std::size_t from = at + begin.size();
    const std::string text = page.substr(from, page.find("```", from) - from);
    SCOPED_TRACE(text);
    // A third moment for the masses, and an attitude in which a stress test has a torque.
    const std::string start = replaced(good, "[start]", "[start]\nrotation_vector = [0.5, 0.3, -0.2]");
    const Result result = run(plan(parse_scenario(start + text, "page.toml")));
    EXPECT_FALSE(result.failure);
  }
  EXPECT_GT(examples, 8);
}

TEST(TorquesPage, TheSatelliteStopsTumbling) {
  const Scenario scenario = read_scenario(POLHODE_SOURCE_DIR "/scenarios/detumbling.toml");
  const Result result = run(plan(scenario));
  const auto rate = [](const Snapshot& s) {
    const auto& w = s.angular_velocity_body;
    return std::hypot(w[0].value, w[1].value, w[2].value);
  };
  EXPECT_FALSE(result.failure);
  EXPECT_NEAR(rate(result.end) / rate(result.start), 1.0 / 7, 0.02) << "as its first lines say";
}

TEST(TorquesPage, TheControllerBringsTheSatelliteToRest) {
  const Scenario scenario = read_scenario(POLHODE_SOURCE_DIR "/scenarios/attitude-control.toml");
  const Result result = run(plan(scenario));
  EXPECT_FALSE(result.failure);
  const auto& q = result.end.attitude_wxyz;
  EXPECT_GT(std::abs(static_cast<double>(q[0].value)), 0.999);
  for (const auto& w : result.end.angular_velocity_body) EXPECT_LT(std::abs(w.value), 0.01);
}

}  // namespace
}  // namespace polhode::torques_page_test
