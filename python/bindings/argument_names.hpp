// What arguments of Python are called by the keys of a scenario that they become.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace polhode::python {

// A key is that of an argument, as "run.step" is step, or stands in a table that is passed: "start.mrp" is start['mrp'], and
// "torque[1].kind" torque[1]['kind']. One further within is called by what it is in.
class NamesOfKeys {
 public:
  // `more`: names of further keys; `torques`: how many tables of torques are passed. The only one is "torque".
  NamesOfKeys(std::map<std::string, std::string, std::less<>> more, std::size_t torques)
      : more_(std::move(more)), torques_(torques) {}

  // A table has this key, which may look like one within another.
  void note(const std::string& table, const std::string& key);
  // Empty where it has no name of its own.
  std::string of(std::string_view key) const;

 private:
  std::optional<std::string> of_itself(std::string_view key) const;
  std::optional<std::string> of_table(std::string_view key) const;

  std::map<std::string, std::string, std::less<>> more_;
  std::size_t torques_;
};

}  // namespace polhode::python
