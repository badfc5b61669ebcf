// Text that programs and people read: JSON, lists with commas, numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/json_text.hpp"
#include "core/list_text.hpp"
#include "core/number_text.hpp"

namespace polhode::text_test {
namespace {

using ::testing::ElementsAre;

TEST(JsonText, HasARowPerLine) {
  const Json rows = Json::array({Json{{"h", json_number(0.5)}, {"of", {1, 2}}}, Json{{"table", {Json{{"a", 1}}}}}});
  const Json object{{"version", "1"},
                    {"pair", {true, Json()}},
                    {"none", Json::array()},
                    {"inner", {{"x", 1}, {"rows", rows}}},
                    {"rows", rows}};
  EXPECT_EQ(json_text(object),
            "{\n"
            "  \"version\": \"1\",\n"
            "  \"pair\": [true, null],\n"
            "  \"none\": [],\n"
            "  \"inner\": { \"x\": 1, \"rows\": [\n"
            "    { \"h\": 0.5, \"of\": [1, 2] },\n"
            "    { \"table\": [{ \"a\": 1 }] }\n"
            "  ] },\n"
            "  \"rows\": [\n"
            "    { \"h\": 0.5, \"of\": [1, 2] },\n"
            "    { \"table\": [{ \"a\": 1 }] }\n"
            "  ]\n"
            "}");
  EXPECT_EQ(json_text(Json{{"inner", {{"x", 1}, {"rows", rows}}}, {"plain", {{"x", 1}}}}, JsonLayout::record),
            "{\n"
            "  \"inner\": {\n"
            "    \"x\": 1,\n"
            "    \"rows\": [\n"
            "      {\"h\": 0.5, \"of\": [1, 2]},\n"
            "      {\"table\": [{\"a\": 1}]}\n"
            "    ]\n"
            "  },\n"
            "  \"plain\": {\"x\": 1}\n"
            "}");
}

TEST(JsonText, KeepsEveryDigit) {
  const std::string digits = "0.852377811488830881281482572130612571";
  EXPECT_EQ(json_text({{"q", {verbatim(digits), verbatim(digits)}}}),
            "{\n  \"q\": [" + digits + ", " + digits + "]\n}");
  EXPECT_EQ(json_text({{"x", json_number(1.0)}, {"y", json_number(1e-5)}}), "{\n  \"x\": 1,\n  \"y\": 1e-05\n}");
  const double not_finite[] = {std::nan(""), std::numeric_limits<double>::infinity()};
  for (const double value : not_finite) EXPECT_TRUE(json_number(value).is_null());
}

TEST(JsonText, ReadsBackWhateverAStringHolds) {
  std::string all;
  for (char c = 1; c < 127; ++c) all += c;
  const std::string others = "\u00b5 \u2026 \U0001f600";
  const Json object{{all, others}, {others, all}};
  EXPECT_EQ(Json::parse(json_text(object)), object);
  // The name of a file need not be UTF-8, and JSON must be.
  const Json read = Json::parse(json_text({{"file", "steps\xff.csv"}}));
  EXPECT_EQ(read["file"], "steps\uFFFD.csv");
}

TEST(ListText, IsWhatStandsBetweenCommas) {
  EXPECT_THAT(comma_separated("a, b b ,c"), ElementsAre("a", "b b", "c"));
  EXPECT_THAT(comma_separated("a,"), ElementsAre("a", ""));
  EXPECT_THAT(comma_separated(" , "), ElementsAre("", ""));
  EXPECT_THAT(comma_separated(""), ElementsAre(""));
}

TEST(NumberText, IsOneNumberOrNone) {
  double value = 0;
  for (const auto& [text, expected] :
       {std::pair("0.25", 0.25), std::pair("+1e3", 1000.0), std::pair("-2", -2.0),
        std::pair("1e999", std::numeric_limits<double>::infinity()), std::pair("-1e-999", 0.0)}) {
    EXPECT_TRUE(read_number(text, value)) << text;
    EXPECT_EQ(value, expected) << text;
  }
  for (const char* text : {"", "+", "++1", "1 ", " 1", "1,0", "0x10", "one", "1e", "1.0.0"}) {
    EXPECT_FALSE(read_number(text, value)) << text;
  }
}

}  // namespace
}  // namespace polhode::text_test
