#include "ensemble/hdf5/summary.hpp"

#include <algorithm>

#include "io/hdf5/column.hpp"

namespace polhode::hdf5 {
namespace {

constexpr std::size_t most_reasons = 1000;

Group new_group(hid_t file, const char* name) {
  return Group(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

bool write_counts(hid_t group, const char* name, const std::vector<std::uint64_t>& counts, std::size_t width = 1) {
  return write_column(group, name, H5T_NATIVE_UINT64, width, counts, "1");
}

std::string unit_of(const EnsembleAbout& about, const std::string& quantity) {
  if (quantity == "energy") return "J";
  if (quantity == "angular_speed") return "rad/s";
  if (quantity == "angular_momentum") return "kg m^2/s";
  if (quantity == "attitude_error") return "rad";
  const auto is_it = [&](const std::string& passage) { return quantity == "passage_" + passage; };
  return std::any_of(about.passages.begin(), about.passages.end(), is_it) ? "s" : "1";
}

// Which quantity a row is of, and when. A name is the number, from 0, of one in the group's attribute "names", as with
// events.
class Rows {
 public:
  explicit Rows(const EnsembleAbout& about) : about_(about) {}

  void add(const std::string& quantity, const std::optional<double>& time) {
    const auto known = std::find(names_.begin(), names_.end(), quantity);
    quantity_.push_back(static_cast<int>(known - names_.begin()));
    if (known == names_.end()) {
      names_.push_back(quantity);
      units_.push_back(unit_of(about_, quantity));
    }
    time_.push_back(time.value_or(about_.end));
  }

  bool write(hid_t group) const {
    return (names_.empty() || set_attribute(group, "names", names_)) &&
           write_column(group, "quantity", H5T_NATIVE_INT, 1, quantity_, "1") &&
           write_column(group, "time", time_, "s");
  }
  // Values in the units of their quantities, which the attribute lists as "names" does.
  bool write(hid_t group, const char* column, const std::vector<double>& values) const {
    if (!write_column(group, column, values)) return false;
    const Dataset set(H5Dopen2(group, column, H5P_DEFAULT));
    return set && (names_.empty() || set_attribute(set.id(), "units", units_));
  }

 private:
  const EnsembleAbout& about_;
  std::vector<std::string> names_, units_;
  std::vector<int> quantity_;
  std::vector<double> time_;
};

}  // namespace

bool write_done(hid_t file, std::vector<BodyRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const BodyRange& a, const BodyRange& b) { return a.first < b.first; });
  std::vector<std::uint64_t> bounds;
  for (const BodyRange& range : ranges) {
    if (!bounds.empty() && bounds.back() == range.first) {
      bounds.back() = range.last;
    } else {
      bounds.insert(bounds.end(), {range.first, range.last});
    }
  }
  return write_counts(file, "done", bounds, 2);
}

void Failures::add(const std::vector<BodyFailure>& failures) {
  for (const BodyFailure& one : failures) {
    all_.push_back({one.body, one.step, one.time});
    reasons_.emplace(one.body, one.reason);
    if (reasons_.size() > most_reasons) reasons_.erase(std::prev(reasons_.end()));
  }
}

bool Failures::write(hid_t file) {
  const Group group = new_group(file, "failures");
  if (!group) return false;
  std::sort(all_.begin(), all_.end(), [](const Failure& a, const Failure& b) { return a.body < b.body; });
  std::vector<std::uint64_t> body;
  std::vector<long long> step;
  std::vector<double> time;
  std::vector<std::string> reasons;
  for (const Failure& one : all_) {
    body.push_back(one.body);
    step.push_back(one.step);
    time.push_back(one.time);
  }
  for (const auto& [of, reason] : reasons_) reasons.push_back(reason);
  return write_counts(group.id(), "body", body) && write_column(group.id(), "step", H5T_NATIVE_LLONG, 1, step, "1") &&
         write_column(group.id(), "time", time, "s") && write_column(group.id(), "reason", reasons);
}

bool write_statistics(hid_t file, const EnsembleResult& result) {
  const Group group = new_group(file, "statistics");
  if (!group) return false;
  Rows rows(result.about);
  std::vector<std::uint64_t> count, not_finite;
  std::vector<double> least, largest, mean, deviation;
  for (const NamedTally& one : result.statistics) {
    rows.add(one.quantity, one.time);
    count.push_back(one.tally.count());
    not_finite.push_back(one.tally.not_finite());
    least.push_back(one.tally.least());
    largest.push_back(one.tally.largest());
    mean.push_back(one.tally.mean());
    deviation.push_back(one.tally.deviation());
  }
  return rows.write(group.id()) && write_counts(group.id(), "count", count) &&
         write_counts(group.id(), "not_finite", not_finite) && rows.write(group.id(), "least", least) &&
         rows.write(group.id(), "largest", largest) && rows.write(group.id(), "mean", mean) &&
         rows.write(group.id(), "deviation", deviation);
}

bool write_histograms(hid_t file, const EnsembleResult& result) {
  const Group group = new_group(file, "histograms");
  if (!group) return false;
  int number = 0;
  for (const NamedTally& one : result.statistics) {
    const Tally& tally = one.tally;
    if (!tally.histogram()) continue;
    const Group histogram = new_group(group.id(), std::to_string(number++).c_str());
    const std::string unit = unit_of(result.about, one.quantity);
    const bool written =
        histogram && set_attribute(histogram.id(), "quantity", one.quantity) &&
        set_attribute(histogram.id(), "time", one.time.value_or(result.about.end)) &&
        set_attribute(histogram.id(), "below", static_cast<unsigned long long>(tally.below())) &&
        set_attribute(histogram.id(), "above", static_cast<unsigned long long>(tally.above())) &&
        write_counts(histogram.id(), "bins", {tally.bins().begin(), tally.bins().end()}) &&
        write_column(histogram.id(), "edges", {tally.edges().begin(), tally.edges().end()}, unit.c_str());
    if (!written) return false;
  }
  return true;
}

bool write_quantiles(hid_t file, const EnsembleResult& result) {
  const Group group = new_group(file, "quantiles");
  if (!group) return false;
  Rows rows(result.about);
  std::vector<double> probability, value;
  for (const NamedQuantiles& one : result.quantiles) {
    for (std::size_t i = 0; i < one.values.size(); ++i) {
      rows.add(one.quantity, one.time);
      probability.push_back(one.probabilities[i]);
      value.push_back(one.values[i]);
    }
  }
  return rows.write(group.id()) && write_column(group.id(), "probability", probability, "1") &&
         rows.write(group.id(), "value", value);
}

bool write_how(hid_t file, const EnsembleResult& result) {
  const EnsembleAbout& about = result.about;
  const Group group = new_group(file, "how");
  return group && set_attribute(group.id(), "threads", static_cast<long long>(about.threads)) &&
         set_attribute(group.id(), "instruction_set", about.instruction_set) &&
         (about.why_no_packs.empty() || set_attribute(group.id(), "why_no_packs", about.why_no_packs)) &&
         set_attribute(group.id(), "device", about.device) && set_attribute(group.id(), "card", about.card) &&
         set_attribute(group.id(), "fused", about.fused ? "yes" : "no") &&
         set_attribute(group.id(), "seconds", result.seconds) &&
         set_attribute(group.id(), "body_steps_per_second", result.body_steps_per_second);
}

}  // namespace polhode::hdf5
