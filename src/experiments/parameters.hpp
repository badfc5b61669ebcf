// What one number is measured from: the keys of a [[measure]], as text, which a row of published.csv may replace.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::experiments {

class Parameters {
 public:
  void set(const std::string& key, const std::string& value) { values_[key] = value; }
  bool has(std::string_view key) const { return values_.find(key) != values_.end(); }

  // Throw Error (bad_file) with the key where it is absent, or not a number.
  const std::string& text(std::string_view key) const;
  double number(std::string_view key) const;
  long long count(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;  // separated by commas

  std::string text_or(std::string_view key, const std::string& otherwise) const;
  double number_or(std::string_view key, double otherwise) const;

  // "method=newmark;problem=stress-test;step=0.25" of these keys, as far as they are there: equal for equal runs.
  std::string key(const std::vector<std::string_view>& of) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

// Every key a measure may have besides its name, its set and its lists.
const std::vector<std::string>& parameter_names();

}  // namespace polhode::experiments
