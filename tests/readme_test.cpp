// The generated parts of README.md and docs/methods.md are what the catalogue and the example say now;
// tools/update-readme brings them up to date.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

namespace polhode::test::readme_test {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(std::string(POLHODE_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end, from);
  if (from == std::string::npos || to == std::string::npos) return "the markers are missing";
  return text.substr(from + begin.size(), to - from - begin.size());
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) text.append(buffer.data(), n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(Readme, HoldsTheRecommendedMethods) {
  EXPECT_EQ(between(contents("README.md"), "<!-- methods -->\n", "<!-- /methods -->"),
            output_of(POLHODE_PROGRAM " methods --recommended --markdown"));
}

TEST(Methods, AreDescribedInTheGuide) {
  EXPECT_EQ(contents("docs/methods.md"), output_of(POLHODE_PROGRAM " methods --guide"));
}

TEST(Readme, HoldsTheExampleThatIsBuilt) {
  EXPECT_EQ(between(contents("README.md"), "<!-- example: examples/satellite.cpp -->\n", "<!-- /example -->"),
            "```cpp\n" + contents("examples/satellite.cpp") + "```\n");
}

}  // namespace
}  // namespace polhode::test::readme_test
