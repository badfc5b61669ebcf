// verdicts.csv: the outcome of an experiment as it is recorded beside it, and how a later one compares.
#pragma once

#include "experiments/result_file.hpp"
#include "experiments/tolerance.hpp"

namespace polhode::experiments {

// A line: an item, one number of a claim, or a claim that a test decides.
struct RecordRow {
  std::string item, number, published, measured;
  std::string tolerance;  // as Tolerance in words; "timed", "test" or "used" for what no number is compared of
  std::string verdict;
  bool verdict_is_timed = false;  // not in the file
};

using Record = std::vector<RecordRow>;

Record record_of(const Json& result);

Record read_record(const std::string& path);  // empty where there is no such file
std::string record_file(const Record& record);

// Sentences on what is not as recorded: numbers beyond their tolerance, verdicts, rows. Verdicts and numbers that hang
// on the clock are not compared, nor is the outcome of a test that was not run. `rows` are the names of all items and
// claims, of which a smaller set leaves some out.
std::vector<std::string> changes(const Record& now, const Record& recorded, const std::vector<std::string>& rows);

// What is to be recorded now: rows that are as recorded keep their digits, so that a difference between two records
// shows what has moved; rows that the set of the run left out stay.
Record accepted(const Record& now, const Record& recorded, const std::vector<std::string>& rows);

}  // namespace polhode::experiments
