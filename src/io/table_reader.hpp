// One table of a scenario file: typed access to its keys. Every complaint is a SetupError under the dotted key, and
// every key leaves its line in `origins`, so that later complaints find it too.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/io/scenario.hpp"

namespace polhode {

class TableReader {
 public:
  // `name` is the table's dotted name, empty for the whole file.
  TableReader(const toml::table& table, std::string name, Origins& origins);

  // Refuses every other key, naming the nearest of these, or the table in which `elsewhere` has it.
  using KeysByTable = std::map<std::string, std::vector<std::string>>;
  void allow_only(const std::vector<std::string>& keys, const KeysByTable& elsewhere = {}) const;

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* node(std::string_view key) const { return table_.get(key); }
  std::string dotted(std::string_view key) const;

  // Empty when the key is absent; `wanted` says in a message what would be valid.
  std::optional<double> number(std::string_view key, std::string_view wanted) const;
  std::optional<long long> count(std::string_view key, std::string_view wanted) const;
  std::optional<bool> truth(std::string_view key, std::string_view wanted) const;
  std::optional<std::string> string(std::string_view key, std::string_view wanted) const;
  std::optional<std::vector<std::string>> strings(std::string_view key, std::string_view wanted) const;
  std::optional<std::vector<double>> numbers(std::string_view key, std::size_t count, std::string_view wanted) const;
  std::optional<std::vector<double>> list(std::string_view key, std::string_view wanted) const;    // of any length
  std::optional<std::vector<double>> matrix(std::string_view key, std::string_view wanted) const;  // 9, row-major

  // Empty when the key is absent.
  std::vector<std::vector<double>> rows(std::string_view key, std::size_t width, std::string_view wanted) const;

  [[noreturn]] void refuse(std::string_view key, const std::string& sentence) const;
  // A key that is there, and is something else than `wanted`.
  [[noreturn]] void refuse_type(std::string_view key, std::string_view wanted) const;

 private:
  [[noreturn]] void refuse_type(std::string_view key, const toml::node& node, std::string_view wanted) const;
  double element(std::string_view key, const toml::array& array, std::size_t i, std::string_view wanted) const;

  const toml::table& table_;
  std::string name_;
};

// Integers are accepted wherever a number is meant; empty for anything else.
std::optional<double> number_in(const toml::node& node);

// The value as messages quote it, on one line and not too long.
std::string quoted(const toml::node& node);

// "a string", "an integer", ...
std::string_view type_name(const toml::node& node);

}  // namespace polhode
