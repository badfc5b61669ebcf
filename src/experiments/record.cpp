#include "experiments/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/number_text.hpp"

namespace polhode::experiments {
namespace {

// Numbers as result.json has them: what is not finite is a word.
std::string number_of(const Json& value) {
  return value.is_number() ? record_text(value.get<double>()) : value.get<std::string>();
}

// The rows of a record by their names.
class Index {
 public:
  explicit Index(const Record& record) {
    for (const RecordRow& row : record) rows_.emplace(std::pair(row.item, row.number), &row);
  }
  const RecordRow* row_like(const RecordRow& row) const {
    const auto found = rows_.find(std::pair(row.item, row.number));
    return found == rows_.end() ? nullptr : found->second;
  }
  bool has_item(const std::string& item) const {
    const auto first = rows_.lower_bound(std::pair(item, std::string()));
    return first != rows_.end() && first->first.first == item;
  }

 private:
  std::map<std::pair<std::string, std::string>, const RecordRow*> rows_;
};

bool same_number(const RecordRow& now, const RecordRow& before) {
  const std::optional<Tolerance> tolerance = stated_tolerance(now.tolerance);
  double measured = 0, recorded = 0;
  if (!tolerance || now.measured == before.measured) return true;
  if (!read_number(now.measured, measured) || !read_number(before.measured, recorded)) return false;
  return agrees(measured, recorded, *tolerance);
}

bool same_verdict(const RecordRow& now, const RecordRow& before) {
  return now.verdict_is_timed || now.verdict == before.verdict;
}

// "item" or "claim, number".
std::string name_of(const RecordRow& row) {
  return row.number.empty() || row.tolerance == "test" ? row.item : fmt::format("{}, {}", row.item, row.number);
}

std::vector<std::string> changes_of(const RecordRow& now, const RecordRow* before) {
  if (before == nullptr) {
    return {fmt::format("{}: '{}' was 'not recorded' (measured: {})", name_of(now), now.verdict, now.measured)};
  }
  std::vector<std::string> sentences;
  if (!same_number(now, *before)) {
    sentences.push_back(fmt::format("{}: recorded {}, measured {}, tolerance {}", name_of(now), before->measured,
                                    now.measured, now.tolerance));
  }
  if (!same_verdict(now, *before)) {
    sentences.push_back(
        fmt::format("{}: '{}' was '{}' (measured: {})", now.item, now.verdict, before->verdict, now.measured));
  }
  if (now.tolerance != before->tolerance) {
    sentences.push_back(
        fmt::format("{}: the tolerance is '{}', recorded is '{}'", name_of(now), now.tolerance, before->tolerance));
  }
  if (now.published != before->published) {
    sentences.push_back(
        fmt::format("{}: published is '{}', recorded is '{}'", name_of(now), now.published, before->published));
  }
  return sentences;
}

}  // namespace

Record record_of(const Json& result) {
  Record record;
  for (const Json& item : result["items"]) {
    const std::string allowed = item["allowed"], verdict = item["verdict"];
    record.push_back({item["item"], "", item["published"], allowed == "used" ? "" : number_of(item["value"]), allowed,
                      verdict, allowed == "timed"});
  }
  for (const Json& claim : result["claims"]) {
    const std::string id = claim["id"], verdict = claim["verdict"], test = claim["test"];
    if (!test.empty()) {
      record.push_back({id, fmt::format("{} {}", test, claim["filter"].get<std::string>()), "", claim["test_outcome"],
                        "test", verdict});
    }
    for (const Json& number : claim["measured"]) {
      record.push_back(
          {id, number["name"], "", number_of(number["value"]), number["allowed"], verdict, claim["timed"]});
    }
  }
  return record;
}

Record read_record(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  const CsvTable table = read_csv(path);
  Record record;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const auto cell = [&](const char* column) { return table.cell(row, column); };
    record.push_back(
        {cell("item"), cell("number"), cell("published"), cell("measured"), cell("tolerance"), cell("verdict")});
  }
  return record;
}

std::string record_file(const Record& record) {
  std::string text = "item,number,published,measured,tolerance,verdict\n";
  for (const RecordRow& row : record) {
    text += fmt::format("{},{},{},{},{},{}\n", csv_field(row.item), csv_field(row.number), csv_field(row.published),
                        csv_field(row.measured), csv_field(row.tolerance), csv_field(row.verdict));
  }
  return text;
}

std::vector<std::string> changes(const Record& now, const Record& recorded, const std::vector<std::string>& rows) {
  const Index before_by_name(recorded), now_by_name(now);
  const std::set<std::string> known(rows.begin(), rows.end());
  std::vector<std::string> sentences;
  std::set<std::string> judged;  // the verdict of a claim is named once, not for each of its numbers
  for (const RecordRow& row : now) {
    const RecordRow* before = before_by_name.row_like(row);
    RecordRow seen = row;
    const bool again = before != nullptr && !same_verdict(row, *before) && !judged.insert(row.item).second;
    if (again) seen.verdict = before->verdict;
    for (std::string& sentence : changes_of(seen, before)) sentences.push_back(std::move(sentence));
  }
  for (const RecordRow& row : recorded) {
    const bool no_number = now_by_name.has_item(row.item) && now_by_name.row_like(row) == nullptr;
    if (!known.contains(row.item) || no_number) {
      sentences.push_back(fmt::format("{}: is recorded and no longer measured", name_of(row)));
    }
  }
  return sentences;
}

Record accepted(const Record& now, const Record& recorded, const std::vector<std::string>& rows) {
  const Index before_by_name(recorded), now_by_name(now);
  Record record;
  for (const std::string& item : rows) {
    if (!now_by_name.has_item(item)) {  // of a larger set
      std::ranges::copy_if(recorded, std::back_inserter(record),
                           [&](const RecordRow& row) { return row.item == item; });
      continue;
    }
    for (const RecordRow& row : now) {
      if (row.item != item) continue;
      const RecordRow* before = before_by_name.row_like(row);
      const bool as_recorded = before != nullptr && changes_of(row, before).empty() && row.verdict == before->verdict;
      record.push_back(as_recorded ? *before : row);
    }
  }
  return record;
}

}  // namespace polhode::experiments
