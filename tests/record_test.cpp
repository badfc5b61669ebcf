// What `polhode reproduce` records of an experiment, and when a later outcome counts as another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/record.hpp"
#include "io_support.hpp"

namespace polhode::experiments {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

TEST(Tolerance, SaysInWordsWhatItIs) {
  for (const char* text : {"rel 1e-06", "rel 1e-06 abs 1e-13", "rel 0.01", "factor 10"}) {
    ASSERT_TRUE(stated_tolerance(text)) << text;
    EXPECT_EQ(words(*stated_tolerance(text)), text);
  }
  for (const char* text : {"timed", "test", "used", "", "rel", "rel much", "about 3"}) {
    EXPECT_FALSE(stated_tolerance(text)) << text;
  }
  EXPECT_EQ(words(Tolerance{}), "rel 1e-06");
}

TEST(Tolerance, TenthOfItPassesAndTenTimesItDoesNot) {
  for (const Tolerance& tolerance : {Tolerance{}, Tolerance{1e-3, 0, {}}, Tolerance{1e-6, 1e-13, {}}}) {
    for (const double recorded : {1.0, -82.1053, 3e-300, 4e250, 12771.0, -1e-9}) {
      const double allowed = std::max(tolerance.relative * std::abs(recorded), tolerance.absolute);
      for (const double sign : {1.0, -1.0}) {
        EXPECT_TRUE(agrees(recorded + 0.1 * sign * allowed, recorded, tolerance)) << recorded;
        EXPECT_FALSE(agrees(recorded + 10 * sign * allowed, recorded, tolerance)) << recorded;
      }
    }
  }
}

TEST(Tolerance, AFactorIsForSizesOfOneSign) {
  const Tolerance tolerance{0, 0, 10};
  for (const double recorded : {6851.0, -3e-9}) {
    for (const double factor : {9.0, 1.1, 0.9, 0.12}) EXPECT_TRUE(agrees(factor * recorded, recorded, tolerance));
    for (const double factor : {11.0, 0.09, 0.0, -1.0, 1e300}) {
      EXPECT_FALSE(agrees(factor * recorded, recorded, tolerance)) << factor;
    }
  }
}

TEST(Tolerance, WhatIsNoNumberIsItselfAlone) {
  for (const Tolerance& tolerance : {Tolerance{}, Tolerance{1, 1e300, {}}, Tolerance{0, 0, 10}}) {
    EXPECT_TRUE(agrees(nan, nan, tolerance));
    EXPECT_TRUE(agrees(infinity, infinity, tolerance));
    EXPECT_TRUE(agrees(0, 0, tolerance));
    for (const double number : {0.0, 1.0, 1e308}) {
      EXPECT_FALSE(agrees(nan, number, tolerance));
      EXPECT_FALSE(agrees(number, nan, tolerance));
      EXPECT_FALSE(agrees(infinity, number, tolerance));
      EXPECT_FALSE(agrees(number, -infinity, tolerance));
    }
  }
  EXPECT_FALSE(agrees(1e-300, 0, {})) << "nothing is near a nought but itself, unless a floor says so";
  EXPECT_TRUE(agrees(1e-14, 0, {1e-6, 1e-13, {}}));
}

RecordRow number_row(const std::string& item, const std::string& measured, const std::string& verdict = "measured") {
  return {item, "", "", measured, "rel 1e-06", verdict};
}

const std::vector<std::string> rows{"E", "F", "order"};
const Record recorded{{"E", "", "0.30", "0.306122448980", "rel 1e-06", "misprint"},
                      number_row("F", "nan"),
                      {"order", "ratio", "", "-3.5", "rel 0.01", "holds"},
                      {"order", "cost", "", "1.25", "timed", "holds"}};

// The record with one row replaced.
Record with(const RecordRow& row) {
  Record now = recorded;
  for (RecordRow& other : now) {
    if (other.item == row.item && other.number == row.number) other = row;
  }
  return now;
}

TEST(Record, ANumberThatMovedIsNamedWithBothValuesAndItsTolerance) {
  EXPECT_THAT(changes(recorded, recorded, rows), IsEmpty());
  // An explanation does not cover for it: the verdict is the same.
  EXPECT_THAT(changes(with({"E", "", "0.30", "0.3062", "rel 1e-06", "misprint"}), recorded, rows),
              ElementsAre("E: recorded 0.306122448980, measured 0.3062, tolerance rel 1e-06"));
  EXPECT_THAT(changes(with({"E", "", "0.30", "0.30612246", "rel 1e-06", "misprint"}), recorded, rows), IsEmpty());
  EXPECT_THAT(changes(with({"order", "ratio", "", "-3.6", "rel 0.01", "holds"}), recorded, rows),
              ElementsAre("order, ratio: recorded -3.5, measured -3.6, tolerance rel 0.01"));
  EXPECT_THAT(changes(with(number_row("F", "300")), recorded, rows),
              ElementsAre("F: recorded nan, measured 300, tolerance rel 1e-06"));
  EXPECT_THAT(changes(with({"E", "", "0.30", "failed", "rel 1e-06", "misprint"}), recorded, rows),
              ElementsAre(HasSubstr("measured failed")));
}

TEST(Record, TheClockIsNotJudged) {
  Record now = with({"order", "cost", "", "77", "timed", "holds"});
  EXPECT_THAT(changes(now, recorded, rows), IsEmpty());
  for (RecordRow& row : now) {
    if (row.item != "order") continue;
    row.verdict = "does not hold";
    row.verdict_is_timed = true;
  }
  EXPECT_THAT(changes(now, recorded, rows), IsEmpty());
  now[2].measured = "-4";
  EXPECT_THAT(changes(now, recorded, rows), ElementsAre(HasSubstr("order, ratio: recorded -3.5, measured -4")))
      << "a number beside one of the clock still is";
}

TEST(Record, VerdictsTolerancesPrintedNumbersAndRowsAreComparedToo) {
  Record now = recorded;
  now[2].verdict = now[3].verdict = "holds in part";
  EXPECT_THAT(changes(now, recorded, rows), ElementsAre("order: 'holds in part' was 'holds' (measured: -3.5)"));
  now = with({"order", "ratio", "", "-3.5", "rel 0.1", "holds"});
  EXPECT_THAT(changes(now, recorded, rows),
              ElementsAre("order, ratio: the tolerance is 'rel 0.1', recorded is 'rel 0.01'"));
  now = with({"E", "", "0.31", "0.306122448980", "rel 1e-06", "misprint"});
  EXPECT_THAT(changes(now, recorded, rows), ElementsAre("E: published is '0.31', recorded is '0.30'"));
  now = recorded;
  now.push_back({"order", "new", "", "1", "rel 1e-06", "holds"});
  EXPECT_THAT(changes(now, recorded, rows), ElementsAre(HasSubstr("order, new: 'holds' was 'not recorded'")));
  now = {recorded[0], recorded[1], recorded[2]};
  EXPECT_THAT(changes(now, recorded, rows), ElementsAre("order, cost: is recorded and no longer measured"));
  EXPECT_THAT(changes(recorded, recorded, {"E", "order"}), ElementsAre("F: is recorded and no longer measured"));
}

TEST(Record, AcceptedItChangesWhereSomethingMovedAndKeepsWhatWasLeftOut) {
  Record now = {{"E", "", "0.30", "0.306122448981", "rel 1e-06", "misprint"},
                {"order", "ratio", "", "-3.6", "rel 0.01", "holds"},
                {"order", "cost", "", "1.5", "timed", "holds"}};
  const Record after = accepted(now, recorded, rows);
  ASSERT_EQ(after.size(), 4U);
  EXPECT_EQ(after[0].measured, "0.306122448980") << "within the tolerance: as it was";
  EXPECT_EQ(after[1].measured, "nan") << "not measured in this set: as it was";
  EXPECT_EQ(after[2].measured, "-3.6");
  EXPECT_EQ(after[3].measured, "1.25") << "the clock alone";
  EXPECT_THAT(changes(now, after, rows), IsEmpty());
  EXPECT_EQ(accepted(now, recorded, {"E", "order"}).size(), 3U) << "what is no longer there goes";
}

TEST(Record, IsReadAsItIsWritten) {
  const TestFolder folder;
  const Record read = read_record(folder.write("verdicts.csv", record_file(recorded)));
  ASSERT_EQ(read.size(), recorded.size());
  EXPECT_EQ(record_file(read), record_file(recorded));
  EXPECT_THAT(changes(read, recorded, rows), IsEmpty());
  EXPECT_THAT(read_record(folder.file("absent.csv")), IsEmpty());
}

TEST(Record, OfAResultHasALineForEveryNumber) {
  const Json result = Json::parse(R"({"items": [
      {"item": "E", "published": "0.30", "measured": "0.30612", "value": 0.30612244897959184, "allowed": "rel 1e-06",
       "verdict": "misprint"},
      {"item": "U", "published": "8", "measured": "", "value": null, "allowed": "used", "verdict": "used"}],
    "claims": [
      {"id": "order", "verdict": "holds", "test": "", "filter": "", "test_outcome": "", "timed": false,
       "measured": [{"name": "ratio", "value": "nan", "allowed": "factor 10"},
                    {"name": "half", "value": 0.5, "allowed": "rel 1e-06"}]},
      {"id": "proved", "verdict": "holds", "test": "some_test", "filter": "A.B", "test_outcome": "passed",
       "timed": false, "measured": []}]})");
  EXPECT_EQ(record_file(record_of(result)),
            "item,number,published,measured,tolerance,verdict\n"
            "E,,0.30,0.30612244898,rel 1e-06,misprint\n"
            "U,,8,,used,used\n"
            "order,ratio,,nan,factor 10,holds\n"
            "order,half,,0.5,rel 1e-06,holds\n"
            "proved,some_test A.B,,passed,test,holds\n");
}

}  // namespace
}  // namespace polhode::experiments
