// Every key that is cited has an entry, and entries read as docs/bibliography.bib says.
#include "polhode/io/bibliography.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "io_support.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::bibliography_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Bibliography, HasEveryEntryOfTheFileOnce) {
  std::set<std::string> begun;
  for (const std::string& line : lines_of(read_file(POLHODE_SOURCE_DIR "/docs/bibliography.bib"))) {
    if (line.starts_with('@')) begun.insert(line.substr(line.find('{') + 1, line.find(',') - line.find('{') - 1));
  }
  std::set<std::string> read;
  for (const Publication& publication : bibliography()) EXPECT_TRUE(read.insert(publication.key).second);
  EXPECT_EQ(read, begun);
  EXPECT_GT(read.size(), 40U);
}

TEST(Bibliography, EntriesAreWholeAndPlain) {
  for (const Publication& publication : bibliography()) {
    SCOPED_TRACE(publication.key);
    EXPECT_THAT(publication.field("title"), Not(IsEmpty()));
    if (publication.kind != "misc") {
      EXPECT_THAT(publication.field("author"), Not(IsEmpty()));
      EXPECT_EQ(publication.field("year").size(), 4U);
    }
    if (publication.kind == "article") {
      for (const char* field : {"journal", "volume", "pages"}) {
        EXPECT_THAT(entry_text(publication), HasSubstr(std::string(publication.field(field)))) << field;
      }
    }
    const std::string text = entry_text(publication);
    EXPECT_EQ(text.find_first_of("{}\\$\n"), std::string::npos) << text;
    for (const char* clumsy : {"  ", "..", ",.", ",,", " ,", " ."}) {
      EXPECT_EQ(text.find(clumsy), std::string::npos) << text;
    }
    EXPECT_EQ(publication.field("colour"), "");
  }
}

// As the publishers print them.
TEST(Bibliography, AccentsAndLineBreaksAreRead) {
  EXPECT_EQ(find_publication("F03")->field("author"), "Fassò, Francesco");
  EXPECT_EQ(find_publication("JZ05")->field("author"), "Jorba, Àngel and Zou, Maorong");
  EXPECT_EQ(find_publication("HNW93")->field("author"), "Hairer, Ernst and Nørsett, Syvert P. and Wanner, Gerhard");
  EXPECT_EQ(find_publication("H92")->field("journal"), "Computers & Structures");
  EXPECT_EQ(
      find_publication("KL97")->field("title"),
      "Composition constants for raising the orders of unconventional schemes for ordinary differential equations");
  EXPECT_EQ(find_publication("BCA12")->field("title"),
            "Lie group generalized-α time integration of constrained flexible multibody systems");
  EXPECT_EQ(entry_text(*find_publication("MK98")),
            "Munthe-Kaas, Hans: Runge-Kutta methods on Lie groups. BIT 38, 92-111, 1998.");
  EXPECT_EQ(find_publication("nobody"), nullptr);
}

TEST(Bibliography, KeysAreFoundAmongLocators) {
  EXPECT_THAT(cited_keys("SW91; LS94; R08, App. A.2"), ElementsAre("SW91", "LS94", "R08"));
  EXPECT_THAT(cited_keys("KE05, eq. (34), (35)"), ElementsAre("KE05"));
  EXPECT_THAT(cited_keys(""), IsEmpty());
}

TEST(Bibliography, WhatIsCitedIsThere) {
  const auto check = [](std::string_view cite, std::string_view by) {
    for (const std::string& key : cited_keys(cite)) {
      if (key == "Polhode") continue;
      EXPECT_NE(find_publication(key), nullptr) << key << " is cited by " << by;
    }
  };
  for (const MethodInfo& method : methods()) check(method.cite, method.name);
  for (const Problem& problem : problems()) check(problem.cite, problem.name);
  for (const SuffixInfo& suffix : suffixes()) {
    const std::size_t begin = suffix.about.find('[');
    if (begin != std::string_view::npos)
      check(suffix.about.substr(begin + 1, suffix.about.find(']') - begin - 1), suffix.name);
  }
}

}  // namespace
}  // namespace polhode::bibliography_test
